package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// Op is an operation that changes what is on the disk.
type Op string

// The operations that Before is asked about.
const (
	OpCreate   Op = "create"
	OpWrite    Op = "write"
	OpSync     Op = "sync"
	OpTruncate Op = "truncate"
	OpRename   Op = "rename"
	OpRemove   Op = "remove"
)

// Before is nil but in tests. It is asked before each operation, n the bytes of a write. Where it returns an error
// the operation is not made, but for the first bytes of a write, as many as it returns. Where it does not, all are made
// but syncs: those take most of the time of a short run, and no test cuts the power.
var Before func(op Op, path string, n int) (written int, err error)

// ErrNotRegular marks a name that a symbolic link, a folder or a device has, where a file was expected.
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

// File is a file that is open for writing.
type File struct{ *os.File }

// tempTries bounds the search for a temporary name that is free: more names than that are only
// taken when earlier processes with this number were killed so many times in this folder.
const tempTries = 1000

// CreateTemp creates a new file beside path, under the first temporary name that is free. The process number keeps
// processes apart.
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

// Open opens a regular file that is there, to read it and to change it. A symbolic link is not followed.
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
	// The name may have become a link since.
	opened, err := file.Stat()
	if err == nil && !os.SameFile(named, opened) {
		err = fmt.Errorf("%s %w: %w", path, errReplaced, ErrNotRegular)
	}
	if err != nil {
		_ = file.Close() // The first error is the one to report.
		return File{}, err
	}
	return File{file}, nil
}

// Regular returns nil for a regular file, an error that wraps ErrNotRegular and says what it is for any other, and
// fs.ErrNotExist where there is none.
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

// KindOf names what is no regular file.
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

// Write writes b at the file's place.
func (f File) Write(b []byte) (int, error) {
	if Before != nil {
		if n, err := Before(OpWrite, f.Name(), len(b)); err != nil {
			n, _ = f.File.Write(b[:n])
			return n, &fs.PathError{Op: string(OpWrite), Path: f.Name(), Err: err}
		}
	}
	return f.File.Write(b)
}

// WriteString is Write, so that none goes past it.
func (f File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// Sync makes durable what was written.
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

// Rename puts a file in the place of another. A symbolic link there is replaced itself.
func Rename(from, to string) error {
	if err := ask(OpRename, to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove removes a file or a link. That there is none is no error.
func Remove(path string) error {
	if err := ask(OpRemove, path); err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncFolder makes a rename in the folder durable. File systems that cannot sync a folder refuse
// with errors of many kinds, and the file itself is already safe: only failing to open is reported.
func SyncFolder(folder string) error {
	if Before != nil {
		return ask(OpSync, folder)
	}
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
