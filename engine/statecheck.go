package engine

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// checkState refuses a state that is not of this world, or that no run can have left: numbers that
// are not finite or whose squares are not, bodies too far from the origin, and what does not fit
// together.
func (w *World) checkState(by map[string]*Column) error {
	if err := w.checkColumns(by); err != nil {
		return err
	}
	s, clock := by["step"].U32, by["clock"].F64
	if n := w.bodies.Len(); s[0] != stateVersion || int(s[3]) != n {
		return fmt.Errorf("engine: state of version %d with %d bodies, expected version %d with %d: %w",
			s[0], s[3], stateVersion, n, ErrState)
	}
	if s[2] > math.MaxInt32 || s[4] > 1 {
		return fmt.Errorf("engine: column %q of the state has %v, expected a step ≥ 0 and a mark of 0 or 1: %w", "step", s, ErrState)
	}
	// What the sum of the steps has lost is less than the distance to the next time.
	if t := clock[0]; !(t >= 0) || !(math.Abs(clock[1]) <= math.Nextafter(t, math.Inf(1))-t) {
		return fmt.Errorf("engine: column %q of the state has %v, expected a time ≥ 0 s and the rounding of its last digit: %w",
			"clock", clock, ErrState)
	}
	if err := w.checkBodies(by); err != nil {
		return err
	}
	return w.checkContacts(by)
}

// checkColumns refuses columns that are missing, that are of another length, or whose numbers are
// out of range.
func (w *World) checkColumns(by map[string]*Column) error {
	type want struct {
		name    string
		f64     bool // values are of this kind, not whole numbers
		n, each int  // values, and of a body or a contact
		of      string
	}
	n := w.bodies.Len()
	columns := []want{{"clock", true, 2, 1, "row"}, {"step", false, 5, 1, "row"}, {"ledger", true, 8, 1, "row"}}
	for name := range bodyColumns(&w.bodies) {
		columns = append(columns, want{name, true, n, 1, "body"})
	}
	contacts := 0
	if c := by["contact.pieces"]; c != nil {
		contacts = len(c.U32) / 2
	}
	columns = append(columns, want{"contact.pieces", false, 2 * contacts, 2, "contact"},
		want{"contact.answers", true, contacts * answerRow, answerRow, "contact"},
		want{"contact.history", true, contacts * w.historyRow(), w.historyRow(), "contact"}, want{"contact.features", false, 3 * contacts, 3, "contact"})
	for _, c := range columns {
		col := by[c.name]
		if col == nil {
			return fmt.Errorf("engine: the state has no column %q: %w", c.name, ErrState)
		}
		got := len(col.U32) + len(col.U16)
		if c.f64 {
			got = len(col.F64)
		}
		if got != c.n {
			return fmt.Errorf("engine: column %q of the state has %d values, expected %d: %w", c.name, got, c.n, ErrState)
		}
		for i, x := range col.F64 {
			if square := float64(x * x); square-square != 0 {
				return fmt.Errorf("engine: column %q of the state has %g for %s %d, expected a number whose square is finite: %w",
					c.name, x, c.of, i/c.each, ErrState)
			}
		}
	}
	return nil
}

// checkBodies refuses bodies that are not where a run can be.
func (w *World) checkBodies(by map[string]*Column) error {
	for i, inverse := range w.bodies.InvMass {
		at := func(name string) float64 { return by[name].F64[i] }
		pos := vec.V(at("pos.x"), at("pos.y"), at("pos.z"))
		if inverse != 0 && isFar(pos, w.bodies.Radius[i]) {
			return fmt.Errorf("engine: %s of the state is at %v, expected at most %.3g m (2³² radii) from the origin: %w",
				w.nameOfBody(soa.Body(i)), pos, farRadii*w.bodies.Radius[i], ErrState)
		}
		if rot := (vec.Quat{W: at("rot.w"), X: at("rot.x"), Y: at("rot.y"), Z: at("rot.z")}); !isPose(vec.Pose{Pos: pos, Rot: rot}) {
			return fmt.Errorf("engine: %s of the state has the quaternion %v, expected a unit one: %w", w.nameOfBody(soa.Body(i)), rot, ErrState)
		}
		if x := at("odometer"); !(x >= 0) {
			return fmt.Errorf("engine: %s of the state has moved %g m, expected ≥ 0: %w", w.nameOfBody(soa.Body(i)), x, ErrState)
		}
	}
	for i := range w.walls {
		v := &w.walls[i]
		id := int(v.body)
		at := vec.V(by["pos.x"].F64[id], by["pos.y"].F64[id], by["pos.z"].F64[id])
		if !v.motion.moves() && at != w.bodies.Pos.At(id) {
			return fmt.Errorf("engine: %s of the state, a wall that rests, is at %v, expected %v: %w", w.nameOfBody(v.body), at, w.bodies.Pos.At(id), ErrState)
		}
	}
	return nil
}

// checkContacts refuses contacts of pieces that are not there or not in order, and histories that
// no contact has.
func (w *World) checkContacts(by map[string]*Column) error {
	p, history, features := by["contact.pieces"].U32, by["contact.history"].F64, by["contact.features"].U16
	for k := range len(p) / 2 {
		i := 2 * k
		if int(p[i]) >= w.pieces.Len() || int(p[i+1]) >= w.pieces.Len() {
			return fmt.Errorf("engine: contact %d of the state is of pieces not below %d: %w", k, w.pieces.Len(), ErrState)
		}
		if !w.mayTouch(soa.Piece(p[i]), soa.Piece(p[i+1])) {
			return fmt.Errorf("engine: contact %d of the state is of pieces %d and %d, expected those of two bodies of which one moves, "+
				"in the order of pairs: %w", k, p[i], p[i+1], ErrState)
		}
		if i > 0 && (p[i] < p[i-2] || p[i] == p[i-2] && p[i+1] <= p[i-1]) {
			return fmt.Errorf("engine: contact %d of the state is not in order: %w", k, ErrState)
		}
		h := history[k*w.historyRow()+w.law.History():]
		if n := vec.V(h[0], h[1], h[2]).Norm(); !(n <= 1+rotTolerance) || !(h[3] >= 0) {
			return fmt.Errorf("engine: contact %d of the state has a normal of length %g and an overlap of %g m that is forgiven, "+
				"expected a unit normal and ≥ 0: %w", k, n, h[3], ErrState)
		}
		if kind := features[3*k]; kind > uint16(soa.EdgeVertex) {
			return fmt.Errorf("engine: contact %d of the state has features of kind %d, expected at most %d: %w", k, kind, soa.EdgeVertex, ErrState)
		}
	}
	return nil
}

// mayTouch says whether two pieces can be a pair as soa.Pairs writes it.
func (w *World) mayTouch(a, b soa.Piece) bool {
	p, kindA, kindB := &w.pieces, w.pieces.Kind[a], w.pieces.Kind[b]
	return p.Body[a] != p.Body[b] && (w.bodies.InvMass[p.Body[a]] != 0 || w.bodies.InvMass[p.Body[b]] != 0) &&
		(kindA < kindB || kindA == kindB && a < b)
}
