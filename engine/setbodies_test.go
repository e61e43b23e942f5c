package engine

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// setLaws are the two laws whose pairs use certificates.
var setLaws = map[string]force.Parameters{
	"thickness": force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.4},
	"linear":    force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.4},
}

// disturb sets a pose, far or near, a velocity, and a load.
func disturb(t *testing.T, w *World, turn int) {
	t.Helper()
	b := w.Bodies()
	var free []soa.ID
	for i := range b.Len() {
		if b.InvMass[i] != 0 {
			free = append(free, soa.ID(i))
		}
	}
	pick := func(k int) soa.ID { return free[(7*turn+k)%len(free)] }
	far := b.Pose(soa.Body(pick(1)))
	far.Pos = far.Pos.Add(vec.V(0.01, 0, 0.3)) // above the others, and beside its position
	near := b.Pose(soa.Body(pick(2)))
	near.Rot = near.Rot.Mul(vec.FromRotationVector(vec.V(0.2, 0.1, 0)))
	into := b.Pose(soa.Body(pick(3)))
	into.Pos = into.Pos.Add(b.Pos.At(int(pick(4))).Sub(into.Pos).Scale(0.05)) // towards another
	for id, pose := range map[soa.ID]vec.Pose{pick(1): far, pick(2): near, pick(3): into} {
		if err := w.SetPose(id, pose); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		w.SetVelocity(pick(5), vec.V(0, 0.3, 0.5), vec.V(3, 0, 1)),
		w.SetLoad(pick(6), vec.V(0, 0.1*float64(turn), 0), vec.V(0, 0, 0.001)),
	); err != nil {
		t.Fatal(err)
	}
}

// TestSetPoseKeepsCertificatesTrue disturbs a heap repeatedly. A world restored from the state
// right after a change has no certificates and no candidate pairs, and must continue with the same
// bits.
func TestSetPoseKeepsCertificatesTrue(t *testing.T) {
	for name, law := range setLaws {
		t.Run(name, func(t *testing.T) {
			w := heapUnder(t, law, 0, Config{Workers: 2}, 24)
			for turn := range 5 {
				steps(t, w, 150, 1e-4)
				disturb(t, w, turn)
				other := heapUnder(t, law, 0, Config{Workers: 1}, 24)
				if err := other.Restore(w.State()); err != nil {
					t.Fatal(err)
				}
				for k := range 4 {
					steps(t, w, 20, 1e-4)
					steps(t, other, 20, 1e-4)
					if w.Hash() != other.Hash() {
						t.Fatalf("after change %d and %d steps another hash than restored there", turn, 20*(k+1))
					}
				}
				if got, want := w.Measure().Ledger, other.Measure().Ledger; got != want {
					t.Errorf("ledger %+v, restored %+v", got, want)
				}
			}
		})
	}
}

// TestSetPoseIsAWorldBuiltThere moves bodies before the first step, and later while nothing
// touches. The bits must be those of a world built with these poses.
func TestSetPoseIsAWorldBuiltThere(t *testing.T) {
	build := func(pose vec.Pose, vel, spin vec.Vec3) (*World, soa.ID) {
		w := newWorld(t, Config{Gravity: vec.V(0, 0, -9.81)}, force.Thickness{Stiffness: 2e3, Tangential: 1e3, Friction: 0.5, Restitution: 0.4})
		addFloor(t, w)
		shape := addShape(t, w, rock(t, 3, 16, 0.1))
		addMoving(t, w, shape, at(0.05, 0, 0.12), vec.Vec3{}, vec.Vec3{})
		return w, addMoving(t, w, shape, pose, vel, spin)
	}
	pose := vec.Pose{Pos: vec.V(0, 0.02, 0.3), Rot: vec.FromRotationVector(vec.V(1, 2, 3))}
	vel, spin := vec.V(0.1, 0, -1), vec.V(0, 5, 2)
	want, _ := build(pose, vel, spin)
	got, id := build(vec.Pose{}, vec.Vec3{}, vec.Vec3{})
	for range 2 {
		if err := errors.Join(got.SetVelocity(id, vel, spin), got.SetPose(id, pose)); err != nil {
			t.Fatal(err)
		}
	}
	steps(t, want, 800, 1e-4)
	steps(t, got, 800, 1e-4)
	if got.Hash() != want.Hash() || got.Measure().Active == 0 {
		t.Error("set before the first step: another hash than built there, or no contact")
	}

	// Reset to the initial state, except for the clock.
	start, _ := build(pose, vel, spin)
	for k, i := range []soa.ID{id - 1, id} {
		if err := errors.Join(got.SetPose(i, []vec.Pose{at(0.05, 0, 0.12), pose}[k]),
			got.SetVelocity(i, start.Bodies().Vel.At(int(i)), start.Bodies().Spin.At(int(i)))); err != nil {
			t.Fatal(err)
		}
	}
	steps(t, got, 800, 1e-4)
	for _, i := range []soa.ID{id - 1, id} {
		if got.Bodies().Pose(soa.Body(i)) != want.Bodies().Pose(soa.Body(i)) || got.Bodies().AngMom.At(int(i)) != want.Bodies().AngMom.At(int(i)) {
			t.Errorf("body %d after it was put back: pose %v, expected %v", i, got.Bodies().Pose(soa.Body(i)), want.Bodies().Pose(soa.Body(i)))
		}
	}
}

