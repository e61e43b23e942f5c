package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
)

// Bodies that graze are nearer to touching, or to parting, than the proofs of overlap and of distance have margins for: a wall of
// blocks as it is set up. What separates them most is one facet of K all the same, on either side of zero, and the proof is that
// of an overlap: all other facets lie deeper.
//
// That is far from a tie, for the depth stands for nothing: with a foot ρ inside the facet K holds a disc there, so
// h_K(m) ≥ ρ·sin α − |gap|, which exceeds the depth by grazeMargin from an angle on that is next to none.

// grazeMargin is by how much, in units, all facets of K but those in the cap must be deeper than one
// that bodies graze at. A search of bodies that overlap names a facet that is proven to ProofTol, one
// of bodies apart features whose distance is right to less: they are no deeper than the shallowest
// by that, and the rounding. Smaller: a search may name another.
const grazeMargin = 4 * pair.ProofTol

// grazes reports whether a gap is too near to zero for an overlap or a distance to be proven.
func (s *Prover) grazes(gap float64) bool {
	return gap > -4*s.Tol.Close && !(gap > float64(clearGap*s.LengthScale))
}

// grazing answers a pair that grazes at the facet of a feature pair, or at what two features make that it is part of. It returns false where
// that is not proven, or where a search might find the pair out of reach.
//
// A facet alone in its cap is named by every search. Of those that two features make one that overlaps by less than CloseTol, or
// is apart by so little, is named as of bodies that overlap: the lowest of those that tie. Of what is farther apart a
// search asks the faces of A in their order, and then those of B (see apart); where the features are level to half a tie it is the
// same that answers, and else nothing is said.
func (s *Prover) grazing(at *pair.FeaturePair, on *evaluated, reach float64, out *pair.Answer) bool {
	if s.Off&Grazing != 0 {
		return false
	}
	return on.CapSine > 0 && s.grazingFacet(at, on, reach, out) || on.CapSine < tinyCap && s.grazingFaces(on, reach, out)
}

// grazingReach is the gap up to which no search takes a pair that grazes for one out of reach.
func (s *Prover) grazingReach(reach float64) float64 { return max(reach-s.Tol.Proof, 0.5*s.Tol.Close) }

// grazingFaces is grazing for a facet that is one of those that two features make.
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

// grazingFacet is grazing for the facet of a feature pair that is alone in its cap.
func (s *Prover) grazingFacet(at *pair.FeaturePair, on *evaluated, reach float64, out *pair.Answer) bool {
	p := -on.Gap
	if !(on.Gap <= s.grazingReach(reach)) || !(at.Inset > float64(2*clearGap*s.LengthScale)) ||
		!s.AloneBetween(on.N, p+float64(grazeMargin*s.LengthScale), p, p, on.CapSine, at.Inset, 0) {
		return false
	}
	s.Last = provenFacet{known: true, id: on.ID, n: on.N, depth: p, capSine: on.CapSine, inset: at.Inset, at: *at}
	s.WriteProven(at, on.ID, on.Gap, on.N, out)
	return true
}
