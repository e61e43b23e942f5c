package coplanar

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// boxed is a convex polygon and its window.
type boxed struct {
	box     window
	polygon []point
}

// byBox returns polygons by the least x of their windows, and the width of the widest. upright
// exchanges x and y of the windows.
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

// overlapping counts the pairs of polygons that overlap by more than a seam, and stops at the
// first that is too many. there is all edges: a polygon whose edges all lie on those of
// neighbours is left out, as its edges are in what follows. Cost: a look at each pair that shares
// some x, or some y if polygons are narrower along that: about as many as there may be overlaps,
// but for pairs that share no more.
func (w *workload) overlapping(polygons [][]point, there map[segment]bool, seam float64) {
	loose := slices.DeleteFunc(slices.Clone(polygons), func(p []point) bool {
		for k := range p {
			if q := p[(k+1)%len(p)]; q != p[k] && !there[segment{q, p[k]}] {
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
	of := make([]int, len(all)) // overlaps of each
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

// tooMany refuses polygons of which some overlap so many others each.
func (w *workload) tooMany(all []boxed, of []int) {
	most := slices.Max(of)
	w.tangle = fmt.Sprintf("more than %d pairs of the wall's facets overlap, %d of these with the facet there", w.mostOverlaps, most)
	b := boxOf(all[slices.Index(of, most)].polygon)
	w.at, w.found = point{0.5 * (b.lo.x + b.hi.x), 0.5 * (b.lo.y + b.hi.y)}, true
}

// separated reports whether a side of the first convex polygon parts it from the second, but for an
// overlap of tol, or up to √2 as much where the side is slanted: roots would be most of the work.
func separated(p, q []point, tol float64) bool {
	last := p[len(p)-1]
	for _, v := range p {
		side := segment{last, v}
		last = v
		if side.a == side.b {
			continue
		}
		room := float64(tol * (math.Abs(side.b.x-side.a.x) + math.Abs(side.b.y-side.a.y)))
		out := true
		for k := 0; out && k < len(q); k++ {
			out = side.cross(q[k]) <= room
		}
		if out {
			return true
		}
	}
	return false
}
