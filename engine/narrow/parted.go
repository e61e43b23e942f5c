package narrow

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Parted answers two blocks, or a block and a facet, that an axis kept apart until now and does so no more (certificate
// C2, walked on): from the features that are the support along the axis it goes down to the nearest ones. If these are
// the only support along their own distance and that exceeds the reach, m, it is a bound of the gap, Answer.Gap, and no
// axis keeps the pair apart for longer. axis is Answer.Axis of an earlier answer: unit, frame of A. It says false, and out
// is of no account, for a pair that has come within reach, or too close to a tie: then a search is due.
//
// Cost: two supports and the edges about the two or three features passed.
func (s *Search) Parted(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, axis vec.Vec3, out *Answer,
) bool {
	polyhedra := a.Kind == soa.Block && (b.Kind == soa.Block || b.Kind == soa.Facet)
	if !polyhedra || axis == (vec.Vec3{}) || !s.parted(a, pa, b, pb, coreReach(a, b, reach), axis, out) {
		return false
	}
	out.Grow(a.Round, b.Round)
	return true
}

func (s *Search) parted(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, axis vec.Vec3, out *Answer,
) bool {
	*out = Answer{Level: LevelWalk}
	s.forgetProof()
	if !s.place(a, pa, b, pb) || s.scale != 1 {
		return false
	}
	i, j := s.supports(axis)
	at, ok := s.descend(axis, i, j)
	if !ok {
		return false
	}
	on := s.stand(&at)
	lower := on.gap - float64(4*s.tol.round)
	if !on.ok || !(on.lean > 0) || !(lower > reach+axisSure(pb.Pos.Sub(pa.Pos), a.Radius, b.Radius)) {
		return false
	}
	s.farAnswer(on.n, lower, out)
	return true
}

// supports returns the support vertices of A along a direction, frame of A, and of B against it.
func (s *Search) supports(n vec.Vec3) (i, j soa.Vertex) {
	inB := s.rot.TMulVec(n.Neg())
	if s.va.NVerts < wideFrom {
		i = soa.Vertex(farthest(s.a.x, s.a.y, s.a.z, n))
	} else {
		k, _ := s.a.highest(n)
		i = soa.Vertex(k)
	}
	if s.vb.NVerts < wideFrom {
		j = soa.Vertex(farthest(s.vb.X[:s.vb.NVerts], s.vb.Y, s.vb.Z, inB))
	} else {
		k, _ := asm.Support(s.vb.X, s.vb.Y, s.vb.Z, inB.X, inB.Y, inB.Z)
		j = soa.Vertex(k)
	}
	return i, j
}
