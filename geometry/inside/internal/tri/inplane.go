package tri

import "github.com/scree-dem/scree/vec"

// InPlane reports whether x, which lies in the plane of triangle a, b, c, lies on the triangle, its
// edges and corners included. It is exact. A triangle without area holds no point: its neighbours
// have those of its edges.
func InPlane(a, b, c, x vec.Vec3) bool {
	for axis := range 3 {
		a, b, c, x := turned(a, axis), turned(b, axis), turned(c, axis), turned(x, axis)
		whole := vec.Orient2D(a.Y, a.Z, b.Y, b.Z, c.Y, c.Z)
		if whole == 0 {
			// The triangle is seen from its edge along this axis.
			continue
		}
		return whole*vec.Orient2D(a.Y, a.Z, b.Y, b.Z, x.Y, x.Z) >= 0 &&
			whole*vec.Orient2D(b.Y, b.Z, c.Y, c.Z, x.Y, x.Z) >= 0 &&
			whole*vec.Orient2D(c.Y, c.Z, a.Y, a.Z, x.Y, x.Z) >= 0
	}
	return false
}

// turned moves the axes of a point round, so that the given one comes first.
func turned(p vec.Vec3, axis int) vec.Vec3 {
	switch axis {
	case 1:
		return vec.Vec3{X: p.Y, Y: p.Z, Z: p.X}
	case 2:
		return vec.Vec3{X: p.Z, Y: p.X, Z: p.Y}
	}
	return p
}
