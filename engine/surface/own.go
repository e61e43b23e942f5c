package surface

import "math"

// A direction that a block comes to act in starts with an infinite slope, if the block is deep in
// it at once: what is stored grows as the eighth root of the volume there. So it is where the
// block comes over a ridge. Hence the shares that a facet has and its neighbour beyond a ridge has
// not, its own shares, start with a depth of nothing: their prism narrows faster at the ridge.
// They narrow as at an open edge, which is where all of a facet's shares start.

const (
	// BluntRate is how fast the material of two facets narrows, m/m, at a ridge up to which
	// none of them has shares of its own: their shares are in about the same ratio in all bins.
	BluntRate = 0x1p-6
	// OwnRise is how much faster the prism of a facet's own shares narrows, over what the ridge
	// narrows beyond BluntRate: up to openRate.
	OwnRise = 8
)

// ownRate returns how much faster the prism of a facet's own shares narrows at an edge, m/m: 0
// where the neighbour has the same shares, or nearly.
func (p *prismMaker) ownRate(e *facetEdge, side int) float64 {
	f := &p.facets[e.facet]
	switch {
	case e.other < 0 || e.inner:
		return 0
	case p.facets[e.other].Material != f.Material:
		return openRate
	case p.convex[2*f.part+side]:
		return 0
	}
	return min(max(OwnRise*(-e.onSide(side)-BluntRate), 0), openRate)
}

// reach returns how far from an edge the material behind a side is cut off or less deep for it,
// over the depth that blocks are felt to. It is less deep where own shares or all begin at the
// edge: up to the plane half-way to the facet's.
func (p *prismMaker) reach(e *facetEdge, side int) float64 {
	rate := min(-p.rateOf(e, side, true), besideRate)
	if rate > 0 && (e.open || p.ownRate(e, side) > 0) {
		rate += math.Sqrt(1 + float64(rate*rate))
	}
	return rate
}

// likeBeyond reports whether the neighbours beyond two edges are of one material, or there is none.
func (p *prismMaker) likeBeyond(a, b *facetEdge) bool {
	if a.other < 0 || b.other < 0 {
		return a.other == b.other
	}
	return p.facets[a.other].Material == p.facets[b.other].Material
}

// addOwn parts the shares of the flat pieces of a wall into those that they have in common with
// all neighbours beyond ridges, and their own.
func (s *Sides) addOwn(p *prismMaker, all []SidedFacet) {
	for i := range all {
		for side := range all[i].Side {
			at := &all[i].Side[side]
			at.CommonWay, at.OwnWay = at.Way, at.Way
		}
	}
	for k := range p.pieces {
		flat := &p.pieces[k]
		for side := range p.ridges {
			shares := s.Ways[all[flat.facets[0]].Side[side].Way]
			var beyond [][]float64
			known := make(map[int]bool) // by way
			part := func(e *facetEdge) {
				if p.ownRate(e, side) <= 0 {
					return
				}
				if way := all[e.other].Side[side].Way; !known[way] {
					known[way] = true
					beyond = append(beyond, s.Ways[way].within(shares.First))
				}
			}
			for _, i := range flat.facets {
				for j := range p.edges[i] {
					part(&p.edges[i][j])
				}
			}
			for _, r := range p.endings[side][k] {
				part(&p.ridges[side][r].facetEdge)
			}
			if len(beyond) == 0 {
				continue
			}
			commonWay := s.addWay(Shares{First: shares.First, Weights: shares.Weights, Beyond: beyond})
			ownWay := s.addWay(Shares{First: shares.First, Weights: shares.Weights, Beyond: beyond, Own: true})
			for _, i := range flat.facets {
				at := &all[i].Side[side]
				at.CommonWay, at.OwnWay = commonWay, ownWay
			}
		}
	}
}

// nothing is the weights of a direction in the bins of another material.
var nothing [nBins]float64

// within returns the weights in the bins from first on.
func (s *Shares) within(first int) []float64 {
	if s.First != first {
		return nothing[:]
	}
	return s.Weights
}
