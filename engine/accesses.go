package engine

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/access"
)

// Stages returns the parts of a step without a search for pairs, in order, with the memory that each reads and writes:
// that of the next step, if it finds all contacts as the last step left them. Walking changes nothing. Walls count as
// bodies. The list is valid until the next step.
func (w *World) Stages() []access.Stage {
	bodies := w.bodies.Len()
	stages := []access.Stage{{Name: "drift", N: bodies, Walk: (*kickDriftStage)(&w.ctx).walk, Run: w.kickDrift}}
	stages = append(stages, w.space.Stages((*contactReader)(&w.ctx).walk)...)
	stages = append(stages, access.Stage{Name: "gather", N: bodies, Walk: (*gatherKickStage)(&w.ctx).walk, Run: w.gatherKick})
	if !w.cfg.NoLedger {
		costs := w.space.Costs()
		stages = append(stages, access.Stage{Name: "ledger", N: len(costs), Costs: costs, Walk: (*accountStage)(&w.ctx).walk, Run: func() {
			w.pool.ForTasks(costs, (*accountStage)(&w.ctx))
		}})
	}
	return stages
}

// columnsOf returns the columns of bodies with the given names.
func (w *World) columnsOf(a *access.Walk, names ...string) (columns []*access.Column) {
	all := access.Fields(a, "Bodies", &w.bodies)
	for _, name := range names {
		columns = append(columns, all[name])
	}
	return columns
}

// walk declares the accesses of Range.
func (c *kickDriftStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	read := w.columnsOf(a, "Force", "Torque", "InvMass", "InvInertia", "Radius", "Odometer", "Vel", "AngMom", "Pos", "Rot")
	access.Sweep(lo, hi, read, w.columnsOf(a, "Vel", "AngMom", "Pos", "Rot", "Spin", "Odometer"))
	access.Sweep(lo, hi, append(w.columnsOf(a, "Odometer"), w.space.Broad().Limits(a)), nil)
}

// walk declares the accesses of Read for a tile.
func (c *contactReader) walk(a *access.Walk, tile int) {
	w := c.w
	active := w.space.ActiveIn(tile)
	pieces := access.Fields(a, "Pieces", &w.space.Pieces)
	access.Seldom(false, pieces["Kind"], pieces["Shape"], pieces["Material"]) // of deep contacts
	pair, described := access.Fields(a, "Contacts", &w.space.Contacts)["Pair"], w.space.DescribedPairs(a)
	contacts := make([]force.WrittenContact, len(active))
	for k, row := range active {
		p, q := w.space.PiecesOf(int(row))
		contacts[k] = force.WrittenContact{A: w.space.Pieces.Body[p], B: w.space.Pieces.Body[q], Row: row, Law: w.space.LawOf(int(row))}
		if w.cfg.Relief != (Relief{}) {
			pair.Read(int(row))
			described.Read(int(w.space.Contacts.Pair[row]))
		}
	}
	rows := force.ContactRows{Normal: &w.space.Contacts.Normal, Forces: &w.forces}
	w.work[0].forces.Walk(a, &force.Step{Bodies: &w.bodies, From: rows, To: rows, Accounted: !w.cfg.NoLedger}, contacts)
	access.Of(a, "tiles", w.sums).Write(tile)
}

// walk declares the accesses of Range.
func (c *gatherKickStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	force, torque := w.columnsOf(a, "Force")[0], w.columnsOf(a, "Torque")[0]
	list := w.space.WalkPairsOf(a)
	of := access.Fields(a, "Forces", &w.forces)
	pairs, contacts := access.Fields(a, "Pairs", &w.space.Pairs), access.Fields(a, "Contacts", &w.space.Contacts)
	for i := lo; i < hi; i++ {
		list(i)
		for _, place := range w.space.PairsOf(i) {
			pairs["Row"].Read(int(place >> 1))
			row, active := w.space.ActiveRow(int(place >> 1))
			if row >= 0 {
				contacts["Active"].Read(row)
			}
			if active {
				of["Force"].Read(row)
				of[[2]string{"TorqueA", "TorqueB"}[place&1]].Read(row)
			}
		}
		force.Write(i)
		torque.Write(i)
	}
	read := w.columnsOf(a, "Force", "Torque", "InvMass", "InvInertia", "Vel", "AngMom", "Pos", "Rot")
	access.Sweep(lo, hi, read, w.columnsOf(a, "Vel", "AngMom", "Spin"))
	(*watchStage)(c).walk(a, lo, hi)
}

// walk declares the accesses of check.
func (c *watchStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	list := w.space.WalkPairsOf(a)
	pairs, contacts, pieces := access.Fields(a, "Pairs", &w.space.Pairs), access.Fields(a, "Contacts", &w.space.Contacts), access.Fields(a, "Pieces", &w.space.Pieces)
	relief := access.Fields(a, "Forces", &w.forces)["Relief"]
	bodies := w.columnsOf(a, "InvMass", "Pos", "Rot", "InvInertia")
	turn := int((int64(lo) + w.step) % watchEvery)
	for i := lo + (watchEvery-turn)%watchEvery; i < hi; i += watchEvery {
		bodies[0].Read(i)
		list(i)
		for _, place := range w.space.PairsOf(i) {
			pairs["Row"].Read(int(place >> 1))
			row, active := w.space.ActiveRow(int(place >> 1))
			if row >= 0 {
				contacts["Active"].Read(row)
			}
			if !active {
				continue
			}
			contacts["Pair"].Read(row)
			pairs["A"].Read(int(place >> 1))
			pairs["B"].Read(int(place >> 1))
			relief.Read(row)
			for _, name := range [...]string{"Gap", "Normal", "Location"} {
				contacts[name].Read(row)
			}
			p, q := w.space.PiecesOf(row)
			for _, piece := range [...]int{int(p), int(q)} {
				pieces["Material"].Read(piece)
				pieces["Body"].Read(piece)
				for _, c := range bodies {
					c.Read(int(w.space.Pieces.Body[piece]))
				}
			}
		}
	}
}

// walk declares the accesses of Task for the tiles lo to hi-1.
func (c *accountStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	sums, described := access.Of(a, "tiles", w.sums), w.space.DescribedPairs(a)
	pairs, contacts, pieces := access.Fields(a, "Pairs", &w.space.Pairs), access.Fields(a, "Contacts", &w.space.Contacts), access.Fields(a, "Pieces", &w.space.Pieces)
	forces, bodies := access.Fields(a, "Forces", &w.forces), w.columnsOf(a, "Pos", "Vel", "Spin")
	access.Seldom(false, forces["Force"], forces["TorqueA"], forces["TorqueB"]) // of laws without a potential
	for tile := lo; tile < hi; tile++ {
		sums.Update(tile)
		w.space.WalkActive(a, tile)
		for _, k := range w.space.ActiveIn(tile) {
			row, i := int(k), int(w.space.Contacts.Pair[k])
			contacts["Pair"].Read(row)
			contacts["Location"].Read(row)
			pairs["A"].Read(i)
			pairs["B"].Read(i)
			described.Read(i)
			p, q := w.space.PiecesOf(row)
			for _, piece := range [...]int{int(p), int(q)} {
				pieces["Body"].Read(piece)
				pieces["Kind"].Read(piece)
				for _, c := range bodies {
					c.Read(int(w.space.Pieces.Body[piece]))
				}
			}
			for _, name := range [...]string{"Damping", "Moment", "Friction", "FrictionMoment", "Shear", "Relief"} {
				forces[name].Read(row)
			}
		}
	}
}
