package verify

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/scene"
)

// Verdict is the result of a check or of a case.
type Verdict string

// The verdicts. A value is reported if no tolerance is stated for it; a case that only names its Go
// tests is not run.
const (
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
	Reported Verdict = "reported"
	NotRun   Verdict = "go test"
)

// Comparison is one expected value and what a run gave.
type Comparison struct {
	What      string  `json:"what"`
	Expected  string  `json:"expected"`
	Got       string  `json:"got"`
	Tolerance string  `json:"tolerance"`
	Verdict   Verdict `json:"verdict"`
}

// judge compares the results of the runs of a case.
type judge struct {
	dirs   []string // folders of the runs
	sums   []*scene.Summary
	checks []Comparison
	plots  []chart.Chart
}

// readError carries an error in a table out of a judge.
type readError struct{ error }

// run calls the judge of a case, and returns an error if a table cannot be read, or has not the rows that
// the judge reads, as of a run that was too short.
func (j *judge) run(of func(j *judge)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			switch e := r.(type) {
			case readError:
				err = e.error
			case runtime.Error:
				err = fmt.Errorf("the run does not show what the case measures: it lacks a row (%w)", e)
			default:
				panic(r)
			}
		}
	}()
	of(j)
	return nil
}

// texts returns columns of a table of run k: of the rows whose column key has the given value, or of all
// rows if key is "".
func (j *judge) texts(k int, file, key, value string, names ...string) [][]string {
	columns, err := readColumns(filepath.Join(j.dirs[k], file), key, value, names)
	if err != nil {
		panic(readError{err})
	}
	return columns
}

func readColumns(path, key, value string, names []string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // The file is only read.
	rows := csv.NewReader(f)
	rows.ReuseRecord = true
	titles, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	at, filter := make([]int, len(names)), slices.Index(titles, key)
	for i, name := range names {
		if at[i] = slices.Index(titles, name); at[i] < 0 {
			return nil, fmt.Errorf("%s has no column %s", path, name)
		}
	}
	columns := make([][]string, len(names))
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return columns, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if filter >= 0 && row[filter] != value {
			continue
		}
		for i, k := range at {
			columns[i] = append(columns[i], row[k])
		}
	}
}

// numbers is texts for columns of numbers. An empty cell is NaN.
func (j *judge) numbers(k int, file, key, value string, names ...string) [][]float64 {
	columns, err := parse(j.texts(k, file, key, value, names...))
	if err == nil && len(columns[0]) == 0 {
		err = fmt.Errorf("no row with %s = %s", key, value)
	}
	if err != nil {
		panic(readError{fmt.Errorf("%s of run %d: %w", file, k+1, err)})
	}
	return columns
}

// parse returns columns of texts as numbers.
func parse(columns [][]string) ([][]float64, error) {
	all := make([][]float64, len(columns))
	for i, texts := range columns {
		for _, text := range texts {
			x, err := strconv.ParseFloat(cmp.Or(text, "nan"), 64)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], x)
		}
	}
	return all, nil
}

// history returns columns of history.csv.
func (j *judge) history(k int, names ...string) [][]float64 {
	return j.numbers(k, "history.csv", "", "", names...)
}

// states returns columns of states.csv of the body with a name.
func (j *judge) states(k int, body string, names ...string) [][]float64 {
	return j.numbers(k, "states.csv", "name", body, names...)
}

// ends returns the values of columns in the last row of states.csv of a body.
func (j *judge) ends(k int, body string, names ...string) (values []float64) {
	for _, c := range j.states(k, body, names...) {
		values = append(values, last(c))
	}
	return values
}

// bodies returns columns of all bodies in the last step of states.csv.
func (j *judge) bodies(k int, names ...string) [][]float64 {
	steps := j.texts(k, "states.csv", "", "", "step")[0]
	return j.numbers(k, "states.csv", "step", steps[len(steps)-1], names...)
}

func last(x []float64) float64 { return x[len(x)-1] }

// add adds a comparison of the text of a value.
func (j *judge) add(what, expected string, got float64, unit, tolerance string, holds bool) {
	v := Pass
	if !holds {
		v = Fail
	}
	j.checks = append(j.checks, Comparison{what, expected, value(got, unit), tolerance, v})
}

// value returns a number with its unit.
func value(x float64, unit string) string {
	text := strconv.FormatFloat(float64(x)+0, 'g', 9, 64)
	if unit != "" {
		text += " " + unit
	}
	return text
}

// near checks a value against the expected one, with a relative tolerance.
func (j *judge) near(what, unit string, got, want, tolerance float64) {
	j.add(what, value(want, unit), got, unit, fmt.Sprintf("%g relative", tolerance), math.Abs(got-want) <= float64(tolerance*math.Abs(want)))
}

// within checks a value against the expected one, with a tolerance in its unit.
func (j *judge) within(what, unit string, got, want, tolerance float64) {
	j.add(what, value(want, unit), got, unit, value(tolerance, unit), math.Abs(got-want) <= tolerance)
}

// atMost checks an upper bound.
func (j *judge) atMost(what, unit string, got, most float64) {
	j.add(what, "≤ "+value(most, unit), got, unit, "", got <= most)
}

// atLeast checks a lower bound.
func (j *judge) atLeast(what, unit string, got, least float64) {
	j.add(what, "≥ "+value(least, unit), got, unit, "", got >= least)
}

// between checks both bounds of a value.
func (j *judge) between(what, unit string, got, least, most float64) {
	j.add(what, value(least, "")+" to "+value(most, unit), got, unit, "", got >= least && got <= most)
}

// same checks a text.
func (j *judge) same(what, got, want string) {
	v := Pass
	if got != want {
		v = Fail
	}
	j.checks = append(j.checks, Comparison{what, want, got, "", v})
}

// report states a value for which no tolerance is stated.
func (j *judge) report(what, unit string, got float64, expected string) {
	j.checks = append(j.checks, Comparison{what, expected, value(got, unit), "", Reported})
}

// The colours of plots.
var (
	ofTheory = color.RGBA{0xfd, 0xc0, 0x7c, 0xff}
	ofRun    = color.RGBA{0x1f, 0x4e, 0x9e, 0xff}
)

// plotted is the largest number of points of a line in a plot.
const plotted = 500

// points returns a line through values, thinned out to what a plot can show.
func points(x, y []float64) (list []chart.XY) {
	every := max(1, len(x)/plotted)
	for i := 0; i < len(x); i += every {
		list = append(list, chart.XY{X: x[i], Y: y[i]})
	}
	return list
}

// plot adds a plot of values over x, and of the theory for the same x. Without a theory there is one line.
func (j *judge) plot(title, x, y string, xs, ys []float64, theory func(x float64) float64) {
	c := chart.Chart{Title: title, X: chart.Axis{Title: x}, Y: chart.Axis{Title: y}, Grid: true}
	if theory != nil {
		want := make([]float64, len(xs))
		for i, x := range xs {
			want[i] = theory(x)
		}
		c.Lines = append(c.Lines, chart.Line{Name: "expected", Colour: ofTheory, Width: 6, Points: points(xs, want)})
	}
	c.Lines = append(c.Lines, chart.Line{Name: "scree", Colour: ofRun, Marks: len(xs) < 40, Points: points(xs, ys)})
	j.plots = append(j.plots, c)
}
