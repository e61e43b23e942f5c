package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/pairs"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

var (
	posedColumns   = []string{"shape", "x", "y", "z", "qw", "qx", "qy", "qz"}
	meetingColumns = []string{"body_a", "body_b", "a_in_b", "b_in_a"}
)

// meetingPairs is the number of pairs in a batch. An interruption keeps the batches before it.
const meetingPairs = 1 << 8

// posedReport is the output of --json with --bodies.
type posedReport struct {
	Version     string  `json:"version"`
	Table       string  `json:"table"`
	Method      string  `json:"method"`
	Backend     string  `json:"backend"`
	Workers     int     `json:"workers"`
	Output      string  `json:"output,omitempty"`
	Shapes      int     `json:"shapes"` // that bodies have
	Bodies      int     `json:"bodies"`
	Pairs       int     `json:"pairs"`            // whose boxes meet
	Meeting     int     `json:"meeting"`          // pairs with a node inside
	Inside      int     `json:"inside"`           // nodes inside, over all pairs
	On          int     `json:"on"`               // nodes on the surface of the other body
	Bound       float64 `json:"bound"`            // largest error bound of a shape; 0 for exact methods
	Cells       int     `json:"cells,omitempty"`  // of fmm, over all shapes
	Summed      int     `json:"summed,omitempty"` // cells that are summed directly
	Setup       float64 `json:"setup_s"`
	Seconds     float64 `json:"seconds"` // time of the search and of the nodes
	Interrupted bool    `json:"interrupted,omitempty"`

	Nodes *distribution.Distribution `json:"nodes"` // numbers of nodes inside, of each pair whose boxes meet
}

// posedRun finds the nodes of posed bodies in each other, batch by batch of pairs.
type posedRun struct {
	a      *app
	o      inside.Options
	paths  map[string]string        // of the files of --shapes, by stem
	solids map[string]*inside.Solid // by the shape's name; one serves all bodies of its shape
	bodies []inside.PosedSolid
	nodes  *distribution.Sample // numbers of nodes inside, of each pair; nil without --json
	report posedReport
}

// insideBodies runs scree inside --bodies.
func (a *app) insideBodies(f *insideFlags) error {
	r := posedRun{a: a, o: f.o, solids: map[string]*inside.Solid{}}
	var err error
	if r.paths, err = meshPaths(f.shapes); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	var inputs []input
	for _, path := range r.paths {
		inputs = append(inputs, input{what: "a mesh that --shapes reads", name: path})
	}
	t, err := a.openTable("--bodies", f.bodies, f.out, inputs...)
	if err != nil {
		return err
	}
	defer t.Close() //nolint:errcheck // The table is only read.
	r.report = posedReport{Version: version(), Table: t.name, Method: f.method, Backend: cpu.Selected()}
	if a.json {
		r.nodes = &distribution.Sample{}
	}
	err = t.answer(func(to io.Writer) error { return r.run(ctx, t, to) })
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return err
	}
	r.report.Interrupted, r.report.Output, r.report.Nodes = interrupted, wrote(f.out, err), r.nodes.Describe()
	switch p := &r.report; {
	case a.json:
		err = cmp.Or(err, a.printJSON(p))
	case p.Output != "" && p.Output != "-" && !a.quiet:
		method := p.Method
		if p.Cells > 0 {
			method += fmt.Sprintf(", values within %.2g, %d of %d cells summed directly", p.Bound, p.Summed, p.Cells)
		}
		a.message("%s: %d bodies of %d shapes, %d pairs of boxes, %d pairs with nodes inside, %d nodes inside, %d on a surface; %s; %.3g s to set up, %.3g s on %d workers",
			p.Output, p.Bodies, p.Shapes, p.Pairs, p.Meeting, p.Inside, p.On, method, p.Setup, p.Seconds, p.Workers)
	}
	return err
}

// meshPaths returns the mesh files that --shapes names, and those in its folders, by stem.
func meshPaths(shapes []string) (map[string]string, error) {
	paths := map[string]string{}
	for _, at := range shapes {
		files := []string{at}
		stat, err := os.Stat(at)
		if err == nil && stat.IsDir() {
			files, err = pairs.MeshesIn(at)
		}
		if err != nil {
			return nil, usage("--shapes: %w", err)
		}
		for _, path := range files {
			name := disk.Stem(path)
			if other, taken := paths[name]; taken && !disk.SameFile(other, path) {
				return nil, usage("--shapes: %s and %s have the same name %q, expected one file of each name", other, path, name)
			}
			paths[name] = path
		}
	}
	return paths, nil
}

