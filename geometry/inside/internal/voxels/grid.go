package voxels

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// grid divides a box into cells that are as good as cubes. The cell of a coordinate x along an axis is
// the whole part of (x - origin)·per, as computed, at most n-1. That is a rising function of x, so a
// point of a triangle lies in a cell between those of the triangle's extremes.
type grid struct {
	origin vec.Vec3
	per    [3]float64 // cells per unit of length; 0 for an axis of one cell
	side   [3]float64 // of a cell
	n      [3]int     // cells along each axis
	bx, by int        // bricks along x and y
}

const (
	// cellsPerTriangle is how many cells there are for a triangle. Fewer: longer lists, and more
	// points in cells with a list. More: a longer set-up, and cells that leave the cache.
	cellsPerTriangle = 8
	// minCells and maxCells bound the number of cells: below, setting up costs nothing anyway; above,
	// memory while setting up, 6 bytes a cell.
	minCells = 1 << 12
	maxCells = 1 << 24
	// gridRel times the largest coordinate is the least side of a cell: 2^12 roundings, so that
	// reference points lie in their cells. Smaller: they may lie in the next; larger: longer lists far
	// from the origin.
	gridRel = 0x1p-40
)

func newGrid(box vec.Box, triangles int) grid {
	lo, hi := array(box.Min), array(box.Max)
	var extent [3]float64
	longest := 0.0
	for k := range 3 {
		extent[k] = hi[k] - lo[k]
		longest = max(longest, extent[k])
	}
	least := max(float64(gridRel*max(box.Min.MaxAbs(), box.Max.MaxAbs())), 0x1p-300)
	cells := float64(min(max(cellsPerTriangle*triangles, minCells), maxCells))
	g := grid{origin: box.Min, n: [3]int{1, 1, 1}}
	// The side for which the box, each extent at least one side, has so many cells.
	side := longest
	for range 3 {
		volume, axes := 1.0, 0
		for k := range 3 {
			if extent[k] > side || extent[k] == longest {
				volume, axes = volume*(extent[k]/longest), axes+1
			}
		}
		side = float64(longest * root(volume/cells, axes))
	}
	side = max(side, least)
	for k := range 3 {
		g.side[k] = extent[k]
		if n := math.Floor(extent[k] / side); n > 1 {
			g.n[k] = int(min(n, maxCells))
			g.side[k] = extent[k] / float64(g.n[k])
			g.per[k] = float64(g.n[k]) / extent[k]
		}
	}
	g.bx, g.by = (g.n[0]+3)/4, (g.n[1]+3)/4
	return g
}

// root returns the k-th root of x, 1 <= k <= 3: that of the cube by steps of Newton, which need not be
// exact.
func root(x float64, k int) float64 {
	switch k {
	case 1:
		return x
	case 2:
		return math.Sqrt(x)
	}
	r := math.Sqrt(math.Sqrt(x))
	for range 40 {
		r -= float64(r-x/float64(r*r)) / 3
	}
	return r
}

func array(v vec.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// cell returns the cell of a coordinate of the box along an axis.
func (g *grid) cell(axis int, x, origin float64) int {
	return min(int(float64((x-origin)*g.per[axis])), g.n[axis]-1)
}

// cells returns the cell of a point of the box.
func (g *grid) cells(p vec.Vec3) (x, y, z int) {
	return g.cell(0, p.X, g.origin.X), g.cell(1, p.Y, g.origin.Y), g.cell(2, p.Z, g.origin.Z)
}

// Where reference points lie in their cells, in sides: near the middle, so that segments are short,
// and off all simple fractions, where the vertices of structured meshes are. Nothing depends on it
// but speed.
const (
	referenceX = 0.5 - 0x1.6a09e667f3bcdp-9
	referenceY = 0.5 + 0x1.bb67ae8584caap-9
	referenceZ = 0.5 - 0x1.1e3779b97f4a8p-8
)

// reference returns the reference point of a cell. Those of a row of x lie on one line along x.
func (g *grid) reference(x, y, z int) vec.Vec3 {
	return vec.Vec3{X: g.referenceX(x), Y: g.referenceY(y), Z: g.referenceZ(z)}
}

func (g *grid) referenceX(x int) float64 {
	return g.origin.X + float64((float64(x)+referenceX)*g.side[0])
}

func (g *grid) referenceY(y int) float64 {
	return g.origin.Y + float64((float64(y)+referenceY)*g.side[1])
}

func (g *grid) referenceZ(z int) float64 {
	return g.origin.Z + float64((float64(z)+referenceZ)*g.side[2])
}

// brick returns the brick of a cell and its bit there.
func (g *grid) brick(x, y, z int) (at int, bit uint) {
	return (z>>2*g.by+y>>2)*g.bx + x>>2, uint(z&3)<<4 | uint(y&3)<<2 | uint(x&3)
}

// bricks returns the number of bricks.
func (g *grid) bricks() int { return g.bx * g.by * ((g.n[2] + 3) / 4) }
