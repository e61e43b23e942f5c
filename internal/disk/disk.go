package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// Op is an operation that changes the disk.
type Op string

// The operations that call Before.
const (
	OpCreate   Op = "create"
	OpWrite    Op = "write"
	OpSync     Op = "sync"
	OpTruncate Op = "truncate"
	OpRename   Op = "rename"
	OpRemove   Op = "remove"
)

// Before is nil except in tests. If it is set, it is called before each operation; n is the number
// of bytes of a write. If Before returns an error, the operation is not executed, except that a
// write writes its first written bytes. If Before is set, syncs are never executed, because they
// take most of the time of a short run and no test cuts the power.
var Before func(op Op, path string, n int) (written int, err error)

// ErrNotRegular reports a symbolic link, a folder or a device where a regular file was expected.
var ErrNotRegular = errors.New("not a regular file")

var errReplaced = errors.New("was replaced while it was opened")

func ask(op Op, path string) error {
	if Before == nil {
		return nil
	}
	if _, err := Before(op, path, 0); err != nil {
		return &fs.PathError{Op: string(op), Path: path, Err: err}
	}
	return nil
}

// File is a file opened for writing.
type File struct{ *os.File }

// tempTries limits the search for a free temporary name. It is exceeded only if as many earlier
// processes with this process id were killed while writing this file.
const tempTries = 1000

// CreateTemp creates a new file beside path under the first free temporary name. The name contains
// the process id, so processes do not collide.
func CreateTemp(path string) (f File, err error) {
	for try := range tempTries {
		name := path + "." + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(try) + ".tmp"
		if err = ask(OpCreate, name); err != nil {
			return f, err
		}
		f.File, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return f, err
}

// Open opens an existing regular file for reading and writing. It does not follow symbolic links.
func Open(path string) (File, error) {
	if err := Regular(path); err != nil {
		return File{}, err
	}
	named, err := os.Lstat(path)
	if err != nil {
		return File{}, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return File{}, err
	}
	// The name may have been replaced by a link meanwhile.
	opened, err := file.Stat()
	if err == nil && !os.SameFile(named, opened) {
		err = fmt.Errorf("%s %w: %w", path, errReplaced, ErrNotRegular)
	}
	if err != nil {
		_ = file.Close() // Report the first error.
		return File{}, err
	}
	return File{file}, nil
}

// Regular returns nil for a regular file. For another kind of file the error wraps ErrNotRegular
// and names the kind. If nothing exists at path, the error wraps fs.ErrNotExist.
func Regular(path string) error {
	stat, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if stat.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s: %w", path, KindOf(stat.Mode()), ErrNotRegular)
}

// KindOf returns the name of a kind of file that is not regular.
func KindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Write writes b at the current position.
func (f File) Write(b []byte) (int, error) {
	if Before != nil {
		if n, err := Before(OpWrite, f.Name(), len(b)); err != nil {
			n, _ = f.File.Write(b[:n])
			return n, &fs.PathError{Op: string(OpWrite), Path: f.Name(), Err: err}
		}
	}
	return f.File.Write(b)
}

// WriteString calls Write, so that Before sees every write.
func (f File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// Sync makes all writes durable.
func (f File) Sync() error {
	if Before != nil {
		return ask(OpSync, f.Name())
	}
	return f.File.Sync()
}

// Truncate cuts the file to a size.
func (f File) Truncate(size int64) error {
	if err := ask(OpTruncate, f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Rename moves a file to the name to, and replaces an existing file or symbolic link.
func Rename(from, to string) error {
	if err := ask(OpRename, to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove removes a file or a link. If there is none, Remove returns nil.
func Remove(path string) error {
	if err := ask(OpRemove, path); err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncFolder makes a rename in the folder durable. It reports only an error of opening the folder.
// File systems that cannot sync folders return various errors, and the file itself is already safe.
func SyncFolder(folder string) error {
	if Before != nil {
		return ask(OpSync, folder)
	}
	d, err := os.Open(folder)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil // a folder that can be written but not listed
		}
		return err
	}
	_ = d.Sync()
	return d.Close()
}
