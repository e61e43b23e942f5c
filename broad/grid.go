package broad

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// leastBits: a cell spans at least 2^leastBits lattice steps. Then only one pair in 60 must be
	// compared in float64. Grids of fewer cells have finer steps, because a coordinate has
	// asm.LatticeLane bits.
	leastBits = 8
	// mostBits bounds the steps across a cell by 2^mostBits, so that the rounding of a box's side
	// stays below a lattice step.
	mostBits = 16
	// maxAxis bounds the number of cells along an axis.
	maxAxis = 1 << (asm.LatticeLane - leastBits)
	// fineX: a cell is divided into 2^fineX along x. The cells of a line are contiguous, so
	// narrower cells cost no further look-ups, and fewer entries outside the box are compared.
	fineX = 1
	// slack makes a cell longer than any box in it by more than two lattice steps and any rounding.
	// Smaller: a pair may be missed.
	slack = 1 + 1.0/64
	// flattest bounds the ratio of the longest side of a cell to each other side. Without it, the
	// grid of a floor in a world of rocks would have layers far thinner than a rock.
	flattest = 4
	// densePerPiece is the number of cells per row that a grid may take before it is hashed: 32
	// bytes.
	densePerPiece = 8
	// hashedCells: the cells of a hashed grid are 1/hashedCells times as long as those of a dense
	// grid. Each look-up is a random access to the table, so fewer look-ups with more entries each
	// are faster. With cells twice as long, a box looks into two cells along each axis instead of
	// three.
	hashedCells = 0.5
	// hashReach bounds the cell coordinates of a hashed grid along each axis, in both directions.
	// Boxes beyond it are entered in the last cell, which is correct but slow.
	hashReach = 1 << 30
	// leastCell, m, keeps the reciprocal of a cell's size finite.
	leastCell = 1 / maxExtent

	// laneY and laneZ are the bit positions of y and z in a lattice corner; lane masks one
	// coordinate.
	laneY = asm.LatticeLane + 1
	laneZ = 2*asm.LatticeLane + 2
	lane  = 1<<asm.LatticeLane - 1
)

// Grid holds the cells for boxes of similar size and of one kind. A box is entered in one cell,
// that of its lower corner. Cells are at least as long as the longest box. Let e be a box. Along
// each axis, any box that overlaps e has its lower corner in a range of cells. The range begins one
// cell before the cell of e's lower corner, and ends with the cell of e's upper corner.
//
// Corners are rounded down to a lattice, with three coordinates in a word: see asm.LatticeSpan.
// Rounding is monotonic, and so is clamping to the lattice's bounds. Hence boxes that overlap also
// overlap on the lattice. Conversely, boxes whose lattice boxes overlap by at least a step do
// overlap.
//
// A dense grid is a table of cells, in which x varies fastest. A hashed grid is a table whose size
// is a power of two. Its lines of cells along x are contiguous and start where y and z hash to.
type Grid struct {
	Bounds
	Kind   soa.Kind
	Hashed bool
	Cells  uint32 // number of cells
	base   uint32 // index of this grid's first cell among the cells of all grids

	asm.LatticeFrame        // for a hashed grid only From, and Step in cells per m
	back             [3]int // how many lattice steps below a lower corner an overlapping one may lie
	nx, ny           int    // cells; nx counts half cells
	bits             uint   // a cell spans 2^bits lattice steps
}

// choose chooses the cells of the grid, for lower corners from lo to hi. Boxes beyond are entered
// at the border. The grid is dense if its boxes fill enough of their bounds, or if it needs at most
// shared cells. Otherwise it is hashed. choose returns how many of the shared cells it took.
func (g *Grid) choose(shared float64, lo, hi vec.Vec3) (taken float64) {
	longest := max(g.Scale()*slack, leastCell)
	size := func(side float64) float64 { return max(side*slack, longest/flattest) }
	cell := vec.Vec3{X: size(g.Size.X), Y: size(g.Size.Y), Z: size(g.Size.Z)}
	nx := math.Floor((hi.X-lo.X)/cell.X) + 1
	ny := math.Floor((hi.Y-lo.Y)/cell.Y) + 1
	nz := math.Floor((hi.Z-lo.Z)/cell.Z) + 1
	g.From = [3]float64{lo.X, lo.Y, lo.Z}
	// If a span overflows, the product is infinite or NaN, and the comparisons below are false.
	cells := float64(nx*ny*nz) * (1 << fineX)
	own := cells <= float64(densePerPiece*g.N+64)
	g.Hashed = !((own || cells <= shared) && nx <= maxAxis && ny <= maxAxis && nz <= maxAxis)
	if g.Hashed {
		g.Step = [3]float64{hashedCells / cell.X, hashedCells / cell.Y, hashedCells / cell.Z}
		// A line of cells may wrap around at the end of the table, by the cells of a box and two
		// more.
		g.Cells = 1 << max(4, bits.Len(uint(2*g.N-1)))
		return 0
	}
	g.bits = min(asm.LatticeLane-uint(bits.Len(uint(max(nx, ny, nz)-1))), mostBits)
	quanta := float64(uint(1) << g.bits)
	g.Step = [3]float64{quanta / cell.X, quanta / cell.Y, quanta / cell.Z}
	g.nx, g.ny = int(nx)<<fineX, int(ny)
	g.Cells = uint32(g.nx * g.ny * int(nz))
	g.Last = [3]float64{float64(nx*quanta) - 1, float64(ny*quanta) - 1, float64(nz*quanta) - 1}
	// The longest side, rounded up, plus one step because the lower corner was rounded down. This
	// is never more than a cell, because slack exceeds two steps.
	g.back = [3]int{
		int(math.Ceil(g.Size.X*g.Step[0])) + 1,
		int(math.Ceil(g.Size.Y*g.Step[1])) + 1,
		int(math.Ceil(g.Size.Z*g.Step[2])) + 1,
	}
	if own {
		return 0
	}
	return cells
}

