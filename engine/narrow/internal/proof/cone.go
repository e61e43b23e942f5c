package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Of a pair with up to fewCrossings edges of A times edges of B the cone is searched by whoever
// proves a facet; with up to mostCrossings at the end of a descent alone.
const (
	fewCrossings  = 400
	mostCrossings = 1200
)

// coneWide is by how much, as a sine, an edge may miss the cone, or the arc of another, and still
// be tried: a search may take a crossing for a facet that is none by less than TieTol, as of an
// edge of a thin plate that leans by 2⁻³⁰. What is tried needlessly costs a few products.
const coneWide = 1.0 / (1 << 26)

// cone is the directions in which K can be shallow, and memory for the edges whose normals may lie
// there.
type cone struct {
	centre vec.Vec3 // unit: from A's centre to B's
	cosine float64  // of its half angle
	edgesA []coneEdge
	edgesB []coneEdge
	over   []float64 // by face of the pair, the cosine of its normal, for B turned round, with the cone's centre
}

// coneEdge is an edge in the frame of A, from p along e, and the outward normals left and right of
// it.
type coneEdge struct {
	p, e, n1, n2 vec.Vec3
	id           uint16
}

// InCone finds the shallowest facet of K from one that is a local minimum, id of depth p and
// normal n, and reports whether it is alone: whether all others are deeper by provenBy, so that it is
// the one which every search finds.
//
// K holds the ball of radius I about c_K, so h_K(m) ≥ m·c_K + I: a direction m along which that is
// more than p is no matter. Those that are left are a cone about the line of centres. All faces
// there, and all crossings of edges whose arcs of normals come there and cross, are tried as the
// exhaustive search does, but for those whose own height shows that they are too deep. Cost: a
// product for each face and edge, and some ten for each pair of edges in the cone; for two cubes a
// few dozen pairs.
func (s *Prover) InCone(id soa.FacetID, p float64, n vec.Vec3) (facets.Shallowest, bool) {
	c := &s.cone
	margin := float64(provenBy * s.LengthScale)
	best := facets.Shallowest{H: p, ID: id}
	_, high := s.HullA.Highest(n)
	if _, low := s.HullB.Lowest(n); high-low-p > s.Tol.Tie {
		return best, false // a saddle, and no facet
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

// facesInCone tries the faces, and fills over. It returns false at a tie.
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

// edgesInCone lists the edges whose arc of normals, for B turned round, comes into the cone.
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
			// The arc may come nearer to the centre between its ends.
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

// crossingsInCone tries the edge pairs. It returns false at a tie.
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
			// Of edges next to parallel the product is too far off to leave any out.
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
