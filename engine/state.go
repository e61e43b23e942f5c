package engine

import (
	"encoding/json"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Column is one named column of a state. Exactly one of its slices is used.
type Column = soa.Column

// stateVersion changes whenever the columns of a state change.
const stateVersion = 6

// Marks for the warnings that are given once per run. A state has them, so that a restart gives none
// again.
const (
	warnedTight   uint32 = 1 << iota // of a body with too many contacts
	warnedThick                      // of two bodies deep inside each other
	warnedSunk                       // of a body deep under a facet
	warnedThrough                    // of a body through another
	warnedAll     = 1<<iota - 1
)

// State returns everything that a run needs to continue with the same bits: the bodies' columns,
// the active contacts with their histories, and the ledger. It includes each contact's gap,
// location and force of the last step, because these forces belong to the velocities of the half
// step and cannot be computed anew. It includes loads, and the poses and motions of walls if a program has set one or added a
// wall after the start. It includes the shapes, bodies and walls that came after the first forces. It excludes certificates
// and candidate pairs, which only save work. The columns are copies.
func (w *World) State() []Column {
	columns := stateColumns{w}
	w.begin()
	w.space.CloseUp()
	bare, has := w.bodies, stateParts{loads: w.loads.force.Len() > 0, course: w.hasCourse(), local: len(w.local.share) > 0, changes: w.ledger.Inserted != 0 || w.ledger.Changed != 0, stepped: w.lastStep > 0}
	var cols []Column
	for _, item := range columns.items(&bare, has) {
		cols = append(cols, Column{Name: item.name, F64: item.values()})
		if item.name == "clock" {
			cols = append(cols, Column{Name: "step", U32: []uint32{stateVersion, uint32(w.step), uint32(w.step >> 32), uint32(bare.Len()), w.warned}})
		}
	}
	late := w.nextNumbers() != w.firsts
	if late || bare.NextID() != soa.ID(bare.Len()) {
		ids := Column{Name: "body.id"}
		for _, id := range columns.names() {
			ids.U32 = append(ids.U32, uint32(id), uint32(id>>32))
		}
		cols = append(cols, ids)
	}
	if late {
		cols = append(cols, objectColumn(lateColumn, columns.late()))
	}
	if has.course {
		cols = append(cols, objectColumn(courseColumn, w.course()))
	}
	return append(cols, columns.contactState()...)
}

// Columns that are JSON, because they may have any length.
const (
	lateColumn   = "late"
	courseColumn = "course"
)

// objectColumn returns a column that holds v as JSON.
func objectColumn(name string, v any) Column {
	text, _ := json.Marshal(v) // Numbers of a state are finite.
	return Column{Name: name, U8: text}
}

// names returns the ids of the bodies, the next id, and the next number of a piece.
func (w stateColumns) names() (names []uint64) {
	for _, id := range w.bodies.ID {
		names = append(names, uint64(id))
	}
	return append(names, uint64(w.bodies.NextID()), uint64(w.space.Pieces.NextNumber()))
}

// stateColumns writes the columns of a state and restores them.
type stateColumns struct{ *World }

// stateItem is the part of a world in one column of a state: either some numbers, or one number for
// each body.
type stateItem struct {
	name    string
	numbers []*float64
	column  *[]float64
}

// stateParts says which columns a state has that not every world needs.
type stateParts struct {
	loads, local, course, changes bool
	stepped                       bool // a step has been made, so that bodies too light for it are refused
	ids                           bool // bodies or walls came or went
	high                          bool // some piece of a contact has a number of more than 32 bits
}

// items lists the columns of a state except its step and its contacts. The
// numbers of the ledger include its starting values and what the next step needs from the last one.
func (w stateColumns) items(b *soa.Bodies, has stateParts) []stateItem {
	l, i := &w.ledger, &w.instant
	items := []stateItem{
		{name: "clock", numbers: []*float64{&w.time, &w.timeError}},
		{name: "ledger", numbers: []*float64{&l.Elastic, &l.Shear, &l.Damping, &l.Friction, &l.Walls, &l.LawExcess, &w.datum, &w.start, &w.potential0,
			&i.damping, &i.friction, &i.pushed, &i.walls, &i.pathwise}},
	}
	add := func(name string, c *[]float64) bool {
		items = append(items, stateItem{name: name, column: c})
		return true
	}
	bodyColumns(b)(add)
	if w.cfg.translates() {
		items = append(items, stateItem{name: "stride", numbers: []*float64{&w.moves.stride}})
		addVectors("previous", &w.moves.previous, add)
	}
	if has.loads {
		addVectors("load.force", &w.loads.force, add)
		addVectors("load.torque", &w.loads.torque, add)
	}
	if has.changes {
		items = append(items, stateItem{name: "changes", numbers: []*float64{&l.Inserted, &l.Changed}})
	}
	if has.stepped {
		items = append(items, stateItem{name: "last_step", numbers: []*float64{&w.lastStep}})
	}
	if has.local {
		items = append(items, stateItem{name: "local_damping.share", column: &w.local.share})
		addVectors("local_damping.force", &w.local.force, add)
		addVectors("local_damping.torque", &w.local.torque, add)
	}
	return items
}

// values returns a copy of what the item holds.
func (s *stateItem) values() []float64 {
	if s.column != nil {
		return append([]float64{}, *s.column...)
	}
	values := make([]float64, len(s.numbers))
	for k, x := range s.numbers {
		values[k] = *x
	}
	return values
}

// restore sets the item to what values returned.
func (s *stateItem) restore(values []float64) {
	if s.column != nil {
		copy(*s.column, values)
	}
	for k, x := range s.numbers {
		*x = values[k]
	}
}

// bodyColumns yields the columns of the bodies that change in a run, by name, in a fixed order.
func bodyColumns(b *soa.Bodies) func(yield func(string, *[]float64) bool) {
	return func(yield func(string, *[]float64) bool) {
		_ = addVectors("pos", &b.Pos, yield) && addVectors("vel", &b.Vel, yield) && addVectors("angmom", &b.AngMom, yield) &&
			addVectors("spin", &b.Spin, yield) && addVectors("force", &b.Force, yield) && addVectors("torque", &b.Torque, yield) &&
			yield("rot.w", &b.Rot.W) && yield("rot.x", &b.Rot.X) && yield("rot.y", &b.Rot.Y) && yield("rot.z", &b.Rot.Z) &&
			yield("odometer", &b.Odometer)
	}
}

// addVectors adds the three columns of a vector, as long as add returns true.
func addVectors(name string, v *soa.Vec3s, add func(string, *[]float64) bool) bool {
	return add(name+".x", &v.X) && add(name+".y", &v.Y) && add(name+".z", &v.Z)
}

// contactState returns the active contacts as columns, in the order of the pairs.
func (w stateColumns) contactState() []Column {
	var pieces, high []uint32
	var answers, history []float64
	var features []uint16
	c := &w.space.Contacts
	for i := range w.space.ActiveRows {
		a, b := w.space.PiecesOf(i)
		na, nb := w.space.Pieces.Number[a], w.space.Pieces.Number[b]
		pieces, high = append(pieces, uint32(na), uint32(nb)), append(high, uint32(na>>32), uint32(nb>>32))
		at, f := c.Location.At(i), w.forces.Force.At(i)
		answers = append(answers, c.Gap[i], at.X, at.Y, at.Z, f.X, f.Y, f.Z)
		for _, column := range w.forces.History {
			history = append(history, column[i])
		}
		n := c.Normal.At(i)
		history = append(history, n.X, n.Y, n.Z, w.forces.Relief[i])
		facet := w.space.Witness(i)
		features = append(features, uint16(facet.Kind), facet.A, facet.B)
	}
	var cols []Column
	if slices.ContainsFunc(high, func(x uint32) bool { return x > 0 }) {
		cols = append(cols, Column{Name: "contact.high", U32: high})
	}
	return append(cols, []Column{
		{Name: "contact.pieces", U32: append([]uint32{}, pieces...)},
		{Name: "contact.answers", F64: append([]float64{}, answers...)},
		{Name: "contact.history", F64: append([]float64{}, history...)},
		{Name: "contact.features", U16: append([]uint16{}, features...)},
	}...)
}

// Numbers of values per contact in the columns.
const (
	answerRow = 7 // gap, location, force
	ownRow    = 4 // of the history: normal, relief
)

// historyRow returns the number of values per contact in the history column: those of the law, then
// ownRow.
func (w stateColumns) historyRow() int { return w.law.History() + ownRow }

// Restore sets the world to a state of the same world. It must be called before the first step, and after the
// same shapes, bodies and walls have been added and removed, in the same order, as in the run of the state before its
// first forces. Restore makes what came later anew, with the same ids and rows of shapes, and removes what went. If
// the state does not fit, Restore returns an error that wraps ErrState and leaves the world
// unchanged. If a state in which bodies came or went is damaged, the world is of no further use, and its methods
// return that error. A state has no shapes, masses and laws of before the first forces, so Restore cannot compare them.
//
// Afterwards Measure and WallForce return what they returned when the state was saved. Contacts has
// the active contacts with Gap, Normal, Location, Force, History, Relief and Facet. All other
// columns of Contacts are zero, and Pairs holds only the pairs of these contacts, until the first
// step finds the candidate pairs anew.
func (w *World) Restore(cols []Column) (err error) {
	check := stateCheck{stateColumns: stateColumns{w}}
	defer func() {
		if err != nil && check.fitted {
			w.fault = err
		}
	}()
	if w.published.on {
		return mark.Errorf(ErrState, "engine: restore with method fds-paper, whose lists of contacts are in no state, expected another method")
	}
	if w.ready {
		return mark.Errorf(ErrState, "engine: restore of a world that has computed forces or was restored, expected a new one")
	}
	w.space.CloseUp()
	for _, check := range []func() error{func() error { return check.read(cols) }, check.fit, func() error { return check.checkColumns(cols) }, check.checkState} {
		if err := check(); err != nil {
			return err
		}
	}
	by, s := check.by, check.by["step"].U32
	w.step, w.warned = check.steps(), s[4]
	has := check.parts()
	if w.loads = (loads{}); has.loads {
		w.loads.resize(&w.bodies)
	}
	if w.local = (localDamping{}); has.local {
		w.local.resize(w.bodies.Len())
	}
	w.setCourse(check.moved)
	w.prepare()
	for _, item := range check.items(&w.bodies, has) {
		item.restore(by[item.name].F64)
	}
	w.ledger.Applied = w.loads.work
	w.constrainAll()
	check.restoreContacts(by)
	w.ready, w.began = true, true
	return nil
}

// restoreContacts makes the active contacts the pair list. The first search carries them over.
func (w stateColumns) restoreContacts(by map[string]*Column) {
	n := len(by["contact.pieces"].U32) / 2
	a, b := make([]soa.Piece, n), make([]soa.Piece, n)
	for k := range a {
		of := piecesOf(by, k)
		a[k], _ = w.space.Pieces.Row(of[0])
		b[k], _ = w.space.Pieces.Row(of[1])
	}
	w.space.Restore(a, b, func(row, k int) { w.restoreContact(row, k, by) })
}

// restoreContact sets row i to contact k of a state.
func (w stateColumns) restoreContact(i, k int, by map[string]*Column) {
	con := &w.space.Contacts
	r := by["contact.answers"].F64[k*answerRow:]
	con.Gap[i] = r[0]
	con.Location.Set(i, vec.V(r[1], r[2], r[3]))
	w.forces.Force.Set(i, vec.V(r[4], r[5], r[6]))
	r = by["contact.history"].F64[k*w.historyRow():]
	for _, column := range w.forces.History {
		column[i], r = r[0], r[1:]
	}
	con.Normal.Set(i, vec.V(r[0], r[1], r[2]))
	w.forces.Relief[i] = r[3]
	f := by["contact.features"].U16[3*k:]
	con.Facet[i] = soa.FacetID{Kind: soa.FacetKind(f[0]), A: f[1], B: f[2]}
}
