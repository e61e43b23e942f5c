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

// regionKeys are the keys of regions. A generator needs exactly one of them.
var regionKeys = []string{"box", "cylinder", "mesh"}

// region reads the region of a random generator.
func (s *checks) region(key string, t *bodyTable) (r region) {
	r.key = s.oneOf(key, regionKeys)
	switch at := key + "." + r.key; r.key {
	case "box":
		r.box = s.box(at, t.Box)
	case "cylinder":
		s.cylinder(at, t.Cylinder, &r)
	case "mesh":
		if r.solid = s.solid(at, t.Mesh); r.solid != nil {
			r.box = r.solid.in.Report.Box
			if r.solid.in.Report.Empty {
				s.fault(at, found(t.Mesh, "a mesh with room for bodies: this one is closed, but encloses no more volume than rounding shows"))
			}
		}
	default:
		s.fault(key+".box", missing(`box, cylinder or mesh for generator "random"`))
	}
	return r
}

func (s *checks) cylinder(key string, t *cylinderTable, r *region) {
	r.from = s.vector(key+".from", t.From, vec.Vec3{})
	to := s.vector(key+".to", t.To, vec.Vec3{})
	along := to.Sub(r.from)
	r.length, r.radius = along.Norm(), t.Radius
	const other = "the middle of the other end, away from that of from"
	switch apart := r.length > 0 && !math.IsInf(r.length, 0); {
	case !apart && t.To == nil:
		s.fault(key+".to", missing(other))
	case !apart:
		s.fault(key+".to", found(t.To, other))
	case !s.at.has(key + ".radius"):
		s.fault(key+".radius", missing("a length > 0 m"))
	case !(r.radius > 0):
		s.fault(key+".radius", found(r.radius, "a length > 0 m"))
	}
	r.axis = along.Scale(1 / r.length)
	// The end discs extend radius·√(1 − aᵢ²) along axis i, where a is the unit axis.
	wide := func(a float64) float64 { return float64(r.radius * math.Sqrt(max(0, 1-float64(a*a)))) }
	disc := vec.V(wide(r.axis.X), wide(r.axis.Y), wide(r.axis.Z))
	r.box = vec.Box{Min: r.from.Min(to).Sub(disc), Max: r.from.Max(to).Add(disc)}
}

// oneOf returns the key of a list that the table has, or "" if it has none. It reports a second
// key.
func (s *checks) oneOf(key string, keys []string) (one string) {
	for _, k := range keys {
		if !s.at.has(key + "." + k) {
			continue
		}
		if one != "" {
			s.fault(key+"."+k, "is given beside "+one+", expected one of "+inWords(keys, " and "))
		}
		one = k
	}
	return one
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
