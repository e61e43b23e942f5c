package scene

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// balls finds overlapping bounding balls with a hierarchical grid. Cells of level 0 are as wide as
// the largest ball. Cells of each further level are half as wide. A ball is stored in the cell of
// its centre, on the finest level whose cells are at least as wide as the ball. A large ball
// therefore does not force many small balls into one cell. Empty cells are not stored.
type balls struct {
	room   vec.Box // balls far from this box are not stored
	width  float64 // m, width of a cell of level 0
	levels int
	cells  map[cellAt]ballCell
	next   []int32 // by ball: 1 + the ball stored in the same cell before it
	centre []vec.Vec3
	radius []float64
	lo, hi [maxBallLevels][3]int64 // used by free: range of cells of each level that may hold overlapping balls
	bodies int                     // bodies of the scene processed so far, stored or not
	visits int64                   // number of cells and balls visited, for tests
}

type cellAt struct {
	level   int
	x, y, z int64
}

type ballCell struct {
	first int32 // 1 + the ball stored last
	below bool  // a cell of the next level inside this cell is not empty
}

const (
	// maxBallLevels is the largest number of levels. Balls that are 2⁴⁰ times smaller than the
	// largest share cells of the last level.
	maxBallLevels = 40
	// maxBallCells is the largest cell index, counted from the origin, so that indices are exact.
	maxBallCells = 1 << 48
	// ballSlack widens the search range, relative to the largest coordinate. It covers eight
	// rounding errors, and is at most a quarter of a cell.
	ballSlack = 0x1p-50
)

// newBalls returns an empty grid for balls near the box room. largest is the largest radius of all
// balls.
func newBalls(room vec.Box, largest float64) *balls {
	far := max(room.Min.MaxAbs(), room.Max.MaxAbs())
	b := &balls{room: room, cells: map[cellAt]ballCell{}, width: max(2*largest, far/maxBallCells)}
	for b.levels = 1; b.levels < maxBallLevels && far/math.Ldexp(b.width, -b.levels) < maxBallCells; b.levels++ {
	}
	return b
}

// begin empties the grid.
func (b *balls) begin() {
	clear(b.cells)
	b.bodies = 0
	b.next, b.centre, b.radius = b.next[:0], b.centre[:0], b.radius[:0]
}

// reachOf returns the radius r of a ball at c, enlarged by the rounding errors.
func reachOf(c vec.Vec3, r float64) float64 { return r + float64(ballSlack*(r+c.MaxAbs())) }

// add stores a ball, unless the ball is far from b.room.
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

// free reports whether the ball at c overlaps no stored ball. Cost: on each level 27 cells and the
// balls in them. A large ball also visits the cells of small balls that its surface crosses.
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

// freeAmong is free for the balls in the cells lo to hi of a level, and in the cells inside them.
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

// freeIn is free for the balls in the cell at, and in the cells inside it.
func (b *balls) freeIn(at cellAt, c vec.Vec3, r float64) bool {
	b.visits++
	cell := b.cells[at]
	for k := cell.first; k != 0; k = b.next[k-1] {
		b.visits++
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
