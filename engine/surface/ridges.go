package surface

import (
	"math"

	"github.com/scree-dem/scree/internal/boxtree"
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
	// leastTurn, rad, is by how much two ridges turn at least where there is a corner between them:
	// below, what the two leave is narrower than a seam.
	leastTurn = 0x1p-20
	// cornerArc, rad, is over what angle a plane takes the place of the cone about a corner at most: it
	// is nearer than that by up to a seventh.
	cornerArc = 1.0471975511965976
	// cornerFar is how far from a corner the part that one of its planes bounds may reach, over how far
	// it does square to the plane: one over the cosine of half of cornerArc, and some.
	cornerFar = 1.2
	// besideRate is how far beside a ridge a flat piece may be and end at it, over the depth that
	// blocks are felt to: at a ridge of 152° its material is as narrow. Behind blades the other
	// side ends it.
	besideRate = 4
)

// ridge is an edge that the material of facets beside it ends at, and where in their plane it does:
// on the inner side of the edge, along its own stretch; or about a corner that two edges make.
type ridge struct {
	facetEdge
	within []border
}

// border is a line in the plane of facets, by a point of it and the unit direction across it that
// leads out of what it bounds.
type border struct{ point, outward vec.Vec3 }

// stretchOf returns the ridge of an edge.
func stretchOf(e facetEdge) ridge {
	along := e.b.Sub(e.a).Unit()
	return ridge{e, []border{{e.a, e.outward}, {e.a, along.Neg()}, {e.b, along}}}
}

// addRidges notes the ridges around a flat piece that facets beside it end at: those of a convex
// one are sides of its material as they are, so only the sharp ones.
func (p *prismMaker) addRidges(flat *flatPiece) {
	for side := range p.ridges {
		for _, e := range p.borderOf(flat) {
			rate := e.onSide(side)
			if rate < -sharpRate && !e.open || rate < -evenRate && !flat.convex {
				p.ridges[side] = append(p.ridges[side], stretchOf(e))
			}
		}
	}
}

