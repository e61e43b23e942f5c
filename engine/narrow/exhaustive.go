package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Exhaustive answers two polyhedra by trying everything: all facets of K (see separating) and, for a
// pair apart, all pairs of vertices and edges. It always converges and is what NotConverged falls back
// to. Balls go their usual way, which is exhaustive already. Cost: a few µs for two cubes that
// overlap, growing with edges of A times edges of B; four times that for a pair apart.
func (s *Search) Exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.exhaustive(a, pa, b, pb, coreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

func (s *Search) exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	if a.Kind == soa.Ball || a.Kind == soa.Facet {
		s.pair(a, pa, b, pb, reach, out)
		return
	}
	*out = Answer{Level: LevelSearch}
	if !s.load(a, pa, b, pb) {
		out.Status = Degenerate
		return
	}
	best := s.separating(-float64(reach*s.scale) - s.tol.round)
	lower := -best.h - s.tol.round
	if lower > reach*s.scale {
		s.farAnswer(best.n, lower, out)
		return
	}
	if s.facetsAnswer(best, out) {
		return
	}
	s.distance(best, out)
}

// distance answers a pair that some facet of K proves apart. Its distance is that of the facet, if the
// foot of the origin lies inside it, and otherwise that of the nearest two vertices, or vertex and
// edge. Which of the two holds shows in the proof: both are tried. Of several facets that tie, best may
// be one beside the foot, whose direction does not touch all the features it should: if
// nothing is proven they are drawn from a wider band below the support, at last from all vertices.
func (s *Search) distance(best shallowest, out *Answer) {
	type line struct {
		d float64
		n vec.Vec3
	}
	d, n := s.nearestOfAllCorners()
	lines := [2]line{{-best.h, best.n}, {d, n}}
	for _, widen := range [3]float64{0, s.unit / (1 << 20), math.Inf(1)} {
		for _, l := range lines {
			*out = Answer{Level: LevelSearch}
			s.near(l.n, max(s.band(l.d), widen))
			if s.nearestFacet(l.n, l.d, out) || s.nearestCorner(l.d, out) {
				return
			}
		}
	}
	out.Status = NotConverged
}

// nearestOfAllCorners returns the least distance of a vertex of one body to a vertex or edge of the
// other, and its direction.
func (s *Search) nearestOfAllCorners() (d float64, n vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	keep := func(w vec.Vec3) {
		if ww := w.Norm2(); ww < least {
			least, line = ww, w
		}
	}
	for i := range s.va.NVerts {
		p := s.a.at(i)
		for e := range s.vb.Edge {
			q, q1 := s.edgeB(e)
			w, _ := closestOnSegment(q.Sub(p), q1.Sub(p))
			keep(w)
		}
	}
	for j := range s.vb.NVerts {
		q := s.b.at(j)
		for e := range s.va.Edge {
			p, p1 := s.edgeA(e)
			w, _ := closestOnSegment(p.Sub(q), p1.Sub(q))
			keep(w.Neg())
		}
	}
	return math.Sqrt(least), line.Unit()
}
