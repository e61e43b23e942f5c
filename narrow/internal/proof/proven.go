package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Proof tells for how long features that were proven need no new proof.
type Proof struct {
	// Motion, m, is the sum by which the odometers of both bodies may advance while the features
	// stay the answer, as long as Clear or ClearApart accepts their gap. It is 0 if nothing is
	// proven.
	Motion float64
	// PoseBound extends the proof beyond Motion by the relative pose of the bodies at that time:
	// see MotionLeft.
	PoseBound soa.PoseBound
	// Flip is true if the normal of an edge pair is minus the cross product of the two edges, tail
	// to head.
	Flip bool
	// Apart is true if the proof is of the nearest features of a pair apart (certificate C4). The
	// features are then the answer while ClearApart is true of their gap. Otherwise the proof is of
	// a facet of a pair that overlaps (C3), and Clear is the test.
	Apart bool
	// QuadA and QuadB, if not 0, are two faces that are proven instead of one facet. The answer is
	// one of the facets that they make, as long as kernels.FaceFaces can tell which one.
	QuadA, QuadB soa.Quad
}

// provenFacet is what Feature or a search proved last, for Budget. Lengths are multiplied by Scale.
// The facet is alone in its cap and contains the projection of the origin.
type provenFacet struct {
	known                 bool
	capUnknown            bool // capSine and inset are not yet computed, see findCap
	apart                 bool // the features are the nearest of a pair apart; depth is minus their gap
	id                    soa.FacetID
	n                     vec.Vec3
	depth, capSine, inset float64
	Faces                 faces
	at                    pair.FeaturePair
}

// keepAndWrite stores a facet of K that is proven alone, and writes its answer. It stores in place,
// because a copy of a structure written elsewhere would wait for its parts.
func (s *Prover) keepAndWrite(at *pair.FeaturePair, on *evaluated, out *pair.Answer) {
	k := &s.Last
	k.known, k.apart, k.Faces = true, false, faces{}
	k.id, k.n, k.depth, k.capSine, k.inset, k.at = on.ID, on.N, -on.Gap, on.CapSine, at.Inset, *at
	s.WriteProven(at, on.ID, on.Gap, on.N, out)
}

// longBudget is the motion budget of a facet, in length scales, from which Budget does not try a
// proof of the two faces of four corners that make the facet.
const longBudget = 1.0 / (1 << 10)

// ForgetProof removes the stored proof, so that Budget returns none.
func (s *Prover) ForgetProof() { s.Last.known, s.Last.capUnknown, s.Last.Faces.QuadA = false, false, 0 }

// findCap computes the cap and the inset of a facet that was proven together with others. Callers
// without need of a budget save that time.
func (s *Prover) findCap() {
	k := &s.Last
	if !k.capUnknown {
		return
	}
	k.capSine, k.inset = s.CapOf(k.id, k.n)
	k.capUnknown, k.known, k.at = false, k.capSine > 0 && k.inset > 0, s.FeaturePairOf(k.id)
	k.at.Inset = k.inset
}

// mostBend, rad, is the largest turn of the normal of two edges within a motion budget.
// Smaller: shorter budgets of edges. Larger: the bound on their normal's turn fails.
const mostBend = 0.25

// leastBudget is the motion, in length scales, below which a budget is not worth a proof.
// Smaller: time for budgets that end at once. Larger: more proofs.
const leastBudget = 1.0 / (1 << 24)

