package engine

import (
	"fmt"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Workers returns the number of workers.
func (w *World) Workers() int { return w.pool.Workers() }

// LastStep returns dt of the last step, s, or 0 if none was made.
func (w *World) LastStep() float64 { return w.lastStep }

// Steps returns the number of steps made.
func (w *World) Steps() int64 { return w.step }

// Time returns the time that has passed, s.
func (w *World) Time() float64 { return w.time }

// Pose returns the pose of a body or a wall in the frame in which AddBody or AddWall was given its parts: it
// maps that frame to the world, m. For a body of one part with zero Local, that is the frame of the shape's
// file. A body that does not exist panics, as any slice index does.
func (w *World) Pose(id soa.ID) vec.Pose {
	row, ok := w.bodies.Row(id)
	if !ok {
		panic(fmt.Sprintf("engine: body %d has no pose, expected one that there is", id))
	}
	pose := w.bodies.Pose(row)
	pose.Pos = pose.Pos.Sub(pose.Rot.Rotate(w.bodies.Centre[row]))
	return pose
}

// Bodies returns the bodies, walls included, for reading. Its poses are about the centres of mass: see Pose.
// The columns are the world's own: writing to them breaks certificates. To change bodies, call SetPose,
// SetVelocity and SetLoad, and for walls SetWallPose and SetWallMotion. The row of
// a body is the id that AddBody or AddWall returned as long as no body has been removed; then
// soa.Bodies.Row finds it, and some rows are Gone.
func (w *World) Bodies() *soa.Bodies { return &w.bodies }

// Pieces returns the pieces for reading.
func (w *World) Pieces() *soa.Pieces { return &w.space.Pieces }

// Shapes returns the arena of shapes for reading.
func (w *World) Shapes() *soa.Shapes { return &w.space.Shapes }

// Pairs returns the rows of candidate pairs for reading. Some rows are vacant: see
// soa.Pairs.Vacant. The pairs are those of the last step; there are none before the forces are
// first computed.
func (w *World) Pairs() *soa.Pairs { return &w.space.Pairs }

// Candidates returns the number of candidate pairs: the rows of Pairs that are not vacant.
func (w *World) Candidates() int { return w.space.Candidates() }

// Forces returns what the laws of the contacts store and computed in the last step, for reading, one row
// for each row of Contacts.
func (w *World) Forces() *soa.Forces { return &w.forces }

// Contacts returns the contacts of the last step for reading, one row for each pair that touches or nearly
// touches. Contacts.Pair is the row of Pairs; some rows are free.
// ActiveContacts yields the active ones as values. See Restore for the contacts of a restored
// world, and Gap for exact gaps.
func (w *World) Contacts() *soa.Contacts { return &w.space.Contacts }

// Warnings returns the problems that did not stop the world; the list grows during the run. There
// is a warning for bodies that start deep inside each other. Others are given at most once per run:
// a body with too many contacts for the time step, two bodies that have come deep inside each
// other, and a block too deep in a wall of facets for a law that acts by overlaps.
func (w *World) Warnings() []string { return w.warnings }

// Gap returns the exact gap of active contact i, m: the distance of its two pieces, or minus their
// depth. i is a row of Contacts, as in ActiveContact.Row; Gap panics if the row does not exist. If
// the law reads overlaps, Contacts stores minus the overlap's thickness, so Gap calls the narrow
// phase. For a contact with a wall of facets, the result is the gap to the facet that stores the
// contact.
func (w *World) Gap(i int) float64 { return w.space.Gap(i) }

// ContactDetail is what ContactDetail returns of an active contact: see contact.Detail.
type ContactDetail = contact.Detail

// ContactDetail returns the details of active contact i: type, exact gap, overlap. i is a row of Contacts, as for Gap.
func (w *World) ContactDetail(i int) ContactDetail { return w.space.DetailOf(i) }
