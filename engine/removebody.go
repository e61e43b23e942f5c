package engine

import (
	"slices"

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
		for _, c := range w.loads.columns() {
			c.Set(i, vec.Vec3{})
		}
	}
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
		for _, c := range w.loads.columns() {
			c.Keep(kept)
		}
	}
	for i := range w.walls {
		w.walls[i].body = soa.Body(row[w.walls[i].body])
	}
}
