package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/scree-dem/scree/fileio"
)

// openTable opens the table that an option names, - being standard input, and returns its name for
// messages and its size, 0 where that is not known.
func (a *app) openTable(option, path string) (in io.ReadCloser, name string, size int64, err error) {
	if path == "-" {
		return io.NopCloser(a.stdin), "standard input", 0, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, "", 0, &inputError{err}
	}
	switch stat, err := file.Stat(); {
	case err == nil && stat.IsDir():
		_ = file.Close()
		return nil, "", 0, usage("%s: %s is a folder, expected a table", option, path)
	case err == nil && stat.Mode().IsRegular():
		size = stat.Size()
	}
	return file, path, size, nil
}

// sendTable lets run write its table where it belongs: to a file, or to standard output, which
// --json has for itself. An interruption leaves a file with what was written before, another error
// leaves what was there.
func (a *app) sendTable(out string, run func(to io.Writer) error) error {
	switch {
	case out != "" && out != "-":
	case a.json:
		return run(nil)
	default:
		return run(a.stdout)
	}
	var left error
	err := fileio.WriteFile(out, func(w io.Writer) error {
		err := run(w)
		if errors.Is(err, context.Canceled) {
			left, err = err, nil
		}
		if err != nil && !errors.Is(err, errWriting) {
			return &notWritten{err}
		}
		return err
	})
	var cause *notWritten
	if errors.As(err, &cause) {
		return cause.error // In its own words: it is no fault of the file.
	}
	if err == nil {
		err = left
	}
	return err
}

// errWriting says that a table could not be written.
var errWriting = errors.New("writing the answers")

// flush writes what is buffered of a table, if there is one.
func flush(t *fileio.TableWriter) error {
	if t == nil {
		return nil
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errWriting, err)
	}
	return nil
}
