package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// auger returns the flight of a screw about z, of pitch 1, between radii of 0.1 and 1, over some
// turns of 24 facets.
func auger(turns int) (wall triangles) {
	at := func(k int, r float64) vec.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k%24) / 24)
		return vec.V(r*cos, r*sin, float64(k)/24)
	}
	for k := range 24 * turns {
		a, b, c, d := at(k, 0.1), at(k, 1), at(k+1, 1), at(k+1, 0.1)
		wall = append(wall, []vec.Vec3{a, b, c}, []vec.Vec3{a, c, d})
	}
	return wall
}

// TestPressInAScrew puts blocks between two flights of a screw, which are one connected wall. Above
// one flight the block must feel its upper side, below the next flight its lower side. A block that
// touches neither must feel nothing, if it has half its inscribed radius to spare. Without damping
// a bouncing block must keep its energy.
func TestPressInAScrew(t *testing.T) {
	for _, height := range []float64{0.2, 0.4, 0.55, 0.7} {
		w, id := pressWorld(t, auger(3), box(t, 0.3, 0.3, height))
		low, high := 1.053+height/2, 1.947-height/2 // approximate heights of contact with the flights
		for _, c := range []struct{ z, sign float64 }{
			{low - 0.03, 1}, {low + 0.03, 0}, {1.5 - 0.01, 0}, {1.5, 0}, {1.5 + 0.01, 0}, {high - 0.03, 0}, {high + 0.03, -1},
		} {
			f, _ := w.pressAt(id, at(0.6, 0, c.z))
			if c.sign == 0 && f != (vec.Vec3{}) || c.sign != 0 && !(c.sign*f.Z > 1e-4) {
				t.Errorf("a block %g high at %g feels %v, expected the sign of %g upright", height, c.z, f, c.sign)
			}
		}
	}
	const stiffness = 1e7
	w := newWorld(t, Config{}, force.Thickness{Stiffness: stiffness, Restitution: 1})
	auger(3).wall(t, w, vec.IdentityPose, Motion{})
	pose := vec.Pose{Pos: vec.V(0.6, 0, 1.5), Rot: vec.FromRotationVector(vec.V(0.1, 0.2, 0.3))}
	part := Part{Shape: addShape(t, w, box(t, 0.3, 0.25, 0.4)), Density: 1000}
	id := addBody(t, w, BodySpec{Parts: []Part{part}, Pose: pose, Vel: vec.V(-0.5, 0, 3), Spin: vec.V(1, 2, 0)})
	start, hits, touched := w.Measure().Kinetic(), 0, false
	dt := math.Pi / 100 * math.Sqrt(w.Bodies().Mass[id]/(2*stiffness))
	for range int(0.4 / dt) {
		steps(t, w, 1, dt)
		if touches := activeContacts(w) > 0; touches != touched {
			touched = touches
			hits++
		}
	}
	m := w.Measure()
	t.Logf("%d times on or off a flight: %.2g of the energy is not accounted for", hits, math.Abs(m.LeftOver)/start)
	if hits < 4 || math.Abs(m.LeftOver) > 1e-4*start || m.Ledger.LawExcess != 0 {
		t.Errorf("%d times on or off a flight: %g of %g J are not accounted for, the law made %g", hits, m.LeftOver, start, m.Ledger.LawExcess)
	}
}
