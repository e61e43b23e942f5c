package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

const (
	// sharpRate is the rate, m/m, at which the material of two facets narrows at a ridge of 45°. A
	// sharper ridge also ends the material of facets beside these two. Behind a blunter ridge, a
	// point's depth under the facets beside is at most √2 times its depth under the facet that it
	// is behind.
	// Larger: a block behind a ridge may be deep under a facet beside it.
	sharpRate = 0.41421356237309503
	// besideCosine is the cosine of 30°. A facet within this angle of the ridge's facet counts as
	// facing the same way.
	// Smaller: ridges end facets that are not beside them.
	besideCosine = 0.8660254037844386
	// leastTurn, rad, is the least angle between two ridges for a corner between them. A smaller
	// angle leaves less than a seam.
	leastTurn = 0x1p-20
	// cornerArc, rad, is the largest angle over which a plane approximates the cone about a corner.
	// The plane's distance is up to a seventh less than the cone's.
	// Smaller: more prisms. Larger: softer corners.
	cornerArc = 1.0471975511965976
	// cornerFar bounds how far the region of one plane of a corner extends from the corner,
	// relative to its extent perpendicular to the plane: slightly more than one over the cosine of
	// half of cornerArc.
	// Smaller: facets near a corner are not cut there. Larger: more facets are tested.
	cornerFar = 1.2
	// besideRate bounds the distance from a ridge at which a flat piece may still end at it, as a
	// multiple of the largest depth that blocks feel. At a ridge of 152° the material narrows at
	// this rate. At sharper ridges, of blades, the other side of the blade ends the material.
	// Smaller: ridges miss facets beside them. Larger: walls with blades take longer to begin.
	besideRate = 4
)

// ridge is an edge that ends the material of facets beside it. within bounds the region of their
// plane in which it does so: on the inner side of the edge, along its own stretch; or about a
// corner between two edges.
type ridge struct {
	facetEdge
	within []border
}

// border is a line in the plane of facets: a point on it, and the unit direction across it that
// leads out of the region it bounds.
type border struct{ point, outward vec.Vec3 }

// stretchOf returns the ridge of an edge.
func stretchOf(e facetEdge) ridge {
	along := e.b.Sub(e.a).Unit()
	return ridge{e, []border{{e.a, e.outward}, {e.a, along.Neg()}, {e.b, along}}}
}

// findEnds sets the ridges that end the material of a flat piece besides the edges of its facets, on
// both sides. They are ridges of the pieces that have a corner of the flat piece, and begin or end at
// such a corner.
func (p *backingMaker) findEnds(flat *flatPiece) {
	var around []int // the first facets of these pieces
	corners := make(map[vec.Vec3]bool)
	for _, i := range flat.facets {
		for _, v := range p.Loop(i) {
			if at := p.Vert(v); !corners[at] {
				corners[at] = true
				for _, f := range p.Touching(v) {
					around = append(around, p.Flat(int(f)))
				}
			}
		}
	}
	slices.Sort(around)
	around = slices.Compact(around)
	for side := range flat.ends {
		var all []ridge
		for _, first := range around {
			all = p.addRidges(all, p.pieceOf(first), side)
		}
		all = p.addCorners(all, side, corners)
		for _, first := range around {
			all = p.addTurns(all, p.pieceOf(first), side, corners)
		}
		p.looks.add(len(all))
		for k := range all {
			if e := &all[k].facetEdge; p.endsAt(flat, e, side) && (corners[e.a] || corners[e.b]) {
				flat.ends[side] = append(flat.ends[side], all[k])
			}
		}
	}
}

// endsAt reports whether ridge e, which touches a flat piece, ends the material under the piece other
// than as the side of one of its facets.
func (p *backingMaker) endsAt(flat *flatPiece, e *facetEdge, side int) bool {
	if p.Flat(e.facet) == flat.facets[0] {
		return !flat.convex
	}
	return !e.open && e.onSide(side) < -sharpRate && p.faceAlike(flat.facets[0], e.facet)
}

// addRidges appends the ridges around a flat piece that end the material of facets beside it. The
// ridges of a convex piece are sides of its own material already, so only its sharp ridges are
// added.
func (p *backingMaker) addRidges(to []ridge, flat *flatPiece, side int) []ridge {
	for _, e := range p.borderOf(flat) {
		rate := e.onSide(side)
		if rate < -sharpRate && !e.open || rate < -evenRate && !flat.convex {
			to = append(to, stretchOf(e))
		}
	}
	return to
}

