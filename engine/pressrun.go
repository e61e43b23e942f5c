package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// clearRounding of the places of a block and a facet, and of the block's radius, is what a block
// has to be clear of a prism by, to be proven apart: more than rounding moves it there, so that no
// overlap is missed which is found without the proof.
const clearRounding = 0x1p-44

// leastPower is the power of a depth, of the deepest depth of all, up to which a bin counts for
// nothing: its potential is 2⁻⁷⁵ of theirs, and its slope might overflow.
const leastPower = 0x1p-600

// pressRun is what a block and the facets of one wall have in common, for laws that act by
// overlaps: pairs that are neighbours in the list (docs/decisions/0034).
type pressRun struct {
	near    []nearFacet
	parts   []pressPart
	pressed []pressedSide
	bins    []binSum // by bin; only those in used are not zero
	used    []int
	groups  []pressGroup
	held    []heldPress
	unsure  []int // of parts
}

// nearFacet is a facet that no plane parts from the block.
type nearFacet struct {
	row   int
	facet *sidedFacet
	part  int // of parts
}

// pressedSide is a prism that the block is in.
type pressedSide struct {
	row   int
	part  int // of parts
	back  int // the number of its facet's side
	side  *facetSide
	out   vec.Vec3
	power float64 // of the unit of its depths to that of all
	overlap.Pressed
}

// binSum is the integral over all prisms in a bin, in the unit of depths, and what that makes of
// each: λ grows by slope times its growth.
type binSum struct {
	sum, slope float64
}

// pressGroup is a contact with the wall. Axes are the wall's, lengths relative to the block's
// position.
type pressGroup struct {
	id               int
	row              int
	most             float64 // m², of λ that one prism gives: the contact is in its row
	deepest          float64
	out              vec.Vec3
	variance, volume float64
	push, turn       vec.Vec3
	volumePush       vec.Vec3
	volumeTurn       vec.Vec3
	first            vec.Vec3
	second           vec.Sym3
}

// heldPress is the history of an active contact, on its way to the row that has it now.
type heldPress struct {
	group int
	history
}

// presses says whether pair i is of a block and a facet, and acts by their overlap.
func (w *World) presses(i int) bool {
	a, b := w.pairs.A[i], w.pairs.B[i]
	return len(w.sides.facets) > 0 && w.pieces.Kind[b] == soa.Facet && w.pieces.Kind[a] == soa.Block &&
		w.law.NeedsOf(w.pieces.Material[a], w.pieces.Material[b]).Overlap
}

// pressAll settles those pairs among some of one block and one wall that act by overlaps, and puts
// the contacts behind the count that there are. A contact is in the row of the facet that gives
// most to it, wherever it was before; its history goes along.
func (c *contactStage) pressAll(pairs []uint32, count int, active []uint32, ws *workspace, sum *ledgerSum) int {
	w, run := c.w, &ws.press
	run.near, run.pressed, run.held = run.near[:0], run.pressed[:0], run.held[:0]
	loaded := false
	for _, i := range pairs {
		i := int(i)
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
		c.findNear(i, ws)
	}
	if len(run.near) == 0 && len(run.held) == 0 {
		return count
	}
	if len(run.bins) < w.sides.bins {
		run.bins = make([]binSum, w.sides.bins)
	}
	a := w.pairs.A[pairs[0]]
	block := pressedBlock{p: ws.presser, inner: ws.va.Inner, sink: w.sides.sink[w.pieces.Shape[a]], area: w.sides.area[w.pieces.Shape[a]]}
	run.pressParts(&block)
	c.noteSunk(a, block.sink, ws)
	run.sumUp(block.area)
	for k := range run.groups {
		if g := &run.groups[k]; g.variance > 0 {
			c.pressed(count, g, ws, sum)
			active[count] = uint32(g.row)
			count++
		}
	}
	for k := range run.held {
		h := &run.held[k]
		law := w.law.Row(w.pieces.Material[w.pairs.A[h.row]], w.pieces.Material[w.pairs.B[h.row]])
		sum.friction.add(w.law.Held(law, h.values[:]))
	}
	return count
}

// findNear notes the facet of pair i where the block may be in the material behind it, and takes
// its contact, if it has one, back. Where one plane parts the block from both sides' prisms, the
// odometers have to use up the distance first.
func (c *contactStage) findNear(i int, ws *workspace) {
	w, con, run := c.w, &c.w.contacts, &ws.press
	f := w.sides.facetOf(w.pairs.B[i])
	if con.Active[i] {
		h := heldPress{history: history{row: i, normal: con.Normal.At(i), relief: con.Relief[i]}, group: w.groupOf(i, f, ws)}
		for k, column := range con.History {
			h.values[k] = column[i]
		}
		run.held = append(run.held, h)
		con.Active[i] = false
		w.forget(i)
	}
	sink := w.sides.sink[w.pieces.Shape[w.pairs.A[i]]]
	gap := math.Inf(1)
	for side := range f.side {
		for k := range f.side[side].prisms {
			gap = min(gap, ws.presser.Clear(&f.side[side].prisms[k], min(sink, f.side[side].room)))
		}
	}
	room := float64(clearRounding * (ws.pa.Pos.MaxAbs() + ws.pb.Pos.MaxAbs() + ws.va.Radius + f.corners[0].MaxAbs()))
	if gap > room {
		w.pairs.Expiry[i] = w.expiry(i, gap-room, 0)
		ws.counts.By[narrow.LevelAxis]++
		return
	}
	w.pairs.Expiry[i] = soa.Expired
	ws.counts.By[narrow.LevelFeature]++
	run.near = append(run.near, nearFacet{row: i, facet: f})
}

