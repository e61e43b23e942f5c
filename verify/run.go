package verify

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/pairs"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/vec"
)

// Options configures Run.
type Options struct {
	Dir     string                                  // keeps the inputs and the results of case NAME in Dir/NAME; "": nothing is kept
	Sets    []string                                // KEY=VALUE, set in every scene after the values of the case
	Workers int                                     // runs at a time, at least 1; each has one worker
	Version string                                  // of the program
	Done    func(*Outcome)                          // called as cases end, one at a time; may be nil
	each    func(w *engine.World, step int64) error // before each step of a scene
}

// Outcome is how a case has ended.
type Outcome struct {
	Case    *Case
	Checks  []Comparison
	Plots   []chart.Chart
	Seconds float64 // s, of all its runs together
	Err     error   // why there is no answer, or nil
}

// Verdict returns the verdict of the case: fail if any check fails, and reported if no check has a
// tolerance.
func (o *Outcome) Verdict() Verdict {
	v := Reported
	if o.Case.Tests != "" {
		return NotRun
	}
	for _, c := range o.Checks {
		if c.Verdict == Fail {
			return Fail
		} else if c.Verdict == Pass {
			v = Pass
		}
	}
	if o.Err != nil {
		return Fail
	}
	return v
}

// course is a case that is going.
type course struct {
	of    *Case
	dir   string
	sums  []*scene.Summary
	mu    sync.Mutex // guards all below
	left  int        // runs
	spent time.Duration
	errs  []error
}

