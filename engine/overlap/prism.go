package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// prism is the solid that stands for a facet: the triangle, and the triangle moved along the facet's
// normal away from the other body's centroid by that body's diameter. Then a contact at the facet's
// edge is cut as it would be at the edge of a thick block, and walls of facets and of blocks agree
// (PFC, rigid block contacts with wall facets).
//
// We depart from that text in one case: where the contact normal is within 60° of the facet's and the
// other body leaves through the side its centroid is not on, the normal decides. A section through the
// wrong side of the facet would be empty.
//
//	  2          vertices 0, 1, 2: the triangle, counter-clockwise seen from outside
//	 / \         vertices 3, 4, 5: below it
//	0---1
//	| 5 |
//	3---4
type prism struct {
	view    soa.View
	x, y, z [soa.Lanes]float64
}

// The adjacency of every prism. Half-edges of face f are those from loopFirst[f].
var (
	prismTail      = []soa.Vertex{0, 1, 2, 3, 5, 4, 1, 0, 3, 4, 2, 1, 4, 5, 0, 2, 5, 3}
	prismLoopFirst = []soa.HalfEdge{0, 3, 6, 10, 14}
	prismLoopLen   = []soa.HalfEdge{3, 3, 4, 4, 4}
)

// init sets up what does not change from facet to facet.
func (p *prism) init() {
	v := &p.view
	v.Kind, v.NVerts, v.NFaces = soa.Block, 6, 5
	v.X, v.Y, v.Z = p.x[:], p.y[:], p.z[:]
	v.Tail, v.LoopFirst, v.LoopLen = prismTail, prismLoopFirst, prismLoopLen
	v.Face = make([]soa.Face, len(prismTail))
	v.Twin = make([]soa.HalfEdge, len(prismTail))
	for f := range prismLoopFirst {
		for i := range prismLoopLen[f] {
			v.Face[prismLoopFirst[f]+i] = soa.Face(f)
		}
	}
	for h := range prismTail {
		for g := range prismTail {
			from, to := prismTail[h], prismTail[v.Next(soa.HalfEdge(h))]
			if prismTail[g] == to && prismTail[v.Next(soa.HalfEdge(g))] == from {
				v.Twin[h] = soa.HalfEdge(g)
			}
		}
	}
	for k := range soa.Vertex(6) {
		v.RingFirst = append(v.RingFirst, soa.HalfEdge(len(v.Ring)))
		for h, tail := range prismTail {
			if tail == k {
				v.Ring = append(v.Ring, soa.HalfEdge(h))
			}
		}
		v.RingLen = append(v.RingLen, soa.HalfEdge(len(v.Ring))-v.RingFirst[k])
	}
}

// extrude replaces the facet of s by its prism. rot is the facet's; other is the other body's centroid
// relative to the midpoint of the witness points, world axes; diameter is the other body's, m.
//
// The prism's origin is the triangle's first vertex, not that of the facet's frame, which is the wall's
// and may be far away.
func (p *prism) extrude(s *side, rot vec.Quat, other vec.Vec3, diameter float64) {
	v := s.view
	first := v.Vert(0)
	t := [3]vec.Vec3{{}, v.Vert(1).Sub(first), v.Vert(2).Sub(first)}
	radius := math.Sqrt(max(t[1].Norm2(), t[2].Norm2()))
	s.at = s.at.Add(rot.Rotate(first))
	away := v.Normal(0)
	height := away.Dot(rot.RotateInv(other.Sub(s.at)))
	facing := away.Dot(s.out)
	switch {
	case math.Abs(facing) > 0.5 || height == 0:
		if facing > 0 {
			away = away.Neg()
		}
	case height > 0:
		away = away.Neg()
	}
	if away == v.Normal(0) {
		// The outside is where the face with the other normal looks.
		t[1], t[2] = t[2], t[1]
	}
	for k, q := range t {
		r := q.AddScaled(diameter, away)
		p.x[k], p.y[k], p.z[k] = q.X, q.Y, q.Z
		p.x[k+3], p.y[k+3], p.z[k+3] = r.X, r.Y, r.Z
	}
	s.view, s.radius, s.nTop = &p.view, radius+diameter, 3
}