// borderOf returns the edges at which a flat piece ends: its outline, if it has one.
func (p *backingMaker) borderOf(flat *flatPiece) (edges []facetEdge) {
	if len(flat.outline) > 0 {
		return flat.outline
	}
	for _, i := range flat.facets {
		for _, e := range p.facet(i).edges {
			if !e.inner {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// addCorners appends the corners, of the given ones, at which one ridge continues in another and turns
// into the material. For directions between the normals of the two ridges, the corner is nearer than
// both. Planes through the corner, each over at most 60°, approximate the cone of points at equal
// distance.
func (p *backingMaker) addCorners(edges []ridge, side int, corners map[vec.Vec3]bool) (all []ridge) {
	all = edges
	ends := make(map[vec.Vec3][]int)
	for k := range edges {
		ends[edges[k].a] = append(ends[edges[k].a], k)
		ends[edges[k].b] = append(ends[edges[k].b], k)
	}
	for k := range edges {
		e := &edges[k].facetEdge
		for _, at := range [2]vec.Vec3{e.a, e.b} {
			if !corners[at] {
				continue
			}
			if p.looks.add(len(ends[at])); p.looks.spent() {
				return all
			}
			// Each corner once, also if the other ridge continues in a third.
			if best := p.continued(edges, ends[at], k, at); best > k || best >= 0 && p.continued(edges, ends[at], best, at) != k {
				first, second := e, &edges[best].facetEdge
				if p.isSteeper(second, first, side) {
					first, second = second, first
				}
				all = p.addCorner(all, at, first, second)
			}
			for _, j := range ends[at] {
				if next := &edges[j].facetEdge; p.Flat(e.facet) != p.Flat(next.facet) && p.faceAlike(e.facet, next.facet) {
					all = p.addTurn(all, side, at, e, next)
				}
			}
		}
	}
	return all
}

// continued returns the ridge in which ridge k continues at one of its ends, if it turns into the
// material there: that of the least turn among ridges meeting. It returns -1 if there is none.
func (p *backingMaker) continued(edges []ridge, meeting []int, k int, at vec.Vec3) (best int) {
	e, most := &edges[k].facetEdge, -2.0
	best = -1
	for _, j := range meeting {
		next := &edges[j].facetEdge
		if c := e.outward.Dot(next.outward); j != k && e.outward.Dot(next.from(at)) > 0 && c > most && p.faceAlike(e.facet, next.facet) {
			best, most = j, c
		}
	}
	return best
}

// isSteeper reports whether the material behind a side narrows faster at edge e than at edge o.
func (p *backingMaker) isSteeper(e, o *facetEdge, side int) bool {
	if a, b := e.onSide(side), o.onSide(side); a != b {
		return a < b
	}
	return p.ownRate(e, side) > p.ownRate(o, side)
}

// faceAlike reports whether two facets face the same way, within 30°.
func (p *backingMaker) faceAlike(i, j int) bool {
	return p.Outward(i, 0).Dot(p.Outward(j, 0)) > besideCosine
}

// beyond returns the end of the edge opposite to end.
func (e *facetEdge) beyond(end vec.Vec3) vec.Vec3 {
	if end == e.a {
		return e.b
	}
	return e.a
}

// from returns the direction of the edge away from one of its ends.
func (e *facetEdge) from(end vec.Vec3) vec.Vec3 { return e.beyond(end).Sub(end).Unit() }

// addCorner appends the corner between edges e and next at their common end. At all its planes the
// material narrows as at e.
func (p *backingMaker) addCorner(to []ridge, at vec.Vec3, e, next *facetEdge) []ridge {
	u := e.outward
	v := e.from(at) // in the plane, perpendicular to u
	angle := vec.Atan2(next.outward.Dot(v), next.outward.Dot(u))
	if !(angle > leastTurn) {
		return to
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
		// The region of the corner lies opposite to the directions between low and high.
		acrossLow := high.AddScaled(-high.Dot(low), low).Unit()
		acrossHigh := low.AddScaled(-low.Dot(high), high).Unit()
		if k == 0 {
			acrossLow = v
		}
		if k == n-1 {
			acrossHigh = next.from(at)
		}
		r.within = []border{{at, r.outward}, {at, acrossLow}, {at, acrossHigh}}
		to = append(to, r)
		p.looks.add(ridgeLooks)
	}
	return to
}

// shard is a convex piece of a facet. beyond is the planes that end the material under it besides
// those at its edges.
type shard struct {
	edges  []facetEdge
	beyond []*facetEdge
}

// cutAtRidges ends the material of facet i of a flat piece at ridges beside it: ridges of its own flat
// piece, and sharp ridges of facets that face the same way and that the piece touches at a corner.
func (p *backingMaker) cutAtRidges(flat *flatPiece, i, side int, shards []shard) []shard {
	box := vec.BoxAround(p.facet(i).corners)
	for r := range flat.ends[side] {
		e := &flat.ends[side][r]
		around := vec.EmptyBox().With(e.a).With(e.b)
		for _, line := range e.within {
			around = around.With(line.point)
		}
		if box.Overlaps(around.Enlarged(float64(cornerFar*p.far(&e.facetEdge, side))+p.Seam())) && !p.looks.spent() {
			shards = p.cutShards(shards, e, side)
		}
	}
	return shards
}

// cutShards ends those shards of a facet at a ridge that come near it.
func (p *backingMaker) cutShards(all []shard, r *ridge, side int) (out []shard) {
	for _, s := range all {
		p.looks.add(1 + len(s.beyond)/8)
		if !p.near(s.edges, r, side) {
			out = append(out, s)
			continue
		}
		out = p.cutShard(out, s, r)
	}
	return out
}

// near reports whether part of the ridge's region lies in a convex polygon, near enough to the
// ridge to matter to a block.
func (p *backingMaker) near(edges []facetEdge, r *ridge, side int) bool {
	far := -p.far(&r.facetEdge, side)
	if _, high := across(edges, border{r.a, r.outward}); high < far {
		return false
	}
	// Drop most polygons before cutting anything.
	for _, b := range r.within {
		if low, _ := across(edges, b); low >= -p.Seam() {
			return false
		}
	}
	p.looks.add(cutLooks)
	n := p.Outward(edges[0].facet, 0)
	for _, b := range r.within {
		if low, _ := across(edges, b); low >= -p.Seam() {
			return false
		}
		edges = cutEdges(edges, b.point, b.outward, n)
	}
	_, high := across(edges, border{r.a, r.outward})
	return len(edges) > 2 && high >= far
}

// far returns how far inward of a ridge the ridge may matter to a block, m.
func (p *backingMaker) far(e *facetEdge, side int) float64 {
	return float64((steepest + p.reach(e, side)) * p.depth)
}

// across returns the least and largest heights over a border of the corners of a polygon, m.
func across(edges []facetEdge, b border) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for k := range edges {
		h := b.outward.Dot(edges[k].a.Sub(b.point))
		low, high = min(low, h), max(high, h)
	}
	return low, high
}

// cutShard appends to to the part of a shard within the ridge's region, which ends at the ridge,
// and the rest as several shards.
func (p *backingMaker) cutShard(to []shard, s shard, r *ridge) []shard {
	for _, b := range r.within {
		low, high := across(s.edges, b)
		switch {
		case low >= -p.Seam():
			return append(to, s)
		case high <= p.Seam():
			continue
		}
		n := p.Outward(s.edges[0].facet, 0)
		outer := shard{beyond: s.beyond[:len(s.beyond):len(s.beyond)], edges: cutEdges(s.edges, b.point, b.outward.Neg(), n)}
		if s.edges = cutEdges(s.edges, b.point, b.outward, n); len(outer.edges) > 2 {
			to = append(to, outer)
		}
		if len(s.edges) < 3 {
			return to
		}
	}
	s.beyond = append(s.beyond[:len(s.beyond):len(s.beyond)], &r.facetEdge)
	return append(to, s)
}

// cutEdges returns the edges around the part of a convex polygon on the inner side of a plane.
func cutEdges(edges []facetEdge, point, outward, n vec.Vec3) (out []facetEdge) {
	out = make([]facetEdge, 0, len(edges)+2)
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
	// Close the gap that the cut leaves. There are several gaps if rounding puts neighbouring corners
	// in the plane on different sides of it.
	for k := len(out) - 1; len(out) > 1 && k >= 0; k-- {
		if from, to := out[k].b, out[(k+1)%len(out)].a; from != to {
			cut := facetEdge{a: from, b: to, outward: outward.AddScaled(-outward.Dot(n), n).Unit(), facet: out[k].facet, other: -1, inner: true}
			out = slices.Insert(out, k+1, cut)
		}
	}
	return out
}
