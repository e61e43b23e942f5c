package engine

import (
	"math"
	"slices"
)

// A direction that a block comes to act in starts with an infinite slope, if the block is deep in
// it at once: what is stored grows as the eighth root of the volume there. So it is where the
// block comes over a ridge. Hence the shares that a facet has and its neighbour beyond a ridge has
// not, its own shares, start with a depth of nothing: their prism narrows faster at the ridge.
// They narrow as at a free rim, which is where all of a facet's shares start.

const (
	// bluntRate is how fast the material of two facets narrows, m/m, at a ridge up to which none of
	// them has shares of its own: their shares are in about the same ratio in all bins.
	bluntRate = 0x1p-6
	// ownRise is how much faster the prism of a facet's own shares narrows, over what the ridge
	// narrows beyond bluntRate: up to rimRate.
	ownRise = 8
)

// ownRate returns how much faster the prism of a facet's own shares narrows at an edge, m/m: 0
// where the neighbour has the same shares, or nearly.
func (p *prismMaker) ownRate(e *facetEdge, side int) float64 {
	f := &p.facets[e.facet]
	switch {
	case e.other < 0 || e.inner:
		return 0
	case p.facets[e.other].material != f.material:
		return rimRate
	case p.convex[2*f.part+side]:
		return 0
	}
	return min(max(ownRise*(-e.onSide(side)-bluntRate), 0), rimRate)
}

// reach returns how far from an edge the material behind a side is cut off or less deep for it, over
// the depth that blocks are felt to. It is less deep where own shares or all begin at the edge: up
// to the plane half-way to the facet's.
func (p *prismMaker) reach(e *facetEdge, side int) float64 {
	rate := min(-p.rateOf(e, side, true), besideRate)
	if rate > 0 && (e.rim || p.ownRate(e, side) > 0) {
		rate += math.Sqrt(1 + float64(rate*rate))
	}
	return rate
}

// likeBeyond says whether the neighbours beyond two edges are of one material, or there is none.
func (p *prismMaker) likeBeyond(a, b *facetEdge) bool {
	if a.other < 0 || b.other < 0 {
		return a.other == b.other
	}
	return p.facets[a.other].material == p.facets[b.other].material
}

// addOwn parts the shares of the flat pieces of a wall into those that they have in common with
// all neighbours beyond ridges, and their own.
func (s *facetSides) addOwn(p *prismMaker, all []sidedFacet) {
	for i := range all {
		for side := range all[i].side {
			at := &all[i].side[side]
			at.commonWay, at.ownWay = at.way, at.way
		}
	}
	for k := range p.pieces {
		flat := &p.pieces[k]
		for side := range p.ridges {
			shares := s.ways[all[flat.facets[0]].side[side].way]
			common, parted := slices.Clone(shares.weights), false
			part := func(e *facetEdge) {
				if p.ownRate(e, side) > 0 {
					parted = true
					s.ways[all[e.other].side[side].way].least(common, shares.first)
				}
			}
			for _, i := range flat.facets {
				for j := range p.edges[i] {
					part(&p.edges[i][j])
				}
			}
			for _, r := range p.endings[side][k] {
				part(&p.ridges[side][r])
			}
			if !parted {
				continue
			}
			commonWay := s.addWay(binShares{first: shares.first, weights: common})
			ownWay := s.addWay(binShares{first: shares.first, weights: shares.weights, less: common})
			for _, i := range flat.facets {
				at := &all[i].side[side]
				at.commonWay, at.ownWay = commonWay, ownWay
			}
		}
	}
}

// least makes weights in the bins from first on no more than these.
func (s *binShares) least(weights []float64, first int) {
	for k := range weights {
		if s.first != first {
			weights[k] = 0
			continue
		}
		weights[k] = min(weights[k], s.weights[k])
	}
}
