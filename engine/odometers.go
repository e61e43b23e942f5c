package engine

import "github.com/scree-dem/scree/kernels"

// gatherOdometers updates the column of odometers by piece. All pieces of a body have the same
// odometer. A resting wall, which may be a mesh of many facets, is not written again.
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
