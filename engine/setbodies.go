package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// This file holds the changes that a program makes between steps. Before the first step, a change
// simply replaces the values. Later, the odometer advances by the distance to a new pose, so
// certificates and candidate pairs stay valid. Before forces are next needed, they are computed
// anew from the new poses and velocities, without slip. A change therefore costs one evaluation of
// the contacts, however many bodies are set. The ledger books the energy that the changes add or remove as
// Ledger.Changed, or if bodies or walls came or went among them, all of it as Ledger.Inserted.

// SetPose moves a body that is not a wall to a pose in the frame of its parts, as AddBody and Pose have it. A
// zero rotation means none.
// Velocity and spin keep their values in world axes, and friction springs of contacts that persist
// stay stretched.
//
// SetPose returns an error that wraps ErrBody if the body does not exist or is a wall. It does so,
// too, if the pose is not finite, its quaternion not unit, or its position too far from the origin.
// In a planar world a pose must lie in the plane z = 0 and be the present one, turned about z. An
// error changes nothing. SetPose accepts overlaps: contact forces push the bodies apart.
func (w *World) SetPose(id soa.ID, pose vec.Pose) error {
	row, err := w.maySet(id, "pose")
	if err != nil {
		return err
	}
	i := int(row)
	pose = pose.OrIdentity()
	if !isPose(pose) {
		return mark.Errorf(ErrBody, "engine: %s is set to pose %v, expected finite with a unit quaternion", w.nameOf(row), pose)
	}
	given := pose
	pose.Rot = pose.Rot.Normalized()
	pose.Pos = pose.Point(w.bodies.Centre[i])
	if w.cfg.Planar && (pose.Pos.Z != 0 || w.tilts(i, pose.Rot)) {
		return mark.Errorf(ErrBody, "engine: %s with the quaternion %v is set to pose %v, expected it in the plane z = 0 of a planar world, turned about z alone",
			w.nameOf(row), w.bodies.Rot.At(i), given)
	}
	if err := w.mayBeAt(row, "", pose.Pos); err != nil {
		return err
	}
	w.change()
	if w.ready {
		kernels.Move(&w.bodies, row, pose)
	} else {
		w.bodies.Pos.Set(i, pose.Pos)
		w.bodies.Rot.Set(i, pose.Rot)
	}
	w.setSpin(i, w.bodies.Spin.At(i))
	return nil
}

// SetVelocity sets the velocity of the centre of mass, m/s, and the spin, rad/s, of a body that is
// not a wall, both in world axes. It returns the same errors as SetPose. It accepts any speed,
// because it does not know the time step. A body that moves by more than its size in a step may
// pass through others.
func (w *World) SetVelocity(id soa.ID, vel, spin vec.Vec3) error {
	row, err := w.maySet(id, "velocity")
	if err != nil {
		return err
	}
	if !vel.Finite() || !spin.Finite() {
		return mark.Errorf(ErrBody, "engine: %s is set to velocity %v and spin %v, expected finite", w.nameOf(row), vel, spin)
	}
	if err := w.mayMoveSo(row, "is set to velocity %v and spin %v", vel, spin); err != nil {
		return err
	}
	w.change()
	if i, held := w.heldAt(int(row)); held { // components that follow a table do so
		if h := &w.held[i]; h.Vel != nil {
			vel = h.Fixed.choose(vel, h.Vel.At(w.time))
		}
		if h := &w.held[i]; h.Spin != nil {
			spin = h.Fixed.turns().choose(spin, h.Spin.At(w.time))
		}
	}
	w.bodies.Vel.Set(int(row), vel)
	w.setSpin(int(row), spin)
	return nil
}

// setSpin sets the angular momentum for a spin, and the spin that follows from the angular
// momentum.
func (w *World) setSpin(i int, spin vec.Vec3) {
	w.bodies.AngMom.Set(i, angMomOf(&w.bodies, i, w.bodies.Rot.At(i), spin))
	if w.ready {
		spin = spinOf(w.bodies.Rot.At(i), w.bodies.AngMom.At(i), w.bodies.InvInertia.At(i)) // the same bits as at the end of a step
	}
	w.bodies.Spin.Set(i, spin)
}

