package engine

import "github.com/scree-dem/scree/vec"

type gatherStage stepContext

type gatherKickStage stepContext

// gather sums the forces and torques of the active contacts on every body, in the order of its pairs.
func (w *World) gather() { w.pool.For(w.bodies.Len(), 0, (*gatherStage)(&w.ctx)) }

// gatherKick does so and advances the velocities by half a step, while the body is at hand.
func (w *World) gatherKick() { w.pool.For(w.bodies.Len(), 0, (*gatherKickStage)(&w.ctx)) }

// Range gathers for bodies lo to hi.
func (c *gatherStage) Range(lo, hi, _ int) {
	for i := lo; i < hi; i++ {
		c.w.gatherBody(i)
	}
}

// Range gathers for bodies lo to hi and kicks them.
func (c *gatherKickStage) Range(lo, hi, worker int) {
	b, half := &c.w.bodies, 0.5*c.dt
	for i := lo; i < hi; i++ {
		f, t := c.w.gatherBody(i)
		if b.InvMass[i] == 0 {
			continue
		}
		v := b.Vel.At(i).AddScaled(half, c.w.gravity).AddScaled(float64(half*b.InvMass[i]), f)
		l := b.AngMom.At(i).AddScaled(half, t)
		b.Vel.Set(i, v)
		b.AngMom.Set(i, l)
		s := spinOf(b.Rot.At(i), l, b.InvInertia.At(i))
		b.Spin.Set(i, s)
		p := b.Pos.At(i)
		if x := (v.X + v.Y + v.Z) + (l.X + l.Y + l.Z) + (p.X + p.Y + p.Z) + (s.X + s.Y + s.Z); x-x != 0 {
			c.w.work[worker].fault(i)
		}
	}
}

// gatherBody sums one body's forces, stores and returns them.
func (w *World) gatherBody(i int) (f, t vec.Vec3) {
	con := &w.contacts
	for _, place := range w.incidence.place[w.incidence.first[i]:w.incidence.first[i+1]] {
		p := int(place >> 1)
		if !con.Active[p] {
			continue
		}
		if place&1 == 0 {
			f = f.Add(con.Force.At(p))
			t = t.Add(con.TorqueA.At(p))
		} else {
			f = f.Sub(con.Force.At(p))
			t = t.Add(con.TorqueB.At(p))
		}
	}
	w.bodies.Force.Set(i, f)
	w.bodies.Torque.Set(i, t)
	return f, t
}
