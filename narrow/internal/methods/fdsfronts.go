package methods

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// narrowArc is the squared sine of the angle between two normals below which their arc is narrow
// (see leastOnArc). On a narrower arc, the sinusoid through its ends would have an error of more
// than a tie. Smaller: an edge in front may be missed. Larger: more edges are tried.
const narrowArc = 1.0 / (1 << 6)

// fronts is memory for the features of two bodies that face each other.
//
// Let c be the centre of B, and r the radius of a ball about c inside B. For a direction n with
// known h_A(n),
//
//	h_K(n) = h_A(n) + h_B(−n) ≥ u(n) + r, where u(n) = h_A(n) − n·c
//
// is the height of A's supporting plane over c. A face of A need not be tried if its u + r exceeds
// the best h_K known. For bodies apart or touching, only the faces in front remain.
//
// The normal of a pair of edges lies on the arc between the normals of the two faces at A's edge.
// On this arc u is a sinusoid, because the points of the edge are the support. Its minimum is at an
// end of the arc, or it is the minimum of the whole circle if that lies within the arc. The same
// holds with A and B exchanged.
type fronts struct {
	u       []float64 // of each face of the pair
	EdgesA  []uint16  // edges of A to be tried
	Edges   []edgeOfB // edges of B to be tried
	row     []uint8   // signs of the products of one edge of A with each normal of B
	crossed []crossed
	valid   int // pairs of edges that were valid entrances by their signs
}

// centres returns the centre of B in the frame of A, and the radii of the inscribed balls of A and
// of B. The radii are reduced by a margin for rounding. A's centre is the origin. A radius is −∞ if
// nothing is known of the inside of a shape; no feature is then dropped.
func (s *Methods) centres() (c vec.Vec3, inA, inB float64) {
	inA, inB = math.Inf(-1), math.Inf(-1)
	if s.ViewA.Inner > 0 {
		inA = s.ViewA.Inner * s.Scale
	}
	if s.ViewB.Inner > 0 || s.ViewB.Kind.IsFlat() {
		inB = s.ViewB.Inner * s.Scale
	}
	return s.CentreOfB(), inA - float64(8*s.Tol.Tie), inB - float64(8*s.Tol.Tie)
}

// frontFaces evaluates the faces of A and of B that may be the shallowest. It sets H to their h_K,
// +Inf for the other faces, and returns the least. It stops at a face that separates the bodies by
// more than near, and then returns true.
func (s *Methods) frontFaces(first soa.FacetID, near float64) (best float64, apart bool) {
	c, inA, inB := s.centres()
	w := &s.Fronts
	s.H, w.u = s.H[:0], w.u[:0]
	nA := s.ViewA.NFaces
	frontA, least := -1, math.Inf(1)
	for f := range nA {
		n, d := s.PlaneA(f)
		u := d - n.Dot(c)
		s.H, w.u = append(s.H, math.Inf(1)), append(w.u, u)
		if u < least {
			least, frontA = u, f
		}
	}
	// B's planes are evaluated in B's frame, and transformed only if needed.
	z := s.Rot.TMulVec(s.OriginB).Neg()
	frontB, least := -1, math.Inf(1)
	for g := range s.ViewB.NFaces {
		u := float64(s.ViewB.D[g]*s.Scale) - s.ViewB.Normal(soa.Face(g)).Dot(z)
		s.H, w.u = append(s.H, math.Inf(1)), append(w.u, u)
		if u < least {
			least, frontB = u, nA+g
		}
	}
	switch first.Kind {
	case soa.FaceVertex:
		frontA = int(first.A)
	case soa.VertexFace:
		frontB = nA + int(first.B)
	}
	limit := -near - s.Tol.Round - s.Tol.Tie
	best = min(s.tryFace(frontA), s.tryFace(frontB))
	for k := 0; k < len(w.u) && !(best < limit); k++ {
		inner := inB
		if k >= nA {
			inner = inA
		}
		if w.u[k]+inner <= best+s.Tol.Tie && k != frontA && k != frontB {
			best = min(best, s.tryFace(k))
		}
	}
	return best, best < limit
}

// tryFace evaluates face k of the pair.
func (s *Methods) tryFace(k int) float64 {
	if k < s.ViewA.NFaces {
		s.Paper.Checks.FaceVertex += s.ViewB.NVerts
	} else {
		s.Paper.Checks.VertexFace += s.ViewA.NVerts
	}
	n, d, other := s.Face(k)
	s.H[k] = d - other.Bottom(n)
	return s.H[k]
}

