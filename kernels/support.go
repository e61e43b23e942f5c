package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Support returns the lowest vertex of the shape that maximises v·d, and that maximum. d is in the
// shape's frame and need not be unit. The shape is not a ball.
func Support(v *soa.View, d vec.Vec3) (soa.Vertex, float64) {
	k, max := asm.Support(v.X, v.Y, v.Z, d.X, d.Y, d.Z)
	return soa.Vertex(k), max
}

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

// SupportBatch is Support for the directions lo ≤ i < hi of dirs, shape frame: index[i] is the vertex
// and value[i] the maximum.
func SupportBatch(v *soa.View, dirs *soa.Vec3s, lo, hi int, index []uint32, value []float64) {
	asm.SupportBatch(v.X, v.Y, v.Z, dirs.X[lo:hi], dirs.Y[lo:hi], dirs.Z[lo:hi], index[lo:hi], value[lo:hi])
}

// PlaneDistanceBatch is PlaneDistance for the points lo ≤ i < hi, shape frame: index[i] is the face
// and value[i] the distance, m.
func PlaneDistanceBatch(v *soa.View, points *soa.Vec3s, lo, hi int, index []uint32, value []float64) {
	asm.PlaneDistanceBatch(v.NX, v.NY, v.NZ, v.D,
		points.X[lo:hi], points.Y[lo:hi], points.Z[lo:hi], index[lo:hi], value[lo:hi])
}
