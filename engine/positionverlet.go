package engine

import (
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Integrator selects how a world advances its bodies.
type Integrator uint8

const (
	// Verlet is velocity Verlet with rotation; it is the default.
	Verlet Integrator = iota
	// PositionVerlet computes new positions from the last two, and approximates velocities by their
	// difference. It supports balls and discs without friction, which need no rotation.
	PositionVerlet
)

var integratorNames = []string{"verlet", "position-verlet"}

// Integrators returns the names of the integrators, the default first.
func Integrators() []string { return integratorNames }

// String returns the integrator's name.
func (k Integrator) String() string {
	if int(k) < len(integratorNames) {
		return integratorNames[k]
	}
	return fmt.Sprintf("integrator %d", uint8(k))
}

// integration holds the stages that advance bodies, and the data that they need besides the bodies'
// columns.
type integration struct {
	drift, kick sched.Ranger

	// Used by PositionVerlet only.
	previous soa.Vec3s // m, position of each body one step ago
	stride   float64   // s, length of that step; 0 if previous is not valid
}

// chooseIntegrator stores the stages of the configured integrator.
func (w *World) chooseIntegrator() {
	w.moves.drift, w.moves.kick = (*kickDriftStage)(&w.ctx), (*gatherKickStage)(&w.ctx)
	if w.cfg.translates() {
		w.moves.drift, w.moves.kick = (*placeStage)(&w.ctx), (*gatherPlaceStage)(&w.ctx)
	}
}

// translates reports whether bodies only translate and never turn.
func (c *Config) translates() bool { return c.Integrator == PositionVerlet }

// placeStage moves bodies to their next positions.
//
// Source: position Verlet as in Muth et al. 2007, section 1.2, by the method of Störmer and Verlet:
//
//	r(t+dt) = r(t) + (r(t) − r(t−dt)) + dt²·a(t)
//
// The contacts then see the velocity (r(t+dt) − r(t))/dt. Without dashpots the positions are those
// of velocity Verlet, except for rounding. The difference of two positions rounds by 2⁻⁵³ of their
// distance from the origin, so the velocity rounds by 2⁻⁵³·|r|/dt in each step. The first step, and
// a step whose length differs from the last one's, starts from the velocity: r(t+dt) = r(t) + dt·v
// + dt²/2·a.
type placeStage stepContext

// Range moves bodies lo to hi. moveWalls moves prescribed bodies.
func (c *placeStage) Range(lo, hi, worker int) {
	w, b, dt := c.w, &c.w.bodies, c.dt
	begins := w.moves.stride != dt
	square := float64(dt * dt)
	for i := lo; i < hi; i++ {
		if b.InvMass[i] == 0 {
			continue
		}
		at := b.Pos.At(i)
		a := w.gravity.AddScaled(b.InvMass[i], b.Force.At(i))
		var to vec.Vec3
		if begins {
			to = at.AddScaled(dt, b.Vel.At(i)).AddScaled(0.5*square, a)
		} else {
			to = at.Add(at.Sub(w.moves.previous.At(i))).AddScaled(square, a)
		}
		if h, row := w.nextHeld(i, i+1); row == i {
			to = h.Fixed.choose(to, at.AddScaled(dt, h.velocity(b.Vel.At(i), w.time+float64(0.5*dt))))
		}
		w.moves.previous.Set(i, at)
		kernels.Move(b, soa.Body(i), vec.Pose{Pos: to, Rot: b.Rot.At(i)})
		b.Vel.Set(i, to.Sub(at).Scale(1/dt))
	}
	w.space.NoteLate(lo, hi, worker)
}

// gatherPlaceStage sums forces and computes the velocities at the present instant.
//
// The velocity is (r(t+dt) − r(t−dt))/(2dt), which the forces at r(t) determine: (r(t) −
// r(t−dt))/dt + dt/2·a(t). It is used by the energy ledger, for output, and for a step of another
// length.
type gatherPlaceStage stepContext

// Range gathers for bodies lo to hi. It records a fault for a body whose motion is not finite.
func (c *gatherPlaceStage) Range(lo, hi, worker int) {
	b := &c.w.bodies
	(*gatherStage)(c).gatherBodies(lo, hi)
	half := 0.5 * c.dt
	for i := lo; i < hi; i++ {
		if b.InvMass[i] == 0 {
			continue
		}
		v := b.Vel.At(i).AddScaled(half, c.w.gravity).AddScaled(float64(half*b.InvMass[i]), b.Force.At(i))
		if h, row := c.w.nextHeld(i, i+1); row == i {
			v = h.Fixed.choose(v, h.velocity(b.Vel.At(i), c.w.time+c.dt))
		}
		b.Vel.Set(i, v)
		p := b.Pos.At(i)
		if x := (v.X + v.Y + v.Z) + (p.X + p.Y + p.Z); x-x != 0 {
			c.w.work[worker].fault(i)
		}
	}
	(*watchStage)(c).check(lo, hi, worker)
}

// checkIntegrator rejects an unknown integrator, and laws with tangential forces for an integrator
// that does not turn bodies.
func (c *Config) checkIntegrator() error {
	if int(c.Integrator) >= len(integratorNames) {
		return mark.Errorf(ErrConfig, "engine: %v, expected Verlet or PositionVerlet", c.Integrator)
	}
	if c.Integrator != PositionVerlet {
		return nil
	}
	for m := range soa.Material(c.Law.Materials()) {
		for n := range m + 1 {
			if s := c.Law.At(m, n).Springs(1, 0); s.Tangent > 0 || s.TangentDashpot > 0 {
				return mark.Errorf(ErrConfig, "engine: the law of materials %d and %d has a spring of %g N/m and a dashpot of %g N·s/m across the normal, "+
					"expected no friction and no dashpot there with %v: its bodies do not turn", n, m, s.Tangent, s.TangentDashpot, PositionVerlet)
			}
		}
	}
	return nil
}

// mustTranslate rejects a body that needs rotation if the integrator only translates.
func (w bodyAdder) mustTranslate(id soa.ID, b *BodySpec) error {
	if !w.cfg.translates() {
		return nil
	}
	if kind := w.space.Shapes.Kind[b.Parts[0].Shape]; len(b.Parts) > 1 || !kind.IsRound() {
		return mark.Errorf(ErrBody, "engine: body %d %q has %d parts, the first a %v, expected one ball with %v: its bodies do not turn",
			id, b.Name, len(b.Parts), kind, PositionVerlet)
	}
	if b.Spin != (vec.Vec3{}) {
		return mark.Errorf(ErrBody, "engine: body %d %q has spin %v, expected none with %v: its bodies do not turn", id, b.Name, b.Spin, PositionVerlet)
	}
	return nil
}
