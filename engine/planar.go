package engine

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A planar world is two-dimensional: its bodies stay in the plane z = 0 and turn about z only.
// Everything else works as in three dimensions. Normals of walls are rounded, so forces may have a
// tiny component along z; flatten drops it.

// checkPlanar rejects gravity with a component out of the plane.
func (c *Config) checkPlanar() error {
	if c.Planar && c.Gravity.Z != 0 {
		return mark.Errorf(ErrConfig, "engine: gravity %v, expected none along z in a planar world", c.Gravity)
	}
	return nil
}

// mustBePlanar rejects a body that is not in the plane, or whose velocity or spin would take it out
// of the plane.
func (w bodyAdder) mustBePlanar(id soa.ID, b *BodySpec, centre vec.Vec3) error {
	if !w.cfg.Planar || centre.Z == 0 && inPlane(b.Vel, b.Spin) {
		return nil
	}
	return mark.Errorf(ErrBody, "engine: body %d %q has its centre at %v, velocity %v and spin %v, expected it in the plane z = 0 of a planar world, "+
		"turning about z alone", id, b.Name, centre, b.Vel, b.Spin)
}

// turnAboutZ makes a body at orientation rot turn about the world's z axis alone, whatever its shape.
// If z is no principal axis, a body turns out of the plane even without a torque. turnAboutZ then
// drops all of the inertia but the moment about z, which a constraint to the plane leaves to act.
func (m *massOf) turnAboutZ(rot vec.Quat) {
	z := rot.Normalized().RotateInv(vec.Vec3{Z: 1})
	l := m.inertia.MulVec(z)
	moment := l.Dot(z)
	if l == z.Scale(moment) {
		return
	}
	m.inertia, m.inverse = z.Outer().Scale(moment), z.Outer().Scale(1/moment)
}

// tiltTol bounds how far the moment of inertia about z may turn away from z, relative to its length,
// in a body that SetPose turns about z. A rotation that a program computes rounds by less than 2⁻⁵⁰.
// Smaller: SetPose refuses turns about z. Larger: planar bodies leave the plane.
const tiltTol = 0x1p-45

// tilts reports whether body i would not turn about z alone if it had the orientation rot. A body
// that is added tilted has an inertia for its tilt alone: see turnAboutZ.
func (w *World) tilts(i int, rot vec.Quat) bool {
	if was := w.bodies.Rot.At(i); was.X == 0 && was.Y == 0 {
		return rot.X != 0 || rot.Y != 0
	}
	z := rot.Normalized().RotateInv(vec.Vec3{Z: 1})
	l := w.bodies.Inertia[i].MulVec(z)
	moment := l.Dot(z)
	return !(l.AddScaled(-moment, z).Norm() < tiltTol*moment)
}

// powerOutOfPlane returns the power, W, of the forces along z and the torques about x and y on wall
// id of a planar world. flatten has dropped them, but a wall may move along z or turn about x and y.
func (c *accountStage) powerOutOfPlane(id int) (power float64) {
	w := c.w
	b, con := &w.bodies, &w.forces
	vel, spin := b.Vel.At(id), b.Spin.At(id)
	if !w.cfg.Planar || inPlane(vel, spin) {
		return 0
	}
	torque := [2]*soa.Vec3s{&con.TorqueA, &con.TorqueB}
	for _, place := range w.space.PairsOf(id) {
		if p, side := w.space.Pairs.Row[place>>1], place&1; p != soa.NoRow && w.space.Contacts.Active[p] {
			t := torque[side].At(int(p))
			power += float64(signed(con.Force.Z[p], side)*vel.Z) + float64(t.X*spin.X) + float64(t.Y*spin.Y)
		}
	}
	return power
}

// inPlane reports whether along lies in the plane z = 0 and about is parallel to z.
func inPlane(along, about vec.Vec3) bool { return along.Z == 0 && about.X == 0 && about.Y == 0 }

// flatten clears the forces along z and the torques about x and y on bodies lo to hi of a planar
// world.
func (c *gatherStage) flatten(lo, hi int) {
	w := c.w
	if !w.cfg.Planar {
		return
	}
	b := &w.bodies
	clear(b.Force.Z[lo:hi])
	clear(b.Torque.X[lo:hi])
	clear(b.Torque.Y[lo:hi])
}
