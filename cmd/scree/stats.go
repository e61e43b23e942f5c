package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/vec"
)

// The columns of the contacts of a frame: the length of the force, and its part along the normal, positive where the
// bodies press, N.
const (
	forceColumn  = "contacts.force"
	normalColumn = "contacts.normal_force"
)

// stats is the statistics of columns of the folder of a run.
type stats struct {
	a        *app
	columns  []string // names of those that are wanted, in the order of the output
	from, to float64
	frame    int64
	csv      bool

	dir   string
	known []string               // names
	of    map[string]*statColumn // those that are known and wanted
}

func (a *app) statsCommand() *cobra.Command {
	s := stats{a: a, of: map[string]*statColumn{}}
	c := &cobra.Command{
		Use:   "stats DIR",
		Short: "Mean, deviation, quartiles and slope of the columns that a run wrote",
		Long: `Show number, mean, standard deviation (n − 1), minimum, quartiles, maximum, and slope in time
(least squares, per s) of columns in the folder of a run: by default those of
history.csv, and the contact forces of the last frame. Columns of states.csv are named
states.vz, over all bodies and rows; contacts.force and contacts.normal_force (positive
where bodies press) are those of a frame. Columns of more than 4 million numbers have no
quartiles.`,
		Example: "  scree run examples/drop.toml --steps 400 -o /tmp/drop && scree stats /tmp/drop --column kinetic --column states.vz",
		Args:    exactly(1, "the folder of a run"),
		RunE:    func(c *cobra.Command, args []string) error { s.dir = args[0]; return s.run(c) },
	}
	c.Flags().StringSliceVar(&s.columns, "column", nil, "show the column `NAME`; may be repeated")
	decimal(c.Flags(), &s.from, "from", 0, "use the rows from time `T` on, s")
	decimal(c.Flags(), &s.to, "to", 0, "use the rows up to time `T`, s")
	decimal(c.Flags(), &s.frame, "frame", 0, "show the contact forces of the frame of step `N` instead of the last one")
	c.Flags().BoolVar(&s.csv, "csv", false, "print CSV")
	return c
}

// statRow describes a column. Numbers are in the unit of the column; Slope is per s.
type statRow struct {
	Column string `json:"column"`
	*distribution.Distribution
	Deviation distribution.Rounded `json:"deviation"`
	Slope     distribution.Rounded `json:"slope"`
}

// statColumn collects the numbers of a column. The sums are those of squares and products of deviations from the means.
type statColumn struct {
	distribution.Sample
	n, meanT, meanX, sumXX, sumTX, sumTT float64
}

// add adds a number at a time (Welford 1962). A nil column ignores it.
func (c *statColumn) add(t, x float64) {
	if c == nil {
		return
	}
	c.Add(x)
	c.n++
	dt, dx := t-c.meanT, x-c.meanX
	c.meanT += dt / c.n
	c.meanX += dx / c.n
	c.sumTT += float64(dt * (t - c.meanT))
	c.sumTX += float64(dt * (x - c.meanX))
	c.sumXX += float64(dx * (x - c.meanX))
}

// row describes the column. Without a second number, or a second time, the deviation and the slope are 0/0, NaN.
func (c *statColumn) row(name string) statRow {
	deviation, slope := math.Sqrt(c.sumXX/max(c.n-1, 0)), c.sumTX/c.sumTT
	return statRow{name, c.Describe(), distribution.Rounded(deviation), distribution.Rounded(slope)}
}

func (s *stats) run(c *cobra.Command) error {
	if stat, err := os.Stat(s.dir); err != nil || !stat.IsDir() {
		return usage("there is no folder %q, expected that of a run", s.dir)
	}
	given := c.Flags().Changed
	if !given("from") {
		s.from = math.Inf(-1)
	}
	if !given("to") {
		s.to = math.Inf(1)
	}
	switch {
	case s.csv && s.a.json:
		return usage("--csv and --json are given, expected one of them")
	case s.from > s.to:
		return usage("--from %g and --to %g are given, expected a later time at the end", s.from, s.to)
	}
	frame, err := frameOf(s.dir, s.frame, given("frame"))
	if err != nil {
		return err
	}
	withForces := frame != "" && (len(s.columns) == 0 || given("frame"))
	if err := cmp.Or(s.read("history.csv", ""), s.read("states.csv", "states.")); err != nil {
		return err
	}
	if withForces {
		for _, name := range []string{forceColumn, normalColumn} {
			if !slices.Contains(s.columns, name) {
				s.columns = append(s.columns, name)
			}
		}
	}
	if err := s.readForces(frame); err != nil {
		return err
	}
	rows := []statRow{}
	for _, name := range s.columns {
		if s.of[name] == nil {
			near := slices.MinFunc(s.known, func(a, b string) int {
				return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
			})
			return usage("--column %q is not in %s, the nearest one is %q", name, s.dir, near)
		}
		rows = append(rows, s.of[name].row(name))
	}
	return s.show(rows)
}

