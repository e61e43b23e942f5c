package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// twoCubes returns a world of two cubes of 650 kg, 1 cm apart.
func twoCubes(t testing.TB, law force.Linear) *World {
	w := newWorld(t, Config{}, law)
	s := addShape(t, w, box(t, 1, 1, 1))
	addBody(t, w, BodySpec{Name: "low", Parts: one(s, 650), Pose: at(0, 0, 0)})
	addBody(t, w, BodySpec{Name: "high", Parts: one(s, 650), Pose: at(0, 0, 1.01)})
	return w
}

// TestStepRefusesWhatIsNotStable checks that a rejected step moves nothing, and that a shorter one
// may follow.
func TestStepRefusesWhatIsNotStable(t *testing.T) {
	w := twoCubes(t, force.Linear{Kn: 1e8, ByRestitution: true, Restitution: 0.5})
	w.bodies.Vel.Z[1] = -1
	untouched := w.Hash()
	for _, dt := range []float64{0, -1e-4, math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 1.001 * w.TimeStep().Stable} {
		for range 2 {
			if err := w.Step(dt); !errors.Is(err, ErrTimeStep) {
				t.Errorf("a step of %g s: error %v, expected ErrTimeStep", dt, err)
			}
		}
	}
	if w.Hash() != untouched || w.Steps() != 0 || w.Time() != 0 {
		t.Errorf("refused steps left the world at step %d with hash %016x, expected %016x", w.Steps(), w.Hash(), untouched)
	}
	steps(t, w, 3, 0.999*w.TimeStep().Stable)
	if err := w.Step(0.1); !errors.Is(err, ErrTimeStep) {
		t.Errorf("a step of 0.1 s after others: error %v, expected ErrTimeStep", err)
	}
	steps(t, w, 1, 1e-4)
}

// TestStepsWithoutContacts checks that any step is accepted if no bodies can meet.
func TestStepsWithoutContacts(t *testing.T) {
	for name, add := range map[string]func(w *World){
		"one body": func(w *World) {
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 650), Pose: at(0, 0, 0)})
		},
		"one body of two pieces": func(w *World) {
			s := addShape(t, w, ball(t, 1))
			parts := []Part{{Shape: s, Density: 1}, {Shape: s, Density: 1, Local: at(1, 0, 0)}}
			addBody(t, w, BodySpec{Parts: parts, Pose: at(0, 0, 0)})
		},
		"walls": func(w *World) { floor(t, w, 1); floor(t, w, 2) },
		"none":  func(*World) {},
	} {
		w := newWorld(t, Config{}, force.Linear{Kn: 1e9})
		add(w)
		if l := w.TimeStep(); !math.IsInf(l.Stable, 1) || !math.IsInf(l.Contact, 1) || !math.IsInf(l.Packed, 1) {
			t.Errorf("%s: %+v, expected no limit", name, l)
		}
		if err := w.Step(10); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Step(math.Inf(1)); !errors.Is(err, ErrTimeStep) {
			t.Errorf("%s: an infinite step: error %v, expected ErrTimeStep", name, err)
		}
	}
}

// TestHugeDampingIsRefused tries a damping ratio whose square overflows. It once made the limit
// NaN, so that no step was rejected.
func TestHugeDampingIsRefused(t *testing.T) {
	for _, d := range []float64{1e10, 1e154, 1e160, 1e300, math.MaxFloat64} {
		w := twoCubes(t, force.Linear{Kn: 1e5, Dn: d})
		if l := w.TimeStep(); !(l.Stable >= 0 && l.Stable < 1e-6 && l.Packed <= l.Stable) {
			t.Errorf("damping %g: %+v, expected a limit below 1e-6 s", d, l)
		}
		if _, err := w.CheckTimeStep(1e-4); !errors.Is(err, ErrTimeStep) {
			t.Errorf("damping %g: error %v, expected ErrTimeStep", d, err)
		}
		if err := w.Step(1e-4); !errors.Is(err, ErrTimeStep) {
			t.Errorf("damping %g: a step: error %v, expected ErrTimeStep", d, err)
		}
	}
}

