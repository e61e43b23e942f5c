package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Bound is the half-space Normal·x ≤ Offset, m. Normal is unit, world axes. x is relative to the
// position of A.
type Bound struct {
	Normal vec.Vec3
	Offset float64
}

// Volume returns the volume, m³, of the overlap of two posed blocks, and its centroid, m, relative to
// pa.Pos. along is as in Share. ok is false if they share no volume. The blocks may be of different
// soa.Shapes, because Volume uses none of the formulas for types.
func (c *Clipper) Volume(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3) (volume float64, centroid vec.Vec3, ok bool) {
	c.untyped = true
	s, ok := c.Share(va, pa, vb, pb, along)
	c.untyped = false
	return s.Volume, s.Centroid, ok
}

// VolumeWithin is Volume for a posed block and what lies within all bounds, of which there is at least
// one.
func (c *Clipper) VolumeWithin(va *soa.View, pa vec.Pose, bounds []Bound) (volume float64, centroid vec.Vec3, ok bool) {
	c.begin(&pa, &pa)
	c.frame.sign, c.frame.arm = 1, 2*va.Radius
	c.a.set(va, pa.Rot, bounds[0].Normal.Neg())
	c.by = noFace
	c.copyAbove(&c.a, math.Inf(-1))
	top := pa.Rot.Rotate(va.Vert(c.a.top))
	for _, p := range bounds {
		b := &c.body
		b.over = b.over[:0]
		for _, x := range b.verts {
			b.over = append(b.over, p.Normal.Dot(x)-(p.Offset-p.Normal.Dot(top)))
		}
		c.cut()
	}
	c.frame.origin, c.frame.turn = top, vec.Identity
	var s Moments
	if len(c.body.verts) < 4 || !c.Measure(&s) {
		return 0, vec.Vec3{}, false
	}
	return s.Volume, s.Centroid, true
}
