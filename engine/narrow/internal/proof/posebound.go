package proof

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A budget of motion is spent by what either body does, also where both do it alike. What a proof needs to hold is only that
// the bodies lie to each other as they did, and that two points and two orientations show: f of A and g of B, which were
// at the foot when the features were proven. With δ how far these are from each other now and φ the turn of the bodies against each
// other since, a point of one body y away from the foot has moved by δ + φ·y at most, seen from the other; so have the centres, with
// y of either. A budget of m metres, see Budget, allows
//
//	points near the foot             m
//	the centres c_A and c_B          m + φ·|c_A − c_B|, besides what the normal's turn makes
//	all points, between two faces    m + φ·(|c_A − c_B| + R)
//	turns                            φ ≤ turn·m
//
// So with the lever that by which |y − f| exceeds what stands beside φ here, the proof holds where
//
//	used = max(δ + φ·lever, φ/turn) ≤ m     and     φ ≤ the limit on the turn.
//
// As the odometers advance by k, φ grows by turn·k at most, and δ by (1 + turn·p)·k, for neither f nor g is farther than p
// beyond its body. So with a lever of p or more what is not used yet lasts for (m − used)/(1 + 2·turn·lever).

// turnRounding, rad, bounds the error of the turn between two relative orientations, the product of four that have a few roundings
// each.
const turnRounding = 1.0 / (1 << 46)

// withPoseBound completes a proof of m metres, at a turn of limit rad at most, by where the bodies are: f is the foot, frame of A. A
// sixteenth of m is left for the rounding of poses.
func (s *Prover) withPoseBound(proof Proof, m, limit, turn float64, f vec.Vec3, lever float64) Proof {
	m *= 1 - 1.0/16
	proof.Motion = min(m, float64(limit*(1-1.0/16))/turn)
	proof.PoseBound = soa.PoseBound{Rot: s.Relative, A: f, B: s.ToB(f), Motion: m, Turn: limit, Lever: max(lever, math.Abs(s.Last.depth))}
	return proof
}

// projectionPoint returns the foot of what was proven, frame of A: the vertex, or the point of B's edge.
func (s *Prover) projectionPoint() vec.Vec3 {
	at := s.FeaturePairOf(s.Last.id)
	switch at.Kind {
	case soa.VertexFace:
		return s.ViewA.Vert(at.VertexA)
	case soa.VertexEdge, soa.EdgeEdge:
		q := s.PointB(s.ViewB.Tail[at.HalfB])
		f := s.PointB(s.ViewB.Head(at.HalfB)).Sub(q)
		if at.Kind == soa.VertexEdge {
			return q.AddScaled(s.ViewA.Vert(at.VertexA).Sub(q).Dot(f)/f.Norm2(), f)
		}
		p := s.ViewA.Vert(s.ViewA.Tail[at.HalfA])
		e := s.ViewA.Vert(s.ViewA.Head(at.HalfA)).Sub(p)
		c := e.Cross(f)
		return q.AddScaled(q.Sub(p).Cross(e).Dot(c)/c.Norm2(), f)
	}
	return s.PointB(at.VertexB)
}

// leversOf returns by how much the centres of A and of B are farther from the foot than from each other, 0 for not at all.
func (s *Prover) leversOf(f vec.Vec3) (a, b float64) {
	c := s.CentreOfB()
	far := c.Norm()
	return max(f.Norm()-far, 0), max(c.Sub(f).Norm()-far, 0)
}

// MotionLeft returns how much the odometers of two bodies at poses a and b may advance before a proof has to be looked at again, at a
// turn per motion as Budget has it. ok is false where it does not hold any more.
func MotionLeft(h *soa.PoseBound, a, b vec.Pose, turn float64) (motion float64, ok bool) {
	if !(h.Motion > 0) {
		return 0, false
	}
	q := h.Rot.Conj().Mul(a.Rot.Conj().Mul(b.Rot))
	sine := vec.Vec3{X: q.X, Y: q.Y, Z: q.Z}.Norm()
	// asin x ≤ x + x³/6 + x⁵/6 up to a half.
	x := float64(sine * sine)
	turned := float64(2*sine*(1+float64(float64(x*(1+x))*(1.0/6)))) + turnRounding
	separated := b.Pos.Sub(a.Pos).Add(b.Rot.Rotate(h.B)).Sub(a.Rot.Rotate(h.A)).Norm()
	used := max(separated+float64(turned*h.Lever), turned/turn)
	if !(sine < 0.5 && used <= h.Motion && turned <= h.Turn) {
		return 0, false
	}
	return min((h.Motion-used)/(1+float64(2*float64(turn*h.Lever))), (h.Turn-turned)/turn), true
}
