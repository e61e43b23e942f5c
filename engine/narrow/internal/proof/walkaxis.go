package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// WalkAxis answers the cores of two blocks, or of a block and a facet, that an axis kept apart until now and does so no more (certificate
// C2, walked on): from the features that are the support along the axis it goes down to the nearest ones. If these are
// the only support along their own distance and that exceeds the reach, m, it is a bound of the gap, Answer.Gap, and no
// axis keeps the pair apart for longer. axis is Answer.Axis of an earlier answer: unit, frame of A. It returns false, and out
// is undefined, for a pair that has come within reach, or too close to a tie: then a search is due.
//
// Cost: two supports and the edges about the two or three features passed.
func (s *Prover) WalkAxis(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, axis vec.Vec3, out *pair.Answer,
) bool {
	if !pair.Polyhedra(a, b) || axis == (vec.Vec3{}) {
		return false
	}
	*out = pair.Answer{AnsweredBy: pair.ByWalk}
	s.ForgetProof()
	if s.Off&Walks != 0 || !s.Place(a, pa, b, pb) || s.Scale != 1 {
		return false
	}
	i, j := s.Supports(axis)
	at, ok := s.Descend(axis, i, j)
	if !ok {
		return false
	}
	on := s.Evaluate(&at)
	lower := on.Gap - float64(4*s.Tol.Round)
	if !on.OK || !(on.CapSine > 0) || !(lower > reach+pair.AxisSure(pb.Pos.Sub(pa.Pos), a.Radius, b.Radius)) {
		return false
	}
	s.FarAnswer(on.N, lower, out)
	return true
}
