package pair

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastFlat is the cosine of the largest angle between two faces at which coplanar accepts a corner
// of their common region other than the facet's vertex. It is not a tolerance.
const leastFlat = 0.9

// coplanar returns the witness point on A of a facet made by a face and a vertex, if both lie in
// faces of four corners. n and gap are the facet's. It returns false for any other pair of
// features, if B's face collapses, and if the two faces have no point in common as seen along n.
// Corners within 2·TieTol of the vertex's height are called coplanar with the vertex. The result is
// one of three points:
//
//   - the vertex, or its projection, if no other corner is coplanar with it and it lies over the
//     face;
//   - the mean of the corners of the common region, if an edge or a face is coplanar with the other
//     face;
//   - otherwise, the corner of the common region of both faces at which they are nearest to each
//     other.
//
// asm.FlatQuads computes the point by a sum without branches. kernels.FaceFaces uses the same sum,
// so the bits agree. Both faces are projected to the plane of the coplanar corners, or to the plane
// of A's face. Cost: one height for each vertex of the body that has the vertex, and the sum.
func (s *Frame) coplanar(id soa.FacetID, gap float64, n vec.Vec3) (vec.Vec3, bool) {
	f, g, ofB := 0, 0, id.Kind == soa.VertexFace
	if ofB {
		if g = int(id.B); s.ViewB.QuadOfFace[g] == 0 {
			return vec.Vec3{}, false
		}
		f = s.FaceAround(s.ViewA, soa.Vertex(id.A), n)
	} else {
		if f = int(id.A); s.ViewA.QuadOfFace[f] == 0 {
			return vec.Vec3{}, false
		}
		g = s.FaceAround(s.ViewB, soa.Vertex(id.B), s.Rot.TMulVec(n.Neg()))
	}
	qa, qb := s.ViewA.QuadOfFace[f], s.ViewB.QuadOfFace[g]
	if qa == 0 || qb == 0 || s.Collapses(qb) {
		return vec.Vec3{}, false
	}
	rowA, rowB := s.ViewA.Quads[qa:][:soa.QuadSize], s.ViewB.Quads[qb:][:soa.QuadSize]

	q := asm.FlatQuads{UseA: [4]float64{1, 1, 1, 1}, UseB: [4]float64{1, 1, 1, 1}, LengthScale: s.LengthScale}
	tip, height, count := vec.Vec3{}, 0.0, 0
	if ofB {
		m := n.Neg()
		tip = s.HullA.At(int(id.A))
		height = m.Dot(tip)
		count = coplanarCorners(&s.HullA, m, height+float64(2*s.Tol.Tie), rowA, &q.UseA)
	} else {
		tip = s.HullB.At(int(id.B))
		height = n.Dot(tip)
		count = coplanarCorners(&s.HullB, n, height+float64(2*s.Tol.Tie), rowB, &q.UseB)
	}
	if count == 0 {
		return vec.Vec3{}, false
	}
	at := func(j int) vec.Vec3 { return vec.Vec3{X: rowA[j], Y: rowA[j+1], Z: rowA[j+2]} }
	u, v := at(soa.QuadU), at(soa.QuadV)
	nA, d := s.PlaneA(f)
	m, _ := s.PlaneB(g)
	q.SlopeX, q.SlopeY = m.Dot(u), m.Dot(v)
	down, ux, vx := n.Scale(-gap), 0.0, 0.0
	if ofB {
		ux, vx = u.Dot(down), v.Dot(down)
	}
	for k := range 4 {
		b := s.HullB.At(int(rowB[soa.QuadVertex+k]))
		q.AX[k], q.AY[k] = rowA[soa.QuadFlat+2*k]*s.Scale, rowA[soa.QuadFlat+2*k+1]*s.Scale
		q.BX[k], q.BY[k] = u.Dot(b)+ux, v.Dot(b)+vx
		q.LengthA[k], q.LengthB[k] = rowA[soa.QuadLength+k]*s.Scale, rowB[soa.QuadLength+k]*s.Scale
	}
	x, y, mean, ok := q.Meet(ofB)
	switch {
	case !ok || !mean && !(nA.Dot(m) <= -leastFlat):
		return vec.Vec3{}, false
	case mean && count == 1 && ofB:
		return tip, true
	case mean && count == 1:
		return tip.Add(down), true
	}
	return asm.Lifted(x, y, u, v, nA, m, d, height, ofB), true
}

// Collapses reports whether a quadrangle of B has a side that rounding may reverse or remove, because
// the side is far shorter than the distance of B from A's origin. FlatQuads would then take points
// of A at any distance for points inside the quadrangle.
func (s *Frame) Collapses(q soa.Quad) bool {
	for _, length := range s.ViewB.Quads[q:][soa.QuadLength:][:4] {
		if length*s.Scale < s.Tol.Round {
			return true
		}
	}
	return false
}

// coplanarCorners sets use to 1 for each corner of a quadrangle with d·p ≤ limit, and to 0 for each
// other corner. It returns the number of such corners, or 0 if another vertex of the body is within
// the limit too. If two opposite corners are within the limit, all four count: the other two are
// then within twice the tolerance.
func coplanarCorners(h *PosedHull, d vec.Vec3, limit float64, row []float64, use *[4]float64) int {
	level, others := 0, 0
	for k := range use {
		if use[k] = 0; d.Dot(h.At(int(row[soa.QuadVertex+k]))) <= limit {
			use[k] = 1
			level++
		}
	}
	for i := range h.X {
		if d.Dot(h.At(i)) <= limit {
			others++
		}
	}
	if others != level {
		return 0
	}
	if use[0]*use[2] == 1 || use[1]*use[3] == 1 {
		*use, level = [4]float64{1, 1, 1, 1}, 4
	}
	return level
}

// Bounds for two faces of four corners that are proven as a pair (FacePair). The proof holds as
// long as
//
//	the cap of both faces about A's normal is wider than PairCap,
//	the angle between their normals is at most PairTilt,
//	their heights and the projection of the origin prove all facets beyond PairCap deeper (AloneBetween).
//
// Facets within PairCap are then made by the two faces alone. kernels.FaceFaces finds the
// shallowest of these, or declines to answer. It accepts A's face or B's, with the corners that are
// coplanar, in two cases. In the first the projection of the origin lies inside that part of K by
// at least p·tan(PairCap + PairTilt)/2, where p is the depth; that is less than the p/8 that asm
// requires. The disc of that radius at height p proves that no facet within that angle is
// shallower. In the second case K reaches the depth p above the projection, up to a fraction of a
// tie, and is wide.
// Smaller: faces of larger tilt have no budget. Larger: faceHalfAngle grows.
const (
	PairCap  = 0.125
	PairTilt = 0.1
	// PairSpare is the margin by which the cap must be wider than PairCap. It keeps vertices beside
	// the faces from being coplanar with them.
	// Smaller: another vertex may be as low as the corners.
	PairSpare = 1.0 / 128
)
