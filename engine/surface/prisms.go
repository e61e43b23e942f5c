package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/vec"
)

const (
	// steepest is the largest rate, m/m, at which the material under a facet widens with depth at a
	// valley. It is that of the plane half-way between two facets, for bends of up to 120°. Sharper
	// valleys have upright ends.
	// Smaller: valleys have gaps in the material. Larger: blocks are candidates of farther facets.
	steepest = 1.7320508075688772
	// sharpest is the largest rate, m/m, at which the material extends outward at a corner.
	// Smaller: as steepest, at corners. Larger: as steepest.
	sharpest = 2
	// openRate is the rate, m/m, at which the material narrows with depth at an open edge: by 45°,
	// on both sides. With an upright end, a block that comes over the edge from outside would be
	// deep under the facet at once, and its force infinite.
	openRate = 1
	// spreadFar times the largest depth that blocks feel is more than the material of a facet extends
	// beyond the outline of its flat piece.
	spreadFar = 16
	// evenRate is a difference of rates, m/m. Neighbours along one edge whose rates differ by no
	// more have one plane between them and the facet.
	// Smaller: needless cuts. Larger: a mitre errs by it.
	evenRate = 0x1p-30
)

// facetEdge is a stretch of a facet's edge with one plane at its end. rate is how fast the material
// widens with depth there, m/m, on side 0; on side 1 it narrows at the same rate.
type facetEdge struct {
	a, b    vec.Vec3
	outward vec.Vec3 // unit, in the facet's plane
	rate    float64
	facet   int // the facet that has the edge
	other   int // the facet across it, on the same side; -1 if there is none
	inner   bool
	open    bool // the wall ends or is folded there
}

// backingMaker computes the prisms of a wall's facets.
type backingMaker struct {
	*facetMesh
	depth   float64       // m, depth that the prisms must reach
	flat    []int         // by facet: its flat piece
	pieces  []flatPiece   // flat pieces of the wall
	convex  []bool        // by part and side: see convexSides
	edges   [][]facetEdge // by facet
	whole   []bool        // by facet: its edges are those of its polygon
	ridges  [2][]ridge
	endings [2][][]int // by side and flat piece: ridges that end its material
	looks   looks
}

// flatPiece is a connected set of facets in one plane.
type flatPiece struct {
	facets []int
	// The edges around the piece, if it is convex and ends uniformly along each line; otherwise
	// empty. A single facet has an outline even if ridges divide it later: each of its pieces then
	// ends at all planes of its border.
	outline []facetEdge
	convex  bool
}

// newPrismMaker returns a maker for a mesh. coplanar is the coplanar group of each facet, depth the
// largest depth that blocks feel, m.
func newPrismMaker(m *facetMesh, coplanar []uint32, depth float64) *backingMaker {
	p := &backingMaker{facetMesh: m, depth: depth, flat: make([]int, len(m.facets)), looks: looksFor(len(m.facets))}
	for i := range m.facets {
		p.flat[i] = -1
	}
	for i := range m.facets {
		if p.flat[i] < 0 {
			p.addFlat(i, coplanar)
		}
	}
	for i := range m.facets {
		edges, whole := p.edgesOf(i)
		p.edges, p.whole = append(p.edges, edges), append(p.whole, whole)
	}
	p.convex = p.convexSides()
	for k := range p.pieces {
		switch flat := &p.pieces[k]; {
		case len(flat.facets) > 1:
			p.findOutline(flat)
		case p.whole[flat.facets[0]]:
			flat.outline = p.edges[flat.facets[0]]
		}
	}
	for k := range p.pieces {
		p.addRidges(&p.pieces[k])
	}
	for side := range p.endings {
		p.addCorners(side)
		for k := range p.pieces {
			p.addTurns(&p.pieces[k], side)
		}
		p.findEnds(side)
	}
	return p
}

// addFlat adds the flat piece of facet first.
func (p *backingMaker) addFlat(first int, coplanar []uint32) {
	id := len(p.pieces)
	p.flat[first] = id
	members := []int{first}
	for n := 0; n < len(members); n++ {
		i := members[n]
		for k := range p.facets[i].loop {
			if g, _ := p.across(i, k); g >= 0 && p.flat[g] < 0 && coplanar[i] > 0 && coplanar[g] == coplanar[i] {
				p.flat[g] = id
				members = append(members, g)
			}
		}
	}
	p.pieces = append(p.pieces, flatPiece{facets: members, convex: len(members) == 1})
}

