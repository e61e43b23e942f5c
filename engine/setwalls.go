package engine

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// SetWallPose moves a wall to a pose in the frame of its parts, as AddWall and Pose have it. A zero rotation
// means none. The wall goes on with its motion from there. It does not sweep: bodies on its way stay where
// they are.
//
// SetWallPose returns an error that wraps ErrBody if the body is no wall, if the pose is not finite, its
// quaternion not unit or its position too far from the origin, and if a plane would turn. After Close the
// error wraps ErrClosed. An error changes nothing.
func (w *World) SetWallPose(id soa.ID, pose vec.Pose) error {
	v, err := w.wallToSet(id, "pose")
	if err != nil {
		return err
	}
	row := v.body
	pose = pose.OrIdentity()
	if !isPose(pose) {
		return mark.Errorf(ErrBody, "engine: wall %s is set to pose %v, expected finite with a unit quaternion", w.nameOf(row), pose)
	}
	pose.Rot = pose.Rot.Normalized()
	if now := w.bodies.Rot.At(int(row)); pose.Rot == (vec.Quat{W: -now.W, X: -now.X, Y: -now.Y, Z: -now.Z}) {
		pose.Rot = now // the same rotation
	}
	if pose.Rot != w.bodies.Rot.At(int(row)) && w.hasPlane(row) {
		return mark.Errorf(ErrBody, "engine: wall %s, which has a plane, is set to the quaternion %v, expected %v: a plane may move but not turn",
			w.nameOf(row), pose.Rot, w.bodies.Rot.At(int(row)))
	}
	if err := w.mayBeAt(row, "wall ", pose.Pos); err != nil {
		return err
	}
	return w.setWall(v, v.Motion, pose)
}

// SetWallMotion gives a wall another motion, from its present pose on. From and To of the motion are times of
// the world, as in AddWall. SetWallMotion returns the errors of SetWallPose, and those of AddWall about a
// motion. If the wall is too fast for the time step, Step says so.
func (w *World) SetWallMotion(id soa.ID, m Motion) error {
	v, err := w.wallToSet(id, "motion")
	if err != nil {
		return err
	}
	row := v.body
	if err := m.check(id, w.bodies.Name[row]); err != nil {
		return err
	}
	if m.turns() && w.hasPlane(row) {
		return mark.Errorf(ErrBody, "engine: wall %s, which has a plane, is set to the spin %v rad/s, expected none: a plane may move but not turn",
			w.nameOf(row), cmp.Or(m.Spin, axisOf(m.SpinTable)))
	}
	return w.setWall(v, m, w.bodies.Pose(row))
}

// wallToSet returns a wall whose pose or motion may be set.
func (w *World) wallToSet(id soa.ID, what string) (*wallState, error) {
	row, err := w.mayChange(id, "set the "+what+" of wall %d")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(w.walls, func(v wallState) bool { return v.body == row })
	if i < 0 {
		return nil, mark.Errorf(ErrBody, "engine: the %s of %s is set as that of a wall, expected a wall", what, w.nameOf(row))
	}
	return &w.walls[i], nil
}

// hasPlane reports whether one of a body's pieces is a plane.
func (w *World) hasPlane(row soa.Body) bool {
	first, end := w.bodies.FirstPiece[row], w.bodies.FirstPiece[row+1]
	return slices.ContainsFunc(w.space.Pieces.Kind[first:end], soa.Kind.IsEndless)
}

// wallRounding bounds how far a motion may take a wall from the pose that it is to have at the time when the
// motion is set, relative to the largest of the lengths that are added: eight roundings.
// Smaller: motions far from the wall are refused. Larger: walls jump when a motion is set.
const wallRounding = 0x1p-50

// farShare is the share of a wall's radius that its pose may lose to rounding: that of contact.FarRadii.
// Another value: as above.
const farShare = 0x1p-20

// inMotion returns a wall whose motion gives it a pose now, and the pose that it then has, to rounding, with its
// velocities. It refuses a motion of which the pose at this time
// cannot be computed to the digits that the wall's size needs.
func (w *World) inMotion(wall soa.Body, m Motion, f follows, pose vec.Pose) (set wallState, there vec.Pose, vel, spin vec.Vec3, err error) {
	f.From, f.Offset = pose.Pos.Dot(f.axis()), 0
	set = wallState{wall, wallCourse{m, pose, f}}
	shift, turn, _, _ := m.at(w.time)
	shift = f.across(shift)
	set.Pose.Pos = pose.Pos.Sub(shift)
	if m.turns() {
		back := turn.Conj()
		set.Pose.Pos = m.Centre.Add(back.Rotate(pose.Pos.Sub(shift).Sub(m.Centre)))
		set.Pose.Rot = back.Mul(pose.Rot).Normalized()
	}
	there, vel, spin = set.at(w.time, 0)
	off, largest, r := there.Pos.Sub(pose.Pos).Norm(), max(shift.MaxAbs(), m.Centre.MaxAbs()), w.bodies.Radius[wall]
	if r == 0 { // a plane has no size
		r = max(largest, pose.Pos.MaxAbs())
	}
	if !set.moves() {
		there = pose
	} else if !there.Rot.Finite() || !vel.Finite() || !spin.Finite() || !(float64(wallRounding*largest) <= farShare*r) || !(off <= farShare*r) {
		err = mark.Errorf(ErrBody, "engine: wall %s is set to the motion %+v at %g s, which has gone %.3g m by then, expected a motion and a centre within %.3g m: "+
			"positions would have too few digits", w.nameOf(wall), m, w.time, largest, farShare*r/wallRounding)
	}
	return set, there, vel, spin, err
}

// setWall gives a wall a motion in which it has a pose now.
func (w *World) setWall(v *wallState, m Motion, pose vec.Pose) error {
	set, there, vel, spin, err := w.inMotion(v.body, m, v.follows, pose)
	if err != nil {
		return err
	}
	w.change()
	w.limits.known, w.setWalls = false, true
	*v = set
	id := int(v.body)
	w.bodies.Vel.Set(id, vel)
	w.bodies.Spin.Set(id, spin)
	if w.ready {
		kernels.Move(&w.bodies, v.body, there)
	} else {
		w.bodies.Pos.Set(id, there.Pos)
		w.bodies.Rot.Set(id, there.Rot)
	}
	return nil
}
