package contact

import (
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// presses reports whether pair i is a block and a facet under a law that acts by overlaps.
func (sp *Space) presses(i int) bool { return sp.overlapOf(i) == soa.WallOverlap }

// pressAll evaluates those of the given pairs, all of one block and one wall, that act by overlaps.
// A contact is stored in the row of the facet with the largest share in it. Its history moves along
// from the row that had it before. If any pair is listed, pressAll evaluates all pairs of the block
// and the wall, because together they decide which side of a facet the block feels.
func (c *wallStage) pressAll(pairs []uint32, ws *workspace) {
	sp, press := c.sp, ws.wall.press
	ws.wall.pressHeld = ws.wall.pressHeld[:0]
	first, end := c.runOf(int(pairs[0]), int(pairs[len(pairs)-1]), ws)
	loaded := false
	for i := first; i < end; i++ {
		asked := len(pairs) > 0 && int(pairs[0]) == i
		if asked {
			pairs = pairs[1:]
		}
		if !sp.presses(i) {
			continue
		}
		if !loaded {
			ws.load(c.sp, i)
			press.Load(&sp.Sides, sp.Pieces.Shape[sp.Pairs.A[i]], ws.va, ws.pa, sp.displaced(sp.Bodies.Pose(sp.Pieces.Body[sp.Pairs.B[i]]), i))
			loaded = true
		}
		if level := c.addPress(i, ws); asked {
			ws.counts.By[level]++
		}
	}
	if !loaded {
		return
	}
	press.Solve()
	press.EachClear(func(row int, clear float64) { sp.Pairs.Expiry[row] = sp.expiry(row, clear, 0) })
	if press.TooDeep() {
		ws.sunk = min(ws.sunk, KeyOf(sp.Pairs.A[first], sp.Pairs.B[first]))
	}
	for k := range press.Contacts {
		c.addPressedContact(k, ws)
	}
	sp.endHeld(ws.wall.pressHeld, ws)
	for i := first; i < end; i++ {
		if sp.presses(i) && !sp.isActive(i) {
			sp.giveRow(i, ws.out.Tile)
		}
	}
}

// runOf returns the rows first to end-1 of the pairs of the piece and the wall of the pairs from and to.
func (c *wallStage) runOf(from, to int, ws *workspace) (first, end int) {
	lo, hi := c.sp.tiles.bounds(ws.out.Tile)
	for first = from; first > lo && c.sp.together(&c.sp.Pairs, first-1, first); {
		first--
	}
	for end = to + 1; end < hi && c.sp.together(&c.sp.Pairs, end-1, end); {
		end++
	}
	return first, end
}

// addPress adds the facet of pair i to those that the block may press on. If the pair has a
// contact, addPress ends it and stores its history in ws.wall.pressHeld. A pair proven apart gets a
// certificate for its clearance. addPress returns what answered the pair.
func (c *wallStage) addPress(i int, ws *workspace) narrow.AnsweredBy {
	sp, con, b := c.sp, &c.sp.Contacts, c.sp.Pairs.B[i]
	if sp.isActive(i) {
		group := ws.wall.press.GroupOf(b, con.Normal.At(int(sp.Pairs.Row[i])))
		ws.wall.pressHeld = append(ws.wall.pressHeld, sp.takeBack(i, &ws.wall))
		ws.wall.pressHeld[len(ws.wall.pressHeld)-1].group = group
	}
	if clear := ws.wall.press.Add(i, b); clear > 0 {
		sp.Pairs.Expiry[i] = sp.expiry(i, clear, 0)
		return narrow.ByAxis
	}
	sp.Pairs.Expiry[i] = soa.Expired
	return narrow.ByFeature
}

// addPressedContact makes contact k of ws.wall.press an active contact. It inherits the history of the former
// contact of the same group, if there was one.
func (c *wallStage) addPressedContact(k int, ws *workspace) {
	sp, con, at := c.sp, &c.sp.Contacts, &ws.wall.press.Contacts[k]
	i, held := at.Row, ws.wall.pressHeld
	row := sp.takeRow(i, ws)
	for j := range held {
		if held[j].group == at.Group {
			sp.giveBack(row, &held[j], &ws.wall)
			ws.wall.pressHeld = append(held[:j], held[j+1:]...)
			break
		}
	}
	o, normal, place := ws.wall.press.Overlap(k)
	ws.load(c.sp, i)
	sp.Pairs.DropAxis(i)
	con.Facet[row] = soa.FacetID{}
	con.Unprove(row)
	p := &sp.described[i]
	(*contactStage)(c).startContact(i, p, -at.Deepest, normal, narrow.ByFeature, ws)
	ws.out.Shares = append(ws.out.Shares, WallShare{uint32(row), o.Variance})
	ws.contact.Overlap = o
	(*contactStage)(c).addToLaw(&ws.contact, place, vec.Sym3{}, ws)
}
