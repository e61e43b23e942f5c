package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/scree-dem/scree/internal/disk"
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
	file   disk.File
	closed bool
}

// atomicBuffer is the size of the buffer between the encoders and the system, in bytes.
const atomicBuffer = 1 << 18

// buffers holds those of committed files, for the next frame or checkpoint.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, atomicBuffer) }}

// createAtomic starts to write the file. The caller ends with commit, and defers abort.
func createAtomic(path string) (*atomicFile, error) {
	a := &atomicFile{path: path}
	stat, err := os.Stat(path)
	switch {
	case err == nil && stat.IsDir():
		return nil, fmt.Errorf("fileio: cannot write %s: it is a folder", path)
	case err == nil && !stat.Mode().IsRegular():
		if a.file.File, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, fmt.Errorf("fileio: cannot write %s: %w", path, unnamed(err))
		}
	default:
		// A link is written through, as a plain write would.
		if target, err := filepath.EvalSymlinks(path); err == nil {
			a.path = target
		}
		if a.file, err = disk.CreateTemp(a.path); err != nil {
			return nil, fmt.Errorf("fileio: cannot write %s: %w", path, unnamed(err))
		}
		a.temp = a.file.Name()
	}
	a.Writer = buffers.Get().(*bufio.Writer)
	a.Reset(a.file)
	return a, nil
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
		err = disk.Rename(a.temp, a.path)
	}
	if err != nil {
		return a.wrap(errors.Join(err, disk.Remove(a.temp)))
	}
	if err := disk.SyncFolder(filepath.Dir(a.path)); err != nil {
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
		_ = disk.Remove(a.temp)
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
