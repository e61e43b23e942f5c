package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// lateTraffic is traffic with shapes, planes and mesh walls that come during the run.
type lateTraffic struct {
	*traffic
	walls []soa.ID
}

func newLateTraffic(t testing.TB, law force.Parameters, cfg Config) *lateTraffic {
	return &lateTraffic{traffic: newTraffic(t, law, cfg)}
}

func (r *lateTraffic) turnOver(t testing.TB) {
	t.Helper()
	if r.turn%3 == 0 {
		r.shapes = append(r.shapes[:2:2], addShape(t, r.w, rock(t, uint64(r.turn), 14, 0.1)), addShape(t, r.w, ball(t, 0.06)))
	}
	if len(r.walls) > 1 {
		if err := r.w.RemoveBody(r.walls[0]); err != nil {
			t.Fatal(err)
		}
		r.walls = r.walls[1:]
	}
	switch r.turn % 4 {
	case 1:
		z := 0.01 * float64(r.turn)
		facets, err := geometry.NewWallFacets([][]vec.Vec3{
			{vec.V(-0.4, -0.4, z), vec.V(0.4, -0.4, 0), vec.V(0.4, 0.4, 0.05), vec.V(-0.4, 0.4, 0.05+z)}, {vec.V(0.4, 0.4, 0.05), vec.V(0.4, -0.4, 0), vec.V(0.4, 0, 0.5)},
		})
		if err != nil {
			t.Fatal(err)
		}
		r.walls = append(r.walls, soa.ID(addWall(t, r.w, WallSpec{Name: "late", Facets: facets, Pose: at(0, 0, 0.2), Motion: Motion{Spin: vec.V(0, 0, 1)}})))
	case 3:
		plane := addShape(t, r.w, PlaneTemplate())
		r.walls = append(r.walls, soa.ID(addWall(t, r.w, WallSpec{Parts: one(plane, 0), Pose: at(0, 0, 0.05), Motion: Motion{Velocity: vec.V(0, 0, 0.01)}})))
	}
	r.change(t)
}

// again returns a new world of the same run, and what the program of r remembers.
func (r *lateTraffic) again(t testing.TB, law force.Parameters, cfg Config) *lateTraffic {
	n := newLateTraffic(t, law, cfg)
	if source, err := r.source.MarshalBinary(); err != nil || n.source.UnmarshalBinary(source) != nil {
		t.Fatal("the numbers cannot be copied")
	}
	n.ids, n.shapes, n.wall, n.turn, n.walls = slices.Clone(r.ids), slices.Clone(r.shapes), r.wall, r.turn, slices.Clone(r.walls)
	return n
}

// TestRestartAfterComings checks that a run goes on with the same bits from a state, in a world in which nothing has
// come or gone yet, whatever has come and gone before.
func TestRestartAfterComings(t *testing.T) {
	for name, law := range trafficLaws {
		t.Run(name, func(t *testing.T) {
			run := newLateTraffic(t, law, Config{})
			steps(t, run.w, 300, heapStep)
			contacts := 0
			for turn := range 14 {
				var other *lateTraffic
				if turn > 0 {
					state := run.w.State()
					other = run.again(t, law, Config{Workers: 1 + turn%2})
					if err := other.w.Restore(state); err != nil {
						t.Fatalf("turn %d: %v", turn, err)
					}
					sameMeasure(t, run.w, other.w)
					if now := other.w.State(); !sameColumns(state, now) {
						t.Fatalf("turn %d: the restored world has another state", turn)
					}
				}
				for range 2 {
					run.turnOver(t)
					steps(t, run.w, 10, heapStep)
					if other != nil {
						other.turnOver(t)
						steps(t, other.w, 10, heapStep)
						if a, b := run.w.Hash(), other.w.Hash(); a != b {
							t.Fatalf("turn %d: hash after a restart %016x, expected %016x", turn, b, a)
						}
					}
				}
				contacts += run.w.Measure().Active
				if other != nil && turn%2 == 1 {
					run = other // restart the restarted run
				}
			}
			if m := run.w.Measure(); m.Ledger.Inserted == 0 || contacts < 200 {
				t.Errorf("inserted %g J, %d contacts, expected some", m.Ledger.Inserted, contacts)
			}
		})
	}
}

