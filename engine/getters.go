package engine

import "github.com/scree-dem/scree/soa"

// Workers returns the number of workers.
func (w *World) Workers() int { return w.pool.Workers() }

// Steps returns the number of steps made.
func (w *World) Steps() int64 { return w.step }

// Time returns the time that has passed, s.
func (w *World) Time() float64 { return w.time }

// Bodies returns the bodies, walls among them, for reading: the columns are those of the world,
// and a write to one breaks certificates. SetPose, SetVelocity and SetLoad change bodies. A row
// is the id that AddBody or AddWall returned; one that is not there panics, as an index of any
// slice does.
func (w *World) Bodies() *soa.Bodies { return &w.bodies }

// Pieces returns the pieces for reading.
func (w *World) Pieces() *soa.Pieces { return &w.pieces }

// Shapes returns the arena of shapes for reading.
func (w *World) Shapes() *soa.Shapes { return &w.shapes }

// Pairs returns the rows of candidate pairs for reading, of which some are vacant: see soa.Pairs.Vacant. They are those of the last
// step, and none before the first look at the world.
func (w *World) Pairs() *soa.Pairs { return &w.pairs }

// Candidates returns how many candidate pairs there are: the rows of Pairs that are not vacant.
func (w *World) Candidates() int { return w.tiles.pairs }

// Contacts returns the contacts, one row for each of Pairs, for reading: the columns of the last
// step. ActiveContacts yields those that act as values. What a world has that was restored,
// Restore says. Gap has the exact gap of each.
func (w *World) Contacts() *soa.Contacts { return &w.contacts }

// Warnings returns what the world noticed and went on with: bodies deep inside each other at the
// start, and once a run a body with too many contacts for the time step, two bodies that have come
// deep inside each other, and a block that is too deep in a wall of facets for a law that acts by
// overlaps. It grows as the run goes on.
func (w *World) Warnings() []string { return w.warnings }
