package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/boxtree"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
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

// backingMaker makes the prisms of a wall's facets.
type backingMaker struct {
	*mesh.WallMesh
	piece     func(k int) soa.Piece
	depth     float64 // m, depth that the prisms must reach
	firstPart int     // number of the wall's first part among all walls
	convex    []bool  // by part and side: see survey
	insides   []int   // by part: see mesh.ClosedSides
	groups    []contactBundle
	bins      map[soa.Material]int // the first bin of each material
	whole     map[[3]int]int       // by part, side and material: index of the shares of a side that is one bin
	shares    map[binned]int       // index of the shares of a direction
	tree      *boxtree.Tree        // of all facets
	boxes     []vec.Box
	looks     looks

	// Of the pieces that are made together.
	facets map[int]*edgedFacet
	pieces map[int]*flatPiece // by first facet
}

// edgedFacet is a facet with its edges.
type edgedFacet struct {
	corners []vec.Vec3
	edges   []facetEdge
	whole   bool // its edges are those of its polygon
}

// flatPiece is a connected set of facets in one plane.
type flatPiece struct {
	facets []int // the first one stands for the piece
	// The edges around the piece, if it is convex and ends uniformly along each line; otherwise
	// empty. A single facet has an outline even if ridges divide it later: each of its pieces then
	// ends at all planes of its border.
	outline []facetEdge
	convex  bool
	ends    [2][]ridge // by side: ridges nearby that end its material, see findEnds
}

// newBackingMaker returns a maker for a wall. depth is the largest depth that blocks feel, m.
func newBackingMaker(m *mesh.WallMesh, piece func(k int) soa.Piece, depth float64, firstPart int) *backingMaker {
	p := &backingMaker{
		WallMesh: m, piece: piece, depth: depth, firstPart: firstPart, insides: m.ClosedSides(), looks: looksFor(m.Len()),
		bins: map[soa.Material]int{}, whole: map[[3]int]int{}, shares: map[binned]int{},
	}
	p.forget()
	return p
}

// forget drops what is only needed while pieces are made.
func (p *backingMaker) forget() { p.facets, p.pieces = map[int]*edgedFacet{}, map[int]*flatPiece{} }

// facet returns facet i with its edges.
func (p *backingMaker) facet(i int) *edgedFacet {
	f := p.facets[i]
	if f == nil {
		f = &edgedFacet{corners: p.Corners(nil, i)}
		f.edges, f.whole = p.edgesOf(nil, i, f.corners)
		p.facets[i] = f
	}
	return f
}

// pieceOf returns the flat piece that begins with facet first.
func (p *backingMaker) pieceOf(first int) *flatPiece {
	flat := p.pieces[first]
	if flat != nil {
		return flat
	}
	flat = &flatPiece{facets: p.Piece(first)}
	flat.convex = len(flat.facets) == 1
	switch {
	case !flat.convex:
		p.findOutline(flat)
	case p.facet(first).whole:
		flat.outline = p.facet(first).edges
	}
	p.pieces[first] = flat
	return flat
}

// survey looks at all facets of the wall once. It sets p.convex: by part and side, whether that side
// is a single bin, because the part is the whole wall, the side has no valley, and its facets have
// directions of more than one group. survey returns the largest rate at which material widens, m/m, and
// the facets that are left out, because their rate is only known once their material is made. These are
// facets of flat pieces that are not convex, and facets with different neighbours along an edge.
func (p *backingMaker) survey() (rate float64, odd []int) {
	p.convex = make([]bool, 2*p.Parts())
	valley := [2]bool{}
	var corners []vec.Vec3
	var edges []facetEdge
	for i := range p.Len() {
		corners = p.Corners(corners[:0], i)
		var whole bool
		edges, whole = p.edgesOf(edges[:0], i, corners)
		inner := false
		for k := range edges {
			e := &edges[k]
			valley[0], valley[1] = valley[0] || e.rate > convexRate, valley[1] || e.rate < -convexRate
			inner = inner || e.inner
		}
		around := edges
		if inner && p.Flat(i) != i {
			continue // The first facet of a piece stands for it.
		} else if inner {
			around = p.pieceOf(i).outline
		}
		if !whole && !inner || len(around) == 0 {
			odd = append(odd, i)
			continue
		}
		rate = max(rate, p.widest(around, 0), p.widest(around, 1))
	}
	p.forget()
	if p.Parts() == 1 && valley != [2]bool{true, true} && p.isBent() {
		p.convex[0], p.convex[1] = !valley[0], !valley[1]
	}
	return rate, odd
}

// crowdedAt is the number of facets at one corner above which their material is made at once, and
// counted.
const crowdedAt = 64

// crowded returns the facets at corners where many meet.
func (p *backingMaker) crowded() (facets []int) {
	for k := range p.Len() {
		for _, v := range p.Loop(k) {
			if len(p.Touching(v)) > crowdedAt {
				facets = append(facets, k)
				break
			}
		}
	}
	return facets
}

