package geometry

import (
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// Translated returns the polyhedron moved by v, m. Each vertex is rounded once.
func (p *Polyhedron) Translated(v vec.Vec3) (*Polyhedron, error) {
	same := func(w vec.Vec3) vec.Vec3 { return w }
	return p.mapped("translated", p.Normals, 1, same, func(w vec.Vec3) vec.Vec3 { return w.Add(v) })
}

// Scaled returns the polyhedron scaled by s about the origin of its frame. s must be positive. Like
// FromPoints, Scaled refuses a result whose longest side is too short: the error wraps ErrFlat.
func (p *Polyhedron) Scaled(s float64) (*Polyhedron, error) {
	if !(s > 0 && s <= maxCoordinate) {
		return nil, mark.Errorf(ErrValue, "geometry: %s: scale %g, expected above 0 and at most %g", p.Name, s, maxCoordinate)
	}
	if size := p.Box().Size().MaxAbs() * s; s < 1 && size < minSize {
		return nil, mark.Errorf(ErrFlat, "geometry: %s: scaled to the size %g, expected at least %g", p.Name, size, minSize)
	}
	scaled := func(w vec.Vec3) vec.Vec3 { return w.Scale(s) }
	return p.mapped("scaled", p.Normals, s, scaled, scaled)
}

// Rotated returns the polyhedron rotated about the origin of its frame by the unit quaternion q.
func (p *Polyhedron) Rotated(q vec.Quat) (*Polyhedron, error) {
	if !(q.Norm() > 0.999 && q.Norm() < 1.001) {
		return nil, mark.Errorf(ErrValue, "geometry: %s: quaternion %v of norm %g, expected 1", p.Name, q, q.Norm())
	}
	q = q.Normalized()
	normals := make([]vec.Vec3, len(p.Normals))
	for f, n := range p.Normals {
		normals[f] = q.Rotate(n).Unit()
	}
	return p.mapped("rotated", normals, 1, q.Rotate, q.Rotate)
}

// mapped applies a similarity to the vertices. to is the similarity, linear its linear part, scale
// its factor, and normals are the normals of the result. Faces keep their numbers; how names the
// change in error messages.
func (p *Polyhedron) mapped(
	how string, normals []vec.Vec3, scale float64, linear, to func(vec.Vec3) vec.Vec3,
) (*Polyhedron, error) {
	q := *p
	q.Normals = append([]vec.Vec3(nil), normals...)
	q.Verts = make([]vec.Vec3, len(p.Verts))
	for k, v := range p.Verts {
		q.Verts[k] = to(v)
		if err := checkCoordinate(q.Verts[k]); err != nil {
			return nil, fmt.Errorf("geometry: %s: vertex %d %s: %w", p.Name, k, how, err)
		}
	}
	if p.local != nil {
		q.local = make([]vec.Vec3, len(p.local))
		for k, v := range p.local {
			q.local[k] = linear(v)
		}
	}
	q.WeldTol, q.MergeTol, q.Moved, q.single = p.WeldTol*scale, p.MergeTol*scale, p.Moved*scale, p.single
	q.measure()
	if !q.Mass.solid() {
		return nil, mark.Errorf(ErrFlat, "geometry: %s: %s to where its size %g is below the rounding of its coordinates, expected a larger one",
			p.Name, how, p.Box().Size().MaxAbs())
	}
	return &q, nil
}

// solid reports whether the volume is positive and the inertia tensor can be inverted.
func (m MassProperties) solid() bool {
	if !(m.Volume > 0) {
		return false
	}
	_, ok := m.Inertia.Inverse()
	return ok
}
