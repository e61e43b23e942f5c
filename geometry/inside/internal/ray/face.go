package ray

import (
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// face tests the ray against one face: whether the point lies on the face, and whether the ray
// crosses the face. It uses the exact signs of the quantities of Muth et al. 2006. d1 and d2 of
// (28) are zero if the point, or the whole ray, lies in the plane of the face. Their ratio is
// between 0 and 1 if the two ends lie on different sides.
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
			r.state = degenerate // The ray runs in the plane.
		}
		return // Otherwise the ray leaves the plane beside the face.
	case from*to >= 0:
		return // The ray does not reach the plane, or only with its end, which is outside the box.
	}
	// The volume signs. The face's orientation decides which sign a crossing has, so all positive
	// and all negative are equivalent.
	v1 := vec.Orient3D(r.from, r.to, f1, f2)
	v2 := vec.Orient3D(r.from, r.to, f2, f3)
	v3 := vec.Orient3D(r.from, r.to, f3, f1)
	switch {
	case mixed(v1, v2, v3):
	case v1 == 0 || v2 == 0 || v3 == 0:
		r.state = degenerate // The ray meets an edge or a vertex.
	default:
		r.number -= from // A ray from the inner side leaves the body.
	}
}

// mixed reports whether a positive and a negative sign occur.
func mixed(a, b, c int) bool {
	return min(a, b, c) < 0 && max(a, b, c) > 0
}
