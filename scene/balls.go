package scene

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// balls finds which bounding balls overlap: a tree of cells. Those of level 0 are as wide as the largest ball, those of each level
// below half as wide as its parents. A ball is in the cell that holds its centre, of the lowest level whose cells are as wide as
// it. So a large ball beside many small ones does not put these into one cell. Cells that hold nothing are not there.
type balls struct {
	room   vec.Box // balls that are not near it are left out
	width  float64 // m, of a cell of level 0
	levels int
	cells  map[cellAt]ballCell
	next   []int32 // by ball: 1 + the one put into the same cell before it
	centre []vec.Vec3
	radius []float64
	lo, hi [maxBallLevels][3]int64 // of free: which cells of each level may hold a ball that overlaps
	bodies int                     // of the scene, that are in it or were left out
	looks  int64                   // at cells and balls, for tests
}

type cellAt struct {
	level   int
	x, y, z int64
}

type ballCell struct {
	first int32 // 1 + the ball last put into it
	below bool  // whether a cell of the next level, within it, holds something
}

const (
	// maxBallLevels is how many levels there are at most. Balls 2⁴⁰ times smaller than the largest share cells.
	maxBallLevels = 40
	// maxBallCells is up to where cells are counted from the origin, so that numbers of cells are exact.
	maxBallCells = 1 << 48
	// ballSlack widens what is looked at, relative to the largest coordinate: eight roundings, and a quarter of a cell at most.
	ballSlack = 0x1p-50
)

// newBalls returns no balls, for bodies to be put into a box. largest is the radius of the largest of all.
func newBalls(room vec.Box, largest float64) *balls {
	far := max(room.Min.MaxAbs(), room.Max.MaxAbs())
	b := &balls{room: room, cells: map[cellAt]ballCell{}, width: max(2*largest, far/maxBallCells)}
	for b.levels = 1; b.levels < maxBallLevels && far/math.Ldexp(b.width, -b.levels) < maxBallCells; b.levels++ {
	}
	return b
}

// reachOf widens a radius by what rounding may be.
func reachOf(c vec.Vec3, r float64) float64 { return r + float64(ballSlack*(r+c.MaxAbs())) }

// add puts a ball in.
func (b *balls) add(c vec.Vec3, r float64) {
	if !b.room.Enlarged(reachOf(c, r)).Overlaps(vec.Box{Min: c, Max: c}) {
		return
	}
	at := cellAt{}
	for at.level+1 < b.levels && math.Ldexp(b.width, -at.level-1) >= 2*r {
		at.level++
	}
	w := math.Ldexp(b.width, -at.level)
	at.x, at.y, at.z = int64(math.Floor(c.X/w)), int64(math.Floor(c.Y/w)), int64(math.Floor(c.Z/w))
	cell := b.cells[at]
	b.next = append(b.next, cell.first)
	b.centre = append(b.centre, c)
	b.radius = append(b.radius, r)
	cell.first = int32(len(b.next))
	b.cells[at] = cell
	for at.level > 0 {
		at = cellAt{at.level - 1, at.x >> 1, at.y >> 1, at.z >> 1}
		cell := b.cells[at]
		if cell.below {
			break
		}
		cell.below = true
		b.cells[at] = cell
	}
}

// free reports whether a ball overlaps none. Cost: a look at 27 cells of each level, and at the balls in them; of a large ball at
// cells of small ones as many as its surface crosses.
func (b *balls) free(c vec.Vec3, r float64) bool {
	for l := range b.levels {
		w := math.Ldexp(b.width, -l)
		reach := reachOf(c, r+float64(0.5*w))
		for axis, x := range [3]float64{c.X, c.Y, c.Z} {
			b.lo[l][axis], b.hi[l][axis] = int64(math.Floor((x-reach)/w)), int64(math.Floor((x+reach)/w))
		}
	}
	return b.freeAmong(0, b.lo[0], b.hi[0], c, r)
}

// freeAmong is free of the balls in the cells of a level from lo to hi, and in the cells within them.
func (b *balls) freeAmong(level int, lo, hi [3]int64, c vec.Vec3, r float64) bool {
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for z := lo[2]; z <= hi[2]; z++ {
				if !b.freeIn(cellAt{level, x, y, z}, c, r) {
					return false
				}
			}
		}
	}
	return true
}

// freeIn is free of the balls in a cell and in the cells within it.
func (b *balls) freeIn(at cellAt, c vec.Vec3, r float64) bool {
	b.looks++
	cell := b.cells[at]
	for k := cell.first; k != 0; k = b.next[k-1] {
		b.looks++
		if c.Sub(b.centre[k-1]).Norm() < r+b.radius[k-1] {
			return false
		}
	}
	if !cell.below {
		return true
	}
	lo, hi := b.lo[at.level+1], b.hi[at.level+1]
	for axis, first := range [3]int64{2 * at.x, 2 * at.y, 2 * at.z} {
		lo[axis], hi[axis] = max(lo[axis], first), min(hi[axis], first+1)
	}
	return b.freeAmong(at.level+1, lo, hi, c, r)
}
