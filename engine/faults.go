package engine

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ErrTangled marks the fault of a world with a wall of which so many facets meet at one corner that
// the material behind them cannot be found.
var ErrTangled = mark.Errorf(ErrFault, "a wall with too many facets at one corner")

// deepShare is the penetration, as a share of the smaller inscribed radius, above which the world
// warns of bodies that start inside each other.
// Another value: only the warning.
const deepShare = 0.1

// maxWarnings is the largest number of such pairs that are named.
const maxWarnings = 10

// numberOf returns the number of a body in messages.
func (w *World) numberOf(id soa.ID) soa.ID {
	if w.cfg.NumberOf != nil {
		return w.cfg.NumberOf(id)
	}
	return id
}

// nameOf returns the number and the name of the body in a row, for messages.
func (w *World) nameOf(row soa.Body) string {
	number := w.numberOf(w.bodies.ID[row])
	if name := w.bodies.Name[row]; name != "" {
		return fmt.Sprintf("body %d (%s)", number, name)
	}
	return fmt.Sprintf("body %d", number)
}

// nameOfPiece is nameOf for the body of a piece.
func (w *World) nameOfPiece(p soa.Piece) string { return w.nameOf(w.space.Pieces.Body[p]) }

// Fault returns the error that has stopped the world for good, which wraps ErrFault or ErrTimeStep, or nil. Before the first step it
// computes the forces at the start, as Measure does.
func (w *World) Fault() error {
	w.begin()
	return faults{w}.firstFault()
}

// faults finds what stops a world for good.
type faults struct{ *World }

// firstFault returns the first failure of the last step. A failure stops the world for good.
func (w faults) firstFault() error {
	failure, faulty := w.space.Broad().Failure(), lowest(w.work, func(ws *workspace) uint32 { return ws.faulty })
	unpaired := w.space.Unpaired()
	switch b, i := &w.bodies, int(faulty); {
	case w.fault != nil:
	case failure != nil:
		w.fault = mark.Errorf(ErrFault, "engine: step %d: the neighbour search %q failed: %w", w.step, w.cfg.Search, failure)
	case w.space.TooManyPairs():
		w.fault = w.pairsFault()
	case faulty != contact.NoBody:
		if w.fault = w.forceFault(); w.fault != nil {
			break
		}
		w.fault = mark.Errorf(ErrFault, "engine: step %d: %s at %v has velocity %v and spin %v, expected finite and "+
			"less than a turn in a step; the time step, the stiffness or a velocity is too large",
			w.step, w.nameOf(soa.Body(i)), b.Pos.At(i), b.Vel.At(i), b.Spin.At(i))
	case w.space.Far() != contact.NoBody:
		w.fault = w.tooFar(int(w.space.Far()))
	case w.storedFault() != nil:
		w.fault = w.storedFault()
	case w.space.Counts().Degenerate > 0:
		w.fault = w.lostFault()
	case unpaired > 0:
		w.fault = mark.Errorf(ErrFault, "engine: step %d: %d pieces are in no cell, expected none: their extents with the motion budget are out of range; "+
			"the skin, the interaction distance or a velocity is too large", w.step, unpaired)
	}
	return w.fault
}

// forceFault returns an error that names the first contact whose law returned a force or torque
// that is not finite, or stores another number that is not. It returns nil if there is none.
func (w faults) forceFault() error {
	con, f := &w.space.Contacts, &w.forces
	for i := range w.space.ActiveRows {
		if f.Force.At(i).Finite() && f.TorqueA.At(i).Finite() && f.TorqueB.At(i).Finite() {
			continue
		}
		a, b := w.space.PiecesOf(i)
		return mark.Errorf(ErrFault, "engine: step %d: the law %T gives the contact of %s and %s, at a gap of %g m, the force %v and the torques %v and %v, "+
			"expected finite", w.step, w.law.At(w.space.Pieces.Material[a], w.space.Pieces.Material[b]), w.nameOfPiece(a), w.nameOfPiece(b), con.Gap[i],
			f.Force.At(i), f.TorqueA.At(i), f.TorqueB.At(i))
	}
	return w.storedFault()
}

// brokenPair is a pair of pieces whose law has stored a number that is not finite.
type brokenPair struct {
	pair uint64 // contact.KeyOf; contact.NoPair if there is no such pair
	what string
}

// storedFault returns an error that names the first pair whose law has stored a number that is not
// finite. It returns nil if there is none.
func (w faults) storedFault() error {
	first := brokenPair{pair: contact.NoPair}
	for i := range w.work {
		if b := w.work[i].broken; b.pair < first.pair {
			first = b
		}
	}
	if first.pair == contact.NoPair {
		return nil
	}
	a, b := contact.PairOf(first.pair)
	return mark.Errorf(ErrFault, "engine: step %d: the law %T gives the contact of %s and %s %s, expected finite numbers",
		w.step, w.law.At(w.space.Pieces.Material[a], w.space.Pieces.Material[b]), w.nameOfPiece(a), w.nameOfPiece(b), first.what)
}

// lostFault returns an error that names the first pair without an answer, over all workers.
func (w faults) lostFault() error {
	pair, why := w.space.Lost()
	a, b := contact.PairOf(pair)
	pa, pb := w.space.Pieces.Pose(&w.bodies, a), w.space.Pieces.Pose(&w.bodies, b)
	return mark.Errorf(ErrFault, "engine: step %d: %s and %s, pieces at %v and %v, have no answer: %s (%d such pairs)",
		w.step, w.nameOfPiece(a), w.nameOfPiece(b), pa.Pos, pb.Pos, why, w.space.Counts().Degenerate)
}

// tooFar returns the fault of a body that has flown too far from the origin.
func (w faults) tooFar(id int) error {
	at, r := w.bodies.Pos.At(id), w.bodies.Radius[id]
	return mark.Errorf(ErrFault, "engine: step %d: %s of radius %.3g m has flown to %v, expected at most %.3g m (2³² radii) from the origin: "+
		"positions there are %.3g m from each other", w.step, w.nameOf(soa.Body(id)), r, at, contact.FarRadii*r, spacing(at))
}

// spacing returns the distance between neighbouring floating-point positions at a point.
func spacing(at vec.Vec3) float64 {
	x := at.MaxAbs()
	return math.Nextafter(x, math.Inf(1)) - x
}

// fault records a body whose motion is not usable; the lowest such body is reported.
func (ws *workspace) fault(body int) { ws.faulty = min(ws.faulty, uint32(body)) }
