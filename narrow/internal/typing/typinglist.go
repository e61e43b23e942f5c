package typing

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// outline is the edges and faces of a body that lie in the contact plane.
type outline struct {
	edges []outlineEdge
	faces []uint16 // faces with all corners in the plane
}

// outlineEdge is an edge with both ends in the contact plane.
type outlineEdge struct {
	id, left, right uint16 // the edge, the face of its lower half-edge, and the other face
	from, to        uint16 // its ends: tail and head of the lower half-edge
	i, j            int    // indices of the ends in the set of vertices
	at, dir         vec.Vec3
	in              vec.Vec3 // unit, in the plane: into the left face, as seen from outside
	length          float64
}

// edgeOffsets is the positions of the vertices of one body relative to the edges of the other in the
// contact plane: one row per edge, one column per vertex.
type edgeOffsets struct {
	ofA, ofB []place // edges of A with vertices of B, edges of B with vertices of A
}

// place is a point of the contact plane relative to an edge: its distance inside of the edge's
// line, and its position along the edge.
type place struct{ in, along float64 }

// listContacts writes type and basic contacts of the pair into the list. Contacts that existed in
// the last step keep their modes.
//
// If update is set and the vertex sets are those of the last step, two kinds of contacts are reused
// and only renumbered. A single vertex in a face stays inside as long as the contact point has no
// other face. Contacts of edges and faces stay as long as none has moved far enough in the plane to
// come or go (see staying).
func (s *Typist) listContacts(kind Type, answer *pair.Answer, update bool, list *ContactList) {
	y := &s.Planes
	m := &list.Kept
	corner := kind == TypeVertexFace || kind == TypeFaceVertex
	if update && (kind == list.Type && corner && m.sameSets(y) || y.stays(s, kind, list)) {
		s.renumber(list)
	} else {
		m.Staying.Known = false
		m.old, list.Basic = list.Basic, m.old[:0]
		s.combine(kind, answer, list)
		if len(list.Basic) == 0 {
			m.Staying.Known = false
			s.add(list, basicOfFacet[answer.Facet.Kind], answer.Facet.A, answer.Facet.B)
		}
		list.carryModes()
	}
	list.Type = kind
	m.remember(y)
}

// basicOfFacet is the type of the basic contact that the features of an answer form.
var basicOfFacet = [...]Type{
	soa.FaceVertex: TypeFaceVertex, soa.VertexFace: TypeVertexFace, soa.EdgeEdge: TypeEdgeEdge,
	soa.VertexVertex: TypeVertexVertex, soa.VertexEdge: TypeVertexEdge, soa.EdgeVertex: TypeEdgeVertex,
}

// combine lists the contacts that the features in the plane form, in the order of type, A, B. Each
// pair of features has one of four types: vertices within the tolerance of each other, a vertex on
// an edge between its ends, a vertex inside a face, and two edges that cross.
func (s *Typist) combine(kind Type, answer *pair.Answer, list *ContactList) {
	y := &s.Planes
	switch {
	case kind == TypeVertexVertex:
		s.add(list, TypeVertexVertex, y.SetA[0], y.SetB[0])
		return
	case kind == TypeVertexFace && len(y.facesB) == 1:
		// No other face is within the tolerance of the contact point, so no side of this face is
		// either.
		s.add(list, TypeVertexFace, y.SetA[0], y.facesB[0])
		return
	case kind == TypeFaceVertex && len(y.facesA) == 1:
		s.add(list, TypeFaceVertex, y.facesA[0], y.SetB[0])
		return
	case kind == TypeEdgeEdge && answer.Facet.Kind == soa.EdgeEdge && s.crossClearly(answer.Facet):
		s.add(list, TypeEdgeEdge, answer.Facet.A, answer.Facet.B)
		return
	}
	if s.combineSets(list) {
		y.keep(s, &list.Kept.Staying)
	}
}

// combineSets lists the contacts of the vertices of both sets, and of the edges and faces between
// them. It reports whether all features were compared with each other, which is the case if they
// are few.
func (s *Typist) combineSets(list *ContactList) (all bool) {
	y := &s.Planes
	s.OutlineOf(&y.OnA, s.ViewA, &s.HullA, y.SetA, 1)
	s.OutlineOf(&y.OnB, s.ViewB, &s.HullB, y.SetB, -1)
	all = (len(y.SetA)+len(y.OnA.edges))*(len(y.SetB)+len(y.OnB.edges)) <= plainPlaces
	s.CombineOutlines(list, all)
	return all
}

