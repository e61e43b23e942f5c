package bench

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
)

func init() {
	register[InsideOptions, InsideRow](About{
		Command: "inside", Name: "inside",
		Short: "Time the methods that find the points inside a mesh",
		Long: `Time each method of scree inside on a grid of points in the cube about each mesh, in
the order of the grid and shuffled: ns per point, and setup in ms, on one worker unless
--workers is given. wrong counts the points whose place differs from the exact one.
error is the largest error of a value away from the surface. fmm-pre is fmm with a depth
that depends on the mesh alone; -never is --direct never. ray and winding test all faces for each point. If points
times faces exceed 2·10⁸, they get a seeded sample of the points (column tried). With
--long the sample has 10⁴ points, from 10¹⁰ on. With --full they get all points. With
--random the points are random in the box of each mesh. The command fails if a method
returns a wrong result that it promises to be right; winding-fast promises nothing. An
open mesh can be measured with winding and winding-fast only; winding then provides the
reference.`,
		Example: "  scree bench inside --mesh sphere:1,3 --side 20 --method auto,ray,winding\n" +
			"  scree bench inside --mesh examples/inside/torus.obj --random 10000 --repeat 1\n" +
			"  scree bench inside --mesh sphere:1,3 --side 20 --repeat 1 --method auto --peers\n" +
			"  scree bench inside --paper --finest 2 --side 10 --series sphere --method auto,ray",
		Names: map[string][]string{"method": insideMethods},
	})
}

