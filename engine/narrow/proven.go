package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Proof says for how long a facet that Feature has proven needs no proof.
type Proof struct {
	// Motion, m: until the odometers of both bodies together have advanced by it, the facet is the answer
	// wherever the pair still overlaps. 0 where nothing of the kind is known.
	Motion float64
	// Flip says that the normal of an edge pair is minus the product of the two edges, tail to head.
	Flip bool
}

// proven is what Feature proved last of a single facet, for Budget; lengths times scale.
type proven struct {
	known             bool
	id                soa.FacetID
	n                 vec.Vec3
	depth, lean, foot float64
}

// leastBudget is the motion, in units, that is not worth a proof.
const leastBudget = 1.0 / (1 << 24)

// Budget returns for how much motion the answer that Feature has just given stays proven (certificate C3,
// with the odometers of C1). turn is by how much angle either body turns at most while its odometer
// advances by one metre: 1 over the smaller of their radii about their centres, rad/m.
//
// The bodies move by m in all, so they turn against each other by φ = turn·m at most, and seen from A
// the points of B move by μ = m + φ·(|c_B| + R + m). A facet's normal is fixed in the body with the
// face; that of an edge pair turns by ψ ≤ 2φ/sin(e,f), as the part of one edge across the other
// turns by no more than that. So of the proof's numbers
//
//	the cap's sine     loses at most ψ (φ for a face)
//	the depth          grows by at most μ + ψ·p
//	the foot's inset   loses at most μ + 2ψ·(2R + p)
//	a and b            change by at most m + (φ + ψ)·|c_B|
//
// and the proof is made once more with the worst of each. Of the depths the largest is the worst: α₁ and with it
// the bound beyond fall as the depth grows, while α₀ is that of the allowance for rounding alone, whatever the
// depth. The largest budget that the cap allows is tried first. What is returned is a sixteenth less, for the
// rounding of poses. Cost: a few dozen flops a try.
func (s *Search) Budget(turn float64) Proof {
	k := &s.last
	if !k.known || s.scale != 1 || !(turn >= 0) {
		return Proof{}
	}
	proof := Proof{}
	bend := turn // of the normal against either body, per metre
	if k.id.Kind == soa.EdgeEdge {
		p, p1 := s.edgeA(int(k.id.A))
		q, q1 := s.edgeB(int(k.id.B))
		e, f := p1.Sub(p), q1.Sub(q)
		c := e.Cross(f)
		proof.Flip = c.Dot(k.n) < 0
		bend = 2 * turn * math.Sqrt(float64(e.Norm2()*f.Norm2())/c.Norm2())
	}
	cb := s.t
	if s.vb.Kind == soa.Facet {
		cb = s.facetPoint()
	}
	radius := max(s.va.Radius, s.vb.Radius)
	far := cb.Norm()
	long := s.t.Norm() + radius
	least := float64(leastBudget * s.unit)
	for m := min(0.75*k.lean/bend, 0.25/bend, k.foot); m > least; m *= 0.5 {
		phi, psi := float64(turn*m), float64(bend*m)
		move := m + float64(phi*(long+m))
		deepest := k.depth + move + float64(psi*k.depth)
		inset := k.foot - move - float64(2*psi*(2*radius+k.depth))
		lean := k.lean - psi
		if !(float64(lean*inset) > float64(4*provenBy*s.unit)) {
			continue
		}
		if s.aloneBetween(k.n, deepest, deepest, deepest, lean, inset, m+float64((phi+psi)*far)) {
			proof.Motion = float64(m * (1 - 1.0/16))
			break
		}
	}
	return proof
}

// Clear says whether the gap of a facet is so far below zero that the facet, if it is proven, is the answer: a search
// leaves a pair that is too close to call to other features. kernels.Facets gives such answers.
func Clear(gap float64, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	// No component of the way from one origin to the other exceeds twice the largest, in any frame.
	unit := max(a.Radius, b.Radius, 2*pb.Pos.Sub(pa.Pos).MaxAbs())
	return gap <= -4*closeTol*unit
}
