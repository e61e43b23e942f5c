package contact

import (
	"math"

	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ballOverlap returns the overlap that represents a ball of radius r at a depth along a unit
// vector: a slab of thickness depth and area π·r·depth. This area is the mean section of a thin cap
// that a plane cuts off. It is the same on edges and corners, so that the potential depends on the
// depth alone.
func ballOverlap(depth, r float64, along vec.Vec3) force.Overlap {
	area := float64(math.Pi * float64(r*depth))
	return force.Overlap{
		Volume: float64(area * depth), VolumeGradient: along.Scale(2 * area),
		Variance: float64(depth*depth) / 12, VarianceGradient: along.Scale(depth / 6),
	}
}

// sharedOverlap returns the overlap of one of several contacts of a ball of radius r that share a
// potential. The force acts at a point relative to the ball's centre and need not point at the
// centre; rotation of the ball does not change the overlap. The slab's area is π·r·s with s the
// thickness of all contacts together, because the ball has one patch.
func sharedOverlap(m *coplanar.PotentialPart, r float64, at vec.Vec3) force.Overlap {
	if !(m.Square > 0) {
		return force.Overlap{}
	}
	own, all := math.Sqrt(m.Square), math.Sqrt(m.Whole)
	area := float64(math.Pi * float64(r*all))
	o := force.Overlap{
		Volume: float64(area * own), VolumeGradient: m.Slope.Scale(2 * area / own),
		Variance: m.Square / 12, VarianceGradient: m.Slope.Scale(1.0 / 6),
	}
	o.VarianceTurn, o.VolumeTurn = o.VarianceGradient.Cross(at), o.VolumeGradient.Cross(at)
	return o
}

// patchRadius returns the radius of a ball whose cap on a plane is as wide as the overlap of the
// two bodies. At least one of them must be a ball (Hertz 1882).
func patchRadius(a, b *soa.View) float64 {
	switch {
	case !a.Kind.IsRound():
		return b.Radius
	case !b.Kind.IsRound():
		return a.Radius
	}
	return a.Radius * (b.Radius / (a.Radius + b.Radius))
}
