package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/sched"
)

type neighborsFlags struct {
	table, method, out string
	skin, cell         float64
	counts             bool
}

// chosenNeighbors is the method that auto uses, with or without a skin.
const chosenNeighbors = "multilevel"

// neighborNames are the methods of the command. The default is first: it suits all sizes and
// motions.
var neighborNames = []string{"auto", "cells", "lc", "vl", "lll", "multilevel", "brute"}

func (a *app) neighborsCommand() *cobra.Command {
	var f neighborsFlags
	c := &cobra.Command{
		Use:   "neighbors --in BODIES.csv",
		Short: "Find all pairs of balls or boxes that overlap",
		Long: `Find all pairs of balls, or of boxes, that overlap or touch. The input table has the
columns x,y,z,r or minx,miny,minz,maxx,maxy,maxz, and may have id (0 to 4294967295) and
frame. In a pair, i < j are ids, or without ids rows of the frame from 0. The pairs are
sorted and do not depend on the method. With --skin S, bodies at most S apart are also
pairs. Frames must be in increasing order; each is searched on its own, but vl and lll
start from the frame before. --counts writes the number of neighbours of each body
instead of the pairs.`,
		Example: "  scree neighbors --in examples/neighbors/balls.csv\n" +
			"  scree neighbors --in examples/neighbors/boxes.csv --method lll",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.neighbors(c, &f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.table, "in", "", "table of balls or boxes, `BODIES.csv`; - reads standard input")
	flags.StringVar(&f.method, "method", "auto", "`M`: "+strings.Join(neighborNames, ", ")+"; auto uses multilevel, and reuses candidates of the frame before if bodies move little")
	decimal(flags, &f.skin, "skin", 0, "bodies at most this distance `S`, m, apart are also pairs")
	decimal(flags, &f.cell, "cell", 0, "with --method lc, width `W` of a cell, m, at least that of the largest body and S (default: that width)")
	flags.BoolVar(&f.counts, "counts", false, "write the number of neighbours of each body instead of the pairs")
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` for the pairs or counts; - is standard output")
	_ = c.MarkFlagFilename("in", "csv")
	_ = c.MarkFlagFilename("output", "csv")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(neighborNames, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// neighborsReport is the output of --json.
type neighborsReport struct {
	Version     string  `json:"version"`
	Table       string  `json:"table"`
	Asked       string  `json:"asked"`           // value of --method
	Method      string  `json:"method"`          // method that was used
	Fresh       int     `json:"fresh,omitempty"` // frames that auto searched from nothing; in the other frames it reused candidates
	Skin        float64 `json:"skin"`
	Cell        float64 `json:"cell,omitempty"`   // m, value of --cell
	Counts      bool    `json:"counts,omitempty"` // the output has counts instead of pairs
	Backend     string  `json:"backend"`
	Workers     int     `json:"workers"`
	Output      string  `json:"output,omitempty"`
	Frames      int64   `json:"frames"`
	Bodies      int64   `json:"bodies"` // sum over all frames
	Pairs       int64   `json:"pairs"`
	Seconds     float64 `json:"seconds"` // time of the searches
	NsBody      float64 `json:"ns_body"`
	Interrupted bool    `json:"interrupted,omitempty"`

	Neighbors *distribution.Distribution `json:"neighbors"` // numbers of neighbours of a body, over all frames
}

func (a *app) neighbors(c *cobra.Command, f *neighborsFlags) error {
	if f.table == "" {
		return usage("scree neighbors needs --in BODIES.csv, as in: %s", firstExample(c))
	}
	err := check(c,
		demand{"method", slices.Contains(neighborNames, f.method), "one of " + strings.Join(neighborNames, ", ")},
		demand{"cell", f.cell > 0 && f.cell <= 2*maxBodyPlace || !c.Flags().Changed("cell"), fmt.Sprintf("a width above 0 and up to %g m", 2*maxBodyPlace)},
		demand{"cell", f.method == "lc" || !c.Flags().Changed("cell"), "none but with --method lc"},
		demand{"skin", f.skin >= 0 && f.skin <= maxBodyPlace, fmt.Sprintf("a length from 0 to %g m", maxBodyPlace)})
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	t, err := a.openTable("--in", f.table, f.out)
	if err != nil {
		return err
	}
	defer t.Close() //nolint:errcheck // The table is only read.
	method := auto.Named(f.method)
	if f.cell > 0 {
		method = lc.New(lc.Options{Width: f.cell})
	}
	n := neighborSearch{finder: broad.NewFinder(method), skin: f.skin}
	if a.json {
		n.numbers = &distribution.Sample{}
	}
	n.auto, _ = method.(*auto.Method)
	if n.pool, err = sched.Open(a.workers, a.pin); err != nil {
		return err
	}
	n.report = neighborsReport{
		Version: version(), Table: t.name, Asked: f.method, Method: f.method, Skin: f.skin, Cell: f.cell, Counts: f.counts, Backend: cpu.Selected(),
		Workers: n.pool.Workers(), Output: f.out,
	}
	n.progress = func(read int64) { t.advance(read, n.report.Pairs, "pairs") }
	err = t.answer(func(to io.Writer) error { return n.run(ctx, t, t.name, to) })
	interrupted := errors.Is(err, context.Canceled)
	if !interrupted {
		n.pool.Close() // An interrupted search may use the pool until the process ends.
	}
	if err != nil && !interrupted {
		return err
	}
	r := &n.report
	r.Interrupted, r.Output = interrupted, wrote(f.out, err)
	if n.auto != nil {
		r.Method = chosenNeighbors
	}
	if r.Bodies > 0 {
		r.NsBody = r.Seconds * 1e9 / float64(r.Bodies)
	}
	switch {
	case a.json:
		r.Neighbors = n.numbers.Describe()
		if problem := a.printJSON(r); err == nil {
			err = problem
		}
	case r.Output != "" && r.Output != "-" && !a.quiet:
		by := r.Method
		if r.Asked != r.Method && r.Frames > 1 {
			by += fmt.Sprintf(", %d frames from nothing", r.Fresh)
		}
		a.message("%s: %d pairs of %d bodies in %d frames; %.3g s, %.0f ns per body to search on %d workers by %s",
			r.Output, r.Pairs, r.Bodies, r.Frames, r.Seconds, r.NsBody, r.Workers, by)
	}
	return err
}

// neighborSearch finds the pairs of a table, frame by frame.
type neighborSearch struct {
	finder   *broad.Finder
	auto     *auto.Method // the method of finder, if it is auto
	pool     *sched.Pool
	skin     float64
	numbers  *distribution.Sample // of neighbours of each body; nil without --json
	progress func(read int64)
	report   neighborsReport
}

// run searches one frame while the next is read. If the error wraps context.Canceled, out holds the
// earlier frames.
func (n *neighborSearch) run(ctx context.Context, in io.Reader, name string, out io.Writer) error {
	r, err := sched.Await(ctx, "interrupted while the head of the table was read", func() (*frameReader, error) {
		return newFrameReader(in, name)
	})
	if err != nil {
		return err
	}
	framed := r.table.Has(columnFrame)
	var table *fileio.TableWriter
	columns := []string{"frame", "i", "j"}
	if n.report.Counts {
		columns[2] = "count"
	}
	if out != nil && framed {
		table = fileio.NewTableWriter(out, columns)
	} else if out != nil {
		table = fileio.NewTableWriter(out, columns[1:])
	}
	frames := sched.ReadAhead(2, r.next)
	defer frames.End()
	for {
		f, err := frames.Take(ctx, fmt.Sprintf("interrupted after %d frames", n.report.Frames))
		if err != nil {
			return err
		}
		if f == nil {
			return flush(table)
		}
		if err := n.search(ctx, f, table, framed); err != nil {
			return err
		}
		frames.Back(f)
	}
}

// neighborBytes is the memory for a pair while it is found, sorted and written.
const neighborBytes = 32

// search finds the pairs of a frame and writes them. An interruption does not wait for the search,
// which continues in the background; its result is discarded.
func (n *neighborSearch) search(ctx context.Context, f *bodyFrame, table *fileio.TableWriter, framed bool) error {
	s := &f.set
	most := cpu.MostThatFit(neighborBytes, broad.MaxPairs)
	set := broad.Input{Skin: n.skin, Pool: n.pool, MaxPairs: most, MaxBoxPairs: most}
	if len(s.ID) > 0 {
		set.ID = s.ID
	}
	if len(s.Box) > 0 {
		set.Box = s.Box
	} else {
		set.Centre, set.Radius = s.Centre, s.Radius
	}
	began := time.Now()
	doing := fmt.Sprintf("interrupted while frame %d was searched, after %d frames", f.number, n.report.Frames)
	found, err := sched.Await(ctx, doing, func() (*broad.Found, error) {
		found := &broad.Found{}
		return found, n.finder.Find(&set, found)
	})
	if errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, broad.ErrTooManyPairs) {
		return &inputError{fmt.Errorf("%s, frame %d: %d bodies have more than %d pairs, expected as many as fit, with %d bytes each, into the %.3g GB of memory that there are: "+
			"radii, sides or --skin are too large, or not in the unit of the coordinates",
			n.report.Table, f.number, set.Len(), most, neighborBytes, 1e-9*float64(cpu.Memory()))}
	}
	if errors.Is(err, lc.ErrOption) {
		return usage("--cell is %g, too narrow for %s, frame %d: %w", n.report.Cell, n.report.Table, f.number, err)
	}
	if err != nil {
		return fmt.Errorf("%s, frame %d: %w", n.report.Table, f.number, err)
	}
	n.report.Seconds += time.Since(began).Seconds()
	n.report.Frames++
	if n.auto != nil {
		n.report.Fresh = n.auto.Fresh
	}
	n.report.Bodies += int64(set.Len())
	n.report.Pairs += int64(len(found.A))
	n.progress(f.read)
	first, second := found.A, found.B
	if n.report.Counts || n.numbers != nil {
		names, counts := countsOf(&set, found)
		for _, count := range counts {
			n.numbers.Add(float64(count))
		}
		if n.report.Counts {
			first, second = names, counts
		}
	}
	if table == nil {
		return nil
	}
	for k, i := range first {
		if framed {
			table.Int(f.number)
		}
		table.Int(int64(i))
		table.Int(int64(second[k]))
		if err := table.EndRow(); err != nil {
			break // flush returns the error again.
		}
	}
	return flush(table)
}

// countsOf returns the names of all bodies of a set, ascending, and the number of pairs that each is
// part of.
func countsOf(set *broad.Input, found *broad.Found) (names, counts []uint32) {
	names = slices.Clone(set.ID)
	for len(names) < set.Len() {
		names = append(names, uint32(len(names))) // Without ids the rows are the names.
	}
	slices.Sort(names)
	counts = make([]uint32, len(names))
	for _, side := range [][]uint32{found.A, found.B} {
		for _, name := range side {
			k := int(name)
			if len(set.ID) > 0 {
				k, _ = slices.BinarySearch(names, name)
			}
			counts[k]++
		}
	}
	return names, counts
}
