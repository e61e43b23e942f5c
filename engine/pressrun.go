package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// clearRounding of the places of a block and a facet, and of the block's radius, is what a block
// has to be clear of a prism by, to be proven apart: more than rounding moves it there, so that no
// overlap is missed which is found without the proof.
const clearRounding = 0x1p-44

// pressRun is what a block and the facets of one wall have in common, for laws that act by
// overlaps: pairs that are neighbours in the list (docs/decisions/0034).
type pressRun struct {
	near    []nearFacet
	parts   []pressPart
	pressed []pressedSide
	// Sums by way and by bin; only those in used are not zero.
	ways, bins []surface.BinSum
	usedWays   []int
	usedBins   [][2]int // from the first to before the last
	groups     []pressGroup
	held       []heldPress
	unsure     []int // of parts
}

// nearFacet is a facet that no plane parts from the block.
type nearFacet struct {
	row   int
	facet *surface.SidedFacet
	part  int        // of parts
	gap   [2]float64 // m, that the block is clear of the material behind this side by
	room  float64    // m, from which on that is proven
}

// clear says whether the block is proven to be in no material behind a side.
func (f *nearFacet) clear(side int) bool { return f.gap[side] > f.room }

// pressedSide is a prism that the block is in.
type pressedSide struct {
	row   int
	part  int // of parts
	back  int // the number of its facet's side
	facet *surface.SidedFacet
	side  *surface.Side
	out   vec.Vec3
	way   int     // of the shares that count
	own   bool    // the prism is that of the facet's own shares, part of another
	power float64 // of the unit of its depths to that of all
	overlap.Pressed
}

// heldPress is the history of an active contact, on its way to the row that has it now.
type heldPress struct {
	group int
	history
}

// presses says whether pair i is of a block and a facet, and acts by their overlap.
func (w *World) presses(i int) bool {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return len(w.sides.Facets) > 0 && w.pieces.Kind[b] == soa.Facet && w.pieces.Kind[a] == soa.Block &&
		w.needsOf(i).Overlap
}

// pressAll settles those pairs among some of one block and one wall that act by overlaps. A
// contact is in the row of the facet that gives most to it, wherever it was before; its history
// goes along. Where one pair is asked for, all of the block and the wall are looked at: which
// side is felt depends on them together.
func (c *contactStage) pressAll(pairs []uint32, ws *workspace) {
	w, run := c.w, &ws.press
	run.near, run.pressed, run.held = run.near[:0], run.pressed[:0], run.held[:0]
	first, end := int(pairs[0]), int(pairs[len(pairs)-1])+1
	for first > 0 && w.together(first-1, first) {
		first--
	}
	for end < w.pairs.Len() && w.together(end-1, end) {
		end++
	}
	loaded := false
	for i := first; i < end; i++ {
		asked := len(pairs) > 0 && int(pairs[0]) == i
		if asked {
			pairs = pairs[1:]
		}
		if !w.presses(i) {
			continue
		}
		if !loaded {
			c.load(i, ws)
			wall := w.bodies.Pose(w.pieces.Body[w.pairs.B[i]])
			ws.pb = wall
			ws.presser.Load(ws.va, vec.Pose{Pos: wall.PointInv(ws.pa.Pos), Rot: wall.Rot.Conj().Mul(ws.pa.Rot)})
			loaded = true
		}
		c.findNear(i, asked, ws)
	}
	if len(run.near) == 0 && len(run.held) == 0 {
		return
	}
	if len(run.bins) < w.sides.Bins {
		run.ways, run.bins = make([]surface.BinSum, len(w.sides.Ways)), make([]surface.BinSum, w.sides.Bins)
	}
	a := w.pairs.A[first]
	block := pressedBlock{p: ws.presser, inner: ws.va.Inner, sink: w.sides.Sink[w.pieces.Shape[a]], area: w.sides.Area[w.pieces.Shape[a]], ways: w.sides.Ways}
	run.pressParts(&block)
	if len(run.pressed) == 0 {
		c.proveClear(run)
	}
	c.noteSunk(a, block.sink, ws)
	run.sumUp()
	for k := range run.groups {
		if g := &run.groups[k]; g.variance > 0 {
			c.pressed(g, ws)
		}
	}
	for k := range run.held {
		h := &run.held[k]
		law := w.law.Row(w.pieces.Material[w.pairs.A[h.row]], w.pieces.Material[w.pairs.B[h.row]])
		ws.sum.friction.add(w.law.Held(law, h.values[:]))
	}
}

