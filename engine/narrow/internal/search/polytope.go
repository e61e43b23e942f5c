package search

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// polytope is EPA's closed triangulated surface inside K. Its corners are vertices of K; it is convex up
// to visibleTol.
type polytope struct {
	Corners []facets.Corner
	Tris    []Triangle
	Heap    []open // open triangles, least key first
	horizon []rim
	stack   []int32
	From    []int32 // by corner: the new triangle whose rim edge starts there
	done    []int32 // triangles that no support moves

	nearTris []nearTriangle
	TooFar   float64 // triangles whose plane is farther than this are not opened: see expand
	exact    bool    // exact arithmetic decides what a point sees, where rounding might matter
}

// Triangle is a face of the polytope, 104 bytes.
type Triangle struct {
	N     vec.Vec3 // unit, outward
	D     float64  // n·p = d
	dir   vec.Vec3 // unit: where the next support is sought
	Key   float64  // lower bound of the distance of its points from the origin; negative: origin beyond
	blur  float64  // where exact: how near to the plane a point has to be for rounding to matter
	V     [3]uint16
	Gone  bool
	apex  uint8    // the corner between the two shorter edges
	Bound bool     // key is the distance of the plane, which the triangle itself may exceed: see FindNearest
	thin  bool     // which side is the outer one is rounding
	Other [3]int32 // the triangle across the edge from v[i] to v[i+1]
}

// open is a triangle on the heap. Its key stands beside it, so that ordering the heap loads no triangle.
type open struct {
	key float64
	t   int32
}

// rim is an edge between what a new corner sees and what it does not.
type rim struct {
	a, b   uint16
	beyond int32 // the triangle it does not see
	edge   int   // and which of its edges this is
}

const (
	// maxCorners caps the polytope. Ellipsoids of 1000 vertices, nearly balls, need up to 900 where their centres meet: a millisecond, of
	// which the exhaustive search takes forty.
	maxCorners = 4096
)

// addTriangle appends the triangle of three corners. Its neighbours are the caller's.
func (s *Finder) addTriangle(a, b, c uint16) {
	s.Tris = append(s.Tris, Triangle{})
	s.setTriangle(int32(len(s.Tris)-1), a, b, c)
}

// setTriangle makes triangle i that of three corners, turning counter-clockwise seen from outside, and puts it on the heap unless its
// plane is too far. It is filled in place: a copy would wait for its parts.
func (s *Finder) setTriangle(i int32, a, b, c uint16) {
	t := &s.Tris[i]
	t.V, t.Gone = [3]uint16{a, b, c}, false
	if s.Measure(t); !(t.D > s.TooFar) {
		s.push(t.Key, i)
	}
}

// Measure computes the plane, and from it a first key and direction.
//
// The key is the distance of the triangle, not of its plane: that is no more sensitive to an error
// of the corners than the corners are, however thin the triangle; planes of slivers are not. A surface
// around the origin none of whose triangles is nearer than r holds the ball of radius r, convex or not, so the
// least key is a proven lower bound of the depth. Most triangles are never the nearest: pop alone needs more than the distance of the
// plane, see FindNearest.
func (s *Finder) Measure(t *Triangle) {
	t.apex = s.apexOf(t)
	p, q, r := s.fromApex(t)
	n := refinedNormal(p, q, r)
	longest := r.Sub(q).Norm2()
	area := n.Norm()
	if s.exact {
		t.blur = blurOf(q.Sub(p), r.Sub(p), area, s.Tol.Visible)
	}
	t.thin = false
	// Where the square leaves no doubt, no root is taken.
	if thin := s.Tol.Thin; !(float64(area*area) > float64(4*thin*thin)*longest) {
		if side := math.Sqrt(longest); !(area/side > thin) {
			// Corners that differ from those of K by rounding change the distance by no more, however
			// thin the triangle; a normal that errs changes it at once. In twofold precision it is
			// right to 2⁻⁵⁶ down to a height of RoundTol.
			n = pair.CrossOfDifferences(p, q, p, r)
			area, t.thin = n.Norm(), true
			if height := area / side; !(height > s.Tol.Round) {
				s.measureLine(t, n, q, r, height)
				return
			}
		}
	}
	t.N.X, t.N.Y, t.N.Z = n.X/area, n.Y/area, n.Z/area
	t.D = t.N.Dot(p)
	t.dir, t.Key, t.Bound = t.N, t.D, t.D > 0
}

