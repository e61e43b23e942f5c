package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// slopeOf returns a world of a cube and a ball, one on the other, that creep down a plane. They
// overlap at the start.
func slopeOf(t testing.TB, law force.Parameters) *World {
	w := newWorld(t, Config{Gravity: vec.V(3, 0, -9), Relief: Relief{Cap: 1e-3, Time: 1}}, law)
	addFloor(t, w)
	cube, round := addShape(t, w, box(t, 1, 1, 1)), addShape(t, w, ball(t, 0.5))
	addMoving(t, w, cube, at(0, 0, 0.49), vec.V(0.01, 0, 0), vec.V(0, 0, 0.1))
	addMoving(t, w, round, at(0, 0, 1.485), vec.Vec3{}, vec.V(0, 0, 1))
	return w
}

// smallSlopeOf returns a cube of 0.1 m that slides and turns on a plane, under a law with an area
// exponent.
func smallSlopeOf(t testing.TB, exponent float64) *World {
	w := newWorld(t, Config{Gravity: vec.V(3, 0, -9)}, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.4, AreaExponent: exponent})
	addFloor(t, w)
	addMoving(t, w, addShape(t, w, box(t, 0.1, 0.1, 0.1)), at(0, 0, 0.0499), vec.V(0.01, 0, 0), vec.V(0, 0, 5))
	return w
}

// forgeable lists worlds, and a step at which their contacts have slipped.
var forgeable = []struct {
	name  string
	world func(t testing.TB) *World
	steps int
	dt    float64
}{
	{"heap in walls", func(t testing.TB) *World { return heap(t, Config{}, 8) }, 1200, heapStep},
	{"linear on a plane", func(t testing.TB) *World {
		return slopeOf(t, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4})
	}, 40, 1e-4},
	{"thickness on a plane", func(t testing.TB) *World {
		return slopeOf(t, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.4})
	}, 40, 1e-4},
	{"modulus on a plane", func(t testing.TB) *World {
		return slopeOf(t, force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.4, AreaExponent: 1})
	}, 40, 1e-4},
	{"modulus of small patches", func(t testing.TB) *World { return smallSlopeOf(t, 0.5) }, 6, 2e-5},
}

// TestForgedStates changes the values of a valid state one by one to values that the bodies' sizes,
// their law or the sum of the forces exclude. The error must name the item. The unchanged state
// must be accepted.
func TestForgedStates(t *testing.T) {
	for _, c := range forgeable {
		t.Run(c.name, func(t *testing.T) {
			w := c.world(t)
			steps(t, w, c.steps, c.dt)
			state := w.State()
			column := func(name string) *Column {
				return &state[slices.IndexFunc(state, func(c Column) bool { return c.Name == name })]
			}
			if err := c.world(t).Restore(state); err != nil {
				t.Fatalf("the state as it was: %v", err)
			}
			forge := func(name string, at int, x float64, want string) {
				t.Helper()
				values := column(name).F64
				was := values[at]
				values[at] = x
				err := c.world(t).Restore(state)
				if values[at] = was; !errors.Is(err, ErrState) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s[%d] = %g for %g: error %v, expected one with %q", name, at, x, was, err, want)
				}
			}
			n := len(column("contact.pieces").U32) / 2
			if n == 0 {
				t.Fatal("no contact")
			}
			row, slipped := stateColumns{w}.historyRow(), 0
			for k := range n {
				who := fmt.Sprintf("contact %d of the state, of ", k)
				forge("contact.answers", k*answerRow, 1e3, who)
				forge("contact.answers", k*answerRow, -1e3, who)
				for axis := range 3 {
					forge("contact.answers", k*answerRow+1+axis, 1e30, who)
					forge("contact.answers", k*answerRow+1+axis, 100, who)
					forge("contact.answers", k*answerRow+4+axis, 1e30, "the force")
					force := column("contact.answers").F64[k*answerRow+4+axis]
					forge("contact.answers", k*answerRow+4+axis, math.Nextafter(force, 1e9), "the force")
				}
				history := column("contact.history").F64[k*row:][:row]
				forge("contact.history", k*row, 1e10, "has a slip of")
				if slip := slipLength(history); slip > 0 {
					slipped++
					forge("contact.history", k*row+1, 100*slip+1, "has a slip of")
				}
				if w.law.History() > 3 {
					if history[4] > 0 { // The contact of a ball is a point, for which any angle is possible.
						forge("contact.history", k*row+3, 1e10, "has a turn of 1e+10 rad")
					}
					forge("contact.history", k*row+4, -1, "second moment -1")
					forge("contact.history", k*row+5, 2, "has a middle plane with a normal of length 2")
				}
				if w.law.AnyAreaExponent() && slipLength(history) > 0 {
					for _, x := range []float64{-1, 0, 1e100, 100 * history[8]} {
						forge("contact.history", k*row+8, x, "has springs that grew by")
					}
				}
				forge("contact.history", k*row+w.law.History()+3, 1e5, "that is forgiven")
				forge("contact.history", k*row+w.law.History()+3, -1e-9, "that is forgiven")
			}
			if slipped == 0 {
				t.Error("no contact has slipped")
			}
			for i, inverse := range w.bodies.InvMass {
				if inverse != 0 {
					forge("odometer", i, 1e30, "has moved 1e+30 m")
					spin := column("spin.y").F64[i]
					forge("spin.y", i, spin+1, "has the spin")
					forge("spin.y", i, math.Nextafter(spin, 1e9), "has the spin")
					forge("angmom.x", i, column("angmom.x").F64[i]+1, "expected that of its angular momentum")
				} else {
					forge("vel.z", i, 1, "has the velocity")
					forge("spin.x", i, 1, "has the spin")
				}
				forge("force.z", i, 1e30, "the force")
			}
		})
	}
}