// findNear notes the facet of pair i where the block may be in the material behind it, and takes
// its contact, if it has one, back. Where one plane parts the block from both sides' prisms, the
// odometers have to use up the distance first. It counts pairs that are asked for.
func (c *contactStage) findNear(i int, asked bool, ws *workspace) {
	w, con, run := c.w, &c.w.contacts, &ws.press
	f := w.sides.Of(w.pairs.B[i])
	if con.Active[i] {
		h := heldPress{history: history{row: i, normal: con.Normal.At(i), relief: con.Relief[i]}, group: w.groupOf(i, f, ws)}
		for k, column := range con.History {
			h.values[k] = column[i]
		}
		run.held = append(run.held, h)
		con.Active[i] = false
		w.forget(i)
	}
	sink := w.sides.Sink[w.pieces.Shape[w.pairs.A[i]]]
	room := float64(clearRounding * (ws.pa.Pos.MaxAbs() + ws.pb.Pos.MaxAbs() + ws.va.Radius + f.Corners[0].MaxAbs()))
	gap := ws.presser.BoxGap(f.Around)
	near := nearFacet{row: i, facet: f, room: room}
	if !(gap > room) {
		gap = near.clearOf(ws.presser, sink)
	}
	level := narrow.LevelFeature
	if gap > room {
		level = narrow.LevelAxis
		w.pairs.Expiry[i] = w.expiry(i, gap-room, 0)
	} else {
		w.pairs.Expiry[i] = soa.Expired
		run.near = append(run.near, near)
	}
	if asked {
		ws.counts.By[level]++
	}
}

// clearOf finds how far the block is clear of the material behind each side of a facet, and returns
// the less, m.
func (f *nearFacet) clearOf(p *overlap.Presser, sink float64) float64 {
	for side := range f.gap {
		s, least := &f.facet.Side[side], math.Inf(1)
		for k := range s.Prisms {
			if least > f.room {
				least = min(least, p.Clear(&s.Prisms[k], min(sink, s.Room)))
			}
		}
		f.gap[side] = least
	}
	return min(f.gap[0], f.gap[1])
}

// proveClear lets the odometers use up distances first, where the block presses on nothing. A part
// stores nothing as long as the block is clear of all that is behind one of its sides, whatever it
// is in behind the other.
func (c *contactStage) proveClear(run *pressRun) {
	for part := range run.parts {
		for side := range 2 {
			clear := true
			for k := range run.near {
				clear = clear && (run.near[k].part != part || run.near[k].clear(side))
			}
			if !clear {
				continue
			}
			for k := range run.near {
				if f := &run.near[k]; f.part == part {
					c.w.pairs.Expiry[f.row] = c.w.expiry(f.row, f.gap[side]-f.room, 0)
				}
			}
			break
		}
	}
}

// sideIf returns the number of a part's side: the front's, or that of the back.
func sideIf(front bool) int {
	if front {
		return 0
	}
	return 1
}

// groupOf returns the group of the contact that row i holds.
func (w *World) groupOf(i int, f *surface.SidedFacet, ws *workspace) int {
	out := ws.pb.Rot.RotateInv(w.contacts.Normal.At(i)).Neg()
	if out.Dot(f.Normal) >= 0 {
		return f.Side[0].Group
	}
	return f.Side[1].Group
}

// pressed makes a contact of a group.
func (c *contactStage) pressed(g *pressGroup, ws *workspace) {
	w, con, run := c.w, &c.w.contacts, &ws.press
	i := g.row
	for j := range run.held {
		if h := &run.held[j]; h.group == g.id {
			for n, column := range con.History {
				column[i] = h.values[n]
			}
			con.Normal.Set(i, h.normal)
			con.Relief[i] = h.relief
			run.held = append(run.held[:j], run.held[j+1:]...)
			break
		}
	}
	rot := w.bodies.Rot.At(int(w.pieces.Body[w.pairs.B[i]]))
	o, at := g.overlap(rot)
	n := rot.Rotate(g.out.Neg())
	if o.VariancePush != (vec.Vec3{}) {
		n = o.VariancePush.Unit()
	}
	c.load(i, ws)
	con.Axis.Set(i, vec.Vec3{})
	con.Facet[i] = soa.FacetID{}
	con.Unprove(i)
	var p tilePair
	w.lookUp(i, &p)
	c.note(i, &p, -g.deepest, n, narrow.LevelFeature, ws)
	ws.touch.Overlap = ws.push.AddOverlap(&o)
	c.act(i, &ws.touch, at, vec.Sym3{}, ws)
}
