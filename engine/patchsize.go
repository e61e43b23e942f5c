package engine

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// patchOf returns an upper bound, m², on the contact patch of a moving piece at an overlap, m. The
// patch of an overlap of volume V and thickness s is V/s, which for thin overlaps is no larger than
// the largest section (docs/laws-derivations.md).
//
// The bound for a block is the smaller of two areas: the circle of its bounding radius, and half of
// its surface, which bounds every projection. The patch of a ball is π·r·overlap, and patchOf
// returns four times that area, because the force on a ball grows with the patch, too. The slope of
// the force is (1+a)·(2+a)/2 times the springs of the patch, with a the area exponent, and
// (1+a)·(2+a)/2 ≤ 4^a for a = ½ and a = 1.
//
// The force on the tip of a block grows with the patch, too. For a flat pyramid of base B and height
// h, with the tip d deep and a = 1, the potential is k·√0.45·B·d⁴/(6h²), and the slope of the force
// 1.35·k·B·(d/h)². The springs of the patch bound the slope up to d = 0.86·h. Bodies so deep in each
// other are far beyond expectedOverlap and thickShare.
func (w stepBounds) patchOf(p soa.Piece, overlap float64) float64 {
	view := w.space.Shapes.View(w.space.Pieces.Shape[p])
	if view.Kind.IsRound() {
		return 4 * math.Pi * float64(view.Radius*overlap)
	}
	surface := 0.0
	for f := range view.NFaces {
		surface += view.FaceArea(soa.Face(f))
	}
	return min(0.5*surface, math.Pi*float64(view.Radius*view.Radius))
}

// grownPatch returns the factor by which a patch of an area, m², makes springs stiffer than a patch
// of 1 m².
func grownPatch(area, growth float64) float64 { return vec.Pow(area, growth) }

// growthOf returns an upper bound on the factor by which springs between two pieces are stiffer
// than on a patch of 1 m², at an overlap, m.
func (w stepBounds) growthOf(a, b soa.Piece, growth, overlap float64) float64 {
	if growth == 0 {
		return 1
	}
	area := math.Inf(1)
	for _, p := range [2]soa.Piece{a, b} {
		if w.bodies.InvMass[w.space.Pieces.Body[p]] > 0 {
			area = min(area, w.patchOf(p, overlap))
		}
	}
	return grownPatch(area, growth)
}
