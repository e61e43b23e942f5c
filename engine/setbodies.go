package engine

import (
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// What a program changes between steps. Before the first step a body is simply as it was set.
// Later the odometer advances by the way to a new pose, so certificates and candidate pairs stay
// true, and the forces are computed anew from the new poses and velocities, without slip, before
// they are used. So a change costs a look at the contacts, however many bodies are set. The
// account of energies goes on from the new state: what a change adds or takes is not in LeftOver.

// SetPose puts a body that is free to move to a pose of its own frame, whose origin is the centre
// of mass: the frame of Bodies().Pose. A zero rotation is none. Velocity and spin stay as they
// are, in world axes; friction springs of contacts that persist stay stretched. A body that is
// not there or is a wall is an error that wraps ErrBody, as is a pose that is not finite, not
// unit, or too far from the origin; then nothing changes. Overlaps are not refused: contacts push
// them apart.
func (w *World) SetPose(id soa.Body, pose vec.Pose) error {
	if err := w.maySet(id, "pose"); err != nil {
		return err
	}
	pose = pose.OrIdentity()
	if !isPose(pose) {
		return mark.Errorf(ErrBody, "engine: %s is set to pose %v, expected finite with a unit quaternion", w.nameOfBody(id), pose)
	}
	if w.cfg.Planar && (pose.Pos.Z != 0 || pose.Rot.X != 0 || pose.Rot.Y != 0) {
		return mark.Errorf(ErrBody, "engine: %s is set to pose %v, expected it in the plane z = 0 of a planar world, turned about z alone", w.nameOfBody(id), pose)
	}
	i := int(id)
	if r := w.bodies.Radius[i]; isFar(pose.Pos, r) {
		return mark.Errorf(ErrBody, "engine: %s of radius %.3g m is set to %v, expected at most %.3g m (2³² radii) from the origin: "+
			"positions there are %.3g m from each other", w.nameOfBody(id), r, pose.Pos, farRadii*r, spacing(pose.Pos))
	}
	pose.Rot = pose.Rot.Normalized()
	w.change()
	if w.ready {
		kernels.Move(&w.bodies, id, pose)
	} else {
		w.bodies.Pos.Set(i, pose.Pos)
		w.bodies.Rot.Set(i, pose.Rot)
	}
	w.setSpin(i, w.bodies.Spin.At(i))
	return nil
}

// SetVelocity gives a body that is free to move a velocity of its centre of mass, m/s, and a
// spin, rad/s, both in world axes. Errors are those of SetPose. No speed is too high, for the time step
// is not known here: a body that moves by more than its size in a step may pass through others.
func (w *World) SetVelocity(id soa.Body, vel, spin vec.Vec3) error {
	if err := w.maySet(id, "velocity"); err != nil {
		return err
	}
	if !vel.Finite() || !spin.Finite() {
		return mark.Errorf(ErrBody, "engine: %s is set to velocity %v and spin %v, expected finite", w.nameOfBody(id), vel, spin)
	}
	if err := w.mayMoveSo(id, "is set to velocity %v and spin %v", vel, spin); err != nil {
		return err
	}
	w.change()
	w.bodies.Vel.Set(int(id), vel)
	w.setSpin(int(id), spin)
	return nil
}

// setSpin sets the spin of a body and the angular momentum that it follows from.
func (w *World) setSpin(i int, spin vec.Vec3) {
	r := w.bodies.Rot.At(i).Mat3()
	w.bodies.AngMom.Set(i, r.MulVec(w.bodies.Inertia[i].MulVec(r.TMulVec(spin))))
	if w.ready {
		spin = spinOf(w.bodies.Rot.At(i), w.bodies.AngMom.At(i), w.bodies.InvInertia.At(i)) // as after a step, to the last bit
	}
	w.bodies.Spin.Set(i, spin)
}

// maySet refuses a body whose motion cannot be set.
func (w *World) maySet(id soa.Body, what string) error {
	switch n := w.bodies.Len(); {
	case w.fault != nil:
		return w.fault
	case w.closed:
		return mark.Errorf(ErrClosed, "engine: the %s of body %d is set after Close", what, id)
	case int(id) >= n:
		return mark.Errorf(ErrBody, "engine: the %s of body %d of %d is set, expected one that there is", what, id, n)
	case w.bodies.InvMass[id] == 0:
		return mark.Errorf(ErrBody, "engine: the %s of %s is set, expected a body that is no wall: those move as Wall.Motion says", what, w.nameOfBody(id))
	}
	return nil
}

// mayMoveSo refuses what would turn a body that the integrator does not turn, or take it out of the
// plane of a planar world: a vector along a direction and one about an axis, which says names.
func (w *World) mayMoveSo(id soa.Body, says string, along, about vec.Vec3) error {
	expected := ""
	switch {
	case w.translates() && about != (vec.Vec3{}):
		expected = "no turning under position Verlet, which moves bodies without it"
	case w.cfg.Planar && !inPlane(along, about):
		expected = "none out of the plane z = 0 of a planar world"
	default:
		return nil
	}
	return mark.Errorf(ErrBody, "engine: %s "+says+", expected %s", w.nameOfBody(id), along, about, expected)
}

// change notes that forces will belong to other poses and velocities than they do now.
func (w *World) change() {
	w.moves.stride = 0 // Position Verlet starts anew from the velocities.
	if !w.ready || w.changed {
		return
	}
	w.changed = true
	m := w.measure()
	w.leftOver = m.Balance() - w.start
}

// settle computes the forces anew after a change.
func (w *World) settle() {
	w.changed = false
	if w.findForces(); !w.cfg.NoLedger {
		w.old.released = twofold{} // by the change, not by friction
	}
	m := w.measure()
	w.start = m.Balance() - w.leftOver
}

// loads is the forces and torques that a program puts on bodies.
type loads struct {
	force, torque soa.Vec3s // N and N·m, world axes, a row a body; empty until one is set
	bare, twist   soa.Vec3s // N and N·m, what Force and Torque of Bodies are without the loads
	work          float64   // J, done since the start
	power         float64   // W, at the last instant
}

// SetLoad puts a force, N, on the centre of mass of a body that is free to move, and a torque,
// N·m, both in world axes, beside gravity and contacts. They act from the next step on, until
// they are set again; zeros end them. They are part of Force and Torque of Bodies and of the
// state; their work is in Ledger.Applied. Errors are those of SetPose.
func (w *World) SetLoad(id soa.Body, force, torque vec.Vec3) error {
	if err := w.maySet(id, "load"); err != nil {
		return err
	}
	if square := force.Norm2() + torque.Norm2(); !(square <= math.MaxFloat64) {
		return mark.Errorf(ErrBody, "engine: %s is loaded with force %v and torque %v, expected finite, as their squares", w.nameOfBody(id), force, torque)
	}
	if err := w.mayMoveSo(id, "is loaded with force %v and torque %v", force, torque); err != nil {
		return err
	}
	l, b, i := &w.loads, &w.bodies, int(id)
	if l.force.Len() == 0 {
		l.resize(b)
		l.keep(b, 0, b.Len())
	}
	l.force.Set(i, force)
	l.torque.Set(i, torque)
	l.add(b, i, i+1)
	l.power = w.powerOfLoads()
	return nil
}

// powerOfLoads returns the power of all loads now, W.
func (w *World) powerOfLoads() (power float64) {
	l, b := &w.loads, &w.bodies
	for i := range l.force.Len() {
		power += l.force.At(i).Dot(b.Vel.At(i)) + l.torque.At(i).Dot(b.Spin.At(i))
	}
	return power
}

// addLoads adds the loads to the sums of bodies lo to hi.
func (w *World) addLoads(lo, hi int) {
	if hi = min(hi, w.loads.force.Len()); lo < hi {
		w.loads.keep(&w.bodies, lo, hi)
		w.loads.add(&w.bodies, lo, hi)
	}
}

func (l *loads) resize(b *soa.Bodies) {
	for _, c := range []*soa.Vec3s{&l.force, &l.torque, &l.bare, &l.twist} {
		c.Resize(b.Len())
	}
}

// keep notes what bodies lo to hi feel without loads.
func (l *loads) keep(b *soa.Bodies, lo, hi int) {
	for i := lo; i < hi; i++ {
		l.bare.Set(i, b.Force.At(i))
		l.twist.Set(i, b.Torque.At(i))
	}
}

// add sets what bodies lo to hi feel.
func (l *loads) add(b *soa.Bodies, lo, hi int) {
	for i := lo; i < hi; i++ {
		b.Force.Set(i, l.bare.At(i).Add(l.force.At(i)))
		b.Torque.Set(i, l.twist.At(i).Add(l.torque.At(i)))
	}
}
