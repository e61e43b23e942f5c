package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// gapStage finds the gaps of pairs and where their forces act: of all pairs but those of overlapStage.
type gapStage stage

// solve evaluates the pairs of ws.gaps, except those with walls of facets.
func (c *gapStage) solve(ws *workspace) {
	if len(ws.gaps) == 0 {
		return
	}
	c.solveProven(ws)
	for k, i := range ws.gaps {
		if p := &c.sp.described[i]; !p.walled && c.answer(k, int(i), ws) {
			c.addContact(int(i), p, ws)
		}
	}
}

// solveProven answers the pairs of ws.gaps whose features are proven within their motion
// budget. takeProven returns the answers.
func (c *gapStage) solveProven(ws *workspace) {
	sp, con := c.sp, &c.sp.Contacts
	ws.proven.Begin(len(ws.gaps))
	for k, i := range ws.gaps {
		row := sp.Pairs.Row[i]
		if row == soa.NoRow {
			continue
		}
		a, b, p := sp.pieceOdometer[sp.Pairs.A[i]], sp.pieceOdometer[sp.Pairs.B[i]], &sp.described[i]
		ws.proven.Set(k, int(row), con, sp.Bodies, sp.poses, &p.ProvenPair, a, b, sp.slack(int(i), p))
	}
	ws.proven.Solve(&sp.Shapes, sp.poses)
}

// takeProven copies the answer of pair i, number k of ws.gaps, to ws.answer if its features are
// proven. It reports whether they are.
func (c *gapStage) takeProven(k, i int, ws *workspace) bool {
	sp, con, row := c.sp, &c.sp.Contacts, int(c.sp.Pairs.Row[i])
	if row == soa.NoRow || !ws.proven.Answer(k, row, con, &sp.Shapes, sp.poses, &sp.described[i].ProvenPair, ws.needs.Reach, &ws.answer) {
		return false
	}
	con.Facet[row] = ws.answer.Facet
	if invariants.Enabled {
		sp.reprove(i, &ws.answer, ws.needs.Reach, ws)
	}
	return true
}

// answer evaluates pair i, number k of ws.gaps, and reports whether its contact is active. It
// writes the result to ws.answer.
func (c *gapStage) answer(k, i int, ws *workspace) bool {
	sp, con, ans, p := c.sp, &c.sp.Contacts, &ws.answer, &c.sp.described[i]
	ws.needs = &ws.lent.Needs[p.law]
	ws.loaded = false
	reach := ws.needs.Reach
	if c.takeProven(k, i, ws) {
		ws.counts.By[narrow.ByFeature]++
		if ans.Gap > reach {
			(*contactStage)(c).release(i, ws)
			return false
		}
		sp.Pairs.DropAxis(i) // a pair that has come back within reach may still store an axis
		return true
	}

	ws.loadAs(c.sp, i, p)
	was := soa.FacetID{}
	if row := sp.Pairs.Row[i]; row != soa.NoRow {
		was = con.Facet[row]
		con.Unprove(int(row))
	}
	var proof narrow.Proof
	if sp.search(i, ws.va, ws.pa, ws.vb, ws.pb, reach, was, sp.Pairs.Axis.At(i), ws) {
		proof = ws.search.Budget(sp.turn(p.BodyA, p.BodyB))
	}
	if invariants.Enabled && ans.Exact {
		sp.reprove(i, ans, reach, ws)
	}
	ws.counts.By[ans.AnsweredBy]++
	sp.Pairs.Expiry[i] = soa.Expired
	near := ans.Status != narrow.Degenerate && ans.Gap <= reach
	switch {
	case near:
		sp.Pairs.DropAxis(i)
	case sp.published.on:
		// Without a certificate: the pair passes the search again in the next step.
		(*contactStage)(c).release(i, ws)
		sp.giveRow(i, ws.out.Tile)
		return false
	default:
		(*contactStage)(c).setApart(i, reach, ws)
		if !ans.Exact {
			return false
		}
	}
	// Pairs that graze are too close for an axis certificate, so the facet is kept instead.
	row := sp.takeRow(i, ws)
	con.Facet[row] = ans.Facet
	proof.Store(con, row, sp.expiry(i, proof.Motion, 0), &sp.Shapes, p.ShapeA, p.ShapeB, ans.Facet)
	return near
}

