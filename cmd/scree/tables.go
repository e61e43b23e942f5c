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

// inputTable is the input table of a command.
type inputTable struct {
	io.ReadCloser
	a    *app
	name string    // for messages
	size int64     // bytes; 0 if unknown
	out  string    // file for the results
	bar  *progress // shown while the table is processed
}

// openTable opens the table that an option names; "-" is standard input. It rejects an out, the
// file for the results, that is one of the inputs.
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
		_ = t.Close() // The table is only read.
		return nil, err
	}
	return t, nil
}

// answer calls run with the writer for the results, as sendTable does. It shows how much of the
// table is read, unless the results go to a terminal or the size is unknown.
func (t *inputTable) answer(run func(to io.Writer) error) error {
	if toScreen := !t.a.json && (t.out == "" || t.out == "-") && isTerminal(t.a.stdout); !toScreen && t.size > 0 {
		t.bar = t.a.progress("KiB")
		t.bar.Start(t.size >> 10)
	}
	defer t.bar.Done()
	return t.a.sendTable(t.out, run)
}

// advance shows that read bytes of the table are read, and n results.
func (t *inputTable) advance(read, n int64, what string) {
	if t.bar == nil {
		return
	}
	t.bar.Step(read>>10, fmt.Sprintf("%d %s", n, what))
}

// notWritten marks an error after which no file is written, and whose cause is not that file.
type notWritten struct{ error }

func (e *notWritten) Unwrap() error { return e.error }

// wrote returns the name of the file that sendTable has written, or "" if it has written none.
func wrote(out string, err error) string {
	if cause := (*notWritten)(nil); errors.As(err, &cause) {
		return ""
	}
	return out
}

// begun passes a table on, and records in any whether something was written.
type begun struct {
	to  io.Writer
	any bool
}

func (b *begun) Write(p []byte) (int, error) {
	b.any = true
	return b.to.Write(p)
}

// sendTable calls run with the destination of its table: the file out, or standard output. With
// --json and no file, run gets nil. After an interruption, or if rows have no result, the file
// keeps what was written. After any other error, the earlier file of this name stays as it was. It
// also stays after an interruption before the first write, and after an error that run marks as
// notWritten.
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
		return cause // The error has its own wording, without the name of the output file.
	}
	return cmp.Or(err, left)
}

// flush writes the buffered part of the table t. A nil t is allowed.
func flush(t *fileio.TableWriter) error {
	if t == nil {
		return nil
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("%w: %w", pairs.ErrOutput, err)
	}
	return nil
}
