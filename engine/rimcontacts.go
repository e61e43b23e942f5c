package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// overRims makes the contacts with a sheet that is not convex around the block, whose core overlaps it.
//
// Whatever convex part of the sheet the block is δ deep in, δ being its depth under the plane, proves that δ is the depth in the
// sheet (see sheetContacts): the contact is that with the plane, at the centroid of what the section has in common with the
// sheet. The parts that are asked follow from the sheet's rims alone, so that facets do not matter: one along each rim;
// at each corner that turns in, one behind the line that the section reaches deepest beyond; and one about the section's middle.
//
// Where none proves δ, the block is off the sheet by less. If the translation out of the part it is deepest in takes it off
// all others, that is the depth, exactly, and the only contact. If not, there is no one direction: a block in a hole that
// is too tight, or in a notch, has a contact with each rim that it is not taken off by leaving another.
//
// Cost: an exhaustive search for each rim in the window, unless the first parts prove δ, or shallowAt does.
func (c *contactStage) overRims(nearest int, v window, s *sheet, plane vec.Pose, face narrow.Answer, tie float64, ws *workspace) {
	run := &ws.run
	flush := madeContact{of: nearest, ans: face, sheet: run.touched[nearest].sheet}
	depth := -(face.Gap + ws.va.Round + ws.vb.Round)
	if c.shallowAt(s, plane, face.Normal, depth, tie, ws) {
		c.overSheet(&flush, s, plane, ws)
		run.make(flush)
		return
	}
	c.findParts(v, s, plane, face, depth, ws)
	reach := ws.needs.Reach
	run.patch.view.Round = ws.vb.Round
	kept := run.parts[:0]
	for _, p := range run.parts {
		if !run.patch.take(run.corner[p.from:p.to]) {
			continue
		}
		ws.search.Exhaustive(ws.va, ws.pa, &run.patch.view, plane, reach, &p.ans)
		if p.ans.Status == narrow.NotConverged || p.ans.Status == narrow.Degenerate {
			ws.counts.Fallbacks++
			continue
		}
		if p.ans.Gap <= face.Gap+tie {
			c.overSheet(&flush, s, plane, ws)
			run.make(flush)
			return
		}
		if p.ans.Gap <= reach {
			kept = append(kept, p)
		}
	}
	run.parts = kept
	deepestFirst(kept, tie)
	first := len(run.made)
	if len(kept) > 0 {
		c.onParts(nearest, plane, tie, s.seam, ws)
	}
	if len(run.made) > first {
		return
	}
	// The deepest part ends at lines that are no rims, and the direction off it means nothing; but its depth is one that the
	// sheet has at least, and less than δ.
	gap := run.touched[nearest].ans.Gap
	if len(kept) > 0 {
		gap = kept[0].ans.Gap
	}
	flush.ans.ArmA, flush.ans.Gap = face.ArmA.AddScaled(face.Gap-gap, face.Normal), gap
	c.overSheet(&flush, s, plane, ws)
	run.make(flush)
}

// deepestFirst sorts parts by depth; those that tie stay in the order of the rims.
func deepestFirst(parts []sheetPart, tie float64) {
	for ; len(parts) > 1; parts = parts[1:] {
		least := math.Inf(1)
		for i := range parts {
			least = min(least, parts[i].ans.Gap)
		}
		k := slices.IndexFunc(parts, func(p sheetPart) bool { return p.ans.Gap <= least+tie })
		p := parts[k]
		copy(parts[1:k+1], parts[:k])
		parts[0] = p
	}
}

