package contact

import (
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/kernels"
)

// gatherOdometers updates the column of odometers by piece. All pieces of a body have the same
// odometer. A resting wall, which may be a mesh of many facets, is not written again.
func (sp *Space) gatherOdometers() {
	sp.eachMoved(sp.Pieces.Len(), func(lo, hi int) { kernels.GatherOdometers(&sp.Pieces, sp.Bodies, lo, hi, sp.pieceOdometer) })
}

// eachMoved calls run for runs of pieces, lo ≤ p < hi, that hold all pieces except those of walls below known whose
// odometers have not advanced since gatherOdometers.
func (sp *Space) eachMoved(known int, run func(lo, hi int)) {
	first, from := sp.Bodies.FirstPiece, 0
	for _, w := range sp.walls {
		id := w.body
		lo, hi := int(first[id]), int(first[id+1])
		if hi <= known && sp.pieceOdometer[lo] == sp.Bodies.Odometer[id] {
			run(from, lo)
			from = hi
		}
	}
	run(from, sp.Pieces.Len())
}

// walkOdometers declares the accesses of gatherOdometers, of a world whose walls move.
func (sp *Space) walkOdometers(w *access.Walk, lo, hi int) {
	bodies, pieces := access.Fields(w, "Bodies", sp.Bodies), access.Fields(w, "Pieces", &sp.Pieces)
	access.Seldom(false, bodies["FirstPiece"])
	access.Sweep(lo, hi, []*access.Declared{pieces["Body"], bodies["Odometer"]}, []*access.Declared{access.Of(w, "piece odometers", sp.pieceOdometer)})
}
