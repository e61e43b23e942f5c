package soa

import "github.com/scree-dem/scree/vec"

// A star belongs to a feature (vertex, edge or face) that a plane may cut off a body. All vertices
// of the feature must have three edges. The star's edges are the edges that lead away from the
// feature. A star has four of them, in the order of the section's corners, counter-clockwise seen
// from outside. A vertex or a triangle has only three such edges. The fourth star edge then lies
// half-way between two others: its ends are the midpoints of their ends. So it lies in the face
// between them, and a plane cuts it in a point on that side of the section.
//
// A row of the table of stars has StarSize numbers: for each of the four edges the tail and the
// vector to the head, each as x, y, z, in m, shape frame; then the shape's bounding radius.
const (
	StarEdges = 4
	StarSize  = 6*StarEdges + 1
)

// Star is where the row of a star starts in Shapes.Stars. 0 means none: the row there is zero, and
// no plane cuts its edges.
type Star uint32

// edge is a star edge: tail is on the feature, head at the other end.
type edge struct{ tail, head vec.Vec3 }

func midEdge(a, b edge) edge {
	return edge{a.tail.Add(b.tail).Scale(0.5), a.head.Add(b.head).Scale(0.5)}
}

// starBuilder finds the stars of one shape.
type starBuilder struct {
	t    *Template
	next []HalfEdge // by half-edge: the next one in its face
	prev []HalfEdge
	deg  []int // by vertex: its number of edges
}

// addStars adds the stars of the newest shape, if it is a block.
func (s *Shapes) addStars(t *Template, o offsets) {
	s.starOfVertex = Resize(s.starOfVertex, o.vert+Pad(o.nVerts))
	s.starOfFace = Resize(s.starOfFace, o.plane+Pad(o.nFaces))
	s.starOfHalf = Resize(s.starOfHalf, o.half+o.nHalf)
	s.Stars = withNone(s.Stars, StarSize)
	if t.Kind != Block {
		return
	}
	b := newStarBuilder(t)
	of := make([]HalfEdge, len(t.Verts)) // by vertex: its lowest outgoing half-edge
	for h := len(t.Tail) - 1; h >= 0; h-- {
		of[t.Tail[h]] = HalfEdge(h)
	}
	for k, h := range of {
		if b.deg[k] == 3 {
			l1 := b.next[t.Twin[h]]
			l2 := b.next[t.Twin[l1]]
			// Twin and then next turn clockwise.
			s.starOfVertex[o.vert+k] = s.addStar(t.Radius, b.edgesOfThree(b.edge(l2), b.edge(l1), b.edge(h)))
		}
	}
	for h, w := range t.Twin {
		if HalfEdge(h) < w && b.deg[t.Tail[h]] == 3 && b.deg[t.Tail[w]] == 3 {
			// Look from outside, with h pointing right and its face above. The star edges are: left
			// of the tail, right of the tail, right of the head, left of the head (left and right
			// as seen along h).
			c := s.addStar(t.Radius, [StarEdges]edge{
				b.edge(t.Twin[b.prev[h]]), b.edge(b.next[w]), b.edge(t.Twin[b.prev[w]]), b.edge(b.next[h]),
			})
			s.starOfHalf[o.half+h], s.starOfHalf[o.half+int(w)] = c, c
		}
	}
	for f := range t.Normals {
		if edges, ok := b.edgesOfFace(t.LoopFirst[f], t.LoopFirst[f+1]); ok {
			s.starOfFace[o.plane+f] = s.addStar(t.Radius, edges)
		}
	}
}

func newStarBuilder(t *Template) *starBuilder {
	n := len(t.Tail)
	b := &starBuilder{t: t, next: make([]HalfEdge, n), prev: make([]HalfEdge, n), deg: make([]int, len(t.Verts))}
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

// edge returns half-edge h as a star edge.
func (b *starBuilder) edge(h HalfEdge) edge {
	return edge{b.t.Verts[b.t.Tail[h]], b.t.Verts[b.t.Tail[b.t.Twin[h]]]}
}

func (b *starBuilder) edgesOfThree(a, c, d edge) [StarEdges]edge {
	return [StarEdges]edge{a, midEdge(a, c), c, d}
}

// edgesOfFace returns the star edges of the face with half-edges lo ≤ h < hi, and whether the face
// has a star.
func (b *starBuilder) edgesOfFace(lo, hi HalfEdge) (edges [StarEdges]edge, ok bool) {
	n := int(hi - lo)
	if n != 3 && n != 4 {
		return edges, false
	}
	for i := range n {
		h := lo + HalfEdge(i)
		if b.deg[b.t.Tail[h]] != 3 {
			return edges, false
		}
		// The third edge of h's tail is neither h nor the previous half-edge.
		edges[i] = b.edge(b.next[b.t.Twin[h]])
	}
	if n == 3 {
		edges = b.edgesOfThree(edges[0], edges[1], edges[2])
	}
	return edges, true
}

// addStar appends a row.
func (s *Shapes) addStar(radius float64, edges [StarEdges]edge) Star {
	var row [StarSize]float64
	for i, l := range edges {
		way := l.head.Sub(l.tail)
		copy(row[6*i:], []float64{l.tail.X, l.tail.Y, l.tail.Z, way.X, way.Y, way.Z})
	}
	row[6*StarEdges] = radius
	var at int
	s.Stars, at = addRow(s.Stars, row[:])
	return Star(at)
}
