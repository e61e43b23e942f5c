package tri

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/boxtree"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Measure returns the area of a surface and the volume within, which is negative if it turns
// inwards. Both are sums about the middle of its box.
func (s *Surface) Measure(box vec.Box) (area, volume float64) {
	middle := middleOf(box)
	for t := range s.Tris {
		a, b, c := s.Corners(t)
		n := b.Sub(a).Cross(c.Sub(a))
		area += n.Norm()
		volume += a.Sub(middle).Dot(n)
	}
	return float64(area / 2), float64(volume / 6)
}

func middleOf(b vec.Box) vec.Vec3 { return b.Min.Scale(0.5).Add(b.Max.Scale(0.5)) }

// Parts are the components of a closed surface.
type Parts struct {
	first  []uint32 // by component: its triangles are order[first[p]:first[p+1]]
	order  []uint32
	volume []float64 // by component
	box    []vec.Box // by component
	boxes  *boxtree.Tree
}

// Parts sorts the triangles by component and measures each.
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
		for _, t := range p.order[p.first[k]:p.first[k+1]] {
			a, b, c := s.Corners(int(t))
			p.volume[k] += a.Sub(middle).Dot(b.Sub(a).Cross(c.Sub(a)))
		}
		p.volume[k] = float64(p.volume[k] / 6)
	}
	return p
}

// Inward returns how many components turn inwards.
func (p *Parts) Inward() int {
	n := 0
	for _, v := range p.volume {
		if v < 0 {
			n++
		}
	}
	return n
}

// CheckNesting returns an error if a component that turns outwards lies inside the others, or one
// that turns inwards outside of them. It asks at one vertex of each component, so components that
// cut each other may pass.
//
// Cost: for each component, the triangles of those whose box holds its vertex.
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
// first that does not lie on them. It is not known if there is none.
func (p *Parts) around(r *Read, k int) (number int, at vec.Vec3, known bool) {
	for _, t := range p.order[p.first[k]:p.first[k+1]] {
	corners:
		for _, corner := range r.Tris[t] {
			x := r.Verts[corner]
			number = 0
			for other := range p.boxes.Over(vec.Box{Min: x, Max: x}) {
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
