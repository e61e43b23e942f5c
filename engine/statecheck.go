package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// stateCheck checks the columns of a state before they are restored.
type stateCheck struct{ stateColumns }

// checkState refuses a state that is not of this world, or that no run can have left: numbers that
// are not finite or whose squares are not, bodies too far from the origin, and what does not fit
// together.
func (w stateCheck) checkState(by map[string]*Column) error {
	s, clock := by["step"].U32, by["clock"].F64
	if n := w.bodies.Len(); int(s[3]) != n {
		return mark.Errorf(ErrState, "engine: state of %d bodies, expected %d", s[3], n)
	}
	if s[2] > math.MaxInt32 || s[4] > warnedTight|warnedThick {
		return mark.Errorf(ErrState, "engine: column %q of the state has %v, expected a step ≥ 0 and a mark of 0 to 3", "step", s)
	}
	// What the sum of the steps has lost is less than the distance to the next time.
	if t := clock[0]; !(t >= 0) || !(math.Abs(clock[1]) <= math.Nextafter(t, math.Inf(1))-t) {
		return mark.Errorf(ErrState, "engine: column %q of the state has %v, expected a time ≥ 0 s and the rounding of its last digit",
			"clock", clock)
	}
	if err := w.checkBodies(by); err != nil {
		return err
	}
	if err := w.checkPlaces(by); err != nil {
		return err
	}
	return w.checkContacts(by)
}

// wantColumn is what a column of a state has to be.
type wantColumn struct {
	name    string
	kind    byte // 'f', 'u' or 'h': values are float64, uint32 or uint16
	n, each int  // values, and of a body or a contact
	of      string
}

// wantColumns returns the columns of a state of this world with so many contacts, with or without
// loads.
func (w stateCheck) wantColumns(contacts int, loaded bool) []wantColumn {
	columns := []wantColumn{{"clock", 'f', 2, 1, "value"}, {"step", 'u', 5, 1, "value"}, {"ledger", 'f', ledgerRow, 1, "value"}}
	for name := range bodyColumns(&w.bodies) {
		columns = append(columns, wantColumn{name, 'f', w.bodies.Len(), 1, "body"})
	}
	if w.translates() {
		columns = append(columns, wantColumn{"stride", 'f', 1, 1, "value"})
	}
	for name := range w.placeColumns {
		columns = append(columns, wantColumn{name, 'f', w.bodies.Len(), 1, "body"})
	}
	if loaded {
		columns = append(columns, wantColumn{"load", 'f', 2, 1, "value"})
		for name := range w.loads.columns() {
			columns = append(columns, wantColumn{name, 'f', w.bodies.Len(), 1, "body"})
		}
	}
	return append(columns,
		wantColumn{"contact.pieces", 'u', 2 * contacts, 2, "contact"},
		wantColumn{"contact.answers", 'f', contacts * answerRow, answerRow, "contact"},
		wantColumn{"contact.history", 'f', contacts * w.historyRow(), w.historyRow(), "contact"},
		wantColumn{"contact.features", 'h', 3 * contacts, 3, "contact"})
}

// columnsByName returns the columns of a state. It refuses columns that are missing, unknown or
// there twice, that are of another kind or length, and numbers that are out of range.
func (w stateCheck) columnsByName(cols []Column) (map[string]*Column, error) {
	by := make(map[string]*Column, len(cols))
	for i := range cols {
		c := &cols[i]
		if by[c.Name] != nil {
			return nil, mark.Errorf(ErrState, "engine: the state has column %q twice, expected once", c.Name)
		}
		by[c.Name] = c
	}
	// Another version has other columns.
	if c := by["step"]; c != nil && len(c.U32) > 0 && c.U32[0] != stateVersion {
		return nil, mark.Errorf(ErrState, "engine: state of version %d, expected version %d", c.U32[0], stateVersion)
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
			return nil, mark.Errorf(ErrState, "engine: the state has no column %q", c.name)
		}
		if err := c.check(col); err != nil {
			return nil, err
		}
	}
	for i := range cols {
		name := cols[i].Name
		if !slices.ContainsFunc(want, func(c wantColumn) bool { return c.name == name }) {
			return nil, mark.Errorf(ErrState, "engine: the state has a column %q, which no run writes", name)
		}
	}
	return by, nil
}

