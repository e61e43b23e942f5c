//go:build unix

package disk

import "syscall"

// Linked reports whether the file has other names (hard links). Changes are visible under all
// names.
func (f File) Linked() (bool, error) {
	stat, err := f.Stat()
	if err != nil {
		return false, err
	}
	system, ok := stat.Sys().(*syscall.Stat_t)
	return ok && system.Nlink > 1, nil
}
