package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ballWalls returns walls that a ball touches at several points at once.
func ballWalls() map[string]triangles {
	return map[string]triangles{
		"slight valley": twoSlopes(0.02), "valley": twoSlopes(0.3), "steep valley": twoSlopes(1.2), "groove": twoSlopes(2),
		"bowl": triangles{}.turned(16, [2]float64{0, -0.7}, [2]float64{0.35, -0.6}, [2]float64{0.6, -0.35}, [2]float64{0.7, 0}),
		"drum": drum(24).moved(vec.V(0, 0, 1.8)), "cone": triangles{}.turned(24, [2]float64{0, 0}, [2]float64{1, 0.5}),
		"rough": roughFloor(8, 0.05, 1), "rougher": roughFloor(8, 0.2, 2), "hole": triangles{}.turned(12, [2]float64{0.25, 0}, [2]float64{1, 0}),
	}
}

// ballLaws returns laws without and with area exponents.
func ballLaws() map[string]force.Thickness {
	return map[string]force.Thickness{
		"stiffness": {Stiffness: 1, Restitution: 1}, "modulus": {Stiffness: 1, Restitution: 1, AreaExponent: 0.5}, "bed": {Stiffness: 1, Restitution: 1, AreaExponent: 1},
	}
}

// ballWorld returns a world of a wall and a ball, for pressAt.
func ballWorld(t testing.TB, wall triangles, radius float64, law force.Thickness) (w *World, id int) {
	t.Helper()
	w = newWorld(t, Config{}, law)
	wall.wall(t, w, vec.IdentityPose, Motion{})
	id = int(addMoving(t, w, addShape(t, w, ball(t, radius)), at(0, 0, 1e3), vec.Vec3{}, vec.Vec3{}))
	w.Measure()
	return w, id
}

// TestPressBallIsTheSlope moves a ball, up to a tenth of its radius deep, along short paths over
// walls. The stored energy must change by the mean force of each step and never jump, and the force
// must point through the ball's centre.
func TestPressBallIsTheSlope(t *testing.T) {
	const radius, n = 0.3, 50
	ways := 30
	if *soakPress > 0 {
		ways = 50 * *soakPress
	}
	for name, wall := range ballWalls() {
		for kind, law := range ballLaws() {
			r := rand.New(rand.NewPCG(3, 3))
			w, id := ballWorld(t, wall, radius, law)
			jump, turn, shared := 0.0, 0.0, 0
			for range ways {
				c := vec.V(0.25*r.NormFloat64(), 0.25*r.NormFloat64(), 0)
				c.Z = w.touchdown(id, vec.Pose{Pos: c, Rot: vec.Identity})
				depth := radius * math.Pow(10, -3+2*r.Float64())
				c.Z -= depth
				along := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit().Scale(0.3 * depth / n)
				f, _ := w.pressAt(id, vec.Pose{Pos: c, Rot: vec.Identity})
				e, most := storedIn(w), 0.0
				for range n {
					c = c.Add(along)
					g, m := w.pressAt(id, vec.Pose{Pos: c, Rot: vec.Identity})
					next := storedIn(w)
					most = max(most, next)
					if most == 0 {
						continue
					}
					jump, turn = max(jump, math.Abs(next-e+0.5*f.Add(g).Dot(along))/most), max(turn, m.Norm()/depth)
					if f, e = g, next; activeContacts(w) > 1 {
						shared++
					}
				}
			}
			t.Logf("%s, %s: %.2g of what is stored is not force times way, moments are %.2g of force and radius; %d places of several contacts", name, kind, jump, turn, shared)
			if jump > 4e-5 || turn > 1e-12 {
				t.Errorf("%s, %s: %.2g of what is stored is not force times way, moments are %.2g of force and radius", name, kind, jump, turn)
			}
		}
	}
}

