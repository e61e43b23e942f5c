package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/pairs"
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

// tableProgress shows how much of a table of some bytes is read. It returns nil where the answers go to a terminal, or the
// size is not known.
func (a *app) tableProgress(out string, size int64) *progress {
	if toScreen := !a.json && (out == "" || out == "-") && isTerminal(a.stdout); toScreen || size == 0 {
		return nil
	}
	p := a.progress("KiB")
	p.Start(size >> 10)
	return p
}

// notWritten marks why nothing is written that is no fault of the file.
type notWritten struct{ error }

// sendTable lets run write its table where it belongs: to a file, or to standard output, which
// --json has for itself. An interruption, and rows without an answer, leave a file with what was written; another error
// leaves what was there, and so does one that run marks as notWritten.
func (a *app) sendTable(out string, run func(to io.Writer) error) (err error) {
	var left error
	switch {
	case out != "" && out != "-":
		err = fileio.WriteFile(out, func(w io.Writer) error {
			err := run(w)
			switch marked := (*notWritten)(nil); {
			case err == nil || errors.As(err, &marked) || errors.Is(err, pairs.ErrOutput):
			case errors.Is(err, context.Canceled) || errors.Is(err, pairs.ErrRows):
				left, err = err, nil
			default:
				err = &notWritten{err}
			}
			return err
		})
	case a.json:
		err = run(nil)
	default:
		err = run(a.stdout)
	}
	if cause := (*notWritten)(nil); errors.As(err, &cause) {
		return cause.error // In its own words: it is no fault of the file.
	}
	return cmp.Or(err, left)
}

// flush writes what is buffered of a table, if there is one.
func flush(t *fileio.TableWriter) error {
	if t == nil {
		return nil
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("%w: %w", pairs.ErrOutput, err)
	}
	return nil
}

// loaded returns what load does, which takes its time. A context that is cancelled ends it at once, with its cause.
func loaded[T any](ctx context.Context, load func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := load()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, errNotLoaded
	}
}

// errNotLoaded says that a user did not wait.
var errNotLoaded = errors.New("interrupted")
