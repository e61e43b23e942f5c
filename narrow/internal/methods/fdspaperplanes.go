package methods

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// This file has the tests for valid entrances (2.1.1 of the published search) and the virtual
// contact planes that follow from these (2.1.3).

// vertexOut reports whether vertex v of body o and face f of body on are a valid entrance. First the
// mean of the edge vectors at v must point out of the half-space of f, then each of them. tol is how
// much nearer to the face than v the far end of an edge may be.
func (s *Methods) vertexOut(o *paperBody, v soa.Vertex, on *paperBody, f soa.Face, tol float64) bool {
	s.Paper.Checks.Entrance++
	m := on.normals[f]
	from, sum := m.Dot(o.H.At(int(v))), 0.0
	ring := pair.RingOf(o.V, v)
	for _, h := range ring {
		sum += m.Dot(o.H.At(int(o.V.Head(h)))) - from
	}
	if sum < -tol*float64(len(ring)) {
		return false
	}
	for _, h := range ring {
		if m.Dot(o.H.At(int(o.V.Head(h))))-from < -tol {
			return false
		}
	}
	return true
}

// edgeOut is vertexOut for a point within the edge of h. The edge vectors there are the two
// directions of the edge, and those along its two faces.
func (s *Methods) edgeOut(o *paperBody, h soa.HalfEdge, on *paperBody, f soa.Face, tol float64) bool {
	s.Paper.Checks.Entrance++
	m := on.normals[f]
	t, u := s.besides(o, h, m)
	return math.Abs(m.Dot(o.H.At(int(o.V.Head(h))).Sub(o.H.At(int(o.V.Tail[h]))))) <= tol && min(t, u) >= -tol
}

// besides returns how far two vectors along the faces of an edge reach along n: the edges that
// follow h and its twin in their faces.
func (s *Methods) besides(o *paperBody, h soa.HalfEdge, n vec.Vec3) (left, right float64) {
	v, k := o.V, o.V.Twin[h]
	left = n.Dot(o.H.At(int(v.Head(v.Next(h)))).Sub(o.H.At(int(v.Head(h)))))
	right = n.Dot(o.H.At(int(v.Head(v.Next(k)))).Sub(o.H.At(int(v.Tail[h]))))
	return left, right
}

// edgesOut reports whether two edges, of h of A and k of B, are a valid entrance: the plane with
// normal n separates their dihedral angles. tol is as for vertexOut.
func (s *Methods) edgesOut(h, k soa.HalfEdge, n vec.Vec3, tol float64) bool {
	s.Paper.Checks.Entrance++
	a, a2 := s.besides(&s.Paper.sides[0], h, n)
	b, b2 := s.besides(&s.Paper.sides[1], k, n)
	return max(a, a2) <= tol && min(b, b2) >= -tol
}

// edgeNormal returns the normal of two edges, from A to B: their cross product, or the normal of a
// face next to one of them in which the other lies. crossing is true for the cross product. ok is
// false if the edges are parallel, or if no such face is a valid entrance.
func (s *Methods) edgeNormal(h, k soa.HalfEdge) (n vec.Vec3, crossing, ok bool) {
	p := &s.Paper
	a, b := &p.sides[0], &p.sides[1]
	p0, p1 := a.H.At(int(a.V.Tail[h])), a.H.At(int(a.V.Head(h)))
	q0, q1 := b.H.At(int(b.V.Tail[k])), b.H.At(int(b.V.Head(k)))
	crossing = true
	try := func(m, edge vec.Vec3) bool {
		if math.Abs(m.Dot(edge)) > p.near {
			return false
		}
		n, crossing = m, false
		return s.edgesOut(h, k, n, p.near)
	}
	for _, side := range [2]soa.HalfEdge{k, b.V.Twin[k]} {
		if try(b.normals[b.V.Face[side]].Neg(), p1.Sub(p0)) {
			return n, false, true
		}
	}
	for _, side := range [2]soa.HalfEdge{h, a.V.Twin[h]} {
		if try(a.normals[a.V.Face[side]], q1.Sub(q0)) {
			return n, false, true
		}
	}
	if !crossing {
		return n, false, false
	}
	n, ok = s.crossProduct(h, k)
	return n, true, ok
}

// crossProduct returns the unit cross product of two edges, pointing out of A. It returns false if
// they are parallel.
func (s *Methods) crossProduct(h, k soa.HalfEdge) (n vec.Vec3, ok bool) {
	a, b := &s.Paper.sides[0], &s.Paper.sides[1]
	n, ok = pair.Crossing(a.H.At(int(a.V.Tail[h])), a.H.At(int(a.V.Head(h))), b.H.At(int(b.V.Tail[k])), b.H.At(int(b.V.Head(k))))
	if left, right := s.besides(a, h, n); left+right > 0 {
		n = n.Neg()
	}
	return n, ok
}