// edgesOf returns the edges around facet i, and whether they are those of its polygon.
func (p *backingMaker) edgesOf(i int) (edges []facetEdge, whole bool) {
	f := &p.facets[i]
	if f.sliver {
		return nil, true
	}
	n, whole, last := f.outward(0), true, -1
	for k := range f.loop {
		a, b := p.ends(i, k)
		from := f.edge[k]
		u, v := f.Corners[from], f.Corners[(from+1)%len(f.Corners)]
		e := facetEdge{a: p.verts[a], b: p.verts[b], outward: v.Sub(u).Cross(f.Normal).Unit(), facet: i, other: -1}
		if other, ok := p.bend(i, k); ok {
			// the rate of the plane through the edge that contains n + other
			e.rate = -e.outward.Dot(other) / (1 + n.Dot(other))
			e.other, _ = p.across(i, k)
		}
		switch g, _ := p.across(i, k); {
		case g < 0:
			e.open = true
		case p.flat[g] == p.flat[i]:
			e.rate, e.inner = 0, true
		}
		if last == from {
			if before := &edges[len(edges)-1]; math.Abs(before.rate-e.rate) <= evenRate && before.inner == e.inner && before.open == e.open && p.sameMaterialBeyond(before, &e) {
				before.b = e.b
				continue
			}
			whole = false
		}
		edges, last = append(edges, e), from
	}
	return edges, whole
}

// onSide returns the rate at which material widens at the edge behind a side.
func (e *facetEdge) onSide(side int) float64 {
	if e.open {
		return -openRate
	}
	if side == 1 {
		return -e.rate
	}
	return e.rate
}

// rateOf returns the rate at which the material behind a side widens at an edge, or if own is set
// the rate for the facet's own shares.
func (p *backingMaker) rateOf(e *facetEdge, side int, own bool) float64 {
	rate := e.onSide(side)
	if rate > steepest {
		rate = 0
	}
	if own {
		rate -= p.ownRate(e, side)
	}
	return rate
}

// innerEdge returns the edge from a to b of a piece of a facet that continues beyond the edge in
// its plane. inner is a point of the piece.
func innerEdge(a, b, inner, n vec.Vec3, facet int) facetEdge {
	e := facetEdge{a: a, b: b, outward: b.Sub(a).Cross(n).Unit(), facet: facet, other: -1, inner: true}
	if e.outward.Dot(inner.Sub(a)) > 0 {
		e.outward = e.outward.Neg()
	}
	return e
}

// addAll appends the prisms of all facets to to, and sets the largest rate at which each widens.
func (p *backingMaker) addAll(to []BackedFacet) {
	for side := range p.ridges {
		shards := make([][]shard, len(p.facets))
		for i := range p.facets {
			shards[i] = p.shardsOf(i, side)
		}
		p.cutAtRidges(side, shards)
		for i := range p.facets {
			at := &to[i].Side[side]
			for k := range shards[i] {
				if p.looks.spent() {
					return
				}
				prism, rate := p.prismOf(i, side, &shards[i][k], to[i].Outward(side), false)
				at.Prisms = append(at.Prisms, prism)
				p.looks.add(cutLooks * len(prism.Sides))
				to[i].rate = max(to[i].rate, rate)
				if at.OwnShareIndex != at.ShareIndex {
					prism, _ = p.prismOf(i, side, &shards[i][k], to[i].Outward(side), true)
					at.Own = append(at.Own, prism)
				}
			}
		}
	}
}

// shardsOf returns facet i as one shard. If its neighbours along an edge have different angles, it
// returns a triangle for each edge instead. The ridges around a flat piece that is not convex are
// not sides of its shards: they end material along their own stretch only (see cutAtRidges).
func (p *backingMaker) shardsOf(i, side int) (all []shard) {
	f := &p.facets[i]
	n, edges := f.outward(0), slices.Clone(p.edges[i])
	for k := range edges {
		if e := &edges[k]; !p.pieces[p.flat[i]].convex && e.onSide(side) < -evenRate {
			e.rate, e.other, e.inner, e.open = 0, -1, true, false
		}
	}
	switch {
	case len(edges) == 0:
	case p.whole[i]:
		all = append(all, shard{edges: edges})
	default:
		for _, e := range edges {
			all = append(all, shard{edges: []facetEdge{e, innerEdge(e.b, f.Middle, e.a, n, i), innerEdge(f.Middle, e.a, e.b, n, i)}})
		}
	}
	return all
}

