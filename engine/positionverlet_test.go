package engine

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// elastic returns a linear spring without dashpot and friction.
func elastic(k float64) force.Linear {
	return force.Linear{Kn: k, ByRestitution: true, Restitution: 1}
}

// TestPositionVerletFalls checks that position Verlet is exact for a constant force, except for
// rounding. A step rounds positions of up to 5 m twice, by 2⁻⁵¹ m each, and n steps sum the error
// twice: at most n² times 2⁻⁵¹ m.
func TestPositionVerletFalls(t *testing.T) {
	const dt, n = 1e-4, 10000
	g, v := vec.V(0.3, -0.7, -9.81), vec.V(2, 1, 3)
	w := newWorld(t, Config{Gravity: g, Integrator: PositionVerlet}, elastic(1))
	id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1000), Pose: at(1, 2, 3), Vel: v})
	for k := 1; k <= n; k++ {
		steps(t, w, 1, dt)
		s := float64(k) * dt
		place := vec.V(1, 2, 3).AddScaled(s, v).AddScaled(0.5*s*s, g)
		bound := float64(k*k) * 0x1p-51
		if off := w.bodies.Pos.At(id).Sub(place).Norm(); off > bound {
			t.Fatalf("after %d steps %g m off, expected at most %g", k, off, bound)
		}
		if off := w.bodies.Vel.At(id).Sub(v.AddScaled(s, g)).Norm(); off > 2*float64(k)*0x1p-51/dt {
			t.Fatalf("after %d steps %g m/s off", k, off)
		}
	}
}

// TestPositionVerletSwings presses down a ball that rests on its spring. It must oscillate as
// cos(n·θ), cos θ = 1 - (ω·dt)²/2, ω² = k/m: the solution of the difference equation. The period is
// then 2π/ω·(1 - (ω·dt)²/24 …), so the method is of second order. With a step of t_c/50 the error
// is 1.6e-4.
func TestPositionVerletSwings(t *testing.T) {
	const k, radius, density = 1e5, 0.1, 1000.0
	mass := density * 4 * math.Pi / 3 * radius * radius * radius
	omega := math.Sqrt(k / mass)
	sunk := mass * 9.81 / k
	for _, share := range []float64{20, 50, 200} {
		dt := math.Pi / omega / share
		w := newWorld(t, Config{Gravity: vec.V(0, 0, -9.81), Integrator: PositionVerlet}, elastic(k))
		id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, radius)), density), Pose: at(0, 0, radius-1.5*sunk)})
		addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, PlaneTemplate())}}, Pose: PlanePose(vec.Vec3{}, vec.V(0, 0, 1))})
		theta := math.Acos(1 - 0.5*omega*omega*dt*dt)
		for n := 1; n <= 4000; n++ {
			steps(t, w, 1, dt)
			want := radius - sunk - 0.5*sunk*math.Cos(float64(n)*theta)
			if z := w.bodies.Pos.Z[id]; math.Abs(z-want) > 1e-9*sunk*float64(n) {
				t.Fatalf("t_c/%g: after %d steps at %.15g m, expected %.15g", share, n, z, want)
			}
		}
		period, exact := 2*math.Pi*dt/theta, 2*math.Pi/omega
		if off := 1 - period/exact; math.Abs(off*24/(omega*omega*dt*dt)-1) > 0.02 {
			t.Errorf("t_c/%g: the period is short by %g, expected (ω·dt)²/24", share, off)
		}
	}
}

// TestPositionVerletBounces lets two balls meet head-on. Without dashpots they must leave with the
// speeds of an elastic impact, with dashpots by the specified restitution. The velocity of the
// centre of mass must not change.
func TestPositionVerletBounces(t *testing.T) {
	for _, e := range []float64{1, 0.8, 0.3} {
		for _, tension := range []bool{false, true} {
			law := force.Linear{Kn: 1e5, ByRestitution: true, Restitution: e, Tension: tension}
			w := newWorld(t, Config{Integrator: PositionVerlet}, law)
			small, large := addShape(t, w, ball(t, 0.1)), addShape(t, w, ball(t, 0.2))
			a := addBody(t, w, BodySpec{Parts: one(small, 1000), Pose: at(-0.1001, 0, 0), Vel: vec.V(1, 0, 0)})
			b := addBody(t, w, BodySpec{Parts: one(large, 1000), Pose: at(0.2001, 0, 0), Vel: vec.V(-0.5, 0, 0)})
			ma, mb := w.bodies.Mass[a], w.bodies.Mass[b]
			dt := w.TimeStep().Contact / 2000
			steps(t, w, 3000, dt)
			centre := (ma - 0.5*mb) / (ma + mb)
			wantA, wantB := centre-e*1.5*mb/(ma+mb), centre+e*1.5*ma/(ma+mb)
			gotA, gotB := w.bodies.Vel.X[a], w.bodies.Vel.X[b]
			if math.Abs(gotA-wantA) > 2e-3 || math.Abs(gotB-wantB) > 2e-3 {
				t.Errorf("e = %g, tension %v: speeds %g and %g m/s, expected %g and %g", e, tension, gotA, gotB, wantA, wantB)
			}
			if now := (ma*gotA + mb*gotB) / (ma + mb); math.Abs(now-centre) > 1e-9 {
				t.Errorf("e = %g: the centre of mass moves at %.12g m/s, expected %.12g", e, now, centre)
			}
		}
	}
}

