package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/vec"
)

// sheetPart is a convex part of what of a sheet is in a window, and the answer of the block and it.
type sheetPart struct {
	from, to int // corners, in run.corner
	own      int // the rim, in run.whole, that it lies along; byPoint or byCorner for none
	ans      narrow.Answer
}

// facingRim is a rim that faces a point: the part of it in a window is away by so much, its line to the right of that by left, m.
type facingRim struct {
	of         int
	away, left float64
}

// Parts that lie along no rim: about a point, and behind a corner that turns in.
const (
	byPoint  = -1
	byCorner = -2
)

// findParts fills run.parts with the convex parts of the sheet in a window that are asked.
func (c *contactStage) findParts(v window, s *sheet, plane vec.Pose, face narrow.Answer, depth float64, ws *workspace) {
	run := &ws.run
	run.parts, run.corner = run.parts[:0], run.corner[:0]
	mid := face.ArmA.AddScaled(-ws.va.Round-depth, face.Normal)
	c.section(plane, face.Normal, -2*depth, mid, ws)
	foot := plane.PointInv(ws.pa.Pos.Add(mid))
	var m region
	m.add(run.section, 1)
	middle := flat{foot.X, foot.Y}
	if m.area > 0 {
		middle = flat{foot.X + m.x/m.area, foot.Y + m.y/m.area}
	}
	for i := range run.section {
		run.section[i] = flat{run.section[i].x + foot.X, run.section[i].y + foot.Y}
	}
	// On a rim, the part about it is that along the rim; and which side of it the middle is on would be rounding.
	if s.covers(middle) && !slices.ContainsFunc(run.whole, func(r rim) bool { return r.near(middle, s.seam) }) {
		run.findPart(v, middle, byPoint, nil, s.seam)
	}
	for i := range run.whole {
		seed := run.inside[i].nearest(middle)
		run.findPart(v, seed, i, &run.whole[i], s.seam)
		for k := range run.whole {
			if q := &run.whole[k]; away(q.a, run.whole[i].b) <= s.seam && run.whole[i].left(q.b) < -s.seam {
				if line, ok := run.behind(&run.whole[i], q); ok {
					run.findPart(v, q.a, byCorner, &line, s.seam)
				}
			}
		}
	}
}

// behind returns the line through the corner that two rims make by turning in, at a right angle to the way from it to the
// corner of the section that is farthest behind both, if there is one.
func (r *wallRun) behind(p, q *rim) (line rim, ok bool) {
	far := 0.0
	for _, v := range r.section {
		dx, dy := q.a.x-v.x, q.a.y-v.y
		// The way out is between the outward normals of the two: to the left of the first's, to the right of the second's.
		px, py := p.b.x-p.a.x, p.b.y-p.a.y
		qx, qy := q.b.x-q.a.x, q.b.y-q.a.y
		if d := float64(dx*dx) + float64(dy*dy); float64(px*dx)+float64(py*dy) < 0 && float64(qx*dx)+float64(qy*dy) > 0 && d > far {
			far, ok = d, true
			line = rim{q.a, flat{q.a.x - dy, q.a.y + dx}}
		}
	}
	return line, ok
}

// findPart adds the part of the sheet in a window that holds a point: behind a line through that, if there is one, and
// behind each rim that faces the point, the nearest first, of which there is still something in the part. A rim
// that faces away lies beyond others that do not: so the sheet holds all that is left.
func (r *wallRun) findPart(v window, seed flat, own int, line *rim, seam float64) {
	p := &r.patch
	p.outline = append(p.outline[:0], v.lo, flat{v.hi.x, v.lo.y}, v.hi, flat{v.lo.x, v.hi.y})
	cut := func(q *rim) {
		p.next = q.cutBy(p.next[:0], p.outline)
		p.outline, p.next = p.next, p.outline
	}
	if line != nil {
		cut(line)
	}
	r.facing = r.facing[:0]
	for i := range r.whole {
		if left := r.whole[i].left(seed); i != own && left >= -seam {
			r.facing = append(r.facing, facingRim{i, r.inside[i].distance(seed), left})
		}
	}
	slices.SortFunc(r.facing, func(a, b facingRim) int {
		if math.Abs(a.away-b.away) > seam {
			return cmp.Compare(a.away, b.away)
		}
		if math.Abs(a.left-b.left) > seam {
			return cmp.Compare(b.left, a.left)
		}
		return cmp.Compare(a.of, b.of)
	})
	for _, f := range r.facing {
		if from, to := r.inside[f.of].through(p.outline, seam, 0); from < to {
			cut(&r.whole[f.of])
		}
	}
	from := len(r.corner)
	r.corner = append(r.corner, p.outline...)
	r.parts = append(r.parts, sheetPart{from: from, to: len(r.corner), own: own})
}

// onPart says whether a point lies on a part, within the width of a seam.
func (r *wallRun) onPart(p *sheetPart, at flat, seam float64) bool {
	polygon := r.corner[p.from:p.to]
	if len(polygon) == 0 {
		return false
	}
	last := polygon[len(polygon)-1]
	for _, q := range polygon {
		if side := (rim{last, q}); side.a != side.b && side.left(at) < -seam {
			return false
		}
		last = q
	}
	return true
}
