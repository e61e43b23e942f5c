//go:build !purego && !race

package asm

func posedBoxes(x, y, z []float64, first, count []uint32, p *Poses, out *Boxes) {
	if !useNEON {
		posedBoxesGeneric(x, y, z, first, count, p, out)
		return
	}
	if done := posedBoxesNEON(x, y, z, first, count, p, out); done < len(first) {
		panic("asm: PosedBoxes: a set lies outside the points")
	}
}

// posedBoxesNEON is PosedBoxes for the sets i < done: a point in each of two lanes. It leaves off
// before a set with first[i] + count[i] > len(x).
//
//go:noescape
func posedBoxesNEON(x, y, z []float64, first, count []uint32, poses *Poses, out *Boxes) (done int)