// gas returns balls or discs of several sizes that fly and fall in a box of planes.
func gas(t testing.TB, cfg Config, discs bool, law force.Parameters) *World {
	t.Helper()
	cfg.Gravity, cfg.Planar = vec.V(0, -9.81, 0), discs
	w := newWorld(t, cfg, law)
	r := rand.New(rand.NewPCG(15, 3))
	var shapes []soa.Shape
	for _, radius := range []float64{0.02, 0.03, 0.045} {
		make := geometry.BallTemplate
		if discs {
			make = geometry.DiscTemplate
		}
		s, err := make(radius)
		if err != nil {
			t.Fatal(err)
		}
		shapes = append(shapes, addShape(t, w, s))
	}
	const n, apart = 6, 0.1
	layers := n
	if discs {
		layers = 1
	}
	for i := range n * n * layers {
		p := vec.V(float64(i%n)+0.5, float64(i/n%n)+0.5, float64(i/n/n)+0.5).Scale(apart)
		v := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		if discs {
			p.Z, v.Z = 0, 0
		}
		addBody(t, w, BodySpec{Parts: one(shapes[i%3], 2000), Pose: vec.Pose{Pos: p, Rot: vec.Identity}, Vel: v})
	}
	plane := []Part{{Shape: addShape(t, w, PlaneTemplate())}}
	for axis := range 3 {
		for _, side := range []float64{1, -1} {
			var normal vec.Vec3
			*[]*float64{&normal.X, &normal.Y, &normal.Z}[axis] = side
			if axis < 2 || !discs {
				point := vec.V(1, 1, 1).Scale(0.5*n*apart).AddScaled(-0.5*n*apart, normal)
				addWall(t, w, WallSpec{Parts: plane, Pose: PlanePose(point, normal)})
			}
		}
	}
	return w
}

// TestPositionVerletKeepsEnergy checks that the energy is conserved to 1e-4 without damping, in
// three and two dimensions, with the same bits for every neighbour search.
func TestPositionVerletKeepsEnergy(t *testing.T) {
	for _, discs := range []bool{false, true} {
		hashes := map[uint64][]string{}
		for _, search := range Searches() {
			w := gas(t, Config{Integrator: PositionVerlet, Search: search}, discs, elastic(2e6))
			dt := w.TimeStep().Contact / 100
			steps(t, w, 1, dt)
			start := w.Measure()
			n := 400
			if search == "cells" {
				n = 3000
			}
			steps(t, w, 399, dt)
			hashes[w.Hash()] = append(hashes[w.Hash()], search)
			steps(t, w, n-400, dt)
			now := w.Measure()
			total := func(m Measure) float64 { return m.Kinetic() + m.Potential + m.Ledger.Elastic }
			if off := math.Abs(total(now)/total(start) - 1); off > 1e-4 || now.Kinetic() == start.Kinetic() {
				t.Errorf("discs %v, %s: energy %g J after %g J, off by %g", discs, search, total(now), total(start), off)
			}
			for i, z := range w.bodies.Pos.Z {
				if discs && w.bodies.InvMass[i] != 0 && (z != 0 || w.bodies.Vel.Z[i] != 0) {
					t.Fatalf("disc %d has left the plane: z %g m, %g m/s", i, z, w.bodies.Vel.Z[i])
				}
			}
		}
		if len(hashes) != 1 {
			t.Errorf("discs %v: hashes %v", discs, hashes)
		}
	}
}

// TestPositionVerletIsVerlet checks that without dashpots both integrators give the same path
// except for rounding, and that a step of another length continues from the velocity.
func TestPositionVerletIsVerlet(t *testing.T) {
	places, speeds := gas(t, Config{Integrator: PositionVerlet}, false, elastic(2e6)), gas(t, Config{}, false, elastic(2e6))
	dt := places.TimeStep().Contact / 100
	for _, share := range []float64{1, 0.5, 2} {
		steps(t, places, 200, share*dt)
		steps(t, speeds, 200, share*dt)
	}
	for i := range places.bodies.Len() {
		if off := places.bodies.Pos.At(i).Sub(speeds.bodies.Pos.At(i)).Norm(); off > 1e-9 {
			t.Fatalf("body %d is %g m off", i, off)
		}
	}
	if places.Measure().Active == 0 {
		t.Error("nothing touches")
	}
}

