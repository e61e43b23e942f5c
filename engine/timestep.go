package engine

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/soa"
)

// TimeStep is what a world's stiffnesses and masses allow, s.
type TimeStep struct {
	// Contact is the shortest duration of an impact, π·√(m/k)/√(1−ζ²), over all pairs of bodies that
	// may meet, with the effective mass of a head-on impact.
	Contact float64
	// Stable is the step above which a single contact of the lightest bodies gains energy without
	// bound: 2/ω, where ω counts the rotation of both bodies, and damping by the usual factor
	// √(1+ζ²)−ζ. Bodies held by many contacts need less; a tenth of Contact is ample.
	Stable float64
}

// advisedShare is the share of the contact time above which a step is warned of.
const advisedShare = 0.1

// TimeStep estimates the critical time step.
func (w *World) TimeStep() TimeStep {
	t := TimeStep{Contact: math.Inf(1), Stable: math.Inf(1)}
	// The heaviest demand of each material: the largest 1/m, and the largest 1/m + r²/I.
	inverse, loose := make([]float64, w.law.Materials()), make([]float64, w.law.Materials())
	present := make([]bool, w.law.Materials())
	for p := range w.pieces.Len() {
		m, id := w.pieces.Material[p], w.pieces.Body[p]
		present[m] = true
		inverse[m] = max(inverse[m], w.bodies.InvMass[id])
		loose[m] = max(loose[m], w.looseness(id))
	}
	for a := range present {
		for b := a; b < len(present); b++ {
			if sum := inverse[a] + inverse[b]; present[a] && present[b] && sum > 0 {
				t.add(w.law.At(soa.Material(a), soa.Material(b)), 1/sum, 1/(loose[a]+loose[b]))
			}
		}
	}
	return t
}

// looseness is the inverse of the mass that a contact at the body's surface can feel at most: 1/m + r²/I.
func (w *World) looseness(id soa.Body) float64 {
	i := w.bodies.InvInertia.At(int(id))
	trace := max(i.XX, i.YY, i.ZZ) // bounds the largest eigenvalue within a factor of 3
	r := w.bodies.Radius[id]
	return w.bodies.InvMass[id] + float64(float64(r*r)*trace)
}

func (t *TimeStep) add(l *force.Linear, mass, light float64) {
	zeta := l.DampingRatio(mass)
	swing := math.Sqrt(mass / l.Kn)
	if zeta < 1 {
		t.Contact = min(t.Contact, math.Pi*swing/math.Sqrt(1-float64(zeta*zeta)))
	} else {
		t.Contact = min(t.Contact, math.Pi*swing)
	}
	z := l.DampingRatio(light)
	t.Stable = min(t.Stable, 2*math.Sqrt(light/max(l.Kn, l.Kt))*(math.Sqrt(1+float64(z*z))-z))
}

// CheckTimeStep refuses a step above the stable limit, and returns a warning, empty if there is none, for
// one above a tenth of the contact time.
func (w *World) CheckTimeStep(dt float64) (warning string, err error) {
	t := w.TimeStep()
	switch {
	case !(dt > 0) || math.IsInf(dt, 0):
		return "", fmt.Errorf("engine: time step %g s, expected > 0: %w", dt, ErrTimeStep)
	case dt > t.Stable:
		return "", fmt.Errorf("engine: time step %g s, expected at most %.3g s, the stable limit: %w", dt, t.Stable, ErrTimeStep)
	case dt > advisedShare*t.Contact:
		return fmt.Sprintf("time step %g s is %.0f %% of the shortest contact time %.3g s; at most 10 %% is advised",
			dt, 100*dt/t.Contact, t.Contact), nil
	}
	return "", nil
}