// angMomOf returns the angular momentum of body i at orientation rot for a spin.
func angMomOf(b *soa.Bodies, i int, rot vec.Quat, spin vec.Vec3) vec.Vec3 {
	r := rot.Mat3()
	return r.MulVec(b.Inertia[i].MulVec(r.TMulVec(spin)))
}

// maySet returns the row of a body, or an error if its motion cannot be set.
func (w *World) maySet(id soa.ID, what string) (soa.Body, error) {
	row, err := w.mayChange(id, "set the "+what+" of body %d")
	if err == nil && w.bodies.InvMass[row] == 0 {
		err = mark.Errorf(ErrBody, "engine: the %s of %s is set, expected a body that is no wall: SetWallPose and SetWallMotion move walls", what, w.nameOf(row))
	}
	return row, err
}

// mayChange returns the row of a body that a program changes, or an error if there is none, or if the world has
// ended. does is the format of what the program does.
func (w *World) mayChange(id soa.ID, does string) (soa.Body, error) {
	row, ok := w.bodies.Row(id)
	switch {
	case w.fault != nil:
		return 0, w.fault
	case w.closed:
		return 0, mark.Errorf(ErrClosed, "engine: cannot "+does+" after Close", id)
	case !ok && id < w.bodies.NextID():
		return 0, mark.Errorf(ErrBody, "engine: cannot "+does+": it was removed before", id)
	case !ok:
		return 0, mark.Errorf(ErrBody, "engine: cannot "+does+": there is none, expected an id that was returned when a body or wall was added", id)
	}
	return row, nil
}

// mayBeAt rejects a position too far from the origin for the size of a body. kind precedes its name.
func (w *World) mayBeAt(row soa.Body, kind string, at vec.Vec3) error {
	r := w.bodies.Radius[row]
	if r == 0 || !contact.IsFar(at, r) { // a plane has no size
		return nil
	}
	return mark.Errorf(ErrBody, "engine: %s%s of radius %.3g m is set to %v, expected at most %.3g m (2³² radii) from the origin: "+
		"positions there are %.3g m from each other", kind, w.nameOf(row), r, at, contact.FarRadii*r, spacing(at))
}

// mayMoveSo rejects values that would turn a body under an integrator without rotation, or move a
// body out of the plane of a planar world. along is a velocity or force, and about a spin or
// torque. says is the format of both in the error.
func (w *World) mayMoveSo(row soa.Body, says string, along, about vec.Vec3) error {
	expected := ""
	switch {
	case w.cfg.translates() && about != (vec.Vec3{}):
		expected = "no turning under position Verlet, which moves bodies without it"
	case w.cfg.Planar && !inPlane(along, about):
		expected = "none out of the plane z = 0 of a planar world"
	default:
		return nil
	}
	return mark.Errorf(ErrBody, "engine: %s "+says+", expected %s", w.nameOf(row), along, about, expected)
}

// change records that bodies change, so that the forces must be computed anew.
func (w *World) change() { w.changeFrom(w.balance()) }

// balance returns Measure.Balance before a change.
func (w *World) balance() float64 {
	if !w.ready || w.changed || w.cfg.NoLedger {
		return w.before
	}
	m := w.measure()
	return m.Balance()
}

// comeOrGo is changeFrom for a body or wall that comes or goes.
func (w *World) comeOrGo(before float64) {
	w.changeFrom(before)
	w.cameOrWent = w.ready
}

// changeFrom is change, where before is what balance has returned before the change, J.
func (w *World) changeFrom(before float64) {
	w.moves.stride = 0 // Position Verlet starts anew from the velocities.
	w.changed, w.before = w.ready, before
}

// settle computes the forces anew after a change.
func (w *World) settle() {
	w.changed = false
	w.space.NoteLate(0, w.bodies.Len(), 0)
	w.space.Update()
	released := w.findForces()
	if w.cfg.NoLedger {
		return
	}
	w.dropped = twofold{} // the change released this energy, not friction
	if w.underNewLaws {
		w.ledger.Friction += released
		w.underNewLaws = false
	}
	m := w.measure()
	booked := &w.ledger.Changed
	if w.cameOrWent {
		booked = &w.ledger.Inserted
	}
	*booked += m.Balance() - w.before
	w.cameOrWent = false
}

// loads holds the forces and torques that a program applies to bodies.
type loads struct {
	force, torque soa.Vec3s    // N and N·m, world axes, by body; empty until a load is set
	tables        []loadTables // of bodies whose load varies, by row
	work          float64      // J, done since the start, also by constraints and by the loads of walls
	power         float64      // W, at the last instant
}

