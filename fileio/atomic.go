package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// atomicFile is a file that appears under its name only when it is complete. What is written goes to
// a temporary name in the same folder; commit flushes it to the disk and renames it. Until then, and
// after any failure, what was there before is untouched.
//
// A name that exists and is no regular file (a pipe, /dev/stdout, /dev/null) is written to directly:
// a rename would replace the device.
type atomicFile struct {
	*bufio.Writer
	path   string // where the file shall be, symbolic links resolved
	temp   string // where it is now; empty for a direct write
	file   tempFile
	closed bool
}

// tempFile is what atomicFile needs of an *os.File.
type tempFile interface {
	Write(p []byte) (int, error)
	Sync() error
	Close() error
}

const (
	// atomicBuffer is the size of the buffer between the encoders and the system, in bytes.
	atomicBuffer = 1 << 18
	// tempTries bounds the search for a temporary name that is free: more names than that are only
	// taken when earlier processes with this number were killed so many times in this folder.
	tempTries = 1000
)

// buffers holds those of committed files, for the next frame or checkpoint.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, atomicBuffer) }}

// openTemp creates a file that must not exist yet. Tests put a disk that is full in its place.
var openTemp = func(name string) (tempFile, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// createAtomic starts to write the file. The caller ends with commit, and defers abort.
func createAtomic(path string) (*atomicFile, error) {
	a := &atomicFile{path: path}
	stat, err := os.Stat(path)
	switch {
	case err == nil && stat.IsDir():
		return nil, fmt.Errorf("fileio: cannot write %s: it is a folder", path)
	case err == nil && !stat.Mode().IsRegular():
		if a.file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, fmt.Errorf("fileio: cannot write %s: %w", path, unnamed(err))
		}
	default:
		// A link is written through, as a plain write would.
		if target, err := filepath.EvalSymlinks(path); err == nil {
			a.path = target
		}
		if err := a.openFree(); err != nil {
			return nil, fmt.Errorf("fileio: cannot write %s: %w", path, unnamed(err))
		}
	}
	a.Writer = buffers.Get().(*bufio.Writer)
	a.Reset(a.file)
	return a, nil
}

// openFree opens the first temporary name that is free. The process number keeps processes apart.
func (a *atomicFile) openFree() error {
	var err error
	for try := range tempTries {
		a.temp = a.path + "." + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(try) + ".tmp"
		a.file, err = openTemp(a.temp)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return err
}

// commit makes the file complete: flush, sync, close, rename, and sync of the folder, so that the
// name outlives a power failure as well. On an error the temporary file is gone.
func (a *atomicFile) commit() error {
	err := a.Flush()
	if err == nil && a.temp != "" {
		err = a.file.Sync()
	}
	if closeErr := a.file.Close(); err == nil {
		err = closeErr
	}
	a.closed = true
	a.Reset(nil)
	buffers.Put(a.Writer)
	if a.temp == "" {
		return a.wrap(err)
	}
	if err == nil {
		err = os.Rename(a.temp, a.path)
	}
	if err != nil {
		return a.wrap(errors.Join(err, removed(a.temp)))
	}
	if err := syncFolder(filepath.Dir(a.path)); err != nil {
		return fmt.Errorf("fileio: syncing the folder of %s, which is written: %w", a.path, err)
	}
	return nil
}

// abort removes the temporary file. It does nothing after commit, so that it can be deferred.
func (a *atomicFile) abort() {
	if a.closed {
		return
	}
	a.closed = true
	a.Reset(nil)
	buffers.Put(a.Writer)
	// The error that led here is the one to report; a temporary file left behind harms nobody.
	_ = a.file.Close()
	if a.temp != "" {
		_ = os.Remove(a.temp)
	}
}

// unnamed takes the name off an error of the system, for the temporary one tells users nothing.
func unnamed(err error) error {
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return named.Err
	}
	return err
}

// wrap adds the file's name to an error of writing.
func (a *atomicFile) wrap(err error) error {
	if err == nil {
		return nil
	}
	if named := (*fs.PathError)(nil); a.temp != "" && errors.As(err, &named) && named.Path == a.temp {
		named.Path = a.path
	}
	if a.temp == "" {
		return fmt.Errorf("fileio: writing %s: %w", a.path, err)
	}
	return fmt.Errorf("fileio: writing %s (what was there before is untouched): %w", a.path, err)
}

// removed deletes a temporary file; that it is already gone is no error.
func removed(temp string) error {
	if err := os.Remove(temp); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncFolder makes a rename in the folder durable. File systems that cannot sync a folder refuse
// with errors of many kinds, and the file itself is already safe: only failing to open is reported.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil // A folder one may write to but not list.
		}
		return err
	}
	_ = d.Sync()
	return d.Close()
}

// writeAtomic runs encode on a new file and commits it; an error of encode leaves nothing behind.
func writeAtomic(path string, encode func(a *atomicFile) error) error {
	a, err := createAtomic(path)
	if err != nil {
		return err
	}
	defer a.abort()
	if err := encode(a); err != nil {
		return a.wrap(err)
	}
	return a.commit()
}
