package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
)

// facetView is a temporary facet: a convex part of a group around a block. Frame: that of the
// group's plane. It has only the columns of a facet that narrow.Search.Exhaustive and
// section.Cutter.Reduced read; all others are empty.
type facetView struct {
	view          soa.View
	outline, next []point
	n             int // number of corners for which the adjacency is set up
}

// begin sets the outline to a window.
func (p *facetView) begin(v window) {
	p.outline = append(p.outline[:0], v.lo, point{v.hi.x, v.lo.y}, v.hi, point{v.lo.x, v.hi.y})
}

// cutBy removes the part of the outline to the right of a line.
func (p *facetView) cutBy(line *segment) {
	p.next = line.cutBy(p.next[:0], p.outline)
	p.outline, p.next = p.next, p.outline
}

// cut builds the facet of a window and the boundary edges in it, given as whole edges and clipped
// to the window. It returns false if the group in the window is not convex within the width of a
// seam: if a part of a boundary edge lies beyond the line of another one. Otherwise the group is
// convex, because the boundary edges lie on the outline of what their lines leave of the window.
func (p *facetView) cut(v window, whole, clipped []segment, seam float64) bool {
	for i := range whole {
		if slices.ContainsFunc(clipped, func(r segment) bool { return whole[i].left(r.a) < -seam || whole[i].left(r.b) < -seam }) {
			return false
		}
	}
	p.begin(v)
	for i := range whole {
		if slices.ContainsFunc(p.outline, func(q point) bool { return whole[i].left(q) < -seam }) {
			p.cutBy(&whole[i])
		}
	}
	return p.build()
}

// build builds the view of the outline. It returns false if the outline has no area.
func (p *facetView) build() bool {
	n := len(p.outline)
	if n < 3 || n > soa.MaxVerts {
		return false
	}
	p.shape(n)
	v := &p.view
	v.Radius = 0
	twice := 0.0
	for k := range len(v.X) {
		q := p.outline[min(k, n-1)]
		v.X[k], v.Y[k] = q.x, q.y
		v.Radius = max(v.Radius, math.Sqrt(float64(q.x*q.x)+float64(q.y*q.y)))
		if k > 1 && k < n {
			twice += segment{p.outline[0], p.outline[k-1]}.cross(q)
		}
	}
	return twice > 0
}

// shape sets up a dihedron of n corners, in the same layout as geometry.FacetPolygonTemplate and
// soa.Shapes. It allocates if n is the largest so far.
func (p *facetView) shape(n int) {
	if p.n == n {
		return
	}
	p.n = n
	v, m := &p.view, soa.Pad(n)
	v.Kind, v.NVerts, v.NFaces = soa.Facet, n, 2
	v.X, v.Y, v.Z = soa.Resize(v.X, m), soa.Resize(v.Y, m), soa.Resize(v.Z, m)
	clear(v.Z)
	if v.NX == nil {
		v.NX, v.NY, v.NZ, v.D = soa.Float64s(soa.Lanes), soa.Float64s(soa.Lanes), soa.Float64s(soa.Lanes), soa.Float64s(soa.Lanes)
		v.NZ[0], v.NZ[1] = 1, -1
		for f := 2; f < soa.Lanes; f++ {
			v.D[f] = math.MaxFloat64
		}
		v.Caps = make([]float64, soa.Lanes)
		v.LoopFirst, v.LoopLen = make([]soa.HalfEdge, 2), make([]soa.HalfEdge, 2)
		v.QuadOfFace = make([]soa.Quad, soa.Lanes)
	}
	v.LoopFirst[1], v.LoopLen[0], v.LoopLen[1] = soa.HalfEdge(n), soa.HalfEdge(n), soa.HalfEdge(n)
	v.RingFirst, v.RingLen = soa.Resize(v.RingFirst, n), soa.Resize(v.RingLen, n)
	v.Ring, v.Tail, v.Twin = soa.Resize(v.Ring, 2*n), soa.Resize(v.Tail, 2*n), soa.Resize(v.Twin, 2*n)
	v.Face, v.Edge = soa.Resize(v.Face, 2*n), soa.Resize(v.Edge, n)
	for k := range n {
		back := n + (n-k)%n
		v.Tail[k], v.Tail[n+k] = soa.Vertex(k), soa.Vertex((n-k)%n)
		v.Twin[k], v.Twin[n+k] = soa.HalfEdge(2*n-1-k), soa.HalfEdge(n-1-k)
		v.Face[k], v.Face[n+k] = 0, 1
		v.Edge[k] = soa.HalfEdge(k)
		v.RingFirst[k], v.RingLen[k] = soa.HalfEdge(2*k), 2
		v.Ring[2*k], v.Ring[2*k+1] = soa.HalfEdge(k), soa.HalfEdge(back)
	}
}