// loadTables are the tables of one body.
type loadTables struct {
	Row           soa.Body
	Force, Torque *TimeTable[vec.Vec3] // N and N·m; nil: 0
}

// SetLoad applies a force, N, at the centre of mass of a body that is not a wall, and a torque,
// N·m, both in world axes. They act in addition to gravity and contacts, from the next step until
// they are set again; zeros end them. Loads are included in Force and Torque of Bodies and in the
// state; their work is Ledger.Applied. SetLoad returns the same errors as SetPose.
func (w *World) SetLoad(id soa.ID, force, torque vec.Vec3) error {
	return w.SetLoadTable(id, Constant(force), Constant(torque))
}

// SetLoadTable is SetLoad for a force and a torque that vary in time; nil stands for zero.
func (w *World) SetLoadTable(id soa.ID, force, torque *TimeTable[vec.Vec3]) error {
	row, err := w.maySet(id, "load")
	if err != nil {
		return err
	}
	for what, table := range map[string]*TimeTable[vec.Vec3]{"force": force, "torque": torque} {
		if err := table.Check(); err != nil {
			return mark.Errorf(ErrBody, "engine: %s is loaded with a %s of %w", w.nameOf(row), what, err)
		}
	}
	if square := float64(force.norm()*force.norm()) + float64(torque.norm()*torque.norm()); !(square <= math.MaxFloat64) {
		return mark.Errorf(ErrBody, "engine: %s is loaded with force %v and torque %v, expected finite, as their squares", w.nameOf(row), force.value(0), torque.value(0))
	}
	for k := range max(force.len(), torque.len()) {
		f, t := force.value(k), torque.value(k)
		if err := w.mayMoveSo(row, "is loaded with force %v and torque %v", f, t); err != nil {
			return err
		}
	}
	l := &w.loads
	if l.force.Len() == 0 {
		l.resize(&w.bodies)
	}
	l.tables = slices.DeleteFunc(l.tables, func(t loadTables) bool { return t.Row == row })
	set := loadTables{row, force, torque}
	if force.varies() || torque.varies() {
		l.tables = append(l.tables, set)
	}
	l.set(&w.bodies, &set, w.time)
	w.power(w.time, w.lastStep)
	return nil
}

// Load returns the force, N, and the torque, N·m, that SetLoad or SetLoadTable has set for a body.
func (w *World) Load(id soa.ID) (force, torque *TimeTable[vec.Vec3]) {
	row, ok := w.bodies.Row(id)
	if !ok || w.loads.force.Len() == 0 {
		return nil, nil
	}
	for _, t := range w.loads.tables {
		if t.Row == row {
			return t.Force, t.Torque
		}
	}
	return Constant(w.loads.force.At(int(row))), Constant(w.loads.torque.At(int(row)))
}

// set gives a body the load of a time, and the force and torque on it the difference to its load before.
func (l *loads) set(b *soa.Bodies, of *loadTables, t float64) {
	i := int(of.Row)
	for _, c := range [...]struct {
		load, sum *soa.Vec3s
		table     *TimeTable[vec.Vec3]
	}{{&l.force, &b.Force, of.Force}, {&l.torque, &b.Torque, of.Torque}} {
		v := c.table.At(t)
		c.sum.Set(i, c.sum.At(i).Add(v.Sub(c.load.At(i))))
		c.load.Set(i, v)
	}
}

// addTo adds the loads to the forces and torques on bodies lo to hi.
func (l *loads) addTo(b *soa.Bodies, lo, hi int) {
	for i := lo; i < min(hi, l.force.Len()); i++ {
		b.Force.Set(i, b.Force.At(i).Add(l.force.At(i)))
		b.Torque.Set(i, b.Torque.At(i).Add(l.torque.At(i)))
	}
}

func (l *loads) resize(b *soa.Bodies) {
	l.force.Resize(b.Len())
	l.torque.Resize(b.Len())
}

// powerOn returns the present power of all loads, W.
func (l *loads) powerOn(b *soa.Bodies) (power float64) {
	for i := range l.force.Len() {
		power += l.force.At(i).Dot(b.Vel.At(i)) + l.torque.At(i).Dot(b.Spin.At(i))
	}
	return power
}