// InsideOptions are the options of the study of points in meshes.
type InsideOptions struct {
	Meshes  []string `flag:"mesh" default:"sphere:1,7 foam:1,56" file:"" help:"<MESH>: a file, a builtin or a surface; may be repeated"`
	Side    []int    `flag:"side" bounds:"1 to 300" help:"points <N> along a side of the grid (default: 80)"` // one number; 2.7·10⁷ points take 2 GB
	Random  int      `flag:"random" bounds:"1 to 27000000" help:"<N> random points in the box of each mesh instead of a grid"`
	Methods []string `flag:"method" help:"<NAMES>, separated by commas, of methods"`
	Workers int      `flag:"workers" default:"1"`
	Seed    uint64   `flag:"seed" default:"1" help:"<S>eed of orders, samples and rays"`
	Repeat  int      `flag:"repeat" default:"3" bounds:"≥ 1" help:"measure <R> times and show the smallest time"`
	Long    bool     `flag:"long" help:"use larger samples for ray and winding"` // see insideSample
	Full    bool     `flag:"full" help:"test all points with ray and winding, which can take long"`
	Peers   bool     `flag:"peers" help:"also measure Embree and CGAL if they are installed"` // see package peers

	meshes []*geometry.Mesh // read from Meshes
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

// insideMethods are the names of the methods of package inside. fmm chooses its depth for the
// points, fmm-pre for the mesh alone. With -never, expansions are never replaced by direct sums.
var insideMethods = []string{"auto", "ray", "winding", "winding-fast", "fmm", "fmm-pre", "fmm-never", "fmm-pre-never"}

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

// plan measures the methods of package inside. The points are a grid in the cube about each mesh,
// in grid order and shuffled, or random points in the mesh's box. On one worker, times are
// processor time of the thread.
func (o *InsideOptions) plan(e *Env) (*plan[InsideRow], error) {
	orders := []string{"grid", "shuffled"}
	if o.Random > 0 {
		orders = []string{"random"}
	}
	switch {
	case len(o.Side) > 1:
		return nil, mark.Errorf(ErrOption, "--side has %d numbers, expected one without --paper", len(o.Side))
	case len(o.Side) == 1 && o.Random > 0:
		return nil, mark.Errorf(ErrOption, "--random is %d, expected none with --side: it asks for a grid", o.Random)
	case o.Full && o.Long:
		return nil, mark.Errorf(ErrOption, "--full is true, expected none with --long: it tries all points")
	}
	if len(o.Side) == 0 {
		o.Side = []int{80}
	}
	if err := o.read(e); err != nil {
		return nil, err
	}
	others, names, err := openPeers(o.Peers, peers.Inside())
	if err != nil {
		return nil, err
	}
	p := &plan[InsideRow]{unlocked: o.Workers != 1, end: others.Close, finish: func(_ *Report, rows []InsideRow) error { return checkInside(rows) }}
	for _, mesh := range o.meshes {
		for _, order := range orders {
			addContenders(p, mesh.Name+", "+order, slices.Concat(o.Methods, names), func() (*insideScene, int) { return o.scene(mesh, order), o.Repeat },
				func(s *insideScene, method string) (func() float64, func(peers.Times) InsideRow) {
					if slices.Contains(names, method) {
						row := s.peer(e, o, others, method)
						return nil, func(peers.Times) InsideRow { return row }
					}
					return s.start(e, o, method)
				})
		}
	}
	return p, nil
}

// read reads all meshes, so that a bad last mesh is reported at once and not after minutes.
func (o *InsideOptions) read(e *Env) error {
	if o.meshes != nil {
		return nil
	}
	for _, spec := range o.Meshes {
		mesh, err := e.Mesh(spec)
		if err != nil {
			return err
		}
		to := inside.Options{Workers: 1}
		if !slices.ContainsFunc(o.Methods, func(m string) bool { return !inside.Method(m).TakesOpen() }) {
			to.Method = inside.WindingFast
		}
		solid, err := inside.New(mesh, to)
		if err != nil {
			return mark.Errorf(ErrOption, "%s: %w", spec, fileio.Numbered(spec, mesh, inside.Fault(err)))
		}
		solid.Close()
		o.meshes = append(o.meshes, mesh)
	}
	return nil
}

// scene returns a mesh with its points in an order.
func (o *InsideOptions) scene(mesh *geometry.Mesh, order string) *insideScene {
	s := &insideScene{mesh: mesh, order: order}
	switch order {
	case "random":
		s.points = randomIn(mesh, o.Random, o.Seed)
	case "shuffled":
		s.points = shuffled(gridAbout(mesh, o.Side[0]), o.Seed)
	default:
		s.points = gridAbout(mesh, o.Side[0])
	}
	return s
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

// start finds the true places, and the sample of the points for a method.
func (s *insideScene) start(e *Env, o *InsideOptions, method string) (measure func() float64, row func(peers.Times) InsideRow) {
	r := s.newRow(method)
	r.Workers, r.Backend, r.Setup, r.Note = o.Workers, cpu.Selected(), math.Inf(1), "-"
	s.know(e, o, method)
	clock := clockFor(o.Workers)
	rowsOf := s.sampled(method, o)
	points, truth := chosen(s.points, rowsOf), chosen(s.truth, rowsOf)
	r.Tried = len(points)
	measure = func() float64 {
		places, values := make([]inside.Place, len(points)), make([]float64, len(points))
		began := clock()
		solid, err := inside.New(s.mesh, insideOptions(method, o, len(s.points)))
		e.check(err)
		r.Setup = min(r.Setup, 1e3*(clock()-began).Seconds())
		began = clock()
		err = solid.Locate(points, places, values)
		took := clock() - began
		solid.Close()
		e.check(err)
		q := &solid.Report
		r.Bound, r.Bytes = q.Bound, float64(q.Bytes)/float64(r.Faces)
		if direct := q.Near + q.Summed; direct == q.Cells && direct > 0 {
			r.Note = "direct" // no cell uses an expansion
		} else if direct > 0 {
			r.Note = fmt.Sprintf("%d/%d direct", direct, q.Cells)
		}
		r.compare(places, values, truth, chosen(s.values, rowsOf))
		return float64(took.Nanoseconds()) / float64(len(points))
	}
	return measure, func(t peers.Times) InsideRow {
		r.NsPoint = t.Least()
		return r
	}
}

// compare counts the wrong places and computes the largest error. trueValues are those of an open
// mesh, or nil.
func (r *InsideRow) compare(places []inside.Place, values []float64, truth []inside.Place, trueValues []float64) {
	sum := uint64(fnvOffset)
	r.Wrong, r.On, r.Error = 0, 0, 0
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

// checkInside returns errors for rows that contradict what their methods promise: a wrong place by a method
// that is exact or has a bound, or an error above the bound. winding-fast promises nothing, nor do other libraries.
func checkInside(rows []InsideRow) error {
	var wrong []error
	for i := range rows {
		r := &rows[i]
		switch {
		case !slices.Contains(insideMethods, r.Method) || r.Method == string(inside.WindingFast):
		case r.Wrong > 0:
			wrong = append(wrong, fmt.Errorf("bench: %s, %s: %d of %d places are wrong, expected none", r.Mesh, r.Method, r.Wrong, r.Tried))
		case !(r.Error <= r.Bound+insideRounding):
			wrong = append(wrong, fmt.Errorf("bench: %s, %s: a value is off by %.2g, expected at most %.2g", r.Mesh, r.Method, r.Error, r.Bound+insideRounding))
		}
	}
	return errors.Join(wrong...)
}

// insideRounding, added to a bound, is more than the rounding of sums of solid angles.
const insideRounding = 1e-9

// peer returns the row of another library, on one worker. If the library is missing or has failed,
// the note has the reason.
func (s *insideScene) peer(e *Env, o *InsideOptions, b *peers.Bench, name string) InsideRow {
	row := s.newRow(name)
	if slices.ContainsFunc(s.mesh.Faces, func(f []int) bool { return len(f) != 3 }) {
		row.Note = "not run: the mesh has faces that are not triangles"
		return row
	}
	s.know(e, o, string(inside.Auto))
	r, err := b.Inside(e.ctx, name, s.points, s.mesh, o.Repeat)
	e.check(err)
	if row.Note = r.Note(); r.Problem != "" {
		return row
	}
	row.Tried = len(s.points)
	row.Setup, row.NsPoint = 1e3*r.Setup.Least(), 1e9*r.Query.Least()/float64(len(s.points))
	row.comparePlaces(r.Places, s.truth)
	return row
}

// comparePlaces counts the wrong places of another library. A library that does not detect the
// surface may report inside or outside for points on it.
func (r *InsideRow) comparePlaces(places []byte, truth []inside.Place) {
	knows := slices.Contains(places, byte(inside.On))
	for i, place := range places {
		if truth[i] == inside.On {
			r.On++
			if !knows {
				continue
			}
		}
		if place != byte(truth[i]) {
			r.Wrong++
		}
	}
}
