package asm

// HilbertBits is the most bits of a coordinate HilbertKeys takes: three times as many fit a key.
const HilbertBits = 21

// HilbertKeys writes the place of cells along the Hilbert curve of a cube of 1<<bits cells a side to keys: cells one
// apart in place share a face, so cells near each other in place are near in space. The curve begins in the cell
// 0, 0, 0 and ends in the cell that is the last in x and the first in y and z.
//
// Source: Skilling 2004, whose loop over bits and axes it is. The keys are those of the curve of this very
// orientation, which nothing but their order should depend on.
//
//	len(x) == len(y) == len(z) == len(keys); 1 <= bits <= HilbertBits
//
// Exact. Bits of a coordinate from 1<<bits on are ignored. Cost: some 22 operations a bit.
func HilbertKeys(x, y, z []uint32, bits int, keys []uint64) {
	if len(y) != len(x) || len(z) != len(x) || len(keys) != len(x) {
		panic("asm: HilbertKeys: columns of unequal length")
	}
	if bits < 1 || bits > HilbertBits {
		panic("asm: HilbertKeys: bits outside 1 to 21")
	}
	hilbertKeys(x, y, z, bits, keys)
}
