package engine

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestRamp compares a ramped oscillation with its formula, its velocity with the difference of its
// positions, and its speed with the bound. It must start at rest and end as an oscillation without
// a ramp.
func TestRamp(t *testing.T) {
	for _, ramp := range []float64{0.003, 0.2, 1.5} {
		m := Motion{Amplitude: vec.V(0.01, 0, 0.02), Frequency: 4, From: 0.25, Ramp: ramp}
		full := m
		full.Ramp = 0
		const h = 1e-6
		bound := m.speed(0)
		for k := range 2000 {
			now := m.From + 0.001*float64(k) + 2*h
			shift, _, vel, _ := m.at(now)
			before, _, _, _ := m.at(now - h)
			after, _, _, _ := m.at(now + h)
			if d := after.Sub(before).Scale(1 / (2 * h)).Sub(vel).Norm(); d > 1e-4*bound {
				t.Fatalf("ramp %g s, time %g s: velocity %v, off by %g", ramp, now, vel, d)
			}
			if vel.Norm() > bound*(1+1e-12) {
				t.Fatalf("ramp %g s, time %g s: speed %g, bound %g", ramp, now, vel.Norm(), bound)
			}
			u := min((now-m.From)/ramp, 1)
			want := m.Amplitude.Scale(u * u * (3 - 2*u) * math.Sin(2*math.Pi*m.Frequency*(now-m.From)))
			if shift.Sub(want).Norm() > 1e-12 {
				t.Fatalf("ramp %g s, time %g s: shift %v, expected %v", ramp, now, shift, want)
			}
			if other, _, same, _ := full.at(now); u == 1 && (other != shift || same != vel) {
				t.Fatalf("ramp %g s, time %g s: not the oscillation after the ramp", ramp, now)
			}
		}
		if _, _, vel, _ := m.at(m.From); vel != (vec.Vec3{}) {
			t.Errorf("ramp %g s: begins with %v", ramp, vel)
		}
	}
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	parts := []Part{{Shape: addShape(t, w, PlaneTemplate())}}
	for _, ramp := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := w.AddWall(WallSpec{Parts: parts, Motion: Motion{Amplitude: vec.V(1, 0, 0), Frequency: 1, Ramp: ramp}}); !errors.Is(err, ErrBody) {
			t.Errorf("ramp %g: %v", ramp, err)
		}
	}
}
