package broad

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// leastBits: lattice steps across a cell, as a power of two, fine enough that one pair in 60 is compared in
	// float64. Grids of fewer cells have more: a coordinate has asm.LatticeLane bits.
	leastBits = 8
	// mostBits keeps what is rounded in the side of a box below a lattice step.
	mostBits = 16
	// maxAxis bounds the cells along an axis.
	maxAxis = 1 << (asm.LatticeLane - leastBits)
	// fineX halves cells along x, as a power of two: cells of a line are contiguous, so narrower ones cost no
	// look-ups and cut what lies beyond the box.
	fineX = 1
	// slack makes cells longer than any box in them by more than two lattice steps and any rounding.
	slack = 1 + 1.0/64
	// flattest bounds how much shorter a cell is along one axis than along the longest. Without it, a
	// floor in a world of rocks would have layers of cells far thinner than a rock.
	flattest = 4
	// densePerPiece is the cells that a row of a grid may cost before the grid is hashed: 32 bytes.
	densePerPiece = 8
	// hashedCells is the inverse of how many times longer the cells of a hashed grid are. Each look-up is a
	// load from anywhere in the table, so few look-ups with more entries each are better: of cells
	// twice as long a box looks into two along each axis, not three.
	hashedCells = 0.5
	// hashReach bounds the cells of a hashed grid along each axis, in both directions. What lies beyond
	// is entered in the last cell, which is right and only slow.
	hashReach = 1 << 30
	// leastCell, m, keeps the reciprocal of a cell's size finite.
	leastCell = 1 / maxExtent

	// Lanes of the y and the z coordinate in a corner on the lattice, and what masks one coordinate.
	laneY = asm.LatticeLane + 1
	laneZ = 2*asm.LatticeLane + 2
	lane  = 1<<asm.LatticeLane - 1
)

// Grid is the cells of boxes of like size, and of one kind. A box is entered in one cell, that of its lower corner. Cells are
// at least as long as the longest box, so whatever overlaps box e has its lower corner between the cell before
// that of e's lower corner and the cell of e's upper corner, along each axis.
//
// Corners are rounded down to a lattice, three coordinates in a word: see asm.LatticeSpan. Rounding keeps order, also where what
// lies beyond the lattice is bounded: so boxes overlap on the lattice where they do, and where they overlap there by a step, they do.
//
// A dense grid is a table of cells, x fastest. A hashed one has a power of two of cells, and a line of cells along x lies
// together where its y and z hash to.
type Grid struct {
	Bounds
	Kind   soa.Kind
	Hashed bool
	Cells  uint32 // how many
	base   uint32 // the first cell of this grid among those of all

	asm.LatticeFrame        // of a hashed grid From, and Step in cells per m
	back             [3]int // lattice steps below a lower corner where an overlapping one may lie
	nx, ny           int    // cells; nx counts half cells
	bits             uint   // lattice steps across a cell, as a power of two
}

