package voxels

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// Cells is a closed surface with a grid of cells over its box. A cell that the surface does not enter
// lies on one side as a whole. A cell that it enters has four reference points, and knows which of them
// lie inside. The segment from a point of the cell to a reference point stays in the cell, so it
// meets no other triangles than those of the cell's list; and none at all if both lie on the same side
// of each triangle's plane.
type Cells struct {
	surface *tri.Surface
	box     vec.Box
	grid    grid
	bricks  []brick
	lists   []uint32 // by rank of an entered cell: first entry of its list<<4, and which reference points lie inside
	entries []uint32 // triangle<<4, and which reference points lie on its outer side
	planes  []plane  // by triangle
}

// brick is what 4×4×4 cells know, by bit (iz&3)<<4 | (iy&3)<<2 | ix&3. 24 bytes: those of 128³ cells
// fit a second-level cache, whichever way points run through them.
type brick struct {
	entered uint64 // the surface may enter the cell
	inside  uint64 // the cell's reference point 0 lies inside
	rank    uint32 // entered cells of earlier bricks
	_       uint32
}

// plane is that of a triangle in units of the error of its evaluation: a point p of the surface's box
// is on its outer side if n·p + d > 1, on the inner if n·p + d < -1. 32 bytes.
type plane struct {
	n vec.Vec3
	d float64
}

// planeBound times the sum M of the absolute products in the components of the area vector, and times
// the largest coordinate P, is more than the error of the evaluated plane. The area vector is off by
// 4·2^-53·M in all, and multiplied with a difference of at most 2P; products and sums of n·p + d round by
// another 8·2^-53·M·P; the division by the bound by 2·2^-53 of |n·p + d|, which the bound has room for.
// Smaller: a point may get the wrong side; larger: more calls go to exact arithmetic.
const planeBound = 0x1p-48

// New sets up the cells of a closed surface that turns outwards and has no triangle without area. It
// returns an error where the winding number of a reference point is neither 0 nor 1.
func New(s *tri.Surface) (*Cells, error) {
	c := &Cells{surface: s, box: s.Box()}
	c.grid = newGrid(c.box, len(s.Tris))
	b := newBuilder(c)
	b.enter()
	if err := b.sort(); err != nil {
		return nil, err
	}
	return c, b.setInside()
}

// Bytes is the memory of the cells, without the surface.
func (c *Cells) Bytes() int {
	return 24*cap(c.bricks) + 4*cap(c.lists) + 4*cap(c.entries) + 32*cap(c.planes)
}

// newPlane returns the plane of a triangle, or one that decides nothing where numbers leave their range.
func newPlane(a, b, c vec.Vec3, reach float64) plane {
	u, v := b.Sub(a), c.Sub(a)
	xy, yx := float64(u.X*v.Y), float64(u.Y*v.X)
	yz, zy := float64(u.Y*v.Z), float64(u.Z*v.Y)
	zx, xz := float64(u.Z*v.X), float64(u.X*v.Z)
	n := vec.Vec3{X: yz - zy, Y: zx - xz, Z: xy - yx}
	m := math.Abs(xy) + math.Abs(yx) + math.Abs(yz) + math.Abs(zy) + math.Abs(zx) + math.Abs(xz)
	bound := float64(float64(planeBound*m) * reach)
	if !(bound > 0x1p-900 && bound < 0x1p900) {
		return plane{}
	}
	d := n.Dot(a)
	return plane{vec.Vec3{X: n.X / bound, Y: n.Y / bound, Z: n.Z / bound}, -d / bound}
}

// at evaluates the plane.
func (k *plane) at(p vec.Vec3) float64 {
	return float64(k.n.X*p.X) + float64(k.n.Y*p.Y) + float64(k.n.Z*p.Z) + k.d
}

// outer says whether the moved reference point q lies on the outer side of a triangle.
func (c *Cells) outer(t uint32, q vec.Vec3) bool {
	s := c.planes[t].at(q)
	if math.Abs(s) > 1 {
		return s > 0
	}
	k, l, m := c.surface.Corners(int(t))
	return tri.SideMoved(k, l, m, q) > 0
}

// rankOf returns the rank of an entered cell among all.
func (k *brick) rankOf(bit uint) int {
	return int(k.rank) + bits.OnesCount64(k.entered&(1<<bit-1))
}

// count returns how many cells of a brick are entered.
func (k *brick) count() int { return bits.OnesCount64(k.entered) }

// holds says whether a closed box holds a point.
func holds(b *vec.Box, p vec.Vec3) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y && p.Z >= b.Min.Z && p.Z <= b.Max.Z
}
