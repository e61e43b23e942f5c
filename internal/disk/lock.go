package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrLocked marks a lock that another process holds, or another lock of this one.
var ErrLocked = errors.New("locked")

// errNoLocks marks a file system or a platform that has no locks.
var errNoLocks = errors.New("the file system has no locks")

// Lock is a lock of the operating system on a file. It ends with its process, however that ends.
type Lock struct {
	file *os.File
	Void bool // the file system has no locks: nobody is held off
}

// lockTries bounds how often a lock file is found to have been removed by the one who held it.
const lockTries = 100

// NewLock takes the lock of the file at path, which it makes. The error wraps ErrLocked where another holds it.
func NewLock(path string) (*Lock, error) {
	for range lockTries {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			var there File
			there, err = Open(path)
			file = there.File
		}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errReplaced) {
			continue
		}
		if err != nil {
			return nil, err
		}
		switch err := lockFile(file); {
		case errors.Is(err, errNoLocks):
			return &Lock{file, true}, nil
		case err != nil:
			_ = file.Close() // Nothing was written.
			return nil, err
		}
		// The one who held it may have removed the file since it was opened: then others lock another one.
		mine, err := file.Stat()
		if named, nameErr := os.Lstat(path); err == nil && nameErr == nil && os.SameFile(mine, named) {
			return &Lock{file, false}, nil
		}
		_ = file.Close() // Nothing was written.
	}
	return nil, fmt.Errorf("%s vanished %d times while it was locked: %w", path, lockTries, ErrLocked)
}

// Release ends the lock and removes its file.
func (l *Lock) Release() {
	// Before the lock ends, so that nobody else's file is removed. A system that keeps open files leaves an empty one.
	_ = Remove(l.file.Name())
	_ = l.file.Close()
}
