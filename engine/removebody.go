package engine

import (
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// RemoveBody takes a body or a wall out of the world. Its id is never used again. The contacts of the body end,
// and the ledger books its energy as Ledger.Inserted. RemoveBody costs work on the neighbours of the body, and one
// evaluation of all contacts however many bodies go.
//
// It returns an error that wraps ErrBody if there is no such body. After Close the error wraps ErrClosed, and
// after a fault it is that fault. An error changes nothing.
func (w *World) RemoveBody(id soa.ID) error {
	row, err := w.mayChange(id, "remove body %d")
	if err != nil {
		return err
	}
	for i := range w.walls {
		if s := w.walls[i].Servo; s != nil && slices.Contains(s.Between, id) && w.walls[i].body != row {
			return mark.Errorf(ErrBody, "engine: %s is one of the walls around the area of the servo of %s, expected that servo to end before", w.nameOf(row), w.nameOf(w.walls[i].body))
		}
	}
	before := w.balance()
	bodyAdder{w}.forgetKinds(row)
	i := int(w.space.Remove(row))
	b := &w.bodies
	b.InvMass[i], b.Mass[i], b.Inertia[i] = 0, 0, vec.Sym3{}
	b.InvInertia.Set(i, vec.Sym3{})
	for _, c := range []*soa.Vec3s{&b.Vel, &b.AngMom, &b.Spin, &b.Force, &b.Torque} {
		c.Set(i, vec.Vec3{})
	}
	if w.loads.force.Len() > 0 {
		w.loads.force.Set(i, vec.Vec3{})
		w.loads.torque.Set(i, vec.Vec3{})
	}
	if len(w.local.share) > 0 {
		w.local.share[i] = 0
	}
	delete(w.constrained, soa.Body(i))
	w.held = slices.DeleteFunc(w.held, func(h heldBody) bool { return int(h.Row) == i })
	w.loads.tables = slices.DeleteFunc(w.loads.tables, func(t loadTables) bool { return int(t.Row) == i })
	w.walls = slices.DeleteFunc(w.walls, func(v wallState) bool { return int(v.body) == i })
	w.limits = stepLimits{}
	w.comeOrGo(before)
	return nil
}

// closeUp drops the rows of bodies that have gone from the world's columns. kept are the rows that remain, and row
// has the new row of each body.
func (w *World) closeUp(kept, row []uint32) {
	w.limits = stepLimits{}
	if w.moves.previous.Len() > 0 {
		w.moves.previous.Keep(kept)
	}
	if w.loads.force.Len() > 0 {
		w.loads.force.Keep(kept)
		w.loads.torque.Keep(kept)
	}
	if len(w.local.share) > 0 {
		w.local.share = soa.Keep(w.local.share, kept)
		w.local.force.Keep(kept)
		w.local.torque.Keep(kept)
	}
	for i := range w.loads.tables {
		w.loads.tables[i].Row = soa.Body(row[w.loads.tables[i].Row])
	}
	for i := range w.walls {
		w.walls[i].body = soa.Body(row[w.walls[i].body])
	}
	clear(w.constrained)
	for i := range w.held {
		w.held[i].Row = soa.Body(row[w.held[i].Row])
	}
	w.constrainAll()
}
