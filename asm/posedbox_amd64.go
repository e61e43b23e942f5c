//go:build !purego && !race

package asm

func posedBoxes(x, y, z []float64, first, count []uint32, p *Poses, out *Boxes) {
	done := 0
	switch {
	case useAVX2:
		done = posedBoxesAVX2(x, y, z, first, count, p, out)
	case useAVX512:
		done = posedBoxesAVX512(x, y, z, first, count, p, out)
	default:
		posedBoxesGeneric(x, y, z, first, count, p, out)
		return
	}
	if done < len(first) {
		panic("asm: PosedBoxes: a set lies outside the points")
	}
}

// posedBoxesAVX2 is PosedBoxes for the sets i < done: a point in each of four lanes. It leaves off
// before a set with first[i] + count[i] > len(x).
//
//go:noescape
func posedBoxesAVX2(x, y, z []float64, first, count []uint32, poses *Poses, out *Boxes) (done int)

// posedBoxesAVX512 is posedBoxesAVX2 with eight lanes.
//
//go:noescape
func posedBoxesAVX512(x, y, z []float64, first, count []uint32, poses *Poses, out *Boxes) (done int)
