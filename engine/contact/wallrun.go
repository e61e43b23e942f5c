package contact

import (
	"github.com/scree-dem/scree/engine/coplanar"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sameSide is the cosine of the largest angle between the normals of a contact with a wall in two
// successive steps. With a larger angle it is a new contact.
const sameSide = 0.5

// wallStage evaluates pairs with walls of facets. Its data is in wallWork.
type wallStage stage

// together reports whether two pairs of a list are of the same piece and the same wall of several
// facets.
func (sp *Space) together(p *soa.Pairs, i, j int) bool {
	body := sp.Pieces.Body[p.B[i]]
	return p.A[i] == p.A[j] && body == sp.Pieces.Body[p.B[j]] && sp.Groups.IsFacetWall(body)
}

// answerWalls evaluates the pairs with walls of facets. Pairs of one piece and one wall are
// neighbours in ws.gaps and are evaluated together.
func (c *wallStage) answerWalls(ws *workspace) {
	for k := 0; k < len(ws.gaps); k++ {
		if !c.sp.described[ws.gaps[k]].walled {
			continue
		}
		end := k + 1
		for end < len(ws.gaps) && c.sp.together(&c.sp.Pairs, int(ws.gaps[k]), int(ws.gaps[end])) {
			end++
		}
		c.answerRun(k, end, ws)
		k = end - 1
	}
}

// answerRun evaluates the pairs from to end of ws.gaps, all of one piece and one wall. Pairs with
// blocks and balls of the wall are not walled; gapStage.solve evaluates them. The facet
// whose row stores a contact may change from step to step. The history then moves to the contact
// with the most similar normal.
func (c *wallStage) answerRun(from, end int, ws *workspace) {
	sp, rest, walls := c.sp, ws.gaps[from:end], ws.wall.walls
	ws.wall.held, ws.wall.values = ws.wall.held[:0], ws.wall.values[:0]
	if !sp.Sides.IsEmpty() {
		c.pressAll(rest, ws)
	}
	for _, i := range rest {
		if i := int(i); sp.described[i].walled && sp.isActive(i) && !sp.presses(i) {
			ws.wall.held = append(ws.wall.held, sp.takeBack(i, &ws.wall))
		}
	}
	if a, b := sp.Pairs.A[rest[0]], sp.Pieces.Body[sp.Pairs.B[rest[0]]]; sp.Groups.IsFacetWall(b) {
		i := int(rest[0])
		walls.Begin(&sp.Groups, b, sp.displaced(sp.Bodies.Pose(b), i), sp.Shapes.View(sp.Pieces.Shape[a]), sp.poseA(i))
		c.findContacts(from, end, ws)
		for k := range walls.Contacts {
			c.addWallContact(k, ws)
		}
		ws.counts.Fallbacks += walls.Fallbacks
		ws.counts.NoSection += walls.NoSection
	}
	sp.endHeld(ws.wall.held, ws)
}

// findContacts finds the contacts of the piece and the wall of the pairs from to end of ws.gaps. A
// block that lies well inside a coplanar facet group is evaluated against the group's plane. The
// facets of that group are then evaluated only if the block touches other facets, too.
func (c *wallStage) findContacts(from, end int, ws *workspace) {
	walls := ws.wall.walls
	at, group := c.planeAround(ws.gaps[from:end], ws)
	c.answerFacets(from, end, func(of uint32) bool { return group == 0 || of != group }, ws)
	switch touched := len(walls.Facets) > 0; {
	case group != 0 && !touched:
		con, row := &c.sp.Contacts, c.sp.takeRow(at.Row, ws)
		c.sp.Pairs.DropAxis(at.Row) // Proofs for the former features no longer apply.
		con.Facet[row] = at.Answer.Facet
		con.Unprove(row)
		ws.counts.By[at.Answer.AnsweredBy]++
		walls.AddPlane(&at)
		return
	case group != 0:
		c.answerFacets(from, end, func(of uint32) bool { return of == group }, ws)
	}
	if len(walls.Facets) > 0 {
		walls.Find()
	}
}

// planeAround returns the first group among some pairs that is a plane around all of the block and
// touches the block. at is the facet that stores the contact. group is 0 if there is none.
func (c *wallStage) planeAround(pairs []uint32, ws *workspace) (at coplanar.NearFacet, group uint32) {
	sp := c.sp
	if sp.Pieces.Kind[sp.Pairs.A[pairs[0]]].IsRound() { // a ball is cheap to evaluate facet by facet
		return at, 0
	}
	tried := uint32(0)
	for k, i := range pairs {
		group = sp.Groups.Of(sp.Pairs.B[i])
		if group == 0 || group == tried || sp.presses(int(i)) {
			continue
		}
		tried = group
		if at = sp.facetOf(int(i)); !ws.wall.walls.PlaneAround(&at) {
			continue
		}
		for _, j := range pairs[k:] {
			if sp.Groups.Of(sp.Pairs.B[j]) != group {
				continue
			}
			if at = sp.facetOf(int(j)); ws.wall.walls.StoresPlane(&at) {
				return at, group
			}
		}
	}
	return at, 0
}

// facetOf returns the facet of pair i, without an answer.
func (sp *Space) facetOf(i int) coplanar.NearFacet {
	b := sp.Pairs.B[i]
	return coplanar.NearFacet{Row: i, Piece: b, Number: sp.Pieces.Number[b], Group: sp.Groups.Of(b), View: sp.Shapes.View(sp.Pieces.Shape[b]), Pose: sp.poseB(i), Needs: sp.cfg.Laws.NeedsAt(sp.described[i].law)}
}

// answerFacets evaluates those of the pairs from to end of ws.gaps whose coplanar facet group
// satisfies of. It adds the facets within reach to the workspace's finder.
func (c *wallStage) answerFacets(from, end int, of func(group uint32) bool, ws *workspace) {
	sp := c.sp
	for k := from; k < end; k++ {
		if i := int(ws.gaps[k]); sp.described[i].walled && of(sp.Groups.Of(sp.Pairs.B[i])) && !sp.presses(i) && (*gapStage)(c).answer(k, i, ws) {
			f := sp.facetOf(i)
			f.Answer = ws.answer
			ws.wall.walls.Add(&f)
		}
	}
}

// addWallContact makes contact k of the finder an active contact.
func (c *wallStage) addWallContact(k int, ws *workspace) {
	m := &ws.wall.walls.Contacts[k]
	sp, i := c.sp, ws.wall.walls.Facets[m.Facet].Row
	c.inherit(i, m.Answer.Normal, ws)
	ws.answer, ws.loaded = m.Answer, false
	p := &sp.described[i]
	if ws.needs = &ws.lent.Needs[p.law]; !m.Placed && !ws.needs.Points {
		(*gapStage)(c).addContact(i, p, ws)
		return
	}
	(*contactStage)(c).startContact(i, p, m.Answer.Gap, m.Answer.Normal, m.Answer.AnsweredBy, ws)
	ws.loadAs(c.sp, i, p)
	if ws.needs.Points {
		ws.points = ws.wall.walls.AppendPoints(ws.points[:0], k)
		(*gapStage)(c).actAtPoints(i, &ws.contact, ws)
		return
	}
	at := m.At
	if sp.cfg.Location == Full && !ws.needs.Overlap {
		around := false
		ws.facets, around = ws.wall.walls.AppendTouched(ws.facets[:0], m)
		at = (*gapStage)(c).fullLocation(at, &ws.contact, around, ws)
	}
	ws.contact.Overlap = force.Overlap{}
	if m.Shared.Among > 0 {
		ws.contact.Overlap = sharedOverlap(&m.Shared, ws.va.Radius, m.At)
		ws.out.Shares = append(ws.out.Shares, WallShare{ws.contact.Row, ws.contact.Overlap.Variance})
	}
	(*contactStage)(c).addToLaw(&ws.contact, at, m.Width, ws)
}

// inherit stores in the row of pair i the unused history whose normal is most similar to the contact's normal,
// if one is similar enough. It lists a history that passes to another law.
func (c *wallStage) inherit(i int, normal vec.Vec3, ws *workspace) {
	held := ws.wall.held
	best, at := sameSide, -1
	for k := range held {
		if d := held[k].normal.Dot(normal); d > best {
			best, at = d, k
		}
	}
	if at < 0 {
		return
	}
	row := c.sp.takeRow(i, ws)
	c.sp.giveBack(row, &held[at], &ws.wall)
	if from, to := c.sp.described[held[at].pair].law, c.sp.described[i].law; from != to {
		ws.out.Handovers = append(ws.out.Handovers, Handover{uint32(row), from, to})
	}
	ws.wall.held = append(held[:at], held[at+1:]...)
}
