package vec

import "math"

// Ring is a convex polygon in the plane that is cut by half-planes, one after the other (Sutherland
// and Hodgman 1974). Its corners are in a linked list. So the cost of a cut is the number of
// corners removed plus the number of corners between this cut and the previous one. If a polygon of
// n corners is cut along the m sides of a convex polygon in their order, the total cost is n + m.
//
// The result has the same corners, order and bits as the plain loop that evaluates every corner for
// every cut. Callers use the plain loop for polygons with few sides, and the tests compare with it.
// The zero value is an empty polygon. Corners must be finite.
type Ring struct {
	// CrossOnLine selects between two variants of the plain loop. If CrossOnLine is true, a side is
	// crossed if exactly one of its ends is strictly to the right of the cut. If the side from the
	// last to the first corner is crossed, the crossing becomes the first corner. If CrossOnLine is
	// false, a side is crossed only if one end is strictly to the right and the other strictly to
	// the left. The crossing then follows the corner at which its side begins.
	CrossOnLine bool

	x, y       []float64
	next, prev []int32
	head, low  int32 // the first corner; the corner farthest to the right of the last cut
	n          int
	size       float64 // the largest absolute coordinate
	path       []int32 // corners near the current cut
	side       []float64
	heights    int // number of heights computed since Reset
}

// ringTol bounds how far rounding may make a corner of a convex polygon deviate from convexity. The
// unit is the largest coordinate times the length of the line. A coordinate made by a cut is off by
// two roundings, 2⁻⁵². A polygon is cut at most 2¹⁴ times, and the height above a line has an error
// of 2⁻⁵⁰. If ringTol is smaller, a corner to the right of a line might be overlooked. If it is
// larger, corners are evaluated needlessly.
// Smaller: a corner right of a cut may be overlooked. Larger: corners are tested needlessly.
const ringTol = 0x1p-37

// Reset empties the ring.
func (r *Ring) Reset() {
	r.x, r.y, r.next, r.prev = r.x[:0], r.y[:0], r.next[:0], r.prev[:0]
	r.head, r.low, r.n, r.size, r.heights = 0, 0, 0, 0, 0
}

// Add appends a corner. Corners must be counter-clockwise. Add must not follow a Cut.
func (r *Ring) Add(x, y float64) {
	k := int32(len(r.x))
	r.x, r.y = append(r.x, x), append(r.y, y)
	r.next, r.prev = append(r.next, 0), append(r.prev, k-1)
	r.prev[0] = k
	if k > 0 {
		r.next[k-1] = k
	}
	r.n++
	r.size = max(r.size, math.Abs(x), math.Abs(y))
}

// Len returns the number of corners.
func (r *Ring) Len() int { return r.n }

// First returns the place of the first corner. The corners are the Len places from First on, by
// Next.
func (r *Ring) First() int32 { return r.head }

// Next returns the place of the corner after the one at place k.
func (r *Ring) Next(k int32) int32 { return r.next[k] }

// At returns the corner at place k.
func (r *Ring) At(k int32) (x, y float64) { return r.x[k], r.y[k] }

// Cut removes the part of the polygon to the right of the line through (ax, ay) along (dx, dy).
func (r *Ring) Cut(ax, ay, dx, dy float64) {
	if r.n == 0 {
		return
	}
	left := func(k int32) float64 {
		r.heights++
		return float64(dx*(r.y[k]-ay)) - float64(dy*(r.x[k]-ax))
	}
	slack := float64(ringTol*max(r.size, math.Abs(ax), math.Abs(ay))) * (math.Abs(dx) + math.Abs(dy))
	best := r.lowest(left, slack)
	if best > slack {
		return // All corners are to the left.
	}
	// The corners around the lowest with heights up to slack, and one more on either side.
	first, count := r.low, 1
	for ; count < r.n && left(r.prev[first]) <= slack; count++ {
		first = r.prev[first]
	}
	last := r.low
	for ; count < r.n && left(r.next[last]) <= slack; count++ {
		last = r.next[last]
	}
	if count < r.n {
		first = r.prev[first]
		count += 2
	} else {
		first = r.head
		count++ // back to the first
	}
	r.path, r.side = r.path[:0], r.side[:0]
	for k := first; len(r.path) < count; k = r.next[k] {
		r.path, r.side = append(r.path, k), append(r.side, left(k))
	}
	r.cross()
}

// lowest sets low to the corner farthest to the right and returns its height above the line. It
// searches from the previous low in both directions, until a corner is higher than the lowest by
// more than rounding. Around a convex polygon, heights decrease once and increase once.
func (r *Ring) lowest(left func(int32) float64, slack float64) float64 {
	from, best := r.low, left(r.low)
	for _, after := range [2][]int32{r.next, r.prev} {
		k := from
		for range r.n - 1 {
			k = after[k]
			h := left(k)
			if h > best+2*slack {
				break
			}
			if h < best {
				best, r.low = h, k
			}
		}
	}
	return best
}

// cross inserts the crossings of the sides along path with the line, and removes the corners to the
// right of it.
func (r *Ring) cross() {
	head, made := r.head, int32(-1) // made: the crossing on the side that ends at the first corner
	for i, q := range r.path[1:] {
		p, dp, dq := r.path[i], r.side[i], r.side[i+1]
		crosses := dp > 0 && dq < 0 || dp < 0 && dq > 0
		if r.CrossOnLine {
			crosses = dp < 0 != (dq < 0)
		}
		if !crosses {
			continue
		}
		t := dp / (dp - dq)
		k := r.insert(p, r.x[p]+float64(t*(r.x[q]-r.x[p])), r.y[p]+float64(t*(r.y[q]-r.y[p])))
		if q == head {
			made = k
		}
	}
	if r.CrossOnLine && made >= 0 {
		head = made
	}
	gone := len(r.path)
	if r.path[gone-1] == r.path[0] {
		gone-- // path goes all around
	}
	before := r.n
	for i, k := range r.path[:gone] {
		if r.side[i] < 0 {
			r.next[r.prev[k]], r.prev[r.next[k]] = r.next[k], r.prev[k]
			r.n--
		}
	}
	if r.n == before {
		r.head = head
		return
	}
	if r.n == 0 {
		return
	}
	// A removed corner still has its next corner, which may also be removed.
	off := func(k int32) bool { return r.next[r.prev[k]] != k }
	for off(head) {
		head = r.next[head]
	}
	for off(r.low) {
		r.low = r.next[r.low]
	}
	r.head = head
}

// insert adds a corner after the corner at place after, and returns its place.
func (r *Ring) insert(after int32, x, y float64) int32 {
	k, to := int32(len(r.x)), r.next[after]
	r.x, r.y = append(r.x, x), append(r.y, y)
	r.next, r.prev = append(r.next, to), append(r.prev, after)
	r.next[after], r.prev[to] = k, k
	r.n++
	return k
}
