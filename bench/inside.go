package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/internal/cpu"
)

// InsideOptions says what the study of points in meshes measures.
type InsideOptions struct {
	Meshes  []*geometry.Mesh
	Side    int      // points along a side of the grid
	Random  int      // if positive, so many random points in the box of the mesh in the place of the grid
	Methods []string // of InsideMethods
	Workers int
	Seed    uint64 // of the order of points, of samples and of rays
	Repeat  int    // of which the least time counts
	Long    bool   // larger samples: see insideSample
	Full    bool   // no samples
	Peers   bool   // other libraries beside: see package peers

	Progress Progress
}

// InsideRow is a line of the study: one method on the points of one mesh in one order.
type InsideRow struct {
	Mesh     string  `json:"mesh" show:"%s"`
	Faces    int     `json:"faces" show:"%d"`
	Points   int     `json:"points" show:"%d"` // of the grid
	Tried    int     `json:"tried" show:"%d"`  // all, or a sample of them
	Order    string  `json:"order" show:"%s"`  // grid, shuffled or random
	Method   string  `json:"method" show:"%s"`
	Workers  int     `json:"workers" show:"%d"`
	Backend  string  `json:"backend" show:"%s"`
	Setup    float64 `json:"setup_ms" show:"%.1f"`
	NsPoint  float64 `json:"ns_point" show:"%.1f"`
	Wrong    int     `json:"wrong" show:"%d"` // places other than the true ones
	On       int     `json:"on" show:"%d"`    // the surface
	Error    float64 `json:"error" show:"%.1e"`
	Bound    float64 `json:"bound" show:"%.1e"` // of the error, as the method promises; 0: exact, or none
	Bytes    float64 `json:"bytes_face" show:"%.1f"`
	Checksum string  `json:"checksum" show:"%s"`          // of places and values; "-" of others
	Note     string  `json:"note" show:"%s" empty:"hide"` // "-" of ours
}

// InsideMethods returns the names of the methods: those of package inside, fmm with a depth for the
// points and with one for the mesh alone.
func InsideMethods() []string {
	return []string{"auto", "ray", "winding", "winding-fast", "fmm", "fmm-pre"}
}

// insideOptions returns what package inside is told for a method.
func insideOptions(method string, o *InsideOptions, points int) inside.Options {
	name, pre := strings.CutSuffix(method, "-pre")
	options := inside.Options{Method: inside.Method(name), Workers: o.Workers, Seed: o.Seed}
	if options.Method == inside.FMM {
		options.Depth, options.Points = "well", points
		if pre {
			options.Depth = "pre"
		}
	}
	return options
}

