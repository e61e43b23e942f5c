package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
)

// Exit statuses.
const (
	statusDone        = 0
	statusFailed      = 1   // the run failed
	statusInput       = 2   // the command line or an input file is wrong
	statusInterrupted = 130 // the status that shells report for SIGINT
)

// inputError marks an error that the command line or an input file causes.
type inputError struct{ error }

func (e *inputError) Unwrap() error { return e.error }

// usage returns an error of the command line. format may wrap a cause with %w.
func usage(format string, args ...any) error { return &inputError{fmt.Errorf(format, args...)} }

// firstExample returns the first example of a command.
func firstExample(c *cobra.Command) string {
	first, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	return first
}

// interruptedLine replaces the text of context.Canceled in a message with a text for users.
func interruptedLine(line string) string {
	cut, ok := strings.CutSuffix(line, context.Canceled.Error())
	if !ok {
		return line
	}
	if cut = strings.TrimSuffix(cut, ": "); cut == "" || strings.Contains(cut, "interrupted") {
		return cmp.Or(cut, "interrupted")
	}
	return "interrupted: " + mark.WithoutPackage(cut)
}

// report writes the messages of err, if it is not nil, and returns the exit status.
func (a *app) report(err error) int {
	if err == nil {
		return statusDone
	}
	// One line for each error, without package prefixes, which mean nothing to users.
	for _, line := range linesOf(err) {
		line = interruptedLine(line)
		option, rest, ok := strings.Cut(line, ": ")
		if ok && strings.HasPrefix(option, "--") && !strings.Contains(option, " ") {
			line = option + ": " + mark.WithoutPackage(rest)
		}
		a.message("%s", mark.WithoutPackage(line))
	}
	return statusOf(err)
}

// linesOf returns the texts of joined errors, one for each. An error that is not joined is one
// text, even if it contains line breaks from file names.
func linesOf(err error) (lines []string) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var texts []string
	for _, e := range joined.Unwrap() {
		texts = append(texts, e.Error())
		lines = append(lines, linesOf(e)...)
	}
	if err.Error() != strings.Join(texts, "\n") {
		return []string{err.Error()} // The errors are parts of one sentence, not joined by lines.
	}
	return lines
}

// checkOutput rejects an output file before anything is computed. It rejects a path that cannot be
// written because of what or where it is, and an input of the command, which the output would
// replace. The text option names the option, as "-o".
func checkOutput(option, path string, inputs ...input) error {
	if path == "-" {
		return nil
	}
	stat, err := os.Stat(path)
	if err == nil && !writable(path, stat.Mode()) {
		kind := disk.KindOf(stat.Mode())
		if stat.Mode()&fs.ModeNamedPipe != 0 {
			kind += ", which waits for its reader"
		}
		return usage("%s is %s, %s, expected a file", option, path, kind)
	}
	folder := filepath.Dir(path)
	if at, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || err == nil && !at.IsDir() {
		return usage("%s is %s, but there is no folder %s", option, path, folder)
	}
	if err != nil || !stat.Mode().IsRegular() {
		return nil // The file does not exist yet, or is a stream, which replaces nothing.
	}
	for _, in := range inputs {
		if from, err := in.stat(); err == nil && os.SameFile(from, stat) {
			return usage("%s %s is %s, %s; expected another file", option, path, in.what, in.name)
		}
	}
	return nil
}

// writable reports whether an existing file can be written without waiting and without destroying
// anything. A named pipe would wait for its reader, possibly for ever, and a disk would be
// overwritten. Pipes below /dev and /proc are open already, so they are allowed.
func writable(path string, mode fs.FileMode) bool {
	opened := strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
	terminal := mode&fs.ModeCharDevice != 0 // or /dev/null
	return mode.IsRegular() || terminal || opened && mode&fs.ModeNamedPipe != 0
}

// input is a file that a command reads, given by name, or open as standard input.
type input struct {
	what, name string // role, such as "the table that --pairs reads", and file name
	open       *os.File
}

func (in *input) stat() (fs.FileInfo, error) {
	if in.open != nil {
		return in.open.Stat()
	}
	return os.Stat(in.name)
}

// inputOf returns the input with the given name; "-" is standard input.
func (a *app) inputOf(what, name string) input {
	in := input{what: what, name: name}
	if name == "-" {
		in.name = "standard input"
		in.open, _ = a.stdin.(*os.File)
	}
	return in
}

func statusOf(err error) int {
	var marked *inputError
	var content *fileio.InputError
	switch {
	case errors.Is(err, scene.ErrInterrupted), errors.Is(err, context.Canceled):
		return statusInterrupted
	case errors.As(err, &marked), errors.As(err, &content), errors.Is(err, scene.ErrInput),
		errors.Is(err, bench.ErrOption), errors.Is(err, bench.ErrScene), errors.Is(err, engine.ErrTimeStep):
		return statusInput
	}
	return statusFailed
}

// messageShown is the largest number of bytes of a message line. File names and file contents in
// messages have no limit of their own.
const messageShown = 2000

// message writes a line to standard error. It escapes invisible characters as Go string literals
// do, for example control characters and bidirectional marks in file names.
func (a *app) message(format string, args ...any) {
	fmt.Fprintf(a.stderr, "scree: %s\n", mark.Shorten(mark.OneLine(fmt.Sprintf(format, args...)), messageShown))
}

// show writes a text to standard output, with invisible characters except line ends escaped.
func (a *app) show(text string) error {
	_, err := io.WriteString(a.stdout, mark.Visible(text))
	return err
}

// lines returns a buffer, and a function that appends a line to it: a name, padded to column
// characters, and a text on one line.
func lines(column int) (text *bytes.Buffer, line func(name, format string, args ...any)) {
	text = &bytes.Buffer{}
	return text, func(name, format string, args ...any) {
		fmt.Fprintf(text, "%-*s %s\n", column, name, mark.OneLine(fmt.Sprintf(format, args...)))
	}
}