// TestSetPoseShowsAtOnce moves a body into another and away again. Contacts and ledger must be
// those of the new poses before any step.
func TestSetPoseShowsAtOnce(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e5, Restitution: 1})
	cube := addShape(t, w, box(t, 1, 1, 1))
	a := addMoving(t, w, cube, at(0, 0, 0), vec.Vec3{}, vec.Vec3{})
	b := addMoving(t, w, cube, at(50, 0, 0), vec.Vec3{}, vec.Vec3{})
	steps(t, w, 5, 1e-5)
	for _, x := range []float64{0.99, 5, -0.99, 50, 0.99} {
		if err := w.SetPose(b, vec.Pose{Pos: vec.V(x, 0, 0)}); err != nil {
			t.Fatal(err)
		}
		touching := 0
		for c := range w.ActiveContacts() {
			touching++
			if c.A != a || c.B != b || math.Abs(c.Force.X+math.Copysign(1e3, x)) > 1e-4 || math.Abs(c.Gap+0.01) > 1e-9 {
				t.Errorf("at %g m: %+v", x, c)
			}
		}
		if m := w.Measure(); (touching == 1) != (math.Abs(x) < 1) || math.Abs(m.LeftOver) > 1e-9 {
			t.Errorf("at %g m: %d contacts, left over %g J", x, touching, m.LeftOver)
		}
	}
}

// TestWallForceAtOnce reads the force on a wall before the first step, and right after SetPose.
func TestWallForceAtOnce(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	addFloor(t, w)
	id := addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 0.49), vec.Vec3{}, vec.Vec3{})
	for _, z := range []float64{0.49, 0.5, 0.48} {
		if err := w.SetPose(id, at(0, 0, z)); err != nil {
			t.Fatal(err)
		}
		if f, _, _ := w.WallForce(0); math.Abs(f.Z+1e5*(0.5-z)) > 1e-6 {
			t.Errorf("at %g m the force on the wall is %g N, expected %g N", z, f.Z, -1e5*(0.5-z))
		}
		w.Measure()
	}
}

// TestSetLoad pushes and turns a cube from rest. Its motion must be right, and the work must be in
// the ledger. A second load must replace the first.
func TestSetLoad(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	id := addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), vec.Pose{}, vec.Vec3{}, vec.Vec3{}) // 1 kg, 1/6 kg·m²
	steps(t, w, 1, 1e-3)
	if err := w.SetLoad(id, vec.V(2, 0, 0), vec.V(0, 0, 0.5)); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 1000, 1e-3)
	vel, spin := w.Bodies().Vel.At(int(id)), w.Bodies().Spin.At(int(id))
	if vel.Sub(vec.V(2, 0, 0)).Norm() > 1e-12 || spin.Sub(vec.V(0, 0, 3)).Norm() > 1e-12 {
		t.Errorf("velocity %v and spin %v after 1 s, expected 2 m/s and 3 rad/s", vel, spin)
	}
	// Continue from a state, which contains the load.
	other := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	addMoving(t, other, addShape(t, other, box(t, 1, 1, 1)), vec.Pose{}, vec.Vec3{}, vec.Vec3{})
	if err := other.SetLoad(id, vec.V(7, 7, 7), vec.Vec3{}); err != nil { // the loads of the state must replace this one
		t.Fatal(err)
	}
	if err := other.Restore(w.State()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*World{w, other} {
		if err := w.SetLoad(id, vec.V(-1, 0, 0), vec.Vec3{}); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1000, 1e-3)
		m := w.Measure()
		if v := w.Bodies().Vel.X[id]; math.Abs(v-1) > 1e-12 {
			t.Errorf("%g m/s after a second of −1 N, expected 1", v)
		}
		if math.Abs(m.LeftOver) > 1e-12 || math.Abs(m.Ledger.Applied-m.Kinetic()) > 1e-12 {
			t.Errorf("left over %g J, applied %g J of %g J", m.LeftOver, m.Ledger.Applied, m.Kinetic())
		}
	}
	if w.Hash() != other.Hash() {
		t.Error("another hash after a restart")
	}
}

