package search

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// polytope is EPA's closed triangulated surface inside K. Its corners are vertices of K. The
// surface is convex up to visibleTol.
type polytope struct {
	Corners []facets.Corner
	Tris    []Triangle
	Heap    []open // triangles not yet settled, least key first
	horizon []horizonEdge
	stack   []int32
	From    []int32 // by corner: the new triangle whose horizon edge starts there
	settled []int32 // settled triangles: no support moves them

	nearTris []nearTriangle
	TooFar   float64 // a triangle whose plane is farther away is not pushed on the heap: see Expand
	exact    bool    // exact arithmetic decides what a point sees, if rounding might matter
}

// Triangle is a face of the polytope, 104 bytes.
type Triangle struct {
	N     vec.Vec3 // unit, outward
	D     float64  // plane n·p = d
	dir   vec.Vec3 // unit: direction of the next support
	Key   float64  // lower bound of the triangle's distance from the origin; negative if the origin lies beyond
	blur  float64  // if exact is set: distance from the plane below which rounding may decide the side
	V     [3]uint16
	Gone  bool
	apex  uint8    // the corner between the two shorter edges
	Bound bool     // Key is the distance of the plane; the triangle may be farther, see FindNearest
	thin  bool     // rounding decides which side is the outer one
	Other [3]int32 // triangle across the edge from V[i] to V[i+1]
}

// open is a triangle on the heap, with a copy of its key so that ordering the heap loads no
// triangle.
type open struct {
	key float64
	t   int32
}

// horizonEdge is an edge between a triangle that the new corner sees and one that it does not see.
type horizonEdge struct {
	a, b   uint16
	beyond int32 // the triangle that the corner does not see
	edge   int   // the number of the edge in that triangle
}

const (
	// maxCorners caps the polytope. Ellipsoids of 1000 vertices, nearly balls, need up to 900 if
	// their centres coincide. That takes a millisecond; the exhaustive search takes forty.
	// Smaller: more exhaustive searches.
	maxCorners = 4096
)

// addTriangle appends the triangle of three corners. The caller must set its neighbours.
func (s *Searcher) addTriangle(a, b, c uint16) {
	s.Tris = append(s.Tris, Triangle{})
	s.setTriangle(int32(len(s.Tris)-1), a, b, c)
}

// setTriangle makes triangle i the one of corners a, b, c, counter-clockwise seen from outside. It
// pushes the triangle on the heap unless its plane is too far. The fields are written in place
// because copying a freshly written structure would stall on the store buffer.
func (s *Searcher) setTriangle(i int32, a, b, c uint16) {
	t := &s.Tris[i]
	t.V, t.Gone = [3]uint16{a, b, c}, false
	if s.Measure(t); !(t.D > s.TooFar) {
		s.push(t.Key, i)
	}
}

