//go:build purego || race || (!amd64 && !arm64)

package asm

import "github.com/scree-dem/scree/vec"

func latticeCorners(boxes []vec.Box, f *LatticeFrame, corners []uint64) {
	latticeCornersGeneric(boxes, f, corners)
}
