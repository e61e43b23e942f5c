package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sheetTie, relative to the larger radius of a pair or the distance of its origins, is the difference below which two
// depths of a block in a sheet are the same: 16 times narrow.ProofTol, to which a method proves its answer. Where it acts, the
// answer is the plane's, whose normal all of them share but for rounding.
const sheetTie = 0x1p-37

// tieOf returns it for the pair in the workspace, m.
func tieOf(ws *workspace) float64 {
	return float64(sheetTie * max(ws.va.Radius, ws.vb.Radius, ws.pb.Pos.Sub(ws.pa.Pos).MaxAbs()))
}

// sheetContacts makes the contacts of the block with the sheet of touched facet j.
//
// The depth of a block in a sheet is the length of the shortest translation that takes it off: for what overlaps a flat
// part of a wall, that along the normal. Any facet says so whose own depth is the depth δ under the plane, for the
// sheet holds the facet and the half-space holds the sheet. Where none does, since the block is small against its depth or
// touches near edges that are none of the sheet, its surroundings decide.
//
// What of the sheet is farther away than δ does not matter: of a block moved by less than δ, the section by the plane is
// one at a height of less than δ over it, moved by less than δ. So a window that holds all of the block below height δ, and
// δ around that, holds all such sections. Where the sheet does not end in the window it is a plane: gap, normal and place
// are those on one.
//
// All that holds for cores, and of cores that stand apart for the distance; rounded pieces are nearer by their radii. Cost:
// two supports of the block, its edges, and the rims that share some x with the window.
func (c *contactStage) sheetContacts(j int, ws *workspace) {
	w, run := c.w, &ws.run
	id := run.touched[j].sheet
	nearest, n := j, 0
	for f := j; f < len(run.touched); f++ {
		if t := &run.touched[f]; t.sheet == id {
			t.done = true
			n++
			if run.before(f, nearest) {
				nearest = f
			}
		}
	}
	c.load(run.touched[nearest].row, ws)
	// Where all of the window, for whatever depth the facet finds, is on the facet, the facet is the sheet.
	gap := run.touched[nearest].ans.Gap
	if n == 1 && holds(ws.vb, ws.pb.PointInv(ws.pa.Pos), ws.va.Radius+2*math.Abs(gap)) {
		run.make(madeContact{of: nearest, ans: run.touched[nearest].ans, sheet: id})
		return
	}
	s := &w.sheets.all[id-1]
	plane := c.planeOf(s, ws)
	face, _ := c.onSheet(plane, ws)
	tie := tieOf(ws)

	// The least gap is the largest depth: if that is δ, some facet proves it.
	shallow := !(gap > face.Gap+tie)
	// The core is looked at as far up as its depth matters, or its distance and the sections that are the contact's place: each is
	// inside its piece by half of what the gap differs from the reference gap.
	round := ws.va.Round + ws.vb.Round
	near := gap + round
	depth := max(-(face.Gap + round), near+math.Abs(gap-ws.needs.Unloaded))
	v := below(ws.va, plane.Inv().Mul(ws.pa), face.Normal.Dot(plane.Rot.Rotate(vec.Vec3{Z: 1})) > 0, depth)
	s.rimsIn(v, run)
	switch {
	case len(run.whole) == 0:
		c.onPlane(nearest, face, ws)
	case run.patch.cut(v, run.whole, run.inside, s.seam):
		c.onPatch(nearest, shallow, plane, face, tie, ws)
	case near < 0:
		c.overRims(nearest, v, s, plane, face, tie, ws)
	case shallow:
		m := madeContact{of: nearest, ans: face, sheet: id}
		c.overSheet(&m, s, plane, ws)
		run.make(m)
	default:
		c.nearContacts(j, v, s, plane, face.Normal, tie, ws)
	}
}

// make adds a contact, of which all facets of a sheet that are touched are part.
func (r *wallRun) make(m madeContact) {
	r.made = append(r.made, m)
	for f := range r.touched {
		if r.touched[f].sheet == r.touched[m.of].sheet {
			r.touched[f].part = len(r.made)
		}
	}
}

// holds says whether a ball about a point of a facet's frame has its shadow on the facet.
func holds(v *soa.View, centre vec.Vec3, radius float64) bool {
	n := v.Normal(0)
	last := v.Vert(soa.Vertex(v.NVerts - 1))
	for k := range v.NVerts {
		p := v.Vert(soa.Vertex(k))
		e := p.Sub(last)
		if !(n.Dot(e.Cross(centre.Sub(last))) >= float64(radius*e.Norm())) {
			return false
		}
		last = p
	}
	return true
}

// planeOf returns the pose of a sheet's plane relative to the origin of piece A in the workspace, and makes the poses there
// relative to that: far from the world's origin places are rounded to more than depths are.
func (c *contactStage) planeOf(s *sheet, ws *workspace) vec.Pose {
	wall := c.w.bodies.Pose(s.wall)
	wall.Pos = wall.Pos.Sub(ws.pa.Pos)
	ws.pa.Pos, ws.pb.Pos = vec.Vec3{}, ws.pb.Pos.Sub(ws.pa.Pos)
	return wall.Mul(s.pose)
}

