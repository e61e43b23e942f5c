package voxels

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// crossLines records the crossings of triangle t with the lines along x through reference points.
// The lines have the indices y0 <= y < y1 and z0 <= z < z1 in b.at. A crossing changes the winding
// number of the reference points behind it. Lines and points are displaced by the same
// infinitesimal vector, so no line meets an edge.
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
			// The numbers may borrow from each other; the sums are correct modulo 2^64.
			shift := uint(y&1|z&1<<1) * numberBits
			b.change[((z>>1)*n[1]+y>>1)*n[0]+x] -= uint64(turn) << shift
		}
	}
}

// firstBehind returns the first cell of a row whose reference point on the line lies behind the
// crossing of the line with a triangle. up tells whether the triangle faces +x or -x. higher tells
// whether the reference points have the higher x of their cells. firstBehind starts from an
// estimate and corrects it by exact tests.
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

// numberBits is the number of bits of a winding number. With fewer, a surface that is given many
// times over seems to wind no time or once. With more, the set-up takes more memory.
const numberBits = 16

// setInside sums the changes along each row; the sums are the winding numbers of reference points.
// It returns an error if one is neither 0 nor 1.
func (b *builder) setInside() error {
	const ones = 1 | 1<<numberBits | 1<<(2*numberBits) | 1<<(3*numberBits)
	n := &b.grid.n
	for z := range n[2] {
		for y := range n[1] {
			numbers := uint64(0)
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
				k.inside |= numbers & 1 << bit
				if k.entered>>bit&1 != 0 {
					// This gathers bits 0, 16, 32 and 48.
					b.lists[k.rankOf(bit)] |= uint32(numbers & ones * 0x1000200040008000 >> 60)
				}
			}
		}
	}
	return nil
}

// windsMore returns the error of a reference point whose winding number is neither 0 nor 1.
func (b *builder) windsMore(numbers uint64, x, y, z int) error {
	for r := range uint(references) {
		number := int16(numbers)
		if number != 0 && number != 1 {
			at := b.grid.referencePoint(x, y, z, r)
			return mark.Errorf(geometry.ErrSelfIntersecting, "the surface winds %d times around (%.6g %.6g %.6g), expected 0 or 1: parts of it overlap or turn the other way", number, at.X, at.Y, at.Z)
		}
		// Undo the borrow of a negative number from the next one.
		numbers = (numbers - uint64(number)) >> numberBits
	}
	return mark.Errorf(geometry.ErrSelfIntersecting, "the surface winds thousands of times around a point, expected 0 or 1: parts of it overlap")
}
