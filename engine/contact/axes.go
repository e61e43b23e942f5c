package contact

import (
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/narrow"
)

// axes tests the stored separating axes of the listed pairs in one batch (certificate C2). A pair
// whose axis still separates it gets a new odometer certificate and leaves the list.
func (c *contactStage) axes(ws *workspace) {
	sp, b := c.sp, &ws.axes
	pairs := b.Select(ws.list, &sp.Pairs)
	for k, i := range pairs {
		p := &sp.described[i]
		b.Set(k, &sp.Pairs, &sp.Shapes, p.ShapeA, sp.poses.At(p.PoseA), p.ShapeB, sp.poses.At(p.PoseB), ws.lent.Needs[p.law].Reach)
	}
	b.Solve(&sp.Shapes)
	apart := 0
	for k, i := range pairs {
		gap, reach, ok := b.Apart(k, ws.list)
		if !ok {
			continue
		}
		sp.Pairs.Expiry[i] = sp.expiry(int(i), gap, reach)
		apart++
		if invariants.Enabled {
			sp.reprove(int(i), &narrow.Answer{AnsweredBy: narrow.ByAxis}, reach, ws)
		}
	}
	ws.counts.By[narrow.ByAxis] += int64(apart)
	if apart > 0 {
		ws.list = b.Unproven(ws.list)
	}
}

// axes declares the accesses of contactStage.axes. A pair whose axis has been renewed is no longer listed, so only the
// search for axes counts: in a heap at rest, a few of a thousand pairs a step have their axes renewed.
func (t *tileWalk) axes(list []int) {
	for k, i := range list {
		t.expired.Read(k)
		t.pairs["Axis"].Read(i)
	}
}
