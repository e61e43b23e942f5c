package scene

import (
	"math"
	"strings"

	"github.com/scree-dem/scree/vec"
)

// region is where random insertion puts bodies: a box, a cylinder, or a closed mesh.
type region struct {
	key string  // that names it: box, cylinder or mesh
	box vec.Box // around it

	// Of a cylinder.
	from, axis     vec.Vec3 // axis is unit
	length, radius float64  // m
	// Of a mesh.
	solid *solid
}

// regionKeys are the keys that name a region, of which a generator takes one.
var regionKeys = []string{"box", "cylinder", "mesh"}

// region reads where the bodies of a random generator go.
func (s *Scene) region(key string, t *bodyTable) (r region, err error) {
	if r.key, err = s.oneOf(key, regionKeys); err != nil {
		return r, err
	}
	at := key + "." + r.key
	switch r.key {
	case "box":
		r.box, err = s.box(at, t.Box)
	case "cylinder":
		err = s.cylinder(at, t.Cylinder, &r)
	case "mesh":
		if r.solid, err = s.solid(at, t.Mesh); err == nil {
			r.box = r.solid.in.Report.Box
		}
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

// oneOf returns which of some keys a table has, "" where it has none.
func (s *Scene) oneOf(key string, keys []string) (one string, err error) {
	for _, k := range keys {
		if !s.at.has(key + "." + k) {
			continue
		}
		if one != "" {
			last := len(keys) - 1
			return one, s.at.fault(key+"."+k, "is given beside "+one+", expected one of "+strings.Join(keys[:last], ", ")+" and "+keys[last])
		}
		one = k
	}
	return one, nil
}

// holds says whether a ball in the region's box is in the region.
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
