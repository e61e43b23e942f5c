package engine

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/internal/mark"
)

// Step advances the world by dt seconds, with velocity Verlet as kick–drift–kick and one evaluation
// of the forces. Each stage is one statement; docs/step.md has the same headings. Damping and
// friction use the velocities of the half step. The first step also computes the forces from which
// it starts.
//
// If dt is not usable, for example above TimeStep.Stable, Step returns an error that wraps
// ErrTimeStep. It leaves the world unchanged, and the caller may try a shorter step. If Springs of
// a law returns negative numbers or NaN, the error wraps force.ErrLaw.
func (w *World) Step(dt float64) error {
	if err := w.mayStep(dt); err != nil {
		return err
	}
	if w.cfg.Horizon == 0 {
		w.space.Broad().SetHorizon(min(horizonSteps*dt, math.MaxFloat64))
	}
	if w.begin(); w.fault != nil {
		return w.fault
	}
	w.ctx.dt, w.lastStep = dt, dt
	at := w.watch.now()
	if !w.steered && w.isSteered() {
		w.startSteering(dt)
	}
	moment := w.moment()

	// 1 Kick and drift: velocities by half a step, then poses. Reads force; writes vel, spin, pose,
	// odometer.
	w.kickDrift()
	next, carry := sumTime(w.time, w.timeError, dt)
	w.moveWalls(next, dt)
	w.changeForces(next, moment)
	w.advanceCell(dt)
	at = w.watch.lap(StageDrift, at)

	// 2 Pairs: cells, candidate pairs and tiles, only once the skin of a body is used up.
	if w.space.Update() {
		w.watch.rebuilt(at)
		w.keepWallsAtSides()
	}
	at = w.watch.lap(StagePairs, at)

	if w.published.on {
		if w.fault = w.published.prepare(w, dt); w.fault != nil {
			return w.fault
		}
	}

	// 3 Contacts: per tile, sweep, axes, gaps or overlaps, walls of facets, law. Reads pose, vel; writes
	// contacts.
	w.findContacts()
	at = w.watch.lap(StageContacts, at)

	// 4 Gather and kick: forces summed per body in a fixed order; velocities by half a step.
	w.gatherKick()
	w.endWalls(next, dt)
	at = w.watch.lap(StageGather, at)

	// 5 Ledger: the work of damping, friction and walls. Reads contacts, vel; writes only the
	// ledger.
	(*accountStage)(&w.ctx).account()
	w.watch.lap(StageLedger, at)
	warnings{w}.warn()

	w.step++
	w.time, w.timeError = next, carry
	return cmp.Or(faults{w}.firstFault(), w.atSides())
}

// mayStep returns an error if the world cannot make a step of dt.
func (w *World) mayStep(dt float64) error {
	switch {
	case w.fault != nil:
		return w.fault
	case w.closed:
		return mark.Errorf(ErrClosed, "engine: step %d: the world is closed, expected no step after Close", w.step)
	}
	stepBounds{w}.findLimits()
	if dt > 0 && dt <= w.limits.longest {
		return nil
	}
	return stepBounds{w}.refuseStep(dt, w.TimeStep())
}

// sumTime adds dt to a time t. carry is the rounding error of the earlier sums (Kahan 1965), so
// that the time is accurate to about its last digit after any number of steps. It returns the new
// time and the new carry.
func sumTime(t, carry, dt float64) (sum, rest float64) {
	y := dt - carry
	sum = t + y
	return sum, (sum - t) - y
}

// begin computes the forces if they do not belong to the present poses and velocities: at the
// start, and after a program has changed a body.
func (w *World) begin() {
	if w.ready {
		if w.changed {
			w.settle()
		}
		return
	}
	w.ready, w.firsts = true, w.nextNumbers()
	if w.prepare(); w.fault == nil {
		w.space.Renew()
		w.findForces()
		w.first()
	}
}

// findForces computes the forces at the present poses, without slip, and the energy that springs
// then hold. The candidate pairs must be those of the present poses. It returns the energy, J, of friction springs that
// were shortened to their limit.
func (w *World) findForces() (released float64) {
	w.ctx.dt = 0
	w.keepWallsAtSides()
	if w.published.on {
		_ = w.published.prepare(w, 0) // In no time no vertex moves.
	}
	w.findContacts()
	w.gather()
	w.steered = false
	w.power(w.time, 0)
	if w.fault == nil {
		w.fault = faults{w}.forceFault()
	}
	if !w.cfg.NoLedger {
		sum := (*accountStage)(&w.ctx).sumPowers()
		w.ledger.Elastic, w.ledger.Shear, released = sum.elastic.value(), sum.shear.value(), sum.released.value()
	}
	return released
}

// prepare allocates and computes what does not change during a run.
func (w *World) prepare() {
	wall, err := w.space.Prepare()
	if err != nil {
		w.fault = mark.Errorf(ErrTangled, "engine: wall %d %q: %w", wall, w.bodies.Name[w.walls[wall].body], err)
	}
	w.datum = datumOf(w.space, w.gravity)
	w.constrainAll()
}
