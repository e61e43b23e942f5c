package voxels

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// grid divides a box into cells that are as good as cubes. The cell of a coordinate x along an axis is
// the whole part of (x - origin)·per, as computed, at most n-1. That is a rising function of x, so a
// point of a triangle lies in a cell between those of the triangle's extremes.
type grid struct {
	origin [3]float64
	per    [3]float64 // cells per unit of length; 0 for an axis of one cell
	side   [3]float64 // of a cell
	n      [3]int     // cells along each axis
	bx, by int        // bricks along x and y
}

const (
	// cellsPerTriangle is how many cells there are for each of the first fewTriangles, whose cells
	// stay in the caches, and cellsPerMore for each further one. Fewer: longer lists, and more points in
	// cells with a list. More: a longer set-up, and cells that leave the caches.
	cellsPerTriangle = 16
	cellsPerMore     = 4
	fewTriangles     = 1 << 15
	// minCells and maxCells bound the number of cells: below, setting up costs nothing anyway; above,
	// memory while setting up, 4 bytes a cell.
	minCells = 1 << 12
	maxCells = 1 << 24
	// maxAxis bounds the cells along one axis: a vertex keeps its place among two lines a cell in 16 bits.
	maxAxis = 1<<15 - 1
	// gridRel times the largest coordinate is the least side of a cell: 2^12 roundings, so that
	// reference points lie in their cells. Smaller: they may lie in the next; larger: longer lists far
	// from the origin.
	gridRel = 0x1p-40
)

// cellsFor returns how many cells a surface of so many triangles should have.
func cellsFor(triangles int) int {
	few := min(triangles, fewTriangles)
	return min(max(cellsPerTriangle*few+cellsPerMore*(triangles-few), minCells), maxCells)
}

// newGrid returns a grid of about so many cells.
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
	// The side for which the box, each extent at least one side, has so many cells.
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
func (g *grid) cell(axis int, x float64) int {
	return min(int(float64((x-g.origin[axis])*g.per[axis])), g.n[axis]-1)
}

// Where the four reference points of a cell lie, in sides: at every other corner of a cube in the cell.
// Any plane through the middle has some on either side, so most points of the cell have one for which
// no plane of a triangle lies between. They are off all simple fractions, where the vertices of
// structured meshes are. Nothing depends on it but speed.
const (
	referenceLow  = 0x1.8f00a56eb98c5p-5
	referenceHigh = 1 - referenceLow
)

// references is how many reference points a cell has. Number r has the higher y if r&1 is set, the
// higher z if r&2 is, and the higher x if only one of them is.
const references = 4

// reference returns one of the 2n coordinates that reference points have along an axis. The points
// with one y and one z lie on one line along x, one of each cell.
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

// address returns brick<<6 | bit of a cell: the sum of what its places along the axes add.
func (g *grid) address(x, y, z int) uint32 {
	return uint32(x>>2<<6|x&3) + uint32(y>>2*g.bx<<6|y&3<<2) + uint32(z>>2*g.by*g.bx<<6|z&3<<4)
}

// bricks returns the number of bricks.
func (g *grid) bricks() int { return g.bx * g.by * ((g.n[2] + 3) / 4) }
