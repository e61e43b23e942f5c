package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Interval returns the least and the greatest v·d over the shape's vertices, and the lowest vertex of
// each. d is in the shape's frame and need not be unit. The shape is not a ball.
func Interval(v *soa.View, d vec.Vec3) (min, max float64, kMin, kMax soa.Vertex) {
	min, max, lo, hi := asm.Interval(v.X, v.Y, v.Z, d.X, d.Y, d.Z)
	return min, max, soa.Vertex(lo), soa.Vertex(hi)
}

// PlaneDistance returns the greatest signed distance, m, of a point from the planes of the shape's
// faces, and the lowest face it belongs to. It is negative for a point inside. p is in the shape's
// frame; the shape is not a ball.
func PlaneDistance(v *soa.View, p vec.Vec3) (soa.Face, float64) {
	f, max := asm.PlaneDistance(v.NX, v.NY, v.NZ, v.D, p.X, p.Y, p.Z)
	return soa.Face(f), max
}