// onSheet answers the block in the workspace and the plane of a sheet, from the side on which it is less deep; of equal
// ones that of the normal. The answer is relative to the origin of the facet in the workspace. top is the core's point farthest
// from the plane, relative to its origin.
func (c *contactStage) onSheet(plane vec.Pose, ws *workspace) (face narrow.Answer, top vec.Vec3) {
	narrow.OnPlane(ws.va, ws.pa, plane, &face)
	var below narrow.Answer
	back := plane
	back.Rot = back.Rot.Mul(vec.Quat{X: 1})
	if narrow.OnPlane(ws.va, ws.pa, back, &below); below.Gap > face.Gap {
		face, below = below, face
	}
	face.ArmB = face.ArmA.AddScaled(face.Gap, face.Normal).Sub(ws.pb.Pos.Sub(ws.pa.Pos))
	face.Level = narrow.LevelFeature
	face.Grow(ws.va.Round, ws.vb.Round)
	return face, below.ArmA
}

// onPlane makes the contact with a sheet that does not end near the block: that with its plane. Like all contacts with a
// sheet, it is in the row of the facet that the block is nearest to, or deepest in.
func (c *contactStage) onPlane(nearest int, face narrow.Answer, ws *workspace) {
	run := &ws.run
	m := madeContact{of: nearest, ans: face, sheet: run.touched[nearest].sheet, placed: true}
	m.at = overlap.BallLocation(ws.pa, ws.pb, face.ArmA, face.ArmB)
	if c.w.cfg.Location == Reduced {
		var ok bool
		m.at, _, ok = ws.cutter.OnPlane(ws.va, ws.pa, face.Normal, face.Gap-ws.needs.Unloaded, face.ArmA.AddScaled(0.5*face.Gap, face.Normal), face.Facet)
		c.measured(&m, ok, ws)
	}
	run.make(m)
}

// measured takes over the moments of the section that the cutter has just found, if there was one.
func (c *contactStage) measured(m *madeContact, ok bool, ws *workspace) {
	if !ok {
		ws.counts.NoSection++
	}
	if ws.needs.Section {
		m.width = ws.cutter.Gyration()
	}
}

// onPatch makes the contact with the convex part of a sheet that the patch is: it is a facet like any other, with the
// sheet's own edges. shallow says that the answer is the plane's.
func (c *contactStage) onPatch(nearest int, shallow bool, plane vec.Pose, face narrow.Answer, tie float64, ws *workspace) {
	run := &ws.run
	m := madeContact{of: nearest, ans: face, sheet: run.touched[nearest].sheet, placed: true}
	if !shallow {
		ans, ok := run.askPatch(plane, ws)
		if !ok {
			ws.counts.Fallbacks++
			run.make(madeContact{of: nearest, ans: run.touched[nearest].ans})
			return
		}
		if ans.Gap > face.Gap+tie {
			m.ans, m.sheet = ans, 0
			m.ans.ArmB = ans.ArmB.Add(plane.Pos.Sub(ws.pb.Pos))
		}
	}
	armB := m.ans.ArmB.Add(ws.pb.Pos.Sub(plane.Pos))
	m.at = overlap.BallLocation(ws.pa, plane, m.ans.ArmA, armB)
	if c.w.cfg.Location == Reduced {
		var ok bool
		m.at, _, ok = ws.cutter.Reduced(ws.va, ws.pa, &run.patch.view, plane, m.ans.Normal, m.ans.Gap-ws.needs.Unloaded, m.ans.ArmA, armB, soa.FacetID{})
		if c.measured(&m, ok, ws); !ok && m.sheet != 0 {
			// The plane's witness point is a corner of the block, which may be beside the sheet.
			if ans, ok := run.askPatch(plane, ws); ok {
				m.at = overlap.BallLocation(ws.pa, plane, ans.ArmA, ans.ArmB)
			}
		}
	}
	run.make(m)
}

// askPatch answers the block and the patch, and says whether there is an answer.
func (r *wallRun) askPatch(plane vec.Pose, ws *workspace) (ans narrow.Answer, ok bool) {
	r.patch.view.Round = ws.vb.Round
	ws.search.Exhaustive(ws.va, ws.pa, &r.patch.view, plane, ws.needs.Reach, &ans)
	return ans, ans.Status != narrow.NotConverged && ans.Status != narrow.Degenerate
}

// below returns the window that holds the part of a block on its way through a plane up to height depth above it, and
// depth around that. at is the block's pose in the frame of the plane; it comes from above, or from below if turned.
func below(v *soa.View, at vec.Pose, turned bool, depth float64) window {
	out := window{flat{math.Inf(1), math.Inf(1)}, flat{math.Inf(-1), math.Inf(-1)}}
	sign := 1.0
	if turned {
		sign = -1
	}
	m := at.Rot.Mat3()
	height := func(p vec.Vec3) float64 { return float64(sign*(m.R2.Dot(p)+at.Pos.Z)) - depth }
	shadow := func(p vec.Vec3) flat { return flat{m.R0.Dot(p) + at.Pos.X, m.R1.Dot(p) + at.Pos.Y} }
	for h := range v.Tail {
		p := v.Vert(v.Tail[h])
		hp := height(p)
		if hp > 0 {
			continue
		}
		out = out.with(shadow(p))
		q := v.Vert(v.Head(soa.HalfEdge(h)))
		if hq := height(q); hq > 0 {
			out = out.with(shadow(p.AddScaled(hp/(hp-hq), q.Sub(p))))
		}
	}
	out.lo, out.hi = flat{out.lo.x - 2*depth, out.lo.y - 2*depth}, flat{out.hi.x + 2*depth, out.hi.y + 2*depth}
	return out
}

// sameNormal is half the square of the angle, 2⁻²⁰, within which the normals of contacts with the parts of one
// straight rim are the same: far above their rounding.
const sameNormal = 0x1p-41
