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
func (s *Surface) Measure(box vec.Box) (area, volume float64) {
	s, exp := s.Rescaled(box.Size().MaxAbs())
	middle := Ldexp(middleOf(box), -exp)
	for t := range s.Tris {
		a, b, c := s.Corners(t)
		n := b.Sub(a).Cross(c.Sub(a))
		area += n.Norm()
		volume += a.Sub(middle).Dot(n)
	}
	return math.Ldexp(float64(area/2), 2*exp), math.Ldexp(float64(volume/6), 3*exp)
}

// WithinRounding reports whether a computed volume may be zero. area, diagonal of the box and number of
// triangles are those of the surface.
func WithinRounding(volume, area, diagonal float64, triangles int) bool {
	return math.Abs(volume) <= float64(volumeRounding*float64(triangles+8))*float64(area*diagonal)
}

// volumeRounding, times the number of triangles plus a few, is the rounding error of the volume as
// a fraction of area times diagonal. Each triangle adds at most a third of its share. With a
// smaller value, a two-sided sheet seems to have a volume. With a larger one, a thin plate seems
// empty.
const volumeRounding = 0x1p-53

func middleOf(b vec.Box) vec.Vec3 { return b.Min.Scale(0.5).Add(b.Max.Scale(0.5)) }

// Parts has the components of a closed surface.
type Parts struct {
	first  []uint32 // of each component: its triangles are order[first[p]:first[p+1]]
	order  []uint32
	volume []float64 // of each component, in some unit of volume; 0 if rounding may hide its sign
	box    []vec.Box // of each component
	boxes  *boxtree.Tree
}

// Parts sorts the triangles by component and measures each component.
func (s *Surface) Parts(e *Edges) *Parts {
	p := &Parts{
		first:  make([]uint32, e.Components+1),
		order:  make([]uint32, len(s.Tris)),
		volume: make([]float64, e.Components),
		box:    make([]vec.Box, e.Components),
	}
	for _, k := range e.Component {
		p.first[k+1]++
	}
	for k := range e.Components {
		p.first[k+1] += p.first[k]
		p.box[k] = vec.EmptyBox()
	}
	next := append([]uint32(nil), p.first...)
	for t, k := range e.Component {
		p.order[next[k]] = uint32(t)
		next[k]++
		a, b, c := s.Corners(t)
		p.box[k] = p.box[k].With(a).With(b).With(c)
	}
	for k := range e.Components {
		middle := middleOf(p.box[k])
		size := p.box[k].Size()
		_, exp := math.Frexp(size.MaxAbs()) // products of three tiny lengths would underflow
		tris, area := p.order[p.first[k]:p.first[k+1]], 0.0
		for _, t := range tris {
			a, b, c := s.Corners(int(t))
			n := Ldexp(b.Sub(a), -exp).Cross(Ldexp(c.Sub(a), -exp))
			area += n.Norm()
			p.volume[k] += Ldexp(a.Sub(middle), -exp).Dot(n)
		}
		if p.volume[k] = float64(p.volume[k] / 6); WithinRounding(p.volume[k], float64(area/2), Ldexp(size, -exp).Norm(), len(tris)) {
			p.volume[k] = 0
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
	p.boxes = boxtree.New(p.box)
	for k, volume := range p.volume {
		around, at, known := p.around(r, k)
		if !known || volume == 0 {
			continue
		}
		face := r.FaceOf(int(p.order[p.first[k]]))
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
func (p *Parts) around(r *Read, k int) (number int, at vec.Vec3, known bool) {
	var near []int // components whose boxes contain the vertex
	for _, t := range p.order[p.first[k]:p.first[k+1]] {
	corners:
		for _, corner := range r.Tris[t] {
			x := r.Verts[corner]
			number, near = 0, near[:0]
			p.boxes.Each(vec.Box{Min: x, Max: x}, func(other int) { near = append(near, other) })
			for _, other := range near {
				if other == k {
					continue
				}
				for _, u := range p.order[p.first[other]:p.first[other+1]] {
					a, b, c := r.Corners(int(u))
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
