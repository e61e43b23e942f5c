package facets

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Facets is a pair with memory for a search over all facets of K.
type Facets struct {
	pair.Frame
	separatingAxes
	Simplex
}

// separatingAxes is memory for the exhaustive search over the facets of K.
type separatingAxes struct {
	H        []float64     // h_K along the outward normal of each face of A, then against that of each face of B
	MB       []vec.Vec3    // outward normals of B's faces, frame of A: see NormalsOfB
	eB       []vec.Vec3    // edges of B, tail to head of the lower half-edge
	fB1, fB2 []soa.Face    // faces to the left and right of those edges
	besideB  [][2]vec.Vec3 // vectors from the tail of each edge to the next vertices of its two faces
	row      []float64     // dot products of one edge of A with the normals of B
	Edges    []Scored      // edge pairs within a tie of the best
}

// Scored is an edge pair with its h_K.
type Scored struct {
	H float64
	soa.FacetID
}

// Shallowest is the result of a search over the facets of K.
type Shallowest struct {
	H  float64     // least h_K over the facets: the depth, or minus the gap along the best axis
	ID soa.FacetID // the lowest of the facets that tie
	N  vec.Vec3    // unit normal of that facet, A to B
}

// Separating returns the shallowest facet of K, by trying all facets: the separating axis test.
//
// Source: Gottschalk et al. 1996 for the axes; Gregorius 2013 for pruning edge pairs on the Gauss
// map. An edge pair makes a facet only if the normal cones of the two edges cross. For edge e
// between faces n1, n2 of A and edge f between faces m1, m2 of B, this is a condition on four
// signs: f·n1, −f·n2, e·m1 and −e·m2 are all the same. The condition also holds for the edges of a
// facet, whose normal cone is a half circle. Signs are taken with a tolerance, and every h_K that
// could matter is evaluated by full supports. Therefore every value is a valid upper bound of the
// depth.
//
// The search ends early if some h_K ≤ floor. Cost: faces × vertices in both directions, plus edges
// of A × (faces + edges) of B. Separating always converges.
func (s *Facets) Separating(floor float64) Shallowest {
	best := s.FaceAxes(pair.NegInf)
	if best > floor {
		best = s.edgeAxes(best, floor)
	}
	return s.Choose(best)
}

// FaceAxes evaluates the faces of A and of B into H and returns the least h_K. It stops at the first
// h_K below limit.
func (s *Facets) FaceAxes(limit float64) float64 {
	best := math.Inf(1)
	s.H = s.H[:0]
	for k := 0; k < s.NFaces() && !(best < limit); k++ {
		n, d, other := s.Face(k)
		h := d - other.Bottom(n)
		s.H = append(s.H, h)
		best = min(best, h)
	}
	return best
}

// NormalsOfB fills MB.
func (s *Facets) NormalsOfB() {
	s.MB = s.MB[:0]
	for g := range s.ViewB.NFaces {
		s.MB = append(s.MB, s.Rot.MulVec(s.ViewB.Normal(soa.Face(g))))
	}
}

// edgeAxes evaluates the edge pairs and returns the least of best and their h_K. It stops at the
// first h_K ≤ floor.
func (s *Facets) edgeAxes(best, floor float64) float64 {
	s.NormalsOfB()
	s.Edges, s.eB, s.fB1, s.fB2, s.besideB = s.Edges[:0], s.eB[:0], s.fB1[:0], s.fB2[:0], s.besideB[:0]
	for _, h := range s.ViewB.Edge {
		s.besideB = append(s.besideB, pair.PosedBody{V: s.ViewB, H: &s.HullB}.Beside(h))
		p, q := s.HullB.At(int(s.ViewB.Tail[h])), s.HullB.At(int(s.ViewB.Head(h)))
		s.eB = append(s.eB, q.Sub(p))
		s.fB1 = append(s.fB1, s.ViewB.Face[h])
		s.fB2 = append(s.fB2, s.ViewB.Face[s.ViewB.Twin[h]])
	}
	tie := s.Tol.Tie
	flat := s.Tol.Arc
	for ea, h := range s.ViewA.Edge {
		p, p1 := s.EdgeA(ea)
		e := p1.Sub(p)
		n1, n2 := s.ViewA.Normal(s.ViewA.Face[h]), s.ViewA.Normal(s.ViewA.Face[s.ViewA.Twin[h]])
		besideA, out := pair.PosedBody{V: s.ViewA, H: &s.HullA}.Beside(h), n1.Add(n2)
		s.row = s.row[:0]
		for _, m := range s.MB {
			s.row = append(s.row, e.Dot(m))
		}
		row := s.row
		for eb, f := range s.eB {
			r1, r2 := row[s.fB1[eb]], row[s.fB2[eb]]
			plus, minus := r1 >= -flat && r2 <= flat, r1 <= flat && r2 >= -flat
			if !plus && !minus {
				continue
			}
			c1, c2 := f.Dot(n1), f.Dot(n2)
			plus = plus && c1 >= -flat && c2 <= flat
			minus = minus && c1 <= flat && c2 >= -flat
			if !plus && !minus {
				continue
			}
			if s.Needless(e, f, p.Sub(s.HullB.At(int(s.ViewB.Tail[s.ViewB.Edge[eb]]))), out, &besideA, &s.besideB[eb], best+tie) {
				continue
			}
			if h, ok := s.EdgePair(ea, eb, best+tie); ok {
				best = min(best, h)
				s.Note(h, best+tie, soa.FacetID{A: uint16(ea), B: uint16(eb), Kind: soa.EdgeEdge})
				if best <= floor {
					return best
				}
			}
		}
	}
	return best
}

