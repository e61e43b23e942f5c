package ray

import "github.com/scree-dem/scree/vec"

// face tests the ray against one face: whether its point lies on it, and whether it crosses it. The
// quantities are those of Muth et al. 2006, by their exact signs: d1 and d2 of (28) are zero where
// the point, or the whole ray, lies in the face's plane, and their ratio is between 0 and 1 where
// the two ends lie on different sides.
func (c *Caster) face(r *ray, t int) {
	f1, f2, f3 := c.surface.Corners(t)
	from := vec.Orient3D(f1, f2, f3, r.from)
	to := vec.Orient3D(f1, f2, f3, r.to)
	switch {
	case from == 0:
		switch {
		case onFace(f1, f2, f3, r.from):
			r.state = onSurface
		case to == 0:
			r.state = degenerate // It runs in the plane.
		}
		return // Else it leaves the plane beside the face.
	case from*to >= 0:
		return // It does not reach the plane, or only with its end, which is outside of the box.
	}
	// The volume signs. The orientation of the face decides which of both signs is that of a
	// crossing, so all positive and all negative are one.
	v1 := vec.Orient3D(r.from, r.to, f1, f2)
	v2 := vec.Orient3D(r.from, r.to, f2, f3)
	v3 := vec.Orient3D(r.from, r.to, f3, f1)
	switch {
	case mixed(v1, v2, v3):
	case v1 == 0 || v2 == 0 || v3 == 0:
		r.state = degenerate // It meets an edge or a vertex.
	default:
		r.number -= from // From the inner side, it leaves.
	}
}

// onFace says whether a point of the plane of a face lies on it, by the area signs of their
// projection along an axis that keeps an area. The orientation of the projection is not known, so
// all signs may be positive or negative; zeros are edges and vertices. A face without area has no
// inner point, and its edges are those of other faces.
func onFace(f1, f2, f3, p vec.Vec3) bool {
	for axis := range 3 {
		x1, y1 := project(f1, axis)
		x2, y2 := project(f2, axis)
		x3, y3 := project(f3, axis)
		if vec.Orient2D(x1, y1, x2, y2, x3, y3) == 0 {
			continue
		}
		x, y := project(p, axis)
		return !mixed(vec.Orient2D(x1, y1, x2, y2, x, y), vec.Orient2D(x2, y2, x3, y3, x, y), vec.Orient2D(x3, y3, x1, y1, x, y))
	}
	return false
}

func project(p vec.Vec3, axis int) (x, y float64) {
	switch axis {
	case 0:
		return p.Y, p.Z
	case 1:
		return p.Z, p.X
	}
	return p.X, p.Y
}

// mixed says whether there are a positive and a negative sign.
func mixed(a, b, c int) bool {
	return min(a, b, c) < 0 && max(a, b, c) > 0
}