// Run runs cases, and returns the outcome of each in their order. If the context is cancelled, the
// outcomes of cases that had not ended are missing, and the error is that of the context.
func Run(ctx context.Context, cases []*Case, o Options) ([]*Outcome, error) {
	base := o.Dir
	if base == "" {
		var err error
		if base, err = os.MkdirTemp("", "scree-verify-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(base) //nolint:errcheck // What stays is in the folder of temporary files.
	}
	outcomes := map[*Case]*Outcome{}
	var mu sync.Mutex
	end := func(out *Outcome) {
		mu.Lock()
		defer mu.Unlock()
		if outcomes[out.Case] = out; o.Done != nil {
			o.Done(out)
		}
	}
	type job struct {
		c *course
		k int
	}
	jobs := make(chan job)
	var workers sync.WaitGroup
	for range max(o.Workers, 1) {
		workers.Go(func() {
			for j := range jobs {
				if out := j.c.make(ctx, j.k, &o); out != nil {
					end(out)
				}
			}
		})
	}
	for _, c := range cases {
		if c.Tests != "" {
			end(&Outcome{Case: c})
			continue
		}
		run := &course{of: c, dir: filepath.Join(base, c.Name), left: len(c.inputs), sums: make([]*scene.Summary, len(c.inputs))}
		if err := c.Export(run.dir); err != nil {
			close(jobs)
			workers.Wait()
			return nil, err
		}
		for k := range c.inputs {
			select {
			case jobs <- job{run, k}:
			case <-ctx.Done():
			}
		}
	}
	close(jobs)
	workers.Wait()
	var list []*Outcome
	for _, c := range cases {
		if out := outcomes[c]; out != nil {
			list = append(list, out)
		}
	}
	return list, ctx.Err()
}

// folder returns the folder of results of run k.
func (c *course) folder(k int) string { return filepath.Join(c.dir, fmt.Sprintf("run-%d", k+1)) }

// make makes run k. After the last run of the case it judges, and returns the outcome; else nil.
func (c *course) make(ctx context.Context, k int, o *Options) *Outcome {
	start := time.Now()
	sum, err := c.of.inputs[k].run(ctx, c.dir, c.folder(k), o)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sums[k] = sum
	c.spent += time.Since(start)
	if err != nil {
		c.errs = append(c.errs, err)
	}
	if c.left--; c.left > 0 || ctx.Err() != nil {
		return nil
	}
	out := &Outcome{Case: c.of, Err: errors.Join(c.errs...)}
	if out.Err == nil {
		j := &judge{sums: c.sums}
		for k := range c.of.inputs {
			j.dirs = append(j.dirs, c.folder(k))
		}
		out.Err = j.run(c.of.judge)
		out.Checks, out.Plots = j.checks, j.plots
	}
	out.Seconds = c.spent.Seconds()
	if o.Dir == "" {
		_ = os.RemoveAll(c.dir) // Run removes what is left.
	}
	return out
}

// run makes a run from the files in a folder, with its results in another.
func (in *input) run(ctx context.Context, from, to string, o *Options) (*scene.Summary, error) {
	if filepath.Ext(in.file) != ".toml" {
		if err := os.MkdirAll(to, 0o777); err != nil {
			return nil, err
		}
	}
	switch {
	case in.mesh != "":
		return nil, in.locate(from, filepath.Join(to, "inside.csv"))
	case filepath.Ext(in.file) == ".csv":
		return nil, in.pair(ctx, from, filepath.Join(to, "pairs.csv"))
	case filepath.Ext(in.file) != ".toml":
		return nil, in.weigh(filepath.Join(to, "shape.csv"))
	}
	s, err := scene.Load(filepath.Join(from, in.file), append(append([]string{}, in.sets...), o.Sets...)...)
	if err != nil {
		return nil, err
	}
	return scene.Run(ctx, s, scene.Options{Dir: to, Workers: 1, Version: o.Version, Each: o.each})
}

// pair computes the contacts of a table of pairs.
func (in *input) pair(ctx context.Context, from, to string) error {
	var meshes []string
	for _, name := range in.shapes {
		meshes = append(meshes, filepath.Join(from, name))
	}
	shapes, err := pairs.LoadShapes(meshes)
	if err != nil {
		return err
	}
	method, err := pairs.ParseMethod(cmp.Or(in.method, "auto"))
	if err != nil {
		return err
	}
	location, err := pairs.ParseLocation(cmp.Or(in.location, "full"))
	if err != nil {
		return err
	}
	table, err := os.Open(filepath.Join(from, in.file))
	if err != nil {
		return err
	}
	defer table.Close() //nolint:errcheck // The table is only read.
	return fileio.WriteFile(to, func(w io.Writer) error {
		_, err := pairs.Run(ctx, table, in.file, shapes, w, pairs.Options{Method: method, Location: location, DTol: -1, Friction: math.NaN(), Workers: 1})
		return err
	})
}

// locate finds which points of a table lie in a mesh.
func (in *input) locate(from, to string) error {
	mesh, err := fileio.ReadMesh(filepath.Join(from, in.mesh))
	if err != nil {
		return err
	}
	solid, err := inside.New(mesh, inside.Options{Method: inside.Method(in.method), Workers: 1})
	if err != nil {
		return err
	}
	defer solid.Close()
	cells, err := readColumns(filepath.Join(from, in.file), "", "", []string{"x", "y", "z"})
	if err != nil {
		return err
	}
	points := make([]vec.Vec3, len(cells[0]))
	for i := range points {
		var c [3]float64
		for k := range c {
			if c[k], err = strconv.ParseFloat(cells[k][i], 64); err != nil {
				return err
			}
		}
		points[i] = vec.V(c[0], c[1], c[2])
	}
	places, values := make([]inside.Place, len(points)), make([]float64, len(points))
	if err := solid.Locate(points, places, values); err != nil {
		return err
	}
	rows := [][]string{{"row", "inside", "value"}}
	for i, p := range places {
		rows = append(rows, []string{strconv.Itoa(i + 1), p.String(), strconv.FormatFloat(values[i], 'g', -1, 64)})
	}
	return writeTable(to, rows)
}

// weigh writes the volume, the centroid and the inertia of a builtin shape of density 1.
func (in *input) weigh(to string) error {
	shape, err := geometry.ParseBuiltin(in.file)
	if err != nil {
		return err
	}
	m := shape.Poly.Mass
	row := []string{in.file}
	for _, x := range []float64{m.Volume, m.Centroid.X, m.Centroid.Y, m.Centroid.Z, m.Inertia.XX, m.Inertia.YY, m.Inertia.ZZ, m.Inertia.XY, m.Inertia.XZ, m.Inertia.YZ} {
		row = append(row, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return writeTable(to, [][]string{{"shape", "volume", "x", "y", "z", "xx", "yy", "zz", "xy", "xz", "yz"}, row})
}

func writeTable(path string, rows [][]string) error {
	return fileio.WriteFile(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}
