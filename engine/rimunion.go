package engine

import (
	"cmp"
	"math"
	"slices"
)

// overlaid adds to what is covered of edges, which are by least x, what lies within polygons.
func overlaid(covered [][][2]float64, edges []rim, polygons [][]flat, seam float64) {
	type boxed struct {
		box     window
		polygon []flat
	}
	all, widest := make([]boxed, len(polygons)), 0.0
	for i, p := range polygons {
		b := window{p[0], p[0]}
		for _, q := range p[1:] {
			b = b.with(q)
		}
		all[i], widest = boxed{b, p}, max(widest, b.hi.x-b.lo.x)
	}
	slices.SortStableFunc(all, func(p, q boxed) int { return cmp.Compare(p.box.lo.x, q.box.lo.x) })
	for i := range edges {
		r := &edges[i]
		box := window{r.a, r.a}.with(r.b)
		box = window{flat{box.lo.x - seam, box.lo.y - seam}, flat{box.hi.x + seam, box.hi.y + seam}}
		from, _ := slices.BinarySearchFunc(all, box.lo.x-widest, func(p boxed, x float64) int { return cmp.Compare(p.box.lo.x, x) })
		for _, p := range all[from:] {
			if p.box.lo.x > box.hi.x {
				break
			}
			if p.box.hi.x < box.lo.x || p.box.hi.y < box.lo.y || p.box.lo.y > box.hi.y {
				continue
			}
			if part, ok := within(r, p.polygon, seam); ok {
				covered[i] = append(covered[i], part)
			}
		}
	}
}

// within returns what of an edge lies within a convex polygon, from and to, m along it, and whether that is anything. An
// edge along one of the polygon's own is within it if its polygon is on the other side.
func within(r *rim, polygon []flat, seam float64) (part [2]float64, ok bool) {
	_, length := r.along(r.b)
	part[1] = length
	last := polygon[len(polygon)-1]
	for _, p := range polygon {
		q := rim{last, p}
		last = p
		if q.a == q.b {
			continue
		}
		from, to := q.left(r.a), q.left(r.b)
		switch {
		case aligned(r, &q, seam):
			if sameWay(r, &q) {
				return part, false
			}
		case from <= 0 && to <= 0:
			return part, false
		case from < 0:
			part[0] = max(part[0], float64(length*(from/(from-to))))
		case to < 0:
			part[1] = min(part[1], float64(length*(from/(from-to))))
		}
	}
	return part, part[0] < part[1]
}

// straight joins rims that follow each other in one line, within tol: where facets have corners on a straight rim, that has
// none. Rims follow each other where their ends are within tol too.
func straight(pieces []rim, tol float64) []rim {
	slices.SortStableFunc(pieces, func(r, q rim) int { return cmp.Compare(r.a.x, q.a.x) })
	next, follows := make([]int, len(pieces)), make([]bool, len(pieces))
	for i := range pieces {
		r := &pieces[i]
		next[i] = -1
		from, _ := slices.BinarySearchFunc(pieces, r.b.x-tol, func(q rim, x float64) int { return cmp.Compare(q.a.x, x) })
		for j := from; j < len(pieces) && pieces[j].a.x <= r.b.x+tol; j++ {
			q := &pieces[j]
			if j != i && !follows[j] && math.Abs(q.a.y-r.b.y) <= tol && sameWay(r, q) && (&rim{r.a, q.b}).near(r.b, tol) {
				next[i], follows[j] = j, true
				break
			}
		}
	}
	var out []rim
	done := make([]bool, len(pieces))
	chain := func(i int) {
		from := i
		whole := pieces[i]
		for done[i] = true; next[i] >= 0 && !done[next[i]]; done[i] = true {
			longer := rim{whole.a, pieces[next[i]].b}
			for k, fits := from, true; fits && k != next[i]; k = next[k] {
				if fits = longer.near(pieces[k].b, tol); !fits {
					out = append(out, whole)
					from, longer.a = next[i], pieces[next[i]].a
				}
			}
			whole, i = longer, next[i]
		}
		out = append(out, whole)
	}
	for i := range pieces {
		if !follows[i] {
			chain(i)
		}
	}
	for i := range pieces { // rings
		if !done[i] {
			chain(i)
		}
	}
	return out
}