// check refuses a column of another kind or length, or whose numbers are out of range.
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

// pathRadii is how many of its radii a body goes at most in a step, on average: it is within
// farRadii of the world's origin along each axis before and after, and turns by half a turn.
// Smaller, and a state that a run has left may be refused.
const pathRadii = 4 * farRadii

// checkBodies refuses bodies that are not where a run can be.
func (w stateCheck) checkBodies(by map[string]*Column) error {
	s := by["step"].U32
	steps := int64(s[1]) | int64(s[2])<<32
	for i, inverse := range w.bodies.InvMass {
		at := func(name string) float64 { return by[name].F64[i] }
		pos := vec.V(at("pos.x"), at("pos.y"), at("pos.z"))
		if inverse != 0 && isFar(pos, w.bodies.Radius[i]) {
			return mark.Errorf(ErrState, "engine: %s of the state is at %v, expected at most %.3g m (2³² radii) from the origin",
				w.nameOfBody(soa.Body(i)), pos, farRadii*w.bodies.Radius[i])
		}
		if rot := (vec.Quat{W: at("rot.w"), X: at("rot.x"), Y: at("rot.y"), Z: at("rot.z")}); !isPose(vec.Pose{Pos: pos, Rot: rot}) {
			return mark.Errorf(ErrState, "engine: %s of the state has the quaternion %v, expected a unit one", w.nameOfBody(soa.Body(i)), rot)
		}
		x, most := at("odometer"), math.Inf(1)
		if inverse != 0 {
			most = float64(pathRadii*w.bodies.Radius[i]) * float64(steps)
		}
		if !(x >= 0 && x <= most) {
			return mark.Errorf(ErrState, "engine: %s of the state has moved %g m in %d steps, expected 0 to %.3g m",
				w.nameOfBody(soa.Body(i)), x, steps, most)
		}
		if inverse == 0 {
			continue
		}
		// A step ends with the spin of the angular momentum, to the bit. Before the first it is
		// that which the body was given.
		spin, want := vec.V(at("spin.x"), at("spin.y"), at("spin.z")), w.bodies.Spin.At(i)
		if steps > 0 {
			rot := vec.Quat{W: at("rot.w"), X: at("rot.x"), Y: at("rot.y"), Z: at("rot.z")}
			want = spinOf(rot, vec.V(at("angmom.x"), at("angmom.y"), at("angmom.z")), w.bodies.InvInertia.At(i))
		}
		if spin != want {
			return mark.Errorf(ErrState, "engine: %s of the state has the spin %v rad/s, expected that of its angular momentum, %v rad/s",
				w.nameOfBody(soa.Body(i)), spin, want)
		}
	}
	return w.checkWalls(by, steps)
}

// checkWalls refuses walls that are not where their motion has them at the time of the state, or
// do not move as it does.
func (w stateCheck) checkWalls(by map[string]*Column, steps int64) error {
	poseOf := posesOf(by)
	for i := range w.walls {
		v := &w.walls[i]
		id := int(v.body)
		pose, vel, spin := w.bodies.Pose(v.body), w.bodies.Vel.At(id), w.bodies.Spin.At(id)
		kind := "a wall that rests"
		if v.motion.moves() {
			kind = "a wall"
			if steps > 0 {
				pose, vel, spin = v.at(by["clock"].F64[0])
			}
		}
		vector := func(name string) vec.Vec3 {
			return vec.V(by[name+".x"].F64[id], by[name+".y"].F64[id], by[name+".z"].F64[id])
		}
		for _, c := range []struct {
			what        string
			found, want any
		}{
			{"is at", vector("pos"), pose.Pos}, {"has the quaternion", poseOf(v.body).Rot, pose.Rot},
			{"has the velocity", vector("vel"), vel}, {"has the spin", vector("spin"), spin},
		} {
			if c.found != c.want {
				return mark.Errorf(ErrState, "engine: %s of the state, %s, %s %v, expected %v", w.nameOfBody(v.body), kind, c.what, c.found, c.want)
			}
		}
	}
	return nil
}
