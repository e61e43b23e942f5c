package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// nearContacts makes the contacts with a sheet that is not convex around the block, whose core stands apart from it: at
// the facets' nearest points, but for those that lie on a nearer facet, or on a rim that the block is along and that leads to nearer
// points. Distances of convex bodies have no least place within another facet. One along the sheet's normal has its place by
// all of the sheet, one at rims by the convex parts about its points, in the order of the rims.
func (c *contactStage) nearContacts(j int, v window, s *sheet, plane vec.Pose, normal vec.Vec3, tie float64, ws *workspace) {
	run := &ws.run
	first, id := len(run.made), run.touched[j].sheet
	run.parts, run.corner, run.patch.view.Round = run.parts[:0], run.corner[:0], ws.vb.Round
	for f := j; f < len(run.touched); f++ {
		if run.touched[f].sheet == id && !c.beaten(f, ws) && !c.leadsOn(f, v, s, plane, tie, ws) {
			run.keepRim(f, first, tie)
		}
	}
	run.areas = grow(run.areas, len(run.made)-first)
	place := func(f int, at flat) {
		t := &run.touched[f]
		k := t.part - 1
		m := &run.made[k]
		if m.ans.Normal.Dot(normal) > 1-sameNormal {
			if !m.placed {
				c.overSheet(m, s, plane, ws)
			}
			return
		}
		if slices.ContainsFunc(run.parts, func(p sheetPart) bool { return p.own == k && run.onPart(&p, at, s.seam) }) {
			return
		}
		run.findPart(v, at, byPoint, nil, s.seam)
		p := &run.parts[len(run.parts)-1]
		p.own, p.ans = k, t.ans
		p.ans.ArmB = p.ans.ArmB.Add(c.origin(f, ws).Sub(plane.Pos))
		with, area := c.onPart(p, plane, ws)
		if m.placed {
			run.joinPlace(k, first, &with, area)
		} else {
			m.placed, m.at, m.width, run.areas[k-first] = true, with.at, with.width, area
		}
	}
	of := func(f int) bool { return run.touched[f].sheet == id && run.touched[f].part > first }
	for i := range run.whole {
		for f := j; f < len(run.touched); f++ {
			if !of(f) {
				continue
			}
			if at := c.foot(f, plane, ws); run.whole[i].near(at, s.seam) {
				if r, ok := c.alongside(i, &run.touched[f].ans, plane, tie, s.seam, ws); ok {
					at = r.at(0.5)
				}
				place(f, at)
			}
		}
	}
	for f := j; f < len(run.touched); f++ { // at rims beyond the window
		if of(f) && !run.made[run.touched[f].part-1].placed {
			place(f, c.foot(f, plane, ws))
		}
	}
}

// origin returns that of touched facet f, relative to that of the block.
func (c *contactStage) origin(f int, ws *workspace) vec.Vec3 {
	w, t := c.w, &ws.run.touched[f]
	return w.pieces.Pose(&w.bodies, t.piece).Pos.Sub(w.pieces.Pose(&w.bodies, w.pairs.A[t.row]).Pos)
}

// foot returns the witness point on touched facet f, in the frame of its sheet.
func (c *contactStage) foot(f int, plane vec.Pose, ws *workspace) flat {
	t := &ws.run.touched[f]
	q := plane.PointInv(c.origin(f, ws).Add(c.witness(&t.ans, t.piece)))
	return flat{q.X, q.Y}
}

// alongside returns the part of rim i that the block is along, with the normal of an answer and the same distance everywhere, and
// whether that is longer than a seam.
func (c *contactStage) alongside(i int, ans *narrow.Answer, plane vec.Pose, tie, seam float64, ws *workspace) (along rim, ok bool) {
	r := &ws.run.whole[i]
	length := away(r.a, r.b)
	u := plane.Rot.Rotate(vec.Vec3{X: (r.b.x - r.a.x) / length, Y: (r.b.y - r.a.y) / length})
	across := ans.Normal.Cross(u)
	in, out := ws.pa.Pos.Sub(plane.Point(vec.Vec3{X: r.a.x, Y: r.a.y})), ws.pa.Rot.RotateInv(ans.Normal)
	most := math.Inf(-1)
	for k := range ws.va.NVerts {
		most = max(most, out.Dot(ws.va.Vert(soa.Vertex(k))))
	}
	// The chord of the feature that is nearest, over the rim's line.
	points := ws.run.section[:0]
	for k := range ws.va.NVerts {
		if p := ws.va.Vert(soa.Vertex(k)); out.Dot(p) >= most-tie {
			d := ws.pa.Rot.Rotate(p).Add(in)
			points = append(points, flat{u.Dot(d), across.Dot(d)})
		}
	}
	ws.run.section = points
	from, to := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		for _, q := range points {
			switch {
			case math.Abs(p.y) <= tie:
				from, to = min(from, p.x), max(to, p.x)
			case p.y < 0 && q.y > 0:
				x := p.x + float64(p.y/(p.y-q.y)*(q.x-p.x))
				from, to = min(from, x), max(to, x)
			}
		}
	}
	from, to = max(from, 0), min(to, length)
	if !(to-from > seam) || math.Abs(ans.Normal.Dot(u))*(to-from) > tie {
		return rim{}, false
	}
	return rim{r.at(from / length), r.at(to / length)}, true
}

// leadsOn says whether the block is along a rim with the nearest point of touched facet f, up to where another leads nearer. Which of
// the points on the way facets find is rounding, and whether one finds the last.
func (c *contactStage) leadsOn(f int, v window, s *sheet, plane vec.Pose, tie float64, ws *workspace) bool {
	run := &ws.run
	ans, at := &run.touched[f].ans, c.foot(f, plane, ws)
	for i := range run.whole {
		if !run.whole[i].near(at, s.seam) {
			continue
		}
		r, ok := c.alongside(i, ans, plane, tie, s.seam, ws)
		if !ok {
			continue
		}
		for k := range run.whole {
			q := &run.whole[k]
			end := r.b
			if k == i || !q.near(end, s.seam) {
				if end = r.a; k == i || !q.near(end, s.seam) {
					continue
				}
			}
			n, from := len(run.parts), len(run.corner)
			run.findPart(v, end, k, q, s.seam)
			p := run.parts[n]
			nearer := run.patch.take(run.corner[p.from:p.to])
			if nearer {
				ws.search.Exhaustive(ws.va, ws.pa, &run.patch.view, plane, ws.needs.Reach, &p.ans)
				nearer = p.ans.Gap < ans.Gap-tie
			}
			if run.parts, run.corner = run.parts[:n], run.corner[:from]; nearer {
				return true
			}
		}
	}
	return false
}

// keepRim makes the answer of facet f a contact, or part of one of those from first on that has its normal and depth.
func (r *wallRun) keepRim(f, first int, tie float64) {
	t := &r.touched[f]
	for k := first; k < len(r.made); k++ {
		m := &r.made[k]
		if m.ans.Normal.Dot(t.ans.Normal) > 1-sameNormal && math.Abs(m.ans.Gap-t.ans.Gap) <= tie {
			t.part = k + 1
			return
		}
	}
	r.made = append(r.made, madeContact{of: f, ans: t.ans})
	t.part = len(r.made)
}
