package engine

import (
	"fmt"

	"github.com/scree-dem/scree/soa"
)

// wholly is the share of the depth that a block is felt to under a facet from which on it counts as
// being that deep: rounding of a depth that was cut there.
const wholly = 1 - 0x1p-20

// noteSunk notes a block that is as deep under a facet as it is felt, by what it has in common with
// the wall.
func (c *contactStage) noteSunk(a soa.Piece, sink float64, ws *workspace) {
	for k := range ws.press.pressed {
		if p := &ws.press.pressed[k]; ws.press.felt(p) && p.Deepest >= float64(wholly*min(sink, p.side.Room)) {
			ws.sunk = min(ws.sunk, uint32(c.w.pieces.Body[a]))
		}
	}
}

// warnSunk warns, once until the world is built anew, of a block that is so deep in a wall of facets
// that it may fall through.
func (w *World) warnSunk() {
	if w.toldSunk {
		return
	}
	lowest := noFault
	for i := range w.work {
		lowest = min(lowest, w.work[i].sunk)
	}
	if lowest == noFault {
		return
	}
	w.toldSunk = true
	w.warnings = append(w.warnings, fmt.Sprintf(
		"step %d: %s is deeper in a wall of facets than half of its inscribed radius, or than the wall's middle: "+
			"what is deeper is not felt, and it may fall through",
		w.step+1, w.nameOfBody(soa.Body(lowest))))
}
