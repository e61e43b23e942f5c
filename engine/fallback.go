package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// search asks the narrow phase for one pair. It is the only place where a search that did not
// converge is answered otherwise: by the exhaustive method, which always does. Such pairs are counted
// and show in the profile.
func (w *World) search(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, reach float64, ws *workspace) {
	ws.search.Pair(va, pa, vb, pb, reach, &ws.answer)
	switch ws.answer.Status {
	case narrow.NotConverged:
		ws.counts.Fallbacks++
		ws.search.Exhaustive(va, pa, vb, pb, reach, &ws.answer)
	case narrow.Degenerate:
		ws.counts.Degenerate++
	}
}
