package tri

import "github.com/scree-dem/scree/vec"

// InPlane reports, exactly, whether x lies on the triangle a, b, c, including its edges and
// corners. x must lie in the triangle's plane. A triangle without area contains no point; the
// points of its edges are covered by its neighbours.
func InPlane(a, b, c, x vec.Vec3) bool {
	for axis := range 3 {
		a, b, c, x := turned(a, axis), turned(b, axis), turned(c, axis), turned(x, axis)
		whole := vec.Orient2D(a.Y, a.Z, b.Y, b.Z, c.Y, c.Z)
		if whole == 0 {
			// Seen along this axis, the triangle is a line.
			continue
		}
		return whole*vec.Orient2D(a.Y, a.Z, b.Y, b.Z, x.Y, x.Z) >= 0 &&
			whole*vec.Orient2D(b.Y, b.Z, c.Y, c.Z, x.Y, x.Z) >= 0 &&
			whole*vec.Orient2D(c.Y, c.Z, a.Y, a.Z, x.Y, x.Z) >= 0
	}
	return false
}

// turned rotates the axes of a point so that the given axis comes first.
func turned(p vec.Vec3, axis int) vec.Vec3 {
	switch axis {
	case 1:
		return vec.Vec3{X: p.Y, Y: p.Z, Z: p.X}
	case 2:
		return vec.Vec3{X: p.Z, Y: p.X, Z: p.Y}
	}
	return p
}
