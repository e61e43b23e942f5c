package engine

import "github.com/scree-dem/scree/internal/mark"

// Step advances the world by dt seconds: velocity Verlet as kick–drift–kick, with one evaluation of
// the forces. One line, one stage; docs/step.md has the same headings. Damping and friction see the
// velocities of the half step. The first step also computes the forces it starts from. A step that is not usable, such
// as one above TimeStep.Stable, is refused with ErrTimeStep: the world is as it was, and a shorter step may follow.
// A law whose Springs are negative or no numbers is refused with force.ErrLaw.
func (w *World) Step(dt float64) error {
	if err := w.mayStep(dt); err != nil {
		return err
	}
	if w.cfg.Horizon == 0 {
		w.broad.SetHorizon(horizonSteps * dt)
	}
	if w.begin(); w.fault != nil {
		return w.fault
	}
	w.ctx.dt = dt
	at := w.now()

	// 1 Kick and drift: velocities by half a step, then poses. Reads force; writes vel, spin, pose, odometer.
	w.kickDrift()
	next, carry := sumTime(w.time, w.carry, dt)
	w.moveWalls(next)
	at = w.lap(StageDrift, at)

	// 2 Pairs: cells, candidate pairs and tiles, only once the motion budget is used up.
	if late, stale := w.late(); stale && !w.update(late) {
		w.rebuild()
		w.rebuilt(at)
	}
	at = w.lap(StagePairs, at)

	// 3 Contacts: per tile, sweep, narrow, overlap, law. Reads pose, vel; writes contacts.
	w.contactLoop()
	at = w.lap(StageContacts, at)

	// 4 Gather and kick: forces summed per body in a fixed order; velocities by half a step.
	w.gatherKick()
	at = w.lap(StageGather, at)

	// 5 Ledger: what damping, friction and the walls did. Reads contacts, vel; writes the ledger alone.
	w.account()
	w.lap(StageLedger, at)
	warnings{w}.warn()

	w.step++
	w.time, w.carry = next, carry
	return w.firstFault()
}

// mayStep refuses a step that cannot be made.
func (w *World) mayStep(dt float64) error {
	switch {
	case w.fault != nil:
		return w.fault
	case w.closed:
		return mark.Errorf(ErrClosed, "engine: step %d: the world is closed, expected no step after Close", w.step)
	}
	if !w.limits.known {
		w.limits = stepBounds{w}.findLimits()
	}
	if dt > 0 && dt <= w.limits.longest {
		return nil
	}
	return w.refuseStep(dt, w.TimeStep())
}

// sumTime adds dt to a time with the carry of what rounding took before (Kahan 1965), so that after any
// number of steps the time is right to the last digit or so.
func sumTime(t, carry, dt float64) (sum, rest float64) {
	y := dt - carry
	sum = t + y
	return sum, (sum - t) - y
}

// begin computes the forces at the poses the world was built or restored with, or anew after a
// program has changed poses or velocities.
func (w *World) begin() {
	if w.ready {
		if w.changed {
			w.settle()
		}
		return
	}
	w.ready = true
	w.prepare()
	w.findForces()
	w.first()
}

// findForces computes the forces at the poses as they are, without slip, and what springs hold then.
func (w *World) findForces() {
	if w.broad.Stale(&w.bodies) {
		w.rebuild()
	}
	w.ctx.dt = 0
	w.contactLoop()
	w.gather()
	if w.fault == nil {
		w.fault = w.forceFault()
	}
	if !w.cfg.NoLedger {
		sum := w.sumPowers()
		w.ledger.Elastic, w.ledger.Shear = sum.elastic.value(), sum.shear.value()
	}
}
