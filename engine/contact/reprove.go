package contact

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
func (sp *Space) reprove(i int, said *narrow.Answer, reach float64, ws *workspace) {
	a, b := sp.Pairs.A[i], sp.Pairs.B[i]
	va, vb := sp.Shapes.View(sp.Pieces.Shape[a]), sp.Shapes.View(sp.Pieces.Shape[b])
	pa, pb := sp.poseA(i), sp.poseB(i)
	var found narrow.Answer
	agrees := func() bool {
		found.AnsweredBy = said.AnsweredBy
		found.Axis, found.AxisSupport = said.Axis, said.AxisSupport
		return !said.Exact && found.Gap > reach || said.Exact && (found == *said || sp.cfg.Method != narrow.Auto)
	}
	if ws.search.Iterate(va, pa, vb, pb, reach, &found); agrees() {
		return
	}
	if va.Kind.IsPolyhedron() && !vb.Kind.IsEndless() {
		if ws.search.Exhaustive(va, pa, vb, pb, reach, &found); agrees() {
			return
		}
	}
	panic(fmt.Sprintf("contact: pieces %d and %d: the certificate %v says\n%+v\nthe search\n%+v",
		a, b, said.AnsweredBy, *said, found))
}

// reproveApart checks those of the pairs lo to hi that the odometer sweep has proven apart.
func (sp *Space) reproveApart(lo, hi int, expired []uint32, ws *workspace) {
	for i := lo; i < hi; i++ {
		if len(expired) > 0 && int(expired[0]) == i {
			expired = expired[1:]
			continue
		}
		sp.reprove(i, &narrow.Answer{AnsweredBy: narrow.ByOdometer}, sp.NeedsOf(i).Reach, ws)
	}
}

// reproveOverlap checks a pair i whose overlap was computed without a gap. The pair must touch by
// the narrow phase, and its overlap must be the same if it is computed without stored features.
// reproveOverlap panics if either fails.
func (c *overlapStage) reproveOverlap(i int, s *overlap.Moments, ws *workspace) {
	sp := c.sp
	ws.load(c.sp, i)
	var ans narrow.Answer
	ws.search.Resolve(ws.va, ws.pa, ws.vb, ws.pb, ws.needs.Reach, &ans)
	ws.answer, ws.found = ans, overlapResult{}
	touches := ans.Gap <= ws.needs.Reach || c.grazes(i, ws)
	var clipped overlap.Moments
	row := sp.Pairs.Row[i]
	sp.Contacts.Facet[row], sp.Contacts.Prism[row] = soa.FacetID{}, soa.Prism{}
	known := sp.skeletons.place[row]
	sp.skeletons.place[row] = skeletonPlace{}
	if ok := c.clip(i, ws, &clipped); !touches || !ok || clipped != *s {
		panic(fmt.Sprintf("contact: pieces %d and %d: features %+v make an overlap %+v, the search\n%+v\nclipped %v, %+v",
			sp.Pairs.A[i], sp.Pairs.B[i], c.guess(i), *s, ans, ok, clipped))
	}
	sp.skeletons.place[row] = known
	c.storeFeatures(i, ws)
}
