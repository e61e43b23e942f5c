package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
)

// quadsNearlyParallel reports whether the two faces next to the features of a facet have four
// corners each, and are parallel enough for a motion budget.
func (s *Prover) quadsNearlyParallel(id soa.FacetID) bool {
	f, g := s.facing(id)
	n, _ := s.PlaneA(f)
	m, _ := s.PlaneB(g)
	return s.ViewA.QuadOfFace[f] != 0 && s.ViewB.QuadOfFace[g] != 0 && n.Dot(m) < 0 && n.Cross(m).Norm2() < pair.PairTilt*pair.PairTilt
}

// FacesBudget is Budget for two faces that FacePair has proven. As in Budget, m metres of motion
// rotate the bodies against each other by at most φ = turn·m. They move any point of one body
// relative to the other by at most μ = m + φ·(|c| + R + m), where c is the centre of B and R the
// larger bounding radius. So
//
//	the cap's sine, and the sine of the tilt     change by at most φ
//	heights, and the depth                       change by at most μ
//	ρ                                            decreases by at most μ + 2φ·(2R + t)
//	a and b                                      change by at most m + 2φ·|c|
//
// where ρ, t, a and b are those of Feature and FacePair. The budget does not ensure that the faces
// stay parallel or tilted: the kernel checks that in every step. The kernel declines if two edges
// are the answer, so FacesBudget then returns no budget.
func (s *Prover) FacesBudget(turn float64) Proof {
	k := &s.Last.Faces
	if s.Off&FaceBudgets != 0 || s.Last.id.Kind == soa.EdgeEdge || k.QuadA == 0 || k.quadB == 0 || s.Scale != 1 || !(turn >= 0) {
		return Proof{}
	}
	radius, small := max(s.ViewA.Radius, s.ViewB.Radius), min(s.ViewA.Radius, s.ViewB.Radius)
	// Vertices outside the faces must rise, by QuadDrop times PairSpare, by far more than a tie.
	if !(float64(small*(soa.QuadDrop*pair.PairSpare)) > float64(8*provenBy*s.LengthScale)) {
		return Proof{}
	}
	far, long := s.OriginB.Norm(), s.OriginB.Norm()+radius
	least := float64(leastBudget * s.LengthScale)
	for m := min((k.capSine-pair.PairCap-pair.PairSpare)/turn, (pair.PairTilt-k.tilt)/turn, k.rho, radius); m > least; m *= 0.5 {
		phi := float64(turn * m)
		move := m + float64(phi*(long+m))
		rho := k.rho - move - float64(2*phi*(2*radius+k.most+move))
		shift := m + float64(2*phi*far)
		if k.capSine-phi >= pair.PairCap+pair.PairSpare && k.tilt+phi <= pair.PairTilt && rho > 0 &&
			s.AloneBetween(k.n, k.depth+move, k.least-move, k.most+move, pair.PairCap, rho, shift) {
			f := s.projectionPoint()
			return s.withPoseBound(Proof{QuadA: k.QuadA, QuadB: k.quadB}, m, math.Inf(1), turn, f, max(s.leversOf(f)))
		}
	}
	return Proof{}
}
