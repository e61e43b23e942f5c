package section

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// drum is the solid that replaces a facet: the facet's polygon extruded along its normal. The
// prism extends away from the other body's centroid, by that body's diameter. A contact at the
// facet's edge is then cut as at the edge of a thick block, so walls of facets and walls of blocks
// agree (PFC, rigid block contacts with wall facets).
//
// We depart from the source in one case. If the contact normal is within 60° of the facet's normal,
// the contact normal decides the side, and not the centroid. The two differ if the other body
// leaves through the side where its centroid is not. A section through the wrong side of the facet
// would be empty.
//
//	  2          vertices 0 to n-1: the polygon, counter-clockwise seen from outside
//	 / \         vertices n to 2n-1: below them
//	0---1        face 0 is the polygon, 1 the one below, 2+k the side below the edge from k to k+1;
//	| 5 |        half-edges: n, n, and 4 for each side
//	3---4
type drum struct {
	view soa.View
	n    int // number of corners for which the adjacency is set up
}

// shape sets up the adjacency for a polygon of n corners. It allocates if n is the largest so far.
// Cost: 6n half-edges; nothing if n is that of the last facet.
func (p *drum) shape(n int) {
	if p.n == n {
		return
	}
	p.n = n
	v := &p.view
	v.Kind, v.NVerts, v.NFaces = soa.Block, 2*n, n+2
	if cap(v.Tail) < 6*n {
		// All columns are allocated together, so one capacity stands for all. The capacity is twice
		// what is needed, so facets with an increasing number of corners do not allocate each time.
		m := 2 * n
		v.X, v.Y, v.Z = soa.Float64s(2*m), soa.Float64s(2*m), soa.Float64s(2*m)
		v.LoopFirst, v.LoopLen = make([]soa.HalfEdge, m+2), make([]soa.HalfEdge, m+2)
		v.RingFirst, v.RingLen = make([]soa.HalfEdge, 2*m), make([]soa.HalfEdge, 2*m)
		v.Tail, v.Face = make([]soa.Vertex, 6*m), make([]soa.Face, 6*m)
		v.Twin, v.Ring = make([]soa.HalfEdge, 6*m), make([]soa.HalfEdge, 6*m)
	}
	v.X, v.Y, v.Z = v.X[:2*n], v.Y[:2*n], v.Z[:2*n]
	v.LoopFirst, v.LoopLen = v.LoopFirst[:n+2], v.LoopLen[:n+2]
	v.RingFirst, v.RingLen = v.RingFirst[:2*n], v.RingLen[:2*n]
	v.Tail, v.Face, v.Twin, v.Ring = v.Tail[:6*n], v.Face[:6*n], v.Twin[:6*n], v.Ring[:6*n]

	v.LoopFirst[0], v.LoopLen[0] = 0, soa.HalfEdge(n)
	v.LoopFirst[1], v.LoopLen[1] = soa.HalfEdge(n), soa.HalfEdge(n)
	for k := range n {
		next, last := (k+1)%n, (k+n-1)%n
		top, below := k, n+(n-1-k) // edges k → k+1, and n+k+1 → n+k because the face below is walked backwards
		side := 2*n + 4*k
		v.LoopFirst[2+k], v.LoopLen[2+k] = soa.HalfEdge(side), 4
		p.join(side, next, 2+k, top)              // k+1 → k
		p.join(side+1, k, 2+k, 2*n+4*last+3)      // k → n+k
		p.join(side+2, n+k, 2+k, below)           // n+k → n+k+1
		p.join(side+3, n+next, 2+k, 2*n+4*next+1) // n+k+1 → k+1
		p.join(top, k, 0, side)
		p.join(below, n+next, 1, side+2)
		p.ring(k, top, side+1, 2*n+4*last)
		p.ring(n+k, n+(n-k)%n, side+2, 2*n+4*last+3)
	}
}

// join writes one half-edge.
func (p *drum) join(h, tail, face, twin int) {
	v := &p.view
	v.Tail[h], v.Face[h], v.Twin[h] = soa.Vertex(tail), soa.Face(face), soa.HalfEdge(twin)
}

// ring writes the three half-edges that leave a vertex.
func (p *drum) ring(k, h0, h1, h2 int) {
	v := &p.view
	v.RingFirst[k], v.RingLen[k] = soa.HalfEdge(3*k), 3
	v.Ring[3*k], v.Ring[3*k+1], v.Ring[3*k+2] = soa.HalfEdge(h0), soa.HalfEdge(h1), soa.HalfEdge(h2)
}

// Upright is the cosine of the least angle between a facet's normal and that of a contact at which
// the facet is upright: the contact's normal does not tell on which side the wall has material. The
// facet's prism then extends away from the other body's centroid.
// Smaller: the side of a table counts as material beyond its rim. Larger: one slope of a steep
// ridge does not place the contact.
const Upright = 0.5

// extrude replaces the facet of s by its prism. at is the pose of the facet. other is the other
// body's centroid relative to the midpoint of the witness points, world axes. diameter is the other
// body's, m.
//
// The prism's origin is the polygon's first vertex, because the origin of the facet's frame, the
// wall's, may be far away. The prism's radius is about the midpoint, so it does not depend on which
// corner is the first.
func (p *drum) extrude(s *cutBody, at *pose, other vec.Vec3, diameter float64) {
	v, n := s.view, s.view.NVerts
	p.shape(n)
	first := v.Vert(0)
	s.at = s.at.Add(at.toWorld(first))
	away := v.Normal(0)
	height := away.Dot(at.toBody(other.Sub(s.at)))
	facing := away.Dot(s.out)
	switch {
	case math.Abs(facing) > Upright || height == 0:
		if facing > 0 {
			away = away.Neg()
		}
	case height > 0:
		away = away.Neg()
	}
	// If the prism extends along normal 0, its outer face has the opposite normal. Seen from there,
	// the polygon turns backwards.
	backwards := away == v.Normal(0)
	origin := at.toBody(s.at)
	x, y, z := p.view.X, p.view.Y, p.view.Z
	radius2 := 0.0
	for k := range n {
		from := k
		if backwards && k > 0 {
			from = n - k
		}
		q := v.Vert(soa.Vertex(from)).Sub(first)
		r := q.AddScaled(diameter, away)
		radius2 = max(radius2, q.Add(origin).Norm2())
		x[k], y[k], z[k] = q.X, q.Y, q.Z
		x[n+k], y[n+k], z[n+k] = r.X, r.Y, r.Z
	}
	s.view, s.radius, s.nTop = &p.view, math.Sqrt(radius2)+diameter, n
}

// Behind returns the direction, a unit normal of the facet, in which a facet is extruded that a block at
// the origin touches along n: away from the block. Where the block touches an edge from the side, its
// centroid decides (Upright). pose is that of the facet, relative to the block's centroid.
func Behind(v *soa.View, pose vec.Pose, n vec.Vec3) vec.Vec3 {
	face := pose.Rot.Rotate(v.Normal(0))
	facing := face.Dot(n)
	if height := face.Dot(pose.Point(v.Vert(0))); math.Abs(facing) <= Upright && height != 0 {
		facing = height
	}
	if facing < 0 {
		return face.Neg()
	}
	return face
}
