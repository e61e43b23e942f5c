package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/disjoint"
)

// pairMerger merges the triangles of regions that are not convex, one region after the other. The
// outline of a polygon is a ring of half-edges. If two polygons share an edge, its two half-edges
// are links of each other. Each column has a row for each half-edge or triangle of the mesh.
type pairMerger struct {
	*facetMerger
	next, prev []int
	gone       []bool             // half-edges that are inside a polygon
	to         disjoint.Sets[int] // sets of triangles: the polygons
	twice      []float64          // of the lowest triangle of a polygon: twice the polygon's area, m²
}

// mergePairs merges and emits the triangles of the region.
func (g *facetMerger) mergePairs(members []int) {
	if g.pairs == nil {
		n := len(g.tris)
		g.pairs = &pairMerger{g, make([]int, 3*n), make([]int, 3*n), make([]bool, 3*n), disjoint.New[int](n), make([]float64, n)}
	}
	p := g.pairs
	var inner []int
	for _, t := range members {
		p.twice[t] = g.area(t)
		for i := range 3 {
			h := 3*t + i
			p.next[h], p.prev[h] = 3*t+(i+1)%3, 3*t+(i+2)%3
			if h < g.link[h] {
				inner = append(inner, h)
			}
		}
	}
	// Sort by length, the longest first, so that the triangles of a grid become cells. Then sort by
	// direction, so that cells become rows, and rows the convex parts of the grid. In the order of
	// the file, columns would interrupt rows.
	type ranked struct{ half, octave, direction int }
	order := make([]ranked, len(inner))
	for i, h := range inner {
		order[i] = ranked{h, p.octave(h), p.direction(h)}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.octave, a.octave), cmp.Compare(a.direction, b.direction), cmp.Compare(a.half, b.half))
	})
	var again []int
	for _, e := range order {
		again = p.merge(e.half, again)
	}
	// A merge can enable another merge only at one of the four edges at the ends of the removed
	// chain.
	for len(again) > 0 {
		h := again[len(again)-1]
		again = p.merge(h, again[:len(again)-1])
	}
	p.emitAll(members)
}

// octave returns the exponent of an edge's squared length, so that rounding does not reorder the
// edges of a grid. The factor 0.7 keeps lengths that are powers of two, and diagonals of such
// squares, away from the limits between exponents.
func (p *pairMerger) octave(h int) int {
	dx, dy := p.along(h)
	_, e := math.Frexp(0.7 * (float64(dx*dx) + float64(dy*dy)))
	return e
}

// nDirections is how many directions of edges are distinguished in half a turn.
const nDirections = 32

// direction returns the direction class of an edge, 0 to nDirections-1, equal for both directions
// of travel. The directions of the plane's axes are in the middle of their classes.
func (p *pairMerger) direction(h int) int {
	dx, dy := p.along(h)
	if dy < 0 {
		dx, dy = -dx, -dy
	}
	// t runs from 1 along +x over 0 along y to -1 along -x; both ends are one class.
	t := dx / (math.Abs(dx) + dy)
	return int(float64(nDirections/2*(1-t))+0.5) % nDirections
}

// along returns an edge as a vector in the plane, m.
func (p *pairMerger) along(h int) (dx, dy float64) {
	a, b := p.tail(h), p.tail(p.next[h])
	return p.x[b] - p.x[a], p.y[b] - p.y[a]
}

func (g *facetMerger) tail(h int) int { return g.tris[h/3][h%3] }

// find returns the lowest triangle of the polygon of half-edge h.
func (p *pairMerger) find(h int) int { return p.to.Lowest(h / 3) }

