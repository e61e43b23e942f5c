package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/vec"
)

// bumpy adds a wall of 2·n² facets over the square from -1 to 1, with waves of a tenth of its size.
func bumpy(t testing.TB, w *World, n int, pose vec.Pose, m Motion) {
	t.Helper()
	floor := gridFloor(n, 0.3, 1)
	for _, f := range floor {
		for k, v := range f {
			f[k].Z = 0.05 * (math.Sin(7*v.X) + math.Cos(5*v.Y))
		}
	}
	floor.wall(t, w, pose, m)
}

// gates returns rocks that fall between four mesh walls: one at rest, one that moves and stops, one
// that starts later, and one that oscillates for a while.
func gates(t testing.TB, workers int, anew bool) *World {
	t.Helper()
	w := newWorld(t, Config{Gravity: down, Workers: workers}, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.4, ByRestitution: true, Restitution: 0.3})
	w.space.Internals().SetBroad(broad.Config{Reach: w.law.Reach(), RebuildAll: anew})
	at := func(x, z float64) vec.Pose {
		return vec.Pose{Pos: vec.V(x, 0, z), Rot: vec.FromRotationVector(vec.V(0, -0.3*x, 0))}
	}
	bumpy(t, w, 8, at(0, 0), Motion{})
	bumpy(t, w, 6, at(1, 0.4), Motion{Velocity: vec.V(-0.5, 0, 0.2), To: 0.1})
	bumpy(t, w, 5, at(-1, 0.4), Motion{Spin: vec.V(0, 1, 0.2), Centre: vec.V(-1, 0, 0.4), From: 0.1, To: 0.2})
	bumpy(t, w, 4, at(0.8, 0.9), Motion{Amplitude: vec.V(0, 0.1, 0.05), Frequency: 5, From: 0.05, To: 0.25})
	s := addShape(t, w, rock(t, 3, 14, 0.1))
	for i := range 20 {
		p := vec.V(-0.6+0.3*float64(i%5), -0.45+0.3*float64(i/5), 0.8+0.1*float64(i%3))
		addBody(t, w, BodySpec{Parts: one(s, 2600), Vel: vec.V(0, 0, -1), Pose: vec.Pose{Pos: p, Rot: vec.FromRotationVector(vec.V(float64(i), 1, 0))}})
	}
	return w
}

// TestRestingWallsAreEnteredOnce checks that walls entered once and walls entered at each rebuild
// give the same run, on any number of workers and each backend.
func TestRestingWallsAreEnteredOnce(t *testing.T) {
	const dt, parts, each = 2e-4, 10, 150
	run := func(workers int, anew bool) (hashes []uint64, stats broad.Stats) {
		w := gates(t, workers, anew)
		for range parts {
			steps(t, w, each, dt)
			hashes = append(hashes, w.Hash())
		}
		if n := w.AnsweredBy().Active; n < 1000 {
			t.Fatalf("%d contacts, expected rocks on walls", n)
		}
		return hashes, w.space.Broad().Stats()
	}
	want, all := run(1, true)
	check := func(name string, hashes []uint64, s broad.Stats) {
		for i := range want {
			if hashes[i] != want[i] {
				t.Fatalf("%s: hash at step %d is %016x, %016x where all is entered anew", name, each*(i+1), hashes[i], want[i])
			}
		}
		// Three walls start and stop; in between, their facets are not entered.
		facets := s.Pieces - 20
		if moving := s.Entered - 20*s.Rebuilds; s.Rebuilds != all.Rebuilds || s.Resting != facets || moving > all.Entered/2 {
			t.Errorf("%s: %+v, expected %d rebuilds, %d pieces at rest at the end and few facets entered", name, s, all.Rebuilds, facets)
		}
	}
	for name := range backends.Each(t) {
		hashes, stats := run(2, false)
		check(name, hashes, stats)
	}
	hashes, stats := run(5, false)
	check(fmt.Sprintf("%s, 5 workers", cpu.Selected()), hashes, stats)
}

// TestOdometersOfWallsAtRest checks that each piece has the odometer of its body in each step, and
// that those of walls at rest are not written.
func TestOdometersOfWallsAtRest(t *testing.T) {
	w := gates(t, 2, false)
	for k := range 160 {
		steps(t, w, 10, 2e-4)
		for p, b := range w.space.Pieces.Body {
			if got, want := w.space.Internals().Odometers(false)[p], w.bodies.Odometer[b]; got != want {
				t.Fatalf("step %d: piece %d has odometer %g, its body %g", 10*(k+1), p, got, want)
			}
		}
	}
	const mark = -7
	for _, id := range w.Walls() {
		w.space.Internals().Odometers(false)[w.bodies.FirstPiece[id+1]-1] = mark
	}
	gathered := w.space.Internals().Odometers(true)
	for _, id := range w.Walls() {
		if got := gathered[w.bodies.FirstPiece[id+1]-1]; got != mark {
			t.Errorf("wall %d: the odometer of its last facet is written, %g", id, got)
		}
	}
}
