package methods

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
)

// This file has the updated detection of the published search (2.3 and Fig. 9).

// leftBy is how far a point may be off its feature, in multiples of dtol, before the contact has
// left it. At corners and edges of sharp angles, points within dtol of all faces are up to twice as
// far off.
// Smaller: fds-paper drops contacts of sharp corners. Larger: contacts stay beside their features.
const leftBy = 2

// retained establishes the VCPs of the contacts of the step before, and counts n_v: the vertices
// within dtol of their body's VCP, of those of the listed features and those one edge away. If n_v
// is that of the step before, type and contacts stay, with new numbers. Otherwise retained returns
// false, with the local lists filled.
//
// A contact whose point has left its features is no contact any more, whatever n_v is. It leaves the
// list. The VCP that counts is that of the deepest contact.
func (s *Methods) retained(list *typing.ContactList) bool {
	p := &s.Paper
	p.before = deepest(list.Basic).Distance * s.Scale
	s.joinLists(list.Basic)
	s.noteParallel(list)
	kept := 0
	for i := range list.Basic {
		c := list.Basic[i]
		if vcp, ok := s.planesOf(&c); ok && vcp.d <= leftBy*p.near && s.stays(&c, &vcp) {
			s.number(&c, &vcp)
			// Swap, so that what leaves is still in the list if the local lists follow.
			list.Basic[i], list.Basic[kept] = list.Basic[kept], c
			kept++
		}
	}
	if kept == 0 {
		return false
	}
	deep := deepest(list.Basic[:kept])
	if nv := s.countAt(deep); nv != list.Kept.Count || deep.Distance*s.Scale > p.near {
		return false
	}
	list.Basic = list.Basic[:kept]
	return true
}

// countNear returns n_v of a list.
func (s *Methods) countNear(list *typing.ContactList) int {
	checked := s.Paper.Lists
	for k := range checked {
		s.Paper.Lists[k] = s.Paper.spare[k]
		s.Paper.Lists[k].reset(s.Paper.sides[k].V)
	}
	s.joinLists(list.Basic)
	nv := s.countAt(deepest(list.Basic))
	s.Paper.spare, s.Paper.Lists = s.Paper.Lists, checked
	return nv
}

// stays reports whether the points of a contact are still on its features. planesOf has made sure of
// this for two edges, except that they cross.
func (s *Methods) stays(c *typing.BasicContact, vcp *planes) bool {
	p := &s.Paper
	a, b := &p.sides[0], &p.sides[1]
	tol := leftBy * p.near
	w := vcp.q.Sub(vcp.p)
	across := w.AddScaled(-vcp.d, vcp.n).Norm()
	switch c.Type {
	case typing.TypeVertexVertex:
		return across <= tol
	case typing.TypeVertexEdge:
		return across <= tol && s.within(b, b.V.Edge[c.B], vcp, 1)
	case typing.TypeEdgeVertex:
		return across <= tol && s.within(a, a.V.Edge[c.A], vcp, 0)
	case typing.TypeVertexFace:
		return s.onFace(b, soa.Face(c.B), vcp, 1)
	case typing.TypeFaceVertex:
		return s.onFace(a, soa.Face(c.A), vcp, 0)
	}
	_, clear := s.crossing(a.V.Edge[c.A], b.V.Edge[c.B], vcp.n)
	return clear > 0
}

// within reports whether the point of a VCP lies between the ends of an edge, to dtol.
func (s *Methods) within(o *paperBody, h soa.HalfEdge, vcp *planes, k int) bool {
	x := vcp.point(k)
	t, u := o.H.At(int(o.V.Tail[h])), o.H.At(int(o.V.Head(h)))
	e := u.Sub(t).Unit()
	return e.Dot(x.Sub(t)) >= -s.Paper.near && e.Dot(u.Sub(x)) >= -s.Paper.near
}

