package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// alike is the cosine of the angle between two normals up to which two contacts with one wall that share a witness point
// may be one: an edge that two facets share gives each the direction that the whole of the wall gives it, or one
// near that; the two sides of a corner that a body lies in differ by more.
const alike = 0.9

// sameSide is the cosine of the angle by which the normal of a contact may differ from that of the step before, and it
// still be the same contact with the wall.
const sameSide = 0.5

// wallRun is what is known of a piece and the facets of one wall, which it may touch several of: pairs that are
// neighbours in the list.
type wallRun struct {
	touched []touchedFacet
	made    []madeContact
	held    []history
	patch   patch
	which   []uint32 // rims, of a sheet's
	whole   []rim    // in the window
	inside  []rim    // what of them is
	parts   []sheetPart
	corner  []flat // of parts
	facing  []facingRim
	areas   []float64  // of the sections of contacts with parts
	corners []vec.Vec3 // of a section
	section []flat
	cut     [2][]flat

	first    []int // by contact: 1 + a touched facet that is part of it, or 0
	next     []int // by touched facet: 1 + the next of the same contact, or 0
	of       []int // touched facets of one contact
	compared int   // contacts and facets, for tests
}

// touchedFacet is a facet whose own answer is within reach.
type touchedFacet struct {
	row   int
	piece soa.Piece
	sheet uint32 // plus one, 0 for none
	part  int    // contact that it is part of, plus one; 0 for none
	done  bool   // its sheet has been asked
	ans   narrow.Answer
}

// madeContact is a contact with the wall: of one facet, or of several that act as one.
type madeContact struct {
	of    int // in touched; its row has the contact
	ans   narrow.Answer
	sheet uint32 // plus one: the surface that it is with the face of; 0 for contacts with edges, and facets alone
	// A contact that is not placed has the place that it would have with its facet alone. at is relative to the piece's
	// origin, world axes; width is the section's moments.
	placed bool
	at     vec.Vec3
	width  vec.Sym3
	lost   bool // another is the same
}

// together says whether two pairs are of one piece and one wall of several facets.
func (w *World) together(i, j int) bool {
	body := w.pieces.Body[w.pairs.B[i]]
	return w.pairs.A[i] == w.pairs.A[j] && body == w.pieces.Body[w.pairs.B[j]] && w.sheets.several(body)
}

// answerWalls settles the pairs of the list with walls of facets: those of one piece and one wall,
// which are neighbours in the list, together.
func (c *contactStage) answerWalls(ws *workspace) {
	for k := 0; k < len(ws.list); k++ {
		if !ws.rows[k].walled {
			continue
		}
		end := k + 1
		for end < len(ws.list) && c.w.together(int(ws.list[k]), int(ws.list[end])) {
			end++
		}
		c.answerRun(k, end, ws)
		k = end - 1
	}
}

// answerRun settles the pairs from to end of the list, which are of one piece and one wall. Which
// facet's row holds a contact may change from step to step; its history goes along, to the contact
// whose normal is most like its own.
func (c *contactStage) answerRun(from, end int, ws *workspace) {
	rest := ws.list[:end]
	w, con, run := c.w, &c.w.contacts, &ws.run
	run.touched, run.made, run.held = run.touched[:0], run.made[:0], run.held[:0]
	if len(w.sides.Facets) > 0 {
		c.pressAll(rest[from:end], ws)
	}
	for _, i := range rest[from:end] {
		if i := int(i); con.Active[i] && !w.presses(i) {
			run.held = append(run.held, w.takeBack(i))
		}
	}
	isBall := w.pieces.Kind[w.pairs.A[rest[from]]] == soa.Ball // each facet answers it in a few lines
	var flush uint32
	var face touchedFacet
	if !isBall {
		face, flush = c.amidSheet(rest[from:end], ws)
	}
	c.answerFacets(from, end, func(sheet uint32) bool { return flush == 0 || sheet != flush }, ws)
	switch {
	case flush != 0 && len(run.touched) == 0:
		c.onPlaneAlone(face, ws)
	case flush != 0:
		c.answerFacets(from, end, func(sheet uint32) bool { return sheet == flush }, ws)
		slices.SortFunc(run.touched, func(x, y touchedFacet) int { return cmp.Compare(x.row, y.row) })
		fallthrough
	case len(run.touched) > 0:
		if ws.loaded = false; isBall {
			c.ballContacts(ws)
		} else {
			c.blockContacts(ws)
		}
	}
	for j := range run.made {
		m := &run.made[j]
		if m.lost {
			continue
		}
		i := run.touched[m.of].row
		c.inherit(i, m.ans.Normal, ws)
		ws.answer, ws.loaded = m.ans, false
		var p tilePair
		w.lookUp(i, &p)
		if ws.needs = w.law.NeedsAt(p.law); !m.placed {
			c.touch(i, &p, ws)
		} else {
			c.note(i, &p, m.ans.Gap, m.ans.Normal, m.ans.Level, ws)
			ws.pa, ws.pb = w.pieces.Pose(&w.bodies, w.pairs.A[i]), w.pieces.Pose(&w.bodies, w.pairs.B[i])
			c.act(i, &ws.touch, m.at, m.width, ws)
		}
	}
	for k := range run.held {
		ws.sum.released.add(w.heldIn(run.held[k].row, &run.held[k]))
	}
}