func slipLength(history []float64) float64 { return vec.V(history[0], history[1], history[2]).Norm() }

// TestForgedColumns tries columns that are duplicate, unknown, or of the wrong type.
func TestForgedColumns(t *testing.T) {
	fresh := func() *World { return slopeOf(t, force.Linear{Kn: 1e5}) }
	w := fresh()
	steps(t, w, 10, 1e-4)
	for _, c := range []struct {
		change func(cols []Column) []Column
		want   string
	}{
		{func(c []Column) []Column { return append(c, c[0]) }, `column "clock" twice`},
		{func(c []Column) []Column { return append(c, Column{Name: "pos.x"}) }, `column "pos.x" twice`},
		{func(c []Column) []Column { return append(c, Column{Name: "colour", U8: []uint8{1}}) }, `a column "colour", which no run writes`},
		{func(c []Column) []Column { return append(c, Column{}) }, `a column "", which no run writes`},
		{func(c []Column) []Column { c[1] = Column{Name: "step", U16: []uint16{1, 2, 3, 4, 5}}; return c }, `"step" of the state has values of another type`},
		{func(c []Column) []Column { // as in an earlier release
			c[1].U32[0], c[2].F64 = stateVersion-1, c[2].F64[:8]
			return c
		}, fmt.Sprintf("state of version %d, expected version %d", stateVersion-1, stateVersion)},
		{func(c []Column) []Column { c[0].U8 = []uint8{1}; return c }, `"clock" of the state has values of another type`},
	} {
		if err := fresh().Restore(c.change(w.State())); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected one with %q", err, c.want)
		}
	}
}

// TestForgedFeatures checks that the features of a contact only start a search: any features that a
// file names give the same bits.
func TestForgedFeatures(t *testing.T) {
	w := heap(t, Config{}, 8)
	steps(t, w, 1200, heapStep)
	state := w.State()
	steps(t, w, 20, heapStep)
	last := &state[len(state)-1]
	for i := range last.U16 {
		if last.U16[i] = math.MaxUint16; i%3 == 0 {
			last.U16[i] = uint16(i/3) % uint16(soa.EdgeVertex+1)
		}
	}
	again := heap(t, Config{}, 8)
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	if steps(t, again, 20, heapStep); again.Hash() != w.Hash() {
		t.Errorf("hash %016x, expected %016x", again.Hash(), w.Hash())
	}
}