// FindNearest sets key and direction of a triangle that measure has given those of its plane.
func (s *Finder) FindNearest(t *Triangle) {
	t.Bound = false
	p, q, r := s.fromApex(t)
	n := t.N
	if !t.thin {
		n = refinedNormal(p, q, r)
	}
	v, keep := facets.ClosestAlong(n, p, q, r)
	if keep == 7 {
		return
	}
	// The foot lies beyond an edge: the direction of the nearest point is the better guide, if it is not next to the foot. There a
	// point at a distance l is off in direction by a rounding of the unit over l, and the plane's normal is not.
	if l := v.Norm(); l > t.D {
		if t.Key = l; l > t.D+s.Tol.Tie {
			t.dir = vec.Vec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
		}
	}
}

// apexOf returns the corner of a triangle that lies between its two shorter edges: they give the most accurate normal. No branch could
// foresee which it is. Numbers that are not negative order as their bits do.
func (s *Finder) apexOf(t *Triangle) uint8 {
	c := s.Corners
	p, q, r := &c[t.V[0]].P, &c[t.V[1]].P, &c[t.V[2]].P
	pq, qr, rp := orderOf(q.Sub(*p).Norm2()), orderOf(r.Sub(*q).Norm2()), orderOf(p.Sub(*r).Norm2())
	less := (rp - qr) >> 63 // all ones, or none
	most, apex := rp+(qr-rp)&less, 1+less
	less = (pq - most) >> 63
	return uint8(2 + (apex-2)&less)
}

func orderOf(x float64) int64 { return int64(math.Float64bits(x)) }

// fromApex returns the corners of a triangle in their order, from its apex.
func (s *Finder) fromApex(t *Triangle) (p, q, r vec.Vec3) {
	o := &turns[t.apex]
	return s.Corners[t.V[o[0]]].P, s.Corners[t.V[o[1]]].P, s.Corners[t.V[o[2]]].P
}

// refinedNormal returns the normal of the triangle pqr, of the length of its area twice, whose longest edge is qr.
//
// The product errs by 2⁻⁵³ of the edges' lengths in all directions. Along the longest edge that would tilt the plane by as much as
// the triangle is thin, with a lever as long as the edge: that part is taken out.
func refinedNormal(p, q, r vec.Vec3) vec.Vec3 {
	e := r.Sub(q)
	n := q.Sub(p).Cross(r.Sub(p))
	return n.AddScaled(-n.Dot(e)/e.Norm2(), e)
}

// turns is the orders in which the corners of a triangle can be taken, by the first.
var turns = [3][3]uint8{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}

// measureLine bounds a triangle that is thinner than rounding by its longest edge qr.
func (s *Finder) measureLine(t *Triangle, n, q, r vec.Vec3, height float64) {
	t.N, t.Bound = n.Unit(), false
	t.D = t.N.Dot(q)
	v, _ := pair.ClosestOnSegment(q, r)
	l, u := pair.Length(v)
	t.Key, t.dir = l-height, u
	if l <= s.Tol.Close {
		t.dir = t.N
	}
	if t.dir == (vec.Vec3{}) {
		t.dir = q.Perpendicular()
	}
}

