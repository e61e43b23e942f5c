package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sureSpare is how many times the margins of nearestProven have to be met for a budget.
const sureSpare = 2

// nearBudget is FacetBudget for features of two bodies apart that nearestProven has proven (certificate C4). They stay the
// nearest for as long as their cap and the inset of the foot last, and the gap stays within half and one and a half of what it
// is. In the terms of Budget, with g for the gap: as seen from A, the foot on B moves against that on A, both held fast to their bodies,
// by μ = m·(1 + turn·g)·(1 + φ) at most. So d, the shortest way, changes by
//
//	two vertices               δ = μ
//	a vertex and an edge       δ = μ + φ·g, for the part of d along the edge is taken out again
//
// and turns, against either body, by ψ = 1.05·δ/g + φ at most while δ ≤ g/2, the sine of that turn being δ/g; that of faces and
// edges turns as in Budget. Of the rest
//
//	the cap's sine       loses at most ψ
//	the gap              changes by at most δ (vertices), μ
//	the foot's inset     loses at most δ (vertex and edge), μ (face), μ + ψ·(1.3·g + inset) (edges)
//
// The largest motion that holds is sought by halves. Cost: a few dozen flops a try.
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
	sure := float64(sureSpare * sureSine * s.LengthScale)
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
			float64(inset*inset) > float64(1.5*g*sure) && inset > float64(sureSpare*clearGap*s.LengthScale)
	}
	m := largest(most, float64(leastBudget*s.LengthScale), holds)
	if !(m > 0) {
		return Proof{}
	}
	return s.withPoseBound(proof, m, math.Inf(1), turn, s.projectionPoint(), 0)
}

// crossed returns, of two edges that make a facet of normal n, by how much more than the bodies against each other the normal turns
// against either, 0 where they are too near to parallel for kernels, which take the product as it comes; and whether that
// points back.
func (s *Prover) crossed(id soa.FacetID, n vec.Vec3) (ratio float64, flip bool) {
	p, p1 := s.EdgeA(int(id.A))
	q, q1 := s.EdgeB(int(id.B))
	e, f := p1.Sub(p), q1.Sub(q)
	c := e.Cross(f)
	if c.Norm2() < 2*pair.WideSine*pair.WideSine*e.Norm2()*f.Norm2() {
		return 0, false // the sine loses a quarter at most, see Budget
	}
	return 1.02 * math.Sqrt(float64(e.Norm2()*f.Norm2())/c.Norm2()), c.Dot(n) < 0
}

// largest returns a motion that holds, at most a fifth below the largest there is up to most, or 0 where none above least is found.
// What holds is taken to hold for all that is smaller.
func largest(most, least float64, holds func(m float64) bool) float64 {
	for m := most; m > least; m *= 0.5 {
		if !holds(m) {
			continue
		}
		if m < most {
			// It ends between here and twice as much.
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

// ClearApart reports whether the gap of features that are proven to be the nearest of two cores is so far from zero, and from the
// reach of the pieces, that the features are the answer, as Clear does of a facet. The radii, of cores and of rounding, are
// those of the two shapes, dx is from A's origin to B's, world axes, all in m.
func ClearApart(gap, reach float64, a, b *soa.View, dx vec.Vec3) bool {
	lengthScale := max(a.Radius, b.Radius, 2*dx.MaxAbs())
	return gap > clearGap*lengthScale && gap < pair.CoreReach(a, b, reach)-float64(pair.ProofTol*lengthScale)
}
