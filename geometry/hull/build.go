package hull

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// none marks the end of a list and missing elements.
const none = int32(-1)

// triangle is a face of the hull under construction: 104 bytes.
type triangle struct {
	v    [3]int32 // counter-clockwise seen from outside
	next [3]int32 // neighbour across the edge from v[i] to v[i+1]
	n    vec.Vec3 // (v1-v0)×(v2-v0), not unit
	// certain is an error bound: if |n·(p-v0)| > certain, its sign is the exact side of the point
	// p.
	certain float64
	// outside is the first point outside this face, as a list through builder.link; farthest is the
	// point of that list to add next.
	outside  int32
	farthest int32
	height   float64 // n·(p-v0) of farthest
	dead     bool
}

type builder struct {
	pts   []vec.Vec3
	reach vec.Vec3 // sides of the box: they bound |p-v0| by component
	tris  []triangle
	link  []int32 // of each point: the next point in the list of its face
	fan   []int32 // of each vertex: the new triangle whose horizon edge starts there
	mark  []int32 // of each triangle: the round in which it was found visible
}

// build returns the triangles of the exact convex hull, and among them dead ones, which are no part of it.
//
// A point sees a triangle only if it lies strictly outside the triangle's plane. So a point in the
// plane counts as if it were slightly farther inwards. A point added later counts as farther
// inwards than all earlier points. This is a consistent perturbation that never changes a strict
// sign. So the region that a new point sees is always a disc, and the region's border is one cycle.
// No new triangle is degenerate, even if points are coplanar, collinear or cocircular. The result
// triangulates the surface of the true hull. Some of its vertices may lie inside a face or an edge;
// facets removes them.
func (c *cloud) build() ([]triangle, error) {
	s, err := c.simplex()
	if err != nil {
		return nil, err
	}
	b := &builder{pts: c.pts, reach: c.box.Size(), link: make([]int32, len(c.pts)), fan: slices.Repeat([]int32{none}, len(c.pts))}
	b.start(s)
	var stack, visible, fresh []int32
	// A triangle's points wait until the loop reaches the triangle. New triangles are appended, and
	// each step adds a point, so the loop ends.
	for f := 0; f < len(b.tris); f++ {
		if b.tris[f].dead || b.tris[f].outside == none {
			continue
		}
		p := b.tris[f].farthest
		stack, visible = b.see(int32(f), p, stack[:0], visible[:0])
		if fresh, err = b.cone(p, visible, fresh[:0]); err != nil {
			return nil, err
		}
		for _, g := range visible {
			for q := b.tris[g].outside; q != none; {
				after := b.link[q]
				if q != p {
					b.assign(q, fresh)
				}
				q = after
			}
		}
	}
	return b.tris, nil
}

// start makes the first tetrahedron and assigns all points to its faces.
func (b *builder) start(s [4]int32) {
	a, p, q, d := s[0], s[1], s[2], s[3]
	b.add(a, p, q, [3]int32{1, 2, 3})
	b.add(p, a, d, [3]int32{0, 3, 2})
	b.add(q, p, d, [3]int32{0, 1, 3})
	b.add(a, q, d, [3]int32{0, 2, 1})
	all := []int32{0, 1, 2, 3}
	for i := range b.pts {
		if q := int32(i); q != s[0] && q != s[1] && q != s[2] && q != s[3] {
			b.assign(q, all)
		}
	}
}

// add appends the triangle u, v, w and returns its number.
func (b *builder) add(u, v, w int32, next [3]int32) int32 {
	a := b.pts[u]
	e, f := b.pts[v].Sub(a), b.pts[w].Sub(a)
	t := triangle{v: [3]int32{u, v, w}, next: next, n: e.Cross(f), outside: none, farthest: none}
	// This is the filter of vec.Orient3D, with the permanent bounded by the size of the box: 9
	// roundings of 2^-53, plus the effect of underflow.
	x := math.Abs(float64(e.Y*f.Z)) + math.Abs(float64(e.Z*f.Y))
	y := math.Abs(float64(e.Z*f.X)) + math.Abs(float64(e.X*f.Z))
	z := math.Abs(float64(e.X*f.Y)) + math.Abs(float64(e.Y*f.X))
	t.certain = float64(10*0x1p-53*vec.V(x, y, z).Dot(b.reach)) + 0x1p-1060
	b.tris = append(b.tris, t)
	b.mark = append(b.mark, none)
	return int32(len(b.tris) - 1)
}

// side returns the exact sign of p relative to the triangle's plane, and the height of p as
// float64. Only the sign is exact; it may differ from that of the height.
func (b *builder) side(t *triangle, p int32) (int, float64) {
	h := t.n.Dot(b.pts[p].Sub(b.pts[t.v[0]]))
	if h > t.certain {
		return 1, h
	}
	if h < -t.certain {
		return -1, h
	}
	return vec.Orient3D(b.pts[t.v[0]], b.pts[t.v[1]], b.pts[t.v[2]], b.pts[p]), h
}

// assign puts q into the list of the first triangle that q sees, if any. A point outside the new
// hull that saw a removed triangle sees a new one: across the horizon, a new normal is a positive
// combination of a removed and a kept normal.
func (b *builder) assign(q int32, among []int32) {
	for _, f := range among {
		t := &b.tris[f]
		s, h := b.side(t, q)
		if s <= 0 {
			continue
		}
		b.link[q] = t.outside
		t.outside = q
		if t.farthest == none || h > t.height || h == t.height && q < t.farthest {
			t.farthest, t.height = q, h
		}
		return
	}
}

// see collects the triangles that p sees, starting from f. These triangles are connected.
func (b *builder) see(f, p int32, stack, visible []int32) (s, v []int32) {
	round := p
	stack = append(stack, f)
	b.mark[f] = round
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visible = append(visible, g)
		for _, k := range b.tris[g].next {
			if b.mark[k] == round {
				continue
			}
			if s, _ := b.side(&b.tris[k], p); s > 0 {
				b.mark[k] = round
				stack = append(stack, k)
			}
		}
	}
	return stack, visible
}

// cone replaces the visible triangles by triangles that join p to the border of the visible region.
// It returns the new triangles.
func (b *builder) cone(p int32, visible, fresh []int32) ([]int32, error) {
	for _, g := range visible {
		t := b.tris[g]
		for i, k := range t.next {
			if b.mark[k] == p {
				continue
			}
			u, v := t.v[i], t.v[(i+1)%3]
			n := b.add(u, v, p, [3]int32{k, none, none})
			if b.fan[u] != none {
				return nil, fmt.Errorf("hull: border seen from point %d meets itself: %w", p, errBroken)
			}
			b.fan[u] = n
			for j, back := range b.tris[k].next {
				if back == g && b.tris[k].v[j] == v {
					b.tris[k].next[j] = n
				}
			}
			fresh = append(fresh, n)
		}
		b.tris[g].dead = true
	}
	for _, n := range fresh {
		after := b.fan[b.tris[n].v[1]]
		if after == none {
			return nil, fmt.Errorf("hull: border seen from point %d is open: %w", p, errBroken)
		}
		b.tris[n].next[1] = after
		b.tris[after].next[2] = n
	}
	for _, n := range fresh {
		b.fan[b.tris[n].v[0]] = none
	}
	return fresh, nil
}
