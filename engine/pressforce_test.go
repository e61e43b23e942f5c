package engine

import (
	"flag"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

var soakPress = flag.Int("soak.press", 0, "bricks of TestPressBricksSlideAlike, for the whole of 0.35 s, and falls on each wall of TestPressFalls; 0 for the few of the ordinary run")

// pressWorld returns a world of a wall of facets and one block, for pressAt. The law has stiffness
// 1.
func pressWorld(t testing.TB, wall triangles, shape *soa.Template) (w *World, block int) {
	t.Helper()
	w = newWorld(t, Config{}, force.Thickness{Stiffness: 1, Restitution: 1})
	wall.wall(t, w, vec.IdentityPose, Motion{})
	block = int(addMoving(t, w, addShape(t, w, shape), at(0, 0, 1e3), vec.Vec3{}, vec.Vec3{}))
	w.Measure()
	return w, block
}

// pressAt returns the force on a body at rest in a pose, and the moment about its position.
func (w *World) pressAt(id int, pose vec.Pose) (f, m vec.Vec3) {
	w.bodies.Pos.Set(id, pose.Pos)
	w.bodies.Rot.Set(id, pose.Rot)
	w.space.Internals().Search()
	for i := range w.space.Pairs.Expiry {
		w.space.Pairs.Expiry[i] = soa.Expired
	}
	w.findContacts()
	w.gather()
	return w.bodies.Force.At(id), w.bodies.Torque.At(id)
}

// touchdown returns the height, m, to 1e-8, at which an upright block touches a wall from above.
func (w *World) touchdown(id int, pose vec.Pose) float64 {
	low, high := -1.0, 3.0
	for high-low > 1e-8 {
		pose.Pos.Z = 0.5 * (low + high)
		if w.pressAt(id, pose); activeContacts(w) > 0 {
			low = pose.Pos.Z
		} else {
			high = pose.Pos.Z
		}
	}
	return low
}
