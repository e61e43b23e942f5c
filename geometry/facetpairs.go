package geometry

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/disjoint"
)

// pairMerger merges the triangles of regions that are not convex, one after the other. The loop of a
// polygon is a ring of half-edges; where two polygons share edges these are links of each other.
// Columns have a row for each half-edge or triangle of the mesh.
type pairMerger struct {
	*facetMerger
	next, prev []int
	gone       []bool             // half-edges that are inside a polygon
	to         disjoint.Sets[int] // of triangles: the polygons
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
	// By length, the longest first, so that grids become cells. Then by direction, so that cells become
	// rows, and these what is convex of the grid; in the order of the file, rows would be cut by columns.
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
	// What a merger makes possible has one of the four edges at the ends of what was removed.
	for len(again) > 0 {
		h := again[len(again)-1]
		again = p.merge(h, again[:len(again)-1])
	}
	p.emitAll(members)
}

// octave returns the exponent of an edge's length squared, so that rounding does not shuffle the edges of
// a grid. The factor keeps lengths that are powers of two, and their diagonals, off the limits.
func (p *pairMerger) octave(h int) int {
	dx, dy := p.along(h)
	_, e := math.Frexp(0.7 * (float64(dx*dx) + float64(dy*dy)))
	return e
}

// nDirections is how many directions of edges, out of half a turn, are told apart.
const nDirections = 32

// direction returns the direction of an edge, either way, from 0 to nDirections-1. Those of the plane's
// axes lie in the middle of their class.
func (p *pairMerger) direction(h int) int {
	dx, dy := p.along(h)
	if dy < 0 {
		dx, dy = -dx, -dy
	}
	// From 1 along x by 0 along y to -1 against x, the same class as along it.
	t := dx / (math.Abs(dx) + dy)
	return int(float64(nDirections/2*(1-t))+0.5) % nDirections
}

// along returns an edge as a vector in the plane.
func (p *pairMerger) along(h int) (dx, dy float64) {
	a, b := p.tail(h), p.tail(p.next[h])
	return p.x[b] - p.x[a], p.y[b] - p.y[a]
}

func (g *facetMerger) tail(h int) int { return g.tris[h/3][h%3] }

// find returns the lowest triangle of the polygon of a half-edge.
func (p *pairMerger) find(h int) int { return p.to.Lowest(h / 3) }

// merge merges the polygons on the two sides of h, if the union is convex, and appends the half-edges
// to try next. What is removed is all that they share around h: between convex polygons that is one
// chain.
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
		return again // one inside the other
	}
	a, b := p.find(h), p.find(p.link[h])
	up := p.straightness(hPrev, gNext)
	down := p.straightness(gPrev, hNext)
	if !(min(up, down) >= -p.tol) {
		return again
	}
	if min(up, down) < -p.round {
		// Dents within the tolerance may add up: look at the whole.
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

// straightness returns how far the corner between two half-edges, of which the second will follow the
// first, stands out of the line between its neighbours, m; negative for a dent, -Inf for a path that
// turns back.
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

// emitAll emits the polygons by their lowest triangle.
func (p *pairMerger) emitAll(members []int) {
	slices.Sort(members)
	loop := make(map[int]int) // of each polygon a half-edge of its ring
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
		// What is as thin as the tolerance has no outline.
		corners, ok := p.outline(rim, p.twice[t])
		if !ok || len(rim) == 3 {
			apart[t] = true
			p.emit(t, p.tris[t][:], true)
			continue
		}
		p.emit(t, corners, true)
	}
}
