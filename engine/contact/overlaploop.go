package contact

import (
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
)

// overlapStage finds the overlaps of pairs of two blocks, or of a block and a plane, whose law reads
// overlaps. The loop holds no proofs of features from step to step: most pairs that touch are known from
// the last step, and the others are few. Pairs that graze keep the features of their gap, which a search
// tries first.
type overlapStage stage

// solve evaluates the pairs of the tile whose law reads overlaps.
func (c *overlapStage) solve(ws *workspace) {
	if len(ws.overlaps) == 0 {
		return
	}
	c.findKnownOverlaps(ws)
	for k, i := range ws.overlaps {
		if !ws.known.isSure(k) {
			ws.found = ws.known.at(k)
			c.answer(int(i), ws)
		}
	}
	ws.found = overlapResult{}
}

// answer evaluates pair i by a search, and finds its overlap if it touches.
func (c *overlapStage) answer(i int, ws *workspace) {
	sp, ans, p := c.sp, &ws.answer, &c.sp.described[i]
	ws.loadAs(sp, i, p)
	reach := ws.needs.Reach
	sp.search(i, ws.va, ws.pa, ws.vb, ws.pb, reach, c.guess(i).Facet, sp.Pairs.Axis.At(i), ws)
	if invariants.Enabled && ans.Exact {
		sp.reprove(i, ans, reach, ws)
	}
	ws.counts.By[ans.AnsweredBy]++
	sp.Pairs.Expiry[i] = soa.Expired
	if ans.Status == narrow.Degenerate || ans.Gap > reach && !c.grazes(i, ws) {
		(*contactStage)(c).setApart(i, reach, ws)
		if ans.Exact { // Pairs that graze are too close for an axis certificate, so the facet is kept instead.
			sp.Contacts.Facet[sp.takeRow(i, ws)] = ans.Facet
		}
		return
	}
	sp.Pairs.DropAxis(i)
	sp.Contacts.Facet[sp.takeRow(i, ws)] = ans.Facet
	if ws.found.what == maybeRounding {
		c.addKnownOverlap(i, &ws.known.thin[ws.found.thin], ws)
		return
	}
	t := &ws.contact
	(*contactStage)(c).startContact(i, p, ans.Gap, ans.Normal, ans.AnsweredBy, ws)
	t.ArmA, t.ArmB = ans.ArmA, ans.ArmB
	c.placeOverlap(i, t, ws)
}

// GrazeShare, times ws.sizes, bounds the gap that the narrow phase may find between two bodies
// whose overlap is proven to be of a known type. It covers the error of the gap (ProofTol) and the
// rounding of poses.
// Smaller: contact of bodies a rounding apart may depend on memory. Larger: time.
const GrazeShare = 0x1p-36

// grazes reports whether pair i, which is apart by the answer in the workspace, nevertheless has a
// proven overlap. Gap and overlap may disagree if the overlap is as thin as rounding. grazes makes
// such a pair touch in any case, whether or not its features are stored.
func (c *overlapStage) grazes(i int, ws *workspace) bool {
	s := overlap.Moments{}
	return ws.found.what == notTried && ws.answer.Gap <= float64(GrazeShare*ws.sizes()) && c.find(i, ws, &s) == overlap.Computed
}