// answerFacets answers the pairs from to end of the list that are of some sheets, and notes what is
// touched.
func (c *contactStage) answerFacets(from, end int, of func(sheet uint32) bool, ws *workspace) {
	w, run := c.w, &ws.run
	for k := from; k < end; k++ {
		i := int(ws.list[k])
		b := w.pairs.B[i]
		if s := w.sheets.sheetOf(b); of(s) && !w.presses(i) && c.answer(k, i, ws) {
			run.touched = append(run.touched, touchedFacet{row: i, piece: b, sheet: s, ans: ws.answer})
		}
	}
}

// inherit gives the contact in row i the history, of those not yet given away, whose normal is most like its own.
func (c *contactStage) inherit(i int, normal vec.Vec3, ws *workspace) {
	held := ws.run.held
	best, at := sameSide, -1
	for k := range held {
		if d := held[k].normal.Dot(normal); d > best {
			best, at = d, k
		}
	}
	if at < 0 {
		return
	}
	c.w.giveBack(i, &held[at])
	ws.run.held = append(held[:at], held[at+1:]...)
}

// ballContacts keeps the places where the wall as a whole is nearest to the ball's centre, each once: the nearest point
// of a facet is none if it lies on another facet that has a nearer one. Within a sheet the ball is on its plane, which
// facets smaller than the ball know less well.
func (c *contactStage) ballContacts(ws *workspace) {
	run := &ws.run
	for j := range run.touched {
		run.made = append(run.made, madeContact{of: j, ans: run.touched[j].ans})
	}
	for j := range run.made {
		run.made[j].lost = c.beaten(j, ws)
		t := &run.touched[j]
		if run.made[j].lost || t.sheet == 0 || t.ans.Facet.Kind != soa.VertexFace {
			continue
		}
		c.load(t.row, ws)
		if s := &c.w.sheets.all[t.sheet-1]; !holds(ws.vb, ws.pb.PointInv(ws.pa.Pos), ws.va.Radius) {
			run.made[j].ans, _ = c.onSheet(c.planeOf(s, ws), ws)
		}
	}
}

// beaten says whether the nearest point of touched facet j lies on another that is nearer.
func (c *contactStage) beaten(j int, ws *workspace) bool {
	run := &ws.run
	p := c.witness(&run.touched[j].ans, run.touched[j].piece)
	for k := range run.touched {
		if run.before(k, j) && c.onFacet(k, j, p, ws) {
			return true
		}
	}
	return false
}

// witness returns the point of a facet itself, without its rounding, that an answer is of, relative to its origin.
func (c *contactStage) witness(ans *narrow.Answer, facet soa.Piece) vec.Vec3 {
	return ans.ArmB.AddScaled(c.w.shapes.Round[c.w.pieces.Shape[facet]], ans.Normal)
}

// before says whether a touched facet has a smaller gap than another, or as small a one and is the earlier.
func (r *wallRun) before(k, j int) bool {
	x, y := r.touched[k].ans.Gap, r.touched[j].ans.Gap
	return x < y || x == y && k < j
}

// onFacet says whether a point lies on touched facet k, within the width of a seam. It is relative to the origin of
// touched facet j, world axes.
func (c *contactStage) onFacet(k, j int, p vec.Vec3, ws *workspace) bool {
	w, run := c.w, &ws.run
	b := run.touched[k].piece
	seam := w.sheets.seam[w.pieces.Body[b]]
	view, pose := w.shapes.View(w.pieces.Shape[b]), w.pieces.Pose(&w.bodies, b)
	from := w.pieces.Pose(&w.bodies, run.touched[j].piece)
	q := pose.Rot.RotateInv(p.Add(from.Pos.Sub(pose.Pos)))
	n := view.Normal(0)
	if math.Abs(n.Dot(q.Sub(view.Vert(0)))) > seam {
		return false
	}
	inside, last := true, view.Vert(soa.Vertex(view.NVerts-1))
	for k := range view.NVerts {
		v := view.Vert(soa.Vertex(k))
		e, d := v.Sub(last), q.Sub(last)
		if n.Dot(e.Cross(d)) < 0 {
			// Beyond the end of an edge: the sharp corner of a sliver is within a seam of the lines of its sides far outside.
			if inside = false; d.AddScaled(-min(max(e.Dot(d)/e.Norm2(), 0), 1), e).Norm2() <= float64(seam*seam) {
				return true
			}
		}
		last = v
	}
	return inside
}
