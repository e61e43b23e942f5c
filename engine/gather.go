package engine

import (
	"math"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

type gatherStage stepContext

type gatherKickStage stepContext

// gather sums the forces and torques of the active contacts on every body, in the order of its
// pairs.
func (w *World) gather() { w.pool.For(w.bodies.Len(), 0, (*gatherStage)(&w.ctx)) }

// gatherKick does the same and advances the velocities by half a step while the body is in cache.
func (w *World) gatherKick() { w.pool.For(w.bodies.Len(), 0, w.moves.kick) }

// Range gathers for bodies lo to hi.
func (c *gatherStage) Range(lo, hi, _ int) {
	c.gatherBodies(lo, hi)
}

// Range gathers and kicks bodies lo to hi. The kernel stops at bodies that it does not advance:
// prescribed ones and those with a fault. The loop handles these one by one.
func (c *gatherKickStage) Range(lo, hi, worker int) {
	b := &c.w.bodies
	(*gatherStage)(c).gatherBodies(lo, hi)
	for i := lo; i < hi; {
		from := i
		held, end := c.w.nextHeld(from, hi)
		i = kernels.Kick(b, c.w.gravity, 0.5*c.dt, from, end)
		for stop := stopBehind(from, i, end); i < stop; i++ {
			if b.InvMass[i] != 0 {
				c.kickBody(i, worker)
			}
		}
		if held != nil && i == end {
			c.w.kickHeld(held, 0.5*c.dt, c.w.time+c.dt)
			c.checkFinite(i, worker)
			i++
		}
	}
	(*watchStage)(c).check(lo, hi, worker)
}

// kickBody advances the velocities of a free body by half a step, and records a fault if they are
// not finite.
func (c *gatherKickStage) kickBody(i, worker int) {
	b := &c.w.bodies
	_, l := c.w.halfKick(i, 0.5*c.dt)
	s := spinOf(b.Rot.At(i), l, b.InvInertia.At(i))
	b.Spin.Set(i, s)
	c.checkFinite(i, worker)
}

// checkFinite records a fault if the motion of a body is not finite.
func (c *gatherKickStage) checkFinite(i, worker int) {
	b := &c.w.bodies
	v, l, p, s := b.Vel.At(i), b.AngMom.At(i), b.Pos.At(i), b.Spin.At(i)
	if x := (v.X + v.Y + v.Z) + (l.X + l.Y + l.Z) + (p.X + p.Y + p.Z) + (s.X + s.Y + s.Z); x-x != 0 {
		c.w.work[worker].fault(i)
	}
}

// halfKick advances the velocity and the angular momentum of a free body by half, a time in s, and
// returns both.
func (w *World) halfKick(i int, half float64) (v, l vec.Vec3) {
	b := &w.bodies
	v = b.Vel.At(i).AddScaled(half, w.gravity).AddScaled(float64(half*b.InvMass[i]), b.Force.At(i))
	l = b.AngMom.At(i).AddScaled(half, b.Torque.At(i))
	b.Vel.Set(i, v)
	b.AngMom.Set(i, l)
	return v, l
}

// gatherBodies sums and stores the forces and torques on bodies lo to hi. Whether a body is A or B
// of a contact is unpredictable, so a branch would be mispredicted. Instead, that bit flips the
// sign of the force and selects the torque's column.
func (c *gatherStage) gatherBodies(lo, hi int) {
	w := c.w
	con, b, active, rows := &w.forces, &w.bodies, w.space.Contacts.Active, w.space.Pairs.Row
	fx, fy, fz := con.Force.X[:len(active)], con.Force.Y[:len(active)], con.Force.Z[:len(active)]
	n := len(active)
	tx := [2][]float64{con.TorqueA.X[:n], con.TorqueB.X[:n]}
	ty := [2][]float64{con.TorqueA.Y[:n], con.TorqueB.Y[:n]}
	tz := [2][]float64{con.TorqueA.Z[:n], con.TorqueB.Z[:n]}
	for i := lo; i < hi; i++ {
		var f, t vec.Vec3
		for _, place := range w.space.PairsOf(i) {
			p, side := rows[place>>1], place&1
			if p == soa.NoRow || !active[p] {
				continue
			}
			f = f.Add(vec.Vec3{X: signed(fx[p], side), Y: signed(fy[p], side), Z: signed(fz[p], side)})
			t = t.Add(vec.Vec3{X: tx[side][p], Y: ty[side][p], Z: tz[side][p]})
		}
		b.Force.Set(i, f)
		b.Torque.Set(i, t)
	}
	c.flatten(lo, hi)
	w.loads.addTo(&w.bodies, lo, hi)
	w.dampLocally(lo, hi)
}

// signed returns x, or -x for side 1.
func signed(x float64, side uint32) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ uint64(side)<<63)
}

// walk declares the accesses of Range.
func (c *gatherKickStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	force, torque := w.columnsOf(a, "Force")[0], w.columnsOf(a, "Torque")[0]
	list := w.space.WalkPairsOf(a)
	of := access.Fields(a, "Forces", &w.forces)
	pairs, contacts := access.Fields(a, "Pairs", &w.space.Pairs), access.Fields(a, "Contacts", &w.space.Contacts)
	for i := lo; i < hi; i++ {
		list(i)
		for _, place := range w.space.PairsOf(i) {
			pairs["Row"].Read(int(place >> 1))
			row, active := w.space.ActiveRow(int(place >> 1))
			if row >= 0 {
				contacts["Active"].Read(row)
			}
			if active {
				of["Force"].Read(row)
				of[[2]string{"TorqueA", "TorqueB"}[place&1]].Read(row)
			}
		}
		force.Write(i)
		torque.Write(i)
	}
	read := w.columnsOf(a, "Force", "Torque", "InvMass", "InvInertia", "Vel", "AngMom", "Pos", "Rot")
	access.Sweep(lo, hi, read, w.columnsOf(a, "Vel", "AngMom", "Spin"))
	(*watchStage)(c).walk(a, lo, hi)
}
