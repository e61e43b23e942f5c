package voxels

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// crossLines enters the crossings of a triangle with the lines along x through reference points,
// those with coordinates y0 <= y < y1 and z0 <= z < z1 of b.at. A crossing changes the winding number of
// the reference points behind it. Lines and points are moved by the same infinitesimal, so no line
// meets an edge.
func (b *builder) crossLines(t uint32, k *plane, y0, y1, z0, z1 int) {
	n := &b.grid.n
	p, q, r := b.surface.Corners(int(t))
	for y := y0; y < y1; y++ {
		for z := z0; z < z1; z++ {
			line := vec.Vec3{X: b.grid.origin[0], Y: b.at[1][y], Z: b.at[2][z]}
			turn := tri.LineCrosses(p, q, r, line.Y, line.Z)
			if turn == 0 {
				continue
			}
			x := b.firstBehind(t, k, line, (y^z)&1, turn > 0)
			if x == n[0] {
				continue
			}
			// Bytes may borrow from each other meanwhile: sums are right modulo 2^32.
			byte := uint(y&1|z&1<<1) * 8
			b.change[((z>>1)*n[1]+y>>1)*n[0]+x] -= uint32(turn) << byte
		}
	}
}

// firstBehind returns the first cell of a row whose reference point on the line lies behind the line's
// crossing with a triangle, which turns to +x (up) or to -x. The reference points have the lower or
// higher x of their cells. An estimate is put right by exact tests.
func (b *builder) firstBehind(t uint32, k *plane, line vec.Vec3, higher int, up bool) int {
	n := b.grid.n[0]
	x := n
	if at := float64(-k.at(line)/k.n.X) / b.grid.side[0]; at < float64(n) {
		x = int(max(0, at+(1-referenceLow)-float64(float64(higher)*(referenceHigh-referenceLow))))
	}
	behind := func(x int) bool {
		line.X = b.at[0][2*x+higher]
		return b.outer(t, k, line) == up
	}
	for x < n && !behind(x) {
		x++
	}
	for x > 0 && behind(x-1) {
		x--
	}
	return x
}

// setInside sums the changes along each row, which gives the winding numbers of reference points.
func (b *builder) setInside() error {
	const ones = 0x01010101
	n := &b.grid.n
	for z := range n[2] {
		for y := range n[1] {
			numbers := uint32(0)
			row := b.address[2][z] + b.address[1][y]
			for x, d := range b.change[(z*n[1]+y)*n[0]:][:n[0]] {
				numbers += d
				if numbers == 0 {
					continue
				}
				if numbers&^ones != 0 {
					return b.windsMore(numbers, x, y, z)
				}
				cell := row + b.address[0][x]
				k, bit := &b.bricks[cell>>6], uint(cell&63)
				k.inside |= uint64(numbers&1) << bit
				if k.entered>>bit&1 != 0 {
					// Bits 0, 8, 16 and 24 come together.
					b.lists[k.rankOf(bit)] |= numbers & ones * 0x10204080 >> 28
				}
			}
		}
	}
	return nil
}

// windsMore returns the error of a reference point whose winding number is neither 0 nor 1.
func (b *builder) windsMore(numbers uint32, x, y, z int) error {
	for r := range uint(references) {
		number := int8(numbers)
		if number != 0 && number != 1 {
			at := b.grid.referencePoint(x, y, z, r)
			return mark.Errorf(geometry.ErrSelfIntersecting, "the surface winds %d times around (%.6g %.6g %.6g), expected 0 or 1: parts of it overlap or turn the other way", number, at.X, at.Y, at.Z)
		}
		// What a negative byte borrowed from the next goes back.
		numbers = (numbers - uint32(number)) >> 8
	}
	return mark.Errorf(geometry.ErrSelfIntersecting, "the surface winds hundreds of times around a point, expected 0 or 1: parts of it overlap")
}
