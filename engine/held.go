package engine

import (
	"slices"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Fixed is a set of components of a body's motion that the forces on it do not change.
type Fixed uint8

// Components of a body's motion, world axes: of the velocity of the centre of mass, and of the spin.
const (
	FixX Fixed = 1 << iota
	FixY
	FixZ
	FixRX
	FixRY
	FixRZ
	FixAll Fixed = 1<<iota - 1
)

// turns returns the components of the spin as those of a vector.
func (f Fixed) turns() Fixed { return f >> 3 }

// of returns the components of v that the three lowest bits of f fix, and zeros.
func (f Fixed) of(v vec.Vec3) vec.Vec3 {
	for i, c := range [3]*float64{&v.X, &v.Y, &v.Z} {
		if f>>i&1 == 0 {
			*c = 0
		}
	}
	return v
}

// choose returns a with the components of b that f fixes.
func (f Fixed) choose(a, b vec.Vec3) vec.Vec3 { return (^f & 7).of(a).Add(f.of(b)) }

// heldBody is a body of which components are fixed.
type heldBody struct {
	Row       soa.Body
	Fixed     Fixed
	Vel, Spin *TimeTable[vec.Vec3] // nil: the fixed components keep their values
	Force     vec.Vec3             // N, of the constraint at the last instant
	Torque    vec.Vec3             // N·m, likewise
}

// SetFixed fixes components of the velocity and the spin of a body that is not a wall. A fixed component
// keeps the value it has, or follows a table: vel, m/s, spin, rad/s, of which only the fixed components
// count. The other components move by the forces on the body. In dashpots and in the stability check the
// body has no inverse mass along fixed components. The work of the constraint is in Ledger.Applied. An
// empty set frees the body.
//
// SetFixed returns the errors of SetPose. It refuses a table that Check refuses, a table without a fixed
// component, and under position Verlet fixed components of the spin.
func (w *World) SetFixed(id soa.ID, fixed Fixed, vel, spin *TimeTable[vec.Vec3]) error {
	row, err := w.maySet(id, "fixed components")
	if err != nil {
		return err
	}
	h := heldBody{Row: row, Fixed: fixed, Vel: vel, Spin: spin}
	if err := w.checkHeld(&h); err != nil {
		return err
	}
	w.change()
	i, found := w.heldAt(int(row))
	if found {
		w.held = slices.Delete(w.held, i, i+1)
	}
	if delete(w.constrained, row); fixed == 0 {
		return nil
	}
	w.held = slices.Insert(w.held, i, h)
	if vel != nil {
		w.bodies.Vel.Set(int(row), fixed.choose(w.bodies.Vel.At(int(row)), vel.At(w.time)))
	}
	if spin != nil {
		w.setSpin(int(row), fixed.turns().choose(w.bodies.Spin.At(int(row)), spin.At(w.time)))
	}
	w.constrain(&w.held[i])
	return nil
}

// Fixed returns the fixed components of a body, and the tables that they follow, or nil.
func (w *World) Fixed(id soa.ID) (fixed Fixed, vel, spin *TimeTable[vec.Vec3]) {
	if row, ok := w.bodies.Row(id); ok {
		if i, held := w.heldAt(int(row)); held {
			h := &w.held[i]
			return h.Fixed, h.Vel, h.Spin
		}
	}
	return 0, nil, nil
}

// checkHeld rejects components that cannot be fixed.
func (w *World) checkHeld(h *heldBody) error {
	for what, table := range map[string]*TimeTable[vec.Vec3]{"velocity": h.Vel, "spin": h.Spin} {
		if err := table.Check(); err != nil {
			return mark.Errorf(ErrBody, "engine: %s has for its %s %w", w.nameOf(h.Row), what, err)
		}
	}
	switch {
	case h.Fixed > FixAll:
		return mark.Errorf(ErrBody, "engine: %s has the fixed components %#x, expected a set of FixX to FixRZ", w.nameOf(h.Row), h.Fixed)
	case h.Vel != nil && h.Fixed&7 == 0 || h.Spin != nil && h.Fixed.turns() == 0:
		return mark.Errorf(ErrBody, "engine: %s has a table of its velocity or spin, expected a fixed component of it", w.nameOf(h.Row))
	case w.cfg.translates() && h.Fixed.turns() != 0:
		return mark.Errorf(ErrBody, "engine: %s has a fixed rotation, expected none with %v: its bodies do not turn", w.nameOf(h.Row), PositionVerlet)
	}
	return nil
}

// heldAt returns the place of a row among the held bodies, or where it would be inserted.
func (w *World) heldAt(row int) (i int, found bool) {
	return slices.BinarySearchFunc(w.held, row, func(h heldBody, row int) int { return int(h.Row) - row })
}

// nextHeld returns the first held body from row on, and its row; if there is none before hi, nil and hi.
func (w *World) nextHeld(row, hi int) (*heldBody, int) {
	if len(w.held) == 0 {
		return nil, hi
	}
	if i, _ := w.heldAt(row); i < len(w.held) && int(w.held[i].Row) < hi {
		return &w.held[i], int(w.held[i].Row)
	}
	return nil, hi
}

// constraint returns the constraint of a body or a wall, or nil.
func (w *World) constraint(row soa.Body) *force.Constraint {
	if len(w.constrained) == 0 {
		return nil
	}
	return w.constrained[row]
}

// setConstraint stores the constraint of a body or a wall.
func (w *World) setConstraint(row soa.Body, inverse, turn vec.Sym3) {
	if w.constrained == nil {
		w.constrained = map[soa.Body]*force.Constraint{}
	}
	if w.constrained[row] == nil {
		w.constrained[row] = &force.Constraint{}
	}
	*w.constrained[row] = force.Constraint{Inverse: inverse, Turn: turn}
}

// constrain computes the constraint of a held body at its present orientation.
func (w *World) constrain(h *heldBody) {
	free := (^h.Fixed & 7).of(vec.Vec3{X: 1, Y: 1, Z: 1}).Scale(w.bodies.InvMass[h.Row])
	inertia := w.inertiaOf(h)
	w.setConstraint(h.Row, vec.Sym3{XX: free.X, YY: free.Y, ZZ: free.Z}, h.freeInverse(inertia))
}

// inertiaOf returns the inertia of a held body, world axes.
func (w *World) inertiaOf(h *heldBody) vec.Sym3 {
	return w.bodies.Inertia[h.Row].Rotated(w.bodies.Rot.At(int(h.Row)).Mat3())
}

// freeInverse returns the inverse of the inertia over the free components of the spin, with zeros at the
// fixed ones. A planar body has an inertia about z alone, and its other components count as fixed.
func (h *heldBody) freeInverse(inertia vec.Sym3) vec.Sym3 {
	m, f := inertia, h.Fixed.turns()
	size := max(m.XX, m.YY, m.ZZ) // keeps the matrix well conditioned
	for i, c := range [3]struct{ own, a, b *float64 }{{&m.XX, &m.XY, &m.XZ}, {&m.YY, &m.XY, &m.YZ}, {&m.ZZ, &m.XZ, &m.YZ}} {
		if f>>i&1 != 0 || *c.own == 0 {
			f |= 1 << i
			*c.own, *c.a, *c.b = size, 0, 0
		}
	}
	inverse, _ := m.Inverse()
	for i, c := range [3]*float64{&inverse.XX, &inverse.YY, &inverse.ZZ} {
		if f>>i&1 != 0 {
			*c = 0
		}
	}
	return inverse
}

// spinOf returns the spin of a held body with angular momentum l, of which only the free components count,
// and the fixed components of spin.
func (h *heldBody) spinOf(inertia vec.Sym3, l, spin vec.Vec3) vec.Vec3 {
	spin = h.Fixed.turns().of(spin)
	return spin.Add(h.freeInverse(inertia).MulVec(l.Sub(inertia.MulVec(spin))))
}

// velocity returns the velocity at time t of which the fixed components count. v is the present one.
func (h *heldBody) velocity(v vec.Vec3, t float64) vec.Vec3 {
	if h.Vel != nil {
		return h.Vel.At(t)
	}
	return v
}

// kickHeld advances the velocities of a held body by half, s, to time t. Of the angular momentum the free
// components are the state: the torque alone changes them. The others follow from the spin.
func (w *World) kickHeld(h *heldBody, half, t float64) {
	b, i := &w.bodies, int(h.Row)
	v, l := b.Vel.At(i), b.AngMom.At(i)
	fixed, spin := h.velocity(v, t), b.Spin.At(i)
	if h.Spin != nil {
		spin = h.Spin.At(t)
	}
	v = v.AddScaled(half, w.gravity).AddScaled(float64(half*b.InvMass[i]), b.Force.At(i))
	b.Vel.Set(i, h.Fixed.choose(v, fixed))
	w.spinHeld(h, l.AddScaled(half, b.Torque.At(i)), spin)
}

// spinHeld sets the spin and the angular momentum of a held body from the free components of one and the
// fixed components of the other.
func (w *World) spinHeld(h *heldBody, l, spin vec.Vec3) {
	inertia := w.inertiaOf(h)
	spin = h.spinOf(inertia, l, spin)
	w.bodies.Spin.Set(int(h.Row), spin)
	w.bodies.AngMom.Set(int(h.Row), inertia.MulVec(spin))
}

// driftHeld moves a held body by a step, with its velocities of the middle of the step. It turns by the
// midpoint rule, in stages of at most maxTurn.
func (c *kickDriftStage) driftHeld(h *heldBody, worker int) {
	w, b, i := c.w, &c.w.bodies, int(h.Row)
	w.kickHeld(h, 0.5*c.dt, w.time+float64(0.5*c.dt))
	l, spin, pose := b.AngMom.At(i), b.Spin.At(i), b.Pose(h.Row)
	stages := 1
	for stages < maxStages && float64(spin.Norm()*c.dt) > float64(maxTurn*float64(stages)) {
		stages++
	}
	turned, dt := 0.0, c.dt/float64(stages)
	for range stages {
		half := vec.FromRotationVector(spin.Scale(0.5 * dt)).Mul(pose.Rot)
		spin = h.spinOf(b.Inertia[i].Rotated(half.Mat3()), l, spin)
		turned += float64(spin.Norm() * dt)
		pose.Rot = vec.FromRotationVector(spin.Scale(dt)).Mul(pose.Rot).Normalized()
		spin = h.spinOf(b.Inertia[i].Rotated(pose.Rot.Mat3()), l, spin)
	}
	if !(turned <= maxTurn*maxStages) {
		w.work[worker].fault(i)
	}
	pose.Pos = pose.Pos.AddScaled(c.dt, b.Vel.At(i))
	kernels.Move(b, h.Row, pose)
	w.spinHeld(h, l, spin)
}

// react computes the constraint's force and torque on the held bodies at time t, the present one, and
// returns their power, W. Tables change the fixed components at their slope over a step of dt.
func (w *World) react(t, dt float64) (power float64) {
	b := &w.bodies
	slope := func(table *TimeTable[vec.Vec3]) vec.Vec3 {
		if table == nil || dt == 0 {
			return vec.Vec3{}
		}
		half := float64(0.5 * dt)
		return table.At(t + half).Sub(table.At(t - half)).Scale(1 / dt)
	}
	for k := range w.held {
		h := &w.held[k]
		i := int(h.Row)
		inertia, spin, torque := w.inertiaOf(h), b.Spin.At(i), b.Torque.At(i)
		h.Force = (h.Fixed & 7).of(slope(h.Vel).Sub(w.gravity).Scale(b.Mass[i]).Sub(b.Force.At(i)))
		gyro, turn := spin.Cross(b.AngMom.At(i)), h.Fixed.turns().of(slope(h.Spin))
		turn = turn.Add(h.freeInverse(inertia).MulVec(torque.Sub(gyro).Sub(inertia.MulVec(turn))))
		h.Torque = h.Fixed.turns().of(inertia.MulVec(turn).Add(gyro).Sub(torque))
		power += h.Force.Dot(b.Vel.At(i)) + h.Torque.Dot(spin)
	}
	return power
}

// Reaction returns the force, N, and the torque, N·m, about the centre of mass, with which the constraint of
// SetFixed acts on a body at the last instant: zeros along components that are free.
func (w *World) Reaction(id soa.ID) (f, t vec.Vec3) {
	if row, ok := w.bodies.Row(id); ok {
		if i, held := w.heldAt(int(row)); held {
			return w.held[i].Force, w.held[i].Torque
		}
	}
	return f, t
}

// constrainHeld computes the constraints of all held bodies that turn.
func (w *World) constrainHeld() {
	for i := range w.held {
		if f := w.held[i].Fixed.turns(); f != FixAll.turns() {
			w.constrain(&w.held[i])
		}
	}
}

// constrainAll computes the constraints of all held bodies and of walls with a load.
func (w *World) constrainAll() {
	for i := range w.held {
		w.constrain(&w.held[i])
	}
	for i := range w.walls {
		if v := &w.walls[i]; v.Load != nil {
			w.constrainWall(v)
		}
	}
}