// add returns a new column of the folder, or nil if it is not wanted.
func (s *stats) add(name string) *statColumn {
	s.known = append(s.known, name)
	if slices.Contains(s.columns, name) {
		s.of[name] = &statColumn{}
	}
	return s.of[name]
}

// read adds the columns of a table, with a prefix, from the rows in the range of time. Each run has history.csv, whose
// columns have no prefix, and which are wanted if the command names none.
func (s *stats) read(name, prefix string) error {
	name = filepath.Join(s.dir, name)
	header, err := fileio.Columns(name, "time")
	if errors.Is(err, fs.ErrNotExist) && prefix != "" {
		return nil
	} else if errors.Is(err, fs.ErrNotExist) {
		return usage("there is no %s, expected the folder of a run", name)
	} else if err != nil {
		return err
	}
	if len(s.columns) == 0 {
		s.columns = header
	}
	titles, to := []string{"time"}, []*statColumn{nil}
	for _, title := range header {
		switch c := s.add(prefix + title); {
		case title == "time":
			to[0] = c
		case c != nil:
			titles, to = append(titles, title), append(to, c)
		}
	}
	if len(to) == 1 && to[0] == nil {
		return nil
	}
	used, first, last := false, math.Inf(1), math.Inf(-1) // times of the table
	err = fileio.EachRow(name, titles, func(values []float64) {
		time := values[0]
		if first, last = min(first, time), max(last, time); time < s.from || time > s.to {
			return
		}
		used = true
		for k, c := range to {
			c.add(time, values[k])
		}
	})
	if err != nil || used {
		return err
	}
	switch {
	case first > last:
		return usage("%s has no rows, expected those of a run", name)
	case s.from > last:
		return usage("--from is %g s, expected at most the last time in %s, %g s", s.from, name, last)
	case s.to < first:
		return usage("--to is %g s, expected at least the first time in %s, %g s", s.to, name, first)
	}
	return usage("no row of %s has a time from %g to %g s, expected a range that holds a row between %g and %g s", name, s.from, s.to, first, last)
}

// frameOf returns the file with the contacts of the last frame, or of that of a step if one is given, or "" if there is none.
func frameOf(dir string, step int64, given bool) (path string, err error) {
	frames, err := fileio.ReadSeries(dir)
	if err != nil && (given || !errors.Is(err, fs.ErrNotExist)) {
		return "", usage("frames: %w", err)
	}
	name := fmt.Sprintf("contacts-%06d.vtp", step)
	for _, f := range frames {
		if f.Part == "contacts" && (!given || f.File == name) {
			path = filepath.Join(dir, f.File)
		}
	}
	if path == "" && given {
		return "", usage("--frame is %d, expected the step of a frame that %s lists", step, filepath.Join(dir, fileio.SeriesName))
	}
	return path, nil
}

// readForces adds the columns of the contacts of a frame. "" is no frame.
func (s *stats) readForces(frame string) error {
	if frame == "" {
		return nil
	}
	length, along := s.add(forceColumn), s.add(normalColumn)
	if length == nil && along == nil {
		return nil
	}
	v, err := fileio.OpenVTP(frame)
	if err != nil {
		return err
	}
	force, err := v.Floats("PointData", "force")
	if err != nil {
		return err
	}
	normal, err := v.Floats("PointData", "normal")
	if err != nil {
		return err
	}
	for i := 0; i+2 < min(len(force), len(normal)); i += 3 {
		f, n := vec.V(force[i], force[i+1], force[i+2]), vec.V(normal[i], normal[i+1], normal[i+2])
		length.add(0, f.Norm())
		along.add(0, -f.Dot(n)) // The normal points from A to B, and the force acts on A.
	}
	return nil
}

// show prints the rows.
func (s *stats) show(rows []statRow) error {
	if s.a.json {
		return s.a.printJSON(rows)
	}
	lines := [][]string{{"column", "number", "mean", "deviation", "min", "lower_quartile", "median", "upper_quartile", "max", "slope"}}
	for _, r := range rows {
		line := []string{r.Column, strconv.FormatInt(r.Number, 10)}
		for _, x := range []distribution.Rounded{r.Mean, r.Deviation, r.Min, r.LowerQuartile, r.Median, r.UpperQuartile, r.Max, r.Slope} {
			digits, cell := 6, "-"
			if s.csv {
				digits, cell = -1, ""
			}
			if x-x == 0 {
				cell = strconv.FormatFloat(float64(x)+0, 'g', digits, 64)
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	var text strings.Builder
	if s.csv {
		return cmp.Or(csv.NewWriter(&text).WriteAll(lines), s.a.show(text.String()))
	}
	aligned := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(aligned, strings.Join(line, "\t"))
	}
	return cmp.Or(aligned.Flush(), s.a.show(text.String()))
}
