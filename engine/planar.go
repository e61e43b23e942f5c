package engine

import (
	"github.com/scree-dem/scree/internal/mark"
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
func (w newBody) mustBePlanar(id int, b *Body, centre vec.Vec3) error {
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

// inPlane reports whether along lies in the plane z = 0 and about is parallel to z.
func inPlane(along, about vec.Vec3) bool { return along.Z == 0 && about.X == 0 && about.Y == 0 }

// flatten clears the forces along z and the torques about x and y on bodies lo to hi of a planar
// world.
func (w *World) flatten(lo, hi int) {
	if !w.cfg.Planar {
		return
	}
	b := &w.bodies
	clear(b.Force.Z[lo:hi])
	clear(b.Torque.X[lo:hi])
	clear(b.Torque.Y[lo:hi])
}
