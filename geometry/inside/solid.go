package inside

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Place says where a point lies. Its String is the word of tables: 0, 1 or on.
type Place = tri.Place

const (
	Outside = tri.Outside
	Inside  = tri.Inside
	On      = tri.On // the surface
)

// Options of New. The zero value asks for the exact method on all processors.
type Options struct {
	Method  Method // "" is Auto
	Workers int    // 1 to 1024; 0: as many as GOMAXPROCS
	Pin     bool   // each worker to a logical processor of its own; Linux only
	Seed    uint64 // of the rays of method ray

	// Of method fmm; 0 or "" leaves the choice to the method.
	Degree int    // of the expansions
	Leaf   int    // triangles of a cluster that is not divided
	Depth  string // of the tree of clusters: "well" (from triangles and Points), "pre" (from triangles), or a number
	Points int    // how many points are expected
}

// Solid is a mesh prepared for one method, in the mesh's frame. Several goroutines may call its
// methods; calls of Locate wait for each other, since each runs on all workers.
type Solid struct {
	Report Report

	mu      sync.Mutex // of job, ordered and pool
	surface *tri.Surface
	pool    *sched.Pool
	with    locator
	nodes   []vec.Vec3
	job     job
	ordered orderedJob
}

// New checks a mesh and prepares it. The mesh is not kept.
//
// Vertices with equal coordinates are one. Polygons are cut into triangles: by ears of their
// projection along the largest component of their area vector, first corners of the file first. A
// mesh whose faces all turn inwards is turned, and Report.Turned says so. A closed mesh must have
// winding number 0 or 1 everywhere: a part inside another must be a cavity, turned inwards. New
// does not see all overlaps. Points of those it does not see are Inside. A closed mesh that encloses nothing is
// taken, and Report.Empty says so; one without area is refused.
//
// Methods winding and winding-fast take open meshes too. Errors wrap those of package geometry and
// name the face, vertex or edge.
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
	s.nodes = r.Verts
	s.Report.CheckSeconds = time.Since(start).Seconds()
	if s.pool, err = newPool(&o); err != nil {
		return nil, err
	}
	s.job.bad = make([]badRow, s.pool.Workers())
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

// maxWorkers is what a world takes.
const maxWorkers = 1024

func newPool(o *Options) (*sched.Pool, error) {
	if o.Pin {
		return sched.NewPinned(o.Workers)
	}
	return sched.New(o.Workers), nil
}

// Close ends the workers. Locate then runs on the caller alone.
func (s *Solid) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pool.Close()
}

// Workers returns how many workers Locate has.
func (s *Solid) Workers() int { return s.pool.Workers() }

// chunkPoints is how many points a worker takes at a time: some 50 µs of the fastest method, and
// enough for a method that sorts them. Methods that try all triangles take chunkFew, so that a few
// hundred points keep all workers busy. Methods by clusters take chunkMany, of points that are
// sorted where they are more. It never depends on the workers, for how points are grouped reaches
// the rounding of these methods.
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

// Locate answers points: places gets where they lie and values, if not nil, the winding numbers
// as the method computes them (auto and ray: exactly 0, 1, or 0.5 on the surface). Both have room
// for all points. A point that is not finite is Outside with value NaN; the error then names the
// first such row, counted from 0, and the others are answered. Locate allocates nothing for
// methods auto, ray and winding.
func (s *Solid) Locate(points []vec.Vec3, places []Place, values []float64) error {
	if len(places) != len(points) || values != nil && len(values) != len(points) {
		return mark.Errorf(geometry.ErrValue, "inside: %d points, places for %d and values for %d, expected the same length", len(points), len(places), len(values))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	j := &s.job
	j.with, j.points, j.places, j.values = s.with, points, places, values
	var first, n int
	if s.Report.Method.byClusters() && len(points) > chunkMany {
		first, n = s.locateOrdered()
	} else {
		first, n = s.locateInOrder()
	}
	*j = job{bad: j.bad}
	if n > 0 {
		return mark.Errorf(geometry.ErrNotFinite, "inside: point %d is %v, expected finite coordinates (%d such points)", first, points[first], n)
	}
	return nil
}

// locateInOrder answers the points of s.job as they come, and returns the first that is not
// finite, or -1, and how many there are.
func (s *Solid) locateInOrder() (first, n int) {
	j := &s.job
	for w := range j.bad {
		j.bad[w] = badRow{row: -1}
	}
	s.pool.For(len(j.points), s.Report.Method.chunk(), j)
	first = -1
	for _, b := range j.bad {
		if b.row >= 0 && (first < 0 || b.row < first) {
			first = b.row
		}
		n += b.n
	}
	return first, n
}

// job is one call of Locate on the pool.
type job struct {
	with   locator
	points []vec.Vec3
	places []Place
	values []float64
	bad    []badRow // by worker
}

// badRow is the first row whose point is not finite, and how many there are. 64 bytes, so that
// workers do not share a line of the cache.
type badRow struct {
	row, n int
	_      [6]int
}

// Range answers a chunk.
func (j *job) Range(lo, hi, worker int) {
	points, places := j.points[lo:hi], j.places[lo:hi]
	var values []float64
	if j.values != nil {
		values = j.values[lo:hi]
	}
	bad := 0
	for _, p := range points {
		if !p.Finite() {
			bad++
		}
	}
	if bad == 0 {
		j.with.Range(points, places, values)
		return
	}
	// Runs of finite points between the others.
	b := &j.bad[worker]
	from := 0
	for i := 0; i <= len(points); i++ {
		if i < len(points) && points[i].Finite() {
			continue
		}
		if i > from {
			var v []float64
			if values != nil {
				v = values[from:i]
			}
			j.with.Range(points[from:i], places[from:i], v)
		}
		from = i + 1
		if i == len(points) {
			break
		}
		places[i] = Outside
		if values != nil {
			values[i] = math.NaN()
		}
		if b.n++; b.row < 0 || lo+i < b.row {
			b.row = lo + i
		}
	}
}
