package geometry

import (
	"container/heap"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// ballTol is the largest estimated error of the moments of a ball, as a share of those of the whole ball. The estimate
// has what parts inherit, so errors are far below it: at most 2e-6 over random heaps.
// Smaller: time. Larger: errors above 1e-5.
const ballTol = 1e-4

// addBall adds what ball k has beside the pieces before it, less what blocks after it hold in the same place, which
// are added whole.
//
// From a point of the ball, every piece is an interval of each ray. So the integrals along a ray are exact sums, and
// those over all directions are adaptive: triangles on the sphere, of which the one with the largest error is divided
// next.
func (u *union) addBall(k int) error {
	b := ballRays{radius: u.pieces[k].ball, density: u.pieces[k].density}
	at := u.pieces[k].centre
	for j := range u.pieces {
		q := &u.pieces[j]
		to := q.centre.Sub(at)
		switch {
		case j == k || !q.box.Overlaps(u.pieces[k].box) || q.ball > 0 && j > k:
		case q.ball > 0 && to.Norm()+b.radius <= q.ball:
			return nil
		case q.ball > 0 && to.Norm() < b.radius+q.ball:
			b.others = append(b.others, rayPiece{centre: to, ball: q.ball, before: true})
		case q.ball == 0:
			other := rayPiece{before: j < k, density: q.density}
			beyond := false
			for _, h := range q.planes {
				h.Offset += h.Normal.Dot(to)
				beyond = beyond || h.Offset <= -b.radius
				other.planes = append(other.planes, h)
			}
			if !beyond {
				b.others = append(b.others, other)
			}
		}
	}
	if len(b.others) == 0 {
		mass := float64(float64(4*math.Pi/3*b.density) * b.radius * b.radius * b.radius)
		second := float64(float64(mass/5) * b.radius * b.radius)
		u.parts = append(u.parts, unionPart{at: at, mass: mass, xx: second, yy: second, zz: second})
		return nil
	}
	b.choose()
	sum, ok := b.integrate()
	if !ok {
		return mark.Errorf(ErrTooLarge, "geometry: piece %d: its overlap with other pieces needs more than %d parts of directions, expected at most as many", k, maxFragments)
	}
	sum.at = at.Add(b.from)
	u.parts = append(u.parts, sum)
	return nil
}

// ballRays integrates along rays from a point of a ball. Positions are relative to its centre.
type ballRays struct {
	radius, density float64
	others          []rayPiece
	from            vec.Vec3 // the point, strictly inside

	ends []float64
	in   [][2]float64 // of each other piece: where a ray enters and leaves it
}

// rayPiece is another piece that reaches into the ball.
type rayPiece struct {
	centre  vec.Vec3
	ball    float64
	planes  []Plane
	before  bool // the place is that of the other piece
	density float64
}

// clearOfPlanes, times the radius, is how far from all planes the rays should begin. From a point in a plane, a ray
// turns from outside a block to inside at once, and many directions would be needed.
const clearOfPlanes = 0.125

// choose sets the point where rays begin: the centre, or that of some other points which is farthest from all planes.
func (b *ballRays) choose() {
	most := -1.0
	for _, d := range [...]vec.Vec3{{}, {X: 3, Y: 1, Z: 2}, {X: -2, Y: 3, Z: 1}, {X: 1, Y: -2, Z: 3}, {X: -3, Y: -1, Z: 2}, {X: 2, Y: 3, Z: -1}, {X: -1, Y: -2, Z: -3}, {X: 2, Y: -3, Z: -1}, {X: -1, Y: 2, Z: -3}} {
		at, least := d.Scale(b.radius/8), math.Inf(1)
		for i := range b.others {
			for _, h := range b.others[i].planes {
				least = min(least, math.Abs(h.Normal.Dot(at)-h.Offset))
			}
		}
		if least > most {
			most, b.from = least, at
		}
		if most >= clearOfPlanes*b.radius {
			return
		}
	}
}

// along returns the moments about the point of what lies in a direction, for each steradian.
func (b *ballRays) along(u vec.Vec3) (sum [10]float64) {
	_, far, _ := through(b.from.Neg(), b.radius, u)
	b.ends, b.in = append(b.ends[:0], 0, far), b.in[:0]
	for i := range b.others {
		o := &b.others[i]
		lo, hi, hit := 0.0, far, true
		if o.ball > 0 {
			lo, hi, hit = through(o.centre.Sub(b.from), o.ball, u)
		} else {
			for _, h := range o.planes {
				rate, room := h.Normal.Dot(u), h.Offset-h.Normal.Dot(b.from)
				switch {
				case rate > 0:
					hi = min(hi, room/rate)
				case rate < 0:
					lo = max(lo, room/rate)
				case room < 0:
					hi = 0
				}
			}
		}
		lo, hi = max(lo, 0), min(hi, far)
		if !hit || !(lo < hi) {
			lo, hi = 0, 0
		} else {
			b.ends = append(b.ends, lo, hi)
		}
		b.in = append(b.in, [2]float64{lo, hi})
	}
	slices.Sort(b.ends)
	for i := 1; i < len(b.ends); i++ {
		lo, hi := b.ends[i-1], b.ends[i]
		if w := b.weight(lo, hi); w != 0 && lo < hi {
			l2, h2 := float64(lo*lo), float64(hi*hi)
			m := float64(w * float64((float64(h2*hi)-float64(l2*lo))/3))
			f := float64(w * float64((float64(h2*h2)-float64(l2*l2))/4))
			s := float64(w * float64((float64(float64(h2*h2)*hi)-float64(float64(l2*l2)*lo))/5))
			for n, x := range [10]float64{m, f * u.X, f * u.Y, f * u.Z, s * u.X * u.X, s * u.Y * u.Y, s * u.Z * u.Z, s * u.X * u.Y, s * u.X * u.Z, s * u.Y * u.Z} {
				sum[n] += x
			}
		}
	}
	return sum
}

// weight returns the density that counts between two neighbouring ends on a ray, kg/m³.
func (b *ballRays) weight(lo, hi float64) float64 {
	w, taken := b.density, false
	for i := range b.others {
		if o := &b.others[i]; b.in[i][0] <= lo && hi <= b.in[i][1] {
			if o.before {
				return 0
			}
			if !taken { // of blocks after, the first one
				w, taken = w-o.density, true
			}
		}
	}
	return w
}

// through returns where a ray from the origin along the unit vector u enters and leaves a ball.
func through(centre vec.Vec3, radius float64, u vec.Vec3) (lo, hi float64, hit bool) {
	along := centre.Dot(u)
	across := centre.AddScaled(-along, u).Norm2()
	half := float64(radius*radius) - across
	if half <= 0 {
		return 0, 0, false
	}
	half = math.Sqrt(half)
	return along - half, along + half, true
}

// directions is a triangle on the unit sphere that is divided into four.
type directions struct {
	corners [3]vec.Vec3
	sum     [10]float64
	parts   [4][10]float64
	err     float64 // of sum, which is more than that of the parts
}

// integrate returns the moments about the point where rays begin. ok is false if the error stays above the tolerance.
func (b *ballRays) integrate() (p unionPart, ok bool) {
	var h byError
	rest := 0.0
	var start func(d directions, of float64, levels int)
	start = func(d directions, of float64, levels int) {
		if b.divide(&d, of); levels == 0 {
			h, rest = append(h, d), rest+d.err
			return
		}
		for i, corners := range quarters(&d.corners) {
			start(directions{corners: corners, sum: d.parts[i]}, d.err, levels-1)
		}
	}
	for _, s := range [8]vec.Vec3{{X: 1, Y: 1, Z: 1}, {X: -1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: 1}, {X: -1, Y: -1, Z: 1}, {X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: 1, Y: -1, Z: -1}, {X: -1, Y: -1, Z: -1}} {
		d := directions{corners: [3]vec.Vec3{{X: s.X}, {Y: s.Y}, {Z: s.Z}}}
		d.sum = b.over(&d.corners)
		start(d, 0, startLevels)
	}
	heap.Init(&h)
	for rest > ballTol {
		if len(h) > maxFragments {
			return p, false
		}
		worst := heap.Pop(&h).(directions)
		rest -= worst.err
		for i, corners := range quarters(&worst.corners) {
			d := directions{corners: corners, sum: worst.parts[i]}
			b.divide(&d, worst.err)
			rest += d.err
			heap.Push(&h, d)
		}
	}
	var sum [10]float64
	for i := range h {
		for _, part := range h[i].parts {
			for n, x := range part {
				sum[n] += x
			}
		}
	}
	return unionPart{
		mass: sum[0], first: vec.V(sum[1], sum[2], sum[3]), xx: sum[4], yy: sum[5], zz: sum[6], xy: sum[7], xz: sum[8], yz: sum[9],
	}, true
}

// inherited is the share of the error of a triangle that each of its parts has at least. The seven directions of a part
// may all miss a bend of the integrand in one of its corners, but not those of its neighbours.
// Smaller: bends are missed. Larger: time.
const inherited = 1.0 / 24

// startLevels is how often the eighths of all directions are divided whatever their errors.
// Smaller: bends are missed.
const startLevels = 3

// divide sets the parts of a triangle, and the error of its sum. of is the error of the triangle that it is a part of.
func (b *ballRays) divide(d *directions, of float64) {
	off := d.sum
	for i, corners := range quarters(&d.corners) {
		d.parts[i] = b.over(&corners)
		for n, x := range d.parts[i] {
			off[n] -= x
		}
	}
	whole := float64(4*math.Pi/3*b.density) * b.radius * b.radius * b.radius
	d.err = of * inherited
	for n, x := range off {
		switch {
		case n == 0:
			d.err = max(d.err, math.Abs(x/whole))
		case n < 4:
			d.err = max(d.err, math.Abs(x/whole)/b.radius)
		default:
			d.err = max(d.err, math.Abs(x/whole)/b.radius/b.radius*2.5) // of 2/5·m·r²
		}
	}
}

// over returns the integral over a triangle of directions by the rule of 7 points and degree 5.
func (b *ballRays) over(corners *[3]vec.Vec3) (sum [10]float64) {
	u, v, w := corners[0], corners[1], corners[2]
	area := math.Abs(u.Dot(v.Cross(w))) / 2
	add := func(a, c, e, weight float64) {
		x := u.Scale(a).AddScaled(c, v).AddScaled(e, w)
		r := x.Norm()
		weight = weight * area / (r * r * r)
		for n, m := range b.along(x.Scale(1 / r)) {
			sum[n] += float64(weight * m)
		}
	}
	add(1.0/3, 1.0/3, 1.0/3, 9.0/40)
	for _, s := range [2]float64{-1, 1} {
		root := float64(s * math.Sqrt(15))
		near := (6 + root) / 21
		far, weight := 1-float64(2*near), (155+root)/1200
		add(far, near, near, weight)
		add(near, far, near, weight)
		add(near, near, far, weight)
	}
	return sum
}

// quarters divides a triangle at the middles of its sides.
func quarters(c *[3]vec.Vec3) [4][3]vec.Vec3 {
	uv, vw, wu := c[0].Add(c[1]).Unit(), c[1].Add(c[2]).Unit(), c[2].Add(c[0]).Unit()
	return [4][3]vec.Vec3{{c[0], uv, wu}, {c[1], vw, uv}, {c[2], wu, vw}, {uv, vw, wu}}
}

// byError is a heap of triangles with the largest error first.
type byError []directions

func (h byError) Len() int           { return len(h) }
func (h byError) Less(i, k int) bool { return h[i].err > h[k].err }
func (h byError) Swap(i, k int)      { h[i], h[k] = h[k], h[i] }
func (h *byError) Push(x any)        { *h = append(*h, x.(directions)) }
func (h *byError) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
