package engine

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
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
