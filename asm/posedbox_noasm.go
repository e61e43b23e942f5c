//go:build purego || race || (!amd64 && !arm64)

package asm

func posedBoxes(x, y, z []float64, first, count []uint32, p *Poses, out *Boxes) {
	posedBoxesGeneric(x, y, z, first, count, p, out)
}
