package contact

import "github.com/scree-dem/scree/kernels"

// gatherOdometers updates the column of odometers by piece. All pieces of a body have the same
// odometer. A resting wall, which may be a mesh of many facets, is not written again.
func (sp *Space) gatherOdometers() {
	first, from := sp.Bodies.FirstPiece, 0
	for _, id := range sp.walls {
		lo, hi := int(first[id]), int(first[id+1])
		if sp.pieceOdometer[lo] == sp.Bodies.Odometer[id] {
			kernels.GatherOdometers(&sp.Pieces, sp.Bodies, from, lo, sp.pieceOdometer)
			from = hi
		}
	}
	kernels.GatherOdometers(&sp.Pieces, sp.Bodies, from, sp.Pieces.Len(), sp.pieceOdometer)
}