// crossClearly reports whether two edges, seen along the normal, cross farther than the tolerance
// from the ends of both. The distance of one line from an end of the other edge is the crossing's
// distance from that end times the sine of the angle.
func (s *Typist) crossClearly(id soa.FacetID) bool {
	n, near := s.Planes.Contact.N, s.Planes.Contact.near
	p, p1 := s.EdgeA(int(id.A))
	q, q1 := s.EdgeB(int(id.B))
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f).Dot(n)
	at, bt := w.Cross(f).Dot(n), w.Cross(e).Dot(n)
	if c < 0 {
		c, at, bt = -c, -at, -bt
	}
	least, wide := min(at, c-at), min(bt, c-bt)
	reach := float64(near * near)
	return least > 0 && wide > 0 && float64(least*least) > reach*f.Norm2() && float64(wide*wide) > reach*e.Norm2()
}

// OutlineOf sets o to the edges and faces whose vertices are all in set. sign is 1 if the contact
// plane's normal is an outward normal of the body, else −1.
func (s *Typist) OutlineOf(o *outline, v *soa.View, h *pair.PosedHull, set []uint16, sign float64) {
	o.edges, o.faces = o.edges[:0], o.faces[:0]
	if len(set) < 2 {
		return
	}
	n := s.Planes.Contact.N
	up := n.Scale(sign)
	s.MarkAll(set, v.NVerts)
	ids := slices.Grow(s.EdgesA[:0], len(v.Edge))[:len(v.Edge)]
	k := 0
	for id, half := range v.Edge {
		ids[k] = uint16(id)
		k += bit(s.Mark[v.Tail[half]]) & bit(s.Mark[v.Head(half)]) & bit(Borders(v, half))
	}
	s.EdgesA = ids
	o.edges = slices.Grow(o.edges, k)[:k]
	for at, id := range ids[:k] {
		half := v.Edge[id]
		e := &o.edges[at]
		e.id, e.left, e.right = id, uint16(v.Labelled(v.Face[half])), uint16(v.Labelled(v.Face[v.Twin[half]]))
		e.from, e.to = uint16(v.Tail[half]), uint16(v.Head(half))
		e.i, e.j = placeIn(set, e.from), placeIn(set, e.to)
		e.at = h.At(int(e.from))
		dir := h.At(int(e.to)).Sub(e.at)
		dir = dir.AddScaled(-dir.Dot(n), n)
		if e.length = dir.Norm(); e.length > 0 {
			dir = dir.Scale(1 / e.length)
		}
		e.dir, e.in = dir, up.Cross(dir)
	}
	if len(set) > 2 {
		o.faces = facesAmong(o.faces, v, s.Mark, len(set))
	}
	s.Unmark(set)
}

// placeIn returns the index of vertex k in a set that contains k.
func placeIn(set []uint16, k uint16) int {
	if len(set) > 16 {
		i, _ := slices.BinarySearch(set, k)
		return i
	}
	i := 0
	for _, other := range set {
		i += bit(other < k)
	}
	return i
}

// facesAmong appends the faces whose vertices are all marked. n is the number of marked vertices.
func facesAmong(to []uint16, v *soa.View, marked []bool, n int) []uint16 {
	if len(v.Label) > 0 {
		return labelsAmong(to, v, marked)
	}
	for f := range v.NFaces {
		first, count := v.LoopFirst[f], v.LoopLen[f]
		all := int(count) <= n
		for k := first; all && k < first+count; k++ {
			all = marked[v.Tail[k]]
		}
		if all {
			to = append(to, uint16(f))
		}
	}
	return to
}

// poseRowOf returns the place of a vertex relative to an edge of the other body.
func poseRowOf(e *outlineEdge, h *pair.PosedHull, k uint16) place {
	w := h.At(int(k)).Sub(e.at)
	return place{e.in.Dot(w), e.dir.Dot(w)}
}

// placesOf appends the places of the vertices of a set relative to the edges of the other body.
func placesOf(to []place, edges []outlineEdge, h *pair.PosedHull, set []uint16) []place {
	for i := range edges {
		e := &edges[i]
		for _, k := range set {
			to = append(to, poseRowOf(e, h, k))
		}
	}
	return to
}

// onEdge reports whether a point lies on an edge of the given length, but not at its ends.
func (p *plane) onEdge(q place, length float64) bool {
	if math.Abs(q.in) > p.near || q.along < 0 || q.along > length {
		return false
	}
	end := min(q.along, length-q.along)
	return float64(end*end)+float64(q.in*q.in) > p.flat
}

// apart reports whether two points, at distances x and y inside of an edge's line, lie on different
// sides of it.
func (p *plane) apart(x, y float64) bool {
	return x > p.near && y < -p.near || x < -p.near && y > p.near
}
