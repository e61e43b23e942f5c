package scene

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// region is where random insertion puts bodies: a box, a cylinder, or a convex mesh.
type region struct {
	key string  // that names it: box, cylinder or mesh
	box vec.Box // around it

	// Of a cylinder.
	from, axis     vec.Vec3 // axis is unit
	length, radius float64  // m
	// Of a mesh.
	solid *geometry.Polyhedron
}

// regionKeys are the keys that name a region, of which a generator takes one.
var regionKeys = []string{"box", "cylinder", "mesh"}

// region reads where the bodies of a random generator go.
func (s *Scene) region(key string, t *bodyTable) (r region, err error) {
	for _, k := range regionKeys {
		if !s.at.has(key + "." + k) {
			continue
		}
		if r.key != "" {
			return r, s.at.fault(key+"."+k, "is given beside "+r.key+", expected one of box, cylinder and mesh")
		}
		r.key = k
	}
	at := key + "." + r.key
	switch r.key {
	case "box":
		r.box, err = s.box(at, t.Box)
	case "cylinder":
		err = s.cylinder(at, t.Cylinder, &r)
	case "mesh":
		err = s.solid(at, t.Mesh, &r)
	default:
		err = s.at.fault(key+".box", missing(`it for generator "random", or cylinder, or mesh`))
	}
	return r, err
}

func (s *Scene) cylinder(key string, t *cylinderTable, r *region) (err error) {
	if r.from, err = s.vector(key+".from", t.From, vec.Vec3{}); err != nil {
		return err
	}
	to, err := s.vector(key+".to", t.To, vec.Vec3{})
	if err != nil {
		return err
	}
	along := to.Sub(r.from)
	if r.length, r.radius = along.Norm(), t.Radius; !(r.length > 0) || math.IsInf(r.length, 0) {
		const want = "the middle of the other end, away from that of from"
		if t.To == nil {
			return s.at.fault(key+".to", missing(want))
		}
		return s.at.fault(key+".to", found(t.To, want))
	}
	if !s.at.has(key + ".radius") {
		return s.at.fault(key+".radius", missing("a length > 0 m"))
	}
	if !(r.radius > 0) {
		return s.at.fault(key+".radius", found(r.radius, "a length > 0 m"))
	}
	r.axis = along.Scale(1 / r.length)
	// The end discs reach radius·√(1 − aᵢ²) along axis i.
	wide := func(a float64) float64 { return float64(r.radius * math.Sqrt(max(0, 1-float64(a*a)))) }
	disc := vec.V(wide(r.axis.X), wide(r.axis.Y), wide(r.axis.Z))
	r.box = vec.Box{Min: r.from.Min(to).Sub(disc), Max: r.from.Max(to).Add(disc)}
	return nil
}

func (s *Scene) solid(key, file string, r *region) error {
	mesh, err := s.readMesh(key, file)
	if err != nil {
		return err
	}
	if r.solid, err = geometry.FromMesh(mesh); err != nil {
		return s.at.because(key, fmt.Errorf("%s: %w", file, fileio.NumberedAs(file, err)))
	}
	r.box = r.solid.Box()
	return nil
}

// holds says whether a ball in the region's box is in the region.
func (r *region) holds(c vec.Vec3, radius float64) bool {
	switch {
	case r.solid != nil:
		for f, n := range r.solid.Normals {
			if n.Dot(c)+radius > r.solid.Offsets[f] {
				return false
			}
		}
	case r.length > 0:
		d := c.Sub(r.from)
		h := d.Dot(r.axis)
		return h >= radius && h <= r.length-radius && d.AddScaled(-h, r.axis).Norm() <= r.radius-radius
	}
	return true
}
