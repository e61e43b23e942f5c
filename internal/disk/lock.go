package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// ErrLocked reports a lock that another process, or another Lock of this process, holds.
var ErrLocked = errors.New("locked")

// errNoLocks reports a file system or a platform without locks.
var errNoLocks = errors.New("the file system has no locks")

// Lock is a file lock of the operating system. It ends with the process, however the process ends.
type Lock struct {
	file *os.File
	Void bool // the file system has no locks, so nobody is kept out
}

// lockTries limits how often NewLock starts again because the lock file was removed meanwhile.
const lockTries = 100

// NewLock creates the file at path if necessary and locks it. The error wraps ErrLocked if another
// holds the lock.
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
		err = lockFile(file)
		for try := 0; try < 3 && errors.Is(err, ErrLocked); try++ { // Locked may hold it.
			time.Sleep(time.Millisecond)
			err = lockFile(file)
		}
		switch {
		case errors.Is(err, errNoLocks):
			return &Lock{file, true}, nil
		case err != nil:
			_ = file.Close() // Nothing was written.
			return nil, err
		}
		// The previous holder may have removed the file after it was opened here. Others would then
		// lock another file.
		mine, err := file.Stat()
		if named, nameErr := os.Lstat(path); err == nil && nameErr == nil && os.SameFile(mine, named) {
			return &Lock{file, false}, nil
		}
		_ = file.Close() // Nothing was written.
	}
	return nil, fmt.Errorf("%s vanished %d times while it was locked: %w", path, lockTries, ErrLocked)
}

// Locked reports whether another process, or another Lock of this process, holds the lock of the file at path. It holds the
// lock for a moment itself, if nobody does.
func Locked(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close() // It ends the lock.
	return errors.Is(lockFile(file), ErrLocked)
}

// Release removes the lock file and ends the lock.
func (l *Lock) Release() {
	// Remove the file while the lock is held, so that the file of another holder is never removed.
	// A system that cannot remove open files leaves an empty file.
	_ = Remove(l.file.Name())
	_ = l.file.Close()
}
