package facets

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Facets is a pair with memory for a search over all facets of K.
type Facets struct {
	pair.Frame
	separatingAxes
	Simplex
}

// Better takes a facet of depth h if it is shallower than the best by margin, and returns false where it is within
// margin.
func (b *Shallowest) Better(h float64, id soa.FacetID, margin float64) bool {
	switch {
	case h > b.H+margin:
		return true
	case h < b.H-margin:
		b.H, b.ID = h, id
		return true
	}
	return false
}

// separatingAxes is memory for the exhaustive search over the facets of K.
type separatingAxes struct {
	H        []float64     // h_K of each face of the pair, along its normal or, of B, against it
	MB       []vec.Vec3    // outward normals of B's faces, frame of A: see NormalsOfB
	eB       []vec.Vec3    // edges of B, tail to head of the lower half-edge
	fB1, fB2 []soa.Face    // faces left and right of them
	besideB  [][2]vec.Vec3 // from their tails to the next vertices of these
	row      []float64     // one edge of A times each normal of B
	Edges    []Scored      // edge pairs within a tie of the best
}

// Scored is an edge pair with its h_K.
type Scored struct {
	H float64
	soa.FacetID
}

// Shallowest is the outcome of a search over the facets of K.
type Shallowest struct {
	H  float64     // least h_K over the facets: the depth, or minus the gap along the best axis
	ID soa.FacetID // the lowest of the facets that tie
	N  vec.Vec3    // its normal, A to B
}

// Separating returns the shallowest facet of K, by trying all of them: the separating axis test.
//
// Source: Gottschalk et al. 1996 for the axes; Gregorius 2013 for pruning edge pairs on the Gauss map. An
// edge pair makes a facet only if the normal cones of the two edges cross, which for the edge e between
// faces n1, n2 of A and f between m1, m2 of B is four signs: f·n1, −f·n2, e·m1, −e·m2 all the same.
// They hold for the edges of a facet, whose cone is a half circle, as well. Signs are taken with
// a tolerance, and h_K is evaluated by full support wherever it could matter, so every value is
// a valid upper bound of the depth. The search ends early when some h_K ≤ floor. Cost: faces × vertices
// both ways, edges of A × (faces + edges) of B. It always converges.
func (s *Facets) Separating(floor float64) Shallowest {
	best := s.FaceAxes()
	if best > floor {
		best = s.edgeAxes(best, floor)
	}
	return s.Choose(best)
}

// FaceAxes evaluates all faces of A and of B and returns the least h_K.
func (s *Facets) FaceAxes() float64 {
	best := math.Inf(1)
	s.H = s.H[:0]
	for k := range s.NFaces() {
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

// edgeAxes lowers best by the edge pairs.
func (s *Facets) edgeAxes(best, floor float64) float64 {
	s.NormalsOfB()
	s.Edges, s.eB, s.fB1, s.fB2, s.besideB = s.Edges[:0], s.eB[:0], s.fB1[:0], s.fB2[:0], s.besideB[:0]
	for _, h := range s.ViewB.Edge {
		s.besideB = append(s.besideB, pair.Body{V: s.ViewB, H: &s.HullB}.Beside(h))
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
		besideA, out := pair.Body{V: s.ViewA, H: &s.HullA}.Beside(h), n1.Add(n2)
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

// clearSide is the cosine to the sum of the normals beside an edge from which the side that a
// normal points to is beyond doubt. It is not a tolerance.
const clearSide = 1.0 / (1 << 10)

// Needless reports whether EdgePair would find two edges, e of A and f of B, no facet of K, or one
// deeper than limit. Their arcs of normals cross to arcTol, which of bodies turned next to nothing
// against each other hundreds do.
//
// Of edges next to parallel it asks the vertices beside them: they are no support either way where
// some lie beyond by more than a tie. The product errs by a rounding over the sine there, and
// EdgePair takes it in twofold precision. Of others it asks the depth, which is that of EdgePair to
// rounding. w is from f to e, out the sum of the normals beside e.
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
	err := float64(0x1p-50 * math.Sqrt(ef)) // of the product; it times a length bounds that of a height
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

// EdgePair returns h_K along the normal of two edges, by full support, if it is a facet of K no deeper
// than limit.
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

// fewSupported is up to how many vertices of both bodies a support of all is as soon done as a
// look at some. It is no tolerance.
const fewSupported = 128

// Surpassed reports whether vertices of the faces beside two edges show that EdgePair would find no
// facet, or one deeper than limit: the next but one, and the one across, where a face of many
// corners rises most. The supports are no lower, so it is never wrong. Cost: constant, where
// bodies with n vertices would take n for each of up to n² pairs that lie near the plane of two
// faces.
func (s *Facets) Surpassed(ea, eb int, gap float64, n vec.Vec3, limit float64) bool {
	if s.ViewA.NVerts+s.ViewB.NVerts <= fewSupported {
		return false
	}
	high := pair.Body{V: s.ViewA, H: &s.HullA}.BesideAlong(s.ViewA.Edge[ea], n)
	low := -pair.Body{V: s.ViewB, H: &s.HullB}.BesideAlong(s.ViewB.Edge[eb], n.Neg())
	return high-low > limit || high-low+gap > s.Tol.Tie
}

// Note remembers an edge pair. Pairs come in the order of their ids, so when the list is full of ties
// those that are dropped would lose anyway.
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

// Choose returns the lowest facet id among those that tie with best.
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

// OnFace is the facet of face k of the pair, whose h_K is h, with the lowest vertex of the other body that ties.
func (s *Facets) OnFace(k int, h float64) Shallowest {
	n, d, other := s.Face(k)
	v := uint16(other.FirstBelow(n, d-h+s.Tol.Tie))
	if g := k - s.ViewA.NFaces; g >= 0 {
		return Shallowest{h, soa.FacetID{A: v, B: uint16(g), Kind: soa.VertexFace}, n.Neg()}
	}
	return Shallowest{h, soa.FacetID{A: uint16(k), B: v, Kind: soa.FaceVertex}, n}
}
