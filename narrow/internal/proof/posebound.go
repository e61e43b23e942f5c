package proof

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Relative-pose bounds. The odometers use up a motion budget even if both bodies move alike. A proof
// however depends only on the relative pose of the bodies. Two points and two orientations describe
// how that pose has changed: f, fixed in A, and g, fixed in B. Both were at the projection when the
// features were proven. Let δ be the distance of f and g now, and φ the angle by which the bodies
// have turned against each other since. A point of one body at distance y from the projection has
// then moved by at most δ + φ·y relative to the other body. The same holds for the centres, where y
// is their distance from the projection. A budget of m metres, see Budget, allows the motions
//
//	points near the projection       m
//	the centres c_A and c_B          m + φ·|c_A − c_B|, besides the part due to the normal's turn
//	all points, between two faces    m + φ·(|c_A − c_B| + R)
//	turns                            φ ≤ turn·m
//
// Let lever be the largest |y − f| less the coefficient of φ in the same line, over these points
// y. The proof holds if
//
//	used = max(δ + φ·lever, φ/turn) ≤ m     and     φ ≤ the limit on the turn.
//
// While the odometers advance by k, φ grows by at most turn·k. δ grows by at most (1 + turn·p)·k,
// because neither f nor g is farther than p beyond its body, where p is the depth or the gap. So if
// lever is at least p, the proof lasts for a further motion of (m − used)/(1 + 2·turn·lever).

// turnRounding, rad, bounds the rounding error of the angle between two relative orientations. The
// angle results from a product of four quaternions with a few roundings each.
// Smaller: a pair turned too far may pass.
const turnRounding = 1.0 / (1 << 46)

// withPoseBound completes a proof for a motion of m metres and a turn of at most limit, rad, with
// the current relative pose. f is the projection, frame of A. A sixteenth of m is reserved for the
// rounding of poses.
func (s *Prover) withPoseBound(proof Proof, m, limit, turn float64, f vec.Vec3, lever float64) Proof {
	m *= 1 - 1.0/16
	proof.Motion = min(m, float64(limit*(1-1.0/16))/turn)
	proof.PoseBound = soa.PoseBound{Rot: s.Relative, A: f, B: s.ToB(f), Motion: m, Turn: limit, Lever: max(lever, math.Abs(s.Last.depth))}
	return proof
}

// projectionPoint returns the projection of what was proven last, frame of A: the vertex, or the
// nearest point of B's edge.
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

// leversOf returns how much farther the centres of A and of B are from projection f than from each
// other, 0 if they are not farther.
func (s *Prover) leversOf(f vec.Vec3) (a, b float64) {
	c := s.CentreOfB()
	far := c.Norm()
	return max(f.Norm()-far, 0), max(c.Sub(f).Norm()-far, 0)
}

// MotionLeft returns by how much the odometers of two bodies, at poses a and b, may advance before
// a proof must be checked again. turn is as for Budget. ok is false if the proof does not hold at
// these poses.
func MotionLeft(h *soa.PoseBound, a, b vec.Pose, turn float64) (motion float64, ok bool) {
	if !(h.Motion > 0) {
		return 0, false
	}
	q := h.Rot.Conj().Mul(a.Rot.Conj().Mul(b.Rot))
	sine := vec.Vec3{X: q.X, Y: q.Y, Z: q.Z}.Norm()
	// asin x ≤ x + x³/6 + x⁵/6 for x ≤ 1/2.
	x := float64(sine * sine)
	turned := float64(2*sine*(1+float64(float64(x*(1+x))*(1.0/6)))) + turnRounding
	separated := b.Pos.Sub(a.Pos).Add(b.Rot.Rotate(h.B)).Sub(a.Rot.Rotate(h.A)).Norm()
	used := max(separated+float64(turned*h.Lever), turned/turn)
	if !(sine < 0.5 && used <= h.Motion && turned <= h.Turn) {
		return 0, false
	}
	return min((h.Motion-used)/(1+float64(2*float64(turn*h.Lever))), (h.Turn-turned)/turn), true
}
