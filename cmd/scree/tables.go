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

// inputTable is a table that a command answers.
type inputTable struct {
	io.ReadCloser
	a    *app
	name string    // for messages
	size int64     // bytes; 0 where that is not known
	out  string    // where the answers go
	bar  *progress // while it is answered
}

// openTable opens the table that an option names, - being standard input. The answers shall go to out, which is none of the
// inputs.
func (a *app) openTable(option, path, out string, inputs ...input) (*inputTable, error) {
	if a.json && out == "-" {
		return nil, usage("-o is - and --json is given, expected a file: statistics and the table cannot share standard output")
	}
	t := &inputTable{a: a, ReadCloser: io.NopCloser(a.stdin), name: "standard input", out: out}
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, &inputError{err}
		}
		t.ReadCloser, t.name = file, path
		switch stat, err := file.Stat(); {
		case err == nil && stat.IsDir():
			_ = file.Close()
			return nil, usage("%s: %s is a folder, expected a table", option, path)
		case err == nil && stat.Mode().IsRegular():
			t.size = stat.Size()
		}
	}
	if out == "" {
		return t, nil
	}
	if err := checkOutput("-o", out, append(inputs, a.inputOf("the table that "+option+" reads", path))...); err != nil {
		_ = t.Close() // Nothing was written.
		return nil, err
	}
	return t, nil
}

// answer lets run write the answers, as sendTable does. It shows how much of the table is read, unless the answers go to a terminal, or
// the size is not known.
func (t *inputTable) answer(run func(to io.Writer) error) error {
	if toScreen := !t.a.json && (t.out == "" || t.out == "-") && isTerminal(t.a.stdout); !toScreen && t.size > 0 {
		t.bar = t.a.progress("KiB")
		t.bar.Start(t.size >> 10)
	}
	defer t.bar.Done()
	return t.a.sendTable(t.out, run)
}

// told shows how many bytes are read, and what that came to.
func (t *inputTable) told(read, n int64, what string) {
	if t.bar == nil {
		return
	}
	t.bar.Step(read>>10, fmt.Sprintf("%d %s", n, what))
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
