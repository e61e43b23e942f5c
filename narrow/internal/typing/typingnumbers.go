package typing

import (
	"github.com/scree-dem/scree/vec"
)

// add appends a contact of two features.
func (s *Typist) add(list *ContactList, kind Type, a, b uint16) {
	c := BasicContact{Type: kind, A: a, B: b}
	s.number(&c)
	list.Basic = append(list.Basic, c)
}

// renumber recomputes point, normal and distance of all contacts.
func (s *Typist) renumber(list *ContactList) {
	for i := range list.Basic {
		s.number(&list.Basic[i])
	}
}

// number computes point, normal and distance of a contact from its features. The distance is along
// the normal of the plane, at the vertex, or where the two features cross as seen along the normal.
func (s *Typist) number(c *BasicContact) {
	n := s.Planes.Contact.N
	var p, q vec.Vec3
	var d float64
	switch c.Type {
	case TypeVertexFace:
		p = s.HullA.At(int(c.A))
		m, at := s.PlaneB(int(c.B))
		d = along(m.Dot(p)-at, -m.Dot(n))
	case TypeFaceVertex:
		q = s.HullB.At(int(c.B))
		m, at := s.PlaneA(int(c.A))
		d = along(m.Dot(q)-at, m.Dot(n))
		p = q.AddScaled(-d, n)
	default:
		p, q = s.Points(c, n)
		d = n.Dot(q.Sub(p))
	}
	k := 1 / s.Scale
	c.Point, c.Normal, c.Distance = s.RotA.Rotate(p.Scale(k)), s.Planes.Contact.World, d*k
}

// Points returns the points of A and of B at which two features, vertices or edges, cover each
// other as seen along n.
func (s *Typist) Points(c *BasicContact, n vec.Vec3) (p, q vec.Vec3) {
	i, j := int(c.A), int(c.B)
	switch c.Type {
	case TypeVertexVertex:
		return s.HullA.At(i), s.HullB.At(j)
	case TypeVertexEdge:
		p = s.HullA.At(i)
		q, q1 := s.EdgeB(j)
		return p, nearestAlong(p, q, q1, n)
	case TypeEdgeVertex:
		q = s.HullB.At(j)
		p, p1 := s.EdgeA(i)
		return nearestAlong(q, p, p1, n), q
	}
	p, p1 := s.EdgeA(i)
	q, q1 := s.EdgeB(j)
	return crossingAlong(p, p1, q, q1, n)
}

// along converts a height above a plane to a distance along a direction. cosine is that of the
// angle between the direction and the plane's normal. A contact reused by number may have turned
// away from its face: the height is then used as the distance.
func along(height, cosine float64) float64 {
	if cosine > 0.5 {
		return height / cosine
	}
	return height
}

// nearestAlong returns the point of the segment qq1 nearest to p as seen along n.
func nearestAlong(p, q, q1, n vec.Vec3) vec.Vec3 {
	e := q1.Sub(q)
	flat := e.AddScaled(-e.Dot(n), n)
	t := 0.0
	if l2 := flat.Norm2(); l2 > 0 {
		t = min(max(flat.Dot(p.Sub(q))/l2, 0), 1)
	}
	return q.AddScaled(t, e)
}

// crossingAlong returns the points at which two segments cross as seen along n: their middles if
// they are parallel.
func crossingAlong(p0, p1, q0, q1, n vec.Vec3) (p, q vec.Vec3) {
	e, f, w := p1.Sub(p0), q1.Sub(q0), q0.Sub(p0)
	s, t := 0.5, 0.5
	if c := e.Cross(f).Dot(n); c != 0 {
		s, t = min(max(w.Cross(f).Dot(n)/c, 0), 1), min(max(w.Cross(e).Dot(n)/c, 0), 1)
	}
	return p0.AddScaled(s, e), q0.AddScaled(t, f)
}
