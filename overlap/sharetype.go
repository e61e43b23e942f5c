package overlap

import (
	"slices"

	"github.com/scree-dem/scree/soa"
)

// Features are a guess of what makes the overlap of two bodies: the features of a facet of the
// bodies' Minkowski difference, the faces of a prism, and the skeleton of any overlap. Each may be
// none.
type Features struct {
	Facet    soa.FacetID
	Prism    soa.Prism
	Skeleton *Skeleton
}

// byType writes the overlap if the faces of body are those of a type, and the overlap is proven to
// be of this type. It skips the features of guess, which have been tried. swapped means that body
// was cut from B.
//
// The features of a corner or a crossing follow only from which faces are present, not from how
// they meet. If several planes of a body meet at a vertex, rounding makes an arbitrary polyhedron
// there. A prism may follow from how its faces meet, because its corners are clear of other planes.
func (c *Clipper) byType(va, vb *soa.View, guess *Features, swapped bool, s *Moments) bool {
	own, caps := c.faces[0][:0], c.faces[1][:0]
	b := &c.body
	for f, of := range b.of {
		switch {
		case of == noFace:
			return false
		case b.isCap[f]:
			caps = with(caps, soa.Face(of))
		default:
			own = with(own, soa.Face(of))
		}
	}
	c.faces = [2][]soa.Face{own, caps}
	ofA, ofB := own, caps
	if swapped {
		ofA, ofB = caps, own
	}
	try := func(id soa.FacetID) bool {
		if shapeOf(va, vb, id) != clipped {
			c.suppose(id)
		}
		return id != guess.Facet && c.ofType(va, vb, id, s)
	}
	switch {
	case len(ofA) == 2 && len(ofB) == 2:
		e, okA := edgeOf(va, ofA[0], ofA[1])
		g, okB := edgeOf(vb, ofB[0], ofB[1])
		if okA && okB {
			return try(soa.FacetID{A: uint16(e), B: uint16(g), Kind: soa.EdgeEdge})
		}
	case len(ofB) == 1:
		for _, k := range vertsOf(va, ofA, c.common[:0]) {
			if try(soa.FacetID{A: uint16(k), B: uint16(ofB[0]), Kind: soa.VertexFace}) {
				return true
			}
		}
	case len(ofA) == 1:
		for _, k := range vertsOf(vb, ofB, c.common[:0]) {
			if try(soa.FacetID{A: uint16(ofA[0]), B: uint16(k), Kind: soa.FaceVertex}) {
				return true
			}
		}
	}
	if p, ok := c.byPrism(swapped); ok && prismShape(va, vb, &p) != clipped {
		c.guessed.Prism = p
		return p != guess.Prism && c.ofPrism(va, vb, &p, s)
	}
	return false
}

// with returns faces with f added, unless it is there already: rounding may cut one face in two.
func with(faces []soa.Face, f soa.Face) []soa.Face {
	if slices.Contains(faces, f) {
		return faces
	}
	return append(faces, f)
}

// edgeOf returns the edge between two faces.
func edgeOf(v *soa.View, f, g soa.Face) (e soa.Edge, ok bool) {
	for h := v.LoopFirst[f]; h < v.LoopFirst[f]+v.LoopLen[f]; h++ {
		if v.Face[v.Twin[h]] == g {
			e, ok := slices.BinarySearch(v.Edge, min(h, v.Twin[h]))
			return soa.Edge(e), ok
		}
	}
	return 0, false
}

// vertsOf appends the vertices that all given faces share. The three or more faces at a corner
// share one vertex; any faces share two at most.
func vertsOf(v *soa.View, faces []soa.Face, to []soa.Vertex) []soa.Vertex {
	if len(faces) < 3 || len(faces) > mostEdges {
		return to
	}
	first := v.LoopFirst[faces[0]]
	for _, k := range v.Tail[first:][:v.LoopLen[faces[0]]] {
		all := true
		for _, f := range faces[1:] {
			all = all && slices.ContainsFunc(v.Around(k), func(s soa.OutEdge) bool { return s.Face == f })
		}
		if all {
			to = append(to, k)
		}
	}
	return to
}