// addContact makes pair i, described by p, an active contact from ws.answer and finds the point where
// its force acts.
func (c *gapStage) addContact(i int, p *tilePair, ws *workspace) {
	ans, t := &ws.answer, &ws.contact
	(*contactStage)(c).startContact(i, p, ans.Gap, ans.Normal, ans.AnsweredBy, ws)
	t.ArmA, t.ArmB = ans.ArmA, ans.ArmB
	if !ws.loaded {
		ws.loadAs(c.sp, i, p)
	}
	c.locate(i, t, ws)
}

// locate finds where the force of pair i acts. Shapes and poses must be loaded in the workspace.
func (c *gapStage) locate(i int, t *force.LawContact, ws *workspace) {
	if ws.needs.Overlap {
		c.placeBall(i, t, ws)
		return
	}
	if ws.needs.Points {
		c.placePoints(i, t, ws)
		return
	}
	if c.sp.cfg.Location == Witness {
		(*contactStage)(c).addToLaw(t, section.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB), vec.Sym3{}, ws)
		return
	}
	// A law whose spring begins at a gap acts as if each body were thicker by half of that gap.
	gap := t.Gap - ws.needs.Unloaded
	at := vec.Vec3{}
	var ok bool
	if ws.vb.Kind.IsEndless() {
		at, _, ok = ws.cutter.OnPlane(ws.va, ws.pa, t.Normal, gap, t.ArmA.AddScaled(0.5*t.Gap, t.Normal))
	} else {
		at, _, ok = ws.cutter.Reduced(ws.va, ws.pa, ws.vb, ws.pb, t.Normal, gap, t.ArmA, t.ArmB)
	}
	if !ok {
		ws.counts.NoSection++
	}
	if c.sp.cfg.Location == Full {
		if ws.facets = ws.facets[:0]; ws.vb.Kind.IsFlat() {
			ws.facets = append(ws.facets, c.sp.Pairs.B[i])
		}
		at = c.fullLocation(at, t, false, ws)
	}
	width := vec.Sym3{}
	if ws.needs.Section {
		width = ws.cutter.Gyration()
	}
	(*contactStage)(c).addToLaw(t, at, width, ws)
}

// placeBall finds the overlap of pair i, of which one piece is a ball, for a law that reads overlaps. Shapes
// and poses must be loaded in the workspace. A ball counts as a slab whose thickness is the depth δ of the
// ball in the other body. Its potential is therefore that of a spring, and the same on faces, edges and
// corners. See ballOverlap for its patch.
func (c *gapStage) placeBall(i int, t *force.LawContact, ws *workspace) {
	t.Overlap = force.Overlap{}
	if depth := -t.Gap; depth > 0 {
		t.Overlap = ballOverlap(depth, patchRadius(ws.va, ws.vb), t.Normal)
	}
	(*contactStage)(c).addToLaw(t, section.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB), vec.Sym3{}, ws)
}

// gap declares the accesses of gapStage for pair i.
func (t *tileWalk) gap(i int) {
	sp, p := t.sp, &t.sp.described[i]
	t.described.Read(i)
	t.pairs["Row"].Read(i)
	if sp.Pairs.Row[i] == soa.NoRow {
		t.search(i)
		return
	}
	row := int(sp.Pairs.Row[i])
	t.readOdometers(i)
	t.contacts["Proven"].Read(row)
	t.contacts["ProofRecord"].Read(row)
	if sp.Contacts.ProofRecord[row].Kind == 0 || narrow.AnsweredBy(sp.Contacts.AnsweredBy[row]) != narrow.ByFeature {
		t.contacts["PoseBounds"].Update(row)
		t.contacts["Proven"].Write(row)
		t.contacts["ProofRecord"].Write(row)
		t.search(i)
	} else {
		t.load(i)
		radius := access.Of(t.w, "Shapes", sp.Shapes.Radius)
		radius.Read(int(p.ShapeA))
		radius.Read(int(p.ShapeB))
		t.contacts["Facet"].Update(row)
	}
	if !sp.Contacts.Active[row] {
		return
	}
	t.pairs["Axis"].Read(i)
	t.activate(i)
	sp.Shapes.WalkShape(t.w, p.ShapeA) // the location
	sp.Shapes.WalkShape(t.w, p.ShapeB)
}