func sameColumns(a, b []Column) bool {
	return slices.EqualFunc(a, b, func(a, b Column) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
}

// TestStateOfOtherBodies checks that a world with other bodies than the run had at its start is refused and stays as
// it is.
func TestStateOfOtherBodies(t *testing.T) {
	law := trafficLaws["gaps"]
	run := newLateTraffic(t, law, Config{})
	steps(t, run.w, 2, heapStep)
	before := run.w.State()
	run.turnOver(t)
	steps(t, run.w, 2, heapStep)
	for name, change := range map[string]func(w *World) error{
		"a body more": func(w *World) error {
			_, err := w.AddBody(BodySpec{Parts: one(w.space.Pieces.Shape[w.space.Pieces.Len()-1], 1000), Pose: at(0, 0, 9)})
			return err
		},
		"a body less":  func(w *World) error { return w.RemoveBody(w.bodies.ID[3]) },
		"a shape more": func(w *World) error { _, err := w.AddShape(PlaneTemplate()); return err },
	} {
		other := newLateTraffic(t, law, Config{})
		if err := change(other.w); err != nil {
			t.Fatal(err)
		}
		for _, state := range [][]Column{before, run.w.State()} {
			if name == "a shape more" && &state[0] == &before[0] {
				continue // A state without shapes that came cannot tell.
			}
			if err := other.w.Restore(state); !errors.Is(err, ErrState) {
				t.Errorf("%s: error %v, expected ErrState", name, err)
			}
		}
		steps(t, other.w, 1, heapStep)
	}
}

// TestForgedLateColumns damages what a state has of later bodies: each number in turn is changed, left out or doubled.
// Restore refuses the state or makes a world that can be stepped, and never panics.
func TestForgedLateColumns(t *testing.T) {
	build := func() *World {
		w := slopeOf(t, force.Linear{Kn: 1e5})
		w.Measure()
		return w
	}
	w := build()
	block := addShape(t, w, box(t, 0.5, 0.5, 0.5))
	addBody(t, w, BodySpec{Name: "two", Pose: at(0, 0, 4), Parts: []Part{{Shape: block, Density: 1}, {Shape: 2, Density: 1, Local: at(1, 0, 0)}}})
	gone := addBody(t, w, BodySpec{Pose: at(0, 0, 9), Parts: one(block, 1)})
	corner := triangles{{vec.V(-2, -2, -1), vec.V(2, -2, -1), vec.V(2, 2, -1)}}
	corner.wall(t, w, vec.IdentityPose, Motion{})
	if err := w.RemoveBody(soa.ID(gone)); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 3, 1e-4)
	rng := rand.New(rand.NewPCG(1, 2))
	refused := 0
	try := func(what string, change func(by map[string]*Column)) {
		cols, by := w.State(), map[string]*Column{}
		for i := range cols {
			by[cols[i].Name] = &cols[i]
		}
		change(by)
		fresh := slopeOf(t, force.Linear{Kn: 1e5})
		err := fresh.Restore(cols)
		if err == nil {
			_ = fresh.Step(1e-4)
			return
		}
		if refused++; what == "unchanged" {
			t.Fatal(err)
		} else if !errors.Is(err, ErrState) || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: error %v, expected ErrState", what, err)
		}
	}
	try("unchanged", func(map[string]*Column) {})
	for _, name := range []string{"body.id", lateColumn, courseColumn} {
		n := 0
		try("", func(by map[string]*Column) { n = len(by[name].U32) + len(by[name].U8) })
		for range 250 {
			k, word := rng.IntN(n), []uint32{0, 1, 7, '9', ^uint32(0)}[rng.IntN(5)]
			try(fmt.Sprintf("%s[%d] = %d", name, k, word), func(by map[string]*Column) {
				if c := by[name]; c.U32 != nil {
					c.U32[k] = word
				} else {
					c.U8[k] = byte(word)
				}
			})
		}
		try(name+" short", func(by map[string]*Column) {
			c := by[name]
			c.U32, c.U8 = c.U32[:max(0, len(c.U32)-1)], c.U8[:max(0, len(c.U8)-1)]
		})
		try(name+" of another name", func(by map[string]*Column) { by[name].Name = "other" })
		try(name+" of another type", func(by map[string]*Column) { by[name].F64 = []float64{1} })
	}
	if refused < 250 {
		t.Errorf("%d of 762 states refused, expected more", refused)
	}
}