// Inside measures the methods of package inside on a grid of points in the cube about each mesh, in
// the order of the grid and shuffled, or on random points in its box. On one worker times are
// processor time of the thread.
func Inside(ctx context.Context, o InsideOptions) ([]InsideRow, error) {
	orders := []string{"grid", "shuffled"}
	if o.Random > 0 {
		orders = []string{"random"}
	}
	others, names, err := openPeers(o.Peers, peers.Inside())
	if err != nil {
		return nil, err
	}
	defer others.Close()
	var rows []InsideRow
	course := course{all: int64(len(o.Meshes) * len(orders) * (len(o.Methods) + len(names))), report: o.Progress}
	for _, mesh := range o.Meshes {
		for _, order := range orders {
			s := &insideScene{mesh: mesh, order: order}
			switch order {
			case "random":
				s.points = randomIn(mesh, o.Random, o.Seed)
			case "shuffled":
				s.points = shuffled(gridAbout(mesh, o.Side), o.Seed)
			default:
				s.points = gridAbout(mesh, o.Side)
			}
			for k, method := range slices.Concat(o.Methods, names) {
				course.announce(mesh.Name + ", " + method)
				row, err := InsideRow{}, error(nil)
				if k < len(o.Methods) {
					row, err = s.measure(ctx, &o, method)
				} else {
					row, err = s.peer(ctx, &o, others, method)
				}
				if err != nil {
					return rows, err
				}
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// insideScene is a mesh and the points about it, and once they are known the true places.
type insideScene struct {
	mesh   *geometry.Mesh
	order  string
	points []point
	truth  []inside.Place
	values []float64 // true ones, of a mesh that is open; else nil
}

// newRow is the row of another library, before anything is measured.
func (s *insideScene) newRow(method string) InsideRow {
	return InsideRow{
		Mesh: s.mesh.Name, Faces: len(s.mesh.Faces), Points: len(s.points), Order: s.order,
		Method: method, Workers: 1, Backend: runtime.GOARCH, Checksum: "-",
	}
}

// measure is one row. It returns as soon as the context ends: what it began then goes on, and nobody reads it.
func (s *insideScene) measure(ctx context.Context, o *InsideOptions, method string) (row InsideRow, err error) {
	done := make(chan struct{})
	measured := *s // of which the other goroutine has its own
	var answer InsideRow
	var problem error
	go func() {
		defer close(done)
		if o.Workers == 1 {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
		}
		answer, problem = measured.row(ctx, o, method)
	}()
	select {
	case <-done:
		s.truth, s.values = measured.truth, measured.values
		return answer, problem
	case <-ctx.Done():
		return InsideRow{}, ctx.Err()
	}
}

func (s *insideScene) row(ctx context.Context, o *InsideOptions, method string) (InsideRow, error) {
	row := s.newRow(method)
	row.Workers, row.Backend, row.Setup, row.NsPoint, row.Note = o.Workers, cpu.Selected(), math.Inf(1), math.Inf(1), "-"
	if _, err := placeOf("method", method, InsideMethods()); err != nil {
		return row, err
	}
	if err := s.know(ctx, o, method); err != nil {
		return row, err
	}
	clock := watchOf(o.Workers)
	rowsOf := s.sampled(method, o)
	points, truth := s.pick(rowsOf)
	row.Tried = len(points)
	places, values := make([]inside.Place, len(points)), make([]float64, len(points))
	for range o.Repeat {
		if err := ctx.Err(); err != nil {
			return row, err
		}
		began := clock()
		solid, err := inside.New(s.mesh, insideOptions(method, o, len(s.points)))
		if err != nil {
			return row, fmt.Errorf("bench: %s, %s: %w", s.mesh.Name, method, err)
		}
		row.Setup = min(row.Setup, 1e3*(clock()-began).Seconds())
		began = clock()
		err = solid.Locate(points, places, values)
		row.NsPoint = min(row.NsPoint, float64((clock()-began).Nanoseconds())/float64(len(points)))
		solid.Close()
		if err != nil {
			return row, err
		}
		row.Bound, row.Bytes = solid.Report.Bound, float64(solid.Report.Bytes)/float64(row.Faces)
	}
	if strings.HasPrefix(method, string(inside.FMM)) && row.Bound == 0 {
		row.Note = "direct" // no cell has an expansion: all is near
	}
	row.compare(places, values, truth, chosen(s.values, rowsOf))
	return row, nil
}

// compare counts what is wrong. True values are those of an open mesh, or nil.
func (r *InsideRow) compare(places []inside.Place, values []float64, truth []inside.Place, trueValues []float64) {
	sum := uint64(fnvOffset)
	for i, place := range places {
		sum = fold(fold(sum, uint64(place)), math.Float64bits(values[i]))
		if place != truth[i] {
			r.Wrong++
		}
		switch {
		case truth[i] != inside.On && trueValues != nil:
			r.Error = max(r.Error, math.Abs(values[i]-trueValues[i]))
		case truth[i] == inside.On:
			r.On++ // The value is a share of the solid angle.
		case truth[i] == inside.Inside:
			r.Error = max(r.Error, math.Abs(values[i]-1))
		default:
			r.Error = max(r.Error, math.Abs(values[i]))
		}
	}
	r.Checksum = fmt.Sprintf("%016x", sum)
}

// Check returns an error if the row shows less than its method promises: a wrong place of one that
// is exact or has a bound, or an error above the bound. Method winding-fast promises nothing, and
// other libraries are not ours to judge.
func (r *InsideRow) Check() error {
	switch {
	case !slices.Contains(InsideMethods(), r.Method) || r.Method == string(inside.WindingFast):
		return nil
	case r.Wrong > 0:
		return fmt.Errorf("bench: %s, %s: %d of %d places are wrong, expected none", r.Mesh, r.Method, r.Wrong, r.Tried)
	case !(r.Error <= r.Bound+insideRounding):
		return fmt.Errorf("bench: %s, %s: a value is off by %.2g, expected at most %.2g", r.Mesh, r.Method, r.Error, r.Bound+insideRounding)
	}
	return nil
}

// insideRounding is more than the rounding of sums of solid angles, beside a bound.
const insideRounding = 1e-9