// prismOf returns the prism behind a side of shard s of facet i, and the largest rate at which it
// widens, m/m. If own is set, the prism is the narrower one of the facet's own shares.
func (p *backingMaker) prismOf(i, side int, s *shard, out vec.Vec3, own bool) (prism overlap.Backing, most float64) {
	flat := &p.pieces[p.flat[i]]
	if len(flat.outline) == 0 {
		prism, most = p.prismOver(p.cornerOf(flat), s.edges, side, out, own)
	} else {
		// The prism is the part of the whole flat piece's prism between the facet's neighbours in
		// the piece.
		var of overlap.Backing
		of, most = p.prismOver(p.cornerOf(flat), flat.outline, side, out, own)
		prism = overlap.Backing{Corner: of.Corner, Normal: out}
		for k := range s.edges {
			if e := &s.edges[k]; e.inner {
				prism.Sides = append(prism.Sides, overlap.HalfSpace{Normal: e.outward, Offset: e.outward.Dot(e.a.Sub(prism.Corner)), Orthogonal: true})
			}
		}
		points := p.spread(s, &of, flat.outline)
		for _, plane := range of.Sides {
			// If depth begins at the plane, the plane matters up to the plane half-way between it
			// and the facet's.
			far := plane
			if plane.IsEntry {
				far = overlap.BisectingSide(out, plane.Normal, plane.Offset)
			}
			high := math.Inf(-1)
			for _, x := range points {
				high = max(high, far.Normal.Dot(x)-far.Offset)
			}
			if high+float64(max(-far.Normal.Dot(out), 0)*p.depth) >= -p.seam {
				prism.Sides = append(prism.Sides, plane)
			}
		}
	}
	for _, e := range s.beyond {
		prism.Sides = append(prism.Sides, p.sideOf(e, side, prism.Corner, p.facets[e.facet].outward(side), own))
	}
	return prism, most
}

// spread returns points whose convex hull contains all of shard s and of the material under it, seen
// along the normal. of is the prism of the whole flat piece, whose outline is given. Points are
// relative to the prism's corner, in the facet's plane. At a valley the material widens beyond the
// shard, so it may reach sides of the piece that the shard does not reach.
func (p *backingMaker) spread(s *shard, of *overlap.Backing, outline []facetEdge) (points []vec.Vec3) {
	for k := range s.edges {
		points = append(points, s.edges[k].a.Sub(of.Corner))
	}
	ends := slices.ContainsFunc(s.edges, func(e facetEdge) bool { return !e.inner })
	if !ends || !slices.ContainsFunc(of.Sides, func(side overlap.HalfSpace) bool { return side.Normal.Dot(of.Normal) > 0 }) {
		return points
	}
	size := 0.0
	for k := range outline {
		size = max(size, outline[k].a.Sub(of.Corner).Norm())
	}
	x := s.edges[0].outward.Scale(size + float64(spreadFar*p.depth))
	y := of.Normal.Cross(x)
	r := depthLimiter{polygon: []vec.Vec3{x.Add(y), y.Sub(x), x.Add(y).Neg(), x.Sub(y)}}
	for k := range s.edges {
		if e := &s.edges[k]; e.inner {
			r.cut(e.outward, e.outward.Dot(e.a.Sub(of.Corner)))
		}
	}
	for k := range of.Sides {
		side := &of.Sides[k]
		r.cut(side.Normal, side.Offset+float64(max(side.Normal.Dot(of.Normal), 0)*p.depth))
	}
	return append(points, r.polygon...)
}

// sideOf returns the prism side at an edge, for a prism with the given corner. n is the normal away
// from the material. own is as in prismOf.
func (p *backingMaker) sideOf(e *facetEdge, side int, corner, n vec.Vec3, own bool) overlap.HalfSpace {
	s := sideAt(e.a.Sub(corner), e.outward, n, p.rateOf(e, side, own))
	s.IsEntry = e.open || own && p.ownRate(e, side) > 0
	return s
}

// sideAt returns the prism side through a point on an edge, where the material widens at a rate. at
// is relative to the prism's corner.
func sideAt(at, outward, n vec.Vec3, rate float64) overlap.HalfSpace {
	normal := outward.AddScaled(rate, n).Unit()
	return overlap.HalfSpace{Normal: normal, Offset: normal.Dot(at), Orthogonal: rate == 0}
}

// cornerOf returns the Corner of all prisms of a flat piece. A common corner shows that the prisms
// are under one plane.
func (p *backingMaker) cornerOf(flat *flatPiece) vec.Vec3 { return p.facets[flat.facets[0]].Corners[0] }

// prismOver returns the prism behind a side of a convex polygon, and the largest rate at which it
// widens, m/m. corner is a point on the plane of the polygon, edges are the edges around it, and n
// is the normal away from the material. own is as in prismOf.
func (m *backingMaker) prismOver(corner vec.Vec3, edges []facetEdge, side int, n vec.Vec3, own bool) (p overlap.Backing, most float64) {
	p = overlap.Backing{Corner: corner, Normal: n}
	for k := range edges {
		e, next := &edges[k], &edges[(k+1)%len(edges)]
		rate := m.rateOf(e, side, own)
		p.Sides = append(p.Sides, m.sideOf(e, side, p.Corner, n, own))
		both := e.outward.Add(next.outward)
		size, out := both.Norm(), rate+m.rateOf(next, side, own)
		if out > float64(sharpest*size) && size > 0 {
			p.Sides = append(p.Sides, sideAt(e.b.Sub(p.Corner), both.Scale(1/size), n, sharpest))
			most = max(most, sharpest)
		} else if size > 0 {
			most = max(most, out/size)
		}
		most = max(most, rate)
	}
	return p, most
}
