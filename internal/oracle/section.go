package oracle

import "github.com/scree-dem/scree/vec"

// polygon is a closed loop of points.
type polygon []vec.Vec3

// clipped returns the part of a polygon below the plane n·p = d (Sutherland & Hodgman 1974).
func (p polygon) clipped(n vec.Vec3, d float64) (inside polygon) {
	for i, v := range p {
		w := p[(i+1)%len(p)]
		hv, hw := n.Dot(v)-d, n.Dot(w)-d
		if hv <= 0 {
			inside = append(inside, v)
		}
		if hv <= 0 != (hw <= 0) {
			inside = append(inside, v.AddScaled(hv/(hv-hw), w.Sub(v)))
		}
	}
	return inside
}

// Section returns the area and centroid of the intersection of the plane n·p = d with all bodies.
// It clips a square that covers the first body by every half-space. ok is false if nothing is left.
// Bodies without volume have no section.
func Section(n vec.Vec3, d float64, bodies ...ConvexBody) (area float64, centroid vec.Vec3, ok bool) {
	mid := bodies[0].Middle()
	size := 2 * bodies[0].Size()
	projection := mid.AddScaled(d-n.Dot(mid), n)
	u := n.Perpendicular()
	v := n.Cross(u)
	p := polygon{
		projection.AddScaled(-size, u).AddScaled(-size, v), projection.AddScaled(size, u).AddScaled(-size, v),
		projection.AddScaled(size, u).AddScaled(size, v), projection.AddScaled(-size, u).AddScaled(size, v),
	}
	for _, b := range bodies {
		for f := range b.Faces {
			fn, fd := b.plane(f)
			p = p.clipped(fn, fd)
		}
	}
	if len(p) == 0 {
		return 0, vec.Vec3{}, false
	}
	var moment vec.Vec3
	for i := 2; i < len(p); i++ {
		x, y := p[i-1].Sub(p[0]), p[i].Sub(p[0])
		a := float64(0.5 * n.Dot(x.Cross(y)))
		area += a
		moment = moment.AddScaled(a/3, x.Add(y))
	}
	if !(area > 0) {
		return 0, p[0], true
	}
	return area, p[0].AddScaled(1/area, moment), true
}

// Volume returns the volume and centroid of the body. It sums tetrahedra from the mean of its
// vertices.
func (b ConvexBody) Volume() (volume float64, centroid vec.Vec3) {
	if len(b.Verts) == 0 {
		return 0, vec.Vec3{}
	}
	mid := b.Middle()
	var moment vec.Vec3
	for _, t := range b.triangles() {
		x, y, z := b.Verts[t[0]].Sub(mid), b.Verts[t[1]].Sub(mid), b.Verts[t[2]].Sub(mid)
		six := x.Dot(y.Cross(z))
		volume += six
		moment = moment.AddScaled(six, x.Add(y).Add(z))
	}
	if !(volume > 0) {
		return 0, vec.Vec3{}
	}
	return volume / 6, mid.AddScaled(0.25/volume, moment)
}
