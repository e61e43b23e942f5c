package inside

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Place is where a point lies. Its String is the text used in tables: 0, 1 or on.
type Place = tri.Place

const (
	Outside = tri.Outside
	Inside  = tri.Inside
	On      = tri.On // the surface
)

// Options are the options of New. The zero value selects the exact method on all processors.
type Options struct {
	Method  Method // "" means Auto
	Workers int    // 1 to 1024; 0 means GOMAXPROCS
	Pin     bool   // pin each worker to a logical processor of its own; Linux only
	Seed    uint64 // of the rays of method ray

	// Options of method fmm; 0 or "" lets the method choose.
	Degree int    // of the expansions; 0: the least from 4 to 6 whose bound proves all cells; or DegreeOfTriangles
	Leaf   int    // largest number of triangles in an undivided cluster
	Depth  string // of the tree of clusters: "well" (from triangles and Points), "pre" (from triangles), or a number
	Points int    // expected number of points

	Separation float64 // d of equation (16), above 1 and at most MaxSeparation; 0: 2
	Direct     string  // "auto" or "": cells whose bound proves nothing are summed; "never": their expansions count
	Box        vec.Box // of the evaluation tree, in the mesh's frame; zero: the mesh's box. Points outside are summed one by one
}

// Solid is a mesh prepared for one method, in the mesh's frame. It is safe for concurrent use, but
// only one call of Locate runs at a time, on all workers.
type Solid struct {
	Report Report // what New found out about the mesh

	mu      sync.Mutex // guards job, ordered and pool
	surface *tri.Surface
	pool    *sched.Pool
	with    locator
	nodes   []vec.Vec3
	job     job
	ordered orderedJob
}

// New checks a mesh and prepares it for the method in o. New does not retain the mesh.
//
// Vertices with equal coordinates become one. Polygons are cut into triangles by removing ears of
// their projection along the largest component of their area vector, starting with the first
// corners of the file. If all faces of a closed mesh are oriented inwards, New reverses them and
// sets Report.Turned. A closed mesh must have winding number 0 or 1 everywhere, so a part inside
// another part must be a cavity, oriented inwards. New does not detect all overlaps; points in an
// undetected overlap are Inside. New accepts a closed mesh that encloses no volume and sets
// Report.Empty. New rejects a mesh without area.
//
// Methods winding and winding-fast also accept open meshes. Errors wrap those of package geometry
// and name the face, vertex or edge.
func New(m *geometry.Mesh, o Options) (*Solid, error) {
	if m == nil {
		return nil, mark.Errorf(geometry.ErrEmpty, "inside: the mesh is nil, expected vertices and faces")
	}
	s, err := newSolid(m, o)
	if err != nil {
		return nil, fmt.Errorf("inside: mesh %q: %w", m.Name, err)
	}
	return s, nil
}

func newSolid(m *geometry.Mesh, o Options) (*Solid, error) {
	var err error
	if o.Method, err = checkMethod(o.Method); err != nil {
		return nil, err
	}
	if o.Workers < 0 || o.Workers > maxWorkers {
		return nil, mark.Errorf(geometry.ErrValue, "%d workers, expected 0 to %d", o.Workers, maxWorkers)
	}
	start := time.Now()
	s := &Solid{Report: Report{Method: o.Method, Faces: len(m.Faces)}}
	r, err := s.check(m)
	if err != nil {
		return nil, err
	}
	s.nodes = r.Nodes()
	s.Report.CheckSeconds = time.Since(start).Seconds()
	if s.pool, err = sched.Open(o.Workers, o.Pin); err != nil {
		return nil, err
	}
	start = time.Now()
	s.surface = &r.Surface
	if s.with, err = s.setUp(s.surface, o); err != nil {
		s.pool.Close()
		return nil, err
	}
	s.Report.SetupSeconds = time.Since(start).Seconds()
	s.Report.Bytes = s.with.Bytes()
	return s, nil
}

// maxWorkers is the largest number of workers, equal to that of a world.
const maxWorkers = 1024

// Close stops the workers. Afterwards Locate runs on the calling goroutine alone.
func (s *Solid) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pool.Close()
}

// Workers returns the number of workers of Locate.
func (s *Solid) Workers() int { return s.pool.Workers() }

// chunkPoints is how many points a worker takes at a time: about 50 µs of the fastest method.
// chunkFew is for methods that test all triangles, so that a few hundred points keep all workers
// busy. chunkMany is for methods by clusters, which sort the points of a chunk; more points than
// that are sorted beforehand. The chunk never depends on the number of workers, because the
// grouping of points affects the rounding of methods by clusters.
const (
	chunkPoints = 4096
	chunkFew    = 64
	chunkMany   = clusters.MaxPoints
)

// chunk returns how many points of the method a worker takes at a time.
func (m Method) chunk() int {
	switch m {
	case Ray, Winding:
		return chunkFew
	case WindingFast, FMM:
		return chunkMany
	}
	return chunkPoints
}

// Locate locates points. It stores in places where they lie and, if values is not nil, in values
// their winding numbers as the method computes them. For auto and ray these are exactly 0, 1, or
// 0.5 on the surface. places and values must have the length of points.
//
// A point that is not finite is Outside with the value NaN. Locate then locates all other points,
// and returns an error that wraps geometry.ErrNotFinite and names the first such point, counted
// from 0. Locate allocates nothing for methods auto, ray and winding.
func (s *Solid) Locate(points []vec.Vec3, places []Place, values []float64) error {
	if len(places) != len(points) || values != nil && len(values) != len(points) {
		return mark.Errorf(geometry.ErrValue, "inside: %d points, places for %d and values for %d, expected the same length", len(points), len(places), len(values))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	j := &s.job
	j.with, j.points, j.places, j.values = s.with, points, places, values
	if s.Report.Method.byClusters() && len(points) > chunkMany {
		s.locateOrdered()
	} else {
		s.pool.For(len(points), s.Report.Method.chunk(), j)
	}
	n := int(j.bad.Swap(0))
	j.with, j.points, j.places, j.values = nil, nil, nil, nil
	if n > 0 {
		first := slices.IndexFunc(points, notFinite)
		return mark.Errorf(geometry.ErrNotFinite, "inside: point %d is %v, expected finite coordinates (%d such points)", first, points[first], n)
	}
	return nil
}

func notFinite(p vec.Vec3) bool { return !p.Finite() }

// job is one call of Locate on the pool.
type job struct {
	with   locator
	points []vec.Vec3
	places []Place
	values []float64
	bad    atomic.Int64 // points that are not finite
}

// Range locates a chunk: runs of finite points, and the points between them that are not finite.
func (j *job) Range(lo, hi, _ int) {
	for lo < hi {
		end := hi
		if n := slices.IndexFunc(j.points[lo:hi], notFinite); n >= 0 {
			end = lo + n
			j.refuse(end)
		}
		if lo < end {
			var values []float64
			if j.values != nil {
				values = j.values[lo:end]
			}
			j.with.Range(j.points[lo:end], j.places[lo:end], values)
		}
		lo = end + 1
	}
}

// refuse stores the result for a point that is not finite.
func (j *job) refuse(at int) {
	j.bad.Add(1)
	j.places[at] = Outside
	if j.values != nil {
		j.values[at] = math.NaN()
	}
}
