package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// stateCheck checks the columns of a state before they are restored.
type stateCheck struct {
	stateColumns
	by    map[string]*Column // the columns of the state by name
	found soa.Bodies         // the bodies of the state; only the columns that a state has
}

// steps returns the number of steps in the state.
func (w stateCheck) steps() int64 {
	s := w.by["step"].U32
	return int64(s[1]) | int64(s[2])<<32
}

// checkState rejects a state that does not belong to this world or that no run can produce. It
// rejects numbers that are not finite or whose squares are not, bodies too far from the origin, and
// inconsistent values.
func (w stateCheck) checkState() error {
	s, clock := w.by["step"].U32, w.by["clock"].F64
	if n := w.bodies.Len(); int(s[3]) != n {
		return mark.Errorf(ErrState, "engine: state of %d bodies, expected %d", s[3], n)
	}
	if s[2] > math.MaxInt32 || s[4] > warnedAll {
		return mark.Errorf(ErrState, "engine: column %q of the state has %v, expected a step ≥ 0 and a mark of 0 to %d", "step", s, warnedAll)
	}
	// The rounding error of the summed time is less than the distance to the next floating-point
	// number.
	if t := clock[0]; !(t >= 0) || !(math.Abs(clock[1]) <= math.Nextafter(t, math.Inf(1))-t) {
		return mark.Errorf(ErrState, "engine: column %q of the state has %v, expected a time ≥ 0 s and the rounding of its last digit",
			"clock", clock)
	}
	for _, check := range []func() error{w.checkBodies, w.checkWalls, w.checkPlaces, w.checkContacts, w.checkForces} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// wantColumn describes what a column of a state must be.
type wantColumn struct {
	name    string
	kind    byte // 'f', 'u' or 'h': values are float64, uint32 or uint16
	n, each int  // number of values in all, and per body or contact
	of      string
}

// wantColumns returns the columns of a state of this world with the given number of contacts, with
// or without loads.
func (w stateCheck) wantColumns(contacts int, loaded bool) []wantColumn {
	columns := []wantColumn{{"step", 'u', 5, 1, "value"}}
	for _, item := range w.items(&w.bodies, loaded) {
		if item.column == nil {
			columns = append(columns, wantColumn{item.name, 'f', len(item.numbers), 1, "value"})
		} else {
			columns = append(columns, wantColumn{item.name, 'f', w.bodies.Len(), 1, "body"})
		}
	}
	return append(columns,
		wantColumn{"contact.pieces", 'u', 2 * contacts, 2, "contact"},
		wantColumn{"contact.answers", 'f', contacts * answerRow, answerRow, "contact"},
		wantColumn{"contact.history", 'f', contacts * w.historyRow(), w.historyRow(), "contact"},
		wantColumn{"contact.features", 'h', 3 * contacts, 3, "contact"})
}

// read stores the columns of a state. It rejects columns that are missing, unknown or duplicate,
// that have the wrong kind or length, and values that are out of range.
func (w *stateCheck) read(cols []Column) error {
	by := make(map[string]*Column, len(cols))
	for i := range cols {
		c := &cols[i]
		if by[c.Name] != nil {
			return mark.Errorf(ErrState, "engine: the state has column %q twice, expected once", c.Name)
		}
		by[c.Name] = c
	}
	// Checked first, because another version has other columns.
	if c := by["step"]; c != nil && len(c.U32) > 0 && c.U32[0] != stateVersion {
		return mark.Errorf(ErrState, "engine: state of version %d, expected version %d", c.U32[0], stateVersion)
	}
	contacts := 0
	if c := by["contact.pieces"]; c != nil {
		contacts = len(c.U32) / 2
	}
	want := w.wantColumns(contacts, by["load"] != nil)
	for i := range want {
		c := &want[i]
		col := by[c.name]
		if col == nil {
			return mark.Errorf(ErrState, "engine: the state has no column %q", c.name)
		}
		if err := c.check(col); err != nil {
			return err
		}
	}
	for i := range cols {
		name := cols[i].Name
		if !slices.ContainsFunc(want, func(c wantColumn) bool { return c.name == name }) {
			return mark.Errorf(ErrState, "engine: the state has a column %q, which no run writes", name)
		}
	}
	w.by = by
	for name, c := range bodyColumns(&w.found) {
		*c = by[name].F64
	}
	return nil
}

// check rejects a column of the wrong kind or length, and values that are out of range.
func (c *wantColumn) check(col *Column) error {
	got := map[byte]int{'f': len(col.F64), 'u': len(col.U32), 'h': len(col.U16)}[c.kind]
	if all := len(col.F64) + len(col.U32) + len(col.U16) + len(col.U8); all != got {
		return mark.Errorf(ErrState, "engine: column %q of the state has values of another type", c.name)
	}
	if got != c.n {
		return mark.Errorf(ErrState, "engine: column %q of the state has %d values, expected %d", c.name, got, c.n)
	}
	for i, x := range col.F64 {
		switch square := float64(x * x); {
		case c.of == "value" && x-x != 0:
			return mark.Errorf(ErrState, "engine: column %q of the state has %g for value %d, expected a finite number", c.name, x, i)
		case c.of != "value" && square-square != 0:
			return mark.Errorf(ErrState, "engine: column %q of the state has %g for %s %d, expected a number whose square is finite",
				c.name, x, c.of, i/c.each)
		}
	}
	return nil
}

// pathRadii is the largest average path of a body per step, in radii of the body. Before and after
// a step the body is within farRadii of the world's origin along each axis, and it turns by at most
// half a turn. A path to another pose by SetPose is as long at most, so checkBodies allows one more.
// With a smaller constant, a state that a run has written might be rejected.
const pathRadii = 4 * farRadii

// checkBodies rejects bodies with values that no run can produce.
func (w stateCheck) checkBodies() error {
	b, steps := &w.found, w.steps()
	for i, inverse := range w.bodies.InvMass {
		pose := b.Pose(soa.Body(i))
		if inverse != 0 && isFar(pose.Pos, w.bodies.Radius[i]) {
			return mark.Errorf(ErrState, "engine: %s of the state is at %v, expected at most %.3g m (2³² radii) from the origin",
				w.nameOfBody(soa.Body(i)), pose.Pos, farRadii*w.bodies.Radius[i])
		}
		if !isPose(pose) {
			return mark.Errorf(ErrState, "engine: %s of the state has the quaternion %v, expected a unit one", w.nameOfBody(soa.Body(i)), pose.Rot)
		}
		x, most := b.Odometer[i], math.Inf(1)
		if inverse != 0 {
			most = float64(pathRadii*w.bodies.Radius[i]) * float64(steps+1)
		}
		if !(x >= 0 && x <= most) {
			return mark.Errorf(ErrState, "engine: %s of the state has moved %g m in %d steps, expected 0 to %.3g m",
				w.nameOfBody(soa.Body(i)), x, steps, most)
		}
		if inverse == 0 {
			continue
		}
		// At the end of a step, and after SetVelocity, the spin equals, to the bit, the one that
		// follows from the angular momentum. Before the first step the angular momentum may still be
		// the one that followed from the spin that the body was given.
		spin, angMom := b.Spin.At(i), b.AngMom.At(i)
		want := spinOf(pose.Rot, angMom, w.bodies.InvInertia.At(i))
		if spin != want && (steps > 0 || angMom != w.angMomOf(i, pose.Rot, spin)) {
			return mark.Errorf(ErrState, "engine: %s of the state has the spin %v rad/s, expected that of its angular momentum, %v rad/s",
				w.nameOfBody(soa.Body(i)), spin, want)
		}
	}
	return nil
}

// checkWalls rejects walls whose pose or velocity differs from their prescribed motion at the time
// of the state.
func (w stateCheck) checkWalls() error {
	for i := range w.walls {
		v := &w.walls[i]
		id := int(v.body)
		pose, vel, spin := w.bodies.Pose(v.body), w.bodies.Vel.At(id), w.bodies.Spin.At(id)
		kind := "a wall that rests"
		if v.motion.moves() {
			kind = "a wall"
			if w.steps() > 0 {
				pose, vel, spin = v.at(w.by["clock"].F64[0], 0)
			}
		}
		for _, c := range []struct {
			what        string
			found, want any
		}{
			{"is at", w.found.Pos.At(id), pose.Pos}, {"has the quaternion", w.found.Rot.At(id), pose.Rot},
			{"has the velocity", w.found.Vel.At(id), vel}, {"has the spin", w.found.Spin.At(id), spin},
		} {
			if c.found != c.want {
				return mark.Errorf(ErrState, "engine: %s of the state, %s, %s %v, expected %v", w.nameOfBody(v.body), kind, c.what, c.found, c.want)
			}
		}
	}
	return nil
}
