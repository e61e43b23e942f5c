package engine

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// stateCheck checks the columns of a state before they are restored.
type stateCheck struct {
	stateColumns
	by     map[string]*Column // the columns of the state by name
	fitted bool               // bodies or shapes were added to the world, or removed
	found  soa.Bodies         // the bodies of the state; only the columns that a state has
	moved  *course            // of the state
}

// steps returns the number of steps in the state.
func (w stateCheck) steps() int64 {
	s := w.by["step"].U32
	return int64(s[1]) | int64(s[2])<<32
}

// checkState rejects a state that does not belong to this world, and values out of their bounds. What lies
// within the bounds is trusted: a checkpoint has a hash of its content and a digest of its scene.
func (w *stateCheck) checkState() error {
	s, clock := w.by["step"].U32, w.by["clock"].F64
	if s[2] > math.MaxInt32 || s[4] > warnedAll {
		return mark.Errorf(ErrState, "engine: column %q of the state has %v, expected a step ≥ 0 and a mark of 0 to %d", "step", s, warnedAll)
	}
	// The rounding error of the summed time is less than the distance to the next floating-point
	// number.
	if t := clock[0]; !(t >= 0) || !(math.Abs(clock[1]) <= math.Nextafter(t, math.Inf(1))-t) {
		return mark.Errorf(ErrState, "engine: column %q of the state has %v, expected a time ≥ 0 s and the rounding of its last digit",
			"clock", clock)
	}
	if c := w.by["stride"]; c != nil && !(c.F64[0] >= 0) {
		return mark.Errorf(ErrState, "engine: column %q of the state has %g s, expected a step ≥ 0 s", "stride", c.F64[0])
	}
	if c := w.by["last_step"]; c != nil && !(c.F64[0] > 0) {
		return mark.Errorf(ErrState, "engine: column %q of the state has %g s, expected a step > 0 s", "last_step", c.F64[0])
	}
	for _, check := range []func() error{w.checkBodies, w.checkContacts, w.checkCourse} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// wantColumn describes what a column of a state must be.
type wantColumn struct {
	name    string
	kind    byte // 'f', 'u', 'h' or 'b': values are float64, uint32, uint16 or uint8
	n, each int  // number of values in all, and per body or contact
	of      string
}

var wantStep = wantColumn{"step", 'u', 5, 1, "value"}

// wantColumns returns the columns of a state of this world with the given number of contacts.
func (w stateCheck) wantColumns(contacts int, has stateParts) []wantColumn {
	columns := []wantColumn{wantStep}
	for _, item := range w.items(&w.bodies, has) {
		if item.column == nil {
			columns = append(columns, wantColumn{item.name, 'f', len(item.numbers), 1, "value"})
		} else {
			columns = append(columns, wantColumn{item.name, 'f', w.bodies.Len(), 1, "body"})
		}
	}
	if has.ids {
		columns = append(columns, wantColumn{"body.id", 'u', 2 * (w.bodies.Len() + 2), 2, "body"})
	}
	for _, name := range []string{lateColumn, courseColumn} {
		if c := w.by[name]; c != nil {
			columns = append(columns, wantColumn{name, 'b', len(c.U8), 1, "value"})
		}
	}
	if has.high {
		columns = append(columns, wantColumn{"contact.high", 'u', 2 * contacts, 2, "contact"})
	}
	return append(columns,
		wantColumn{"contact.pieces", 'u', 2 * contacts, 2, "contact"},
		wantColumn{"contact.answers", 'f', contacts * answerRow, answerRow, "contact"},
		wantColumn{"contact.history", 'f', contacts * w.historyRow(), w.historyRow(), "contact"},
		wantColumn{"contact.features", 'h', 3 * contacts, 3, "contact"})
}

// parts returns which columns the state has that not every world needs.
func (w stateCheck) parts() stateParts {
	return stateParts{loads: w.by["load.force.x"] != nil, course: w.by[courseColumn] != nil, local: w.by["local_damping.share"] != nil, changes: w.by["changes"] != nil, ids: w.by["body.id"] != nil, high: w.by["contact.high"] != nil, stepped: w.by["last_step"] != nil}
}

// read stores the columns of a state. It rejects duplicate columns, and those of another version.
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
		return mark.Errorf(ErrState, "engine: state of version %d, expected version %d: the release that wrote it can read it", c.U32[0], stateVersion)
	}
	w.by = by
	return nil
}

// checkColumns rejects columns that are missing or unknown, that have the wrong kind or length, and values that are
// out of range.
func (w *stateCheck) checkColumns(cols []Column) error {
	by, contacts := w.by, 0
	if c := by["contact.pieces"]; c != nil {
		contacts = len(c.U32) / 2
	}
	want := w.wantColumns(contacts, w.parts())
	for i := range want {
		c := &want[i]
		if err := c.check(by[c.name]); err != nil {
			return err
		}
	}
	for i := range cols {
		name := cols[i].Name
		if !slices.ContainsFunc(want, func(c wantColumn) bool { return c.name == name }) {
			return mark.Errorf(ErrState, "engine: the state has a column %q, which no run writes", name)
		}
	}
	for name, c := range bodyColumns(&w.found) {
		*c = by[name].F64
	}
	return nil
}

// check rejects a column that is missing, or of the wrong kind or length, and values that are out of range.
func (c *wantColumn) check(col *Column) error {
	if col == nil {
		return mark.Errorf(ErrState, "engine: the state has no column %q", c.name)
	}
	got := map[byte]int{'f': len(col.F64), 'u': len(col.U32), 'h': len(col.U16), 'b': len(col.U8)}[c.kind]
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

// readObject sets v to what objectColumn was given.
func (w *stateCheck) readObject(name string, v any) error {
	if err := json.Unmarshal(w.by[name].U8, v); err != nil {
		return mark.Errorf(ErrState, "engine: column %q of the state: %w", name, err)
	}
	return nil
}

// checkBodies rejects bodies too far from the origin, quaternions that are not unit and odometers below 0.
func (w stateCheck) checkBodies() error {
	b := &w.found
	for i, inverse := range w.bodies.InvMass {
		pose := b.Pose(soa.Body(i))
		switch {
		case inverse != 0 && contact.IsFar(pose.Pos, w.bodies.Radius[i]):
			return mark.Errorf(ErrState, "engine: %s of the state is at %v, expected at most %.3g m (2³² radii) from the origin",
				w.nameOf(soa.Body(i)), pose.Pos, contact.FarRadii*w.bodies.Radius[i])
		case !isPose(pose):
			return mark.Errorf(ErrState, "engine: %s of the state has the quaternion %v, expected a unit one", w.nameOf(soa.Body(i)), pose.Rot)
		case !(b.Odometer[i] >= 0):
			return mark.Errorf(ErrState, "engine: %s of the state has moved %g m, expected a way ≥ 0 m", w.nameOf(soa.Body(i)), b.Odometer[i])
		}
	}
	return nil
}
