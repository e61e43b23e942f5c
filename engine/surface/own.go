package surface

import "math"

// The stored energy of a direction grows as the eighth root of the volume in it. If a block starts
// to act in a new direction at a finite depth, the force therefore starts with an infinite slope.
// This would happen if a block slides over a ridge.
//
// A facet's own shares are those that the neighbour beyond the ridge does not have. They must start
// at depth zero, so their prism narrows faster at the ridge. It narrows as at an open edge, where
// all shares of a facet start.

const (
	// BluntRate is the rate, m/m, at which the material of two facets narrows at a ridge, up to
	// which neither has own shares. The ratio of their shares is then about the same in all bins.
	// Smaller: time. Larger: at slightly blunter ridges the force jumps, by 0.35 at 2⁻⁴.
	BluntRate = 0x1p-6
	// OwnRise is a factor. The prism of a facet's own shares narrows faster by OwnRise times the
	// amount by which the ridge narrows beyond BluntRate, up to openRate.
	// Smaller: they begin within less path than the depth there. Larger: no effect.
	OwnRise = 8
)

// ownRate returns how much faster the prism of a facet's own shares narrows at an edge, m/m. It is
// 0 if the neighbour has the same shares, or nearly the same.
func (p *backingMaker) ownRate(e *facetEdge, side int) float64 {
	switch {
	case e.other < 0 || e.inner:
		return 0
	case p.Material(e.other) != p.Material(e.facet):
		return openRate
	case p.convex[2*p.Part(e.facet)+side]:
		return 0
	}
	return min(max(OwnRise*(-e.onSide(side)-BluntRate), 0), openRate)
}

// reach returns how far from an edge the edge still affects the material behind a side, as a
// multiple of the largest depth. The edge cuts the material off, or makes it less deep if shares
// begin at the edge: up to the plane half-way between the edge's plane and the facet's.
func (p *backingMaker) reach(e *facetEdge, side int) float64 {
	rate := min(-p.rateOf(e, side, true), besideRate)
	if rate > 0 && (e.open || p.ownRate(e, side) > 0) {
		rate += math.Sqrt(1 + float64(rate*rate))
	}
	return rate
}

// sameMaterialBeyond reports whether the neighbours beyond two edges have the same material, or
// neither edge has a neighbour.
func (p *backingMaker) sameMaterialBeyond(a, b *facetEdge) bool {
	if a.other < 0 || b.other < 0 {
		return a.other == b.other
	}
	return p.Material(a.other) == p.Material(b.other)
}

// addOwn divides the shares of a flat piece into those in common with all neighbours beyond ridges, and
// its own. all is the facets of the piece.
func (s *WallBackings) addOwn(p *backingMaker, flat *flatPiece, all []BackedFacet) {
	for side := range flat.ends {
		common := all[0].Side[side].ShareIndex
		own, shares := common, s.Shares[common]
		var beyond [][]float64
		known := make(map[int]bool) // by index of shares
		part := func(e *facetEdge) {
			if p.ownRate(e, side) <= 0 {
				return
			}
			if of := s.shareOf(p, e.other, side); !known[of] {
				known[of] = true
				beyond = append(beyond, s.Shares[of].within(shares.First))
			}
		}
		for _, i := range flat.facets {
			edges := p.facet(i).edges
			for k := range edges {
				part(&edges[k])
			}
		}
		for r := range flat.ends[side] {
			part(&flat.ends[side][r].facetEdge)
		}
		if len(beyond) > 0 {
			common = s.addShares(BinWeights{First: shares.First, Weights: shares.Weights, Beyond: beyond})
			own = s.addShares(BinWeights{First: shares.First, Weights: shares.Weights, Beyond: beyond, Own: true})
		}
		for k := range all {
			all[k].Side[side].CommonShareIndex, all[k].Side[side].OwnShareIndex = common, own
		}
	}
}

// nothing is the weights of a direction in the bins of another material.
var nothing [nBins]float64

// within returns the weights in the bins from first on: zero if the shares are in other bins.
func (s *BinWeights) within(first int) []float64 {
	if s.First != first {
		return nothing[:]
	}
	return s.Weights
}
