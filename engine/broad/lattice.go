package broad

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// A cell extent on the lattice of its space: three coordinates of laneBits in one word for each
// corner, so that one subtraction compares all three axes.
//
//	bit 62      41      20
//	   [g|  z  |g|  y  |g|  x  ]
//
// The guard bit g above each lane is set in upper corners and clear in lower ones: upper - lower
// then borrows from the guard exactly where upper < lower, and never from the next lane.
// Lattice coordinates are a monotone function of the coordinate, with rounding and with clamping:
// so lattice boxes overlap where the extents do, and where they overlap by a step, the extents do.
const (
	laneBits = 20
	lane     = 1<<laneBits - 1
	guards   = 1<<laneBits | 1<<(2*laneBits+1) | 1<<(3*laneBits+2)
	ones     = 1 | 1<<(laneBits+1) | 1<<(2*laneBits+2)
	laneY    = laneBits + 1
	laneZ    = 2*laneBits + 2
)

// lattice is the cell extent of an entry: corners on the lattice of a dense space; of a hashed one
// lower is the cell along x and y, upper that along z.
type lattice struct{ lower, upper uint64 }

// overlapStrictly says whether two lattice boxes overlap by at least a step along each axis.
func (a lattice) overlapStrictly(b lattice) bool {
	return (a.upper-b.lower-ones)&(b.upper-a.lower-ones)&guards == guards
}

// steps returns the lattice coordinate of x along an axis.
func steps(x, origin, perMetre float64, last uint64) uint64 {
	t := (x - origin) * perMetre
	if !(t > 0) {
		return 0
	}
	if t >= float64(last) {
		return last
	}
	return uint64(int64(t))
}

// corner returns a point of a dense space on its lattice.
func (s *space) corner(p vec.Vec3) (x, y, z uint64) {
	return steps(p.X, s.from.X, s.step.X, s.last[0]),
		steps(p.Y, s.from.Y, s.step.Y, s.last[1]),
		steps(p.Z, s.from.Z, s.step.Z, s.last[2])
}

func pack(x, y, z uint64) uint64 { return x | y<<laneY | z<<laneZ }

// row returns the row of the cell table of a cell of a dense space; x counts half cells.
func (s *space) row(x, y, z int) uint32 { return s.base + uint32((z*s.ny+y)*s.nx+x) }

// cell is the coordinates of a cell of a hashed space.
type cell struct{ x, y, z int32 }

// cellAt returns the cell of a hashed space that holds a point, or the nearest within hashReach.
func (s *space) cellAt(p vec.Vec3) cell { return s.cellBelow(p, 0) }

// cellBelow returns the cell of a hashed space that holds the point the given part of a cell below p
// along each axis. Lower corners of overlapping extents are less than half a cell less slack apart,
// and rounding is below 2⁻²² of a cell: so with half a cell it bounds theirs from below.
func (s *space) cellBelow(p vec.Vec3, part float64) cell {
	return cell{
		hashAxis(p.X, s.from.X, s.step.X, part),
		hashAxis(p.Y, s.from.Y, s.step.Y, part),
		hashAxis(p.Z, s.from.Z, s.step.Z, part),
	}
}

func hashAxis(x, origin, perMetre, part float64) int32 {
	t := math.Floor(float64((x-origin)*perMetre) - part)
	if !(t > -hashReach) {
		return -hashReach
	}
	if t >= hashReach {
		return hashReach
	}
	return int32(t)
}

func (k cell) lattice() lattice {
	return lattice{uint64(uint32(k.x))<<32 | uint64(uint32(k.y)), uint64(uint32(k.z))}
}

func (l lattice) cell() cell {
	return cell{int32(uint32(l.lower >> 32)), int32(uint32(l.lower)), int32(uint32(l.upper))}
}

// hashRow returns the row of the cell table of a cell of a hashed space. Blocks of 8³ cells are hashed,
// and the place in the block is exclusive-ored to the lowest bits: cells near each other lie near each
// other in the table, and pieces at one place in many blocks still spread over all of it.
//
// Odd multipliers from the golden ratio and the square roots of 2 and 3, then a fold: the top bits,
// which are used, depend on every bit of the coordinates.
func (s *space) hashRow(k cell) uint32 {
	h := uint64(uint32(k.x>>3))*0x9e3779b97f4a7c15 ^
		uint64(uint32(k.y>>3))*0x6a09e667f3bcc909 ^
		uint64(uint32(k.z>>3))*0xbb67ae8584caa73b
	h ^= h >> 29
	h *= 0x9e3779b97f4a7c15
	place := uint32(k.x&7 | k.y&7<<3 | k.z&7<<6)
	return s.base + (uint32(h>>s.hashShift)^place)&(s.rows-1)
}
