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
	// QuadA and QuadB are, where they are not 0, two faces of which the proof is, instead of a facet: the answer is one of
	// the facets that they make, as long as kernels.FaceFaces can say which.
	QuadA, QuadB soa.Quad
}

// provenFacet is what Feature proved last, for Budget; lengths times scale. The facet is alone in its cap and holds its
// foot; where it is too small to be proven alone, it was with the two faces that make it.
type provenFacet struct {
	known             bool
	id                soa.FacetID
	n                 vec.Vec3
	depth, lean, foot float64
	faces             faces
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
// depth. A facet that two faces make, with its foot too near to its rim, is known by its own disc only up to some angle;
// from there on the disc of the two faces has to hold, with the worst of their heights. The largest budget that the cap
// allows is tried first. What is returned is a sixteenth less, for the
// rounding of poses. Cost: a few dozen flops a try.
//
// Where two faces are proven for more than twice as much, the proof is theirs: see facesBudget.
func (s *Search) Budget(turn float64) Proof {
	one, two := s.facetBudget(turn), s.facesBudget(turn)
	if two.Motion > 2*one.Motion {
		return two
	}
	return one
}

// facetBudget is Budget for a facet alone.
func (s *Search) facetBudget(turn float64) Proof {
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
		shift := m + float64((phi+psi)*far)
		sure := false
		if f := &k.faces; f.n == (vec.Vec3{}) {
			sure = s.aloneBetween(k.n, deepest, deepest, deepest, lean, inset, shift)
		} else {
			known := k.knownAbout(f.n, deepest, inset, psi) - float64(4*provenBy*s.unit)/inset
			sure = s.aloneBetween(f.n, deepest, f.least-move, f.most+move, known, f.rho-(k.foot-inset), shift)
		}
		if sure {
			proof.Motion = float64(m * (1 - 1.0/16))
			break
		}
	}
	return proof
}

// knownAbout returns the sine of the largest angle about m within which the facet's disc, whose inset radius is given,
// holds h_K above the depth: 2·atan(inset/depth) about its own normal, less the angle to m, which may have grown by psi.
// It is 1 where that is a right angle or more, and 0 or less where it is nothing.
func (k *provenFacet) knownAbout(m vec.Vec3, depth, inset, psi float64) float64 {
	r2 := float64(depth*depth) + float64(inset*inset)
	sine, cosine := 2*float64(depth*inset)/r2, (float64(depth*depth)-float64(inset*inset))/r2
	away := k.n.Cross(m).Norm() + psi
	if !(away < 1) || k.n.Dot(m) <= 0 {
		return 0
	}
	near := math.Sqrt(1 - float64(away*away))
	if float64(cosine*near)+float64(sine*away) <= 0 {
		return 1
	}
	return float64(sine*near) - float64(cosine*away)
}

// Clear says whether the gap of a facet is so far below zero that the facet, if it is proven, is the answer: a search
// leaves a pair that is too close to call to other features. kernels.Facets gives such answers.
//
// The radii are those of the two shapes, dx is from A's origin to B's, world axes, all in m.
func Clear(gap, radiusA, radiusB float64, dx vec.Vec3) bool {
	// No component of the way from one origin to the other exceeds twice the largest, in any frame.
	unit := max(radiusA, radiusB, 2*dx.MaxAbs())
	return gap <= -4*closeTol*unit
}
