package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// narrowArc is the squared sine of the angle of two normals below which their arc is narrow, see leastOnArc: the
// sinusoid through its ends would err by more than a tie. Smaller: an edge in front may be
// missed; larger: more edges are tried.
const narrowArc = 1.0 / (1 << 6)

// fronts is memory for the features of two bodies that face each other.
//
// Let c be a point of B with a ball of radius r about it inside B (its centre). For a direction n with h_A(n) known,
// h_K(n) = h_A(n) + h_B(−n) ≥ u(n) + r with u(n) = h_A(n) − n·c, the height of A's supporting plane over c. So a face
// of A need not be tried if its u + r exceeds the best h_K known; for a body apart or touching that is all but the
// faces in front. A pair of edges has its normal on the arc between the normals of the two faces at A's edge, and
// there u is a sinusoid, for the edge's points are the support: its least value is at an end of the arc or, if it
// lies within, that of the whole circle. The same holds with A and B changed over.
type fronts struct {
	uA, uB  []float64 // u of each face
	edgesA  []uint16  // edges of A to be tried
	edges   []edgeOfB // edges of B to be tried
	row     []uint8   // signs of one edge of A times each normal of B
	crossed []crossed
}

// centres returns the centres of A and of B in the frame of A with the radii of their balls. Where nothing is known of a
// shape's inside its radius is minus infinite, which keeps every feature.
func (s *Search) centres() (c vec.Vec3, inA, inB float64) {
	inA, inB = math.Inf(-1), math.Inf(-1)
	if s.va.Inner > 0 {
		inA = s.va.Inner * s.scale
	}
	c = s.t
	switch {
	case s.vb.Kind == soa.Facet:
		c, inB = s.facetPoint(), 0
	case s.vb.Inner > 0:
		inB = s.vb.Inner * s.scale
	}
	return c, inA - float64(8*s.tol.tie), inB - float64(8*s.tol.tie)
}

// frontFaces evaluates the faces of A and of B that may be the shallowest: h_K in hA and hB, +Inf for the others, and
// the least. It ends early, and says true, at a face that keeps the bodies farther apart than near.
func (s *Search) frontFaces(first soa.FacetID, near float64) (best float64, apart bool) {
	c, inA, inB := s.centres()
	w := &s.fronts
	s.hA, w.uA = s.hA[:0], w.uA[:0]
	frontA := -1
	least := math.Inf(1)
	for f := range s.va.NFaces {
		n, d := s.planeA(f)
		u := d - n.Dot(c)
		s.hA, w.uA = append(s.hA, math.Inf(1)), append(w.uA, u)
		if u < least {
			least, frontA = u, f
		}
	}
	s.hB, w.uB = s.hB[:0], w.uB[:0]
	// B's planes are taken in B's frame, and brought over only where they are needed.
	z := s.rot.TMulVec(s.t).Neg()
	frontB := -1
	least = math.Inf(1)
	for g := range s.vb.NFaces {
		u := float64(s.vb.D[g]*s.scale) - s.vb.Normal(soa.Face(g)).Dot(z)
		s.hB, w.uB = append(s.hB, math.Inf(1)), append(w.uB, u)
		if u < least {
			least, frontB = u, g
		}
	}
	switch first.Kind {
	case soa.FaceVertex:
		frontA = int(first.A)
	case soa.VertexFace:
		frontB = int(first.B)
	}
	limit := -near - s.tol.round - s.tol.tie
	best = s.tryFaceA(frontA)
	if best = min(best, s.tryFaceB(frontB)); best < limit {
		return best, true
	}
	for f, u := range w.uA {
		if u+inB <= best+s.tol.tie && f != frontA {
			if best = min(best, s.tryFaceA(f)); best < limit {
				return best, true
			}
		}
	}
	for g, u := range w.uB {
		if u+inA <= best+s.tol.tie && g != frontB {
			if best = min(best, s.tryFaceB(g)); best < limit {
				return best, true
			}
		}
	}
	return best, false
}

func (s *Search) tryFaceA(f int) float64 {
	n, d := s.planeA(f)
	s.hA[f] = d - s.b.bottom(n)
	return s.hA[f]
}

func (s *Search) tryFaceB(g int) float64 {
	m, d := s.planeB(g)
	s.hB[g] = d - s.a.bottom(m)
	return s.hB[g]
}

// frontEdges lowers the least h_K of the faces by the pairs of edges in front, and ends early as frontFaces does. A list
// with contacts of the step before narrows them down to those in its slab.
func (s *Search) frontEdges(face, near float64, list *ContactList) (best float64, apart bool) {
	s.edges = s.edges[:0]
	best = face
	s.edgesInFront(face, s.slab(list, face))
	w := &s.fronts
	if len(w.edges) == 0 || len(w.edgesA) == 0 {
		return best, false
	}
	s.mB = s.mB[:0]
	for g := range s.vb.NFaces {
		s.mB = append(s.mB, s.rot.MulVec(s.vb.Normal(soa.Face(g))))
	}
	limit := -near - s.tol.round - s.tol.tie
	for _, e := range w.edgesA {
		if best = s.edgeAgainst(int(e), w.edges, best, face); best < limit {
			return best, true
		}
	}
	return best, false
}