// crossing returns the VCPs of two edges that cross as seen along n. clear is the least distance,
// seen along n, of an end of either edge from the line of the other. It is not positive if the edges
// do not cross.
func (s *Methods) crossing(h, k soa.HalfEdge, n vec.Vec3) (vcp planes, clear float64) {
	a, b := &s.Paper.sides[0], &s.Paper.sides[1]
	p0, p1 := a.H.At(int(a.V.Tail[h])), a.H.At(int(a.V.Head(h)))
	q0, q1 := b.H.At(int(b.V.Tail[k])), b.H.At(int(b.V.Head(k)))
	u, w := n.Cross(q1.Sub(q0)).Unit(), n.Cross(p1.Sub(p0)).Unit() // across the edge of B, of A
	x0, x1, y0, y1 := u.Dot(p0.Sub(q0)), u.Dot(p1.Sub(q0)), w.Dot(q0.Sub(p0)), w.Dot(q1.Sub(p0))
	clear = min(math.Abs(x0), math.Abs(x1), math.Abs(y0), math.Abs(y1))
	if x0*x1 >= 0 || y0*y1 >= 0 {
		return s.planesThrough(n, p0, q0), -clear
	}
	return s.planesThrough(n, p0.AddScaled(x0/(x0-x1), p1.Sub(p0)), q0.AddScaled(y0/(y0-y1), q1.Sub(q0))), clear
}

func (s *Methods) planesThrough(n, p, q vec.Vec3) planes {
	d := n.Dot(q.Sub(p))
	return planes{n: n, p: p, q: q, d: d, holds: n, least: d}
}

// planesAt returns the VCPs of the features of an entrance.
func (s *Methods) planesAt(at *entrance) planes {
	switch at.id.Kind {
	case soa.VertexFace:
		p := s.HullA.At(int(at.id.A))
		return s.planesThrough(at.n, p, p.AddScaled(at.d, at.n))
	case soa.FaceVertex:
		q := s.HullB.At(int(at.id.B))
		return s.planesThrough(at.n, q.AddScaled(-at.d, at.n), q)
	}
	vcp, _ := s.crossing(s.ViewA.Edge[at.id.A], s.ViewB.Edge[at.id.B], at.n)
	return vcp
}

// planesOf returns the VCPs of a contact. It returns false if the contact has no valid entrance.
func (s *Methods) planesOf(c *typing.BasicContact) (vcp planes, ok bool) {
	a, b := &s.Paper.sides[0], &s.Paper.sides[1]
	i, j := int(c.A), int(c.B)
	at := entrance{id: soa.FacetID{Kind: facetKind[c.Type], A: c.A, B: c.B}}
	switch c.Type {
	case typing.TypeVertexFace:
		at.n, at.d = b.normals[j].Neg(), s.height(b, soa.Face(j), a.H.At(i))
		return s.planesAt(&at), true
	case typing.TypeFaceVertex:
		at.n, at.d = a.normals[i], s.height(a, soa.Face(i), b.H.At(j))
		return s.planesAt(&at), true
	case typing.TypeEdgeEdge:
		if at.n, _, ok = s.edgeNormal(a.V.Edge[i], b.V.Edge[j]); ok {
			vcp = s.planesAt(&at)
		}
		return vcp, ok
	}
	n, ok := s.meanOfEntrances(c.Type != typing.TypeEdgeVertex, c.A, c.Type != typing.TypeVertexEdge, c.B)
	if s.Paper.parallel {
		n, ok = s.meanOfEntrances(false, s.Paper.along[0], false, s.Paper.along[1])
	}
	s.Paper.Checks.Distance++
	var p, q vec.Vec3
	switch c.Type {
	case typing.TypeVertexVertex:
		p, q = a.H.At(i), b.H.At(j)
	case typing.TypeVertexEdge:
		p = a.H.At(i)
		q = projected(p, b, b.V.Edge[j])
	default:
		q = b.H.At(j)
		p = projected(q, a, a.V.Edge[i])
	}
	vcp = s.planesThrough(n, p, q)
	vcp.least = math.Inf(-1)
	for _, m := range s.Paper.normals {
		if d := m.Dot(q.Sub(p)); d > vcp.least {
			vcp.holds, vcp.least = m, d
		}
	}
	return vcp, ok && vcp.least <= leftBy*s.Paper.near // 2.1.4: apart along a valid entrance is no contact
}

