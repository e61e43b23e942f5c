package engine

import "github.com/scree-dem/scree/kernels"

// gatherOdometers brings the column of odometers by piece up to date. All pieces of a body have the same: those of a
// wall that rests, which may be a mesh of many, are not written again.
func (w *World) gatherOdometers() {
	first, from := w.bodies.FirstPiece, 0
	for i := range w.walls {
		id := w.walls[i].body
		lo, hi := int(first[id]), int(first[id+1])
		if w.pieceOdometer[lo] == w.bodies.Odometer[id] {
			kernels.GatherOdometers(&w.pieces, &w.bodies, from, lo, w.pieceOdometer)
			from = hi
		}
	}
	kernels.GatherOdometers(&w.pieces, &w.bodies, from, w.pieces.Len(), w.pieceOdometer)
}
