//go:build !purego && !race

package asm

func hilbertKeys(x, y, z []uint32, bits int, keys []uint64) {
	done := 0
	if useAVX512 {
		done = hilbertKeysAVX512(x, y, z, bits, 1<<(bits-1), keys)
	} else if useAVX2 {
		done = hilbertKeysAVX2(x, y, z, bits, 1<<(bits-1), keys)
	}
	hilbertKeysGeneric(x[done:], y[done:], z[done:], bits, keys[done:])
}

// hilbertKeysAVX2 is HilbertKeys of the cells i < done, the most that are a multiple of 8.
//
//	top == 1<<(bits-1)
//
//go:noescape
func hilbertKeysAVX2(x, y, z []uint32, bits, top int, keys []uint64) (done int)

// hilbertKeysAVX512 is hilbertKeysAVX2 with a multiple of 16.
//
//go:noescape
func hilbertKeysAVX512(x, y, z []uint32, bits, top int, keys []uint64) (done int)