// groupOf returns the group of the contact that row i holds.
func (w *World) groupOf(i int, f *sidedFacet, ws *workspace) int {
	out := ws.pb.Rot.RotateInv(w.contacts.Normal.At(i)).Neg()
	if out.Dot(f.normal) >= 0 {
		return f.side[0].group
	}
	return f.side[1].group
}

// sumUp makes contacts of what is felt, of a block with a largest face of an area, m².
//
// With S the sum of weight·∫h^q dV over a bin, e = 2/(q+1) and A that area, the bin's λ is
// ((q+1)/A·S)^e/12, such that a face as large that lies on a flat wall has λ = δ²/12 whatever the
// wall is cut into. λ of all bins is the sum, and goes to the contacts by what each prism gives to
// S: λ·(weight·∫h^q dV)/S. Likewise its slopes.
func (r *pressRun) sumUp(area float64) {
	r.groups = r.groups[:0]
	r.fillBins(area)
	for k := range r.pressed {
		p := &r.pressed[k]
		if !r.felt(p) {
			continue
		}
		slope := 0.0
		for _, b := range p.side.bins {
			slope += float64(b.weight * r.bins[b.bin].slope)
		}
		r.group(p.side.group).add(p, slope*p.power)
	}
	r.clearBins()
}

// felt says whether a prism is on the side that its part is felt on.
func (r *pressRun) felt(p *pressedSide) bool { return p.back == r.parts[p.part].side }

// fillBins sums up the bins of what is felt, and returns 12·λ of all, m².
func (r *pressRun) fillBins(area float64) (thickness2 float64) {
	const q = overlap.DepthPower
	exp := -1 << 12 // less than any
	for k := range r.pressed {
		if p := &r.pressed[k]; r.felt(p) {
			exp = max(exp, p.Exp)
		}
	}
	for k := range r.pressed {
		p := &r.pressed[k]
		if !r.felt(p) {
			continue
		}
		p.power = math.Ldexp(1, q*(p.Exp-exp))
		for _, b := range p.side.bins {
			at := &r.bins[b.bin]
			if at.sum == 0 {
				r.used = append(r.used, b.bin)
			}
			at.sum += float64(b.weight * float64(p.Power*p.power))
		}
	}
	unit := math.Ldexp(1, exp)
	for _, k := range r.used {
		b := &r.bins[k]
		power := (q + 1) * b.sum / float64(area*unit)
		if power > leastPower {
			root := float64(float64(unit*unit) * math.Sqrt(math.Sqrt(math.Sqrt(power))))
			thickness2 += root
			b.slope = root / 12 * (2.0 / (q + 1)) / b.sum
		}
	}
	return thickness2
}

// clearBins empties the bins for the next sum.
func (r *pressRun) clearBins() {
	for _, k := range r.used {
		r.bins[k] = binSum{}
	}
	r.used = r.used[:0]
}

// group returns a contact.
func (r *pressRun) group(id int) *pressGroup {
	for k := range r.groups {
		if r.groups[k].id == id {
			return &r.groups[k]
		}
	}
	r.groups = append(r.groups, pressGroup{id: id})
	return &r.groups[len(r.groups)-1]
}

// add adds a prism, to the integral over which λ grows by a slope.
func (g *pressGroup) add(p *pressedSide, slope float64) {
	share := float64(float64(slope*p.Power) * ((overlap.DepthPower + 1) / 2))
	if share > g.most {
		g.most, g.row, g.out = share, p.row, p.out
	}
	g.deepest = max(g.deepest, p.Deepest)
	g.variance += share
	g.push, g.turn = g.push.AddScaled(slope, p.Push), g.turn.AddScaled(slope, p.Turn)
	g.volume += p.Volume
	g.first, g.second = g.first.Add(p.First), g.second.Add(p.Second)
	g.volumePush, g.volumeTurn = g.volumePush.Add(p.VolumePush), g.volumeTurn.Add(p.VolumeTurn)
}

// overlap returns the overlap of a contact, and where it acts, in the world's axes, relative to the
// block's position.
func (g *pressGroup) overlap(rot vec.Quat) (o force.Overlap, at vec.Vec3) {
	centre := g.first.Scale(1 / g.volume)
	return force.Overlap{
		Volume: g.volume, Spread: g.second.Scale(1 / g.volume).Add(outer(centre).Scale(-1)).Rotated(rot.Mat3()),
		Variance: g.variance, VariancePush: rot.Rotate(g.push), VarianceTurn: rot.Rotate(g.turn.Sub(centre.Cross(g.push))),
		VolumePush: rot.Rotate(g.volumePush), VolumeTurn: rot.Rotate(g.volumeTurn.Sub(centre.Cross(g.volumePush))),
	}, rot.Rotate(centre)
}

// pressed makes a contact row k of the tile's touching pairs.
func (c *contactStage) pressed(k int, g *pressGroup, ws *workspace, sum *ledgerSum) {
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
	ws.answer = narrow.Answer{Level: narrow.LevelFeature, Gap: -g.deepest, Normal: n, ArmA: at, ArmB: at.Sub(ws.pb.Pos.Sub(ws.pa.Pos))}
	con.Axis.Set(i, vec.Vec3{})
	con.Facet[i] = soa.FacetID{}
	con.Unprove(i)
	t := c.note(k, i, ws)
	t.Overlap = ws.push.AddOverlap(&o)
	c.act(i, t, at, vec.Sym3{}, ws)
}
