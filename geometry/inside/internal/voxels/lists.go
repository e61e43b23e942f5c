package voxels

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// entry is a triangle in a cell, by the cell's brick and bit.
type entry struct{ cell, triangle uint32 }

// cover appends the cells that a triangle may enter, as brick<<6 | bit: those between the cells of its
// extremes whose box its plane meets.
func (c *Cells) cover(t int, to []entry) []entry {
	g := &c.grid
	p, q, r := c.surface.Corners(t)
	x0, y0, z0 := g.cells(p.Min(q).Min(r))
	x1, y1, z1 := g.cells(p.Max(q).Max(r))
	k := &c.planes[t]
	// Half the width of a cell's box along the normal, and room for the rounding of the cell's middle
	// and of the plane: far more than both. All of the cell's points lie in the box so widened.
	half := float64((0.5 + boxRoom) * (float64(math.Abs(k.n.X)*g.side[0]) + float64(math.Abs(k.n.Y)*g.side[1]) + float64(math.Abs(k.n.Z)*g.side[2])))
	half += planeRoom
	oneRow := (x1-x0)|(y1-y0) == 0 || (y1-y0)|(z1-z0) == 0 || (x1-x0)|(z1-z0) == 0
	for z := z0; z <= z1; z++ {
		for y := y0; y <= y1; y++ {
			middle := vec.Vec3{
				X: g.origin.X + float64((float64(x0)+0.5)*g.side[0]),
				Y: g.origin.Y + float64((float64(y)+0.5)*g.side[1]),
				Z: g.origin.Z + float64((float64(z)+0.5)*g.side[2]),
			}
			height, step := k.at(middle), float64(k.n.X*g.side[0])
			for x := x0; x <= x1; x++ {
				if oneRow || math.Abs(height+float64(float64(x-x0)*step)) <= half {
					b, bit := g.brick(x, y, z)
					to = append(to, entry{uint32(b)<<6 | uint32(bit), uint32(t)})
				}
			}
		}
	}
	return to
}

// boxRoom is by how many sides a cell's box is widened on each side: the rounding of a coordinate is
// at most 2^-12 of a side (gridRel). planeRoom is as much for a plane's own error, which is 1, at the
// four evaluations that a step along the row is worth. Smaller: a cell may lack a triangle; larger:
// longer lists.
const (
	boxRoom   = 0x1p-8
	planeRoom = 8
)

// setBricks enters all triangles into cells and makes the lists, without sides of reference points.
func (c *Cells) setBricks() {
	g := &c.grid
	c.bricks = make([]brick, g.bricks())
	found := make([]entry, 0, 6*len(c.surface.Tris))
	for t := range c.surface.Tris {
		found = c.cover(t, found)
	}
	next := make([]uint32, 64*len(c.bricks))
	for _, e := range found {
		next[e.cell]++
	}
	total, rank := uint32(0), uint32(0)
	for b := range c.bricks {
		k := &c.bricks[b]
		k.rank = rank
		for bit := range 64 {
			n := next[b<<6|bit]
			next[b<<6|bit] = total
			if n > 0 {
				k.entered |= 1 << bit
				c.first = append(c.first, total)
				total += n
				rank++
			}
		}
	}
	c.first = append(c.first, total)
	c.entries = make([]uint32, total)
	for _, e := range found {
		c.entries[next[e.cell]] = e.triangle << 1
		next[e.cell]++
	}
}

// setLists enters on which side of each triangle of a cell its reference point lies.
func (c *Cells) setLists() {
	g := &c.grid
	for z := range g.n[2] {
		for y := range g.n[1] {
			for x := range g.n[0] {
				b, bit := g.brick(x, y, z)
				k := &c.bricks[b]
				if k.entered>>bit&1 == 0 {
					continue
				}
				q := g.reference(x, y, z)
				r := k.rankOf(bit)
				list := c.entries[c.first[r]:c.first[r+1]]
				for i, e := range list {
					if c.outer(e>>1, q) {
						list[i] |= 1
					}
				}
			}
		}
	}
}