// frontEdges evaluates the pairs of edges in front, and returns the least of their h_K and face,
// the least of the faces. It ends early as frontFaces does. If the list has contacts of the last
// step, only the edges in their slab are tried.
func (s *Methods) frontEdges(face, near float64, list *typing.ContactList) (best float64, apart bool) {
	s.Edges = s.Edges[:0]
	best = face
	s.edgesInFront(face, s.slab(list, face))
	w := &s.Fronts
	if len(w.Edges) == 0 || len(w.EdgesA) == 0 {
		return best, false
	}
	s.NormalsOfB()
	limit := -near - s.Tol.Round - s.Tol.Tie
	for _, e := range w.EdgesA {
		if best = s.edgeAgainst(int(e), w.Edges, best, face); best < limit {
			return best, true
		}
	}
	return best, false
}

// edgesInFront lists the edges of A and of B whose arcs may contain a direction along which K is
// shallower than best. If slab is set, only edges with an end in NearA and NearB are listed.
func (s *Methods) edgesInFront(best float64, slab bool) {
	_, inA, inB := s.centres()
	w := &s.Fronts
	w.Edges, w.EdgesA = w.Edges[:0], w.EdgesA[:0]
	limit := best + s.Tol.Tie
	s.EachNear(s.ViewA, s.NearA, slab, func(e int) {
		if leastOnEdge(s.ViewA, s.ViewA.Edge[e], w.u)+inB <= limit {
			w.EdgesA = append(w.EdgesA, uint16(e))
		}
	})
	s.EachNear(s.ViewB, s.NearB, slab, func(e int) {
		if leastOnEdge(s.ViewB, s.ViewB.Edge[e], w.u[s.ViewA.NFaces:])+inA <= limit {
			w.Edges = append(w.Edges, s.edgeOfB(e))
		}
	})
}

// slab fills NearA and NearB with the vertices in the search region of the last step's contact
// planes. It returns false if that region is no guide. face is the least h_K of the faces.
//
// Let n be the normal of those planes and h = h_K(n). Let g be the distance between two points of A
// and B: those of a contact of the last step, at their present positions.
//
// If the bodies overlap, the shallowest facet of K is no deeper than h and face, and contains the
// projection of the origin. If it is a pair of edges, these have points p and q no farther apart
// than min(h, face). If the bodies are apart, the facet that contains the nearest points p and q
// proves it, and p and q are no farther apart than g.
//
// In both cases n·p ≥ max n·a − T and n·q ≤ min n·b + T with T = h + max(min(h, face), g), because
// n·p ≤ max n·a and n·q ≥ min n·b. An edge with a point in that region has an end in it. The slab
// that the paper searches therefore loses no facet if it is as thick as twice the overlap plus the
// motion since.
func (s *Methods) slab(list *typing.ContactList, face float64) bool {
	s.NearA, s.NearB = s.NearA[:0], s.NearB[:0]
	for i := range list.Basic {
		c := &list.Basic[i]
		if c.Type == typing.TypeVertexFace || c.Type == typing.TypeFaceVertex {
			continue
		}
		n := s.RotA.RotateInv(c.Normal)
		p, q := s.Typist().Points(c, n)
		high, low := s.HullA.Top(n), s.HullB.Bottom(n)
		h := high - low
		thick := h + max(min(h, face), q.Sub(p).Norm()) + float64(8*s.Tol.Tie)
		if !(thick < s.LengthScale/8) {
			return false
		}
		s.NearA = pair.AppendBelow(s.NearA, &s.HullA, n.Neg(), thick-high)
		s.NearB = pair.AppendBelow(s.NearB, &s.HullB, n, thick+low)
		return true
	}
	return false
}

// leastOnEdge returns a lower bound of u(n) (see fronts) for n between the normals of the two faces
// at a half-edge. It returns −Inf if there is no such bound: for faces that are not planar, and for
// the boundary edges of a facet, whose arc is half a circle.
func leastOnEdge(v *soa.View, h soa.HalfEdge, u []float64) float64 {
	k := v.Twin[h]
	left, right := v.Face[h], v.Face[k]
	planar := v.Clearances[0].Depth > 0 // all faces are planar if Clearances is known
	if !planar && !(v.Rims[h].Rise > 0 && v.Rims[k].Rise > 0) || !v.Kind.IsPolyhedron() {
		return math.Inf(-1)
	}
	u1, u2 := u[left], u[right]
	if u1 >= 0 && u2 >= 0 {
		return min(u1, u2)
	}
	return leastOnArc(u1, u2, v.Normal(left).Dot(v.Normal(right)))
}

// leastOnArc returns the least value of a sinusoid on an arc. u1 and u2 are its values at the ends,
// of which one must be negative. c is the cosine of the angle between the ends' directions n1 and
// n2.
//
// The least value on the circle is −√((u1² + u2² − 2c·u1·u2)/(1 − c²)), in the direction −(u1 −
// c·u2)·n1 − (u2 − c·u1)·n2, not normalised. If that direction lies outside the arc, the lesser end
// is the minimum. If the arc is so narrow that the formula would lose digits, the lesser end's
// value over the cosine is a bound.
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
