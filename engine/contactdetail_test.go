package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestContactDetail reads the details of cubes on each other and on a plane, of a ball on a plane, and of the cubes
// under a law that reads gaps.
func TestContactDetail(t *testing.T) {
	const deep = 1e-3
	for _, law := range []force.Parameters{force.Thickness{Stiffness: 1e6, Restitution: 0.2}, force.Linear{Kn: 1e6}} {
		w := newWorld(t, Config{}, law)
		cube := addShape(t, w, box(t, 1, 1, 1))
		addBody(t, w, BodySpec{Parts: one(cube, 1), Pose: at(0, 0, 0.5-deep)})
		addBody(t, w, BodySpec{Parts: one(cube, 1), Pose: at(0.25, 0, 1.5-2*deep)})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.5)), 1), Pose: at(5, 0, 0.5-deep)})
		planeWall(t, w, vec.IdentityPose, Motion{})
		reads := law != force.Parameters(force.Linear{Kn: 1e6})
		n := 0
		for c := range w.ActiveContacts() {
			n++
			d, thick, volume, kind := w.ContactDetail(c.Row), 0.0, 0.0, narrow.NoType
			ballOnPlane := c.A == 2
			if reads {
				thick, volume = deep, deep
			}
			switch {
			case ballOnPlane:
				volume = 0
			case c.B == 1:
				kind, volume = narrow.TypeFaceFace, 0.75*volume
			}
			if !near(d.Gap, -deep, 1e-9) || !near(d.Thickness, thick, 1e-9) || !near(d.Volume, volume, 1e-9) || d.Type != kind {
				t.Errorf("%T, bodies %d and %d: %+v, expected the thickness %g, the volume %g and the type %v", law, c.A, c.B, d, thick, volume, kind)
			}
		}
		if n != 3 {
			t.Errorf("%d contacts, expected 3", n)
		}
	}
}
