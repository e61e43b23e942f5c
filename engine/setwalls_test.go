package engine

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// tray returns a world with a floor of facets that can be set, a plane far below, and cubes and a rock
// that lie on the floor.
func tray(t testing.TB, cfg Config, law force.Parameters, pose vec.Pose, m Motion) (w *World, floor soa.ID) {
	t.Helper()
	cfg.Gravity = down
	w = newWorld(t, cfg, law)
	floor = soa.ID(w.bodies.Len())
	gridFloor(4, 0, 1).wall(t, w, pose, m)
	planeWall(t, w, PlanePose(vec.V(0, 0, -50), vec.V(0, 0, 1)), Motion{})
	cube := addShape(t, w, box(t, 0.2, 0.2, 0.2))
	for i := range 6 {
		addMoving(t, w, cube, at(0.3*float64(i%3)-0.3, 0.3*float64(i/3)-0.2, 0.1-2e-7), vec.Vec3{}, vec.Vec3{})
	}
	addMoving(t, w, addShape(t, w, rock(t, 4, 14, 0.12)), at(0, 0, 0.35), vec.Vec3{}, vec.Vec3{})
	return w, floor
}

// setLawsOf are the laws under which walls are set.
var setLawsOf = map[string]force.Parameters{
	"linear":    force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.3},
	"thickness": force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.3},
}

// TestSetWallsBeforeTheFirstStep checks that a wall set before the first step is one that was added so.
func TestSetWallsBeforeTheFirstStep(t *testing.T) {
	m := Motion{Velocity: vec.V(0.1, 0, 0), Spin: vec.V(0, 0, 0.5), Centre: vec.V(0.2, 0, 0)}
	pose := vec.Pose{Pos: vec.V(0.03, -0.02, 0.004), Rot: vec.FromRotationVector(vec.V(0, 0, 0.3))}
	for name, law := range setLawsOf {
		want, _ := tray(t, Config{}, law, pose, m)
		got, floor := tray(t, Config{}, law, vec.IdentityPose, Motion{})
		if err := errors.Join(got.SetWallPose(floor, pose), got.SetWallMotion(floor, m)); err != nil {
			t.Fatal(err)
		}
		steps(t, want, 200, 2e-5)
		steps(t, got, 200, 2e-5)
		if want.Hash() != got.Hash() {
			t.Errorf("%s: hash %016x of a wall that was set, %016x of one added so", name, got.Hash(), want.Hash())
		}
	}
}

// TestSetWallsGoOn sets motions and poses of a wall during a run. The wall must go on from where it is, the
// contacts must be those of a new world with the same poses, and a restored world must have the same bits.
func TestSetWallsGoOn(t *testing.T) {
	motions := []Motion{
		{Velocity: vec.V(0.2, 0, 0)},
		{Spin: vec.V(0, 0, 1), Centre: vec.V(1, 0, 0), Velocity: vec.V(0, 0.1, 0)},
		{Amplitude: vec.V(0.01, 0, 0), Frequency: 7, From: 0.01},
		{},
	}
	for name, law := range setLawsOf {
		for _, workers := range []int{1, 3} {
			cfg := Config{Workers: workers}
			w, floor := tray(t, cfg, law, vec.IdentityPose, motions[0])
			for k, m := range motions[1:] {
				steps(t, w, 150, 2e-5)
				before := w.Pose(floor)
				if err := w.SetWallMotion(floor, m); err != nil {
					t.Fatal(err)
				}
				if now := w.Pose(floor); now.Pos.Sub(before.Pos).Norm() > 1e-14 || math.Abs(math.Abs(now.Rot.Dot(before.Rot))-1) > 1e-14 {
					t.Errorf("%s: motion %d begins at %v, the last one ended at %v", name, k+1, now, before)
				}
				steps(t, w, 50, 2e-5)
				shifted := w.Pose(floor)
				shifted.Pos.X += 0.01
				if err := w.SetWallPose(floor, shifted); err != nil {
					t.Fatal(err)
				}
				if got := w.Pose(floor).Pos.Sub(shifted.Pos).Norm(); got > 1e-14 {
					t.Errorf("%s: the wall is %g m from where it was set", name, got)
				}
				fresh, _ := tray(t, cfg, law, w.Pose(floor), Motion{})
				for id := 2; id < w.bodies.Len(); id++ {
					if err := fresh.SetPose(soa.ID(id), w.Pose(soa.ID(id))); err != nil {
						t.Fatal(err)
					}
				}
				if got, want := w.Measure(), fresh.Measure(); got.Active != want.Active || math.Abs(got.Penetration-want.Penetration) > 1e-12 {
					t.Errorf("%s: %d contacts, penetration %g, a new world has %d and %g", name, got.Active, got.Penetration, want.Active, want.Penetration)
				}
				again, _ := tray(t, cfg, law, vec.IdentityPose, motions[0])
				if err := again.Restore(w.State()); err != nil {
					t.Fatal(err)
				}
				steps(t, again, 100, 2e-5)
				steps(t, w, 100, 2e-5)
				if w.Hash() != again.Hash() {
					t.Errorf("%s, motion %d: hash %016x after a restart, %016x without", name, k+1, again.Hash(), w.Hash())
				}
			}
			if m := w.Measure(); m.Active < 6 || math.Abs(m.LeftOver) > w.NormalLeftOver(m, 2e-5) {
				t.Errorf("%s: %d contacts, %g J left over, expected at most %g J", name, m.Active, m.LeftOver, w.NormalLeftOver(m, 2e-5))
			}
		}
	}
}

