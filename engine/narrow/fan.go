package narrow

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mostSpokes bounds the edges at the two vertices of a corner that a fan is made about.
const mostSpokes = 32

// spokeOfK is an edge of K from one of its corners, or what may be one.
type spokeOfK struct {
	to   vec.Vec3     // from the corner to its other end
	half soa.HalfEdge // from the corner's vertex of A, or of B
	ofB  bool
}

// fanned closes the surface by all the facets about a corner of the facet that it began with, where they come together in a
// point and many of them may tie: from the ends of the corner's edges triangles go down to y.
//
// The edges of K at a corner a − b are the extreme rays of the cone of A's edges at a and the reverse of B's at b: each next
// one leaves none of the others beyond the plane of the two (the wrapping of Jarvis 1973, in a cone). Cost: a product of
// three for each two of the edges at both vertices, and for each facet that is no deeper its cap and foot.
func (s *Search) fanned(corner, count int) bool {
	x := &s.shell
	x.triangles = x.triangles[:0]
	a, b := x.a[corner], x.b[corner]
	aroundA, aroundB := s.va.Around(a), s.vb.Around(b)
	n := len(aroundA) + len(aroundB)
	if n > mostSpokes {
		return false
	}
	// The facet's side to its next corner is an edge of K.
	next := (corner + 1) % count
	start := -1
	for k := range aroundA {
		e := &aroundA[k]
		if x.b[next] == b && e.Head == x.a[next] {
			start = k
		}
		x.spokes[k] = spokeOfK{e.Edge, e.Half, false}
	}
	for k := range aroundB {
		e := &aroundB[k]
		if x.a[next] == a && e.Head == x.b[next] {
			start = len(aroundA) + k
		}
		x.spokes[len(aroundA)+k] = spokeOfK{s.rot.MulVec(e.Edge).Neg(), e.Half, true}
	}
	if start < 0 {
		return false
	}
	spokes := x.spokes[:n]
	v := x.corners[corner]
	end := func(k int) pointOfK {
		p := pointOfK{v.x.Add(spokes[k].to), v.b}
		if spokes[k].ofB {
			p.b = v.b.Sub(spokes[k].to)
		}
		return p
	}
	from, at := start, end(start)
	for range n {
		to := nextSpoke(spokes, from)
		next := end(to)
		t := shellTriangle{v, at, next}
		if farFrom(v.x, at.x, next.x, x.deep2) {
			x.triangles = append(x.triangles, t)
		} else if !s.facetOfFan(a, b, &spokes[from], &spokes[to], &t) {
			return false
		}
		if !s.closed(next, at, x.below, corner, mostSplits) {
			return false
		}
		if from, at = to, next; from == start {
			return true
		}
	}
	return false
}

// pointedCorner returns the first corner of the facet that a shell began with between two sides that are both too near, or −1.
func (s *Search) pointedCorner(count int) int {
	before := s.isOpen(count-1, count, s.shell.below)
	for i := range count {
		open := s.isOpen(i, count, s.shell.below)
		if !open && !before {
			return i
		}
		before = open
	}
	return -1
}

// tiesAtPoint says whether a fan will do where a facet that ties has been found.
func (s *Search) tiesAtPoint(at *spot, count int) bool {
	return at != nil && s.shell.nLevels > 1 && s.pointedCorner(count) >= 0
}

// nextSpoke returns the edge next to one, counter-clockwise seen from outside: no others lie beyond the plane of the two.
func nextSpoke(spokes []spokeOfK, from int) int {
	to := -1
	var c vec.Vec3
	for k := range spokes {
		if k != from && (to < 0 || c.Dot(spokes[k].to) > 0) {
			to, c = k, spokes[from].to.Cross(spokes[k].to)
		}
	}
	return to
}

// facetOfFan adds the facet of K between two edges at the corner of vertices a and b as a level, if it is none yet. t is the
// triangle of the corner and the edges' ends.
func (s *Search) facetOfFan(a, b soa.Vertex, from, to *spokeOfK, t *shellTriangle) bool {
	if c := from.to.Cross(to.to); !(c.Dot(t[0].x) > 0) {
		return false
	}
	if s.shell.onLevel(t) {
		return true
	}
	at := onEdges(from.half, to.half)
	switch {
	case !from.ofB && !to.ofB:
		at = onFaceVertex(s.va.Face[from.half], b)
		_, at.foot = inset(s.va, at.fa, s.pointB(b))
	case from.ofB && to.ofB:
		// Turned round, B's faces follow each other the other way.
		at = onVertexFace(a, s.vb.Face[to.half])
		_, at.foot = inset(s.vb, at.fb, s.toB(s.va.Vert(a)))
	case from.ofB:
		at.ha, at.hb = to.half, from.half
	}
	on := s.stand(&at)
	if at.kind == soa.EdgeEdge && on.ok {
		at.foot = s.insideCrossing(s.a.at(int(s.va.Tail[at.ha])), s.a.at(int(s.va.Head(at.ha))),
			s.b.at(int(s.vb.Tail[at.hb])), s.b.at(int(s.vb.Head(at.hb))))
	}
	return on.ok && s.levelAt(&at, &on, t)
}