// Measure computes the plane of a triangle, and a first key and direction from it.
//
// The key bounds the distance of the triangle, not of its plane. The distance of a triangle is no
// more sensitive to errors of the corners than the corners themselves, however thin the triangle
// is. The plane of a sliver is much more sensitive. If no triangle of a surface around the origin
// is nearer than r, the surface contains the ball of radius r, whether it is convex or not.
// Therefore the least key is a proven lower bound of the depth.
//
// Most triangles are never the nearest, so Measure only computes the distance of the plane.
// FindNearest refines it for the triangles that pop reaches.
func (s *Searcher) Measure(t *Triangle) {
	t.apex = s.apexOf(t)
	p, q, r := s.fromApex(t)
	n := triangleNormal(p, q, r)
	longest := r.Sub(q).Norm2()
	area := n.Norm()
	if s.exact {
		t.blur = blurOf(q.Sub(p), r.Sub(p), area, s.Tol.Visible)
	}
	t.thin = false
	// The square root is only needed if the squares leave doubt.
	if thin := s.Tol.Thin; !(float64(area*area) > float64(4*thin*thin)*longest) {
		if side := math.Sqrt(longest); !(area/side > thin) {
			// Corners that differ from the vertices of K by a rounding change the distance by no
			// more than that, however thin the triangle. An error of the normal changes the
			// distance at once. In double-double arithmetic the normal is accurate to 2⁻⁵⁶ down to
			// a height of RoundTol.
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

// FindNearest sets the key and direction of t from its point nearest to the origin. Measure must
// have set those of its plane.
func (s *Searcher) FindNearest(t *Triangle) {
	t.Bound = false
	p, q, r := s.fromApex(t)
	n := t.N
	if !t.thin {
		n = triangleNormal(p, q, r)
	}
	v, keep := facets.ClosestAlong(n, p, q, r)
	if keep == 7 {
		return
	}
	// The projection of the origin lies beyond an edge. The direction of the nearest point is then
	// the better guide, unless that point is next to the projection: a point at a distance l has an
	// error of direction of one rounding (of the length scale) over l. The normal has no such
	// error.
	if l := v.Norm(); l > t.D {
		if t.Key = l; l > t.D+s.Tol.Tie {
			t.dir = vec.Vec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
		}
	}
}

// apexOf returns the corner of a triangle between its two shorter edges, which yield the most
// accurate normal. It uses no branches because they would be unpredictable. The squared lengths are
// compared as integers: non-negative floats order as their bits do.
func (s *Searcher) apexOf(t *Triangle) uint8 {
	c := s.Corners
	p, q, r := &c[t.V[0]].P, &c[t.V[1]].P, &c[t.V[2]].P
	pq, qr, rp := orderOf(q.Sub(*p).Norm2()), orderOf(r.Sub(*q).Norm2()), orderOf(p.Sub(*r).Norm2())
	less := (rp - qr) >> 63 // -1 (all bits set) or 0
	most, apex := rp+(qr-rp)&less, 1+less
	less = (pq - most) >> 63
	return uint8(2 + (apex-2)&less)
}

func orderOf(x float64) int64 { return int64(math.Float64bits(x)) }

// fromApex returns the corners of a triangle in their order, starting at its apex.
func (s *Searcher) fromApex(t *Triangle) (p, q, r vec.Vec3) {
	o := &turns[t.apex]
	return s.Corners[t.V[o[0]]].P, s.Corners[t.V[o[1]]].P, s.Corners[t.V[o[2]]].P
}

// triangleNormal returns the normal of the triangle pqr, whose longest edge must be qr. Its length
// is twice the area.
//
// The cross product has an error of 2⁻⁵³ times the product of the edge lengths, in every direction.
// A component along the longest edge would tilt the plane in inverse proportion to the height of
// the triangle, with the whole edge as lever. That component is removed.
func triangleNormal(p, q, r vec.Vec3) vec.Vec3 {
	e := r.Sub(q)
	n := q.Sub(p).Cross(r.Sub(p))
	return n.AddScaled(-n.Dot(e)/e.Norm2(), e)
}

// turns[k] lists the corners of a triangle in cyclic order, starting at corner k.
var turns = [3][3]uint8{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}

// measureLine sets the key of a triangle that is thinner than rounding from its longest edge qr.
func (s *Searcher) measureLine(t *Triangle, n, q, r vec.Vec3, height float64) {
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

// insert adds the corner c, which must see the triangle start. It removes all triangles that c sees
// and joins their horizon to c. insert returns false if the horizon is not one closed loop, which
// only rounding can cause. The polytope is then unusable.
func (s *Searcher) insert(c facets.Corner, start int32) bool {
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
			s.horizon = append(s.horizon, horizonEdge{a, b, o, edge})
		}
	}
	return s.join(w)
}

// sees reports whether p lies above a triangle: by more than visibleTol, or exactly if s.exact is
// set.
func (s *Searcher) sees(t *Triangle, p vec.Vec3) bool {
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

// blurOf returns the distance from the plane of a triangle below which rounding might put a point
// on the wrong side. That is a rounding of the length scale over the sine of the angle between the
// shorter edges e and f.
func blurOf(e, f vec.Vec3, area, round float64) float64 {
	if area == 0 {
		return math.Inf(1)
	}
	return float64(8*round) * (1 + math.Sqrt(e.Norm2()*f.Norm2())/area)
}

// join closes the horizon with triangles to corner w. Entries of s.From below the first new
// triangle belong to earlier insertions.
func (s *Searcher) join(w uint16) bool {
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

// push adds triangle t to the heap of open triangles: a binary heap by key, then index, so that the
// order is deterministic.
func (s *Searcher) push(key float64, t int32) {
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

// pop removes and returns the nearest open triangle that still exists, or -1. A triangle whose key
// is only that of its plane is refined first, and put back if its key grows.
func (s *Searcher) pop() int32 {
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

// sink replaces the first element of the heap h by x and restores the heap order.
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
