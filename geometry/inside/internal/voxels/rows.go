package voxels

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// setInside finds which reference points lie inside. The line along x through the reference points of
// a row of cells is crossed with all triangles; a crossing changes the winding number of the reference
// points behind it. The lines and points are moved by the same infinitesimal, so no line meets an edge.
func (c *Cells) setInside() error {
	g := &c.grid
	change := make([]int16, g.n[0]*g.n[1]*g.n[2]) // of the winding number, from the cell before
	for t := range c.surface.Tris {
		if err := c.crossRows(t, change); err != nil {
			return err
		}
	}
	at := 0
	for z := range g.n[2] {
		for y := range g.n[1] {
			number := 0
			for x := range g.n[0] {
				number += int(change[at])
				at++
				if number == 0 {
					continue
				}
				if number != 1 {
					return mark.Errorf(geometry.ErrSelfIntersecting, "the surface winds %d times around %v, expected 0 or 1: parts of it overlap or turn the other way", number, g.reference(x, y, z))
				}
				b, bit := g.brick(x, y, z)
				c.bricks[b].inside |= 1 << bit
			}
		}
	}
	return nil
}

// crossRows enters the crossings of a triangle with the lines of reference points.
func (c *Cells) crossRows(t int, change []int16) error {
	g := &c.grid
	p, q, r := c.surface.Corners(t)
	minY, maxY := min(p.Y, q.Y, r.Y), max(p.Y, q.Y, r.Y)
	minZ, maxZ := min(p.Z, q.Z, r.Z), max(p.Z, q.Z, r.Z)
	y0, y1 := g.cell(1, minY, g.origin.Y), g.cell(1, maxY, g.origin.Y)
	z0, z1 := g.cell(2, minZ, g.origin.Z), g.cell(2, maxZ, g.origin.Z)
	for y := y0; y <= y1; y++ {
		lineY := g.referenceY(y)
		if lineY < minY || lineY > maxY {
			continue
		}
		for z := z0; z <= z1; z++ {
			lineZ := g.referenceZ(z)
			if lineZ < minZ || lineZ > maxZ {
				continue
			}
			turn := tri.LineCrosses(p, q, r, lineY, lineZ)
			if turn == 0 {
				continue
			}
			x := c.firstBehind(uint32(t), y, z, turn)
			if x == g.n[0] {
				continue
			}
			d := &change[(z*g.n[1]+y)*g.n[0]+x]
			if *d == math.MaxInt16 || *d == -math.MaxInt16 {
				return mark.Errorf(geometry.ErrTooLarge, "%d or more faces cross one line within %.3g of %v, expected fewer", math.MaxInt16, g.side[0], g.reference(x, y, z))
			}
			*d -= int16(turn)
		}
	}
	return nil
}

// firstBehind returns the first cell of a row whose reference point lies behind the crossing of its line
// with a triangle, which turns to +x (turn 1) or to -x. An estimate is put right by exact tests.
func (c *Cells) firstBehind(t uint32, y, z, turn int) int {
	g := &c.grid
	start := vec.Vec3{X: g.origin.X, Y: g.referenceY(y), Z: g.referenceZ(z)}
	k := &c.planes[t]
	x := g.n[0]
	if at := float64(-k.at(start)/k.n.X) / g.side[0]; at < float64(x) {
		x = max(0, int(at+(1-referenceX)))
	}
	behind := func(x int) bool {
		start.X = g.referenceX(x)
		return c.outer(t, start) == (turn > 0)
	}
	for x < g.n[0] && !behind(x) {
		x++
	}
	for x > 0 && behind(x-1) {
		x--
	}
	return x
}
