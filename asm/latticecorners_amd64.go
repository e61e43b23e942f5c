//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/vec"

func latticeCorners(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	done := 0
	if useAVX512 {
		done = latticeCornersAVX512(boxes, f, corners)
	}
	latticeCornersGeneric(boxes[done:], f, corners[2*done:])
}

// latticeCornersAVX512 is LatticeCorners of the boxes i < done, the most that are a multiple of 4.
//
//go:noescape
func latticeCornersAVX512(boxes []vec.Box, f *LatticeFrame, corners []uint64) (done int)
