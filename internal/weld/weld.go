// Package weld merges points that are within a tolerance of each other.
package weld

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// weldCells limits the number of cells along the longest side to 2⁴⁰. Cell indices are then exact in
// float64 and fit an int64, whatever the tolerance. Cells larger than the tolerance requires cost time
// but do not change the result.
const weldCells = 1 << 40

// weldSlack is the ratio of the side of the searched cube to two tolerances. It covers rounding. With a
// smaller value, a kept point exactly at the tolerance may be missed.
const weldSlack = 1.001

// Points merges each point into the kept point of lowest index within tol, or keeps it if there is none.
// It returns the kept points, in order, and the index of the kept point of each point. Points and tol are
// in one unit, whatever it is; coordinates must be finite, and tol finite and at least 0. Distances are
// computed in units of tol, so that neither small nor large ones underflow or overflow. Equal points are
// merged for every tol.
//
// Cost: O(n) look-ups in a hash of cells, whose side is at least 2⁻⁴⁰ of the longest side of the box. If
// n different points share one such cell: O(n²).
func Points(points []vec.Vec3, tol float64) (kept []vec.Vec3, index []int32) {
	index = make([]int32, len(points))
	box := vec.BoxAround(points)
	size := Quarter(box)
	g := grid{
		origin: box.Min.Scale(0.25),
		reach:  min(0.25*weldSlack*tol, size),
		// Eight tolerances, limited by the size of the box: a query visits few cells.
		cell:  max(min(2*tol, size), size/weldCells, math.SmallestNonzeroFloat64),
		first: make(map[[3]int64]int32),
	}
	equal := make(map[vec.Vec3]int32)
	for i, p := range points {
		k, ok := equal[p]
		if !ok {
			if k = g.lowest(kept, p, tol); k < 0 {
				k = int32(len(kept))
				kept = append(kept, p)
				g.insert(p)
			}
			equal[p] = k
		}
		index[i] = k
	}
	return kept, index
}

// Quarter returns a quarter of the longest side of a box. Quarters keep sums and differences of two
// coordinates finite, however large the coordinates are.
func Quarter(b vec.Box) float64 { return b.Max.Scale(0.25).Sub(b.Min.Scale(0.25)).MaxAbs() }

// grid is a hash of cells, each with a list of its kept points. Its lengths are quarters.
type grid struct {
	origin vec.Vec3
	cell   float64
	reach  float64            // half the side of the searched cube
	first  map[[3]int64]int32 // 1 + the point inserted last into the cell
	next   []int32            // by point: 1 + the point inserted into the same cell before it
}

// cellAt returns the cell at the offset d from the origin.
func (g *grid) cellAt(d vec.Vec3) [3]int64 {
	return [3]int64{
		int64(math.Floor(d.X / g.cell)), int64(math.Floor(d.Y / g.cell)), int64(math.Floor(d.Z / g.cell)),
	}
}

// insert adds the next kept point.
func (g *grid) insert(p vec.Vec3) {
	c := g.cellAt(p.Scale(0.25).Sub(g.origin))
	g.next = append(g.next, g.first[c])
	g.first[c] = int32(len(g.next))
}

// lowest returns the lowest index of a kept point within tol of p, or -1. It searches all cells that the
// cube around p intersects.
func (g *grid) lowest(kept []vec.Vec3, p vec.Vec3, tol float64) int32 {
	d, reach := p.Scale(0.25).Sub(g.origin), vec.Vec3{X: g.reach, Y: g.reach, Z: g.reach}
	lo, hi := g.cellAt(d.Sub(reach)), g.cellAt(d.Add(reach))
	best := int32(-1)
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for z := lo[2]; z <= hi[2]; z++ {
				for k := g.first[[3]int64{x, y, z}]; k != 0; k = g.next[k-1] {
					if i := k - 1; (best < 0 || i < best) && within(kept[i], p, tol) {
						best = i
					}
				}
			}
		}
	}
	return best
}

// within reports whether p and q are at most tol apart.
func within(p, q vec.Vec3, tol float64) bool {
	if p == q {
		return true // for any tolerance
	}
	d := p.Sub(q)
	d = vec.Vec3{X: d.X / tol, Y: d.Y / tol, Z: d.Z / tol}
	return d.Norm2() <= 1
}
