package contact

import (
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// search evaluates pair i in the narrow phase. It first tries to prove that the features of the
// last contact, was, are still the answer. Then it walks from the axis that last separated the
// pair, axis. If both fail, it runs a full search. A successful proof of the features returns the
// same bits as a full search.
//
// search is the only place that handles a search that does not converge: it runs the exhaustive
// method, and AnswerCounts counts the pair as a fallback. If the exhaustive method cannot prove the
// pair either, the pair has no answer: see lose. search reports whether ws.search.Budget holds for
// the answer.
func (sp *Space) search(
	i int, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, reach float64, was soa.FacetID, axis vec.Vec3, ws *workspace,
) (budget bool) {
	if sp.cfg.Method != narrow.Auto {
		sp.searchBy(i, va, pa, vb, pb, reach, ws)
		sp.lose(i, ws)
		return false
	}
	if ws.search.Feature(va, pa, vb, pb, reach, was, &ws.answer) || ws.search.WalkAxis(va, pa, vb, pb, reach, axis, &ws.answer) {
		return true
	}
	ws.search.Pair(va, pa, vb, pb, reach, &ws.answer)
	if sp.unproven(&ws.answer) {
		ws.counts.Fallbacks++
		ws.search.Exhaustive(va, pa, vb, pb, reach, &ws.answer)
	}
	return !sp.lose(i, ws)
}

// lose records pair i if no method could answer it, and reports whether that is so. The answer
// becomes Degenerate: the pair has no contact, and the step ends with a fault that names it.
func (sp *Space) lose(i int, ws *workspace) bool {
	why := unprovenPair
	switch {
	case ws.answer.Status == narrow.Degenerate:
		why = outOfRange
	case !sp.unproven(&ws.answer):
		return false
	}
	ws.answer = narrow.Answer{Status: narrow.Degenerate, AnsweredBy: narrow.BySearch}
	ws.counts.Degenerate++
	if pair := KeyOf(sp.Pairs.A[i], sp.Pairs.B[i]); pair < ws.lost.pair {
		ws.lost = lostPair{pair, why}
	}
	return true
}

// searchBy is search of pair i by Config.Method. It resets the method's memory before each pair, so
// the answer depends on shapes and poses only and the memory is not state. It asks for no contact
// list, so the tolerance is 0. The published search, however, has a list for each pair.
func (sp *Space) searchBy(i int, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, reach float64, ws *workspace) {
	memory, dtol := &ws.memory, 0.0
	if sp.published.on {
		memory, dtol = sp.published.rows[i], max(sp.published.dtol, narrow.Dtol(va, vb))
	} else {
		memory.Reset()
	}
	if ws.search.By(sp.cfg.Method, va, pa, vb, pb, reach, dtol, memory, &ws.answer) {
		ws.counts.Fallbacks++
	}
}

// lostPair is a pair of pieces that no method could answer.
type lostPair struct {
	pair uint64 // KeyOf; NoPair if there is no such pair
	why  string
}

const (
	outOfRange   = "their poses or sizes are out of range"
	unprovenPair = "no method proves how far apart they are"
)

// search declares the accesses of a search for the gap, or for the overlap, of pair i from what was known of it.
func (t *tileWalk) search(i int) {
	sp, p := t.sp, &t.sp.described[i]
	t.load(i)
	sp.Shapes.WalkShape(t.w, p.ShapeA)
	sp.Shapes.WalkShape(t.w, p.ShapeB)
	t.pairs["Axis"].Read(i)
	t.pairs["Expiry"].Write(i)
	if sp.Pairs.Row[i] == soa.NoRow {
		return
	}
	row := int(sp.Pairs.Row[i])
	t.contacts["Facet"].Update(row)
	t.contacts["Prism"].Read(row)
	if sp.Contacts.Active[row] {
		t.activate(i)
	}
}