// merge merges the polygons on the two sides of h if their union is convex, and appends the
// half-edges to try next. merge removes all edges that the polygons share around h. These edges are
// one chain, because the polygons are convex.
//
//	  ─ hPrev ─→ ● ─ gNext ─→
//	             │
//	polygon  h ↓ │ ↑ g  the other
//	             │
//	  ←─ hNext ─ ● ←─ gPrev ─
func (p *pairMerger) merge(h int, again []int) []int {
	if p.gone[h] || p.link[h] < 0 || p.find(h) == p.find(p.link[h]) {
		return again
	}
	first, last := h, h
	for p.link[p.prev[first]] >= 0 && p.link[p.prev[first]] == p.next[p.link[first]] && p.prev[first] != last {
		first = p.prev[first]
	}
	for p.link[p.next[last]] >= 0 && p.link[p.next[last]] == p.prev[p.link[last]] && p.next[last] != first {
		last = p.next[last]
	}
	hPrev, hNext := p.prev[first], p.next[last]
	gNext, gPrev := p.next[p.link[first]], p.prev[p.link[last]]
	if hPrev == last || gNext == p.link[last] {
		return again // one polygon is inside the other
	}
	a, b := p.find(h), p.find(p.link[h])
	up := p.straightness(hPrev, gNext)
	down := p.straightness(gPrev, hNext)
	if !(min(up, down) >= -p.tol) {
		return again
	}
	if min(up, down) < -p.round {
		// Dents within the tolerance may add up, so check the whole outline.
		var rim []int
		for e := hNext; e != first; e = p.next[e] {
			rim = append(rim, p.tail(e))
		}
		for e := gNext; e != p.link[last]; e = p.next[e] {
			rim = append(rim, p.tail(e))
		}
		if _, ok := p.outline(rim, p.twice[a]+p.twice[b]); !ok {
			return again
		}
	}
	for e := first; ; e = p.next[e] {
		p.gone[e], p.gone[p.link[e]] = true, true
		if e == last {
			break
		}
	}
	p.next[hPrev], p.prev[gNext] = gNext, hPrev
	p.next[gPrev], p.prev[hNext] = hNext, gPrev
	p.twice[min(a, b)] = p.twice[a] + p.twice[b]
	p.to.Join(a, b)
	return append(again, gPrev, hNext, gNext, hPrev)
}

// straightness returns how far the corner between half-edges in and out lies outside the line
// between its neighbours, m. out will follow in after the merge. The result is negative for a dent,
// and -Inf for a path that turns back.
func (p *pairMerger) straightness(in, out int) float64 {
	a, b, c := p.tail(in), p.tail(out), p.tail(p.next[out])
	ux, uy := p.x[b]-p.x[a], p.y[b]-p.y[a]
	wx, wy := p.x[c]-p.x[b], p.y[c]-p.y[b]
	dx, dy := p.x[c]-p.x[a], p.y[c]-p.y[a]
	h := p.cross(a, b, c) / math.Sqrt(float64(dx*dx)+float64(dy*dy))
	if !(h > p.tol) && !(float64(ux*wx)+float64(uy*wy) > 0) {
		return math.Inf(-1)
	}
	return h
}

// emitAll emits the polygons in the order of their lowest triangles.
func (p *pairMerger) emitAll(members []int) {
	slices.Sort(members)
	loop := make(map[int]int) // of each polygon: a half-edge of its ring
	for _, t := range members {
		for h := 3 * t; h < 3*t+3; h++ {
			if !p.gone[h] {
				loop[p.find(h)] = h
			}
		}
	}
	apart := make(map[int]bool) // polygons that are emitted triangle by triangle
	for _, t := range members {
		if root := p.find(3 * t); root != t {
			if apart[root] {
				p.emit(t, p.tris[t][:], true)
			}
			continue
		}
		var rim []int
		for e := loop[t]; ; {
			rim = append(rim, p.tail(e))
			if e = p.next[e]; e == loop[t] {
				break
			}
		}
		// A polygon as thin as the tolerance has no outline.
		corners, ok := p.outline(rim, p.twice[t])
		if !ok || len(rim) == 3 {
			apart[t] = true
			p.emit(t, p.tris[t][:], true)
			continue
		}
		p.emit(t, corners, true)
	}
}
