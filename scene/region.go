package scene

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// region is where the random generator puts bodies: a box, a cylinder, or a closed mesh.
type region struct {
	key string  // box, cylinder or mesh
	box vec.Box // bounding box

	// For a cylinder.
	from, axis     vec.Vec3 // axis is a unit vector
	length, radius float64  // m
	// For a mesh.
	solid *closedMesh
}

// region reads the region of a random generator.
func (s *checks) region(key string, t *bodyTable) (r region) {
	switch {
	case t.Box != nil:
		r.key = "box"
		r.box = s.box(key+".box", t.Box)
	case t.Cylinder != nil:
		r.key = "cylinder"
		s.cylinder(key+".cylinder", t.Cylinder, &r)
	default:
		r.key = "mesh"
		if r.solid = s.solid(key+".mesh", t.Mesh); r.solid != nil {
			r.box = r.solid.in.Report.Box
			if r.solid.in.Report.Empty {
				s.fault(key+".mesh", found(t.Mesh, "a mesh with room for bodies: this one is closed, but encloses no more volume than rounding shows"))
			}
		}
	}
	return r
}

func (s *checks) cylinder(key string, t *cylinderTable, r *region) {
	r.from, r.radius = t.From, t.Radius
	along := t.To.Sub(t.From)
	r.length = along.Norm()
	s.demand(key+".to", asList(t.To), r.length > 0 && !math.IsInf(r.length, 0), "the middle of the other end, away from that of from")
	r.axis = along.Scale(1 / r.length)
	// The end discs extend radius·√(1 − aᵢ²) along axis i, where a is the unit axis.
	wide := func(a float64) float64 { return float64(r.radius * math.Sqrt(max(0, 1-float64(a*a)))) }
	disc := vec.V(wide(r.axis.X), wide(r.axis.Y), wide(r.axis.Z))
	r.box = vec.Box{Min: r.from.Min(t.To).Sub(disc), Max: r.from.Max(t.To).Add(disc)}
}

// holds reports whether a ball inside the region's box lies in the region.
func (r *region) holds(c vec.Vec3, radius float64) bool {
	switch {
	case r.solid != nil:
		return r.solid.holds(c, radius)
	case r.length > 0:
		d := c.Sub(r.from)
		h := d.Dot(r.axis)
		return h >= radius && h <= r.length-radius && d.AddScaled(-h, r.axis).Norm() <= r.radius-radius
	}
	return true
}
