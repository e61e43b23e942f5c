package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestFullLocationRestart: the location is no state. A restored world acts at the same places before its
// first step, and has the same bits after more steps.
func TestFullLocationRestart(t *testing.T) {
	whole, reduced := heap(t, Config{Location: Full, TilePairs: 17}, 48), heap(t, Config{}, 48)
	steps(t, whole, 2000, heapStep)
	steps(t, reduced, 2000, heapStep)
	if whole.Hash() == reduced.Hash() {
		t.Fatal("the same bits as with the reduced location")
	}
	again := heap(t, Config{Location: Full, Workers: 3}, 48)
	if err := again.Restore(whole.State()); err != nil {
		t.Fatal(err)
	}
	places := func(w *World) (all []vec.Vec3) {
		for c := range w.ActiveContacts() {
			all = append(all, c.Location)
		}
		return all
	}
	if want, got := places(whole), places(again); len(want) < 20 || !slices.Equal(want, got) {
		t.Errorf("%d contacts at %v, expected %d at %v", len(got), got, len(want), want)
	}
	steps(t, whole, 500, heapStep)
	steps(t, again, 500, heapStep)
	if whole.Hash() != again.Hash() {
		t.Errorf("hash after a restart %016x, expected %016x", again.Hash(), whole.Hash())
	}
	sameMeasure(t, whole, again)
}

// TestFullLocationSwapped adds pairs of rocks in both orders. The centroid is inside both, and the same.
func TestFullLocationSwapped(t *testing.T) {
	r, met := geometry.NewRand(5), 0
	for i := range 200 {
		p, q := rock(t, uint64(2*i), 8+i%20, 0.5), rock(t, uint64(2*i+1), 8+i%13, 0.5)
		pose := vec.Pose{Pos: r.Rotation().Rotate(vec.V(r.Range(0.5, 0.9), 0, 0)), Rot: r.Rotation()}
		var places []vec.Vec3
		for order := range 2 {
			w := newWorld(t, Config{Location: Full}, force.Linear{Kn: 1e6})
			first, second := addShape(t, w, p), addShape(t, w, q)
			bodies := []BodySpec{{Parts: one(first, 1000), Pose: vec.IdentityPose}, {Parts: one(second, 1000), Pose: pose}}
			for k := range 2 {
				addBody(t, w, bodies[(k+order)%2])
			}
			for c := range w.ActiveContacts() {
				if c.Gap < -1e-6 {
					places = append(places, c.Location)
				}
			}
		}
		if len(places) == 0 {
			continue
		}
		met++
		if len(places) != 2 || places[0].Sub(places[1]).Norm() > 1e-11 {
			t.Errorf("pair %d acts at %v", i, places)
		}
	}
	if met < 50 {
		t.Errorf("%d pairs overlap, expected 50 at least", met)
	}
}

// TestFullLocationRounded presses a rounded cube into a plane, a block and two facets, on its edge and on
// its face. The cores overlap by the depth after both have moved by half of the rounding.
func TestFullLocationRounded(t *testing.T) {
	const h, round = 0.01, 0.05
	edge := vec.Pose{Pos: vec.V(0.1, 0.2, math.Sqrt2/2+round-h), Rot: vec.FromRotationVector(vec.V(pi/4, 0, 0))}
	for name, ground := range map[string]func(w *World){
		"plane": func(w *World) {
			addWall(t, w, WallSpec{Parts: one(addShape(t, w, PlaneTemplate()), 0), Pose: PlanePose(vec.Vec3{}, vec.V(0, 0, 1))})
		},
		"block": func(w *World) {
			addWall(t, w, WallSpec{Parts: one(addShape(t, w, box(t, 4, 4, 2)), 0), Pose: at(0, 0, -1)})
		},
		"facets": func(w *World) { floor(t, w, 2) },
	} {
		for _, c := range []struct {
			pose vec.Pose
			want vec.Vec3
		}{{edge, vec.V(0.1, 0.2, round/2-h/3)}, {at(0.1, 0.2, 0.5+round-h), vec.V(0.1, 0.2, round/2-h/2)}} {
			w := newWorld(t, Config{Location: Full}, force.Linear{Kn: 1e6})
			ground(w)
			cube := box(t, 1, 1, 1)
			cube.Round = round
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, cube), 1000), Pose: c.pose})
			if got := poseRowOf(t, w); got.Sub(c.want).Norm() > 1e-12 {
				t.Errorf("on a %s: at %v, expected %v", name, got, c.want)
			}
		}
	}
}

// TestFullLocationTouching: faces that touch share no volume. They act as with the reduced location, and
// are counted.
func TestFullLocationTouching(t *testing.T) {
	var places [2]vec.Vec3
	for i, where := range []Location{Reduced, Full} {
		w := newWorld(t, Config{Location: where}, force.Linear{Kn: 1e6})
		cube := addShape(t, w, box(t, 1, 1, 1))
		addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: at(0, 0, 0)})
		addBody(t, w, BodySpec{Parts: one(cube, 1000), Pose: at(0.25, 0, 1)})
		steps(t, w, 1, 1e-6)
		for c := range w.ActiveContacts() {
			places[i] = c.Location
		}
		if n := w.AnsweredBy().NoOverlap; (n > 0) != (where == Full) {
			t.Errorf("location %d: %d contacts without an overlap", where, n)
		}
	}
	if places[0] != places[1] || places[0] == (vec.Vec3{}) {
		t.Errorf("full acts at %v, reduced at %v", places[1], places[0])
	}
}

// TestFullLocationEnergy lets cubes of any orientation bounce once and tumble, without loss. The account
// closes to the error of the step. Neither location has a potential. What the law makes grows with the lever
// from the tip to the location, at most with its square. The centroid of a corner is 3/4 of the depth from its
// tip, the section 1/2.
func TestFullLocationEnergy(t *testing.T) {
	var made [2]float64
	const n, dt = 40, 1e-4
	for i, where := range []Location{Reduced, Full} {
		r := geometry.NewRand(7)
		for range n {
			w := newWorld(t, Config{Gravity: down, Location: where}, force.Linear{Kn: 1e6, ByRestitution: true, Restitution: 1})
			floor(t, w, 20)
			pose := vec.Pose{Pos: vec.V(0, 0, 1), Rot: r.Rotation()}
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1000), Pose: pose, Vel: vec.V(1, 0, 0)})
			start := w.Measure().Balance()
			steps(t, w, 6000, dt)
			m := w.Measure()
			made[i] += math.Abs(m.Ledger.LawExcess) / m.StartedAbove / n
			if off := math.Abs(m.Balance() - start); off > w.NormalLeftOver(m, dt) {
				t.Errorf("location %d: the account is off by %g J, allowed %g J", where, off, w.NormalLeftOver(m, dt))
			}
		}
	}
	t.Logf("the law makes or takes %.3g of the energy, with the reduced location %.3g", made[1], made[0])
	if lever := 0.75 / 0.5; !(made[0] > 0) || made[1] > lever*lever*made[0] {
		t.Errorf("the law makes or takes %g of the energy, with the reduced location %g", made[1], made[0])
	}
}
