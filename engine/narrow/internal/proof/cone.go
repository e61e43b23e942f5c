package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// fewCrossings and mostCrossings limit the product of the numbers of edges of A and B. Up to
// fewCrossings every proof of a facet may search the cone. Up to mostCrossings only a proof at the
// end of a cold descent may.
const (
	fewCrossings  = 400
	mostCrossings = 1200
)

// coneWide is the sine by which the normals of an edge may miss the cone, or the arc of the other
// edge, and the edge still be tested. A search may accept a crossing that is a facet only within
// TieTol, for example of a thin plate with an edge at an angle of 2⁻³⁰. A needless test costs a few
// products.
const coneWide = 1.0 / (1 << 26)

// cone is the set of directions along which K can be shallow, with memory for the edges whose
// normals may lie in the set.
type cone struct {
	centre vec.Vec3 // unit: from A's centre to B's
	cosine float64  // of the half angle of the cone
	edgesA []coneEdge
	edgesB []coneEdge
	over   []float64 // by face of the pair: cosine between the cone's centre and the normal (of B: reversed)
}

// coneEdge is an edge in the frame of A: its tail p, its vector e, and the outward normals of the
// faces left and right of it.
type coneEdge struct {
	p, e, n1, n2 vec.Vec3
	id           uint16
}

// InCone returns the shallowest facet of K, starting from a facet id of depth p and normal n that
// is a local minimum. It also reports whether all other facets are deeper by provenBy, so that
// every search finds this one.
//
// K contains the ball of radius I about c_K, where I is the sum of the radii of the inscribed balls
// and c_K = c_A − c_B the difference of the centres. So h_K(m) ≥ m·c_K + I, and a direction m for
// which that bound exceeds p needs no test. The other directions form a cone about the line of
// centres. InCone tests all faces with normals in the cone, and all edge pairs whose arcs of
// normals cross there, as the exhaustive search does. It skips an edge pair if its own height shows
// that it is too deep. Cost: one product for each face and edge, and about ten for each pair of
// edges in the cone; two cubes have a few dozen pairs.
func (s *Prover) InCone(id soa.FacetID, p float64, n vec.Vec3) (facets.Shallowest, bool) {
	c := &s.cone
	margin := float64(provenBy * s.LengthScale)
	best := facets.Shallowest{H: p, ID: id}
	_, high := s.HullA.Highest(n)
	if _, low := s.HullB.Lowest(n); high-low-p > s.Tol.Tie {
		return best, false // a saddle of h_K, not a facet
	}
	if k := s.FaceNumber(id); k >= 0 {
		m, d, other := s.Face(k)
		best = s.OnFace(k, d-other.Bottom(m))
	}
	cb := s.OriginB
	if s.ViewB.Kind == soa.Facet {
		cb = s.FacetPoint()
	}
	far := cb.Norm()
	if !(far > s.Tol.Close) {
		return best, false
	}
	c.centre = cb.Scale(1 / far)
	c.cosine = (s.ViewA.Inner+s.ViewB.Inner-p-float64(2*margin))/far - coneWide
	if !s.facesInCone(&best, margin) {
		return best, false
	}
	c.edgesA = s.edgesInCone(c.edgesA[:0], s.ViewA, c.over, false)
	c.edgesB = s.edgesInCone(c.edgesB[:0], s.ViewB, c.over[s.ViewA.NFaces:], true)
	return best, s.crossingsInCone(&best, margin)
}

// facesInCone tests the faces with normals in the cone, and fills over. It returns false at a tie.
func (s *Prover) facesInCone(best *facets.Shallowest, margin float64) bool {
	c := &s.cone
	c.over = c.over[:0]
	own := s.FaceNumber(best.ID)
	inB := s.Rot.TMulVec(c.centre.Neg())
	for k := range s.NFaces() {
		over := s.FaceToward(k, c.centre, inB)
		if c.over = append(c.over, over); over < c.cosine || k == own {
			continue
		}
		n, d, other := s.Face(k)
		if h := d - other.Bottom(n); !best.Better(h, s.OnFace(k, h).ID, margin) {
			return false
		}
	}
	return true
}

// edgesInCone appends the edges whose arc of normals (of B: reversed) meets the cone.
func (s *Prover) edgesInCone(to []coneEdge, v *soa.View, over []float64, isB bool) []coneEdge {
	c := &s.cone
	u, h := c.centre, &s.HullA
	if isB {
		u, h = s.Rot.TMulVec(u), &s.HullB
	}
	sine2 := 2.0
	if c.cosine > 0 {
		sine2 = 1 - float64(c.cosine*c.cosine)
	}
	for k, half := range v.Edge {
		f1, f2 := v.Face[half], v.Face[v.Twin[half]]
		o1, o2 := over[f1], over[f2]
		if max(o1, o2) < c.cosine {
			// The arc may be nearest to the centre between its ends.
			e := v.Vert(v.Head(half)).Sub(v.Vert(v.Tail[half]))
			if along := u.Dot(e); float64(along*along) > float64(sine2*e.Norm2()) {
				continue
			}
			turn := v.Normal(f1).Dot(v.Normal(f2))
			if o1 < float64(turn*o2)-coneWide || o2 < float64(turn*o1)-coneWide {
				continue
			}
		}
		x := coneEdge{id: uint16(k), n1: v.Normal(f1), n2: v.Normal(f2)}
		x.p = h.At(int(v.Tail[half]))
		x.e = h.At(int(v.Head(half))).Sub(x.p)
		if isB {
			x.n1, x.n2 = s.Rot.MulVec(x.n1), s.Rot.MulVec(x.n2)
		}
		to = append(to, x)
	}
	return to
}

// crossingsInCone tests the edge pairs. It returns false at a tie.
func (s *Prover) crossingsInCone(best *facets.Shallowest, margin float64) bool {
	flat := float64(coneWide * s.LengthScale)
	for i := range s.cone.edgesA {
		a := &s.cone.edgesA[i]
		for k := range s.cone.edgesB {
			b := &s.cone.edgesB[k]
			r1, r2 := a.e.Dot(b.n1), a.e.Dot(b.n2)
			plus, minus := r1 >= -flat && r2 <= flat, r1 <= flat && r2 >= -flat
			if !plus && !minus {
				continue
			}
			c1, c2 := b.e.Dot(a.n1), b.e.Dot(a.n2)
			if !(plus && c1 >= -flat && c2 <= flat) && !(minus && c1 <= flat && c2 >= -flat) {
				continue
			}
			n := a.e.Cross(b.e)
			depth := n.Dot(a.p.Sub(b.p))
			if n.Dot(s.cone.centre) < 0 {
				depth = -depth
			}
			limit := best.H + float64(4*margin)
			// Skip the pair if it is too deep. For nearly parallel edges the product is too
			// inaccurate to decide.
			if nn := n.Norm2(); depth > 0 && float64(depth*depth) > float64(limit*limit)*(1+sureTol)*nn &&
				nn > pair.WideSine*pair.WideSine*a.e.Norm2()*b.e.Norm2() {
				continue
			}
			id := soa.FacetID{Kind: soa.EdgeEdge, A: a.id, B: b.id}
			if id == best.ID {
				continue
			}
			h, ok := s.EdgePair(int(a.id), int(b.id), limit)
			if ok && !best.Better(h, id, margin) || !ok && h != 0 {
				return false
			}
		}
	}
	return true
}
