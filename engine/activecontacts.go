package engine

import (
	"iter"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ActiveContact is a contact that the law has acted on, as a value.
type ActiveContact struct {
	A, B           soa.Body  // the two bodies; a wall is one as well
	PieceA, PieceB soa.Piece // their pieces that touch; row of Pieces
	Row            int       // of Pairs and Contacts, until the next step
	Gap            float64   // m: minus the depth, or minus the overlap's thickness where the law reads that; World.Gap has the exact gap
	Normal         vec.Vec3  // unit, from A to B, world axes
	Place          vec.Vec3  // m, world: where the force acts
	Force          vec.Vec3  // N, on A, world axes; B feels the opposite
	Sliding        bool      // the tangential force is at the limit of Coulomb friction
}

// ActiveContacts yields the active contacts of the last step in the order of the pairs, which is
// the same on any number of workers. Before the first step, and after a change of poses, it
// computes the forces as they are. The world must not be stepped or changed within the loop.
func (w *World) ActiveContacts() iter.Seq[ActiveContact] {
	return func(yield func(ActiveContact) bool) {
		w.begin()
		for i, active := range w.contacts.Active {
			if active && !yield(w.activeContact(i)) {
				return
			}
		}
	}
}

func (w *World) activeContact(i int) ActiveContact {
	con, a, b := &w.contacts, w.pairs.A[i], w.pairs.B[i]
	c := ActiveContact{
		A: w.pieces.Body[a], B: w.pieces.Body[b], PieceA: a, PieceB: b, Row: i,
		Gap: con.Gap[i], Normal: con.Normal.At(i), Place: con.Location.At(i), Force: con.Force.At(i),
	}
	normalForce := -c.Force.Dot(c.Normal)
	along := c.Force.AddScaled(normalForce, c.Normal).Norm()
	// The coefficient depends on neither mass nor overlap.
	limit := float64(w.law.At(w.pieces.Material[a], w.pieces.Material[b]).Springs(1, 0).Friction * normalForce)
	c.Sliding = limit > 0 && along >= float64(limit*(1-slidingTol))
	return c
}

// slidingTol is how much the tangential force may be below the friction limit, as a share of it,
// and still be at it: the law cuts it there, and rounding leaves 1e-15.
const slidingTol = 1e-9