// TestPressBallInAValley compares the stored energy of a ball between two planes with the law's
// definition. s² is the squared distance over a ridge and on one side; between two sides whose
// normals have the cosine c it is (δ² + δ′² − 2K·δ·δ′)/(1 − K²), K = c²·(1 + c)/2.
func TestPressBallInAValley(t *testing.T) {
	const radius = 0.3
	for _, bend := range []float64{1e-7, 1e-3, 0.1, 0.6, math.Pi / 2, 2, 2.5, -0.1, -1} {
		w, id := ballWorld(t, twoSlopes(bend), radius, force.Thickness{Stiffness: 2, Restitution: 1})
		sin, cos := math.Sincos(bend)
		both := 0
		r := rand.New(rand.NewPCG(5, 5))
		for range 200 {
			up := vec.V(-math.Sin(bend/2), 0, math.Cos(bend/2))
			high := radius / math.Cos(bend/2)
			if bend < 0 {
				high = radius
			}
			c := up.Scale(high-0.02*radius*r.Float64()).AddScaled(0.1*radius*r.NormFloat64(), vec.V(math.Cos(bend/2), 0, math.Sin(bend/2)))
			left, right := radius-c.Z, radius-vec.V(-sin, 0, cos).Dot(c)
			onLeft, onRight := c.X < 0, vec.V(cos, 0, sin).Dot(c) > 0
			want := 0.0
			switch k := 0.5 * cos * cos * (1 + cos); {
			case onLeft && onRight:
				switch left, right = max(left, 0), max(right, 0); {
				case right <= k*left:
					want = left * left
				case left <= k*right:
					want = right * right
				default:
					want = (left*left + right*right - 2*k*left*right) / (1 - k*k)
					both++
				}
			case onLeft:
				want = max(left, 0) * max(left, 0)
			case onRight:
				want = max(right, 0) * max(right, 0)
			default:
				deep := max(radius-math.Hypot(c.X, c.Z), 0)
				want = deep * deep
			}
			w.pressAt(id, vec.Pose{Pos: c, Rot: vec.Identity})
			if got := storedIn(w); math.Abs(got-want) > 2e-9*(radius*radius*1e-4+want) {
				t.Fatalf("bend %g, at %v: the ball stores %.12g, expected %.12g", bend, c, got, want)
			}
		}
		if both == 0 && bend > 0.05 {
			t.Errorf("bend %g: the ball never presses on both sides", bend)
		}
	}
}

// TestPressBallOnAnyCut presses a ball in the middle of cones and a pipe of 24 to 384 sides, to
// equal depth under each side. The stored energy must not depend on the number of sides. In a pipe
// it must be that of four walls at right angles.
func TestPressBallOnAnyCut(t *testing.T) {
	const radius, depth = 0.3, 1e-3
	for name, slope := range map[string]float64{"flat cone": 0.05, "cone": 0.5, "steep cone": 2, "pipe": math.Inf(1)} {
		low, high := math.Inf(1), 0.0
		for _, n := range []int{24, 25, 96, 384} {
			wide := 1 / math.Cos(math.Pi/float64(n)) // ratio of the radii of corners and sides
			wall := triangles{}.turned(n, [2]float64{(radius - depth) * wide, -1}, [2]float64{(radius - depth) * wide, 1})
			pose := vec.IdentityPose
			if !math.IsInf(slope, 0) {
				wall = triangles{}.turned(n, [2]float64{0.01 * wide, 0.01 * slope}, [2]float64{wide, slope})
				pose.Pos.Z = (radius - depth) * math.Sqrt(1+slope*slope)
			}
			w, id := ballWorld(t, wall, radius, force.Thickness{Stiffness: 2, Restitution: 1})
			w.pressAt(id, pose)
			stored := storedIn(w) / (depth * depth)
			low, high = min(low, stored), max(high, stored)
		}
		t.Logf("%s: the ball stores %.3f to %.3f of what it does on a plane", name, low, high)
		if !(low > 0.99) || high > 1.01*low || high > 4.1 {
			t.Errorf("%s: the ball stores %g to %g of what it does on a plane", name, low, high)
		}
	}
}

// TestPressBallsKeepEnergy lets elastic balls roll and fall on walls of several facets. The error
// of their energy must be that of the time step, which falls with its square.
func TestPressBallsKeepEnergy(t *testing.T) {
	require.Numbers(t)
	for name, wall := range ballWalls() {
		made := func(dt float64) (worst float64) {
			for k := range 3 {
				w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e5, Restitution: 1})
				wall.wall(t, w, vec.IdentityPose, Motion{})
				part := Part{Shape: addShape(t, w, ball(t, 0.12)), Density: 1000}
				id := addBody(t, w, BodySpec{Parts: []Part{part}, Pose: at(0.3, 0.16*float64(k), 0.4), Vel: vec.V(0.2*float64(k), 0.5, 0)})
				start := w.Measure()
				steps(t, w, int(0.4/dt), dt)
				m := w.Measure()
				if off := math.Abs(m.Kinetic() + m.Potential + m.Ledger.Elastic - start.Kinetic() - start.Potential); w.Bodies().Pos.Z[id] > -1 {
					worst = max(worst, off/(start.Kinetic()+start.Potential))
				}
				if m.Ledger.LawExcess != 0 {
					t.Errorf("%s: %g J count as made by the law", name, m.Ledger.LawExcess)
				}
			}
			return worst
		}
		coarse, fine := made(2e-4), made(2.5e-5)
		t.Logf("%s: energy is off by %.2g, with an eighth of the step by %.2g", name, coarse, fine)
		if coarse > 1e-3 || fine > 2e-5 {
			t.Errorf("%s: energy is off by %.2g, with an eighth of the step by %.2g", name, coarse, fine)
		}
	}
}

