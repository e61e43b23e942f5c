package tri

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/boxtree"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Measure returns the area of a surface and the enclosed volume, which is negative if the surface
// is oriented inwards: -0 if it underflows. Both are sums about the middle of its box.
//
// A triangle's area vector is off by rounding of products of two sides. For a needle, that may
// exceed its area. So if rounding might decide the sign of the volume, the volume is computed again
// in twofold precision. If it is within rounding there too, it is 0.
func (s *Surface) Measure(box vec.Box) (area, volume float64) {
	s, exp := s.Rescaled(box.Size().MaxAbs())
	middle := middleOf(box).Ldexp(-exp)
	permanent := 0.0 // the sum of the absolute values of all products in volume
	for t := range s.Tris {
		a, b, c := s.Corners(t)
		u, v, w := b.Sub(a), c.Sub(a), a.Sub(middle)
		n := u.Cross(v)
		area += n.Norm()
		volume += w.Dot(n)
		u, v, w = u.Abs(), v.Abs(), w.Abs()
		permanent += float64(w.X*(float64(u.Y*v.Z)+float64(u.Z*v.Y))) +
			float64(w.Y*(float64(u.Z*v.X)+float64(u.X*v.Z))) + float64(w.Z*(float64(u.X*v.Y)+float64(u.Y*v.X)))
	}
	if WithinRounding(volume, permanent, 1, len(s.Tris)) {
		volume = s.twofoldVolume(middle)
		if WithinRounding(math.Ldexp(volume, twofoldGain), permanent, 1, len(s.Tris)) {
			volume = 0
		}
	}
	return math.Ldexp(float64(area/2), 2*exp), math.Ldexp(float64(volume/6), 3*exp)
}

// twofoldVolume returns six times the volume, summed about middle in twofold precision.
func (s *Surface) twofoldVolume(middle vec.Vec3) float64 {
	var sum vec.Twofold
	for t := range s.Tris {
		a, b, c := s.Corners(t)
		n := vec.Difference(b, a).Cross(vec.Difference(c, a))
		sum = sum.Add(vec.Difference(a, middle).Dot(n))
	}
	return sum.Float()
}

// twofoldGain is how many bits more than float64 the sums of twofoldVolume have. An operation on
// Twofold is off by 2^-100, and a product of three adds up to thirty such errors. With a smaller
// value, thin bodies of needles seem empty. With a larger one, rounding decides the sign of an
// empty sheet.
const twofoldGain = 42

// WithinRounding reports whether a computed volume may be zero. area, diagonal of the box and number of
// triangles are those of the surface.
func WithinRounding(volume, area, diagonal float64, triangles int) bool {
	return math.Abs(volume) <= float64(volumeRounding*float64(triangles+8))*float64(area*diagonal)
}

// volumeRounding, times the number of triangles plus a few, is the rounding error of the volume as
// a fraction of area times diagonal, if no triangle is a needle. Each triangle adds at most a third
// of its share. With a smaller value, a two-sided sheet seems to have a volume. With a larger one,
// a thin plate seems empty.
const volumeRounding = 0x1p-53

func middleOf(b vec.Box) vec.Vec3 { return b.Min.Scale(0.5).Add(b.Max.Scale(0.5)) }

// Parts has the components of a closed surface. Each column has a row for each component.
type Parts struct {
	part   []Surface
	first  []int     // the lowest triangle
	volume []float64 // in some unit of volume; 0 if rounding may hide its sign
	box    []vec.Box
}

// Parts collects the triangles of each component and measures each component.
func (s *Surface) Parts(e *Edges) *Parts {
	n := e.Components
	p := &Parts{make([]Surface, n), make([]int, n), make([]float64, n), make([]vec.Box, n)}
	for t, k := range e.Component {
		part := &p.part[k]
		if part.Tris == nil {
			part.Verts, p.first[k] = s.Verts, t
		}
		part.Tris = append(part.Tris, s.Tris[t])
	}
	whole := s.Box()
	scaled, exp := s.Rescaled(whole.Size().MaxAbs())
	for k := range p.part {
		p.box[k] = p.part[k].Box()
		part := Surface{Verts: scaled.Verts, Tris: p.part[k].Tris}
		box := vec.Box{Min: p.box[k].Min.Ldexp(-exp), Max: p.box[k].Max.Ldexp(-exp)}
		area, volume := part.Measure(box)
		if !WithinRounding(volume, area, box.Size().Norm(), len(part.Tris)) {
			p.volume[k] = volume
		}
	}
	return p
}

// Inward returns how many components are oriented inwards.
func (p *Parts) Inward() int {
	n := 0
	for _, v := range p.volume {
		if v < 0 {
			n++
		}
	}
	return n
}

// CheckNesting returns an error if a component that is oriented outwards lies inside the other
// components, or one that is oriented inwards lies outside of them. It tests one vertex of each
// component, so components that intersect each other may pass.
//
// Cost: for each component, the triangles of the components whose box contains its vertex.
func (p *Parts) CheckNesting(r *Read) error {
	boxes := boxtree.New(p.box)
	for k, volume := range p.volume {
		around, at, known := p.around(boxes, k)
		if !known || volume == 0 {
			continue
		}
		face := r.FaceOf(p.first[k])
		switch {
		case volume > 0 && around != 0:
			return mark.Errorf(geometry.ErrSelfIntersecting, "the component of face %d turns outwards at %s, where the others wind %d times around: expected 0 (a component inside another must turn inwards, and is a cavity then)", face, describe(at), around)
		case volume < 0 && around != 1:
			return mark.Errorf(geometry.ErrNotOriented, "the component of face %d turns inwards at %s, where the others wind %d times around: expected 1 (a component that is no cavity must turn outwards)", face, describe(at), around)
		}
	}
	return nil
}

// around returns the winding number of the other components about a vertex of component k: the
// first vertex that does not lie on the other components. known is false if there is no such
// vertex.
func (p *Parts) around(boxes *boxtree.Tree, k int) (number int, at vec.Vec3, known bool) {
	for _, t := range p.part[k].Tris {
	corners:
		for _, corner := range t {
			x := p.part[k].Verts[corner]
			number = 0
			for other := range boxes.Over(vec.Box{Min: x, Max: x}) {
				if other == k {
					continue
				}
				for u := range p.part[other].Tris {
					a, b, c := p.part[other].Corners(u)
					n, on := CrossX(a, b, c, x)
					if on {
						continue corners
					}
					number += n
				}
			}
			return number, x, true
		}
	}
	return 0, vec.Vec3{}, false
}