// onParts makes the contacts with the parts, the deepest first: with that alone if the translation out of it is one out of all
// others. Else with those whose witness points are on rims, of each rim once, but for those that the translation out of one
// before is one out of too. It makes none where the block overlaps a part that none of these takes it out of.
func (c *contactStage) onParts(nearest int, plane vec.Pose, tie, seam float64, ws *workspace) {
	run := &ws.run
	first := len(run.made)
	run.areas = run.areas[:0]
	for f := range run.touched {
		if run.touched[f].sheet == run.touched[nearest].sheet {
			run.touched[f].part = 0
		}
	}
	// A part behind a corner may tie with that along a rim, whose section is the place.
	lead := max(slices.IndexFunc(run.parts, func(p sheetPart) bool { return p.own != byCorner }), 0)
	if run.parts[lead].ans.Gap > run.parts[0].ans.Gap+tie {
		lead = 0
	}
	run.parts[0], run.parts[lead] = run.parts[lead], run.parts[0]
	alone := true
	for i := 1; i < len(run.parts) && alone; i++ {
		alone = c.frees(&run.parts[0].ans, &run.parts[i], plane, tie, ws)
	}
	for i := range run.parts {
		p := &run.parts[i]
		if i > 0 && p.own == byCorner {
			continue
		}
		if !alone && (p.own == byCorner || !c.atRim(p, plane, seam, ws)) {
			continue
		}
		same, free := -1, false
		for k := first; k < len(run.made); k++ {
			m := &run.made[k].ans
			if m.Normal.Dot(p.ans.Normal) > 1-sameNormal && math.Abs(m.Gap-p.ans.Gap) <= tie {
				same = k
			}
			free = free || c.frees(m, p, plane, tie, ws)
		}
		if same < 0 && free {
			continue
		}
		m, area := c.onPart(p, plane, ws)
		if same >= 0 {
			run.joinPlace(same, first, &m, area)
			continue
		}
		if m.of = c.rowOf(&m, nearest, first, plane, ws); m.of < 0 {
			ws.counts.Fallbacks++
			continue
		}
		run.made, run.areas = append(run.made, m), append(run.areas, area)
	}
	// The block overlaps a part out of which no rim takes it.
	for i := range run.parts {
		p := &run.parts[i]
		if alone || p.own == byCorner || p.ans.Gap >= -(ws.va.Round+ws.vb.Round) || c.atRim(p, plane, seam, ws) {
			continue
		}
		if !slices.ContainsFunc(run.made[first:], func(m madeContact) bool { return c.frees(&m.ans, p, plane, tie, ws) }) {
			run.made = run.made[:first]
			return
		}
	}
}

// atRim says whether the witness point on a part is where the sheet ends.
func (c *contactStage) atRim(p *sheetPart, plane vec.Pose, seam float64, ws *workspace) bool {
	foot := plane.PointInv(plane.Pos.Add(p.ans.ArmB).AddScaled(ws.vb.Round, p.ans.Normal))
	return slices.ContainsFunc(ws.run.whole, func(r rim) bool { return r.near(flat{foot.X, foot.Y}, 2*seam) })
}

// shallowAt says whether the sheet holds all that is within depth, in its plane, of the way up from a deepest point of the
// block's core to height depth over the plane. That proves the depth: K holds the cylinder of that radius from minus
// to plus depth, and so no direction is shallower.
func (c *contactStage) shallowAt(s *sheet, plane vec.Pose, normal vec.Vec3, depth, tie float64, ws *workspace) bool {
	out, at := ws.pa.Rot.RotateInv(normal), plane.Inv().Mul(ws.pa)
	low, high := math.Inf(-1), math.Inf(1)
	var top vec.Vec3
	for k := range ws.va.NVerts {
		p := ws.va.Vert(soa.Vertex(k))
		h := out.Dot(p)
		low = max(low, h)
		if h < high {
			high, top = h, p
		}
	}
	shadow := func(p vec.Vec3) flat {
		q := at.Point(p)
		return flat{q.X, q.Y}
	}
	for k := range ws.va.NVerts {
		p := ws.va.Vert(soa.Vertex(k))
		if out.Dot(p) < low-tie {
			continue
		}
		way := rim{shadow(p), shadow(p.AddScaled(2*depth/(low-high), top.Sub(p)))}
		clear := s.covers(way.a)
		for i := range ws.run.whole {
			clear = clear && way.segmentTo(&ws.run.whole[i]) >= depth+tie
		}
		if clear {
			return true
		}
	}
	return false
}

