package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
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

// report writes the error, if there is one, and returns the exit status.
func (a *app) report(err error) int {
	if err == nil {
		return statusDone
	}
	// What is wrong is one line for each error, without the names of packages, which tell users nothing.
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = strings.TrimSuffix(line, ": "+context.Canceled.Error()) // what stopped it was the user
		option, rest, ok := strings.Cut(line, ": ")
		if ok && strings.HasPrefix(option, "--") && !strings.Contains(option, " ") {
			line = option + ": " + withoutPackage(rest)
		}
		a.message("%s", withoutPackage(line))
	}
	return statusOf(err)
}

func withoutPackage(line string) string {
	for _, prefix := range []string{"fileio: ", "pairs: ", "geometry: ", "scene: ", "engine: ", "bench: ", "cpu: "} {
		line = strings.TrimPrefix(line, prefix)
	}
	return line
}

// checkOutput refuses a file that cannot be written for its place, before there is anything to write.
func checkOutput(path string) error {
	if path == "-" {
		return nil
	}
	if stat, err := os.Stat(path); err == nil && stat.IsDir() {
		return usage("-o is %s, a folder, expected a file", path)
	}
	folder := filepath.Dir(path)
	if stat, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || err == nil && !stat.IsDir() {
		return usage("-o is %s, but there is no folder %s", path, folder)
	}
	return nil
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

// message writes a line to standard error. Control characters, which a file's name may have, are written as Go does in a
// string: none reaches the terminal.
func (a *app) message(format string, args ...any) {
	var line strings.Builder
	for _, c := range fmt.Sprintf(format, args...) {
		if !unicode.IsControl(c) {
			line.WriteRune(c)
			continue
		}
		quoted := strconv.QuoteRune(c)
		line.WriteString(quoted[1 : len(quoted)-1])
	}
	fmt.Fprintf(a.stderr, "scree: %s\n", line.String())
}
