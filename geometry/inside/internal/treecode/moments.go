package treecode

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/vec"
)

// moments are those of triangles about a place, as polynomials of a vector r. n dA is the area
// element and d its position relative to the place:
//
//	n(r) = ∫ n·r dA,  q(r) = ∫ (d·r)(n·r) dA,  t(r) = ∫ (d·r)²(n·r) dA
//
// Coefficients are in the order of asm.DipoleCluster.
type moments struct {
	n [3]float64
	q [6]float64
	t [10]float64
}

// pair and triple are the indices, among the coefficients, of products of coordinates.
var (
	pair   = [3][3]int{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}
	triple = [6][3]int{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}, {3, 6, 7}, {4, 7, 8}, {5, 8, 9}}
)

// addLinear adds k·a(r)·b(r).
func addLinear(to *[6]float64, k float64, a, b [3]float64) {
	for i, x := range a {
		for j, y := range b {
			to[pair[i][j]] += float64(float64(k*x) * y)
		}
	}
}

// addSquare adds k·a(r)·b(r), where a has degree 2.
func addSquare(to *[10]float64, k float64, a [6]float64, b [3]float64) {
	for i, x := range a {
		for j, y := range b {
			to[triple[i][j]] += float64(float64(k*x) * y)
		}
	}
}

// addTriangle adds a triangle whose corners are a, b, c relative to the place. The integral of d·dᵀ
// is a twelfth of the area times the sum of the squares of the corners and of their sum.
func (m *moments) addTriangle(a, b, c vec.Vec3) {
	area := b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
	sum := a.Add(b).Add(c)
	n := [3]float64{area.X, area.Y, area.Z}
	for k, v := range n {
		m.n[k] += v
	}
	var squares [6]float64
	for _, v := range [4]vec.Vec3{a, b, c, sum} {
		d := [3]float64{v.X, v.Y, v.Z}
		addLinear(&squares, 1.0/12, d, d)
	}
	addLinear(&m.q, 1.0/3, [3]float64{sum.X, sum.Y, sum.Z}, n)
	addSquare(&m.t, 1, squares, n)
}

// addMoved adds the moments o about a place at d relative to this place.
func (m *moments) addMoved(o *moments, d vec.Vec3) {
	by := [3]float64{d.X, d.Y, d.Z}
	for k, v := range o.n {
		m.n[k] += v
	}
	var once, squares [6]float64
	addLinear(&once, 1, by, o.n)
	addLinear(&squares, 1, by, by)
	for k, v := range once {
		m.q[k] += o.q[k] + v
	}
	for k, v := range o.t {
		m.t[k] += v
	}
	addSquare(&m.t, 2, o.q, by)
	addSquare(&m.t, 1, squares, o.n)
}

// cluster returns the moments as the kernel takes them. The solid angle has the expansion
//
//	n(r)/r³ + (Δq/2·r² - 3q(r))/r⁵ + (15/2·t(r) - 3/4·r²·Δt(r))/r⁷
//
// with the Laplace operator Δ, because the derivatives of 1/r are harmonic.
func (m *moments) cluster(center vec.Vec3) asm.DipoleCluster {
	c := asm.DipoleCluster{CX: center.X, CY: center.Y, CZ: center.Z, N: m.n}
	trace := m.q[0] + m.q[3] + m.q[5]
	for k, v := range m.q {
		c.Q[k] = -3 * v
	}
	for _, k := range [3]int{0, 3, 5} {
		c.Q[k] += trace
	}
	t := &m.t
	laplace := [3]float64{
		float64(6*t[0]) + float64(2*(t[3]+t[5])),
		float64(6*t[6]) + float64(2*(t[1]+t[8])),
		float64(6*t[9]) + float64(2*(t[2]+t[7])),
	}
	for k, v := range t {
		c.T[k] = 7.5 * v
	}
	addSquare(&c.T, -0.75, [6]float64{1, 0, 0, 1, 0, 1}, laplace)
	return c
}

// place is the center of a cluster and the radius of the cluster about it.
type place struct {
	center vec.Vec3
	radius float64
}

// gather computes the centers (means weighted by area), radii and moments of all nodes, from the
// leaves up.
func gather(t *clusters.Octree) (places []place, dipoles []asm.DipoleCluster) {
	places, dipoles = make([]place, len(t.Nodes)), make([]asm.DipoleCluster, len(t.Nodes))
	all := make([]moments, len(t.Nodes))
	for at := len(t.Nodes) - 1; at >= 0; at-- {
		n, p, m := &t.Nodes[at], &places[at], &all[at]
		sum, weight := vec.Vec3{}, 0.0
		if n.NChild == 0 {
			for _, k := range t.Tris[n.Lo:n.Hi] {
				a, b, c := t.Verts[k[0]].Sub(n.Center), t.Verts[k[1]].Sub(n.Center), t.Verts[k[2]].Sub(n.Center)
				area := b.Sub(a).Cross(c.Sub(a)).Norm()
				sum, weight = sum.AddScaled(area/3, a.Add(b).Add(c)), weight+area
			}
		}
		for c := n.Child; c < n.Child+n.NChild; c++ {
			area := t.Nodes[c].Area
			sum, weight = sum.AddScaled(area, places[c].center.Sub(n.Center)), weight+area
		}
		p.center = n.Center
		if weight > 0 {
			p.center = n.Center.Add(sum.Scale(1 / weight))
		}
		if n.NChild == 0 {
			for _, k := range t.Tris[n.Lo:n.Hi] {
				a, b, c := t.Verts[k[0]].Sub(p.center), t.Verts[k[1]].Sub(p.center), t.Verts[k[2]].Sub(p.center)
				m.addTriangle(a, b, c)
				p.radius = max(p.radius, a.Norm2(), b.Norm2(), c.Norm2())
			}
			p.radius = math.Sqrt(p.radius) // radius was squared until here
		}
		for c := n.Child; c < n.Child+n.NChild; c++ {
			d := places[c].center.Sub(p.center)
			m.addMoved(&all[c], d)
			p.radius = max(p.radius, d.Norm()+places[c].radius)
		}
		// The distance of the box's farthest corner is another bound.
		far := n.Box.Max.Sub(p.center).Max(p.center.Sub(n.Box.Min)).Norm()
		p.radius = min(p.radius, far)
		dipoles[at] = m.cluster(p.center)
	}
	return places, dipoles
}
