package coplanar

import (
	"cmp"
	"math"
	"slices"
)

// stretch is a part of a boundary edge, and the index of this edge.
type stretch struct {
	segment
	of uint32
}

// stretchesOf cuts boundary edges into stretches, sorted by least x. No stretch is longer in x than
// the width of all edges divided by the square root of their number. A search by x therefore
// examines few stretches that lie elsewhere, even for a sieve of a thousand holes with four long
// sides.
func stretchesOf(whole []segment) (parts []stretch, longest float64) {
	if len(whole) == 0 {
		return nil, 0
	}
	first, last := math.Inf(1), math.Inf(-1)
	for i := range whole {
		first, last = min(first, whole[i].lowest()), max(last, whole[i].a.x, whole[i].b.x)
	}
	most := (last - first) / math.Sqrt(float64(len(whole)))
	for i, r := range whole {
		n := max(int(math.Ceil(math.Abs(r.b.x-r.a.x)/most)), 1)
		from := r.a
		for k := 1; k <= n; k++ {
			to := r.b
			if k < n {
				to = r.at(float64(k) / float64(n))
			}
			parts = append(parts, stretch{segment{from, to}, uint32(i)})
			longest = max(longest, math.Abs(to.x-from.x))
			from = to
		}
	}
	slices.SortStableFunc(parts, func(p, q stretch) int { return byLowest(p.segment, q.segment) })
	return parts, longest
}

// findEdges finds the boundary edges of the present group that reach into a window, in their order,
// and their parts in the window.
func (c *WallFinder) findEdges(v window) {
	c.window, c.which, c.whole, c.inside = v, c.which[:0], c.whole[:0], c.inside[:0]
	for _, p := range c.group.between(v.lo.x, v.hi.x) {
		if _, ok := v.clip(p.segment); ok {
			c.which = append(c.which, p.of)
		}
	}
	slices.Sort(c.which)
	for _, i := range slices.Compact(c.which) {
		if in, ok := v.clip(c.group.edges[i]); ok {
			c.whole, c.inside = append(c.whole, c.group.edges[i]), append(c.inside, in)
		}
	}
}

// between returns all stretches that reach into a range of x, and possibly others.
func (s *Group) between(low, high float64) []stretch {
	byX := func(p stretch, x float64) int { return cmp.Compare(p.lowest(), x) }
	from, _ := slices.BinarySearchFunc(s.border, low-s.longest, byX)
	n, _ := slices.BinarySearchFunc(s.border[from:], math.Nextafter(high, math.Inf(1)), byX)
	return s.border[from : from+n]
}
