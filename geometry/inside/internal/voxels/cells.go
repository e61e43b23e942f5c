package voxels

import (
	"math/bits"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// VoxelGrid is a closed surface with a grid of cells over its box. A cell that the surface does not
// enter lies on one side as a whole. A cell that the surface enters has four reference points; for
// each, the grid stores whether it lies inside. The segment from a point of the cell to a reference
// point stays in the cell. So the segment can only meet triangles of the cell's list. If both ends
// lie on the same side of each triangle's plane, the segment meets no triangle.
type VoxelGrid struct {
	surface *tri.Surface
	box     vec.Box
	grid    grid
	bricks  []brick
	lists   []uint32     // by rank of an entered cell: first entry of its list<<4 | reference points inside
	entries []uint32     // triangle<<4 | reference points on its outer side
	planes  []shortPlane // of each triangle
	middle  vec.Vec3     // of the box: planes are relative to it
	long    []long       // long lists with boxes, by rank
	boxes   []vec.Box
}

// brick has 4×4×4 cells; cell ix, iy, iz has the bit (iz&3)<<4 | (iy&3)<<2 | ix&3. It takes 24
// bytes. So the bricks of 128³ cells fit a second-level cache, in whatever order points visit them.
type brick struct {
	entered uint64 // the surface may enter the cell
	inside  uint64 // reference point 0 of the cell lies inside
	rank    uint32 // number of entered cells of earlier bricks
	_       uint32
}

// New sets up the cells of a closed surface. The surface must be oriented outwards and must have no
// triangle without area. New returns an error if the winding number of a reference point is neither
// 0 nor 1.
func New(s *tri.Surface) (*VoxelGrid, error) {
	c := &VoxelGrid{surface: s, box: s.Box(), planes: make([]shortPlane, len(s.Tris))}
	c.middle = c.box.Min.Add(c.half())
	var b *builder
	for cells := cellsFor(len(s.Tris)); ; cells = max(cells/8, 1) {
		c.grid = newGrid(c.box, cells)
		b = newBuilder(c)
		if b.enter(cells > 1) {
			break
		}
	}
	b.sort()
	b.setLong()
	return c, b.setInside()
}

// half returns half the diagonal of the box.
func (c *VoxelGrid) half() vec.Vec3 { return c.box.Max.Scale(0.5).Sub(c.box.Min.Scale(0.5)) }

// Bytes returns the memory of the cells, without the surface.
func (c *VoxelGrid) Bytes() int {
	return 24*cap(c.bricks) + 4*cap(c.lists) + 4*cap(c.entries) + 16*cap(c.planes) + 48*cap(c.boxes)
}

// rankOf returns the rank of an entered cell among all entered cells.
func (k *brick) rankOf(bit uint) int {
	return int(k.rank) + bits.OnesCount64(k.entered&(1<<bit-1))
}

// count returns the number of entered cells of a brick.
func (k *brick) count() int { return bits.OnesCount64(k.entered) }
