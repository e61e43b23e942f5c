package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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
	statusInterrupted = 130 // as a shell reports SIGINT
)

// inputError marks an error whose cause is the command line or an input file.
type inputError struct{ error }

func (e *inputError) Unwrap() error { return e.error }

// usage makes an error of the command line. A cause is given with %w.
func usage(format string, args ...any) error { return &inputError{fmt.Errorf(format, args...)} }

// firstExample returns the first example of a command.
func firstExample(c *cobra.Command) string {
	first, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	return first
}

// interruptedLine says that it was the user who stopped what a line is about, in other words than package context.
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

// report writes the error, if there is one, and returns the exit status.
func (a *app) report(err error) int {
	if err == nil {
		return statusDone
	}
	// What is wrong is one line for each error, without the names of packages, which tell users nothing.
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

// linesOf returns the texts of the errors that were joined. One error is one line, whatever names
// of files it repeats.
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
		return []string{err.Error()} // They are parts of a sentence.
	}
	return lines
}

// checkOutput refuses a file that cannot be written for its place, before there is anything to
// write, and one that is an input of the command: what is written would take its place. The option
// is as in "-o".
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
		return nil // It is yet to be made, or takes nothing's place.
	}
	for _, in := range inputs {
		if from, err := in.stat(); err == nil && os.SameFile(from, stat) {
			return usage("%s %s is %s, %s; expected another file", option, path, in.what, in.name)
		}
	}
	return nil
}

// sameFile reports whether two names are of one file, which may be yet to be made.
func sameFile(a, b string) bool {
	atA, errA := os.Stat(a)
	atB, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return errA != nil && errB != nil && placeOf(a) == placeOf(b)
	}
	return os.SameFile(atA, atB)
}

// placeOf returns a name whose folder is no link, where there is one.
func placeOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	folder, name := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return filepath.Join(folder, name)
}

// writable reports whether a file that is there can be written to at once. A pipe with a name waits
// for its reader, for ever if none comes, and a disk would be written over; the names of what is
// open already are those of the system.
func writable(path string, mode fs.FileMode) bool {
	opened := strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
	terminal := mode&fs.ModeCharDevice != 0 // or nothing: /dev/null
	return mode.IsRegular() || terminal || opened && mode&fs.ModeNamedPipe != 0
}

// input is a file that a command reads: by its name, or open, as standard input.
type input struct {
	what, name string // "the table that --pairs reads"
	open       *os.File
}

func (in *input) stat() (fs.FileInfo, error) {
	if in.open != nil {
		return in.open.Stat()
	}
	return os.Stat(in.name)
}

// inputOf is the input of a name, or standard input where that is "-" or there is none.
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

// messageShown is how many bytes of a line are written: names of files and of what is in them have
// no bound of their own.
const messageShown = 2000

// message writes a line to standard error. What cannot be seen, which a file's name may have, is
// written as Go does in a string: control characters, and those that turn the direction of a line.
func (a *app) message(format string, args ...any) {
	fmt.Fprintf(a.stderr, "scree: %s\n", mark.Shorten(mark.OneLine(fmt.Sprintf(format, args...)), messageShown))
}

// lines returns a text that line adds a line to: a name, in a column of so many characters, and what it has.
func lines(column int) (text *bytes.Buffer, line func(name, format string, args ...any)) {
	text = &bytes.Buffer{}
	return text, func(name, format string, args ...any) {
		fmt.Fprintf(text, "%-*s "+format+"\n", append([]any{column, name}, args...)...)
	}
}
