package engine

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// A planar world is one of two dimensions: its bodies stay in the plane z = 0 and turn about z alone. All else
// is as in space. Normals of walls round, so forces may have a last digit along z; it is dropped.

// checkPlanar refuses gravity out of the plane.
func (c *Config) checkPlanar() error {
	if c.Planar && c.Gravity.Z != 0 {
		return mark.Errorf(ErrConfig, "engine: gravity %v, expected none along z in a planar world", c.Gravity)
	}
	return nil
}

// mustBePlanar refuses a body that is not in the plane, or leaves it.
func (w newBody) mustBePlanar(id int, b *Body, centre vec.Vec3) error {
	if !w.cfg.Planar || centre.Z == 0 && inPlane(b.Vel, b.Spin) {
		return nil
	}
	return mark.Errorf(ErrBody, "engine: body %d %q has its centre at %v, velocity %v and spin %v, expected it in the plane z = 0 of a planar world, "+
		"turning about z alone", id, b.Name, centre, b.Vel, b.Spin)
}

// inPlane reports whether a vector lies in the plane z = 0, and another is about z alone.
func inPlane(along, about vec.Vec3) bool { return along.Z == 0 && about.X == 0 && about.Y == 0 }

// flatten drops forces out of the plane and the torques that go with them, of bodies lo to hi of a planar world.
func (w *World) flatten(lo, hi int) {
	if !w.cfg.Planar {
		return
	}
	b := &w.bodies
	clear(b.Force.Z[lo:hi])
	clear(b.Torque.X[lo:hi])
	clear(b.Torque.Y[lo:hi])
}
