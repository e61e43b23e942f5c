package engine

import (
	"cmp"
	"math"
	"slices"
)

// overlaid adds to what is covered of edges, which are by least x, what lies within polygons.
func overlaid(covered []spans, edges []rim, polygons [][]flat, tol float64, work *rimWork) {
	all, widest := byBox(polygons, false)
	for i := range edges {
		r := &edges[i]
		box := window{r.a, r.a}.with(r.b)
		box = window{flat{box.lo.x - tol, box.lo.y - tol}, flat{box.hi.x + tol, box.hi.y + tol}}
		from, _ := slices.BinarySearchFunc(all, box.lo.x-widest, func(p boxed, x float64) int { return cmp.Compare(p.box.lo.x, x) })
		length := away(r.a, r.b)
		looks := int64(0)
		for k := from; k < len(all) && all[k].box.lo.x <= box.hi.x && !covered[i].full; k++ {
			p := &all[k]
			looks++
			if p.box.hi.x < box.lo.x || p.box.hi.y < box.lo.y || p.box.lo.y > box.hi.y {
				continue
			}
			looks += withinLooks
			if part, ok := within(r, p.polygon, tol); ok {
				covered[i].add(part, length, tol)
			}
		}
		if !work.look(looks) {
			return
		}
	}
}

// within returns what of an edge lies within a convex polygon, from and to, m along it, and whether that is anything. An
// edge along one of the polygon's own is within it if its polygon is on the other side.
func within(r *rim, polygon []flat, tol float64) (part [2]float64, ok bool) {
	last := polygon[len(polygon)-1]
	for _, p := range polygon {
		if q := (rim{last, p}); q.a != q.b && sameWay(r, &q) && aligned(r, &q, tol) {
			return part, false
		}
		last = p
	}
	from, to := r.through(polygon, 0, tol)
	length := away(r.a, r.b)
	return [2]float64{float64(from * length), float64(to * length)}, from < to
}

// through returns from where to where, as shares of it, a rim is within a convex polygon, off its sides by more than margin, or along
// one of these, within tol; to is not above from where it is not.
func (r *rim) through(polygon []flat, margin, tol float64) (from, to float64) {
	if len(polygon) == 0 {
		return 0, 0
	}
	to = 1
	last := polygon[len(polygon)-1]
	for _, p := range polygon {
		q := rim{last, p}
		last = p
		if q.a == q.b {
			continue
		}
		a, b := q.left(r.a)-margin, q.left(r.b)-margin
		switch {
		case a >= -tol && b >= -tol:
		case a <= 0 && b <= 0:
			return 0, 0
		case a < 0:
			from = max(from, a/(a-b))
		case b < 0:
			to = min(to, a/(a-b))
		}
	}
	return from, to
}

// straight joins rims that follow each other in one line, within tol: where facets have corners on a straight rim, that has
// none. Rims follow each other where their ends are within tol too, the nearest.
func straight(pieces []rim, tol float64, work *rimWork) []rim {
	slices.SortStableFunc(pieces, func(r, q rim) int { return cmp.Compare(r.a.x, q.a.x) })
	next, follows := make([]int, len(pieces)), make([]bool, len(pieces))
	for i := range pieces {
		r := &pieces[i]
		next[i] = -1
		from, _ := slices.BinarySearchFunc(pieces, r.b.x-tol, func(q rim, x float64) int { return cmp.Compare(q.a.x, x) })
		for j := from; j < len(pieces) && pieces[j].a.x <= r.b.x+tol && work.look(1); j++ {
			q := &pieces[j]
			if j != i && !follows[j] && math.Abs(q.a.y-r.b.y) <= tol && sameWay(r, q) && (&rim{r.a, q.b}).near(r.b, tol) &&
				(next[i] < 0 || away(q.a, r.b) < away(pieces[next[i]].a, r.b)) {
				next[i] = j
			}
		}
		if next[i] >= 0 {
			follows[next[i]] = true
		}
	}
	var out []rim
	done := make([]bool, len(pieces))
	chain := func(i int) {
		from := i
		whole := pieces[i]
		for done[i] = true; next[i] >= 0 && !done[next[i]]; done[i] = true {
			longer := rim{whole.a, pieces[next[i]].b}
			for k, fits := from, true; fits && k != next[i] && work.look(1); k = next[k] {
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