// edgesInFront lists the edges of A and of B whose arcs may hold a direction along which K is shallower than best. If
// slab is set, only those with an end in nearA and nearB.
func (s *Search) edgesInFront(best float64, slab bool) {
	_, inA, inB := s.centres()
	w := &s.fronts
	w.edges, w.edgesA = w.edges[:0], w.edgesA[:0]
	limit := best + s.tol.tie
	level := s.va.Rooms[0].Depth > 0 // all faces are, where rooms are known
	s.markAll(s.nearA, s.va.NVerts)
	for e, h := range s.va.Edge {
		if slab && !s.mark[s.va.Tail[h]] && !s.mark[s.va.Head(h)] {
			continue
		}
		if leastOnEdge(s.va, h, w.uA, level)+inB <= limit {
			w.edgesA = append(w.edgesA, uint16(e))
		}
	}
	s.unmark(s.nearA)
	level = s.vb.Rooms[0].Depth > 0
	s.markAll(s.nearB, s.vb.NVerts)
	for e, h := range s.vb.Edge {
		if slab && !s.mark[s.vb.Tail[h]] && !s.mark[s.vb.Head(h)] {
			continue
		}
		if leastOnEdge(s.vb, h, w.uB, level)+inA <= limit {
			w.edges = append(w.edges, s.edgeOfB(e))
		}
	}
	s.unmark(s.nearB)
}

// slab fills nearA and nearB with the vertices in the search region of the contact planes of the step before, and says
// false where that is no guide. face is the least h_K of the faces.
//
// Let n be the normal of those planes, h = h_K(n), and g the distance of two points of A and B: those of a contact of
// the step before, where they are now. If the bodies overlap, the shallowest facet of K is no deeper than h and
// than face, and holds its foot: if it is a pair of edges, they have points p and q no farther apart than that. If the
// bodies are apart, a facet that holds the nearest points p and q proves it, and these are no farther apart than g.
// In both cases n·p ≥ max n·a − T and n·q ≤ min n·b + T with T = h + max(min(h, face), g), for n·p ≤ max n·a and
// n·q ≥ min n·b; and an edge with a point in there has an end in there. So the slab that the paper
// searches loses no facet if it is as thick as the overlap, twice, and the motion since.
func (s *Search) slab(list *ContactList, face float64) bool {
	s.nearA, s.nearB = s.nearA[:0], s.nearB[:0]
	for i := range list.Basic {
		c := &list.Basic[i]
		if c.Type == TypeVertexFace || c.Type == TypeFaceVertex {
			continue
		}
		n := s.pa.RotateInv(c.Normal)
		p, q := s.points(c, n)
		high, low := s.a.top(n), s.b.bottom(n)
		h := high - low
		thick := h + max(min(h, face), q.Sub(p).Norm()) + float64(8*s.tol.tie)
		if !(thick < s.unit/8) {
			return false
		}
		s.nearA = appendBelow(s.nearA, &s.a, n.Neg(), thick-high)
		s.nearB = appendBelow(s.nearB, &s.b, n, thick+low)
		return true
	}
	return false
}

// leastOnEdge returns a lower bound of u(n), see fronts, for n between the normals of the two faces at a half-edge. Faces
// that are not level have no such bound, and the arc of a facet's rim is half the circle: there it is −Inf.
func leastOnEdge(v *soa.View, h soa.HalfEdge, u []float64, level bool) float64 {
	k := v.Twin[h]
	left, right := v.Face[h], v.Face[k]
	if !level && !(v.Rims[h].Rise > 0 && v.Rims[k].Rise > 0) || v.Kind != soa.Block {
		return math.Inf(-1)
	}
	u1, u2 := u[left], u[right]
	if u1 >= 0 && u2 >= 0 {
		return min(u1, u2)
	}
	return leastOnArc(u1, u2, v.Normal(left).Dot(v.Normal(right)))
}

// leastOnArc returns the least value of a sinusoid on an arc whose ends' directions have cosine c, from its values
// there, one of them negative. The circle has it in the direction −(u1 − c·u2)·n1 − (u2 − c·u1)·n2 up to length, and it is
// −√((u1² + u2² − 2c·u1·u2)/(1 − c²)); beyond the arc, the lesser end counts. Where the arc is so narrow that this
// would lose digits, the end's value over the cosine is a bound.
func leastOnArc(u1, u2, c float64) float64 {
	x, y := u1-float64(c*u2), u2-float64(c*u1)
	if x > 0 || y > 0 {
		return min(u1, u2)
	}
	sine2 := 1 - float64(c*c)
	switch {
	case sine2 > narrowArc:
		return -math.Sqrt((float64(u1*x) + float64(u2*y)) / sine2)
	case c > 0:
		return min(u1, u2) / c
	}
	return math.Inf(-1)
}
