package engine

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// search asks the narrow phase for one pair: first whether the features that touched in the last step are
// proven to do so still, which gives the answer of a search without one, or whether a walk from the axis that
// separated the pair finds another. It is the
// only place where a search that did not converge is answered otherwise: by the exhaustive method. Such pairs are counted
// and show in the profile. A pair i that the exhaustive method cannot prove either has no answer: see lose. It reports whether
// ws.search has a budget for the answer.
func (w *World) search(
	i int, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, reach float64, was soa.FacetID, axis vec.Vec3, ws *workspace,
) (budget bool) {
	if w.cfg.Method != narrow.Auto {
		w.searchBy(va, pa, vb, pb, reach, ws)
		w.lose(i, ws)
		return false
	}
	if ws.search.Feature(va, pa, vb, pb, reach, was, &ws.answer) || ws.search.WalkAxis(va, pa, vb, pb, reach, axis, &ws.answer) {
		return true
	}
	ws.search.Pair(va, pa, vb, pb, reach, &ws.answer)
	if unproven(&ws.answer) {
		ws.counts.Fallbacks++
		ws.search.Exhaustive(va, pa, vb, pb, reach, &ws.answer)
	}
	return !w.lose(i, ws)
}

// unproven reports whether a method has ended without a proof. Tests put another in its place.
var unproven = func(ans *narrow.Answer) bool { return ans.Status == narrow.NotConverged }

// lose takes notice of pair i if no method has answered it, and reports whether that is so. Its answer is then Degenerate: the
// pair has no contact, and the step is a fault that names it.
func (w *World) lose(i int, ws *workspace) bool {
	why := unprovenPair
	switch {
	case ws.answer.Status == narrow.Degenerate:
		why = outOfRange
	case !unproven(&ws.answer):
		return false
	}
	ws.answer = narrow.Answer{Status: narrow.Degenerate, AnsweredBy: narrow.BySearch}
	ws.counts.Degenerate++
	if pair := keyOf(w.pairs.A[i], w.pairs.B[i]); pair < ws.lost.pair {
		ws.lost = lostPair{pair, why}
	}
	return true
}

// searchBy is search by the method of the configuration. The answer is a function of shapes and poses, so nothing that the
// method would keep from step to step is state. No contacts are asked for: the tolerance is the least.
func (w *World) searchBy(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, reach float64, ws *workspace) {
	ws.memory.Reset()
	if ws.search.By(w.cfg.Method, va, pa, vb, pb, reach, 0, &ws.memory, &ws.answer) {
		ws.counts.Fallbacks++
	}
}