// TestTangentialDamping checks a tangential dashpot that is too strong for the step. The step must
// be rejected if friction is too high to bound the dashpot; otherwise the dashpot only chatters.
func TestTangentialDamping(t *testing.T) {
	sliding := func(mu, dashpot float64) *World {
		w := newWorld(t, Config{Gravity: down}, force.Linear{Kn: 1e6, Kt: 1e5, Mu: mu, Dt: dashpot, ByRestitution: true, Restitution: 0.5})
		slab(t, w)
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(0, 0, 0.0999), Vel: vec.V(1e-3, 0, 0)})
		return w
	}
	const dt = 1e-4
	if err := sliding(1e6, 1e6).Step(dt); !errors.Is(err, ErrTimeStep) {
		t.Errorf("friction without bound: error %v, expected ErrTimeStep", err)
	}
	for _, c := range []struct{ mu, dashpot float64 }{{0.5, 1e6}, {1e6, 1e3}, {0, 1e6}} {
		w := sliding(c.mu, c.dashpot)
		if stable := w.TimeStep().Stable; stable < dt {
			t.Fatalf("friction %g, dashpot %g: stable up to %g s, expected %g s at least", c.mu, c.dashpot, stable, dt)
		}
		steps(t, w, 3000, dt)
		if m := w.Measure(); m.MaxSpeed > 2e-3 {
			t.Errorf("friction %g, dashpot %g: %g m/s in the end, expected no more than at the start", c.mu, c.dashpot, m.MaxSpeed)
		}
	}
}

// row returns balls of 1 kg between two fixed ones, compressed by a hundredth of their radius, the
// first one pushed slightly.
func row(t testing.TB, n int, law force.Linear, workers int) *World {
	w := newWorld(t, Config{Workers: workers}, law)
	s := addShape(t, w, ball(t, 1))
	const gap = 1.99
	for i := range n {
		addBody(t, w, BodySpec{Parts: one(s, 3/(4*pi)), Pose: at(gap*float64(i), 0, 0)})
	}
	w.bodies.Vel.X[0] = 1e-6
	for _, i := range []int{-1, n} {
		addWall(t, w, WallSpec{Parts: []Part{{Shape: s}}, Pose: at(gap*float64(i), 0, 0)})
	}
	return w
}

// TestTheLimitIsTheLimit checks a row of balls, whose antiphase mode has ω² = 4k/m, less an effect
// of the ends. Just below the stable step for springs and dashpots, the row must be at rest or keep
// its energy. Just above, it must gain energy and cause a warning.
func TestTheLimitIsTheLimit(t *testing.T) {
	const n, k = 24, 100.0
	for _, c := range []struct{ dashpot, limit float64 }{
		{0, 0.1},                          // dt²·k = 1
		{5, 0.05 * (math.Sqrt(5) - 1)},    // dt²·k + 2dt·c = 1
		{80, 0.1 * (math.Sqrt(1+64) - 8)}, // far above the critical damping
		{1e4, 0.1 / (math.Sqrt(1+1000.0*1000.0) + 1000.0)}, // almost no spring
	} {
		swing := func(share float64, workers int) (gain float64, warnings []string) {
			w := row(t, n, force.Linear{Kn: k, Dn: c.dashpot}, workers)
			before := w.Measure().Kinetic()
			for range 1200 {
				steps(t, w, 1, share*c.limit)
				gain = max(gain, w.Measure().Kinetic()/before)
			}
			return gain, w.Warnings()
		}
		if gain, warnings := swing(0.995, 1); gain > 2 || len(warnings) > 0 {
			t.Errorf("dashpot %g, below the limit: %g times the energy, warnings %q", c.dashpot, gain, warnings)
		}
		gain, warnings := swing(1.02, 1)
		if gain < 100 || len(warnings) != 1 {
			t.Fatalf("dashpot %g, above the limit: %g times the energy, warnings %q, expected growth and one warning", c.dashpot, gain, warnings)
		}
		if !strings.Contains(warnings[0], "is too long for body 16, whose 2 active contacts") {
			t.Errorf("warning %q, expected one of body 16", warnings[0])
		}
		if _, other := swing(1.02, 3); other[0] != warnings[0] {
			t.Errorf("warning %q on three workers, %q on one", other[0], warnings[0])
		}
	}
}

