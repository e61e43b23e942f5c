package narrow

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastFlat is the cosine of the angle between two faces from which they are so nearly parallel
// that they meet beside the lowest corner. It is not a tolerance.
const leastFlat = 0.9

// flush returns the witness point on A of a face and a vertex, where both lie in faces of four
// corners: of a vertex over the face that alone; where an edge or a face lies flat on it the mean
// of the corners that they have in common; and where these have nothing in common the corner of
// what both faces have in common where they are nearest to each other. It is found by a sum without
// cases (asm.FlatQuads), which kernels.FaceFaces takes as well. n and gap are the facet's. It says
// false where it is no such pair, or they have nothing in common.
//
// Both faces are brought to the plane of the level corners, or to that of A's face. Cost: a height for each vertex of the
// body that has the vertex; the sum.
func (s *Search) flush(id soa.FacetID, gap float64, n vec.Vec3) (vec.Vec3, bool) {
	f, g, ofB := 0, 0, id.Kind == soa.VertexFace
	if ofB {
		if g = int(id.B); s.vb.QuadOfFace[g] == 0 {
			return vec.Vec3{}, false
		}
		f = s.faceAround(s.va, soa.Vertex(id.A), n)
	} else {
		if f = int(id.A); s.va.QuadOfFace[f] == 0 {
			return vec.Vec3{}, false
		}
		g = s.faceAround(s.vb, soa.Vertex(id.B), s.rot.TMulVec(n.Neg()))
	}
	qa, qb := s.va.QuadOfFace[f], s.vb.QuadOfFace[g]
	if qa == 0 || qb == 0 {
		return vec.Vec3{}, false
	}
	rowA, rowB := s.va.Quads[qa:][:soa.QuadSize], s.vb.Quads[qb:][:soa.QuadSize]

	q := asm.FlatQuads{UseA: [4]float64{1, 1, 1, 1}, UseB: [4]float64{1, 1, 1, 1}, Unit: s.unit}
	tip, height, count := vec.Vec3{}, 0.0, 0
	if ofB {
		m := n.Neg()
		tip = s.a.at(int(id.A))
		height = m.Dot(tip)
		count = levelCorners(&s.a, m, height+float64(2*s.tol.tie), rowA, &q.UseA)
	} else {
		tip = s.b.at(int(id.B))
		height = n.Dot(tip)
		count = levelCorners(&s.b, n, height+float64(2*s.tol.tie), rowB, &q.UseB)
	}
	if count == 0 {
		return vec.Vec3{}, false
	}
	at := func(j int) vec.Vec3 { return vec.Vec3{X: rowA[j], Y: rowA[j+1], Z: rowA[j+2]} }
	u, v := at(soa.QuadU), at(soa.QuadV)
	nA, d := s.planeA(f)
	m, _ := s.planeB(g)
	q.SlopeX, q.SlopeY = m.Dot(u), m.Dot(v)
	down, ux, vx := n.Scale(-gap), 0.0, 0.0
	if ofB {
		ux, vx = u.Dot(down), v.Dot(down)
	}
	for k := range 4 {
		b := s.b.at(int(rowB[soa.QuadVertex+k]))
		q.AX[k], q.AY[k] = rowA[soa.QuadFlat+2*k]*s.scale, rowA[soa.QuadFlat+2*k+1]*s.scale
		q.BX[k], q.BY[k] = u.Dot(b)+ux, v.Dot(b)+vx
		q.LengthA[k], q.LengthB[k] = rowA[soa.QuadLength+k]*s.scale, rowB[soa.QuadLength+k]*s.scale
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

// levelCorners sets use to 1 for the corners of a quad with d·p ≤ limit and to 0 for others, and
// returns how many they are, 0 where another vertex is one of them. Where two across are, all
// count: then they are level but for twice what those are.
func levelCorners(h *hull, d vec.Vec3, limit float64, row []float64, use *[4]float64) int {
	level, others := 0, 0
	for k := range use {
		if use[k] = 0; d.Dot(h.at(int(row[soa.QuadVertex+k]))) <= limit {
			use[k] = 1
			level++
		}
	}
	for i := range h.x {
		if d.Dot(h.at(i)) <= limit {
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

// Two faces of four corners are proven as a pair (facePair) for as long as
//
//	the cap of both about A's normal is wider than pairCap,
//	their normals are at most pairTilt apart,
//	their heights and the place of the foot prove all facets beyond pairCap deeper (aloneBetween).
//
// Facets within pairCap are then those that the two faces make, and kernels.FaceFaces finds the shallowest or declines. It
// takes A's face or B's, with the corners that are level there, where the foot lies inside that part of K by
// p·tan(pairCap + pairTilt)/2, less than p/8 as asm has it: the disc of that radius at height p proves that no
// facet is shallower whose normal is that angle away or less. Or it takes them where K is that deep
// over the foot but for a fraction of a tie, and wide.
const (
	pairCap  = 0.125
	pairTilt = 0.1
	// pairSpare is what the cap is wider than pairCap, so that vertices beside the faces are never level with them.
	pairSpare = 1.0 / 128
)

// quadsRest says whether the two faces next to the features of a facet have four corners each and lie so nearly parallel that they
// may have a budget.
func (s *Search) quadsRest(id soa.FacetID) bool {
	f, g := s.facing(id)
	n, _ := s.planeA(f)
	m, _ := s.planeB(g)
	return s.va.QuadOfFace[f] != 0 && s.vb.QuadOfFace[g] != 0 && n.Dot(m) < 0 && n.Cross(m).Norm2() < pairTilt*pairTilt
}

// facesBudget is Budget for two faces that facePair has proven, with the bounds of Budget: m metres of motion turn the
// bodies against each other by φ = turn·m, and move the points of either seen from the other by μ = m + φ·(|c| + R + m).
// So
//
//	the cap's sine, and the sine of the tilt     change by at most φ
//	heights, and the depth                       change by at most μ
//	ρ                                            loses at most μ + 2φ·(2R + t)
//	a and b                                      change by at most m + 2φ·|c_B|
//
// That the faces stay level or tilted is not in it: the kernel looks. Where two edges are the answer it would decline, so
// there is none.
func (s *Search) facesBudget(turn float64) Proof {
	k := &s.last.faces
	if s.last.id.Kind == soa.EdgeEdge || k.quadA == 0 || k.quadB == 0 || s.scale != 1 || !(turn >= 0) {
		return Proof{}
	}
	radius, small := max(s.va.Radius, s.vb.Radius), min(s.va.Radius, s.vb.Radius)
	// What leaves the faces rises by the drop of a quad times the spare: by far more than a tie.
	if !(float64(small*(soa.QuadDrop*pairSpare)) > float64(8*provenBy*s.unit)) {
		return Proof{}
	}
	if k.ofLevel {
		s.nearA = corners(s.nearA[:0], s.va, int(s.va.Quads[int(k.quadA)+soa.QuadFace]))
		s.nearB = corners(s.nearB[:0], s.vb, int(s.vb.Quads[int(k.quadB)+soa.QuadFace]))
		k.rho, k.ofLevel = s.insetOfFaces(k.n), false
	}
	far, long := s.t.Norm(), s.t.Norm()+radius
	least := float64(leastBudget * s.unit)
	for m := min((k.lean-pairCap-pairSpare)/turn, (pairTilt-k.tilt)/turn, k.rho, radius); m > least; m *= 0.5 {
		phi := float64(turn * m)
		move := m + float64(phi*(long+m))
		rho := k.rho - move - float64(2*phi*(2*radius+k.most+move))
		shift := m + float64(2*phi*far)
		if k.lean-phi >= pairCap+pairSpare && k.tilt+phi <= pairTilt && rho > 0 &&
			s.aloneBetween(k.n, k.depth+move, k.least-move, k.most+move, pairCap, rho, shift) {
			f := s.footOf()
			return s.hold(Proof{QuadA: k.quadA, QuadB: k.quadB}, m, math.Inf(1), turn, f, max(s.leversOf(f)))
		}
	}
	return Proof{}
}
