package narrow

import (
	"fmt"
	"math"
	"testing"

	convex "github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Shapes with faces at tiny angles to each other, as in the mesh of a smooth or machined body, in the precision of its file.

// exactHull returns the template of the hull of points with every facet, however small its angle to
// the next one.
func exactHull(name string, pts []vec.Vec3) (*soa.Template, error) {
	h, err := convex.Compute(pts, convex.Options{Merge: -1})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var centre vec.Vec3
	for _, i := range h.Verts {
		centre = centre.Add(pts[i].Scale(1 / float64(len(h.Verts))))
	}
	tpl := &soa.Template{Kind: soa.Block, LoopFirst: []soa.HalfEdge{0}, Inner: math.Inf(1)}
	for _, i := range h.Verts {
		p := pts[i].Sub(centre)
		tpl.Verts = append(tpl.Verts, p)
		tpl.Radius = max(tpl.Radius, p.Norm())
	}
	at := map[[2]int]soa.HalfEdge{}
	for f, loop := range h.Faces {
		n := h.Normals[f]
		d := math.Inf(-1)
		for _, p := range tpl.Verts {
			d = max(d, n.Dot(p))
		}
		tpl.Inner = min(tpl.Inner, float64(d*(1-0x1p-40)))
		for i, k := range loop {
			at[[2]int{k, loop[(i+1)%len(loop)]}] = soa.HalfEdge(len(tpl.Tail))
			tpl.Tail = append(tpl.Tail, soa.Vertex(k))
		}
		tpl.Normals, tpl.Offsets = append(tpl.Normals, n), append(tpl.Offsets, d)
		tpl.LoopFirst = append(tpl.LoopFirst, soa.HalfEdge(len(tpl.Tail)))
	}
	tpl.Twin = make([]soa.HalfEdge, len(tpl.Tail))
	for edge, h := range at {
		tpl.Twin[h] = at[[2]int{edge[1], edge[0]}]
	}
	return tpl, nil
}

// exactView is exactHull as a view.
func exactView(t testing.TB, name string, pts []vec.Vec3) *soa.View {
	t.Helper()
	tpl, err := exactHull(name, pts)
	if err != nil {
		t.Fatal(err)
	}
	return addTemplate(t, tpl)
}

// coinPoints returns the points of a prism of many sides whose two faces rise towards the middle,
// by bend times the diameter, in rings.
func coinPoints(sides, rings int, bend float64) (p []vec.Vec3) {
	for _, face := range []float64{-1, 1} {
		for k := range rings + 1 {
			r := 0.5 * (1 - float64(k)/float64(rings+1))
			z := face * (0.1 + float64(bend*(1-float64(4*r*r))))
			for i := range sides {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
				p = append(p, vec.V(r*cos, r*sin, z))
			}
		}
	}
	return p
}

// crownedPoints returns the points of a block whose six faces rise towards the middle by bend, on a
// grid of n by n.
func crownedPoints(n int, bend float64) (p []vec.Vec3) {
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			for i := range n {
				for j := range n {
					u, v := 2*float64(i)/float64(n-1)-1, 2*float64(j)/float64(n-1)-1
					w := side * (1 + float64(bend*(2-float64(u*u)-float64(v*v))))
					q := [3]float64{}
					q[axis], q[(axis+1)%3], q[(axis+2)%3] = w, u, v
					p = append(p, vec.V(q[0], 0.7*q[1], 0.5*q[2]))
				}
			}
		}
	}
	return p
}

// filletedPoints returns 240 points of a machined body: a bar with two rounded edges, whose upper
// side bulges by a hundredth, cut off at an angle at its end. Its coordinates are those of a
// single-precision file, so its flat faces bend by the last digit.
func filletedPoints() (p []vec.Vec3) {
	const steps, sections = 18, 6
	profile := []vec.Vec3{{X: -0.5, Z: -0.3}, {X: 0.5, Z: -0.3}}
	for k := range steps + 1 {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k) / steps)
		profile = append(profile, vec.V(0.3+float64(0.2*cos), 0, 0.1+float64(0.2*sin)), vec.V(-0.2-float64(0.3*cos), 0, 0.3*sin))
	}
	for k := range sections {
		along := float64(k) / (sections - 1)
		bulge := 1 + float64(0.04*along*(1-along))
		for _, q := range profile {
			x, z := q.X, q.Z
			if z > 0 {
				x, z = x*bulge, z*bulge
			}
			end := 1 + float64(0.3*q.X) - float64(0.2*q.Z)
			p = append(p, vec.V(float64(float32(x)), float64(float32(along*end)), float64(float32(z))))
		}
	}
	return p
}

// smoothPoints returns n points of an ellipsoid, evenly spread.
func smoothPoints(n int, x, y, z float64) (p []vec.Vec3) {
	for i := range n {
		h := 1 - (2*float64(i)+1)/float64(n)
		sin, cos := math.Sincos(math.Pi * (3 - math.Sqrt(5)) * float64(i))
		r := math.Sqrt(1 - float64(h*h))
		p = append(p, vec.V(x*r*cos, y*r*sin, z*h))
	}
	return p
}

// capsulePoints returns the points of a cylinder with two half balls, whose hull has long and thin
// facets along the cylinder.
func capsulePoints(sides, rings int, radius float64) (p []vec.Vec3) {
	for _, end := range []float64{-1, 1} {
		for k := range rings {
			up, out := math.Sincos(math.Pi / 2 * float64(k) / float64(rings))
			for i := range sides {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
				p = append(p, vec.V(radius*out*cos, radius*out*sin, end*(1+float64(radius*up))))
			}
		}
		p = append(p, vec.V(0, 0, end*(1+radius)))
	}
	return p
}