// TestCubesOnCubes checks cubes on cubes at a twentieth of the contact time, at which a single
// contact is stable. They gain energy if the force acts at their corners and the restitution is
// low. The world must warn of that at the start and during the run.
func TestCubesOnCubes(t *testing.T) {
	column := func(loc Location, restitution float64) *World {
		w := newWorld(t, Config{Gravity: down, Location: loc},
			force.Linear{Kn: 4e7, Kt: 3.2e7, Mu: 0.5, ByRestitution: true, Restitution: restitution})
		floor(t, w, 3)
		s := addShape(t, w, box(t, 1, 1, 1))
		for i := range 10 {
			addBody(t, w, BodySpec{Parts: one(s, 650), Pose: at(0, 0, 0.5+float64(i))})
		}
		return w
	}
	w := column(Witness, 0.1)
	dt := w.TimeStep().Contact / 20
	warning, err := w.CheckTimeStep(dt)
	if err != nil || !strings.Contains(warning, "held by 6 contacts each") {
		t.Errorf("restitution 0.1: %q, %v, expected a warning", warning, err)
	}
	steps(t, w, 1000, dt)
	if len(w.Warnings()) != 1 || !strings.Contains(w.Warnings()[0], "too long for body") {
		t.Errorf("restitution 0.1: warnings %q, expected one in the run", w.Warnings())
	}
	t.Logf("restitution 0.1: %g m/s after %g s", w.Measure().MaxSpeed, w.Time())
	calm := column(Reduced, 0.5)
	dt = calm.TimeStep().Contact / 20
	if warning, err := calm.CheckTimeStep(dt); err != nil || warning != "" {
		t.Errorf("restitution 0.5: %q, %v, expected no warning", warning, err)
	}
	steps(t, calm, 200, dt)
	if len(calm.Warnings()) > 0 {
		t.Errorf("restitution 0.5: warnings %q, expected none", calm.Warnings())
	}
}

// TestFastWallsAreRefused checks that a wall may neither pass through a body in one step nor
// oscillate faster than two steps per period.
func TestFastWallsAreRefused(t *testing.T) {
	const dt = 1e-3
	for name, c := range map[string]struct {
		motion Motion
		want   string // "" if accepted
	}{
		"slow":               {Motion{Velocity: vec.V(0, 0, 90)}, ""},
		"fast":               {Motion{Velocity: vec.V(0, 0, 110)}, "moves at up to 110 m/s, expected at most 100 m/s"},
		"swings slowly":      {Motion{Amplitude: vec.V(0, 0, 1), Frequency: 14}, ""},
		"swings fast":        {Motion{Amplitude: vec.V(0, 0, 1), Frequency: 16}, "moves at up to 101 m/s, expected at most 100 m/s"},
		"swings by a little": {Motion{Amplitude: vec.V(0, 0, 1e-6), Frequency: 510}, "oscillates at 510 1/s, expected at most 500 1/s"},
		"turns slowly":       {Motion{Spin: vec.V(0, 0, 60)}, ""},
		"turns fast":         {Motion{Spin: vec.V(0, 0, 75)}, "moves at up to 106 m/s"},
		"turns far out":      {Motion{Spin: vec.V(0, 0, 30), Centre: vec.V(2, 0, 0)}, "moves at up to 102 m/s"},
		"beyond all numbers": {Motion{Velocity: vec.V(0, 1e200, 0)}, "moves at up to"},
	} {
		w := newWorld(t, Config{}, force.Linear{Kn: 1})
		a, b, d := vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0)
		id := addWall(t, w, WallSpec{Name: "paddle", Pose: vec.IdentityPose, Motion: c.motion,
			Parts: []Part{{Shape: addShape(t, w, facet(t, a, b, d))}}})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 0.1)), 1), Pose: at(0, 0, 5)})
		_, err := w.CheckTimeStep(dt)
		if stepErr := w.Step(dt); (stepErr == nil) != (err == nil) {
			t.Errorf("%s: Step says %v, CheckTimeStep %v", name, stepErr, err)
		}
		var wall *WallError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "":
		case !errors.As(err, &wall) || !errors.Is(err, ErrTimeStep) || int(wall.Wall) != id ||
			!strings.Contains(err.Error(), "body 0 (paddle) "+c.want):
			t.Errorf("%s: error %v, expected %q of body 0 (paddle)", name, err, c.want)
		}
	}
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	plane := []Part{{Shape: addShape(t, w, PlaneTemplate())}}
	for _, m := range []Motion{{Amplitude: vec.V(0, 0, 1)}, {Frequency: 3}} {
		if _, err := w.AddWall(WallSpec{Parts: plane, Pose: vec.IdentityPose, Motion: m}); !errors.Is(err, ErrBody) {
			t.Errorf("motion %+v: error %v, expected ErrBody", m, err)
		}
	}
}

// TestHugeStepIsAFault makes a step so long that the engine's horizon would overflow.
func TestHugeStepIsAFault(t *testing.T) {
	w := newWorld(t, Config{}, elastic(1e5))
	addMoving(t, w, addShape(t, w, ball(t, 1)), at(0, 0, 0), vec.V(1, 0, 0), vec.Vec3{})
	if err := w.Step(1e307); !errors.Is(err, ErrFault) {
		t.Errorf("error %v, expected one that wraps ErrFault", err)
	}
}
