package surface

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

const (
	// sharpRate is how fast the material of two facets narrows, m/m, at a ridge of 45°: from
	// there on the ridge ends that of facets beside these two as well. Behind a blunter one a
	// point is no deeper under them than by √2 under the facet it is behind.
	sharpRate = 0.41421356237309503
	// besideCosine is the cosine of 30°, within which a facet looks the way of the one that has
	// the ridge.
	besideCosine = 0.8660254037844386
	// besideRate is how far beside a ridge a flat piece may be and end at it, over the depth that
	// blocks are felt to: at a ridge of 152° its material is as narrow. Behind blades the other
	// side ends it.
	besideRate = 4
)

// addRidges notes the ridges around a flat piece that facets beside it end at: those of a convex
// one are sides of its material as they are, so only the sharp ones.
func (p *prismMaker) addRidges(flat *flatPiece) {
	for side := range p.ridges {
		add := func(e facetEdge) {
			rate := e.onSide(side)
			if rate < -sharpRate && !e.rim || rate < -evenRate && !flat.convex {
				p.ridges[side] = append(p.ridges[side], e)
			}
		}
		for _, e := range flat.outline {
			add(e)
		}
		for _, i := range flat.facets {
			for _, e := range p.edges[i] {
				if len(flat.outline) == 0 {
					add(e)
				}
			}
		}
	}
}

// shard is a convex part of a facet, with the planes that end the material under it beside
// those at its edges.
type shard struct {
	edges  []facetEdge
	beyond []facetEdge
}

// cutAtRidges ends the material of facets at ridges beside them: of their own flat piece, and
// sharp ones of facets that look their way. A part of a facet that lies beyond the ridge's line
// is none of its business.
func (p *prismMaker) cutAtRidges(side int, shards [][]shard) {
	for k := range p.pieces {
		for _, r := range p.endings[side][k] {
			e := &p.ridges[side][r]
			for _, i := range p.pieces[k].facets {
				if i != e.facet {
					shards[i] = p.cutShards(shards[i], e, side)
				}
			}
		}
	}
}

// findEnds finds the ridges near each flat piece that its material behind a side ends at.
func (p *prismMaker) findEnds(side int) {
	ridges := p.ridges[side]
	around := make([]vec.Box, len(ridges))
	for k := range ridges {
		e := &ridges[k]
		around[k] = vec.EmptyBox().With(e.a).With(e.b).Enlarged(float64(max(p.reach(e, side), 0)*p.depth) + p.seam)
	}
	tree := newBoxTree(around)
	p.endings[side] = make([][]int, len(p.pieces))
	for k := range p.pieces {
		box := vec.EmptyBox()
		for _, i := range p.pieces[k].facets {
			box = box.Union(boxAround(p.facets[i].Corners))
		}
		tree.each(box, func(r int) {
			if p.endsAt(k, &ridges[r], side) {
				p.endings[side][k] = append(p.endings[side][k], r)
			}
		})
	}
}

// endsAt says whether the material under a flat piece ends at a ridge, other than as the side of
// one of its facets.
func (p *prismMaker) endsAt(k int, e *facetEdge, side int) bool {
	if p.flat[e.facet] == k {
		return !p.pieces[k].convex
	}
	n := p.facets[p.pieces[k].facets[0]].side()
	return !e.rim && e.onSide(side) < -sharpRate && n.Dot(p.facets[e.facet].side()) > besideCosine
}

// cutShards ends some shards of a facet at a ridge, where it comes near them.
func (p *prismMaker) cutShards(all []shard, e *facetEdge, side int) (out []shard) {
	for _, s := range all {
		high := math.Inf(-1)
		for k := range s.edges {
			high = max(high, e.outward.Dot(s.edges[k].a.Sub(e.a)))
		}
		if high < -float64((steepest+p.reach(e, side))*p.depth) {
			out = append(out, s)
			continue
		}
		out = p.cutShard(out, s, e)
	}
	return out
}

// cutShard appends a shard to others: in two where the line of a ridge divides it.
func (p *prismMaker) cutShard(to []shard, s shard, e *facetEdge) []shard {
	low, high := math.Inf(1), math.Inf(-1)
	for k := range s.edges {
		h := e.outward.Dot(s.edges[k].a.Sub(e.a))
		low, high = min(low, h), max(high, h)
	}
	switch {
	case low >= -p.seam:
		return append(to, s)
	case high <= p.seam:
		s.beyond = append(s.beyond[:len(s.beyond):len(s.beyond)], *e)
		return append(to, s)
	}
	inner, outer := shard{beyond: append(s.beyond[:len(s.beyond):len(s.beyond)], *e)}, shard{beyond: s.beyond}
	middle := vec.Vec3{}
	for k := range s.edges {
		middle = middle.AddScaled(1/float64(len(s.edges)), s.edges[k].a)
	}
	n := p.facets[s.edges[0].facet].side()
	inner.edges = cutEdges(s.edges, e.a, e.outward, n)
	outer.edges = cutEdges(s.edges, e.a, e.outward.Neg(), n)
	for _, part := range [2]shard{inner, outer} {
		if len(part.edges) > 2 {
			to = append(to, part)
		}
	}
	return to
}

// cutEdges returns the edges around what of a convex polygon is on the inner side of a plane.
func cutEdges(edges []facetEdge, point, outward, n vec.Vec3) (out []facetEdge) {
	for _, e := range edges {
		ha, hb := outward.Dot(e.a.Sub(point)), outward.Dot(e.b.Sub(point))
		switch {
		case ha <= 0 && hb <= 0:
			out = append(out, e)
		case ha <= 0:
			e.b = e.a.AddScaled(ha/(ha-hb), e.b.Sub(e.a))
			out = append(out, e)
		case hb <= 0:
			e.a = e.a.AddScaled(ha/(ha-hb), e.b.Sub(e.a))
			out = append(out, e)
		}
	}
	for k := range out {
		// The gap that the cut leaves.
		if next := out[(k+1)%len(out)]; len(out) > 1 && out[k].b != next.a {
			cut := facetEdge{a: out[k].b, b: next.a, outward: outward.AddScaled(-outward.Dot(n), n).Unit(), facet: out[k].facet, other: -1, inner: true}
			return append(out[:k+1:k+1], append([]facetEdge{cut}, out[k+1:]...)...)
		}
	}
	return out
}
