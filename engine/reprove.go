package engine

import (
	"fmt"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
)

// reprove checks the answer of a certificate or of a search's descent against GJK and EPA, which
// share no proof with them. If the two differ, it compares with the exhaustive search, because
// among facets that tie EPA may name another one. It panics if neither agrees. A pair reported
// apart (said.Exact is false) must be farther apart than reach. For a touching pair the answers
// must be equal to the bit, unless Config.Method is not narrow.Auto. reprove runs only with the
// build tag invariants.
func (w *World) reprove(i int, said *narrow.Answer, reach float64, ws *workspace) {
	a, b := w.pairs.A[i], w.pairs.B[i]
	va, vb := w.shapes.View(w.pieces.Shape[a]), w.shapes.View(w.pieces.Shape[b])
	pa, pb := w.pieces.Pose(&w.bodies, a), w.pieces.Pose(&w.bodies, b)
	var found narrow.Answer
	agrees := func() bool {
		found.AnsweredBy = said.AnsweredBy
		found.Axis, found.AxisSupport = said.Axis, said.AxisSupport
		return !said.Exact && found.Gap > reach || said.Exact && (found == *said || w.cfg.Method != narrow.Auto)
	}
	if ws.search.Iterate(va, pa, vb, pb, reach, &found); agrees() {
		return
	}
	if va.Kind == soa.Block && vb.Kind != soa.Plane {
		if ws.search.Exhaustive(va, pa, vb, pb, reach, &found); agrees() {
			return
		}
	}
	panic(fmt.Sprintf("engine: step %d, pieces %d and %d: the certificate %v says\n%+v\nthe search\n%+v",
		w.step, a, b, said.AnsweredBy, *said, found))
}

// reproveApart checks those of the pairs lo to hi that the odometer sweep has proven apart.
func (w *World) reproveApart(lo, hi int, expired []uint32, ws *workspace) {
	for i := lo; i < hi; i++ {
		if len(expired) > 0 && int(expired[0]) == i {
			expired = expired[1:]
			continue
		}
		w.reprove(i, &narrow.Answer{AnsweredBy: narrow.ByOdometer}, w.needsOf(i).Reach, ws)
	}
}

// reproveOverlap checks a pair i whose overlap was computed without a gap. The pair must touch by
// the narrow phase, and its overlap must be the same if it is computed without stored features.
// reproveOverlap panics if either fails.
func (c *overlapStage) reproveOverlap(i int, s *overlap.Moments, ws *workspace) {
	w := c.w
	ws.load(c.w, i)
	var ans narrow.Answer
	ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, ws.needs.Reach, &ans)
	ws.answer, ws.found = ans, overlapResult{}
	touches := ans.Gap <= ws.needs.Reach || c.grazes(i, ws)
	var clipped overlap.Moments
	w.contacts.Facet[i], w.contacts.Prism[i] = soa.FacetID{}, soa.Prism{}
	w.contacts.Unprove(i)
	known := w.skeletons.place[i]
	w.skeletons.place[i] = skeletonPlace{}
	if ok := c.clip(i, ws, &clipped); !touches || !ok || clipped != *s {
		panic(fmt.Sprintf("engine: step %d, pieces %d and %d: features %+v make an overlap %+v, the search\n%+v\nclipped %v, %+v",
			w.step, w.pairs.A[i], w.pairs.B[i], c.guess(i), *s, ans, ok, clipped))
	}
	w.skeletons.place[i] = known
	c.storeFeatures(i, ws)
}
