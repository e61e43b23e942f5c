package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// certainSpare is the factor by which the margins of nearestProven must be exceeded for a motion
// budget.
// Smaller: at 1, rounding may pass for a margin. Larger: shorter budgets.
const certainSpare = 2

// nearBudget is FacetBudget for the nearest features of bodies apart, proven by nearestProven
// (certificate C4). The features stay the nearest as long as their cap and the inset of the
// projection last, and the gap stays between half and one and a half times its value g. The symbols
// are those of Budget. As seen from A, the witness point on B moves relative to the one on A, both
// fixed in their bodies, by at most μ = m·(1 + turn·g)·(1 + φ). The shortest vector d between the
// features therefore changes by at most
//
//	two vertices               δ = μ
//	a vertex and an edge       δ = μ + φ·g, because the part of d along the edge is projected out again
//
// and turns against either body by at most ψ = 1.05·δ/g + φ while δ ≤ g/2, because the sine of the
// turn is δ/g. The normal of a face or of two edges turns as in Budget. The other numbers change as
// follows:
//
//	the cap's sine            decreases by at most ψ
//	the gap                   changes by at most δ (vertices), μ (otherwise)
//	the projection's inset    decreases by at most δ (vertex and edge), μ (face), μ + ψ·(1.3·g + inset) (edges)
//
// Bisection finds the largest motion that keeps the proof. Cost: a few dozen operations per trial.
func (s *Prover) nearBudget(turn float64) Proof {
	k := &s.Last
	g := -k.depth
	proof := Proof{Apart: true}
	ratio := 1.0
	if k.id.Kind == soa.EdgeEdge {
		if ratio, proof.Flip = s.crossed(k.id, k.n); ratio == 0 {
			return Proof{}
		}
	}
	most := min(0.25/turn, 0.5*g)
	if k.id.Kind != soa.VertexVertex {
		most = min(most, k.inset)
	}
	sure := float64(certainSpare * certainSine * s.LengthScale)
	holds := func(m float64) bool {
		phi := float64(turn * m)
		delta := float64(m * (1 + float64(turn*g)) * (1 + phi))
		psi, inset := float64(phi*ratio), k.inset-delta
		switch k.id.Kind {
		case soa.EdgeEdge:
			inset -= float64(psi * (float64(1.3*g) + k.inset))
		case soa.VertexEdge, soa.EdgeVertex:
			delta += float64(phi * g)
			inset = k.inset - delta
			psi = phi + float64(1.05*delta)/g
		case soa.VertexVertex:
			psi = phi + float64(1.05*delta)/g
		}
		capSine := k.capSine - psi
		if !(delta <= 0.5*g) || !(psi <= mostBend || k.id.Kind != soa.EdgeEdge) || !(capSine >= 0.25*k.capSine) || !(float64(float64(0.5*g*capSine)*capSine) > sure) {
			return false
		}
		return k.id.Kind == soa.VertexVertex ||
			float64(inset*inset) > float64(1.5*g*sure) && inset > float64(certainSpare*clearGap*s.LengthScale)
	}
	m := largest(most, float64(leastBudget*s.LengthScale), holds)
	if !(m > 0) {
		return Proof{}
	}
	return s.withPoseBound(proof, m, math.Inf(1), turn, s.projectionPoint(), 0)
}

// crossed returns, for two edges that make a facet of normal n, a bound of the ratio between the
// turn of the normal against either body and the turn of the bodies against each other. The ratio
// is 0 if the edges are too nearly parallel for the kernels, which use the plain cross product.
// flip is true if the cross product points against n.
func (s *Prover) crossed(id soa.FacetID, n vec.Vec3) (ratio float64, flip bool) {
	p, p1 := s.EdgeA(int(id.A))
	q, q1 := s.EdgeB(int(id.B))
	e, f := p1.Sub(p), q1.Sub(q)
	c := e.Cross(f)
	if c.Norm2() < 2*pair.WideSine*pair.WideSine*e.Norm2()*f.Norm2() {
		return 0, false // the sine decreases by at most a quarter, see Budget
	}
	return 1.02 * math.Sqrt(float64(e.Norm2()*f.Norm2())/c.Norm2()), c.Dot(n) < 0
}

// largest returns a motion m ≤ most for which holds(m) is true, and which is at most a fifth below
// the largest such motion. It returns 0 if it finds none above least. It assumes that holds is true
// for every smaller motion too.
func largest(most, least float64, holds func(m float64) bool) float64 {
	for m := most; m > least; m *= 0.5 {
		if !holds(m) {
			continue
		}
		if m < most {
			// The largest motion lies between m and 2m.
			for step := 0.5 * m; step > 0.2*m; step *= 0.5 {
				if holds(m + step) {
					m += step
				}
			}
		}
		return m
	}
	return 0
}

// ClearApart reports whether features proven to be the nearest of two cores are the answer at the
// given gap of the cores: the gap must be clearly above zero and clearly below the reach of the
// pieces. Clear is the same test for a facet. The radii, of cores and of rounding, are those of the
// two shapes. dx is the vector from A's origin to B's, world axes. All lengths are in m.
func ClearApart(gap, reach float64, a, b *soa.View, dx vec.Vec3) bool {
	lengthScale := max(a.Radius, b.Radius, 2*dx.MaxAbs())
	return gap > clearGap*lengthScale && gap < pair.CoreReach(a, b, reach)-float64(pair.ProofTol*lengthScale)
}
