package methods

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Direct answers two polyhedra by the direct search: all pairs of vertex and face, vertex and
// vertex, vertex and edge, and edge and edge, every time, whatever is found on the way. The gap is
// the distance or minus the depth, of any pair, and the list gets type and contacts of a pair
// within dtol, m, of each other.
//
// Source: the direct search that the fast direct search is compared with. It is written to be as
// fast as a search that skips nothing can be: columns of vertices against one plane, edges of B
// brought over once, and the normal of two edges only where the signs of eight products say that
// they make a facet of K. Where we depart: distances are signed and the shallowest facet of K
// wins, with ties to the lowest id, so that the answer is that of Exhaustive. Cost: 3 to 6 µs for
// two cubes; vertices × faces and edges × edges. It always converges.
func (s *Methods) Direct(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, _, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	if !s.begin(a, pa, b, pb, list, out) {
		return false
	}
	best := s.allEdges(s.FaceAxes())
	s.nearestAtAll(s.Choose(best), out)
	s.end(dtol, typing.UpdateNone, list, out)
	return false
}

// nearestAtAll answers a pair by its shallowest facet, or where that proves it apart by the nearest of that and all corners.
func (s *Methods) nearestAtAll(facet facets.Shallowest, out *pair.Answer) {
	if !s.FacetsAnswer(facet, out) {
		d, n := s.allCorners()
		s.NearestOf(facet, d, n, out)
	}
}

// allCorners returns the least distance between a vertex of one body and a vertex or edge of the
// other, and its direction, A to B.
func (s *Methods) allCorners() (float64, vec.Vec3) {
	s.Near(vec.Vec3{X: 1}, math.Inf(1))
	return s.corners()
}

// corners is allCorners for the vertices in NearA and NearB, and the edges that have an end there.
func (s *Methods) corners() (float64, vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	for _, i := range s.NearA {
		p := s.HullA.At(int(i))
		for _, j := range s.NearB {
			w := s.HullB.At(int(j)).Sub(p)
			if ww := w.Norm2(); ww < least {
				least, line = ww, w
			}
		}
	}
	s.eachNear(s.ViewB, s.NearB, true, func(e int) {
		q, q1 := s.EdgeB(e)
		least, line = nearestVertex(&s.HullA, q, q1, 1, least, line)
	})
	s.eachNear(s.ViewA, s.NearA, true, func(e int) {
		p, p1 := s.EdgeA(e)
		least, line = nearestVertex(&s.HullB, p, p1, -1, least, line)
	})
	return math.Sqrt(least), line.Unit()
}

// nearestVertex lowers the least squared distance by the vertices of a body whose foot on the
// segment qq1 lies between its ends, which the pairs of vertices leave out. sign is 1 where the
// vector from vertex to foot goes from A to B.
func nearestVertex(h *pair.Hull, q, q1 vec.Vec3, sign, least float64, line vec.Vec3) (float64, vec.Vec3) {
	e := q1.Sub(q)
	ee := e.Norm2()
	x, y, z := h.X, h.Y, h.Z
	y, z = y[:len(x)], z[:len(x)]
	for i := range x {
		w := vec.Vec3{X: q.X - x[i], Y: q.Y - y[i], Z: q.Z - z[i]}
		from := -w.Dot(e)
		// The squared distance is |w|² − from²/|e|²; a division is due only where it may be the least, for all that the
		// difference of two large numbers tells.
		far := float64(w.Norm2() * ee)
		room := float64(float64(least*ee)*(1+0x1p-20)) + float64(far*0x1p-48) - (far - float64(from*from))
		// One branch for the three, by their signs: where the foot lies is as good as random.
		if int64(math.Float64bits(from)|math.Float64bits(ee-from)|math.Float64bits(room)) < 0 {
			continue
		}
		w = w.AddScaled(from/ee, e)
		if ww := w.Norm2(); ww < least {
			least, line = ww, w.Scale(sign)
		}
	}
	return least, line
}

// allEdges lowers the least h_K of the faces by all pairs of edges.
func (s *Methods) allEdges(face float64) float64 {
	s.bringEdges()
	best := face
	for e := range s.ViewA.Edge {
		best = s.edgeAgainst(e, s.Fronts.Edges, best, face)
	}
	return best
}

// bringEdges brings all edges of B over, and forgets the pairs of edges noted.
func (s *Methods) bringEdges() {
	s.NormalsOfB()
	s.Edges = s.Edges[:0]
	w := &s.Fronts
	w.Edges = w.Edges[:0]
	for e := range s.ViewB.Edge {
		w.Edges = append(w.Edges, s.edgeOfB(e))
	}
}