// edgesOf appends the edges around facet i, which has the given corners, and reports whether they are
// those of its polygon.
func (p *backingMaker) edgesOf(edges []facetEdge, i int, corners []vec.Vec3) (all []facetEdge, whole bool) {
	if p.IsThin(i) {
		return edges, true
	}
	own, n, whole, last := p.Normal(i), p.Outward(i, 0), true, -1
	for k := range p.Loop(i) {
		a, b := p.Ends(i, k)
		from := p.Edge(i, k)
		u, v := corners[from], corners[(from+1)%len(corners)]
		e := facetEdge{a: p.Vert(a), b: p.Vert(b), outward: v.Sub(u).Cross(own).Unit(), facet: i, other: -1}
		g, _ := p.Across(i, k)
		if other, ok := p.Bend(i, k); ok {
			// the rate of the plane through the edge that contains n + other
			e.rate = -e.outward.Dot(other) / (1 + n.Dot(other))
			e.other = g
		}
		switch {
		case g < 0:
			e.open = true
		case p.Flat(g) == p.Flat(i):
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

// addPrisms appends the prisms of the facets of a flat piece to those of to, and sets the largest rate
// at which each widens.
func (p *backingMaker) addPrisms(flat *flatPiece, to []BackedFacet) {
	for side := range flat.ends {
		for k, i := range flat.facets {
			at := &to[k].Side[side]
			for _, s := range p.cutAtRidges(flat, i, side, p.shardsOf(flat, i, side)) {
				if p.looks.spent() {
					return
				}
				prism, rate := p.prismOf(flat, i, side, &s, to[k].Outward(side), false)
				at.Prisms = append(at.Prisms, prism)
				p.looks.add(cutLooks * len(prism.Sides))
				to[k].rate = max(to[k].rate, rate)
				if at.OwnShareIndex != at.ShareIndex {
					prism, _ = p.prismOf(flat, i, side, &s, to[k].Outward(side), true)
					at.Own = append(at.Own, prism)
				}
			}
		}
	}
}

// shardsOf returns facet i as one shard. If its neighbours along an edge have different angles, it
// returns a triangle for each edge instead. The ridges around a flat piece that is not convex are
// not sides of its shards: they end material along their own stretch only (see cutAtRidges).
func (p *backingMaker) shardsOf(flat *flatPiece, i, side int) (all []shard) {
	f := p.facet(i)
	n, edges := p.Outward(i, 0), slices.Clone(f.edges)
	for k := range edges {
		if e := &edges[k]; !flat.convex && e.onSide(side) < -evenRate {
			e.rate, e.other, e.inner, e.open = 0, -1, true, false
		}
	}
	switch {
	case len(edges) == 0:
	case f.whole:
		all = append(all, shard{edges: edges})
	default:
		middle, _ := p.Middle(i)
		for _, e := range edges {
			all = append(all, shard{edges: []facetEdge{e, innerEdge(e.b, middle, e.a, n, i), innerEdge(middle, e.a, e.b, n, i)}})
		}
	}
	return all
}

// prismOf returns the prism behind a side of shard s of facet i of a flat piece, and the largest rate at which it
// widens, m/m. If own is set, the prism is the narrower one of the facet's own shares.
func (p *backingMaker) prismOf(flat *flatPiece, i, side int, s *shard, out vec.Vec3, own bool) (prism overlap.Backing, most float64) {
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
			if high+float64(max(-far.Normal.Dot(out), 0)*p.depth) >= -p.Seam() {
				prism.Sides = append(prism.Sides, plane)
			}
		}
	}
	for _, e := range s.beyond {
		prism.Sides = append(prism.Sides, p.sideOf(e, side, prism.Corner, p.Outward(e.facet, side), own))
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
func (p *backingMaker) cornerOf(flat *flatPiece) vec.Vec3 { return p.facet(flat.facets[0]).corners[0] }

// prismOver returns the prism behind a side of a convex polygon, and the largest rate at which it
// widens, m/m. corner is a point on the plane of the polygon, edges are the edges around it, and n
// is the normal away from the material. own is as in prismOf.
func (m *backingMaker) prismOver(corner vec.Vec3, edges []facetEdge, side int, n vec.Vec3, own bool) (p overlap.Backing, most float64) {
	p = overlap.Backing{Corner: corner, Normal: n}
	for k := range edges {
		p.Sides = append(p.Sides, m.sideOf(&edges[k], side, p.Corner, n, own))
		between, rate := m.cornerRate(edges, k, side, own)
		if between != (vec.Vec3{}) {
			p.Sides = append(p.Sides, sideAt(edges[k].b.Sub(p.Corner), between, n, sharpest))
		}
		most = max(most, rate, m.rateOf(&edges[k], side, own))
	}
	return p, most
}

// cornerRate returns the rate, m/m, at which the material behind a side of a convex polygon widens at
// the end of edge k. If it would widen faster than sharpest, the rate is sharpest, and between is the
// direction there, unit; otherwise between is zero.
func (m *backingMaker) cornerRate(edges []facetEdge, k, side int, own bool) (between vec.Vec3, rate float64) {
	e, next := &edges[k], &edges[(k+1)%len(edges)]
	both := e.outward.Add(next.outward)
	size, out := both.Norm(), m.rateOf(e, side, own)+m.rateOf(next, side, own)
	switch {
	case !(size > 0):
		return between, math.Inf(-1)
	case out > float64(sharpest*size):
		return both.Scale(1 / size), sharpest
	}
	return between, out / size
}

// widest returns the largest rate, m/m, at which the material behind a side of a convex polygon widens.
func (m *backingMaker) widest(edges []facetEdge, side int) (most float64) {
	for k := range edges {
		_, rate := m.cornerRate(edges, k, side, false)
		most = max(most, rate, m.rateOf(&edges[k], side, false))
	}
	return most
}