// Budget returns for how much motion the last answer of Feature, or of a search, stays proven
// (certificate C3, with the odometers of C1). turn, rad/m, bounds the angle by which either body
// turns per metre of its odometer: 1 over the smaller of the bodies' radii about their centres.
//
// Let the odometers of both bodies advance by m in all. The bodies turn against each other by at
// most φ = turn·m. As seen from A, a point of B at distance x from A's centre moves with B by m_B,
// and against A's motion by m_A·x/R_A at most, where m_A and m_B are the motions of the bodies and
// R_A the radius of A. Near the projection, x is at most R + p, where p is the depth and R the
// radius. Integrated over the motion, such a point moves by at most μ = m·(1 + turn·p)·(1 +
// turn·m), for turn·m up to 1.
//
// A facet's normal is fixed in the body that has the face. The normal of edges e and f, which meet
// at an angle of sine sin(e,f), turns by ψ ≤ asin(φ/sin(e,f)): the part of one unit edge vector
// perpendicular to the other, of length sin(e,f), changes by at most φ. Up to mostBend, ψ is at
// most 1.02·φ/sin(e,f). So the numbers of the proof change as follows:
//
//	the cap's sine            decreases by at most ψ (φ for a face)
//	the depth                 grows by at most μ
//	the projection's inset    decreases by at most μ (face), μ + ψ·(1.3·p + inset) (edges)
//	a and b                   change by at most m + (φ + ψ)·|c_B|
//
// The inset of two edges is the distance of the crossing from the ends of either edge, times
// sin(e,f). While f moves by μ and turns by φ, the crossing moves along e by at most μ/sin +
// p·φ/sin², with the sine at that time. The inset is multiplied by that sine, which is at least 1 −
// φ/sin times the old one; φ/sin is at most a quarter.
//
// Budget repeats the proof with the worst value of each number. The largest depth is the worst: α₁,
// and the bound beyond it, decrease as the depth grows, while α₀ depends only on the allowance for
// rounding. The trials start from the largest budget that the cap allows. The result is reduced by
// a sixteenth, for the rounding of poses. Cost: a few dozen operations per trial.
//
// If two faces are proven for more than twice the motion, Budget returns their proof: see
// FacesBudget.
func (s *Prover) Budget(turn float64) Proof {
	k := &s.Last
	one := s.FacetBudget(turn)
	short := k.known && k.depth > 0 && k.Faces.QuadA == 0 && one.Motion < float64(longBudget*s.LengthScale)
	if short && k.capSine < smallCap && k.id.Kind <= soa.VertexFace && s.quadsNearlyParallel(k.id) {
		// The faces rest on each other and are nearly parallel. One facet is the answer only until
		// the faces tilt back.
		s.AllToFrameA()
		if best, faces, proven := s.FacePair(k.id); proven && best.ID == k.id {
			k.Faces = faces
		}
	}
	two := s.FacesBudget(turn)
	if two.Motion > 2*one.Motion {
		return two
	}
	return one
}

// FacetBudget is Budget for one facet.
//
// A turn uses up a narrow cap quickly, but most motion contains little turn. The budget may
// therefore come with a separate limit on the turn, which MotionLeft checks by the poses. In the
// formulas of Budget φ is then at most that limit, except for A's own turn in the shift of the
// centres.
func (s *Prover) FacetBudget(turn float64) Proof {
	k := &s.Last
	s.findCap()
	if !k.known || s.Scale != 1 || s.Off&FacetBudgets != 0 || !(turn >= 0) {
		return Proof{}
	}
	if k.apart {
		return s.nearBudget(turn)
	}
	var proof Proof
	ratio := 1.0 // turn of the normal against either body, relative to the turn of the bodies against each other
	if k.id.Kind == soa.EdgeEdge {
		if ratio, proof.Flip = s.crossed(k.id, k.n); ratio == 0 {
			return proof
		}
	}
	// A facet allows no more motion than this: beyond, its cap is used up, or the projection has
	// left the facet.
	limit := min(0.75*k.capSine, mostBend) / ratio
	m := s.discBudget(turn, ratio, limit, min(0.25/turn, k.inset))
	if !(m > float64(leastBudget*s.LengthScale)) {
		return Proof{}
	}
	f := s.projectionPoint()
	return s.withPoseBound(proof, m, limit, turn, f, min(s.leversOf(f)))
}

// discBudget returns the budget, at most most, of a facet that the disc about its projection
// proves, without the reduction by a sixteenth. The bodies turn against each other by at most
// limit.
func (s *Prover) discBudget(turn, ratio, limit, most float64) float64 {
	k := &s.Last
	far := s.CentreOfB().Norm()
	holds := func(m float64) bool {
		turned := float64(turn * m)
		psi := float64(min(turned, limit) * ratio)
		move := float64(m * (1 + float64(turn*k.depth)) * (1 + turned))
		deepest := k.depth + move
		inset := k.inset - move
		if k.id.Kind == soa.EdgeEdge {
			inset -= float64(psi * (float64(1.3*k.depth) + k.inset))
		}
		capSine, shift := k.capSine-psi, m+float64((turned+psi)*far)
		return float64(capSine*inset) > float64(4*provenBy*s.LengthScale) &&
			s.AloneBetween(k.n, deepest, deepest, deepest, capSine, inset, shift)
	}
	return largest(most, float64(leastBudget*s.LengthScale), holds)
}

// Clear reports whether a proven facet is the answer at the given gap of the facet, and not a pair
// that a search may treat as apart. faces is true if the proof is of two faces. A shell proves a
// facet up to gap zero; the disc of two faces proves them beyond (see grazing). The radii are those
// of the two shapes; all lengths are in m.
func Clear(gap float64, faces bool, radiusA, radiusB float64) bool {
	return gap <= 0 || faces && gap <= float64(0.5*pair.CloseTol*max(radiusA, radiusB))
}
