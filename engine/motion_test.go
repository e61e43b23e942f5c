package engine

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/vec"
)

// tumblers returns n bodies that turn by about angle, rad, in a step of dt, each with forces on it.
func tumblers(t testing.TB, n int, dt, angle float64) *World {
	t.Helper()
	w := newWorld(t, Config{Workers: 1, Gravity: vec.V(0, 0, -9.81)}, force.Linear{Kn: 1})
	r := rand.New(rand.NewPCG(5, uint64(n)))
	v := func(scale float64) vec.Vec3 {
		return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(scale)
	}
	b := &w.bodies
	b.Resize(n)
	for i := range n {
		inverse, ok := vec.Sym3{XX: 1 + r.Float64(), YY: 1.5, ZZ: 2, XY: 0.3 * r.Float64(), XZ: -0.1, YZ: 0.2}.Inverse()
		if !ok {
			t.Fatal("no inertia")
		}
		b.InvInertia.Set(i, inverse)
		b.InvMass[i], b.Radius[i] = 0.5+r.Float64(), 1
		b.Pos.Set(i, v(10))
		b.Rot.Set(i, vec.FromRotationVector(v(1)))
		b.Vel.Set(i, v(1))
		b.AngMom.Set(i, v(angle/dt))
		b.Force.Set(i, v(5))
		b.Torque.Set(i, v(5))
	}
	w.prepare()
	w.space.Renew() // lists of no pairs
	w.ctx.dt = dt
	return w
}

// TestKernelsMoveAsTheScalarLoops moves bodies by the kernels and one by one: free and prescribed
// ones, slow ones, and ones that need several stages or are faults. All bits and the fault must be
// the same.
func TestKernelsMoveAsTheScalarLoops(t *testing.T) {
	const dt, n = 1e-3, 203
	spoil := []func(w *World, i int){
		func(w *World, i int) {},
		func(w *World, i int) { w.bodies.InvMass[i] = 0 },
		func(w *World, i int) { w.bodies.Vel.Y[i] = math.Inf(1) },
		func(w *World, i int) { w.bodies.Torque.X[i] = math.NaN() },
		func(w *World, i int) { w.bodies.AngMom.Z[i] = 1e9 },
	}
	backends.Run(t, func(t *testing.T) {
		for _, angle := range []float64{1e-4, 3e-3, 1e-2, 0.3} {
			for seed := range uint64(12) {
				w, want := tumblers(t, n, dt, angle), tumblers(t, n, dt, angle)
				r := rand.New(rand.NewPCG(6, seed))
				if seed > 0 {
					for range n / 10 {
						i, by := r.IntN(n), spoil[r.IntN(min(len(spoil), int(seed)))]
						by(w, i)
						by(want, i)
					}
				}
				lo := r.IntN(9)
				(*kickDriftStage)(&w.ctx).Range(lo, n, 0)
				for i := lo; i < n; i++ {
					if want.bodies.InvMass[i] != 0 {
						(*kickDriftStage)(&want.ctx).driftBody(i, 0)
					}
				}
				compareBodies(t, fmt.Sprintf("drift by %g rad, seed %d", angle, seed), w, want)
				(*gatherKickStage)(&w.ctx).Range(lo, n, 0)
				for i := lo; i < n; i++ {
					(*gatherStage)(&want.ctx).gatherBodies(i, i+1)
					if want.bodies.InvMass[i] != 0 {
						(*gatherKickStage)(&want.ctx).kickBody(i, 0)
					}
				}
				compareBodies(t, fmt.Sprintf("kick at %g rad, seed %d", angle, seed), w, want)
			}
		}
	})
}

func compareBodies(t *testing.T, what string, w, want *World) {
	t.Helper()
	if w.work[0].faulty != want.work[0].faulty {
		t.Fatalf("%s: faulty body %d, want %d", what, w.work[0].faulty, want.work[0].faulty)
	}
	wanted := maps.Collect(bodyColumns(&want.bodies))
	for name, c := range bodyColumns(&w.bodies) {
		for i, v := range *c {
			if x := (*wanted[name])[i]; math.Float64bits(v) != math.Float64bits(x) && (v == v || x == x) {
				t.Fatalf("%s: %s of body %d is %v, want %v", what, name, i, v, x)
			}
		}
	}
}

// BenchmarkMotion moves a thousand bodies, which fit the second-level cache, at the speed of a
// tumbling heap. With loop=scalar they are moved one by one.
func BenchmarkMotion(b *testing.B) {
	const n, dt = 1000, 1e-5
	run := func(name string, f func(w *World)) {
		b.Run(name, func(b *testing.B) {
			w := tumblers(b, n, dt, 1e-6)
			for b.Loop() {
				f(w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/body")
			if w.work[0].faulty != contact.NoBody {
				b.Fatal("a body is faulty")
			}
		})
	}
	for name := range backends.Each(b) {
		run("stage=drift/loop=kernel/backend="+name, func(w *World) { (*kickDriftStage)(&w.ctx).Range(0, n, 0) })
		run("stage=kick/loop=kernel/backend="+name, func(w *World) { (*gatherKickStage)(&w.ctx).Range(0, n, 0) })
	}
	run("stage=drift/loop=scalar", func(w *World) {
		for i := range n {
			(*kickDriftStage)(&w.ctx).driftBody(i, 0)
		}
	})
	run("stage=kick/loop=scalar", func(w *World) {
		for i := range n {
			(*gatherStage)(&w.ctx).gatherBodies(i, i+1)
			(*gatherKickStage)(&w.ctx).kickBody(i, 0)
		}
	})
}
