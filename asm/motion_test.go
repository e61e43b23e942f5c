package asm

import (
	"math"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// columns lists the columns of a motion, so that a test can go through them.
func (m *MotionColumns) columns() []*[]float64 {
	v := reflect.ValueOf(m).Elem()
	var c []*[]float64
	for i := range v.NumField() {
		c = append(c, v.Field(i).Addr().Interface().(*[]float64))
	}
	return c
}

// newMotion returns n bodies of mass 2 and inertia 2, 4, 5, at rest at the origin.
func newMotion(n int) *MotionColumns {
	m := &MotionColumns{}
	for _, c := range m.columns() {
		*c = make([]float64, n)
	}
	for i := range n {
		m.RotW[i], m.InvMass[i], m.InvXX[i], m.InvYY[i], m.InvZZ[i], m.Radius[i] = 1, 0.5, 0.5, 0.25, 0.2, 3
	}
	return m
}

const turn2 = 0.0004 // square of 0.02 rad

func TestDrift(t *testing.T) {
	const dt = 0x1p-7
	near := func(t *testing.T, what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-15*max(1, math.Abs(want)) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	tests := []struct {
		name  string
		set   func(m *MotionColumns, i int)
		check func(t *testing.T, m *MotionColumns, i int)
	}{
		{"falls", func(m *MotionColumns, i int) {}, func(t *testing.T, m *MotionColumns, i int) {
			near(t, "velocity", m.VelZ[i], -10*dt/2)
			near(t, "height", m.PosZ[i], -10*dt/2*dt)
			if way := -m.PosZ[i]; m.Odometer[i] < way || m.Odometer[i] > way*(1+1e-14) {
				t.Errorf("odometer %v, want %v or a little more", m.Odometer[i], way)
			}
		}},
		{"is pushed and carried along", func(m *MotionColumns, i int) {
			m.ForceX[i], m.VelY[i], m.PosY[i], m.ForceZ[i] = 8, 3, 1, 20
		}, func(t *testing.T, m *MotionColumns, i int) {
			near(t, "velocity along the force", m.VelX[i], 8*0.5*dt/2)
			near(t, "place across it", m.PosY[i], 1+3*dt)
			near(t, "velocity where force and weight cancel", m.VelZ[i], 0)
		}},
		// The spin is 0.5·2 about x, so the body turns by dt, and the quaternion has half of that
		// angle.
		{"turns about a main axis", func(m *MotionColumns, i int) { m.AngMomX[i] = 2 }, func(t *testing.T, m *MotionColumns, i int) {
			s, c := math.Sincos(dt / 2)
			near(t, "w", m.RotW[i], c)
			near(t, "x", m.RotX[i], s)
			near(t, "spin", m.SpinX[i], 1)
			// The bound of the angle exceeds the angle by at most a 28th of the angle's square,
			// relatively.
			if way := float64(3*dt) + 10*dt/2*dt; m.Odometer[i] < way || m.Odometer[i] > way*(1+dt*dt/28) {
				t.Errorf("odometer %v, want %v or a little more", m.Odometer[i], way)
			}
		}},
		{"is turned by a torque", func(m *MotionColumns, i int) { m.TorqueY[i] = 4 }, func(t *testing.T, m *MotionColumns, i int) {
			near(t, "angular momentum", m.AngMomY[i], 4*dt/2)
			near(t, "spin", m.SpinY[i], dt/2)
			near(t, "y", m.RotY[i], math.Sin(dt/2*dt/2))
		}},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 21
				for at := range n {
					m := newMotion(n)
					test.set(m, at)
					if next := Drift(m, 0, 0, -10, dt, turn2, 0, n); next != n {
						t.Fatalf("stopped at %d", next)
					}
					test.check(t, m, at)
				}
			})
		}
	})
}

