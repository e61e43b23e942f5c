//go:build !unix

package disk

// Linked reports whether the file has other names. This system does not tell, so Linked returns
// false.
func (f File) Linked() (bool, error) { return false, nil }
