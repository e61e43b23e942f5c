package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Proof says for how long a facet that Feature has proven needs no proof.
type Proof struct {
	// Motion, m: until the odometers of both bodies together have advanced by it, the facet is the answer
	// wherever the pair still overlaps, or grazes. 0 where nothing of the kind is known.
	Motion float64
	// PoseBound is for how much longer it is, by how the bodies then lie to each other, but for the orientation, which Store writes.
	PoseBound soa.PoseBound
	// Flip says that the normal of an edge pair is minus the product of the two edges, tail to head.
	Flip bool
	// Apart says that the proof is of the nearest features of a pair apart (certificate C4), and holds for the answer while
	// ClearApart says so of the gap; else it is of a facet of a pair that overlaps (C3), and Clear does.
	Apart bool
	// QuadA and QuadB are, where they are not 0, two faces of which the proof is, instead of a facet: the answer is one of
	// the facets that they make, as long as kernels.FaceFaces can say which.
	QuadA, QuadB soa.Quad
}

// provenFacet is what Feature or a search proved last, for Budget; lengths times scale. The facet is alone in its cap and holds its
// foot.
type provenFacet struct {
	known                 bool
	capUnknown            bool // cap and foot are to be looked for, see see
	apart                 bool // of nearest features, depth being minus their gap
	id                    soa.FacetID
	n                     vec.Vec3
	depth, capSine, inset float64
	Faces                 faces
	at                    pair.FeaturePair
}

// keep fills it, in place, from a facet of K that is proven by its disc.
func (k *provenFacet) keep(at *pair.FeaturePair, id soa.FacetID, n vec.Vec3, depth, capSine float64) {
	k.known, k.apart, k.Faces = true, false, faces{}
	k.id, k.n, k.depth, k.capSine, k.inset, k.at = id, n, depth, capSine, at.Inset, *at
}

// longBudget is the budget of a facet, in units, from which two faces of four corners that make it are not asked for one.
const longBudget = 1.0 / (1 << 10)

// ForgetProof leaves Budget nothing.
func (s *Prover) ForgetProof() { s.Last.known, s.Last.capUnknown, s.Last.Faces.QuadA = false, false, 0 }

// findCap looks for the cap and the foot of a facet that was proven with others, which those who ask for no budget do without.
func (s *Prover) findCap() {
	k := &s.Last
	if !k.capUnknown {
		return
	}
	k.capSine, k.inset = s.CapOf(k.id, k.n)
	k.capUnknown, k.known, k.at = false, k.capSine > 0 && k.inset > 0, s.FeaturePairOf(k.id)
	k.at.Inset = k.inset
}

// mostBend, rad, is the most that the normal of two edges may turn while a budget lasts.
const mostBend = 0.25

// leastBudget is the motion, in units, that is not worth a proof.
const leastBudget = 1.0 / (1 << 24)

// Budget returns for how much motion the answer that Feature, or a search, has just given stays proven (certificate C3,
// with the odometers of C1). turn is by how much angle either body turns at most while its odometer
// advances by one metre: 1 over the smaller of their radii about their centres, rad/m.
//
// The bodies move by m in all, so they turn against each other by φ = turn·m at most. A point of B in the frame of A, x away
// from its centre, moves by its way and by A's: by m_B + m_A·x/R_A. About the foot x is R + p at most,
// and integrated that is μ = m·(1 + turn·p)·(1 + turn·m), for turn·m up to 1; at any point of B it is
// ν = m + φ·(|c_B| + R + m). A facet's normal is fixed in the body with the
// face; that of an edge pair turns by ψ ≤ asin(φ/sin(e,f)), as the part of one edge across the other, which is sin long, changes
// by no more than φ: by 1.02·φ/sin up to mostBend. So of the proof's numbers
//
//	the cap's sine     loses at most ψ (φ for a face)
//	the depth          grows by at most μ
//	the foot's inset   loses at most μ (face), μ + ψ·(1.3·p + inset) (edges)
//	a and b            change by at most m + (φ + ψ)·|c_B|
//
// The inset of edges e and f is that of the crossing from the ends of either, times sin(e,f). As f moves by μ and turns by
// φ, the crossing goes along e by no more than μ/sin + p·φ/sin², with the sine that it has then; times that,
// which is 1 − φ/sin of the old or more, and φ/sin a quarter at most.
//
// The proof is made once more with the worst of each. Of the depths the largest is the worst: α₁ and with it
// the bound beyond fall as the depth grows, while α₀ is that of the allowance for rounding alone, whatever the
// depth. The largest budget that the cap allows is tried first. What is returned is a sixteenth less, for the
// rounding of poses. Cost: a few dozen flops a try.
//
// Where two faces are proven for more than twice as much, the proof is theirs: see FacesBudget.
func (s *Prover) Budget(turn float64) Proof {
	k := &s.Last
	one := s.FacetBudget(turn)
	short := k.known && k.depth > 0 && k.Faces.QuadA == 0 && one.Motion < float64(longBudget*s.LengthScale)
	if short && k.capSine < smallCap && k.id.Kind <= soa.VertexFace && s.quadsNearlyParallel(k.id) {
		// Faces that rest on each other, all but level: one facet is the answer for as long as it takes them to tilt back.
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

// FacetBudget is Budget for a facet alone.
//
// A cap that is narrow is used up by turning alone, and of the motion that is a small part as a rule. So that the budget of
// a disc is not lost to it, it may come with a limit on the turn, which the poses show. In the terms above: φ is no more than
// the limit, but for A's own turn in the shift of the centres.
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
	ratio := 1.0 // of the turn of the normal against either body to that of the bodies against each other
	if k.id.Kind == soa.EdgeEdge {
		if ratio, proof.Flip = s.crossed(k.id, k.n); ratio == 0 {
			return proof
		}
	}
	// A facet allows no more: its cap is used up, or the foot has left.
	limit := min(0.75*k.capSine, mostBend) / ratio
	m := s.discBudget(turn, ratio, limit, min(0.25/turn, k.inset))
	if !(m > float64(leastBudget*s.LengthScale)) {
		return Proof{}
	}
	f := s.projectionPoint()
	return s.withPoseBound(proof, m, limit, turn, f, min(s.leversOf(f)))
}

// discBudget is Budget for a facet whose disc about the foot proves it, before the sixteenth, and no more than most, where
// the bodies turn against each other by no more than limit.
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

// Clear reports whether a facet that is proven is the answer at a gap of it: not where a search may take the pair for one apart. A shell
// proves a facet as far as zero; faces says that the proof is of two faces, which their disc proves beyond (see grazing). The
// radii are those of the two shapes; all in m.
func Clear(gap float64, faces bool, radiusA, radiusB float64) bool {
	return gap <= 0 || faces && gap <= float64(0.5*pair.CloseTol*max(radiusA, radiusB))
}
