package engine

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ErrTangled marks the fault of a world with a wall of which so many facets meet at one corner that
// the material behind them cannot be found.
var ErrTangled = mark.Errorf(ErrFault, "a wall with too many facets at one corner")

// deepShare is the penetration, as a share of the smaller inscribed radius, above which the world
// warns of bodies that start inside each other.
const deepShare = 0.1

// maxWarnings is the largest number of such pairs that are named.
const maxWarnings = 10

func (w *World) innerRadius(p soa.Piece) float64 { return w.shapes.Inner[w.pieces.Shape[p]] }

func (w *World) nameOf(p soa.Piece) string { return w.nameOfBody(w.pieces.Body[p]) }

func (w *World) nameOfBody(id soa.Body) string {
	if name := w.bodies.Name[id]; name != "" {
		return fmt.Sprintf("body %d (%s)", id, name)
	}
	return fmt.Sprintf("body %d", id)
}

// Fault returns the error that has stopped the world for good, or nil. Before the first step it
// computes the forces at the start, as Measure does.
func (w *World) Fault() error {
	w.begin()
	return w.firstFault()
}

// firstFault returns the first failure of the last step. A failure stops the world for good.
func (w *World) firstFault() error {
	failure, faulty := w.broad.Failure(), w.lowest(func(ws *workspace) uint32 { return ws.faulty })
	unpaired := w.broad.Stats().Unpaired - len(w.planes.pieces)
	switch b, i := &w.bodies, int(faulty); {
	case w.fault != nil:
	case failure != nil:
		w.fault = mark.Errorf(ErrFault, "engine: step %d: the neighbour search %q failed: %w", w.step, w.cfg.Search, failure)
	case w.tooManyPairs:
		w.fault = w.pairsFault()
	case faulty != noFault:
		if w.fault = w.forceFault(); w.fault != nil {
			break
		}
		w.fault = mark.Errorf(ErrFault, "engine: step %d: %s at %v has velocity %v and spin %v, expected finite and "+
			"less than a turn in a step; the time step, the stiffness or a velocity is too large",
			w.step, w.nameOfBody(soa.Body(i)), b.Pos.At(i), b.Vel.At(i), b.Spin.At(i))
	case w.far != noFault:
		w.fault = w.tooFar(int(w.far))
	case w.storedFault() != nil:
		w.fault = w.storedFault()
	case w.counts.Degenerate > 0:
		w.fault = w.lostFault()
	case unpaired > 0:
		w.fault = mark.Errorf(ErrFault, "engine: step %d: %d pieces are in no cell, expected none: their extents with the motion budget are out of range; "+
			"the skin, the interaction distance or a velocity is too large", w.step, unpaired)
	}
	return w.fault
}

// forceFault returns an error that names the first contact whose law returned a force or torque
// that is not finite, or stores another number that is not. It returns nil if there is none.
func (w *World) forceFault() error {
	con := &w.contacts
	for i, active := range con.Active {
		if !active || con.Force.At(i).Finite() && con.TorqueA.At(i).Finite() && con.TorqueB.At(i).Finite() {
			continue
		}
		a, b := w.pairs.A[i], w.pairs.B[i]
		return mark.Errorf(ErrFault, "engine: step %d: the law %T gives the contact of %s and %s, at a gap of %g m, the force %v and the torques %v and %v, "+
			"expected finite", w.step, w.law.At(w.pieces.Material[a], w.pieces.Material[b]), w.nameOf(a), w.nameOf(b), con.Gap[i],
			con.Force.At(i), con.TorqueA.At(i), con.TorqueB.At(i))
	}
	return w.storedFault()
}

// lostPair is a pair of pieces that no method could answer, or whose law failed.
type lostPair struct {
	pair uint64 // keyOf; afterAll if there is no such pair
	why  string
}

const (
	outOfRange   = "their poses or sizes are out of range"
	unprovenPair = "no method proves how far apart they are"
)

// firstLost returns the first of the pairs that the workers have noted.
func (w *World) firstLost(noted func(*workspace) lostPair) lostPair {
	first := lostPair{pair: afterAll}
	for i := range w.work {
		if l := noted(&w.work[i]); l.pair < first.pair {
			first = l
		}
	}
	return first
}

// storedFault returns an error that names the first pair whose law has stored a number that is not
// finite. It returns nil if there is none.
func (w *World) storedFault() error {
	first := w.firstLost(func(ws *workspace) lostPair { return ws.broken })
	if first.pair == afterAll {
		return nil
	}
	a, b := pairOf(first.pair)
	return mark.Errorf(ErrFault, "engine: step %d: the law %T gives the contact of %s and %s %s, expected finite numbers",
		w.step, w.law.At(w.pieces.Material[a], w.pieces.Material[b]), w.nameOf(a), w.nameOf(b), first.why)
}

// lostFault returns an error that names the first pair without an answer, over all workers.
func (w *World) lostFault() error {
	first := w.firstLost(func(ws *workspace) lostPair { return ws.lost })
	a, b := pairOf(first.pair)
	pa, pb := w.pieces.Pose(&w.bodies, a), w.pieces.Pose(&w.bodies, b)
	return mark.Errorf(ErrFault, "engine: step %d: %s and %s, pieces %d at %v and %d at %v, have no answer: %s (%d such pairs)",
		w.step, w.nameOf(a), w.nameOf(b), a, pa.Pos, b, pb.Pos, first.why, w.counts.Degenerate)
}

// farRadii is how many of its own radii a body may be away from the world's origin along an axis.
// At that distance, positions are 2⁻²⁰ of the radius apart. A resting contact overlaps by about
// 2⁻¹⁰ of the radius, so ten bits of the overlap remain.
const farRadii = 1 << 32

// isFar reports whether a body of the given radius lies so far from the world's origin that its
// position has too few digits.
func isFar(at vec.Vec3, radius float64) bool { return !(at.MaxAbs() <= farRadii*radius) }

// tooFar returns the fault of a body that has flown too far from the origin.
func (w *World) tooFar(id int) error {
	at, r := w.bodies.Pos.At(id), w.bodies.Radius[id]
	return mark.Errorf(ErrFault, "engine: step %d: %s of radius %.3g m has flown to %v, expected at most %.3g m (2³² radii) from the origin: "+
		"positions there are %.3g m from each other", w.step, w.nameOfBody(soa.Body(id)), r, at, farRadii*r, spacing(at))
}

// spacing returns the distance between neighbouring floating-point positions at a point.
func spacing(at vec.Vec3) float64 {
	x := at.MaxAbs()
	return math.Nextafter(x, math.Inf(1)) - x
}

// fault records a body whose motion is not usable; the lowest such body is reported.
func (ws *workspace) fault(body int) { ws.faulty = min(ws.faulty, uint32(body)) }

// noFault marks a workspace without a faulty body.
const noFault = ^uint32(0)
