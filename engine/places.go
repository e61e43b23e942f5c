package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// places is the contacts of a tile whose location may come from a few features, in batches: from the
// crowns known from the last step, from a corner, or from crossing edges.
type places struct {
	crowns     kernels.Locations
	ofCrowns   []unplaced // by row of crowns
	corners    kernels.Corners
	ofCorners  []unplaced
	crossings  kernels.Crossings
	ofCrossing []unplaced
}

// unplaced is a contact in a batch: its pair, and the row of its law.
type unplaced struct{ pair, law uint32 }

// grow makes room for a tile of n pairs.
func (p *places) grow(n int) {
	p.ofCrowns, p.ofCorners, p.ofCrossing = grow(p.ofCrowns, n)[:0], grow(p.ofCorners, n)[:0], grow(p.ofCrossing, n)[:0]
	p.crowns.Resize(soa.Pad(n))
	p.corners.Resize(soa.Pad(n))
	p.crossings.Resize(soa.Pad(n))
}

// placeLater puts a contact, pair i, which is p, into a batch for its location, if there is one.
func (c *contactStage) placeLater(i int, p *tilePair, t *force.Touch, ws *workspace) bool {
	w, con, l := c.w, &c.w.contacts, &ws.places
	if ws.needs.Overlap {
		return false
	}
	of, gap := unplaced{uint32(i), p.law}, t.Gap-ws.needs.Unloaded
	// A crown that a facet has left lasts while the nearest features of cores apart are edges and corners, which have none.
	if crownA, crownB := con.CrownA[i], con.CrownB[i]; crownA != 0 && crownB != 0 && con.Facet[i].Kind <= soa.EdgeEdge {
		l.crowns.Set(len(l.ofCrowns), t.A, t.B, crownA, crownB, gap, &t.Normal, &t.ArmA, &t.ArmB)
		l.ofCrowns = append(l.ofCrowns, of)
		return true
	}
	if w.cfg.Location != Reduced || p.offset {
		return false
	}
	id := con.Facet[i]
	if l.corners.Set(len(l.ofCorners), &w.shapes, t.A, t.B, p.ShapeA, p.ShapeB, id, gap, &t.Normal, &t.ArmA, &t.ArmB) {
		l.ofCorners = append(l.ofCorners, of)
		return true
	}
	if l.crossings.Set(len(l.ofCrossing), &w.shapes, t.A, t.B, p.ShapeA, p.ShapeB, id, gap, &t.Normal, &t.ArmA, &t.ArmB) {
		l.ofCrossing = append(l.ofCrossing, of)
		return true
	}
	return false
}

// placeAll answers the batches.
func (c *contactStage) placeAll(ws *workspace) {
	w, l := c.w, &ws.places
	l.crowns.Solve(&w.shapes, &w.bodies, 0, l.crowns.Fill(len(l.ofCrowns)))
	c.placeRows(l.ofCrowns, &l.crowns.Touching, &l.crowns.Places, ws)
	l.corners.Solve(&w.shapes, &w.bodies, 0, l.corners.Fill(len(l.ofCorners)))
	c.placeRows(l.ofCorners, &l.corners.Touching, &l.corners.Places, ws)
	l.crossings.Solve(&w.shapes, &w.bodies, 0, l.crossings.Fill(len(l.ofCrossing)))
	c.placeRows(l.ofCrossing, &l.crossings.Touching, &l.crossings.Places, ws)
	l.ofCrowns, l.ofCorners, l.ofCrossing = l.ofCrowns[:0], l.ofCorners[:0], l.ofCrossing[:0]
}

// placeRows makes the contacts of a batch act where it says, and finds one by one the places that
// it does not know.
func (c *contactStage) placeRows(of []unplaced, asked *kernels.Touching, found *kernels.Places, ws *workspace) {
	w, t := c.w, &ws.touch
	t.Overlap = 0
	for row := range of {
		i := int(of[row].pair)
		t.A, t.B, t.Row, t.Law = soa.Body(asked.A[row]), soa.Body(asked.B[row]), of[row].pair, of[row].law
		t.Gap, t.Normal = w.contacts.Gap[i], asked.Normal.At(row)
		known := found.Known(row)
		if known && !invariants.Enabled {
			ws.pa.Pos, ws.pb.Pos = w.bodies.Pos.At(int(t.A)), w.bodies.Pos.At(int(t.B))
			c.act(i, t, found.At(row), found.Width(row), ws)
			continue
		}
		t.ArmA, t.ArmB = asked.ArmA.At(row), asked.ArmB.At(row)
		c.load(i, ws)
		c.place(i, t, ws)
		if known {
			w.recheckPlace(i, t, found.At(row), found.Width(row), ws)
		}
	}
}

// place finds where the force of pair i acts, whose shapes and poses are in the workspace.
func (c *contactStage) place(i int, t *force.Touch, ws *workspace) {
	w, con := c.w, &c.w.contacts
	if ws.needs.Overlap {
		c.placeOverlap(i, t, ws)
		return
	}
	if w.cfg.Location == Witness {
		c.act(i, t, overlap.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB), vec.Sym3{}, ws)
		return
	}
	// A law whose spring begins at a gap acts as if both bodies were thicker by half of it.
	gap := t.Gap - ws.needs.Unloaded
	var at vec.Vec3
	var ok bool
	if ws.vb.Kind == soa.Plane {
		at, _, ok = ws.cutter.OnPlane(ws.va, ws.pa, t.Normal, gap, t.ArmA.AddScaled(0.5*t.Gap, t.Normal), con.Facet[i])
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
	if ws.needs.Section {
		width = ws.cutter.Gyration()
	}
	c.act(i, t, at, width, ws)
}

// act makes the force of pair i act at a place relative to the origin of piece A, world axes, over a section of the
// given second moments: the contact is complete. The pieces' positions are in the workspace.
func (c *contactStage) act(i int, t *force.Touch, at vec.Vec3, width vec.Sym3, ws *workspace) {
	w := c.w
	t.ArmA = at.Add(ws.pa.Pos.Sub(w.bodies.Pos.At(int(t.A))))
	t.ArmB = at.Sub(ws.pb.Pos.Sub(ws.pa.Pos)).Add(ws.pb.Pos.Sub(w.bodies.Pos.At(int(t.B))))
	t.Width = width
	c.actAt(i, t, ws.pa.Pos.Add(at), ws)
}

// actAt is act of a contact whose arms and width are known.
func (c *contactStage) actAt(i int, t *force.Touch, at vec.Vec3, ws *workspace) {
	c.w.contacts.Location.Set(i, at)
	ws.sum.worst = min(ws.sum.worst, t.Gap)
	ws.push.Add(t)
	if t.Overlap != 0 && !c.w.warnedDeep {
		c.lookDeep(t, ws)
	}
}
