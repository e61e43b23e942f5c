//go:build unix

package disk

import "syscall"

// Linked reports whether the file has other names: what is changed in it changes under these too.
func (f File) Linked() (bool, error) {
	stat, err := f.Stat()
	if err != nil {
		return false, err
	}
	system, ok := stat.Sys().(*syscall.Stat_t)
	return ok && system.Nlink > 1, nil
}
