package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxDescents is the largest number of descents for one pair. Each but the first starts where a
// proof has found a direction along which K is shallower.
const maxDescents = 4

// descendAndProve descends from a feature pair and writes the answer at which the descent ends, if that
// answer is proven. If a proof finds a direction along which K is shallower, descendAndProve descends
// again from there. first is the evaluation of start for a pair with an earlier answer, and nil for
// a pair about which nothing is known. It returns false if nothing is proven.
func (s *Prover) descendAndProve(start pair.FeaturePair, first *evaluated, reach float64, out *pair.Answer) bool {
	var on evaluated
	var evaluatedAt pair.FeaturePair
	if first != nil {
		on, evaluatedAt = *first, start
	}
	deepest := math.Inf(1)
	for range maxDescents {
		at, ok := s.Down(start)
		if !ok {
			return first != nil && first.CapSine > 0 && s.proveCoplanar(first, reach, out) || s.coplanarOnRim(&at, reach, out)
		}
		if evaluatedAt.Inset = at.Inset; at != evaluatedAt {
			s.evaluateInto(&at, &on)
			if first != nil && on.ID != first.ID && !(on.Gap > 0 && sameFace(on.ID, first.ID)) {
				out.AnsweredBy = pair.ByWalk
			}
		}
		switch {
		case !on.OK:
			return s.coplanarOnRim(&at, reach, out)
		case on.ID.Kind <= soa.EdgeEdge && s.grazes(on.Gap):
			return s.grazing(&at, &on, reach, out)
		case on.Gap > 0:
			return s.proveNearest(&at, &on, reach, out) || on.ID.Kind > soa.EdgeEdge && s.coplanarOnRim(&at, reach, out)
		case on.ID.Kind > soa.EdgeEdge || !(-on.Gap < deepest):
			return false
		}
		if deepest = -on.Gap; first == nil && s.openAllRound(deepest) {
			return false
		}
		quads := first != nil && s.onQuads(&at)
		if on.CapSine > 0 && s.proveFacet(&at, &on, quads, out) || on.CapSine == 0 && s.coplanarFaces(&on, out) {
			return true
		}
		if !s.Shell.lower.Found {
			return false
		}
		start = s.Below(&s.Shell.lower)
	}
	return false
}

// sameFace reports whether two facets of K are made by the same face, with any vertices of the
// other body.
func sameFace(x, y soa.FacetID) bool {
	return x.Kind == y.Kind && (x.Kind == soa.FaceVertex && x.A == y.A || x.Kind == soa.VertexFace && x.B == y.B)
}

// coplanarOnRim answers a pair whose descent ended on the rim between two facets of K, if the
// features there are coplanar. Each of the two facets is made with one of several coplanar
// vertices, so the projection of the origin may lie in neither. The proof starts from the shallower
// of the two facets.
func (s *Prover) coplanarOnRim(at *pair.FeaturePair, reach float64, out *pair.Answer) bool {
	best := evaluated{Gap: math.Inf(-1)}
	try := func(on pair.FeaturePair) {
		if result := s.Evaluate(&on); result.OK && result.CapSine == 0 && result.Gap > best.Gap {
			best = result
		}
	}
	switch at.Kind {
	case soa.EdgeVertex:
		try(pair.OnFaceVertex(s.ViewA.Face[at.HalfA], at.VertexB))
		try(pair.OnFaceVertex(s.ViewA.Face[s.ViewA.Twin[at.HalfA]], at.VertexB))
	case soa.VertexEdge:
		try(pair.OnVertexFace(at.VertexA, s.ViewB.Face[at.HalfB]))
		try(pair.OnVertexFace(at.VertexA, s.ViewB.Face[s.ViewB.Twin[at.HalfB]]))
	default:
		return false
	}
	return !math.IsInf(best.Gap, -1) && s.proveCoplanar(&best, reach, out)
}

// Probe is a direction N along which K is shallower than a facet, and the support vertices of A
// along N and of B along −N.
type Probe struct {
	Found bool
	N     vec.Vec3
	A, B  soa.Vertex
}

// Below returns the facet of K from which the descent continues after a proof has found a direction
// along which K is shallower. The facet is no deeper than K along that direction. A descent never
// passes to a deeper facet, so it ends at a shallower one.
//
// Let n be the direction and x = a − b the support point, so h_K(m) = m·x for all m that x
// supports. From n, h_K decreases along the great circle away from x until another vertex becomes
// the support. There the direction m is perpendicular to an edge of A or of B, and this edge of K
// is the support along an arc of directions. On the arc, h_K is the length of the part of x
// perpendicular to the edge, times the cosine of the angle between m and that part. So h_K
// decreases further towards at least one end of the arc, and that end is the normal of a facet.
func (s *Prover) Below(from *Probe) pair.FeaturePair {
	n, i, j := from.N, from.A, from.B
	x := s.ViewA.Vert(i).Sub(s.PointB(j))
	away := n.Scale(n.Dot(x)).Sub(x)
	inB, awayInB := s.Rot.TMulVec(n.Neg()), s.Rot.TMulVec(away.Neg())
	h, atA := firstParallel(s.ViewA, i, n, away)
	k, atB := firstParallel(s.ViewB, j, inB, awayInB)
	switch {
	case math.IsInf(min(atA, atB), 1):
		return s.startOf(n, i, j) // x lies along n
	case atA <= atB:
		m := n.AddScaled(atA, away)
		if falls(x, m, s.ViewA.Normal(s.ViewA.Face[h])) < falls(x, m, s.ViewA.Normal(s.ViewA.Face[s.ViewA.Twin[h]])) {
			h = s.ViewA.Twin[h]
		}
		return s.overSideA(h, j, s.Rot.TMulVec(m.Neg()))
	}
	m := n.AddScaled(atB, away)
	xB, mB := s.Rot.TMulVec(x).Neg(), s.Rot.TMulVec(m).Neg()
	if falls(xB, mB, s.ViewB.Normal(s.ViewB.Face[k])) < falls(xB, mB, s.ViewB.Normal(s.ViewB.Face[s.ViewB.Twin[k]])) {
		k = s.ViewB.Twin[k]
	}
	return s.overSideB(k, i, m)
}

// firstParallel returns the edge at vertex k that is the first to become perpendicular to n +
// λ·away as λ grows from 0, and that λ, or +Inf if there is none. k must be the support along n.
// Frame of the view.
func firstParallel(v *soa.View, k soa.Vertex, n, away vec.Vec3) (soa.HalfEdge, float64) {
	h, found := pair.TurnsTo(v, k, pair.NoVertex, n, away)
	if !found {
		return h, math.Inf(1)
	}
	e := v.Vert(v.Head(h)).Sub(v.Vert(k))
	return h, max(-n.Dot(e), 0) / away.Dot(e)
}

// falls returns the derivative of m·x, of either sign, as m, of any length, turns towards the unit
// vector to.
func falls(x, m, to vec.Vec3) float64 { return to.Dot(x) - float64(to.Dot(m)*m.Dot(x))/m.Norm2() }
