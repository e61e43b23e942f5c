package typing

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastShown is the cosine that the normal of a face must make with that of the contact for the face to count as seen from the
// other body. On a steeper face only an edge does. Moving it moves which corners far out of contact are asked for.
const leastShown = 0.5

// FacePoints lists the corners of what two faces, one of either body, have in common as seen along the normal of an answer, each
// with its own distance along that normal, positive or not: vertices of one face inside the other, and edges that cross. The
// faces are those next to the features of the answer that are most square to the normal; of a body that meets the other with
// steep faces only, an edge. Of a facet B that is seen so the answer's feature does not matter. So the list follows a tilt continuously, where that of Contacts has the features within a tolerance
// of the deepest point. Corners within Dtol of one another, as seen along the normal, are one. Other pairs than
// block and block or facet, and answers without features, have no list.
//
// Source: contact manifolds by clipping one face by the other, as physics engines have them. Where we depart: neither face is the reference.
// Cost: the product of the corners of both faces up to plainPlaces, then n log n.
func (s *Typist) FacePoints(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, answer *pair.Answer, list *ContactList) {
	list.leave()
	if answer.Facet.Kind == soa.NoFacet || !pair.Polyhedra(a, b) || !s.Load(a, pa, b, pb) {
		return
	}
	y, near := &s.Planes, s.Nearness(Dtol(a, b))
	n := s.RotA.RotateInv(answer.Normal)
	y.Contact = plane{N: n, answer: n, World: answer.Normal, kind: answer.Facet.Kind, near: near, flat: near * near}
	of := featuresOf[answer.Facet.Kind]
	y.SetA = shown(y.SetA[:0], a, of[0], answer.Facet.A, n)
	index, out := answer.Facet.B, s.Rot.TMulVec(n.Neg())
	if b.Kind == soa.Facet && math.Abs(b.Normal(0).Dot(out)) > leastShown {
		of[1], index = aFace, 0 // Both faces of a facet have the same corners.
	}
	y.SetB = shown(y.SetB[:0], b, of[1], index, out)
	s.combineSets(list)
}

// feature is what an index of a facet of K counts in its shape.
type feature uint8

const (
	aVertex feature = iota
	anEdge
	aFace
)

// featuresOf is the features of A and B by the kind of a facet.
var featuresOf = [...][2]feature{
	soa.FaceVertex: {aFace, aVertex}, soa.VertexFace: {aVertex, aFace}, soa.EdgeEdge: {anEdge, anEdge},
	soa.VertexVertex: {aVertex, aVertex}, soa.VertexEdge: {aVertex, anEdge}, soa.EdgeVertex: {anEdge, aVertex},
}

// shown appends to an empty set the vertices of the face, or else of the edge, that a body shows along a direction of its own
// frame, next to a feature. Of faces as square to the direction the first is taken.
func shown(to []uint16, v *soa.View, of feature, index uint16, out vec.Vec3) []uint16 {
	best, most := soa.Face(index), leastShown
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
		ring := v.Ring[v.RingFirst[index]:][:v.RingLen[index]]
		end, other = soa.Vertex(index), v.Head(ring[0])
		for _, h := range ring {
			look(v.Face[h])
			if k := v.Head(h); v.Vert(k).Dot(out) > v.Vert(other).Dot(out) {
				other = k
			}
		}
	}
	if most > leastShown {
		return cornersOf(to, v, best)
	}
	return append(to, uint16(min(end, other)), uint16(max(end, other)))
}

// cornersOf appends to an empty set the corners of the face of the body as modelled that face f is, or is part of.
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
