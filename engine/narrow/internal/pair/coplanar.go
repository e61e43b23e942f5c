package pair

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastFlat is the cosine of the angle between two faces from which they are so nearly parallel
// that they meet beside the lowest corner. It is not a tolerance.
const leastFlat = 0.9

// coplanar returns the witness point on A of a face and a vertex, where both lie in faces of four
// corners: of a vertex over the face that alone; where an edge or a face lies flat on it the mean
// of the corners that they have in common; and where these have nothing in common the corner of
// what both faces have in common where they are nearest to each other. It is found by a sum without
// cases (asm.FlatQuads), which kernels.FaceFaces takes as well. n and gap are the facet's. It returns
// false where it is no such pair, or they have nothing in common.
//
// Both faces are brought to the plane of the level corners, or to that of A's face. Cost: a height for each vertex of the
// body that has the vertex; the sum.
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
	if qa == 0 || qb == 0 {
		return vec.Vec3{}, false
	}
	rowA, rowB := s.ViewA.Quads[qa:][:soa.QuadSize], s.ViewB.Quads[qb:][:soa.QuadSize]

	q := asm.FlatQuads{UseA: [4]float64{1, 1, 1, 1}, UseB: [4]float64{1, 1, 1, 1}, Unit: s.LengthScale}
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

// coplanarCorners sets use to 1 for the corners of a quad with d·p ≤ limit and to 0 for others, and
// returns how many they are, 0 where another vertex is one of them. Where two across are, all
// count: then they are level but for twice what those are.
func coplanarCorners(h *Hull, d vec.Vec3, limit float64, row []float64, use *[4]float64) int {
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

// Two faces of four corners are proven as a pair (FacePair) for as long as
//
//	the cap of both about A's normal is wider than PairCap,
//	their normals are at most PairTilt apart,
//	their heights and the place of the foot prove all facets beyond PairCap deeper (AloneBetween).
//
// Facets within PairCap are then those that the two faces make, and kernels.FaceFaces finds the shallowest or declines. It
// takes A's face or B's, with the corners that are level there, where the foot lies inside that part of K by
// p·tan(PairCap + PairTilt)/2, less than p/8 as asm has it: the disc of that radius at height p proves that no
// facet is shallower whose normal is that angle away or less. Or it takes them where K is that deep
// over the foot but for a fraction of a tie, and wide.
const (
	PairCap  = 0.125
	PairTilt = 0.1
	// PairSpare is what the cap is wider than PairCap, so that vertices beside the faces are never level with them.
	PairSpare = 1.0 / 128
)
