package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// places is the touching pairs of a tile on the way from the answer to the law, a row each, and a batch of those whose
// location may come from their crowns.
type places struct {
	touching []force.Touch // ArmA and ArmB are those of the witness points until the location is known
	later    []uint32      // by row of batch: its row in touching
	batch    kernels.Locations
}

// grow makes room for a tile of n pairs.
func (p *places) grow(n int) {
	p.touching, p.later = grow(p.touching, n), grow(p.later, n)[:0]
	p.batch.Resize(soa.Pad(n))
}

// placeLater puts row k, pair i, into the batch for its location, if its crowns were known in the last step.
func (c *contactStage) placeLater(k, i int, ws *workspace) bool {
	con, p := &c.w.contacts, &ws.places
	crownA, crownB := con.CrownA[i], con.CrownB[i]
	if crownA == 0 || crownB == 0 {
		return false
	}
	t, n := &p.touching[k], len(p.later)
	p.batch.Set(n, t.A, t.B, crownA, crownB, t.Gap-ws.law.ReferenceGap, t.Normal, t.ArmA, t.ArmB)
	p.later = append(p.later, uint32(k))
	return true
}

// placeAll answers the batch, and one by one the rows that it does not know.
func (c *contactStage) placeAll(ws *workspace) {
	w, p := c.w, &ws.places
	p.batch.Solve(&w.shapes, &w.bodies, 0, p.batch.Fill(len(p.later)))
	for row, k := range p.later {
		t := &p.touching[k]
		i := int(t.Row)
		if known := p.batch.Known(row); known && !invariants.Enabled {
			ws.pa.Pos, ws.pb.Pos = w.bodies.Pos.At(int(t.A)), w.bodies.Pos.At(int(t.B))
			c.act(i, t, p.batch.At(row), p.batch.Width(row), ws)
			continue
		}
		c.load(i, ws)
		c.place(i, t, ws)
		if invariants.Enabled && p.batch.Known(row) {
			w.recheckPlace(i, t, p.batch.At(row), p.batch.Width(row), ws)
		}
	}
	p.later = p.later[:0]
}

// place finds where the force of pair i acts, whose shapes and poses are in the workspace.
func (c *contactStage) place(i int, t *force.Touch, ws *workspace) {
	w, con := c.w, &c.w.contacts
	if w.cfg.Location == Witness {
		c.act(i, t, overlap.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB), vec.Sym3{}, ws)
		return
	}
	// A law whose spring begins at a gap acts as if both bodies were thicker by half of it.
	gap := t.Gap - ws.law.ReferenceGap
	var at vec.Vec3
	var ok bool
	if ws.vb.Kind == soa.Plane {
		at, _, ok = ws.cutter.OnPlane(ws.va, ws.pa, t.Normal, gap, t.ArmA, con.Facet[i])
	} else {
		at, _, ok = ws.cutter.Reduced(ws.va, ws.pa, ws.vb, ws.pb, t.Normal, gap, t.ArmA, t.ArmB, con.Facet[i])
		con.CrownA[i], con.CrownB[i] = 0, 0
		if !w.pieces.Offset[w.pairs.A[i]] && !w.pieces.Offset[w.pairs.B[i]] {
			con.CrownA[i], con.CrownB[i] = ws.cutter.Crowns()
		}
	}
	if !ok {
		ws.counts.NoSection++
	}
	width := vec.Sym3{}
	if ws.law.Damped() {
		width = ws.cutter.Gyration()
	}
	c.act(i, t, at, width, ws)
}

// act makes the force of pair i act at a place relative to the origin of piece A, world axes, over a section of the
// given second moments. The pieces' positions are in the workspace.
func (c *contactStage) act(i int, t *force.Touch, at vec.Vec3, width vec.Sym3, ws *workspace) {
	w := c.w
	w.contacts.Location.Set(i, ws.pa.Pos.Add(at))
	t.ArmA = at.Add(ws.pa.Pos.Sub(w.bodies.Pos.At(int(t.A))))
	t.ArmB = at.Sub(ws.pb.Pos.Sub(ws.pa.Pos)).Add(ws.pb.Pos.Sub(w.bodies.Pos.At(int(t.B))))
	t.Width = width
}
