package engine

import (
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/narrow"
)

// axes tests the stored separating axes of the listed pairs in one batch (certificate C2). A pair
// whose axis still separates it gets a new odometer certificate and leaves the list.
func (c *contactStage) axes(ws *workspace) {
	w, b := c.w, &ws.axes
	pairs := b.Select(ws.list, &w.contacts)
	for k, i := range pairs {
		p, q := w.pairs.A[i], w.pairs.B[i]
		b.Set(k, &w.contacts, &w.shapes, w.pieces.Shape[p], w.pieces.Pose(&w.bodies, p), w.pieces.Shape[q], w.pieces.Pose(&w.bodies, q),
			w.needsOf(int(i)).Reach)
	}
	b.Solve(&w.shapes)
	apart := 0
	for k, i := range pairs {
		gap, reach, ok := b.Apart(k, ws.list)
		if !ok {
			continue
		}
		w.pairs.Expiry[i] = w.expiry(int(i), gap, reach)
		apart++
		if invariants.Enabled {
			w.reprove(int(i), &narrow.Answer{AnsweredBy: narrow.ByAxis}, reach, ws)
		}
	}
	ws.counts.By[narrow.ByAxis] += int64(apart)
	if apart > 0 {
		ws.list = b.Unproven(ws.list)
	}
}