// TestMotionStops has one body that must not move among others. All bodies before it move. It and
// the bodies after it stay.
func TestMotionStops(t *testing.T) {
	const n, dt = 19, 0x1p-7
	drift := func(m *MotionColumns, lo, hi int) int { return Drift(m, 0, 0, -10, dt, turn2, lo, hi) }
	kick := func(m *MotionColumns, lo, hi int) int { return Kick(m, 0, 0, -10, dt/2, lo, hi) }
	tests := []struct {
		name string
		move func(m *MotionColumns, lo, hi int) int
		set  func(m *MotionColumns, i int)
	}{
		{"drift, not free", drift, func(m *MotionColumns, i int) { m.InvMass[i] = 0 }},
		{"drift, not free, negative zero", drift, func(m *MotionColumns, i int) { m.InvMass[i] = negZero }},
		{"drift, too fast", drift, func(m *MotionColumns, i int) { m.AngMomX[i] = 6 }},
		{"drift, infinitely fast", drift, func(m *MotionColumns, i int) { m.AngMomX[i] = math.Inf(1) }},
		{"drift, not a number", drift, func(m *MotionColumns, i int) { m.TorqueZ[i] = math.NaN() }},
		{"drift, turns far in the end", drift, func(m *MotionColumns, i int) { m.AngMomX[i], m.AngMomY[i], m.InvYY[i] = 2, 2e-9, 1e9 }},
		{"kick, not free", kick, func(m *MotionColumns, i int) { m.InvMass[i] = 0 }},
		{"kick, infinite force", kick, func(m *MotionColumns, i int) { m.ForceY[i] = math.Inf(-1) }},
		{"kick, torque is no number", kick, func(m *MotionColumns, i int) { m.TorqueY[i] = math.NaN() }},
		{"kick, lost", kick, func(m *MotionColumns, i int) { m.PosZ[i] = math.Inf(1) }},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				for at := range n {
					m := newMotion(n)
					test.set(m, at)
					if next := test.move(m, 0, n); next != at {
						t.Fatalf("stopped at %d, want %d", next, at)
					}
					for i, v := range m.VelZ {
						if (v != 0) != (i < at) {
							t.Errorf("body %d of %d: velocity %v", i, at, v)
						}
					}
					if next := test.move(m, at+1, n); next != n {
						t.Errorf("behind it stopped at %d", next)
					}
				}
			})
		}
	})
}

// TestDriftTurnsFarEnough: the limit of the series lies between two angles of a step, whatever
// turn2 allows.
func TestDriftTurnsFarEnough(t *testing.T) {
	const n, dt = 16, 0x1p-7
	backends.Run(t, func(t *testing.T) {
		for _, test := range []struct {
			half float64 // square of half the angle
			next int
		}{{0.99999e-3, n}, {1.00001e-3, 0}} {
			m := newMotion(n)
			for i := range n {
				m.AngMomX[i] = 2 * 2 * math.Sqrt(test.half) / dt
			}
			if next := Drift(m, 0, 0, 0, dt, 1, 0, n); next != test.next {
				t.Errorf("half an angle of root %v: stopped at %d, want %d", test.half, next, test.next)
			}
		}
	})
}

// checkMotion compares every backend with the Go loop. Columns lie next to pages that fault.
func checkMotion(t *testing.T, s *source, n int) {
	t.Helper()
	tame := s.byte()%4 > 0
	from := &MotionColumns{}
	for _, c := range from.columns() {
		*c = s.floats(n)
		for i := range *c {
			if tame {
				(*c)[i] = math.Mod((*c)[i], 2) * 0.3
			}
		}
	}
	dt := math.Ldexp(1+float64(s.byte())/256, -int(s.byte()%12))
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	half, h2 := 0.5*dt, dt*dt
	d := &driftUniforms{dt: dt, half: half, turn2: turn2, kickZ: half * -9, kickX: half * 0.3,
		first: h2 / 2, second: h2 * dt / 6, third: h2 * h2 / 24, cross1: h2 * dt / 12}
	k := &kickUniforms{half, half * 0.3, 0, half * -9}
	for name, move := range map[string]struct{ generic, call func(m *MotionColumns) int }{
		"drift": {func(m *MotionColumns) int { return driftGeneric(m, d, lo, hi) }, func(m *MotionColumns) int { return Drift(m, 0.3, 0, -9, dt, turn2, lo, hi) }},
		"kick":  {func(m *MotionColumns) int { return kickGeneric(m, k, lo, hi) }, func(m *MotionColumns) int { return Kick(m, 0.3, 0, -9, half, lo, hi) }},
	} {
		var want, got int
		checkBits(t, from, func(m *MotionColumns) { want = move.generic(m) }, func(m *MotionColumns) {
			if got = move.call(m); got != want {
				t.Errorf("%s of %d to %d: stopped at %d, want %d", name, lo, hi, got, want)
			}
		})
	}
}

func TestMotionLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(4) {
				checkMotion(t, &source{data: noise(4*uint64(n)+seed, 6000)}, n)
			}
		}
	})
}

func FuzzMotion(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkMotion(t, s, int(s.byte()%40))
		})
	})
}

func TestMotionPanics(t *testing.T) {
	for name, f := range map[string]func(m *MotionColumns){
		"range":  func(m *MotionColumns) { Kick(m, 0, 0, 0, 1, 0, 6) },
		"turned": func(m *MotionColumns) { Drift(m, 0, 0, 0, 1, 1, 3, 2) },
		"short":  func(m *MotionColumns) { m.Radius = m.Radius[:4]; Drift(m, 0, 0, 0, 1, 1, 0, 5) },
		"long":   func(m *MotionColumns) { m.TorqueX = make([]float64, 9); Kick(m, 0, 0, 0, 1, 0, 5) },
	} {
		if panics(func() { f(newMotion(5)) }) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestMotionAllocatesNothing(t *testing.T) {
	m := newMotion(100)
	if n := testing.AllocsPerRun(100, func() {
		Drift(m, 0, 0, -10, 1e-6, turn2, 0, 100)
		Kick(m, 0, 0, -10, 1e-6, 0, 100)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
