package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxDescents bounds how often a descent starts anew where its facet turns out not to be the shallowest.
const maxDescents = 4

// provenBelow goes down from a feature pair and answers by where that ends, if it is proven; where a proof finds a direction along
// which K is shallower, it goes down from there. first is the feature pair as evaluated, of a pair of which it is known from an
// earlier answer, and nil for one of which nothing is known.
func (s *Prover) provenBelow(start pair.FeaturePair, first *evaluated, reach float64, out *pair.Answer) bool {
	var on evaluated
	var evaluatedAt pair.FeaturePair
	if first != nil {
		on, evaluatedAt = *first, start
	}
	deepest := math.Inf(1)
	for range maxDescents {
		at, ok := s.Down(start)
		if !ok {
			return first != nil && first.CapSine > 0 && s.coplanarHere(first, reach, out) || s.coplanarOnRim(&at, reach, out)
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
			return s.nearestHere(&at, &on, reach, out) || on.ID.Kind > soa.EdgeEdge && s.coplanarOnRim(&at, reach, out)
		case on.ID.Kind > soa.EdgeEdge || !(-on.Gap < deepest):
			return false
		}
		if deepest = -on.Gap; first == nil && s.openAllRound(deepest) {
			return false
		}
		quads := first != nil && s.onQuads(&at)
		if on.CapSine > 0 && s.provenHere(&at, &on, quads, out) || on.CapSine == 0 && s.coplanarFaces(&on, out) {
			return true
		}
		lower, crossings := &s.Shell.lower, len(s.ViewA.Edge)*len(s.ViewB.Edge)
		if !lower.Found {
			return first == nil && (on.CapSine == 0 || crossings > fewCrossings) && crossings <= mostCrossings && s.coneHere(&on, out)
		}
		start = s.Below(lower)
	}
	return false
}

// sameFace reports whether two facets are of one face, with whichever vertices of the other body.
func sameFace(x, y soa.FacetID) bool {
	return x.Kind == y.Kind && (x.Kind == soa.FaceVertex && x.A == y.A || x.Kind == soa.VertexFace && x.B == y.B)
}

// coplanarOnRim answers a pair whose descent ended on the rim between two facets, by faces that lie on each other: the foot may be
// in no facet of theirs with the lowest of level vertices. The shallower one of the two facets names them.
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
	return !math.IsInf(best.Gap, -1) && s.coplanarHere(&best, reach, out)
}

// Probe is a direction and the support vertices there.
type Probe struct {
	Found bool
	N     vec.Vec3
	A, B  soa.Vertex
}

// Below returns where a descent goes on from a direction along which K is shallower than at the facet found before: a facet of K
// that is no deeper than K is along it. No facet that a descent passes is deeper than the one before, so it ends at a
// shallower one.
//
// Let x = a − b be the support, so that h_K(m) = m·x for all m that x supports. From n that falls on the great circle away from
// x, as far as another vertex takes over: there an edge of A, or of B, is level. Its normals are an arc, on which h_K
// is the length of x across the edge times the cosine of the angle to it. So it falls on to one end of the arc at least, and
// there is a facet.
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

// firstParallel returns the edge at vertex k, support along n, that is the first to be level along n + λ·away, and that λ, or
// +Inf for none. Frame of the view.
func firstParallel(v *soa.View, k soa.Vertex, n, away vec.Vec3) (soa.HalfEdge, float64) {
	h, found := pair.TurnsTo(v, k, pair.NoVertex, n, away)
	if !found {
		return h, math.Inf(1)
	}
	e := v.Vert(v.Head(h)).Sub(v.Vert(k))
	return h, max(-n.Dot(e), 0) / away.Dot(e)
}

// falls is how fast m·x changes as m, of any length, turns to a unit vector to.
func falls(x, m, to vec.Vec3) float64 { return to.Dot(x) - float64(to.Dot(m)*m.Dot(x))/m.Norm2() }
