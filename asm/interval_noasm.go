//go:build purego || race || (!amd64 && !arm64)

package asm

func interval(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	return intervalGeneric(x, y, z, dx, dy, dz)
}
