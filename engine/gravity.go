package engine

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// SetGravity sets the acceleration of all bodies, m/s². What this changes of the potential energy is in
// Ledger.Changed, also in later steps if the table varies. The error wraps ErrBody for a table that Check
// refuses, and in a planar world for one with a component along z.
func (w *World) SetGravity(g *TimeTable[vec.Vec3]) error {
	if err := g.Check(); err != nil {
		return mark.Errorf(ErrBody, "engine: gravity has %w", err)
	}
	for k := range g.len() {
		if v := g.Values[k]; w.cfg.Planar && v.Z != 0 {
			return mark.Errorf(ErrBody, "engine: gravity %v, expected none along z in a planar world", v)
		}
	}
	w.change()
	w.setGravity = true
	if w.gravity, w.fall = g.At(w.time), nil; g.varies() {
		w.fall = g
	}
	return nil
}

// moment returns the sum of mass times position of all bodies, kg·m, if gravity varies.
func (w *World) moment() (sum vec.Vec3) {
	if w.fall == nil || w.cfg.NoLedger {
		return sum
	}
	for i, m := range w.bodies.Mass {
		sum = sum.AddScaled(m, w.bodies.Pos.At(i))
	}
	return sum
}

// changeForces sets gravity and the loads of bodies to those of time t, once the bodies have moved there. was is
// moment before they moved. Gravity that changes by δ in a step of the bodies from x to y changes their
// potential energy by −m·δ·(x+y)/2, beside the work that it does.
func (w *World) changeForces(t float64, was vec.Vec3) {
	for i := range w.loads.tables {
		w.loads.set(&w.bodies, &w.loads.tables[i], t)
	}
	if w.fall == nil {
		return
	}
	g := w.fall.At(t)
	w.ledger.Changed -= float64(0.5 * g.Sub(w.gravity).Dot(was.Add(w.moment())))
	w.gravity = g
}

// power stores the power at time t of what acts from outside: of loads, constraints and the loads of walls, and of
// the damping that is no contact's. dt is the time step.
func (w *World) power(t, dt float64) {
	load, damping := w.loadPower(t)
	w.loads.power = w.loads.powerOn(&w.bodies) + w.react(t, dt) + load
	w.local.power = w.local.powerOn(&w.bodies) + damping
}

// isSteered reports whether a wall follows a load, or the box of the domain deforms.
func (w *World) isSteered() bool {
	for i := range w.walls {
		if w.walls[i].Servo != nil || w.walls[i].Load != nil {
			return true
		}
	}
	return w.cell.deforms()
}

// startSteering chooses the first speeds of walls that follow a load, for a step of dt.
func (w *World) startSteering(dt float64) {
	w.steer(w.time, dt)
	w.cell.Last = w.cell.Speed
	for i := range w.walls {
		v := &w.walls[i]
		if n := v.axis(); n != (vec.Vec3{}) {
			v.Last = v.Speed
			w.bodies.Vel.Set(int(v.body), v.across(w.bodies.Vel.At(int(v.body))).AddScaled(v.Speed, n))
		}
	}
	w.instant.walls = (*accountStage)(&w.ctx).wallPower()
	w.power(w.time, dt)
}
