//go:build purego || race || (!amd64 && !arm64)

package asm

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}
