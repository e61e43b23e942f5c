package bench

import (
	"cmp"
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
	"github.com/scree-dem/scree/sched"
)

// InsideOptions are the options of the study of points in meshes.
type InsideOptions struct {
	Meshes  []*geometry.Mesh
	Side    int      // points along a side of the grid
	Random  int      // if positive, number of random points in the mesh's box that replace the grid
	Methods []string // from InsideMethods
	Workers int
	Seed    uint64 // of the order of points, of samples and of rays
	Repeat  int    // repetitions; the least time counts
	Long    bool   // larger samples; see insideSample
	Full    bool   // no samples
	Peers   bool   // also measure other libraries; see package peers

	Progress Progress
}

// InsideRow is a row of the study: one method on the points of one mesh in one order.
type InsideRow struct {
	Mesh     string  `json:"mesh" show:"%s"`
	Faces    int     `json:"faces" show:"%d"`
	Points   int     `json:"points" show:"%d"` // of the grid
	Tried    int     `json:"tried" show:"%d"`  // all points, or a sample
	Order    string  `json:"order" show:"%s"`  // grid, shuffled or random
	Method   string  `json:"method" show:"%s"`
	Workers  int     `json:"workers" show:"%d"`
	Backend  string  `json:"backend" show:"%s"`
	Setup    float64 `json:"setup_ms" show:"%.1f"`
	NsPoint  float64 `json:"ns_point" show:"%.1f"`
	Wrong    int     `json:"wrong" show:"%d"` // points whose place differs from the true one
	On       int     `json:"on" show:"%d"`    // points on the surface
	Error    float64 `json:"error" show:"%.1e"`
	Bound    float64 `json:"bound" show:"%.1e"` // of the error, as the method promises; 0: the method is exact, or has no bound
	Bytes    float64 `json:"bytes_face" show:"%.1f"`
	Checksum string  `json:"checksum" show:"%s"`          // of places and values; "-" for other libraries
	Note     string  `json:"note" show:"%s" empty:"hide"` // "-" for our methods
}

// InsideMethods returns the names of the methods of package inside. fmm chooses its depth for the
// points, fmm-pre for the mesh alone. With -never, expansions are never replaced by direct sums.
func InsideMethods() []string {
	return []string{"auto", "ray", "winding", "winding-fast", "fmm", "fmm-pre", "fmm-never", "fmm-pre-never"}
}

// insideOptions returns the options of package inside for a method.
func insideOptions(method string, o *InsideOptions, points int) inside.Options {
	name, never := strings.CutSuffix(method, "-never")
	name, pre := strings.CutSuffix(name, "-pre")
	options := inside.Options{Method: inside.Method(name), Workers: o.Workers, Seed: o.Seed}
	if options.Method == inside.FMM {
		options.Depth, options.Points = "well", points
		if pre {
			options.Depth = "pre"
		}
		if never {
			options.Direct = "never"
		}
	}
	return options
}

// Inside measures the methods of package inside. The points are a grid in the cube about each mesh,
// in grid order and shuffled, or random points in the mesh's box. On one worker, times are
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
	progress := tracker{all: int64(len(o.Meshes) * len(orders) * (len(o.Methods) + len(names))), report: o.Progress}
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
				progress.announce(mesh.Name + ", " + method)
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

// insideScene is a mesh and the points about it, and the true places once they are known.
type insideScene struct {
	mesh   *geometry.Mesh
	order  string
	points []point
	truth  []inside.Place
	values []float64 // true values if the mesh is open, else nil
}

// newRow returns the row of another library before anything is measured.
func (s *insideScene) newRow(method string) InsideRow {
	return InsideRow{
		Mesh: s.mesh.Name, Faces: len(s.mesh.Faces), Points: len(s.points), Order: s.order,
		Method: method, Workers: 1, Backend: runtime.GOARCH, Checksum: "-",
	}
}

// measure returns one row. If the context ends, it returns at once; the measurement continues in
// another goroutine, and nobody reads its result.
func (s *insideScene) measure(ctx context.Context, o *InsideOptions, method string) (InsideRow, error) {
	measured := *s // a copy for the other goroutine
	row, err := sched.Await(ctx, "bench: interrupted", func() (InsideRow, error) {
		if o.Workers == 1 {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
		}
		return measured.row(ctx, o, method)
	})
	if err != nil {
		return InsideRow{}, cmp.Or(ctx.Err(), err)
	}
	s.truth, s.values = measured.truth, measured.values
	return row, nil
}

func (s *insideScene) row(ctx context.Context, o *InsideOptions, method string) (InsideRow, error) {
	row := s.newRow(method)
	row.Workers, row.Backend, row.Setup, row.NsPoint, row.Note = o.Workers, cpu.Selected(), math.Inf(1), math.Inf(1), "-"
	if _, err := indexIn("method", method, InsideMethods()); err != nil {
		return row, err
	}
	if err := s.know(ctx, o, method); err != nil {
		return row, err
	}
	clock := clockFor(o.Workers)
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
		q := &solid.Report
		row.Bound, row.Bytes = q.Bound, float64(q.Bytes)/float64(row.Faces)
		if direct := q.Near + q.Summed; direct == q.Cells && direct > 0 {
			row.Note = "direct" // no cell uses an expansion
		} else if direct > 0 {
			row.Note = fmt.Sprintf("%d/%d direct", direct, q.Cells)
		}
	}
	row.compare(places, values, truth, chosen(s.values, rowsOf))
	return row, nil
}

// compare counts the wrong places and computes the largest error. trueValues are those of an open
// mesh, or nil.
func (r *InsideRow) compare(places []inside.Place, values []float64, truth []inside.Place, trueValues []float64) {
	sum := uint64(fnvOffset)
	for i, place := range places {
		sum = checksum(checksum(sum, uint64(place)), math.Float64bits(values[i]))
		if place != truth[i] {
			r.Wrong++
		}
		switch {
		case truth[i] != inside.On && trueValues != nil:
			r.Error = max(r.Error, math.Abs(values[i]-trueValues[i]))
		case truth[i] == inside.On:
			r.On++ // the value is a share of the solid angle
		case truth[i] == inside.Inside:
			r.Error = max(r.Error, math.Abs(values[i]-1))
		default:
			r.Error = max(r.Error, math.Abs(values[i]))
		}
	}
	r.Checksum = fmt.Sprintf("%016x", sum)
}

// Check returns an error if the row contradicts what its method promises: a wrong place by a method
// that is exact or has a bound, or an error above the bound. winding-fast promises nothing, and
// Check accepts all rows of other libraries.
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

// insideRounding, added to a bound, is more than the rounding of sums of solid angles.
const insideRounding = 1e-9
