package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Drift advances the bodies lo ≤ i < next in place by half a kick and a whole time step. It stops
// at the first body that it must not move, and returns that body, or hi. There are three such
// cases: the motion of the body is prescribed, its turn is a NaN, or it would turn farther than the
// square root of turn2, rad, in one stage of the rotation formula. See asm.Drift. Drift reads
// velocity, pose, force and torque, and writes velocity, pose, spin and odometer. gravity is in
// m/s², dt in s.
func Drift(b *soa.Bodies, gravity vec.Vec3, dt, turn2 float64, lo, hi int) (next int) {
	var m asm.MotionColumns
	motionOf(b, &m)
	return asm.Drift(&m, gravity.X, gravity.Y, gravity.Z, dt, turn2, lo, hi)
}

// Kick advances velocity, angular momentum and spin of the bodies lo ≤ i < next in place by half s.
// It stops at the first body whose motion is prescribed or would not be finite, and returns that
// body, or hi; see asm.Kick.
func Kick(b *soa.Bodies, gravity vec.Vec3, half float64, lo, hi int) (next int) {
	var m asm.MotionColumns
	motionOf(b, &m)
	return asm.Kick(&m, gravity.X, gravity.Y, gravity.Z, half, lo, hi)
}

// Move sets the pose of body i, and advances its odometer by the path to that pose, with the bits
// of Drift; see asm.Advance.
func Move(b *soa.Bodies, i soa.Body, to vec.Pose) {
	b.Odometer[i] = asm.Advance(b.Odometer[i], b.Radius[i], b.Pose(i), to)
	b.Pos.Set(int(i), to.Pos)
	b.Rot.Set(int(i), to.Rot)
}

// motionOf writes the columns of bodies to the structure of package asm.
func motionOf(b *soa.Bodies, m *asm.MotionColumns) {
	m.PosX, m.PosY, m.PosZ = b.Pos.X, b.Pos.Y, b.Pos.Z
	m.RotW, m.RotX, m.RotY, m.RotZ = b.Rot.W, b.Rot.X, b.Rot.Y, b.Rot.Z
	m.VelX, m.VelY, m.VelZ = b.Vel.X, b.Vel.Y, b.Vel.Z
	m.AngMomX, m.AngMomY, m.AngMomZ = b.AngMom.X, b.AngMom.Y, b.AngMom.Z
	m.SpinX, m.SpinY, m.SpinZ = b.Spin.X, b.Spin.Y, b.Spin.Z
	m.ForceX, m.ForceY, m.ForceZ = b.Force.X, b.Force.Y, b.Force.Z
	m.TorqueX, m.TorqueY, m.TorqueZ = b.Torque.X, b.Torque.Y, b.Torque.Z
	i := &b.InvInertia
	m.InvXX, m.InvYY, m.InvZZ, m.InvXY, m.InvXZ, m.InvYZ = i.XX, i.YY, i.ZZ, i.XY, i.XZ, i.YZ
	m.InvMass, m.Odometer, m.Radius = b.InvMass, b.Odometer, b.Radius
}
