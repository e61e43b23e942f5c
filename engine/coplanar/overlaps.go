package coplanar

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// boxed is a convex polygon and its bounding window.
type boxed struct {
	box     window
	polygon []point
}

// byBox returns polygons sorted by the least x of their windows, and the width of the widest
// window. If upright is set, x and y of the windows are exchanged.
func byBox(polygons [][]point, upright bool) (all []boxed, widest float64) {
	all = make([]boxed, len(polygons))
	for i, p := range polygons {
		all[i] = boxed{boxOf(p), p}
		if b := &all[i].box; upright {
			*b = window{point{b.lo.y, b.lo.x}, point{b.hi.y, b.hi.x}}
		}
		widest = max(widest, all[i].box.hi.x-all[i].box.lo.x)
	}
	slices.SortStableFunc(all, func(p, q boxed) int { return cmp.Compare(p.box.lo.x, q.box.lo.x) })
	return all, widest
}

// overlapping counts the pairs of polygons that overlap by more than a seam, and stops at the first
// pair above the bound. there holds all edges. A polygon is skipped if each of its edges coincides
// with an edge of a neighbour, because later stages handle its edges. Cost: a comparison for each
// pair that shares some x, or some y if polygons are narrower in y. Apart from pairs that share
// nothing else, that is about the number of possible overlaps.
func (w *workload) overlapping(polygons [][]point, there map[segment]bool, seam float64) {
	loose := slices.DeleteFunc(slices.Clone(polygons), func(p []point) bool {
		for side := range sides(p) {
			if !there[segment{side.b, side.a}] {
				return false
			}
		}
		return true
	})
	wide := point{}
	for _, p := range loose {
		b := boxOf(p)
		wide = point{wide.x + b.hi.x - b.lo.x, wide.y + b.hi.y - b.lo.y}
	}
	all, _ := byBox(loose, wide.y < wide.x)
	of := make([]int, len(all)) // number of overlaps of each polygon
	for i := range all {
		p := &all[i]
		looks := int64(0)
		for j := i + 1; j < len(all) && all[j].box.lo.x < p.box.hi.x-seam; j++ {
			q := &all[j]
			looks++
			if q.box.hi.y-seam <= p.box.lo.y || p.box.hi.y-seam <= q.box.lo.y {
				continue
			}
			if separated(p.polygon, q.polygon, seam) || separated(q.polygon, p.polygon, seam) {
				continue
			}
			of[i], of[j] = of[i]+1, of[j]+1
			if w.overlaps++; w.overlaps > w.mostOverlaps {
				w.paired += looks
				w.tooMany(all, of)
				return
			}
		}
		if w.paired += looks; w.paired > w.most {
			w.tangle = fmt.Sprintf("whether they overlap takes more than %d comparisons", w.most)
			return
		}
	}
}

// tooMany records the refusal of polygons that overlap too often. of is the number of overlaps of
// each polygon.
func (w *workload) tooMany(all []boxed, of []int) {
	most := slices.Max(of)
	w.tangle = fmt.Sprintf("more than %d pairs of the wall's facets overlap, %d of these with the facet there", w.mostOverlaps, most)
	b := boxOf(all[slices.Index(of, most)].polygon)
	w.at, w.found = point{0.5 * (b.lo.x + b.hi.x), 0.5 * (b.lo.y + b.hi.y)}, true
}

// separated reports whether a side of convex polygon p separates p from q, except for an overlap of
// tol. For slanted sides the overlap may be up to √2 times tol; an exact test would spend most of
// its time on square roots.
func separated(p, q []point, tol float64) bool {
	for side := range sides(p) {
		slack := float64(tol * (math.Abs(side.b.x-side.a.x) + math.Abs(side.b.y-side.a.y)))
		if !slices.ContainsFunc(q, func(v point) bool { return !(side.cross(v) <= slack) }) {
			return true
		}
	}
	return false
}
