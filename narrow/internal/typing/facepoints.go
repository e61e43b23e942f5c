package typing

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastFacing is the least cosine between the normal of a face and that of the contact for the face
// to count as facing the other body. If all faces are steeper, only an edge faces it. A change
// moves which corners far from the contact are listed.
const leastFacing = 0.5

// FacePoints lists the corners of the overlap of two faces, one of each body, as seen along the
// normal of an answer. The corners are the vertices of one face inside the other, and the crossings
// of edges. Each has its own distance along the normal, positive or negative.
//
// The faces are those at the features of the answer that are most nearly perpendicular to the
// normal. If a body has only steep faces there, an edge takes the place of its face. For a facet B
// that faces A, the feature of the answer does not matter. The list therefore changes continuously
// with a tilt, whereas that of Contacts has the features within a tolerance of the deepest point.
// Corners within Dtol of each other, as seen along the normal, are one corner. The list is empty
// unless the pair is block and block or block and facet, and the answer has features.
//
// Source: contact manifolds by clipping one face by the other, as in physics engines. Departure:
// neither face is the reference. Cost: the product of the numbers of corners of both faces up to
// plainPlaces, then n log n.
func (s *Typist) FacePoints(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, answer *pair.Answer, list *ContactList) {
	list.leave()
	if answer.Facet.Kind == soa.NoFacet || !pair.Polyhedra(a, b) || !s.Load(a, pa, b, pb) {
		return
	}
	y, near := &s.Planes, s.Nearness(Dtol(a, b))
	n := s.RotA.RotateInv(answer.Normal)
	y.Contact = plane{N: n, answer: n, World: answer.Normal, kind: answer.Facet.Kind, near: near, flat: near * near}
	of := featuresOf[answer.Facet.Kind]
	y.SetA = facingVertices(y.SetA[:0], a, of[0], answer.Facet.A, n)
	index, out := answer.Facet.B, s.Rot.TMulVec(n.Neg())
	if b.Kind.IsFlat() && math.Abs(b.Normal(0).Dot(out)) > leastFacing {
		of[1], index = aFace, 0 // both faces of a facet have the same corners
	}
	y.SetB = facingVertices(y.SetB[:0], b, of[1], index, out)
	s.combineSets(list)
}

// feature tells what an index of a facet of K counts in its shape.
type feature uint8

const (
	aVertex feature = iota
	anEdge
	aFace
)

// featuresOf maps the kind of a facet of K to the features of A and B.
var featuresOf = [...][2]feature{
	soa.FaceVertex: {aFace, aVertex}, soa.VertexFace: {aVertex, aFace}, soa.EdgeEdge: {anEdge, anEdge},
	soa.VertexVertex: {aVertex, aVertex}, soa.VertexEdge: {aVertex, anEdge}, soa.EdgeVertex: {anEdge, aVertex},
}

// facingVertices appends to an empty set the vertices of the face, at the given feature, that most
// faces the direction out, in the body's own frame. If no face there has a cosine above
// leastFacing, the vertices are those of an edge. The first of several equal faces wins.
func facingVertices(to []uint16, v *soa.View, of feature, index uint16, out vec.Vec3) []uint16 {
	best, most := soa.Face(index), leastFacing
	look := func(f soa.Face) {
		if c := v.Normal(f).Dot(out); c > most {
			best, most = f, c
		}
	}
	var end, other soa.Vertex
	switch of {
	case aFace:
		return cornersOf(to, v, best)
	case anEdge:
		h := v.Edge[index]
		look(v.Face[h])
		look(v.Face[v.Twin[h]])
		end, other = v.Tail[h], v.Head(h)
	case aVertex:
		ring := pair.RingOf(v, index)
		end, other = soa.Vertex(index), v.Head(ring[0])
		for _, h := range ring {
			look(v.Face[h])
			if k := v.Head(h); v.Vert(k).Dot(out) > v.Vert(other).Dot(out) {
				other = k
			}
		}
	}
	if most > leastFacing {
		return cornersOf(to, v, best)
	}
	return append(to, uint16(min(end, other)), uint16(max(end, other)))
}

// cornersOf appends to an empty set the corners of the modelled face that contains face f (see
// labels.go).
func cornersOf(to []uint16, v *soa.View, f soa.Face) []uint16 {
	label := v.Labelled(f)
	for g := range v.NFaces {
		if soa.Face(g) != f && (len(v.Label) == 0 || v.Label[g] != label) {
			continue
		}
		for _, k := range v.Tail[v.LoopFirst[g]:][:v.LoopLen[g]] {
			to = append(to, uint16(k))
		}
	}
	slices.Sort(to)
	return withoutInner(v, slices.Compact(to))
}