// insert adds a corner that the triangle start sees: what it sees goes, and the rim is joined to it.
// It returns false when the rim is not one closed loop, which rounding alone can cause; the
// polytope is then of no use.
func (s *Finder) insert(c facets.Corner, start int32) bool {
	w := uint16(len(s.Corners))
	s.addCorner(c)
	s.horizon = s.horizon[:0]
	s.stack = append(s.stack[:0], start)
	s.Tris[start].Gone = true
	for len(s.stack) > 0 {
		t := &s.Tris[s.stack[len(s.stack)-1]]
		s.stack = s.stack[:len(s.stack)-1]
		for i, o := range t.Other {
			u := &s.Tris[o]
			if u.Gone {
				continue
			}
			if s.sees(u, c.P) {
				u.Gone = true
				s.stack = append(s.stack, o)
				continue
			}
			a, b := t.V[i], t.V[(i+1)%3]
			edge := 0
			if u.V[1] == b {
				edge = 1
			}
			if u.V[2] == b {
				edge = 2
			}
			s.horizon = append(s.horizon, rim{a, b, o, edge})
		}
	}
	return s.join(w)
}

// sees reports whether a point lies above a triangle: by visibleTol, or exactly.
func (s *Finder) sees(t *Triangle, p vec.Vec3) bool {
	h := t.N.Dot(p) - t.D
	if !s.exact {
		return h > s.Tol.Visible
	}
	if math.Abs(h) > t.blur {
		return h > 0
	}
	v := t.V
	return vec.Orient3D(s.Corners[v[0]].P, s.Corners[v[1]].P, s.Corners[v[2]].P, p) > 0
}

// blurOf is how near to the plane of a triangle, whose shorter edges are e and f, rounding might put a point on the wrong side: a
// rounding of the unit over the sine of the two.
func blurOf(e, f vec.Vec3, area, round float64) float64 {
	if area == 0 {
		return math.Inf(1)
	}
	return float64(8*round) * (1 + math.Sqrt(e.Norm2()*f.Norm2())/area)
}

// join closes the rim with triangles to corner w. What from holds of earlier triangles is below the first of these.
func (s *Finder) join(w uint16) bool {
	if len(s.horizon) < 3 {
		return false
	}
	first := int32(len(s.Tris))
	for i, h := range s.horizon {
		if s.From[h.a] >= first {
			return false
		}
		s.From[h.a] = first + int32(i)
	}
	s.Tris = slices.Grow(s.Tris, len(s.horizon))[:int(first)+len(s.horizon)]
	for i, h := range s.horizon {
		t, next := first+int32(i), s.From[h.b]
		if next < first {
			return false
		}
		s.setTriangle(t, h.a, h.b, w)
		s.Tris[t].Other[0], s.Tris[t].Other[1] = h.beyond, next
		s.Tris[h.beyond].Other[h.edge] = t
		s.Tris[next].Other[2] = t
	}
	return true
}

// push and pop keep the open triangles in a binary heap by key, then index, so that the order is fixed.
func (s *Finder) push(key float64, t int32) {
	h := append(s.Heap, open{})
	x := open{key, t}
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !x.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
	s.Heap = h
}

// pop returns the nearest open triangle that is still there, or -1. One that has the key of its plane is put back with its own.
func (s *Finder) pop() int32 {
	for len(s.Heap) > 0 {
		h := s.Heap
		key, t := h[0].key, h[0].t
		u := &s.Tris[t]
		if !u.Gone && u.Bound {
			if s.FindNearest(u); u.Key > key {
				sink(h, open{u.Key, t})
				continue
			}
		}
		n := len(h) - 1
		if s.Heap = h[:n]; n > 0 {
			sink(h[:n], h[n])
		}
		if !u.Gone {
			return t
		}
	}
	return -1
}

// sink puts x in the place of the first of a heap.
func sink(h []open, x open) {
	i := 0
	for c := 1; c < len(h); c = 2*i + 1 {
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(x) {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = x
}

func (a open) before(b open) bool {
	return a.key < b.key || (a.key == b.key && a.t < b.t)
}
