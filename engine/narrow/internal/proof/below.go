package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

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
	h, atA := levelAlong(s.ViewA, i, n, away)
	k, atB := levelAlong(s.ViewB, j, inB, awayInB)
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

// levelAlong returns the edge at vertex k, support along n, that is the first to be level along n + λ·away, and that λ, or
// +Inf for none. Frame of the view.
func levelAlong(v *soa.View, k soa.Vertex, n, away vec.Vec3) (soa.HalfEdge, float64) {
	h, found := pair.TurnsTo(v, k, pair.NoVertex, n, away)
	if !found {
		return h, math.Inf(1)
	}
	e := v.Vert(v.Head(h)).Sub(v.Vert(k))
	return h, max(-n.Dot(e), 0) / away.Dot(e)
}

// falls is how fast m·x changes as m, of any length, turns to a unit vector to.
func falls(x, m, to vec.Vec3) float64 { return to.Dot(x) - float64(to.Dot(m)*m.Dot(x))/m.Norm2() }
