//go:build !unix

package disk

// Linked reports whether the file has other names. Here the system does not tell.
func (f File) Linked() (bool, error) { return false, nil }
