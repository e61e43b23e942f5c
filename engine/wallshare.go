package engine

import (
	"slices"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// blockContacts asks each sheet that the block touches, and takes the answers of the other facets as they are. What two
// of these contacts share is one of them, with a place that counts both.
func (c *contactStage) blockContacts(ws *workspace) {
	run := &ws.run
	for j := range run.touched {
		f := &run.touched[j]
		switch {
		case f.sheet == 0:
			run.made = append(run.made, madeContact{of: j, ans: f.ans})
			f.part = len(run.made)
		case !f.done:
			c.sheetContacts(j, ws)
		}
	}
	run.listParts()
	shared := false
	for j := range run.made {
		x := &run.made[j]
		if x.sheet != 0 {
			continue
		}
		c.load(run.touched[x.of].row, ws)
		tie, p := tieOf(ws), c.witness(&x.ans, run.touched[x.of].piece)
		for k := range run.made {
			if j != k && !run.made[k].lost && c.sameEdge(j, k, tie, p, ws) {
				x.lost = true
				shared = run.share(j, k) || shared
				break
			}
		}
	}
	for k := range run.made {
		if m := &run.made[k]; shared && !m.lost && m.sheet == 0 {
			c.placeOver(k, ws)
		}
	}
}

// listParts lists the touched facets of each contact.
func (r *wallRun) listParts() {
	r.first, r.next = r.first[:0], r.next[:0]
	for range r.made {
		r.first = append(r.first, 0)
	}
	for f := range r.touched {
		r.next = append(r.next, 0)
		if k := r.touched[f].part - 1; k >= 0 {
			r.next[f], r.first[k] = r.first[k], f+1
		}
	}
}

// share makes the facets of contact j part of contact k, if that is of an edge too, whose place then is to be found.
func (r *wallRun) share(j, k int) bool {
	r.made[k].placed = r.made[k].placed && r.made[k].sheet != 0
	isEdge := r.made[k].sheet == 0
	last := 0
	for f := r.first[j]; f != 0; f = r.next[f-1] {
		if last = f; isEdge {
			r.touched[f-1].part = k + 1
		} else {
			r.touched[f-1].part = 0
		}
	}
	if isEdge && last != 0 {
		r.next[last-1], r.first[k] = r.first[k], r.first[j]
	}
	r.first[j] = 0
	return isEdge
}

// sameEdge says whether contact j is of an edge, or a corner, of the surface that contact k is with, which is at least as
// deep there, but for rounding: its witness point p lies on that surface, and the normals are alike. Of edges that are as deep
// the first stays.
func (c *contactStage) sameEdge(j, k int, tie float64, p vec.Vec3, ws *workspace) bool {
	run := &ws.run
	run.compared++
	x, y := &run.made[j], &run.made[k]
	if !(x.ans.Normal.Dot(y.ans.Normal) > alike) || y.ans.Gap > x.ans.Gap+tie || y.sheet == 0 && k > j && y.ans.Gap >= x.ans.Gap-tie {
		return false
	}
	for f := run.first[k]; f != 0; f = run.next[f-1] {
		run.compared++
		if c.onFacet(f-1, x.of, p, ws) {
			return true
		}
	}
	return false
}

// placeOver places contact k at the centroid of the sections of all facets that are part of it, each cut as it is when
// it is alone, and leaves one that has only one facet as it is.
func (c *contactStage) placeOver(k int, ws *workspace) {
	w, run, m := c.w, &ws.run, &ws.run.made[k]
	run.of = run.of[:0]
	for f := run.first[k]; f != 0; f = run.next[f-1] {
		run.of = append(run.of, f-1)
	}
	if slices.Sort(run.of); m.placed || len(run.of) < 2 || w.cfg.Location != Reduced {
		return
	}
	first := &run.touched[m.of]
	c.load(first.row, ws)
	gap := m.ans.Gap - ws.needs.Unloaded
	mid := overlap.BallLocation(ws.pa, ws.pb, m.ans.ArmA, m.ans.ArmB)
	var all vec.Vec3
	var width vec.Sym3
	area := 0.0
	for _, f := range run.of {
		t := &run.touched[f]
		view := w.shapes.View(w.pieces.Shape[t.piece])
		pose := w.pieces.Pose(&w.bodies, t.piece)
		armB := m.ans.ArmB.Add(ws.pb.Pos.Sub(pose.Pos))
		at, part, ok := ws.cutter.Reduced(ws.va, ws.pa, view, pose, m.ans.Normal, gap, m.ans.ArmA, armB, soa.FacetID{})
		if !ok || !(part > 0) {
			continue
		}
		d := at.Sub(mid)
		area += part
		all = all.AddScaled(part, d)
		width = width.Add(ws.cutter.Gyration().Add(d.Outer()).Scale(part))
	}
	m.placed, m.at, m.width = true, mid, vec.Sym3{}
	if !(area > 0) {
		ws.counts.NoSection++
		return
	}
	d := all.Scale(1 / area)
	m.at = mid.Add(d)
	if ws.needs.Section {
		m.width = width.Scale(1 / area).Add(d.Outer().Scale(-1))
	}
}
