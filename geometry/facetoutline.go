package geometry

import (
	"cmp"
	"math"
	"slices"
)

// cross returns twice the area, m², of the triangle abc in the plane of the region.
func (g *facetMerger) cross(a, b, c int) float64 {
	return float64((g.x[b]-g.x[a])*(g.y[c]-g.y[a])) - float64((g.y[b]-g.y[a])*(g.x[c]-g.x[a]))
}

// outline returns the corners, counter-clockwise, of the convex polygon that a part of the region
// covers. rim has the vertices on the rim of the part, in any order; area is twice its area, m². ok
// is false if the part is not convex. Two tests detect that. Either a vertex of the rim, of a dent
// or of a hole, lies deeper inside the hull than the tolerance. Or the hull has another area,
// because a dent has no vertex inside the hull or because the part covers itself.
func (g *facetMerger) outline(rim []int, area float64) (corners []int, ok bool) {
	corners = g.fewerCorners(g.hull(rim))
	n := len(corners)
	if n < 3 {
		return nil, false
	}
	covered, around := 0.0, 0.0
	type side struct{ x, y, dx, dy float64 }
	sides := make([]side, n)
	for i, k := range corners {
		next := corners[(i+1)%n]
		dx, dy := g.x[next]-g.x[k], g.y[next]-g.y[k]
		l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		around += l
		covered += g.cross(corners[0], k, next)
		sides[i] = side{g.x[k], g.y[k], dx / l, dy / l}
	}
	// Each of the two errors is at most a strip along the outline, as wide as the tolerance.
	if !(math.Abs(covered-area) <= float64(4*g.tol*around)) {
		return nil, false
	}
	corner := make(map[int]bool, n)
	for _, k := range corners {
		corner[k] = true
	}
	for _, k := range rim {
		if corner[k] {
			continue // A corner lies on the outline; skipping corners saves time if all the rim's vertices are corners.
		}
		deep := math.Inf(1)
		for _, s := range sides {
			deep = min(deep, float64(s.dx*(g.y[k]-s.y))-float64(s.dy*(g.x[k]-s.x)))
		}
		if !(deep <= float64(2*g.tol)) {
			return nil, false
		}
	}
	return corners, true
}

// hull returns the vertices of the convex hull in the plane, counter-clockwise, without vertices on
// straight sides (Andrew 1979).
func (g *facetMerger) hull(rim []int) []int {
	p := slices.Clone(rim)
	slices.SortFunc(p, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.x[a], g.x[b]), cmp.Compare(g.y[a], g.y[b]), cmp.Compare(a, b))
	})
	p = slices.Compact(p)
	if len(p) < 3 {
		return nil
	}
	var hull []int
	for range 2 {
		from := len(hull)
		for _, k := range p {
			for len(hull) >= from+2 && !(g.cross(hull[len(hull)-2], hull[len(hull)-1], k) > 0) {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, k)
		}
		hull = hull[:len(hull)-1]
		slices.Reverse(p)
	}
	return hull
}

// fewerCorners drops corners of a convex polygon that lie within the tolerance of the outline
// without them (Douglas and Peucker 1973). It starts from two corners that are far apart, and so
// are true corners. A last pass drops corners that were kept only because their side was parallel
// to the line from which they were measured.
func (g *facetMerger) fewerCorners(c []int) []int {
	n := len(c)
	if n < 3 {
		return nil
	}
	x, y := 0.0, 0.0
	for _, k := range c {
		x, y = x+(g.x[k]-g.x[c[0]]), y+(g.y[k]-g.y[c[0]])
	}
	from := g.farthest(c, g.x[c[0]]+x/float64(n), g.y[c[0]]+y/float64(n))
	c = append(slices.Clone(c[from:]), c[:from]...)
	to := g.farthest(c, g.x[c[0]], g.y[c[0]])
	keep := make([]bool, n+1)
	keep[0], keep[to] = true, true
	todo := [][2]int{{0, to}, {to, n}}
	for len(todo) > 0 {
		i, j := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		a, b := c[i], c[j%n]
		best, at := g.tol, 0
		for k := i + 1; k < j; k++ {
			if d := g.off(a, b, c[k]); d > best {
				best, at = d, k
			}
		}
		if at > 0 {
			keep[at] = true
			todo = append(todo, [2]int{i, at}, [2]int{at, j})
		}
	}
	var kept, fewer []int
	for i, k := range c {
		if keep[i] {
			kept = append(kept, k)
		}
	}
	dropped := false // Never drop two neighbours, so that errors do not add up.
	for i, k := range kept {
		a, b := kept[(i+len(kept)-1)%len(kept)], kept[(i+1)%len(kept)]
		dropped = !dropped && i > 0 && g.off(a, b, k) <= g.tol
		if !dropped {
			fewer = append(fewer, k)
		}
	}
	return fewer
}

// off returns the distance of vertex k from the line through a and b, m.
func (g *facetMerger) off(a, b, k int) float64 {
	dx, dy := g.x[b]-g.x[a], g.y[b]-g.y[a]
	return math.Abs(g.cross(a, b, k)) / math.Sqrt(float64(dx*dx)+float64(dy*dy))
}

// farthest returns the index in c of the vertex farthest from the point x, y of the plane.
func (g *facetMerger) farthest(c []int, x, y float64) int {
	best, at := -1.0, 0
	for i, k := range c {
		dx, dy := g.x[k]-x, g.y[k]-y
		if d := float64(dx*dx) + float64(dy*dy); d > best {
			best, at = d, i
		}
	}
	return at
}