// borderOf returns the edges that a flat piece ends at: its outline, if it has one.
func (p *prismMaker) borderOf(flat *flatPiece) (edges []facetEdge) {
	if len(flat.outline) > 0 {
		return flat.outline
	}
	for _, i := range flat.facets {
		for _, e := range p.edges[i] {
			if !e.inner {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// addCorners adds the corners where one ridge goes on in another and turns into the material:
// between the directions across the two the corner is nearer than both. Planes through it, each
// over 60° at most, take the place of the cone that would be as near.
func (p *prismMaker) addCorners(side int) {
	edges := p.ridges[side][:len(p.ridges[side]):len(p.ridges[side])]
	ends := make(map[vec.Vec3][]int)
	for k := range edges {
		ends[edges[k].a] = append(ends[edges[k].a], k)
		ends[edges[k].b] = append(ends[edges[k].b], k)
	}
	for k := range edges {
		e := &edges[k].facetEdge
		for _, at := range [2]vec.Vec3{e.a, e.b} {
			best, most := -1, -2.0
			for _, j := range ends[at] {
				next := &edges[j].facetEdge
				if c := e.outward.Dot(next.outward); j != k && e.outward.Dot(next.from(at)) > 0 && c > most && p.lookAlike(e.facet, next.facet) {
					best, most = j, c
				}
			}
			if best > k { // each corner once
				p.addCorner(side, at, e, &edges[best].facetEdge)
			}
			for _, j := range ends[at] {
				if next := &edges[j].facetEdge; p.flat[e.facet] != p.flat[next.facet] && p.lookAlike(e.facet, next.facet) {
					p.addTurn(side, at, e, next)
				}
			}
		}
	}
}

// lookAlike reports whether one facet looks the way of another.
func (p *prismMaker) lookAlike(i, j int) bool {
	return p.facets[i].side().Dot(p.facets[j].side()) > besideCosine
}

// beyond returns the end of an edge opposite to one.
func (e *facetEdge) beyond(end vec.Vec3) vec.Vec3 {
	if end == e.a {
		return e.b
	}
	return e.a
}

// from returns the direction of an edge away from one of its ends.
func (e *facetEdge) from(end vec.Vec3) vec.Vec3 { return e.beyond(end).Sub(end).Unit() }

// around returns the box about an edge and all within a distance of it, m, along each axis.
func (e *facetEdge) around(distance float64) vec.Box {
	return vec.EmptyBox().With(e.a).With(e.b).Enlarged(distance)
}

// addCorner adds the corner between two edges.
func (p *prismMaker) addCorner(side int, at vec.Vec3, e, next *facetEdge) {
	u := e.outward
	v := e.from(at) // in the plane, across u
	angle := vec.Atan2(next.outward.Dot(v), next.outward.Dot(u))
	if !(angle > leastTurn) {
		return
	}
	n := int(math.Ceil(angle / cornerArc))
	direction := func(k float64) vec.Vec3 {
		sin, cos := vec.Sincos(k * angle / float64(n))
		return u.Scale(cos).AddScaled(sin, v)
	}
	for k := range n {
		low, high := direction(float64(k)), direction(float64(k+1))
		r := ridge{*e, nil}
		r.a, r.b, r.outward = at, at, direction(float64(k)+0.5)
		// What the corner bounds lies opposite to the directions between low and high.
		acrossLow := high.AddScaled(-high.Dot(low), low).Unit()
		acrossHigh := low.AddScaled(-low.Dot(high), high).Unit()
		if k == 0 {
			acrossLow = v
		}
		if k == n-1 {
			acrossHigh = next.from(at)
		}
		r.within = []border{{at, r.outward}, {at, acrossLow}, {at, acrossHigh}}
		p.ridges[side] = append(p.ridges[side], r)
	}
}

// shard is a convex part of a facet, with the planes that end the material under it beside those at
// its edges.
type shard struct {
	edges  []facetEdge
	beyond []facetEdge
}

// cutAtRidges ends the material of facets at ridges beside them: of their own flat piece, and sharp
// ones of facets that look their way and that they touch at a corner.
func (p *prismMaker) cutAtRidges(side int, shards [][]shard) {
	boxes := make([]vec.Box, len(p.facets))
	for i := range boxes {
		boxes[i] = boxAround(p.facets[i].Corners)
	}
	tree := boxtree.New(boxes)
	for k := range p.pieces {
		for _, r := range p.endings[side][k] {
			e := &p.ridges[side][r]
			around := vec.EmptyBox().With(e.a).With(e.b)
			for _, line := range e.within {
				around = around.With(line.point)
			}
			tree.Each(around.Enlarged(float64(cornerFar*p.far(&e.facetEdge, side))+p.seam), func(i int) {
				if p.flat[i] == k {
					shards[i] = p.cutShards(shards[i], e, side)
				}
			})
		}
	}
}

// findEnds finds the ridges near each flat piece that its material behind a side ends at.
func (p *prismMaker) findEnds(side int) {
	ridges := p.ridges[side]
	around := make([]vec.Box, len(ridges))
	for k := range ridges {
		e := &ridges[k].facetEdge
		around[k] = e.around(float64(max(p.reach(e, side), 0)*p.depth) + p.seam)
	}
	tree := boxtree.New(around)
	p.endings[side] = make([][]int, len(p.pieces))
	for k := range p.pieces {
		box, corners := vec.EmptyBox(), make(map[vec.Vec3]bool)
		for _, i := range p.pieces[k].facets {
			box = box.Union(boxAround(p.facets[i].Corners))
			for _, v := range p.facets[i].loop {
				corners[p.verts[v]] = true
			}
		}
		tree.Each(box, func(r int) {
			if e := &ridges[r].facetEdge; p.endsAt(k, e, side) && (corners[e.a] || corners[e.b]) {
				p.endings[side][k] = append(p.endings[side][k], r)
			}
		})
	}
}

// endsAt reports whether the material under a flat piece ends at a ridge that it touches, other than
// as the side of one of its facets.
func (p *prismMaker) endsAt(k int, e *facetEdge, side int) bool {
	if p.flat[e.facet] == k {
		return !p.pieces[k].convex
	}
	return !e.open && e.onSide(side) < -sharpRate && p.lookAlike(p.pieces[k].facets[0], e.facet)
}

// cutShards ends some shards of a facet at a ridge, where it comes near them.
func (p *prismMaker) cutShards(all []shard, r *ridge, side int) (out []shard) {
	for _, s := range all {
		if !p.near(s.edges, r, side) {
			out = append(out, s)
			continue
		}
		out = p.cutShard(out, s, r)
	}
	return out
}

// near reports whether some of what a ridge bounds lies in a convex polygon, no farther from the ridge
// than it may matter to a block.
func (p *prismMaker) near(edges []facetEdge, r *ridge, side int) bool {
	far := -p.far(&r.facetEdge, side)
	if _, high := across(edges, border{r.a, r.outward}); high < far {
		return false
	}
	// Most are elsewhere before anything is cut.
	for _, b := range r.within {
		if low, _ := across(edges, b); low >= -p.seam {
			return false
		}
	}
	n := p.facets[edges[0].facet].side()
	for _, b := range r.within {
		if low, _ := across(edges, b); low >= -p.seam {
			return false
		}
		edges = cutEdges(edges, b.point, b.outward, n)
	}
	_, high := across(edges, border{r.a, r.outward})
	return len(edges) > 2 && high >= far
}

// far returns how far inward of a ridge it may matter to a block, m.
func (p *prismMaker) far(e *facetEdge, side int) float64 {
	return float64((steepest + p.reach(e, side)) * p.depth)
}

// across returns between which heights over a border the corners of a polygon lie, m.
func across(edges []facetEdge, b border) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for k := range edges {
		h := b.outward.Dot(edges[k].a.Sub(b.point))
		low, high = min(low, h), max(high, h)
	}
	return low, high
}

// cutShard appends a shard to others: what the ridge bounds of it, which ends there, and the rest in
// as many parts as it takes.
func (p *prismMaker) cutShard(to []shard, s shard, r *ridge) []shard {
	for _, b := range r.within {
		low, high := across(s.edges, b)
		switch {
		case low >= -p.seam:
			return append(to, s)
		case high <= p.seam:
			continue
		}
		n := p.facets[s.edges[0].facet].side()
		outer := shard{beyond: s.beyond[:len(s.beyond):len(s.beyond)], edges: cutEdges(s.edges, b.point, b.outward.Neg(), n)}
		if s.edges = cutEdges(s.edges, b.point, b.outward, n); len(outer.edges) > 2 {
			to = append(to, outer)
		}
		if len(s.edges) < 3 {
			return to
		}
	}
	s.beyond = append(s.beyond[:len(s.beyond):len(s.beyond)], r.facetEdge)
	return append(to, s)
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

// boxAround returns the box around some points.
func boxAround(points []vec.Vec3) vec.Box {
	b := vec.EmptyBox()
	for _, x := range points {
		b = b.With(x)
	}
	return b
}
