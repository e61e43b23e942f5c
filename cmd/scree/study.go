package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/fileio"
)

// study is a table of results.
type study interface {
	WriteText(w io.Writer, width int) error
	WriteCSV(w io.Writer) error
}

// besides maps names of files to their writers: the files of a study other than its tables.
type besides map[string]func(w io.Writer) error

// figures returns the plot files of a study.
func figures(list []bench.Figure) besides {
	files := besides{}
	for i := range list {
		files[list[i].Name+".svg"] = list[i].WriteSVG
	}
	return files
}

// reportOf returns a report of rows that were measured on this machine.
func reportOf[R any](rows []R) *bench.Report[R] {
	return &bench.Report[R]{Machine: bench.ThisMachine(version()), Rows: rows}
}

// results writes a study into the folder dir, unless dir is empty, and shows the study. If err is
// an interruption, the study consists of the complete rows.
func (a *app) results(p *progress, dir, name string, s study, rows int, err error, files besides) error {
	p.Done()
	if err != nil && (rows == 0 || !errors.Is(err, context.Canceled)) {
		return err
	}
	var problem error
	if dir != "" {
		problem = writeStudy(dir, name, s, files) // The rows are shown all the same: they may have taken hours.
	}
	if err != nil {
		err = fmt.Errorf("interrupted, the rows shown are those that were complete: %w", err)
	}
	return errors.Join(a.showStudy(s), problem, err)
}

// showStudy writes the study to standard output, as a table or with --json as an object.
func (a *app) showStudy(s study) error {
	if a.json {
		return a.printJSON(s)
	}
	var text strings.Builder
	return cmp.Or(s.WriteText(&text, widthOf(a.stdout)), a.show(text.String()))
}

// studyExts are the extensions of the tables of a study.
var studyExts = []string{".csv", ".json"}

// writeStudy writes NAME.csv, NAME.json and the other files into the folder dir.
func writeStudy(dir, name string, s study, files besides) error {
	all := besides{name + ".csv": s.WriteCSV, name + ".json": func(w io.Writer) error { return writeJSON(w, s) }}
	maps.Copy(all, files)
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if err := fileio.WriteFile(filepath.Join(dir, file), all[file]); err != nil {
			return err
		}
	}
	return nil
}

// begin prepares a study. It creates the folder dir, unless dir is empty. It returns a context that
// a signal cancels, its stop function, and the progress display.
func (a *app) begin(dir, what string) (ctx context.Context, stop func(), p *progress, err error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, nil, nil, usage("-o is %s, expected a folder: %w", dir, err)
		}
	}
	ctx, stop = interruptible()
	return ctx, stop, a.progress(what), nil
}

// workersOf returns the number of workers of a study: --workers, or 1 without this option, because
// other programs are compared on one worker. For --workers 0 it returns the number of processors: a
// study times one worker by the clock of its thread, and several by wall time.
func (a *app) workersOf(c *cobra.Command) int {
	switch {
	case !c.Flags().Changed("workers"):
		return 1
	case a.workers == 0:
		return runtime.GOMAXPROCS(0)
	}
	return a.workers
}

// demand is a condition on an option. The text want states the condition in the error.
type demand struct {
	option string
	ok     bool
	want   string
}

// check returns an error for the first demand that is not met.
func check(c *cobra.Command, demands ...demand) error {
	for _, d := range demands {
		if d.ok {
			continue
		}
		given := c.Flag(d.option).Value
		text := strings.Trim(given.String(), "[]") // lists have brackets
		if given.Type() == "string" {
			text = strconv.Quote(text)
		}
		return usage("--%s is %s, expected %s", d.option, text, d.want)
	}
	return nil
}

// checkNames checks that each name is known and appears once.
func checkNames(option string, names, known []string) error {
	for i, name := range names {
		if !slices.Contains(known, name) {
			return usage("--%s is %q, expected one of %s", option, name, strings.Join(known, ", "))
		}
		if slices.Contains(names[:i], name) {
			return usage("--%s has %s twice, expected each name once", option, name)
		}
	}
	return nil
}