// choose sets the grid for lower corners from lo to hi; what lies beyond is entered at its border: a dense table where the boxes
// fill enough of their bounds or the cells are not more than are left to share, else a hashed one. It returns how many of the shared cells
// it took.
func (g *Grid) choose(shared float64, lo, hi vec.Vec3) (taken float64) {
	longest := max(g.Scale()*slack, leastCell)
	size := func(side float64) float64 { return max(side*slack, longest/flattest) }
	cell := vec.Vec3{X: size(g.Size.X), Y: size(g.Size.Y), Z: size(g.Size.Z)}
	nx := math.Floor((hi.X-lo.X)/cell.X) + 1
	ny := math.Floor((hi.Y-lo.Y)/cell.Y) + 1
	nz := math.Floor((hi.Z-lo.Z)/cell.Z) + 1
	g.From = [3]float64{lo.X, lo.Y, lo.Z}
	// A span that overflowed makes the product infinite or NaN, and the comparisons false.
	cells := float64(nx*ny*nz) * (1 << fineX)
	own := cells <= float64(densePerPiece*g.N+64)
	g.Hashed = !((own || cells <= shared) && nx <= maxAxis && ny <= maxAxis && nz <= maxAxis)
	if g.Hashed {
		g.Step = [3]float64{hashedCells / cell.X, hashedCells / cell.Y, hashedCells / cell.Z}
		// A line of cells may run over the end by the cells of a box and two more.
		g.Cells = 1 << max(4, bits.Len(uint(2*g.N-1)))
		return 0
	}
	g.bits = min(asm.LatticeLane-uint(bits.Len(uint(max(nx, ny, nz)-1))), mostBits)
	quanta := float64(uint(1) << g.bits)
	g.Step = [3]float64{quanta / cell.X, quanta / cell.Y, quanta / cell.Z}
	g.nx, g.ny = int(nx)<<fineX, int(ny)
	g.Cells = uint32(g.nx * g.ny * int(nz))
	g.Last = [3]float64{float64(nx*quanta) - 1, float64(ny*quanta) - 1, float64(nz*quanta) - 1}
	// The longest side, rounded up, and one step because the lower corner was rounded down. Never more
	// than a cell: slack is over two steps.
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

// cellOf returns the cell of a lower corner on the lattice of a dense grid.
func (g *Grid) cellOf(lower uint64) uint32 {
	x, y, z := uint32(lower&lane), uint32(lower>>laneY&lane), uint32(lower>>laneZ)
	return g.base + (z>>(g.bits&31)*uint32(g.ny)+y>>(g.bits&31))*uint32(g.nx) + x>>((g.bits-fineX)&31)
}

// reach is the cells of a dense grid in which the lower corner of a box that overlaps another one may lie, both ends included;
// x counts half cells.
type reach struct{ x0, x1, y0, y1, z0, z1 int }

// reachOf returns the reach of a box whose corners on the lattice of the grid are given.
func (g *Grid) reachOf(lower, upper uint64) reach {
	cell, half := g.bits&63, (g.bits-fineX)&63
	return reach{
		max(int(lower&lane)-g.back[0], 0) >> half, int(upper&lane) >> half,
		max(int(lower>>laneY&lane)-g.back[1], 0) >> cell, int(upper>>laneY&lane) >> cell,
		max(int(lower>>laneZ)-g.back[2], 0) >> cell, int(upper>>laneZ&lane) >> cell,
	}
}

// line returns the first cell of a line of a dense grid.
func (g *Grid) line(y, z int) int { return int(g.base) + (z*g.ny+y)*g.nx }

// cell is the coordinates of a cell of a hashed grid.
type cell struct{ x, y, z int32 }

// cellsAround returns the cells of a hashed grid from the one to the other in which the lower corner of a box that overlaps the given one may
// lie. Lower corners of overlapping boxes are less than half a cell less slack apart, and rounding is below 2⁻²² of a cell: so half a cell
// below bounds theirs.
func (g *Grid) cellsAround(box *vec.Box) (from, to cell) {
	return g.cellBelow(&box.Min, hashedCells), g.cellBelow(&box.Max, 0)
}

// cellBelow returns the cell of a hashed grid that holds the point the given part of a cell below
// p along each axis.
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

// place returns where a cell lies in the table of a hashed grid. Lines along x stay
// together. The multipliers are odd, from the golden ratio and the square root of 2.
func (g *Grid) place(x, y, z int32) uint32 {
	h := uint64(uint32(y))*0x9e3779b97f4a7c15 ^ uint64(uint32(z))*0x6a09e667f3bcc909
	h ^= h >> 29
	h *= 0x9e3779b97f4a7c15
	return (uint32(h>>32) + uint32(x)) & (g.Cells - 1)
}

// farLook reports whether a look into hashed cells, from one to another, goes over more than a rebuild of as many bodies would
// cost.
func farLook(from, to cell) bool {
	const most = 1 << 12
	nx, ny, nz := int64(to.x)-int64(from.x)+1, int64(to.y)-int64(from.y)+1, int64(to.z)-int64(from.z)+1
	return nx > most || ny > most || nz > most || nx*ny*nz > most
}
