package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Interval returns the least and the greatest v·d over the vertices of a shape, and the lowest
// vertex index of each. d is in the shape's frame, and need not be a unit vector. The shape must
// not be a ball.
func Interval(v *soa.View, d vec.Vec3) (min, max float64, kMin, kMax soa.Vertex) {
	min, max, lo, hi := asm.Interval(v.X, v.Y, v.Z, d.X, d.Y, d.Z)
	return min, max, soa.Vertex(lo), soa.Vertex(hi)
}

// PlaneDistance returns the greatest signed distance, m, of point p from the planes of a shape's
// faces, and the lowest face with that distance. The distance is negative for a point inside. p is
// in the shape's frame. The shape must not be a ball.
func PlaneDistance(v *soa.View, p vec.Vec3) (soa.Face, float64) {
	f, max := asm.PlaneDistance(v.NX, v.NY, v.NZ, v.D, p.X, p.Y, p.Z)
	return soa.Face(f), max
}
