package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Exhaustive answers two polyhedra by trying everything: all facets of K (see separating) and, for a
// pair apart, all pairs of vertices and edges. It always converges and is what NotConverged falls back
// to. Balls and planes go their usual way, which is exhaustive already. Cost: a few µs for two cubes that
// overlap, growing with edges of A times edges of B; four times that for a pair apart.
func (s *Search) Exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.exhaustive(a, pa, b, pb, coreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

func (s *Search) exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	if a.Kind != soa.Block || b.Kind == soa.Plane {
		s.pair(a, pa, b, pb, reach, out)
		return
	}
	*out = Answer{Level: LevelSearch}
	if !s.load(a, pa, b, pb) {
		out.Status = Degenerate
		return
	}
	// Of facets that tie the lowest is named: one above the floor must not stand for one below, which ends the search.
	reach = max(reach*s.scale, s.tol.close)
	best := s.separating(-reach - s.tol.round - 2*s.tol.tie)
	lower := -best.h - s.tol.round
	if lower > reach {
		s.farAnswer(best.n, lower, out)
		return
	}
	if s.facetsAnswer(best, out) {
		return
	}
	s.distance(best, out)
}

// distance answers a pair that some facet of K proves apart.
func (s *Search) distance(best shallowest, out *Answer) {
	d, n := s.nearestOfAllCorners()
	s.nearestOf(best, d, n, out)
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
