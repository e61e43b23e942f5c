package oracle

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// polygon is a closed loop of points; the loop of a solid's face is counter-clockwise from outside.
type polygon []vec.Vec3

// Clip returns the common part of two convex bodies: volume in m³, centroid in m, and the area vector
// of the part of A's surface that lies in B, the integral of A's outward normal, in m². Minus that is
// the area vector of B's surface in A, for the two close the common part.
//
// A's faces are cut by B's half-spaces one after the other (Sutherland & Hodgman 1974), each cut being
// closed by the hull of the points it made. Without a common volume the centroid is the zero vector.
// Where a face of A lies in one of B, which of the two the common boundary belongs to is a rounding:
// volume and centroid do not mind, the area vector does.
func Clip(a, b Body) (volume float64, centroid, area vec.Vec3) {
	origin := a.Middle()
	a, b = a.Moved(origin.Neg()), b.Moved(origin.Neg())
	var own, caps []polygon
	for _, loop := range a.Faces {
		var p polygon
		for _, v := range loop {
			p = append(p, a.Verts[v])
		}
		own = append(own, p)
	}
	for f := range b.Faces {
		n, d := b.plane(f)
		var cut []vec.Vec3
		own, cut = clipAll(own, n, d, cut)
		caps, cut = clipAll(caps, n, d, cut)
		if c := planarHull(cut, n); len(c) >= 3 {
			caps = append(caps, c)
		}
	}
	for _, p := range own {
		area = area.Add(p.area())
	}
	volume, centroid = solid(append(own, caps...))
	if !(volume > 0) {
		return 0, vec.Vec3{}, area
	}
	return volume, centroid.Add(origin), area
}

// clipAll cuts every polygon with n·p ≤ d, drops what is left without a point, and appends the points
// made on the plane to cut.
func clipAll(polys []polygon, n vec.Vec3, d float64, cut []vec.Vec3) ([]polygon, []vec.Vec3) {
	var kept []polygon
	for _, p := range polys {
		q, on := clipOne(p, n, d)
		cut = append(cut, on...)
		if len(q) > 0 {
			kept = append(kept, q)
		}
	}
	return kept, cut
}

func clipOne(p polygon, n vec.Vec3, d float64) (inside polygon, on []vec.Vec3) {
	for i, v := range p {
		w := p[(i+1)%len(p)]
		hv, hw := n.Dot(v)-d, n.Dot(w)-d
		if hv <= 0 {
			inside = append(inside, v)
		}
		if hv <= 0 != (hw <= 0) {
			x := v.AddScaled(hv/(hv-hw), w.Sub(v))
			inside = append(inside, x)
			on = append(on, x)
		}
	}
	return inside, on
}

// flat is a point and its place on a plane.
type flat struct {
	x, y float64
	p    vec.Vec3
}

// planarHull returns the hull of points on a plane with normal n, counter-clockwise about n (Andrew
// 1979): sorted along one axis, then the lower and the upper chain. Sorting and turning use the same
// rounded coordinates, so points that differ by a rounding, of which a cut makes many, cost nothing but
// a corner.
func planarHull(points []vec.Vec3, n vec.Vec3) polygon {
	if len(points) < 3 {
		return nil
	}
	u := n.Perpendicular()
	v := n.Cross(u)
	var sorted []flat
	for _, p := range points {
		sorted = append(sorted, flat{u.Dot(p), v.Dot(p), p})
	}
	slices.SortFunc(sorted, func(p, q flat) int { return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y)) })
	hull := chain(nil, sorted)
	slices.Reverse(sorted)
	hull = chain(hull, sorted)
	var loop polygon
	for _, c := range hull {
		loop = append(loop, c.p)
	}
	return loop
}

// chain appends the points that turn left all the way from the first to the last, without the last.
func chain(hull, points []flat) []flat {
	from := len(hull)
	for _, p := range points {
		for len(hull) >= from+2 {
			last, before := hull[len(hull)-1], hull[len(hull)-2]
			if float64((last.x-before.x)*(p.y-last.y)) > float64((last.y-before.y)*(p.x-last.x)) {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	return hull[:len(hull)-1]
}

// area returns the area of the polygon times its normal.
func (p polygon) area() vec.Vec3 {
	var sum vec.Vec3
	for i := 2; i < len(p); i++ {
		sum = sum.Add(p[i-1].Sub(p[0]).Cross(p[i].Sub(p[0])))
	}
	return sum.Scale(0.5)
}

// solid returns volume and centroid of a closed surface: tetrahedra from a point amid its corners.
func solid(faces []polygon) (volume float64, centroid vec.Vec3) {
	var mid vec.Vec3
	count := 0
	for _, p := range faces {
		for _, v := range p {
			mid = mid.Add(v)
			count++
		}
	}
	if count == 0 {
		return 0, vec.Vec3{}
	}
	mid = mid.Scale(1 / float64(count))
	var moment vec.Vec3
	for _, p := range faces {
		for i := 2; i < len(p); i++ {
			x, y, z := p[0].Sub(mid), p[i-1].Sub(mid), p[i].Sub(mid)
			six := x.Dot(y.Cross(z))
			volume += six
			moment = moment.AddScaled(six, x.Add(y).Add(z))
		}
	}
	if !(volume > 0) {
		return 0, vec.Vec3{}
	}
	return volume / 6, mid.AddScaled(0.25/volume, moment)
}

// Volume returns the volume and the centroid of the body.
func (b Body) Volume() (volume float64, centroid vec.Vec3) {
	var faces []polygon
	for _, loop := range b.Faces {
		var p polygon
		for _, v := range loop {
			p = append(p, b.Verts[v])
		}
		faces = append(faces, p)
	}
	return solid(faces)
}