// TestSetRefused checks that walls, missing bodies, invalid poses and invalid numbers are rejected
// without any change.
func TestSetRefused(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	addFloor(t, w)
	id := addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 5), vec.V(1, 0, 0), vec.Vec3{})
	steps(t, w, 1, 1e-3)
	hash, nan := w.Hash(), math.NaN()
	for name, err := range map[string]error{
		"wall":            w.SetPose(0, vec.Pose{}),
		"no body":         w.SetPose(7, vec.Pose{}),
		"no number":       w.SetPose(id, at(nan, 0, 0)),
		"not unit":        w.SetPose(id, vec.Pose{Rot: vec.Quat{W: 2}}),
		"too far":         w.SetPose(id, at(1e12, 0, 0)),
		"velocity":        w.SetVelocity(id, vec.V(nan, 0, 0), vec.Vec3{}),
		"velocity, wall":  w.SetVelocity(0, vec.Vec3{}, vec.Vec3{}),
		"load, no body":   w.SetLoad(7, vec.Vec3{}, vec.Vec3{}),
		"load, no number": w.SetLoad(id, vec.V(math.Inf(1), 0, 0), vec.Vec3{}),
	} {
		if !errors.Is(err, ErrBody) {
			t.Errorf("%s: error %v, expected ErrBody", name, err)
		}
	}
	if w.Hash() != hash {
		t.Error("what was refused changed the world")
	}
	w.Close()
	if err := w.SetPose(id, vec.Pose{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestSetKeepsToThePlane checks that bodies of a planar world cannot be set out of the plane, nor
// those of position Verlet be made to turn, and that restoring a state without loads removes all
// loads.
func TestSetKeepsToThePlane(t *testing.T) {
	round := ball(t, 0.5)
	flat := newWorld(t, Config{Planar: true}, elastic(1e5))
	turns := newWorld(t, Config{Integrator: PositionVerlet}, elastic(1e5))
	for _, w := range []*World{flat, turns} {
		addMoving(t, w, addShape(t, w, round), vec.Pose{}, vec.Vec3{}, vec.Vec3{})
		steps(t, w, 1, 1e-3)
	}
	for name, err := range map[string]error{
		"pose":     flat.SetPose(0, at(0, 0, 1)),
		"velocity": flat.SetVelocity(0, vec.V(0, 0, 1), vec.Vec3{}),
		"spin":     flat.SetVelocity(0, vec.Vec3{}, vec.V(1, 0, 0)),
		"force":    flat.SetLoad(0, vec.V(0, 0, 1), vec.Vec3{}),
		"torque":   flat.SetLoad(0, vec.Vec3{}, vec.V(0, 1, 0)),
		"turning":  turns.SetVelocity(0, vec.Vec3{}, vec.V(0, 0, 1)),
		"turned":   turns.SetLoad(0, vec.Vec3{}, vec.V(0, 0, 1)),
	} {
		if !errors.Is(err, ErrBody) {
			t.Errorf("%s: error %v, expected ErrBody", name, err)
		}
	}
	fresh := newWorld(t, Config{Integrator: PositionVerlet}, elastic(1e5))
	addMoving(t, fresh, addShape(t, fresh, round), vec.Pose{}, vec.Vec3{}, vec.Vec3{})
	if err := fresh.SetLoad(0, vec.V(1, 0, 0), vec.Vec3{}); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Restore(turns.State()); err != nil {
		t.Fatal(err)
	}
	steps(t, fresh, 3, 1e-3)
	if steps(t, turns, 3, 1e-3); turns.Hash() != fresh.Hash() {
		t.Errorf("after a state without loads the ball moves with %v", fresh.Bodies().Vel.At(0))
	}
}

// TestActiveContacts compares the values with the columns, for a sliding cube and a resting one.
func TestActiveContacts(t *testing.T) {
	for name, law := range setLaws {
		w := newWorld(t, Config{Gravity: vec.V(0, 0, -9.81)}, law)
		addFloor(t, w)
		cube := addShape(t, w, box(t, 0.1, 0.1, 0.1))
		rests := addMoving(t, w, cube, at(0, 0, 0.050001), vec.Vec3{}, vec.Vec3{})
		slides := addMoving(t, w, cube, at(1, 0, 0.050001), vec.V(2, 0, 0), vec.Vec3{})
		for c := range w.ActiveContacts() {
			t.Errorf("%s: apart, %+v", name, c)
		}
		steps(t, w, 1500, 2e-5)
		seen := map[soa.ID]bool{}
		var sum vec.Vec3
		for c := range w.ActiveContacts() {
			seen[c.A] = true
			con := w.Contacts()
			if c.B != 0 || c.Sliding != (c.A == slides) || c.Gap != con.Gap[c.Row] || c.Location != con.Location.At(c.Row) ||
				c.Force != w.forces.Force.At(c.Row) || c.Normal != con.Normal.At(c.Row) || w.Pieces().Body[c.PieceA] != soa.Body(c.A) {
				t.Errorf("%s: %+v", name, c)
			}
			sum = sum.Add(c.Force)
		}
		if f, _, _ := w.WallForce(0); !seen[rests] || !seen[slides] || sum.Add(f).Norm() > 1e-12*f.Norm() {
			t.Errorf("%s: contacts of %v, forces %v, on the wall %v", name, seen, sum, f)
		}
		for range w.ActiveContacts() {
			break
		}
	}
}
