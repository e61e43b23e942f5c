package coplanar

import (
	"cmp"
	"math"
	"slices"
)

// overlaid adds the parts of edges inside polygons to covered. edges must be sorted by least x.
func overlaid(covered []coverage, edges []segment, polygons [][]point, tol float64, work *workload) {
	all, widest := byBox(polygons, false)
	for i := range edges {
		r := &edges[i]
		box := window{r.a, r.a}.with(r.b).enlarged(tol)
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
		if !work.count(looks) {
			return
		}
	}
}

// within returns the part of an edge inside a convex polygon, m along the edge, and whether there
// is one. An edge along a side of the polygon counts as inside if the edge's own polygon is on the
// other side.
func within(r *segment, polygon []point, tol float64) (part [2]float64, ok bool) {
	for q := range sides(polygon) {
		if sameWay(r, &q) && aligned(r, &q, tol) {
			return part, false
		}
	}
	from, to := r.through(polygon, 0, tol)
	length := away(r.a, r.b)
	return [2]float64{float64(from * length), float64(to * length)}, from < to
}

// straight joins successive boundary edges that lie on one line within tol, so that corners of
// facets on a straight boundary disappear. An edge follows another if its start is within tol of
// the other's end and is the nearest such start.
func straight(pieces []segment, tol float64, work *workload) []segment {
	slices.SortStableFunc(pieces, func(r, q segment) int { return cmp.Compare(r.a.x, q.a.x) })
	next, follows := make([]int, len(pieces)), make([]bool, len(pieces))
	for i := range pieces {
		r := &pieces[i]
		next[i] = -1
		from, _ := slices.BinarySearchFunc(pieces, r.b.x-tol, func(q segment, x float64) int { return cmp.Compare(q.a.x, x) })
		for j := from; j < len(pieces) && pieces[j].a.x <= r.b.x+tol && work.count(1); j++ {
			q := &pieces[j]
			if j != i && !follows[j] && math.Abs(q.a.y-r.b.y) <= tol && sameWay(r, q) && (&segment{r.a, q.b}).near(r.b, tol) &&
				(next[i] < 0 || away(q.a, r.b) < away(pieces[next[i]].a, r.b)) {
				next[i] = j
			}
		}
		if next[i] >= 0 {
			follows[next[i]] = true
		}
	}
	var out []segment
	done := make([]bool, len(pieces))
	chain := func(i int) {
		from := i
		whole := pieces[i]
		for done[i] = true; next[i] >= 0 && !done[next[i]]; done[i] = true {
			longer := segment{whole.a, pieces[next[i]].b}
			for k, fits := from, true; fits && k != next[i] && work.count(1); k = next[k] {
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
	for i := range pieces { // closed chains
		if !done[i] {
			chain(i)
		}
	}
	return out
}
