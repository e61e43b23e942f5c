package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scree-dem/scree/internal/disk"
)

// atomicFile is a file that appears under its name only when it is complete. Data is written to a
// temporary file in the same folder. commit flushes the temporary file to disk and renames it.
// Until then, and after any failure, an earlier file of this name stays unchanged.
//
// If the name exists and is not a regular file (a pipe, /dev/stdout, /dev/null), data is written to
// it directly, because renaming would replace the device.
type atomicFile struct {
	*bufio.Writer
	path   string // final path, symbolic links resolved
	temp   string // temporary path; empty for a direct write
	file   disk.File
	closed bool
}

// atomicBuffer is the size of the buffer between the encoders and the system, bytes.
const atomicBuffer = 1 << 18

// createAtomic starts writing the file path. The caller must defer abort and finally call commit.
func createAtomic(path string) (*atomicFile, error) {
	a := &atomicFile{path: path}
	stat, err := os.Stat(path)
	switch {
	case err == nil && stat.IsDir():
		return nil, fmt.Errorf("fileio: cannot write %s: it is a folder", path)
	case err == nil && !stat.Mode().IsRegular():
		if a.file.File, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, fmt.Errorf("fileio: cannot write %s: %w", path, disk.Unnamed(err))
		}
	default:
		// Write through a symbolic link, as a plain write would.
		if target, err := filepath.EvalSymlinks(path); err == nil {
			a.path = target
		}
		if a.file, err = disk.CreateTemp(a.path); err != nil {
			return nil, fmt.Errorf("fileio: cannot write %s: %w", path, disk.Unnamed(err))
		}
		a.temp = a.file.Name()
	}
	a.Writer = bufio.NewWriterSize(a.file, atomicBuffer)
	return a, nil
}

// commit completes the file: flush, sync, close, rename. It also syncs the folder, so that the name
// survives a power failure. On an error it removes the temporary file.
func (a *atomicFile) commit() error {
	err := a.Flush()
	if err == nil && a.temp != "" {
		err = a.file.Sync()
	}
	if closeErr := a.file.Close(); err == nil {
		err = closeErr
	}
	a.closed = true
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

// abort removes the temporary file. After commit it does nothing, so it can be deferred.
func (a *atomicFile) abort() {
	if a.closed {
		return
	}
	a.closed = true
	// The caller reports the error that led here. A leftover temporary file does no harm.
	_ = a.file.Close()
	if a.temp != "" {
		_ = disk.Remove(a.temp)
	}
}

// wrap adds the file name to an error of writing.
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

// writeAtomic calls encode with a new file and commits the file. If encode fails, no file is left.
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
