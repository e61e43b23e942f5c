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
// messages and its size, 0 where that is not known. The answers shall go to out.
func (a *app) openTable(option, path, out string) (in io.ReadCloser, name string, size int64, err error) {
	if a.json && out == "-" {
		return nil, "", 0, usage("-o is - and --json is given, expected a file: statistics and the table cannot share standard output")
	}
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

func (e *notWritten) Unwrap() error { return e.error }

// wrote returns the file that sendTable has written, or "" if its error says that it wrote none.
func wrote(out string, err error) string {
	if cause := (*notWritten)(nil); errors.As(err, &cause) {
		return ""
	}
	return out
}

// begun writes a table, and knows whether it has begun.
type begun struct {
	to  io.Writer
	any bool
}

func (b *begun) Write(p []byte) (int, error) {
	b.any = true
	return b.to.Write(p)
}

// sendTable lets run write its table where it belongs: to a file, or to standard output, which
// --json has for itself. An interruption, and rows without an answer, leave a file with what was written; another error
// leaves what was there, and so do one that run marks as notWritten and an interruption before anything is written.
func (a *app) sendTable(out string, run func(to io.Writer) error) (err error) {
	var left error
	switch {
	case out != "" && out != "-":
		err = fileio.WriteFile(out, func(w io.Writer) error {
			table := &begun{to: w}
			err := run(table)
			switch marked := (*notWritten)(nil); {
			case err == nil || errors.As(err, &marked) || errors.Is(err, pairs.ErrOutput):
			case table.any && errors.Is(err, context.Canceled) || errors.Is(err, pairs.ErrRows):
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
		return cause // In its own words: it is no fault of the file.
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
