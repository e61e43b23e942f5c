//go:build purego || race || (!amd64 && !arm64)

package asm

func support(x, y, z []float64, dx, dy, dz float64) (int, float64) {
	return supportGeneric(x, y, z, dx, dy, dz)
}

func supportPairs(x, y, z []float64, first, count []uint32, dx, dy, dz []float64, index []uint32, value []float64) {
	supportPairsGeneric(x, y, z, first, count, dx, dy, dz, index, value)
}

func interval(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int) {
	return intervalGeneric(x, y, z, dx, dy, dz)
}

func planeDistance(nx, ny, nz, d []float64, px, py, pz float64) (int, float64) {
	return planeDistanceGeneric(nx, ny, nz, d, px, py, pz)
}

func posedBoxes(x, y, z []float64, first, count []uint32, p *BoxPoses, out *BoxColumns) {
	posedBoxesGeneric(x, y, z, first, count, p, out)
}