// TestSetWallsIsRefused checks the errors, and that they change nothing.
func TestSetWallsIsRefused(t *testing.T) {
	w, floor := tray(t, Config{}, setLawsOf["linear"], vec.IdentityPose, Motion{})
	steps(t, w, 10, 2e-5)
	plane, turned := floor+1, vec.Pose{Rot: vec.FromRotationVector(vec.V(0.1, 0, 0))}
	before, nan := w.Hash(), math.NaN()
	for name, err := range map[string]error{
		"a body": w.SetWallPose(floor+2, vec.Pose{}), "no body": w.SetWallPose(1000, vec.Pose{}), "no number": w.SetWallPose(floor, at(nan, 0, 0)),
		"not unit": w.SetWallPose(floor, vec.Pose{Rot: vec.Quat{W: 2}}), "too far": w.SetWallPose(floor, at(1e12, 0, 0)), "plane turned": w.SetWallPose(plane, turned),
		"motion of a body": w.SetWallMotion(floor+2, Motion{}), "endless": w.SetWallMotion(floor, Motion{Velocity: vec.V(math.Inf(1), 0, 0)}),
		"amplitude alone": w.SetWallMotion(floor, Motion{Amplitude: vec.V(1, 0, 0)}), "plane turns": w.SetWallMotion(plane, Motion{Spin: vec.V(1, 0, 0)}),
		"beyond numbers": w.SetWallMotion(floor, Motion{Velocity: vec.V(1e308, 0, 0)}), "a centre too far": w.SetWallMotion(floor, Motion{Spin: vec.V(1, 0, 0), Centre: vec.V(0, 1e20, 0)}),
		"frequency": w.SetWallMotion(floor, Motion{Amplitude: vec.V(1, 0, 0), Frequency: 1e308}), "spin": w.SetWallMotion(floor, Motion{Spin: vec.V(0, 1e308, 0)}),
	} {
		if !errors.Is(err, ErrBody) {
			t.Errorf("%s: error %v, expected ErrBody", name, err)
		}
	}
	if w.Hash() != before || w.setWalls {
		t.Error("a refused call has changed the world")
	}
	if err := errors.Join(w.SetWallPose(plane, at(0, 0, -60)), w.SetWallMotion(plane, Motion{Velocity: vec.V(0, 0, 0.1)})); err != nil {
		t.Errorf("a plane that moves: %v", err)
	}
	if err := w.SetWallMotion(floor, Motion{Velocity: vec.V(0, 0, 1e6)}); err != nil {
		t.Fatal(err)
	}
	var fast *WallError
	if err := w.Step(2e-5); !errors.As(err, &fast) {
		t.Errorf("a wall that is too fast: %v", err)
	}
	w.Close()
	if err := errors.Join(w.SetWallPose(floor, vec.Pose{})); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestPoseIsThatOfTheParts checks Pose and SetPose of bodies whose centre of mass is not the origin of
// their parts.
func TestPoseIsThatOfTheParts(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	stone, cube := addShape(t, w, rock(t, 9, 20, 0.3)), addShape(t, w, box(t, 0.2, 0.3, 0.4))
	parts := []Part{{Shape: stone, Density: 1000, Local: at(1, 0, 0.2)}, {Shape: cube, Density: 3000, Local: vec.Pose{Pos: vec.V(0.3, 0.1, 0), Rot: vec.FromRotationVector(vec.V(0, 1, 0))}}}
	same := func(a, b vec.Pose) bool {
		return a.Pos.Sub(b.Pos).Norm() < 1e-14 && 1-math.Abs(a.Rot.Dot(b.Rot)) < 1e-15
	}
	for k, of := range [][]Part{one(stone, 1000), parts} {
		pose := vec.Pose{Pos: vec.V(3*float64(k), 2, 1), Rot: vec.FromRotationVector(vec.V(0.3, 0.2, float64(k)))}
		id := soa.ID(addBody(t, w, BodySpec{Parts: of, Pose: pose}))
		if got := w.Pose(id); !same(got, pose) {
			t.Errorf("added at %v, its pose is %v", pose, got)
		}
		to := vec.Pose{Pos: vec.V(1, float64(k), 7), Rot: vec.FromRotationVector(vec.V(-1, 0.5, 0.1))}
		if err := w.SetPose(id, to); err != nil {
			t.Fatal(err)
		}
		if got := w.Pose(id); !same(got, to) {
			t.Errorf("set to %v, its pose is %v", to, got)
		}
		if k == 1 && w.bodies.Pos.At(int(id)).Sub(to.Pos).Norm() < 0.1 {
			t.Error("the centre of mass is the origin of the parts")
		}
	}
}