// frees says whether the translation out of what has an answer takes the block out of a part as well.
func (c *contactStage) frees(by *narrow.Answer, p *sheetPart, plane vec.Pose, tie float64, ws *workspace) bool {
	far, n := ws.needs.Unloaded-by.Gap, by.Normal
	if float64(far*n.Dot(p.ans.Normal)) >= ws.needs.Unloaded-p.ans.Gap-tie {
		return true
	}
	out, most, least := ws.pa.Rot.RotateInv(n), math.Inf(-1), math.Inf(1)
	for k := range ws.va.NVerts {
		most = max(most, out.Dot(ws.va.Vert(soa.Vertex(k))))
	}
	in := plane.Rot.RotateInv(n)
	for _, q := range ws.run.corner[p.from:p.to] {
		least = min(least, float64(in.X*q.x)+float64(in.Y*q.y))
	}
	deep := most + n.Dot(ws.pa.Pos.Sub(plane.Pos)) - least + ws.va.Round + ws.vb.Round
	return deep+ws.needs.Unloaded <= far+tie
}

// onPart makes the contact with a part, which is a facet like any other, and the area of its section.
func (c *contactStage) onPart(p *sheetPart, plane vec.Pose, ws *workspace) (m madeContact, area float64) {
	run := &ws.run
	m = madeContact{ans: p.ans, placed: true, at: overlap.BallLocation(ws.pa, plane, p.ans.ArmA, p.ans.ArmB)}
	if c.w.cfg.Location == Reduced && run.patch.take(run.corner[p.from:p.to]) {
		var ok bool
		m.at, area, ok = ws.cutter.Reduced(ws.va, ws.pa, &run.patch.view, plane, p.ans.Normal, p.ans.Gap-ws.needs.Unloaded, p.ans.ArmA, p.ans.ArmB, soa.FacetID{})
		c.measured(&m, ok, ws)
	}
	return m, area
}

// joinPlace makes the place of contact k that of two sections, its own and another's.
func (r *wallRun) joinPlace(k, first int, with *madeContact, area float64) {
	m, own := &r.made[k], &r.areas[k-first]
	all := *own + area
	if !(all > 0) {
		return
	}
	share, d := area/all, with.at.Sub(m.at)
	m.width = m.width.Scale(1 - share).Add(with.width.Scale(share)).Add(d.Outer().Scale(float64(share * (1 - share))))
	m.at = m.at.AddScaled(share, d)
	*own = all
}

// rowOf returns the touched facet that has a contact with a part, and makes the witness point that of this facet: of those that
// have none yet the one that holds the point, and of several the deepest. It makes all that hold it part of the contact.
func (c *contactStage) rowOf(m *madeContact, nearest, first int, plane vec.Pose, ws *workspace) int {
	run := &ws.run
	best, holds := -1, false
	armB := m.ans.ArmB.Add(plane.Pos.Sub(ws.pb.Pos))
	for f := range run.touched {
		t := &run.touched[f]
		if t.sheet != run.touched[nearest].sheet {
			continue
		}
		on := c.onFacet(f, nearest, armB.AddScaled(ws.vb.Round, m.ans.Normal), ws)
		if on {
			t.part = len(run.made) + 1
		}
		if slices.ContainsFunc(run.made[first:], func(m madeContact) bool { return m.of == f }) {
			continue
		}
		if best < 0 || on && !holds || on == holds && run.before(f, best) {
			best, holds = f, on
		}
	}
	if best >= 0 {
		pose := c.w.pieces.Pose(&c.w.bodies, run.touched[best].piece)
		from := c.w.pieces.Pose(&c.w.bodies, run.touched[nearest].piece)
		m.ans.ArmB = armB.Add(from.Pos.Sub(pose.Pos))
	}
	return best
}
