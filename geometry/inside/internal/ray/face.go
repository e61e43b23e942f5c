package ray

import (
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

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
		case tri.InPlane(f1, f2, f3, r.from):
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

// mixed reports whether there are a positive and a negative sign.
func mixed(a, b, c int) bool {
	return min(a, b, c) < 0 && max(a, b, c) > 0
}
