package narrow

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// polytope is EPA's closed triangulated surface inside K. Its corners are vertices of K; it is convex up
// to visibleTol.
type polytope struct {
	corners []corner
	tris    []triangle
	heap    []int32 // open triangles, least key first
	horizon []rim
	stack   []int32
	from    []int32 // by corner: the new triangle whose rim edge starts there
	done    []int32 // triangles that no support moves

	nearTris []nearTriangle
	exact    bool // exact arithmetic decides what a point sees, where rounding might matter
}

// triangle is a face of the polytope, 96 bytes.
type triangle struct {
	n     vec.Vec3 // unit, outward
	d     float64  // n·p = d
	dir   vec.Vec3 // unit: where the next support is sought
	key   float64  // lower bound of the distance of its points from the origin; negative: origin beyond
	blur  float64  // where exact: how near to the plane a point has to be for rounding to matter
	v     [3]uint16
	gone  bool
	thin  bool
	other [3]int32 // the triangle across the edge from v[i] to v[i+1]
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

// addTriangle appends the triangle of three corners, turning counter-clockwise seen from outside, and
// puts it on the heap. Its neighbours are the caller's.
func (s *Search) addTriangle(a, b, c uint16) int32 {
	t := triangle{v: [3]uint16{a, b, c}}
	s.measure(&t)
	s.tris = append(s.tris, t)
	i := int32(len(s.tris) - 1)
	s.push(i)
	return i
}

// measure computes plane, key and direction.
//
// The key is the distance of the triangle, not of its plane: that is no more sensitive to an error
// of the corners than the corners are, however thin the triangle; planes of slivers are not. A surface
// around the origin none of whose triangles is nearer than r holds the ball of radius r, convex or not, so the
// least key is a proven lower bound of the depth.
func (s *Search) measure(t *triangle) {
	p, q, r := s.corners[t.v[0]].p, s.corners[t.v[1]].p, s.corners[t.v[2]].p
	// The two shorter edges give the most accurate normal: p is the corner between them.
	pq, qr, rp := q.Sub(p).Norm2(), r.Sub(q).Norm2(), p.Sub(r).Norm2()
	longest := qr
	if pq >= qr && pq >= rp {
		p, q, r, longest = r, p, q, pq
	} else if rp >= qr {
		p, q, r, longest = q, r, p, rp
	}
	n := q.Sub(p).Cross(r.Sub(p))
	// The product errs by 2⁻⁵³ of the edges' lengths in all directions. Along the longest edge that would tilt the plane by as much as
	// the triangle is thin, with a lever as long as the edge.
	n = n.AddScaled(-n.Dot(r.Sub(q))/longest, r.Sub(q))
	area := n.Norm()
	height := area / math.Sqrt(longest)
	if s.exact {
		t.blur = blurOf(q.Sub(p), r.Sub(p), area, s.tol.visible)
	}
	if !(height > s.tol.thin) {
		s.measureThin(t, n, q, r, height)
		return
	}
	t.n = vec.Vec3{X: n.X / area, Y: n.Y / area, Z: n.Z / area}
	t.d = t.n.Dot(p)
	t.dir, t.key = t.n, t.d
	if t.d <= 0 {
		return
	}
	if v, keep := closestAlong(n, p, q, r); keep != 7 {
		// The foot lies beyond an edge: the direction of the nearest point is the better guide, if it is not next to the foot. There a
		// point at a distance l is off in direction by a rounding of the unit over l, and the plane's normal is not.
		if l := v.Norm(); l > t.d {
			if t.key = l; l > t.d+s.tol.tie {
				t.dir = vec.Vec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
			}
		}
	}
}

// measureThin bounds a thin triangle by its longest edge qr.
func (s *Search) measureThin(t *triangle, n, q, r vec.Vec3, height float64) {
	t.thin = true
	t.n = n.Unit()
	t.d = t.n.Dot(q)
	v, _ := closestOnSegment(q, r)
	l, u := length(v)
	t.key, t.dir = l-height, u
	if l <= s.tol.close {
		t.dir = t.n
	}
	if t.dir == (vec.Vec3{}) {
		t.dir = q.Perpendicular()
	}
}

// insert adds a corner that the triangle start sees: what it sees goes, and the rim is joined to it.
// It says false when the rim is not one closed loop, which rounding alone can cause; the
// polytope is then of no use.
func (s *Search) insert(c corner, start int32) bool {
	w := uint16(len(s.corners))
	s.corners = append(s.corners, c)
	s.from = append(s.from, -1)
	s.horizon = s.horizon[:0]
	s.stack = append(s.stack[:0], start)
	s.tris[start].gone = true
	for len(s.stack) > 0 {
		t := &s.tris[s.stack[len(s.stack)-1]]
		s.stack = s.stack[:len(s.stack)-1]
		for i, o := range t.other {
			u := &s.tris[o]
			if u.gone {
				continue
			}
			if s.sees(u, c.p) {
				u.gone = true
				s.stack = append(s.stack, o)
				continue
			}
			a, b := t.v[i], t.v[(i+1)%3]
			edge := 0
			for u.v[edge] != b {
				edge++
			}
			s.horizon = append(s.horizon, rim{a, b, o, edge})
		}
	}
	return s.join(w)
}

// sees says whether a point lies above a triangle: by visibleTol, or exactly.
func (s *Search) sees(t *triangle, p vec.Vec3) bool {
	h := t.n.Dot(p) - t.d
	if !s.exact {
		return h > s.tol.visible
	}
	if math.Abs(h) > t.blur {
		return h > 0
	}
	v := t.v
	return vec.Orient3D(s.corners[v[0]].p, s.corners[v[1]].p, s.corners[v[2]].p, p) > 0
}

// blurOf is how near to the plane of a triangle, whose shorter edges are e and f, rounding might put a point on the wrong side: a
// rounding of the unit over the sine of the two.
func blurOf(e, f vec.Vec3, area, round float64) float64 {
	if area == 0 {
		return math.Inf(1)
	}
	return float64(8*round) * (1 + math.Sqrt(e.Norm2()*f.Norm2())/area)
}

// join closes the rim with triangles to corner w.
func (s *Search) join(w uint16) bool {
	ok := len(s.horizon) >= 3
	first := int32(len(s.tris))
	for i, h := range s.horizon {
		if s.from[h.a] >= 0 {
			ok = false
			break
		}
		s.from[h.a] = first + int32(i)
	}
	if ok {
		for _, h := range s.horizon {
			t := s.addTriangle(h.a, h.b, w)
			s.tris[t].other[0] = h.beyond
			s.tris[h.beyond].other[h.edge] = t
		}
		for i, h := range s.horizon {
			next := s.from[h.b]
			if next < 0 {
				ok = false
				break
			}
			s.tris[first+int32(i)].other[1] = next
			s.tris[next].other[2] = first + int32(i)
		}
	}
	for _, h := range s.horizon {
		s.from[h.a] = -1
	}
	return ok
}

// push and pop keep the open triangles in a binary heap by key, then index, so that the order is fixed.
func (s *Search) push(t int32) {
	h := append(s.heap, t)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !s.nearer(h[i], h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	s.heap = h
}

// pop returns the nearest open triangle that is still there, or -1.
func (s *Search) pop() int32 {
	for len(s.heap) > 0 {
		h := s.heap
		t := h[0]
		n := len(h) - 1
		h[0] = h[n]
		h = h[:n]
		for i := 0; ; {
			c := 2*i + 1
			if c >= n {
				break
			}
			if c+1 < n && s.nearer(h[c+1], h[c]) {
				c++
			}
			if !s.nearer(h[c], h[i]) {
				break
			}
			h[i], h[c] = h[c], h[i]
			i = c
		}
		s.heap = h
		if !s.tris[t].gone {
			return t
		}
	}
	return -1
}

func (s *Search) nearer(a, b int32) bool {
	ka, kb := s.tris[a].key, s.tris[b].key
	return ka < kb || (ka == kb && a < b)
}
