package voxels

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// grid divides a box into nearly cubic cells. The cell of a coordinate x along an axis is the
// integer part of (x - origin)·per, as computed, at most n-1. This is a nondecreasing function of
// x. So a point of a triangle lies in a cell between those of the triangle's extremes.
type grid struct {
	origin [3]float64
	per    [3]float64 // cells per unit of length; 0 for an axis with one cell
	side   [3]float64 // of a cell
	n      [3]int     // cells along each axis
	bx, by int        // bricks along x and y
}

const (
	// cellsPerTriangle is the number of cells for each of the first fewTriangles triangles; their
	// cells stay in the caches. cellsPerMore is the number for each further triangle. With fewer
	// cells, lists are longer and more points are in cells with a list. With more, the set-up takes
	// longer and the cells do not fit the caches.
	cellsPerTriangle = 16
	cellsPerMore     = 4
	fewTriangles     = 1 << 15
	// minCells and maxCells limit the number of cells. Below minCells, the set-up costs almost
	// nothing anyway. maxCells limits the memory of the set-up, 8 bytes a cell.
	minCells = 1 << 12
	maxCells = 1 << 24
	// maxAxis limits the cells along one axis: the number of reference lines below a vertex, two
	// lines a cell, must fit 16 bits.
	maxAxis = 1<<15 - 1
	// gridRel times the largest coordinate is the least side of a cell: 2^12 roundings, so that
	// reference points lie in their cells. With a smaller value, they may lie in the next cell.
	// With a larger one, lists far from the origin are longer.
	gridRel = 0x1p-40
)

// cellsFor returns how many cells a surface of the given number of triangles should have.
func cellsFor(triangles int) int {
	few := min(triangles, fewTriangles)
	return min(max(cellsPerTriangle*few+cellsPerMore*(triangles-few), minCells), maxCells)
}

// newGrid returns a grid of about the given number of cells.
func newGrid(box vec.Box, cells int) grid {
	lo, hi := array(box.Min), array(box.Max)
	var extent [3]float64
	longest := 0.0
	for k := range 3 {
		extent[k] = hi[k] - lo[k]
		longest = max(longest, extent[k])
	}
	least := max(float64(gridRel*max(box.Min.MaxAbs(), box.Max.MaxAbs())), 0x1p-300)
	g := grid{origin: lo, n: [3]int{1, 1, 1}}
	// Find the side for which the box has that many cells, if each extent is at least one side.
	side := longest
	for range 3 {
		volume, axes := 1.0, 0
		for k := range 3 {
			if extent[k] > side || extent[k] == longest {
				volume, axes = volume*(extent[k]/longest), axes+1
			}
		}
		side = float64(longest * root(volume/float64(cells), axes))
	}
	side = max(side, least)
	for k := range 3 {
		g.side[k] = extent[k]
		if n := math.Floor(extent[k] / side); n > 1 {
			g.n[k] = int(min(n, maxAxis))
			g.side[k] = extent[k] / float64(g.n[k])
			g.per[k] = float64(g.n[k]) / extent[k]
		}
	}
	g.bx, g.by = (g.n[0]+3)/4, (g.n[1]+3)/4
	return g
}

// root returns the k-th root of x, 1 <= k <= 3. The cube root uses Newton's method and is
// approximate.
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
func (g *grid) cell(axis int, x float64) int {
	return min(int(float64((x-g.origin[axis])*g.per[axis])), g.n[axis]-1)
}

// referenceLow and referenceHigh are where the four reference points of a cell lie, in sides of the
// cell: at alternate corners of a cube in the cell. Any plane through the middle has reference
// points on both sides. So for most points of the cell, some reference point is not separated from
// the point by any triangle's plane. The numbers are not near simple fractions, where structured
// meshes have vertices. Only speed depends on the numbers.
const (
	referenceLow  = 0x1.8f00a56eb98c5p-5
	referenceHigh = 1 - referenceLow
)

// references is the number of reference points of a cell. Point r has the higher y if r&1 is set,
// the higher z if r&2 is set, and the higher x if exactly one of both is set.
const references = 4

// reference returns coordinate i of the 2n coordinates of reference points along an axis. Reference
// points with the same y and z lie on one line along x, one in each cell.
func (g *grid) reference(axis, i int) float64 {
	in := referenceLow
	if i&1 == 1 {
		in = referenceHigh
	}
	return g.origin[axis] + float64((float64(i>>1)+in)*g.side[axis])
}

// referencePoint returns reference point r of a cell.
func (g *grid) referencePoint(x, y, z int, r uint) vec.Vec3 {
	ry, rz := int(r&1), int(r>>1)
	return vec.Vec3{X: g.reference(0, 2*x+ry^rz), Y: g.reference(1, 2*y+ry), Z: g.reference(2, 2*z+rz)}
}

// address returns brick<<6 | bit of a cell. It is the sum of one term for each axis.
func (g *grid) address(x, y, z int) uint32 {
	return uint32(x>>2<<6|x&3) + uint32(y>>2*g.bx<<6|y&3<<2) + uint32(z>>2*g.by*g.bx<<6|z&3<<4)
}

// bricks returns the number of bricks.
func (g *grid) bricks() int { return g.bx * g.by * ((g.n[2] + 3) / 4) }