// TestPositionVerletRestarts checks for the same bits on any number of workers and after a restart,
// including discs that friction turns.
func TestPositionVerletRestarts(t *testing.T) {
	for _, c := range []struct {
		discs bool
		cfg   Config
		law   force.Linear
	}{
		{false, Config{Integrator: PositionVerlet}, force.Linear{Kn: 2e6, ByRestitution: true, Restitution: 0.7}},
		{true, Config{Integrator: PositionVerlet}, elastic(2e6)},
		{true, Config{}, force.Linear{Kn: 2e6, Kt: 1e6, Mu: 0.5, ByRestitution: true, Restitution: 0.7}},
	} {
		whole := gas(t, c.cfg, c.discs, c.law)
		dt := whole.TimeStep().Contact / 60
		steps(t, whole, 500, dt)
		state := whole.State()
		steps(t, whole, 300, dt)
		cfg := c.cfg
		cfg.Workers = 2
		again := gas(t, cfg, c.discs, c.law)
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
		steps(t, again, 300, dt)
		if whole.Hash() != again.Hash() {
			t.Errorf("discs %v, %v: hash after a restart %016x, expected %016x", c.discs, c.cfg.Integrator, again.Hash(), whole.Hash())
		}
		turns := false
		for i := range whole.bodies.Len() {
			s := whole.bodies.Spin.At(i)
			turns = turns || s != (vec.Vec3{})
			if c.discs && whole.bodies.InvMass[i] != 0 && (s.X != 0 || s.Y != 0 || whole.bodies.Pos.Z[i] != 0) {
				t.Fatalf("disc %d turns by %v rad/s at z %g m", i, s, whole.bodies.Pos.Z[i])
			}
		}
		if turns != (c.law.Mu > 0) {
			t.Errorf("%v: bodies turn: %v", c.cfg.Integrator, turns)
		}
		if c.cfg.Integrator != PositionVerlet {
			continue
		}
		if n := testing.AllocsPerRun(20, func() { steps(t, whole, 1, dt) }); n != 0 {
			t.Errorf("a step allocates %g times", n)
		}
		for _, change := range []struct {
			column string
			value  float64
		}{{"stride", -1}, {"stride", math.NaN()}, {"previous.x", math.Inf(1)}} {
			forged := gas(t, c.cfg, c.discs, c.law)
			cols := whole.State()
			for i := range cols {
				if cols[i].Name == change.column {
					cols[i].F64[0] = change.value
				}
			}
			if err := forged.Restore(cols); !errors.Is(err, ErrState) {
				t.Errorf("a state with %s %g: error %v", change.column, change.value, err)
			}
		}
	}
}

func TestPositionVerletRefuses(t *testing.T) {
	refuses := func(cfg Config, law force.Parameters, b func(w *World) BodySpec, words ...string) {
		t.Helper()
		table, err := force.NewTable(1, law)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Law, cfg.Workers = table, 1
		w, err := New(cfg)
		if err == nil {
			defer w.Close()
			_, err = w.AddBody(b(w))
		}
		for _, word := range words {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("error %v, expected %q in it", err, word)
			}
		}
	}
	cfg := Config{Integrator: PositionVerlet}
	refuses(Config{Integrator: 7}, elastic(1), nil, "integrator 7", "expected Verlet or PositionVerlet")
	refuses(cfg, force.Linear{Kn: 1, Kt: 1, Mu: 0.5}, nil, "materials 0 and 0", "no friction", "position-verlet")
	refuses(cfg, force.Thickness{Stiffness: 1, Tangential: 1, Friction: 0.5, Restitution: 1}, nil, "no friction")
	refuses(cfg, elastic(1), func(w *World) BodySpec {
		return BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1), Pose: vec.IdentityPose}
	},
		"body 0", "block", "position-verlet")
	refuses(cfg, elastic(1), func(w *World) BodySpec {
		return BodySpec{Parts: one(addShape(t, w, ball(t, 1)), 1), Pose: vec.IdentityPose, Spin: vec.V(0, 0, 1)}
	}, "body 0", "spin", "expected none")
	refuses(Config{Planar: true}, elastic(1), func(w *World) BodySpec {
		return BodySpec{Parts: one(addShape(t, w, ball(t, 1)), 1), Pose: at(1, 2, 1e-9)}
	}, "body 0", "z = 0")
	refuses(Config{Planar: true, Gravity: vec.V(0, 0, -9.81)}, elastic(1), nil, "gravity", "none along z")
	w := newWorld(t, cfg, force.Linear{Kn: 1, Kt: 1, ByRestitution: true, Restitution: 1})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 1)), 1), Pose: vec.IdentityPose})
}
