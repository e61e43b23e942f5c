package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
)

// Grazing bodies, for example the blocks of a wall as it is set up, have a gap so close to zero that
// the margins of the other proofs, of an overlap or of a distance, do not apply. One facet of K
// still separates the bodies most, with a gap of either sign. The proof is that of an overlap: all
// other facets are deeper.
//
// The facet is far from a tie, although its depth is nearly zero. If the projection lies
// ρ inside the facet, K contains the disc of radius ρ about it, so h_K(m) ≥ ρ·sin α − |gap| for m
// at an angle α from the normal. That bound exceeds the depth by grazeMargin for all but tiny α.

// grazeMargin is the margin, in length scales, by which all facets of K outside the cap must be
// deeper than the facet of grazing bodies. A search of overlapping bodies returns a facet that is
// proven to ProofTol. A search of bodies apart returns features whose distance is accurate to less
// than ProofTol. Either result is deeper than the shallowest by at most that, and the rounding.
// Smaller: a search may return another facet.
const grazeMargin = 4 * pair.ProofTol

// grazes reports whether a gap is too near to zero for a proof of an overlap or of a distance.
func (s *Prover) grazes(gap float64) bool {
	return gap > -4*s.Tol.Close && !(gap > float64(clearGap*s.LengthScale))
}

// grazing answers a grazing pair by the facet of a feature pair, or together with the other facets
// that two features make. It returns false if nothing is proven, or if a search might find the pair
// out of reach.
//
// Every search returns a facet that is alone in its cap. Among the facets that two features make,
// the result depends on the gap. If the bodies overlap, or are apart, by less than CloseTol, a
// search returns the one with the lowest id among those that tie. If they are farther apart, a
// search tests the faces of A in their order, then those of B (see search.apart). If the features
// are coplanar to half a tie, both orders return the same facet. Otherwise grazing proves nothing.
func (s *Prover) grazing(at *pair.FeaturePair, on *evaluated, reach float64, out *pair.Answer) bool {
	if s.Off&Grazing != 0 {
		return false
	}
	return on.CapSine > 0 && s.grazingFacet(at, on, reach, out) || on.CapSine < tinyCap && s.grazingFaces(on, reach, out)
}

// grazingReach returns the gap up to which no search reports a grazing pair out of reach.
func (s *Prover) grazingReach(reach float64) float64 { return max(reach-s.Tol.Proof, 0.5*s.Tol.Close) }

// grazingFaces is grazing for a facet that two features make together with others.
func (s *Prover) grazingFaces(on *evaluated, reach float64, out *pair.Answer) bool {
	if s.Off&Grazing != 0 {
		return false
	}
	s.AllToFrameA()
	best, pair, proven := s.FacePair(on.ID)
	if !proven || !(-best.H <= s.grazingReach(reach)) ||
		!s.AloneBetween(pair.n, best.H+float64(grazeMargin*s.LengthScale), pair.least, pair.most, pair.capSine, pair.rho, 0) {
		return false
	}
	if -best.H <= 0.5*s.Tol.Close {
		if !s.FacetsAnswer(best, out) {
			return false
		}
	} else if pair.most-pair.least > 0.5*s.Tol.Tie || !s.Answers(best.ID, -best.H, out) {
		return false
	}
	s.keepFaces(&best, &pair)
	return true
}

// grazingFacet is grazing for a facet that is alone in its cap.
func (s *Prover) grazingFacet(at *pair.FeaturePair, on *evaluated, reach float64, out *pair.Answer) bool {
	p := -on.Gap
	if !(on.Gap <= s.grazingReach(reach)) || !(at.Inset > float64(2*clearGap*s.LengthScale)) ||
		!s.AloneBetween(on.N, p+float64(grazeMargin*s.LengthScale), p, p, on.CapSine, at.Inset, 0) {
		return false
	}
	s.keepAndWrite(at, on, out)
	return true
}