// clearSide is a cosine between the normal of two edges and the sum of the face normals beside an
// edge. Above clearSide, there is no doubt to which side the normal points. It is not a tolerance.
const clearSide = 1.0 / (1 << 10)

// Needless reports whether EdgePair would certainly return false for edges e of A and f of B: they
// make no facet of K, or one deeper than limit. It is called for edges whose arcs of normals cross
// to arcTol. For bodies with a tiny relative rotation these are hundreds of pairs.
//
// w is the vector from the tail of f to the tail of e, and out the sum of the face normals beside
// e.
//
// If the edges are nearly parallel, Needless tests the vertices beside them. The edges are no
// support in either direction if vertices lie beyond the plane by more than a tie on both sides.
// The cross product of nearly parallel edges has an error of a rounding over the sine, which the
// test allows for; EdgePair computes it in double-double arithmetic. If the edges are not nearly
// parallel, Needless compares the depth, which is that of EdgePair to rounding.
func (s *Facets) Needless(e, f, w, out vec.Vec3, besideA, besideB *[2]vec.Vec3, limit float64) bool {
	c := e.Cross(f)
	cc, ef := c.Norm2(), e.Norm2()*f.Norm2()
	l := math.Sqrt(cc)
	if cc >= pair.WideSine*pair.WideSine*ef {
		side, depth := c.Dot(out), c.Dot(w)
		if side < 0 {
			side, depth = -side, -depth
		}
		return side > float64(clearSide*l)*out.Norm() && depth > float64((limit+float64(4*s.Tol.Round))*l)
	}
	if !(cc > pair.MinSine*pair.MinSine*ef) {
		return false
	}
	err := float64(0x1p-50 * math.Sqrt(ef)) // err bounds the error of c; times a length, it bounds the error of a height
	up, down := true, true
	beyond := func(v vec.Vec3, sign float64) {
		high, slack := float64(sign*c.Dot(v)), float64(err*v.Norm())+float64(2*s.Tol.Tie*l)
		up, down = up && high <= slack, down && high >= -slack
	}
	beyond(besideA[0], 1)
	beyond(besideA[1], 1)
	beyond(besideB[0], -1)
	beyond(besideB[1], -1)
	return !up && !down
}

// EdgePair returns h_K along the normal of two edges, by full support. It returns false if the
// edges make no facet of K, or one deeper than limit.
func (s *Facets) EdgePair(ea, eb int, limit float64) (float64, bool) {
	gap, n, ok := s.Finalise(soa.FacetID{A: uint16(ea), B: uint16(eb), Kind: soa.EdgeEdge})
	if !ok || -gap > limit || s.Surpassed(ea, eb, gap, n, limit) {
		return 0, false
	}
	_, high := s.HullA.Highest(n)
	if _, low := s.HullB.Lowest(n); high-low <= limit {
		return high - low, high-low+gap <= s.Tol.Tie
	}
	return 0, false
}

// fewSupported is a number of vertices of both bodies. Up to fewSupported, full supports are as
// fast as inspecting a few vertices first. It is not a tolerance.
const fewSupported = 128

// Surpassed reports whether vertices of the faces beside two edges already show that EdgePair would
// return false. In each face it inspects the next vertex but one, and the opposite vertex, where a
// face with many corners rises most. The full supports are at least as high, so a true result is
// always right.
//
// Cost: constant. Full supports of bodies with n vertices would cost n for each of up to n² edge
// pairs near the plane of two faces.
func (s *Facets) Surpassed(ea, eb int, gap float64, n vec.Vec3, limit float64) bool {
	if s.ViewA.NVerts+s.ViewB.NVerts <= fewSupported {
		return false
	}
	high := pair.PosedBody{V: s.ViewA, H: &s.HullA}.BesideAlong(s.ViewA.Edge[ea], n)
	low := -pair.PosedBody{V: s.ViewB, H: &s.HullB}.BesideAlong(s.ViewB.Edge[eb], n.Neg())
	return high-low > limit || high-low+gap > s.Tol.Tie
}

// Note stores an edge pair. Pairs arrive in the order of their ids, so if the list is full of ties,
// the pairs that are dropped would lose anyway.
func (s *Facets) Note(h, limit float64, id soa.FacetID) {
	const most = 64
	if len(s.Edges) == most {
		kept := s.Edges[:0]
		for _, e := range s.Edges {
			if e.H <= limit {
				kept = append(kept, e)
			}
		}
		s.Edges = kept
	}
	if len(s.Edges) < most {
		s.Edges = append(s.Edges, Scored{h, id})
	}
}

// Choose returns the facet with the lowest id among those that tie with best.
func (s *Facets) Choose(best float64) Shallowest {
	limit := best + s.Tol.Tie
	for k, h := range s.H {
		if h <= limit {
			return s.OnFace(k, h)
		}
	}
	for _, e := range s.Edges {
		if e.H <= limit {
			_, n, _ := s.Finalise(e.FacetID)
			return Shallowest{e.H, e.FacetID, n}
		}
	}
	return Shallowest{H: best}
}

// OnFace returns the facet of K that face k of the pair makes with the lowest vertex of the other
// body that ties. h is the h_K of face k.
func (s *Facets) OnFace(k int, h float64) Shallowest {
	n, d, other := s.Face(k)
	v := uint16(other.FirstBelow(n, d-h+s.Tol.Tie))
	if g := k - s.ViewA.NFaces; g >= 0 {
		return Shallowest{h, soa.FacetID{A: v, B: uint16(g), Kind: soa.VertexFace}, n.Neg()}
	}
	return Shallowest{h, soa.FacetID{A: uint16(k), B: v, Kind: soa.FaceVertex}, n}
}