// projected returns the orthogonal projection of x on the line of an edge.
func projected(x vec.Vec3, o *paperBody, h soa.HalfEdge) vec.Vec3 {
	t := o.H.At(int(o.V.Tail[h]))
	e := o.H.At(int(o.V.Head(h))).Sub(t)
	return t.AddScaled(x.Sub(t).Dot(e)/e.Norm2(), e)
}

// clearlyOut is how far the edge vectors next to two edges must reach out of their plane, in length
// scales, for the pair to have a normal of its own. Smaller: rounding adds normals of faces twice.
const clearlyOut = 1.0 / (1 << 20)

// meanOfEntrances returns the mean of the normals of the valid entrances between the features that
// join a v-v or v-e contact: v-f, f-v and e-e. It returns false if none is valid. A pair of edges must
// clearly be one: an edge in a face next to the other has that face's normal, which the mean has. A
// feature is the vertex i of A if pointA is true, else the edge i; j and pointB are those of B.
func (s *Methods) meanOfEntrances(pointA bool, i uint16, pointB bool, j uint16) (n vec.Vec3, ok bool) {
	p := &s.Paper
	a, b := &p.sides[0], &p.sides[1]
	edgesA, edgesB := edgesAt(a, pointA, i), edgesAt(b, pointB, j)
	out := func(o *paperBody, point bool, k uint16, on *paperBody, f soa.Face) bool {
		if point {
			return s.vertexOut(o, soa.Vertex(k), on, f, p.near)
		}
		return s.edgeOut(o, o.V.Edge[k], on, f, p.near)
	}
	p.normals = p.normals[:0]
	for _, k := range edgesB {
		for f := range b.facesAt(k, pointB) {
			if out(a, pointA, i, b, f) {
				p.normals = append(p.normals, b.normals[f].Neg())
			}
		}
	}
	for _, h := range edgesA {
		for f := range a.facesAt(h, pointA) {
			if out(b, pointB, j, a, f) {
				p.normals = append(p.normals, a.normals[f])
			}
		}
	}
	for _, h := range edgesA {
		for _, k := range edgesB {
			if m, crosses := s.crossProduct(h, k); crosses && s.edgesOut(h, k, m, -float64(clearlyOut*s.LengthScale)) {
				p.normals = append(p.normals, m)
			}
		}
	}
	for _, m := range p.normals {
		n = n.Add(m)
	}
	n = n.Unit()
	return n, n != (vec.Vec3{})
}

// noteParallel notes the two edges of a pair of type e-e-parallel with two contacts. Its contacts
// have the normals of the entrances between these edges. An end of an edge has other entrances, which
// the whole edge has not.
func (s *Methods) noteParallel(list *typing.ContactList) {
	p := &s.Paper
	if p.parallel = list.Type == typing.TypeEdgeParallel && len(list.Basic) == 2; p.parallel {
		s.commonEdges(&list.Basic[0], &list.Basic[1])
	}
}

// commonEdges sets p.along to the edges of A and of B that two contacts, v-v or v-e, have in common. ok
// is false for a body that has no such edge.
func (s *Methods) commonEdges(c, d *typing.BasicContact) (ok [2]bool) {
	p := &s.Paper
	for k, ids := range [2][2]uint16{{c.A, d.A}, {c.B, d.B}} {
		v := p.sides[k].V
		first, second := dimensions[c.Type][k] == 1, dimensions[d.Type][k] == 1
		switch {
		case first:
			p.along[k], ok[k] = ids[0], !second || ids[0] == ids[1]
		case second:
			p.along[k], ok[k] = ids[1], true
		default: // the edge between two vertices
			for _, h := range pair.RingOf(v, ids[0]) {
				if uint16(v.Head(h)) == ids[1] {
					p.along[k], ok[k] = pair.EdgeNumber(v, h), true
				}
			}
		}
	}
	return ok
}

// edgesAt returns the half-edges at a vertex, or that of an edge.
func edgesAt(o *paperBody, point bool, k uint16) []soa.HalfEdge {
	if point {
		return pair.RingOf(o.V, k)
	}
	return o.V.Edge[k : k+1]
}

// facesAt yields the face of h and, unless h leaves a vertex whose other edges have it, that of its
// twin.
func (o *paperBody) facesAt(h soa.HalfEdge, point bool) func(yield func(soa.Face) bool) {
	return func(yield func(soa.Face) bool) {
		_ = yield(o.V.Face[h]) && !point && yield(o.V.Face[o.V.Twin[h]])
	}
}

// number writes point, normal and distance of a contact from its VCPs, world axes.
func (s *Methods) number(c *typing.BasicContact, vcp *planes) {
	k := 1 / s.Scale
	c.Point, c.Normal, c.Distance = s.RotA.Rotate(vcp.p.Scale(k)), s.RotA.Rotate(vcp.n), vcp.d*k
}
