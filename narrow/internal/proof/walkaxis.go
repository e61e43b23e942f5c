package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// WalkAxis answers the cores of two blocks, or of a block and a facet, whose stored axis no longer
// separates them (certificate C2 for a new axis). axis is Answer.Axis of an earlier answer: unit,
// frame of A. WalkAxis descends from the support along the axis to the nearest features. If these
// are the only support along their own normal, and their distance exceeds reach, m, then Answer.Gap
// is a lower bound of the gap, and no other axis separates the pair for longer. WalkAxis returns
// false for a pair within reach, or too close to a tie; out is then undefined, and the caller must
// search.
//
// Cost: two supports, and the edges about the two or three features passed.
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
	if !on.OK || !(on.CapSine > 0) || !(lower > reach+pair.AxisMargin(pb.Pos.Sub(pa.Pos), a.Radius, b.Radius)) {
		return false
	}
	s.FarAnswer(on.N, lower, out)
	return true
}
