package soa

import "github.com/scree-dem/scree/vec"

// A crown is what a plane that cuts a body may leave above itself: a vertex, an edge or a face, where every vertex
// has three edges. The edges that lead down from it, its legs, are four, in the order of the section's corners:
// counter-clockwise seen from outside. Where there are but three, at a vertex or around a triangle, a leg half-way
// between two others is the fourth: its tail and head are the midpoints of theirs, so that it lies in the face between them,
// and cutting it gives a point on that side of the section.
//
// A row of the table of crowns is CrownSize numbers: of each of the four legs the tail and the way to its head,
// x, y, z each, m, shape frame; then the shape's bounding radius.
const (
	CrownLegs = 4
	CrownSize = 6*CrownLegs + 1
)

// Crown is where a crown's row starts in Shapes.Crowns. 0 is none: the row there is zeros, which no plane cuts.
type Crown uint32

// leg is a vertex of a crown and where the edge that leads down from it ends.
type leg struct{ tail, head vec.Vec3 }

func midLeg(a, b leg) leg {
	return leg{a.tail.Add(b.tail).Scale(0.5), a.head.Add(b.head).Scale(0.5)}
}

// crownBuilder finds the crowns of one shape.
type crownBuilder struct {
	t    *Template
	next []HalfEdge // by half-edge, the one after it in its face
	prev []HalfEdge
	deg  []int // by vertex, how many edges it has
}

// addCrowns derives the crowns of the newest shape, a block's.
func (s *Shapes) addCrowns(t *Template, o offsets) {
	s.crownOfVertex = resizeAny(s.crownOfVertex, o.vert+Pad(o.nVerts))
	s.crownOfFace = resizeAny(s.crownOfFace, o.plane+Pad(o.nFaces))
	s.crownOfHalf = resizeAny(s.crownOfHalf, o.half+o.nHalf)
	s.Crowns = withNone(s.Crowns, CrownSize)
	if t.Kind != Block {
		return
	}
	b := newCrownBuilder(t)
	of := make([]HalfEdge, len(t.Verts)) // by vertex, one of its outgoing half-edges
	for h := len(t.Tail) - 1; h >= 0; h-- {
		of[t.Tail[h]] = HalfEdge(h)
	}
	for k, h := range of {
		if b.deg[k] == 3 {
			l1 := b.next[t.Twin[h]]
			l2 := b.next[t.Twin[l1]]
			// Twin and next turn clockwise.
			s.crownOfVertex[o.vert+k] = s.addCrown(t.Radius, b.legsOfThree(b.leg(l2), b.leg(l1), b.leg(h)))
		}
	}
	for h, w := range t.Twin {
		if HalfEdge(h) < w && b.deg[t.Tail[h]] == 3 && b.deg[t.Tail[w]] == 3 {
			// Seen with h to the right and its face above: left of the tail, right of it, right of the head, left.
			c := s.addCrown(t.Radius, [CrownLegs]leg{
				b.leg(t.Twin[b.prev[h]]), b.leg(b.next[w]), b.leg(t.Twin[b.prev[w]]), b.leg(b.next[h]),
			})
			s.crownOfHalf[o.half+h], s.crownOfHalf[o.half+int(w)] = c, c
		}
	}
	for f := range t.Normals {
		if legs, ok := b.legsOfFace(t.LoopFirst[f], t.LoopFirst[f+1]); ok {
			s.crownOfFace[o.plane+f] = s.addCrown(t.Radius, legs)
		}
	}
}

func newCrownBuilder(t *Template) *crownBuilder {
	n := len(t.Tail)
	b := &crownBuilder{t: t, next: make([]HalfEdge, n), prev: make([]HalfEdge, n), deg: make([]int, len(t.Verts))}
	for f := range t.Normals {
		lo, hi := t.LoopFirst[f], t.LoopFirst[f+1]
		before := hi - 1
		for h := lo; h < hi; h++ {
			b.next[before], b.prev[h] = h, before
			before = h
		}
	}
	for _, k := range t.Tail {
		b.deg[k]++
	}
	return b
}

// leg is half-edge h as a leg.
func (b *crownBuilder) leg(h HalfEdge) leg {
	return leg{b.t.Verts[b.t.Tail[h]], b.t.Verts[b.t.Tail[b.t.Twin[h]]]}
}

func (b *crownBuilder) legsOfThree(a, c, d leg) [CrownLegs]leg {
	return [CrownLegs]leg{a, midLeg(a, c), c, d}
}

// legsOfFace returns the legs of the face with half-edges lo ≤ h < hi, and whether it has a crown.
func (b *crownBuilder) legsOfFace(lo, hi HalfEdge) (legs [CrownLegs]leg, ok bool) {
	n := int(hi - lo)
	if n != 3 && n != 4 {
		return legs, false
	}
	for i := range n {
		h := lo + HalfEdge(i)
		if b.deg[b.t.Tail[h]] != 3 {
			return legs, false
		}
		// The third edge of h's tail is neither h nor the one before it.
		legs[i] = b.leg(b.next[b.t.Twin[h]])
	}
	if n == 3 {
		legs = b.legsOfThree(legs[0], legs[1], legs[2])
	}
	return legs, true
}

// addCrown appends a row.
func (s *Shapes) addCrown(radius float64, legs [CrownLegs]leg) Crown {
	var row [CrownSize]float64
	for i, l := range legs {
		way := l.head.Sub(l.tail)
		copy(row[6*i:], []float64{l.tail.X, l.tail.Y, l.tail.Z, way.X, way.Y, way.Z})
	}
	row[6*CrownLegs] = radius
	var at int
	s.Crowns, at = addRow(s.Crowns, row[:])
	return Crown(at)
}