// TestPressBallsOfTwoMaterials rolls a ball through a bowl whose sides alternate between two
// materials, so that the stiffness changes from side to side. The energy that this creates must be
// the ledger's LawExcess.
func TestPressBallsOfTwoMaterials(t *testing.T) {
	law, err := force.NewTable(3, force.Thickness{Stiffness: 1e5, Restitution: 1})
	if err == nil {
		err = law.Set(0, 1, force.Thickness{Stiffness: 5e4, Restitution: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Gravity: down, Law: law, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	parts := ballWalls()["bowl"].parts(t, w)
	for k := range parts {
		parts[k].Material = soa.Material(k % 2)
	}
	addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: parts})
	addBody(t, w, BodySpec{Parts: []Part{{Shape: addShape(t, w, ball(t, 0.12)), Density: 1000}}, Pose: at(0.3, 0.1, -0.4), Vel: vec.V(0, 0.5, 0)})
	w.Measure()
	steps(t, w, 4000, 1e-4)
	m := w.Measure()
	if t.Logf("the law made %.3g J, %.3g J are not accounted for", m.Ledger.LawExcess, m.LeftOver); !(math.Abs(m.Ledger.LawExcess) > 0.01) || math.Abs(m.LeftOver) > 0.01*math.Abs(m.Ledger.LawExcess) {
		t.Errorf("%.3g J are not accounted for, the law made %.3g", m.LeftOver, m.Ledger.LawExcess)
	}
}

// TestPressBallsAllocateNothing rolls a ball over rough ground.
func TestPressBallsAllocateNothing(t *testing.T) {
	w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.3, Restitution: 0.3})
	roughFloor(10, 4e-3, 1).wall(t, w, vec.IdentityPose, Motion{})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.15)), 40), Pose: at(-0.5, 0, 0.16), Vel: vec.V(1, 0.3, 0)})
	steps(t, w, 1000, 1e-4)
	if n := testing.AllocsPerRun(200, func() { steps(t, w, 1, 1e-4) }); n > 0 {
		t.Errorf("a step allocates %g times", n)
	}
}

// TestPressBallRestitution drops a ball head-on into valleys. Up to 14° both sides are one contact,
// and the ball must bounce with the specified restitution. The dashpots of two contacts are
// separate: for larger angles the restitution is lower, and in a square valley it is the specified
// one again.
func TestPressBallRestitution(t *testing.T) {
	const radius, stiffness = 0.3, 1e6
	for _, bend := range []float64{0, 1e-3, 0.05, 0.2, 0.3, 0.6, 1, math.Pi / 2} {
		for _, want := range []float64{0.3, 0.6, 0.9} {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: stiffness, Restitution: want})
			twoSlopes(bend).wall(t, w, vec.IdentityPose, Motion{})
			up := vec.V(-math.Sin(bend/2), 0, math.Cos(bend/2))
			pose := vec.Pose{Pos: up.Scale(radius/math.Cos(bend/2) + 1e-4), Rot: vec.Identity}
			id := int(addMoving(t, w, addShape(t, w, ball(t, radius)), pose, up.Neg(), vec.Vec3{}))
			dt := math.Pi * math.Sqrt(w.Bodies().Mass[id]/stiffness) / 100
			steps(t, w, 300, dt)
			got := w.Bodies().Vel.At(id).Dot(up)
			t.Logf("bend %g: restitution %.3f, asked for %g", bend, got, want)
			if off := math.Abs(got - want); off > 0.01 && (bend < 0.25 || bend > 1.5) || off > 0.12 {
				t.Errorf("bend %g: restitution %g, asked for %g", bend, got, want)
			}
		}
	}
}