// onFace reports whether the point of a VCP is at most dtol outside the faces next to face f.
func (s *Methods) onFace(o *paperBody, f soa.Face, vcp *planes, k int) bool {
	x := vcp.point(k)
	first := o.V.LoopFirst[f]
	for h := first; h < first+o.V.LoopLen[f]; h++ {
		if s.height(o, o.V.Face[o.V.Twin[h]], x) > s.Paper.near {
			return false
		}
	}
	return true
}

// countAt counts n_v for the VCPs of a contact, which has its numbers. It adds to the local lists the
// vertices that count, the edges that lead to these, and the faces of these edges.
func (s *Methods) countAt(c *typing.BasicContact) (nv int) {
	n, at := s.RotA.RotateInv(c.Normal), s.RotA.RotateInv(c.Point).Scale(s.Scale)
	vcp := planes{n: n, p: at, q: at.AddScaled(c.Distance*s.Scale, n)}
	for k := range s.Paper.Lists {
		v, l := s.Paper.sides[k].V, &s.Paper.Lists[k]
		for _, i := range l.Verts[:len(l.Verts)] {
			if s.nearPlane(k, soa.Vertex(i), &vcp) {
				nv++
			}
			for _, h := range pair.RingOf(v, i) {
				if to := v.Head(h); !l.inVert[to] && s.nearPlane(k, to, &vcp) {
					nv++
					l.addVertex(uint16(to))
					l.addEdge(pair.EdgeNumber(v, h))
					l.addFace(v.Face[h])
					l.addFace(v.Face[v.Twin[h]])
				}
			}
		}
	}
	return nv
}

// joinLists adds to the local lists what the adjacency rules give for the features of contacts: a
// face has its edges and vertices, an edge its ends and faces, a vertex its edges and faces.
func (s *Methods) joinLists(list []typing.BasicContact) {
	for i := range list {
		c := &list[i]
		for k, id := range [2]uint16{c.A, c.B} {
			v, l := s.Paper.sides[k].V, &s.Paper.Lists[k]
			switch dimensions[c.Type][k] {
			case 0:
				l.addVertex(id)
				for _, h := range pair.RingOf(v, id) {
					l.addEdge(pair.EdgeNumber(v, h))
					l.addFace(v.Face[h])
				}
			case 1:
				h := v.Edge[id]
				l.addEdge(id)
				l.addVertex(uint16(v.Tail[h]))
				l.addVertex(uint16(v.Head(h)))
				l.addFace(v.Face[h])
				l.addFace(v.Face[v.Twin[h]])
			case 2:
				l.addFace(soa.Face(id))
				first := v.LoopFirst[id]
				for h := first; h < first+v.LoopLen[id]; h++ {
					l.addVertex(uint16(v.Tail[h]))
					l.addEdge(pair.EdgeNumber(v, h))
				}
			}
		}
	}
}

// dimensions of the features of A and B by the type of a contact: 0 a vertex, 1 an edge, 2 a face.
var dimensions = [typing.NTypes][2]int{
	typing.TypeVertexEdge: {0, 1}, typing.TypeVertexFace: {0, 2}, typing.TypeEdgeVertex: {1, 0}, typing.TypeFaceVertex: {2, 0},
	typing.TypeEdgeEdge: {1, 1},
}

// reset empties the lists.
func (l *FeatureSet) reset(v *soa.View) {
	l.Verts, l.Edges, l.Faces = l.Verts[:0], l.Edges[:0], l.Faces[:0]
	l.inVert, l.inEdge, l.inFace = cleared(l.inVert, v.NVerts), cleared(l.inEdge, len(v.Edge)), cleared(l.inFace, v.NFaces)
}

func (l *FeatureSet) addVertex(k uint16) {
	if !l.inVert[k] {
		l.inVert[k], l.Verts = true, append(l.Verts, k)
	}
}

func (l *FeatureSet) addEdge(e uint16) {
	if !l.inEdge[e] {
		l.inEdge[e], l.Edges = true, append(l.Edges, e)
	}
}

func (l *FeatureSet) addFace(f soa.Face) {
	if !l.inFace[f] {
		l.inFace[f], l.Faces = true, append(l.Faces, uint16(f))
	}
}
