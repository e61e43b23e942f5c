package vec

import "math"

// Ring is a convex polygon of the plane from which half-planes are cut, one after the other
// (Sutherland and Hodgman 1974). Its corners are linked, so that a cut costs what it takes off
// and the way to its place from that of the cut before. A polygon of n corners that is cut along
// the m sides of a convex one in their order costs n + m.
//
// The result has the corners, the order and the bits of the plain loop that asks every corner for
// every cut. The loop is what the callers run for polygons of few sides, and what the tests
// compare with. The zero value is empty. Corners must be finite.
type Ring struct {
	// Mixed says which loop it is: of two corners with one to the right of the cut and one on it
	// or to the left, it makes a corner of the crossing, and begins with one on the side from the
	// last to the first. Otherwise, only sides with corners strictly to the right and to the left
	// are crossed, and a crossing comes after the corner that its side begins with.
	Mixed bool

	x, y       []float64
	next, prev []int32
	head, low  int32 // the first corner; the one farthest to the right of the last cut
	n          int
	size       float64 // the largest coordinate
	path       []int32 // corners next to a cut
	side       []float64
	asked      int // heights over a line since Reset
}

// ringTol is how far, in units of the largest coordinate times the length of the line, rounding
// may let a corner of a convex polygon seem to lie from where the others leave room for it. A
// coordinate that a cut makes is off by two roundings, 2⁻⁵², a polygon is cut no more than 2¹⁴
// times, and the height over a line has 2⁻⁵⁰. Smaller: a corner to the right of a line may be
// overlooked. Larger: corners are asked needlessly.
const ringTol = 0x1p-37

// Reset empties the ring.
func (r *Ring) Reset() {
	r.x, r.y, r.next, r.prev = r.x[:0], r.y[:0], r.next[:0], r.prev[:0]
	r.head, r.low, r.n, r.size, r.asked = 0, 0, 0, 0, 0
}

// Add appends a corner, counter-clockwise. It must not follow a cut.
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

// First returns the place of the first corner, and Next that of the one after a place, for Len
// corners.
func (r *Ring) First() int32 { return r.head }

// Next returns the place of the corner after one.
func (r *Ring) Next(k int32) int32 { return r.next[k] }

// At returns the corner at a place.
func (r *Ring) At(k int32) (x, y float64) { return r.x[k], r.y[k] }

// Cut takes off what lies to the right of the line through (ax, ay) along (dx, dy).
func (r *Ring) Cut(ax, ay, dx, dy float64) {
	if r.n == 0 {
		return
	}
	left := func(k int32) float64 {
		r.asked++
		return float64(dx*(r.y[k]-ay)) - float64(dy*(r.x[k]-ax))
	}
	slack := float64(ringTol*max(r.size, math.Abs(ax), math.Abs(ay))) * (math.Abs(dx) + math.Abs(dy))
	best := r.lowest(left, slack)
	if best > slack {
		return // All are to the left.
	}
	// The corners up to slack around the lowest, and one more on either side.
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

// lowest moves low to the corner farthest to the right and returns its height: from where it was,
// both ways, until corners lie higher than the lowest by more than rounding. Around a convex
// polygon heights fall once and rise once.
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

// cross makes corners of the crossings of the sides along path with the line, and takes off the
// corners to the right of it.
func (r *Ring) cross() {
	head, made := r.head, int32(-1) // made: on the side that ends at the first corner
	for i, q := range r.path[1:] {
		p, dp, dq := r.path[i], r.side[i], r.side[i+1]
		crosses := dp > 0 && dq < 0 || dp < 0 && dq > 0
		if r.Mixed {
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
	if r.Mixed && made >= 0 {
		head = made
	}
	gone := len(r.path)
	if r.path[gone-1] == r.path[0] {
		gone-- // all around
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
	// What is taken off still knows what came after it, and that in turn.
	off := func(k int32) bool { return r.next[r.prev[k]] != k }
	for off(head) {
		head = r.next[head]
	}
	for off(r.low) {
		r.low = r.next[r.low]
	}
	r.head = head
}

// insert adds a corner after another one.
func (r *Ring) insert(after int32, x, y float64) int32 {
	k, to := int32(len(r.x)), r.next[after]
	r.x, r.y = append(r.x, x), append(r.y, y)
	r.next, r.prev = append(r.next, to), append(r.prev, after)
	r.next[after], r.prev[to] = k, k
	r.n++
	return k
}
