package engine

import (
	"iter"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ActiveContact is one active contact of the last step, copied out of the columns.
type ActiveContact struct {
	A, B           soa.ID     // the two bodies; a wall is a body, too
	PieceA, PieceB soa.Number // the pieces of A and B that touch
	Row            int        // row of Contacts, valid until the next step
	Gap            float64    // m: minus the depth, or minus the thickness of the overlap if the law reads overlaps; World.Gap returns the exact gap
	Normal         vec.Vec3   // unit, from A to B, world axes
	Location       vec.Vec3   // m, world: the point where the force acts
	Force          vec.Vec3   // N, on A, world axes; B feels the opposite
	Sliding        bool       // the tangential force is at the Coulomb limit
}

// ActiveContacts yields the active contacts of the last step in the order of the pairs. The order
// is the same on any number of workers. Before the first step, and after poses or velocities have
// been set, ActiveContacts first computes the forces for the present state. The caller must not
// step or change the world inside the loop.
func (w *World) ActiveContacts() iter.Seq[ActiveContact] {
	return func(yield func(ActiveContact) bool) {
		w.begin()
		for row := range w.space.ActiveRows {
			if !yield(w.activeContact(row)) {
				return
			}
		}
	}
}

func (w *World) activeContact(i int) ActiveContact {
	con := &w.space.Contacts
	a, b := w.space.PiecesOf(i)
	return ActiveContact{
		A: w.bodies.ID[w.space.Pieces.Body[a]], B: w.bodies.ID[w.space.Pieces.Body[b]],
		PieceA: w.space.Pieces.Number[a], PieceB: w.space.Pieces.Number[b], Row: i,
		Gap: con.Gap[i], Normal: con.Normal.At(i), Location: con.Location.At(i), Force: w.forces.Force.At(i), Sliding: w.slides(i),
	}
}

// slides reports whether the force of an active contact is at the Coulomb limit.
func (w *World) slides(i int) bool {
	a, b := w.space.PiecesOf(i)
	friction := w.law.At(w.space.Pieces.Material[a], w.space.Pieces.Material[b]).Springs(1, 0).Friction // It depends on neither mass nor overlap.
	force, normal := w.forces.Force.At(i), w.space.Contacts.Normal.At(i)
	pressure := -force.Dot(normal)
	limit := float64(friction * pressure)
	return limit > 0 && force.AddScaled(pressure, normal).Norm() >= float64(limit*(1-slidingTol))
}

// slidingTol is the relative tolerance within which a tangential force counts as being at the
// friction limit. The law cuts the force off at the limit, and rounding contributes about 1e-15.
// Another value: only the mark of sliding.
const slidingTol = 1e-9