// run reads the bodies, searches the pairs of their boxes, and writes the counts of each pair.
func (r *posedRun) run(ctx context.Context, t *inputTable, out io.Writer) error {
	if _, err := sched.Await(ctx, "interrupted while the bodies were read", func() (bool, error) { return true, r.read(t) }); err != nil {
		return err
	}
	began := time.Now()
	pool, err := sched.Open(r.a.workers, r.a.pin)
	if err != nil {
		return err
	}
	set := broad.Input{Box: make([]vec.Box, len(r.bodies)), Pool: pool}
	set.MaxPairs = cpu.MostThatFit(neighborBytes, broad.MaxPairs)
	set.MaxBoxPairs = set.MaxPairs
	for i := range r.bodies {
		set.Box[i] = r.bodies[i].Box()
	}
	found, err := sched.Await(ctx, "interrupted while the pairs of boxes were searched", func() (*broad.Found, error) {
		found := &broad.Found{}
		return found, broad.NewFinder(auto.Named(chosenNeighbors)).Find(&set, found)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	pool.Close()
	p := &r.report
	p.Bodies, p.Shapes, p.Pairs, p.Workers = len(r.bodies), len(r.solids), len(found.A), pool.Workers()
	var table *fileio.TableWriter
	if out != nil {
		table = fileio.NewTableWriter(out, meetingColumns)
	}
	meeting := inside.NewMeeting(r.a.workers)
	for lo := 0; lo < len(found.A); lo += meetingPairs {
		a, b := found.A[lo:min(lo+meetingPairs, len(found.A))], found.B[lo:min(lo+meetingPairs, len(found.A))]
		hits, err := sched.Await(ctx, fmt.Sprintf("interrupted after %d pairs", lo), func() ([]inside.Hit, error) {
			return meeting.Find(r.bodies, a, b, nil)
		})
		if err != nil {
			return err // An interrupted call may run until the process ends, so the meeting stays open.
		}
		r.write(table, a, b, hits)
		p.Seconds = time.Since(began).Seconds()
		if err := flush(table); err != nil {
			return err
		}
	}
	meeting.Close()
	return flush(table)
}

// write counts the hits, which are in the order of pairs, and appends the rows of the pairs. flush
// returns the errors of writing.
func (r *posedRun) write(table *fileio.TableWriter, a, b []uint32, hits []inside.Hit) {
	for k := range a {
		var in [2]int64 // nodes of a in b, and of b in a
		for ; len(hits) > 0 && hits[0].Pair == k; hits = hits[1:] {
			switch h := hits[0]; {
			case h.Place == inside.On:
				r.report.On++
			case h.Of == a[k]:
				in[0]++
			default:
				in[1]++
			}
		}
		r.report.Inside += int(in[0] + in[1])
		r.nodes.Add(float64(in[0] + in[1]))
		if in != [2]int64{} {
			r.report.Meeting++
		}
		if table == nil {
			continue
		}
		for _, n := range [4]int64{int64(a[k]) + 1, int64(b[k]) + 1, in[0], in[1]} {
			table.Int(n)
		}
		if table.EndRow() != nil {
			return
		}
	}
}

// read reads the bodies, and sets up each shape that a body has, once.
func (r *posedRun) read(t *inputTable) error {
	table, err := fileio.NewBlocks(t, t.name, posedColumns, nil)
	if err != nil {
		return err
	}
	began := time.Now()
	var block fileio.Block
	var row fileio.BlockRow
	for table.Next(&block, parseRows) {
		for i := range block.Len() {
			if err := row.Set(table, &block, i); err != nil {
				return err
			}
			body, err := r.body(&row)
			if err != nil {
				return err
			}
			r.bodies = append(r.bodies, body)
		}
	}
	r.report.Setup = time.Since(began).Seconds()
	return table.Err()
}

// body returns the body of a row.
func (r *posedRun) body(row *fileio.BlockRow) (b inside.PosedSolid, err error) {
	var v [7]float64
	if err := row.Floats(1, v[:]); err != nil {
		return b, err
	}
	for k := range 3 {
		if !(math.Abs(v[k]) <= maxBodyPlace) {
			return b, row.Fault(1+k, fmt.Sprintf("a number within %g m", maxBodyPlace))
		}
	}
	b.Pose = vec.Pose{Pos: vec.V(v[0], v[1], v[2]), Rot: vec.Quat{W: v[3], X: v[4], Y: v[5], Z: v[6]}}
	if n := b.Pose.Rot.Norm(); !(math.Abs(n-1) <= inside.RotTolerance) {
		return b, row.Fault(4, fmt.Sprintf("a quaternion of length 1 to within %g, found length %.6g", inside.RotTolerance, n))
	}
	name := string(row.Bytes(0))
	if b.Solid = r.solids[name]; b.Solid != nil {
		return b, nil
	}
	spec, known := r.paths[name]
	if !known && (surfaces.Is(name) || isBuiltin(name)) {
		spec, known = name, true
	}
	if !known {
		want := "a builtin such as box:1x1x1, or a surface such as torus:1,0.25,48,24"
		if names := slices.Sorted(maps.Keys(r.paths)); len(names) > 0 {
			want = "one of " + strings.Join(names[:min(len(names), 8)], ", ") + ", " + want
		}
		return b, row.Fault(0, want)
	}
	mesh, err := r.a.surfaceOf(spec)
	if err == nil {
		if b.Solid, err = inside.New(mesh, r.o); err != nil {
			err = meshFault(spec, mesh, err)
		}
	}
	if err != nil {
		return b, usage("%s, line %d: %w", r.report.Table, row.Line(), err)
	}
	b.Solid.Close() // Its workers are no longer needed: a Meeting has its own.
	r.solids[name] = b.Solid
	p, q := &r.report, &b.Solid.Report
	p.Bound, p.Cells, p.Summed = max(p.Bound, q.Bound), p.Cells+q.Cells, p.Summed+q.Summed+q.Near
	return b, nil
}
