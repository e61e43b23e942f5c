package verify

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/internal/mark"
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
	*Case
	Verdict Verdict       `json:"verdict"`
	Seconds float64       `json:"wall_s"`          // s, of all its runs together
	Sets    []string      `json:"sets,omitempty"`  // that its scenes took; none of a case that ran as it is
	Error   string        `json:"error,omitempty"` // why there is no answer
	Checks  []Comparison  `json:"checks,omitempty"`
	Plots   []chart.Chart `json:"-"`
}

// Took returns the time of the runs, as ", 1.5 s"; "" if there are none.
func (o *Outcome) Took() string {
	if o.Tests != "" {
		return ""
	}
	return fmt.Sprintf(", %.1f s", o.Seconds)
}

// conclude sets the verdict: fail if any check fails or there is none, reported if none has a tolerance.
func (o *Outcome) conclude() {
	if len(o.Checks) == 0 {
		o.Error = cmp.Or(o.Error, "nothing was compared")
	}
	o.Verdict = Reported
	for _, c := range o.Checks {
		if c.Verdict == Fail || o.Verdict == Reported {
			o.Verdict = c.Verdict
		}
	}
	if o.Error != "" {
		o.Verdict = Fail
	}
}

// course is a case that is going.
type course struct {
	of    *Case
	dir   string
	sets  []string // of o.Sets, those that the case takes
	sums  []*scene.Summary
	mu    sync.Mutex // guards all below
	left  int        // runs
	spent time.Duration
	errs  []error // of the runs; the first is told
}

// Run runs cases, and returns the outcome of each in their order. If the context is cancelled, the
// outcomes of cases that had not ended are missing, and the error is that of the context. A case that has a
// scene that does not take o.Sets runs without them. Nothing runs if no scene takes them, or if a file in
// o.Dir would be replaced that is not of Run.
func Run(ctx context.Context, cases []*Case, o Options) (list []*Outcome, err error) {
	base := o.Dir
	if base == "" {
		if base, err = os.MkdirTemp("", "scree-verify-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(base) //nolint:errcheck // What stays is in the folder of temporary files.
	}
	err = ours(base)
	for _, c := range cases {
		if err == nil && c.Tests == "" {
			err = c.Export(filepath.Join(base, c.Name))
		}
	}
	var takes map[*Case]bool
	if err == nil && len(o.Sets) > 0 {
		takes, err = takers(cases, base, o.Sets)
	}
	if err != nil {
		return nil, err
	}
	list = []*Outcome{}
	var mu sync.Mutex
	end := func(out *Outcome) {
		mu.Lock()
		defer mu.Unlock()
		if list = append(list, out); o.Done != nil {
			o.Done(out)
		}
	}
	var runs errgroup.Group
	runs.SetLimit(max(o.Workers, 1))
	// Short cases come first, so that most answers come soon.
	for _, c := range slices.SortedStableFunc(slices.Values(cases), func(a, b *Case) int { return int(a.Class) - int(b.Class) }) {
		if c.Tests != "" {
			end(&Outcome{Case: c, Verdict: NotRun})
			continue
		}
		run := &course{of: c, dir: filepath.Join(base, c.Name), left: len(c.inputs), sums: make([]*scene.Summary, len(c.inputs)), errs: make([]error, len(c.inputs))}
		if takes[c] {
			run.sets = o.Sets
		}
		for k := range c.inputs {
			runs.Go(func() error {
				if out := run.make(ctx, k, &o); out != nil {
					end(out)
				}
				return nil
			})
		}
	}
	_ = runs.Wait()
	slices.SortFunc(list, func(a, b *Outcome) int { return slices.Index(cases, a.Case) - slices.Index(cases, b.Case) })
	return list, ctx.Err()
}

// takers returns the cases in a folder all scenes of which take the sets. If there is none, it returns the first error.
func takers(cases []*Case, dir string, sets []string) (map[*Case]bool, error) {
	takes, first := map[*Case]bool{}, ""
	for _, c := range cases {
		var scenes, faults int
		for _, in := range c.inputs {
			if filepath.Ext(in.file) != ".toml" {
				continue
			}
			scenes++
			if _, err := scene.Load(filepath.Join(dir, c.Name, in.file), slices.Concat(in.sets, sets)...); err != nil {
				faults, first = faults+1, cmp.Or(first, err.Error())
			}
		}
		if scenes > 0 && faults == 0 {
			takes[c] = true
		}
	}
	if len(takes) == 0 {
		first = strings.ReplaceAll(first, dir+string(filepath.Separator), "")
		return nil, mark.Errorf(scene.ErrInput, "%s", cmp.Or(first, "--set is given, expected none: the cases have no scenes"))
	}
	return takes, nil
}

// folder returns the folder of results of run k.
func (c *course) folder(k int) string { return filepath.Join(c.dir, fmt.Sprintf("run-%d", k+1)) }

// make makes run k. After the last run of the case it judges, and returns the outcome; else nil.
func (c *course) make(ctx context.Context, k int, o *Options) *Outcome {
	if ctx.Err() != nil {
		return nil
	}
	start := time.Now()
	sum, err := c.of.inputs[k].run(ctx, c.dir, c.folder(k), c.sets, o)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sums[k], c.errs[k] = sum, err
	c.spent += time.Since(start)
	if c.left--; c.left > 0 || ctx.Err() != nil {
		return nil
	}
	j := &judge{sums: c.sums}
	for k := range c.of.inputs {
		j.dirs = append(j.dirs, c.folder(k))
	}
	if err = cmp.Or(c.errs...); err == nil {
		err = j.run(c.of.judge)
	}
	out := &Outcome{Case: c.of, Seconds: c.spent.Seconds(), Sets: c.sets, Checks: j.checks, Plots: j.plots}
	if err != nil {
		out.Error = mark.WithoutPackage(err.Error())
	}
	out.conclude()
	if o.Dir == "" {
		_ = os.RemoveAll(c.dir) // Run removes what is left.
	}
	return out
}

// run makes a run from the files in a folder, with its results in another.
func (in *input) run(ctx context.Context, from, to string, sets []string, o *Options) (*scene.Summary, error) {
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
	s, err := scene.Load(filepath.Join(from, in.file), slices.Concat(in.sets, sets)...)
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
	c, err := parse(cells)
	if err != nil {
		return err
	}
	points := make([]vec.Vec3, len(c[0]))
	for i := range points {
		points[i] = vec.V(c[0][i], c[1][i], c[2][i])
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
