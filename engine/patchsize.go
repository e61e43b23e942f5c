package engine

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// patchOf returns an area, m², that the patch of a moving piece with others does not exceed at an
// overlap, m, where the overlap is thin: V/s of an overlap of volume V and thickness s is no more
// than its largest section (docs/laws.md).
//
// Of a block that is no more than the circle of its bounding radius, nor than half of its surface,
// which bounds every shadow. A ball's patch is π·r·overlap. It counts four times. For the force
// under a ball grows with the patch, too: its slope is (1+a)·(2+a)/2 times the springs of that
// patch, a the growth, and (1+a)·(2+a)/2 ≤ 4^a for growths of ½ and 1.
func (w stepBounds) patchOf(p soa.Piece, overlap float64) float64 {
	view := w.shapes.View(w.pieces.Shape[p])
	if view.Kind == soa.Ball {
		return 4 * math.Pi * float64(view.Radius*overlap)
	}
	surface := 0.0
	for f := range view.NFaces {
		loop := view.Tail[view.LoopFirst[f]:][:view.LoopLen[f]]
		first, twice := view.Vert(loop[0]), vec.Vec3{}
		for k := 2; k < len(loop); k++ {
			twice = twice.Add(view.Vert(loop[k-1]).Sub(first).Cross(view.Vert(loop[k]).Sub(first)))
		}
		surface += float64(0.5 * twice.Norm())
	}
	return min(0.5*surface, math.Pi*float64(view.Radius*view.Radius))
}

// grownPatch returns by what factor a patch of an area makes springs stiffer.
func grownPatch(area, growth float64) float64 { return vec.Pow(area, growth) }

// growthOf returns by what factor springs between two pieces may be stiffer than on a patch of 1
// m², at an overlap, m.
func (w stepBounds) growthOf(a, b soa.Piece, growth, overlap float64) float64 {
	if growth == 0 {
		return 1
	}
	area := math.Inf(1)
	for _, p := range [2]soa.Piece{a, b} {
		if w.bodies.InvMass[w.pieces.Body[p]] > 0 {
			area = min(area, w.patchOf(p, overlap))
		}
	}
	return grownPatch(area, growth)
}