// cellOf returns the cell of a dense grid that contains a lower corner, given on the lattice.
func (g *Grid) cellOf(lower uint64) uint32 {
	x, y, z := uint32(lower&lane), uint32(lower>>laneY&lane), uint32(lower>>laneZ)
	return g.base + (z>>(g.bits&31)*uint32(g.ny)+y>>(g.bits&31))*uint32(g.nx) + x>>((g.bits-fineX)&31)
}

// reach is a range of cells of a dense grid, both ends included; x counts half cells. It contains
// the lower corner of every box that overlaps a given box.
type reach struct{ x0, x1, y0, y1, z0, z1 int }

// reachOf returns the reach of the box with the given corners on the lattice.
func (g *Grid) reachOf(lower, upper uint64) reach {
	cell, half := g.bits&63, (g.bits-fineX)&63
	return reach{
		max(int(lower&lane)-g.back[0], 0) >> half, int(upper&lane) >> half,
		max(int(lower>>laneY&lane)-g.back[1], 0) >> cell, int(upper>>laneY&lane) >> cell,
		max(int(lower>>laneZ)-g.back[2], 0) >> cell, int(upper>>laneZ&lane) >> cell,
	}
}

// line returns the first cell of line (y, z) of a dense grid.
func (g *Grid) line(y, z int) int { return int(g.base) + (z*g.ny+y)*g.nx }

// cell holds the coordinates of a cell of a hashed grid.
type cell struct{ x, y, z int32 }

// cellsAround returns the range of cells of a hashed grid, from and to included, that contains the
// lower corner of every box that overlaps the given one. Lower corners of overlapping boxes are
// less than half a cell less slack apart, and rounding is below 2⁻²² of a cell. So the range starts
// half a cell below the lower corner.
func (g *Grid) cellsAround(box *vec.Box) (from, to cell) {
	return g.cellBelow(&box.Min, hashedCells), g.cellBelow(&box.Max, 0)
}

// cellBelow returns the cell of a hashed grid that contains the point p minus part of a cell along
// each axis.
func (g *Grid) cellBelow(p *vec.Vec3, part float64) cell {
	return cell{
		hashAxis(p.X, g.From[0], g.Step[0], part),
		hashAxis(p.Y, g.From[1], g.Step[1], part),
		hashAxis(p.Z, g.From[2], g.Step[2], part),
	}
}

func hashAxis(x, from, perMetre, part float64) int32 {
	t := math.Floor(float64((x-from)*perMetre) - part)
	if !(t > -hashReach) {
		return -hashReach
	}
	if t >= hashReach {
		return hashReach
	}
	return int32(t)
}

// place returns the index of a cell in the table of a hashed grid. The cells of a line along x are
// contiguous, modulo the size of the table. The multipliers are odd numbers from the golden ratio
// and the square root of 2.
func (g *Grid) place(x, y, z int32) uint32 {
	h := uint64(uint32(y))*0x9e3779b97f4a7c15 ^ uint64(uint32(z))*0x6a09e667f3bcc909
	h ^= h >> 29
	h *= 0x9e3779b97f4a7c15
	return (uint32(h>>32) + uint32(x)) & (g.Cells - 1)
}

// tooManyCells reports whether the cells from one to another are so many that visiting them costs
// more than a rebuild of as many bodies.
func tooManyCells(from, to cell) bool {
	const most = 1 << 12
	nx, ny, nz := int64(to.x)-int64(from.x)+1, int64(to.y)-int64(from.y)+1, int64(to.z)-int64(from.z)+1
	return nx > most || ny > most || nz > most || nx*ny*nz > most
}
