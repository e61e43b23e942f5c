package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// turned returns a surface of n sides about z through points (r, z) of a profile.
func (f triangles) turned(n int, profile ...[2]float64) triangles {
	at := func(k int, p [2]float64) vec.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
		return vec.V(p[0]*cos, p[0]*sin, p[1])
	}
	for j := range len(profile) - 1 {
		for k := range n {
			a, b, c, d := at(k, profile[j]), at(k+1, profile[j]), at(k+1, profile[j+1]), at(k, profile[j+1])
			if profile[j][0] > 0 {
				f = append(f, []vec.Vec3{a, b, c})
			}
			if profile[j+1][0] > 0 {
				f = append(f, []vec.Vec3{a, c, d})
			}
		}
	}
	return f
}

// plate returns a closed box around the origin of size 2·x by 2·y by 2·z.
func plate(x, y, z float64) (wall triangles) {
	v := func(i int) vec.Vec3 {
		return vec.V(float64(i&1*2-1)*x, float64(i>>1&1*2-1)*y, float64(i>>2&1*2-1)*z)
	}
	for _, q := range [][4]int{{4, 5, 7, 6}, {0, 2, 3, 1}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		wall = append(wall, []vec.Vec3{v(q[0]), v(q[1]), v(q[2])}, []vec.Vec3{v(q[0]), v(q[2]), v(q[3])})
	}
	return wall
}

// TestPressStoresContinuously moves blocks through thin walls and over open edges, so that their
// centre changes sides inside the wall. The stored energy must not jump: it must change by force
// times path, and be zero before and after.
func TestPressStoresContinuously(t *testing.T) {
	upright := triangles{{vec.V(0, -1, -1), vec.V(0, 1, -1), vec.V(0, 1, 0), vec.V(0, -1, 0)}}
	leaning := triangles{upright[0], {vec.V(0.02, -1, -1), vec.V(0.02, 1, -1), vec.V(0.5, 1, 0), vec.V(0.5, -1, 0)}}
	hopper := triangles{}.turned(24, [2]float64{0.3, -0.5}, [2]float64{0.8, 0})
	bowl := triangles{}.turned(16, [2]float64{0, -0.7}, [2]float64{0.35, -0.6}, [2]float64{0.6, -0.35}, [2]float64{0.7, 0})
	along := func(from, to, turn vec.Vec3) func(s float64) vec.Pose {
		return func(s float64) vec.Pose {
			return vec.Pose{Pos: from.AddScaled(s, to.Sub(from)), Rot: vec.FromRotationVector(turn)}
		}
	}
	for _, c := range []struct {
		name string
		wall triangles
		way  func(s float64) vec.Pose
	}{
		{"through a thin plate", gridFloor(3, 0, 1), along(vec.V(0.1, 0, 0.3), vec.V(0.1, 0, -0.3), vec.V(0.3, 0.2, 0))},
		{"through a plate", plate(0.8, 0.8, 0.01), along(vec.V(0.1, 0, 0.3), vec.V(0.1, 0, -0.3), vec.V(0.3, 0.2, 0))},
		{"through a plate's open edge", plate(0.8, 0.8, 0.01), along(vec.V(0.85, 0, 0.3), vec.V(0.85, 0, -0.3), vec.V(0.3, 0.2, 0))},
		{"over an upright plate", upright, along(vec.V(-0.3, 0, 0.07), vec.V(0.3, 0, 0.07), vec.V(0.1, 0.3, 0))},
		{"over leaning plates", leaning, along(vec.V(-0.3, 0, 0.07), vec.V(0.8, 0, 0.07), vec.V(0.1, 0.3, 0))},
		{"over a hopper's open edge", hopper, along(vec.V(0.5, 0.1, 0.07), vec.V(1.1, 0.1, 0.07), vec.V(0.1, 0.3, 0))},
		{"over a bowl's open edge", bowl, along(vec.V(0.4, 0.1, 0.07), vec.V(1, 0.1, 0.07), vec.V(0.1, 0.3, 0))},
	} {
		w, id := pressWorld(t, c.wall, box(t, 0.3, 0.3, 0.2))
		const n = 500
		most, worst, where := 0.0, 0.0, 0.0
		from, last := c.way(0).Pos, 0.0
		var force vec.Vec3
		for k := range n + 1 {
			pose := c.way(float64(k) / n)
			f, _ := w.pressAt(id, pose)
			stored := storedIn(w)
			rise := math.Abs(stored-last) - math.Abs(f.Dot(pose.Pos.Sub(from))) - math.Abs(force.Dot(pose.Pos.Sub(from)))
			if rise > worst {
				worst, where = rise, float64(k)/n
			}
			most, last, from, force = max(most, stored), stored, pose.Pos, f
		}
		if worst > 0.01*most || last != 0 || !(most > 1e-6) {
			t.Errorf("%s: at %g of the way what is stored jumps by %.2g of %.2g, and ends with %g", c.name, where, worst, most, last)
		}
	}
}

// blades returns n upright plates without thickness in each direction, with their edges in a plane.
func blades(n int, pitch float64, crossed bool) (wall triangles) {
	for k := range n {
		x := pitch * (float64(k) - float64(n-1)/2)
		p := func(y, z float64) vec.Vec3 { return vec.V(x, y, z) }
		wall = append(wall, []vec.Vec3{p(-1, -0.5), p(1, -0.5), p(1, 0), p(-1, 0)})
		if p = func(y, z float64) vec.Vec3 { return vec.V(y, x, z) }; crossed {
			wall = append(wall, []vec.Vec3{p(-1, -0.5), p(1, -0.5), p(1, 0), p(-1, 0)})
		}
	}
	return wall
}

// TestPressOnGrates slides a block, a centimetre deep, along grates of separate blades. The sides
// of all blades are chosen together, whatever their number. The stored energy must change by force
// times path, for shorter steps if the force reverses.
func TestPressOnGrates(t *testing.T) {
	for _, c := range []struct {
		blades  int
		crossed bool
	}{{8, false}, {24, false}, {8, true}} {
		w, id := pressWorld(t, blades(c.blades, 0.6/float64(c.blades), c.crossed), box(t, 0.5, 0.4, 0.3))
		r := rand.New(rand.NewPCG(1, 2))
		// slide returns the part of the stored energy's change that is not force times path, as a
		// share, in n steps.
		var slide func(pose vec.Pose, along vec.Vec3, n int) float64
		slide = func(pose vec.Pose, along vec.Vec3, n int) (worst float64) {
			f, _ := w.pressAt(id, pose)
			stored := storedIn(w)
			for range n {
				from := pose
				pose.Pos = pose.Pos.Add(along)
				g, _ := w.pressAt(id, pose)
				next := storedIn(w)
				off := math.Abs(next-stored+0.5*f.Add(g).Dot(along)) / next
				if off > 2e-4 && along.Norm() > 1e-6 {
					off = slide(from, along.Scale(0.01), 100)
				}
				worst, f, stored = max(worst, off), g, next
			}
			return worst
		}
		worst := 0.0
		for range 10 {
			turn := vec.FromRotationVector(vec.V(0.05*r.NormFloat64(), 0.05*r.NormFloat64(), r.NormFloat64()))
			pose := vec.Pose{Pos: vec.V(0.2*r.NormFloat64(), 0.1, 0), Rot: turn}
			pose.Pos.Z = w.touchdown(id, pose) - 0.01
			worst = max(worst, slide(pose, vec.V(r.NormFloat64(), r.NormFloat64(), 0).Unit().Scale(1e-4), 100))
		}
		t.Logf("%+v: %.2g of what is stored is not force times way", c, worst)
		if worst > 2e-4 {
			t.Errorf("%+v: %.2g of what is stored is not force times way", c, worst)
		}
	}
}

// TestPressOnOpenEdgesKeepsEnergy drops blocks on open edges and through steep ground, where their
// centre passes from one side of the wall to the other. Without damping they must keep their energy
// up to the error of the step.
func TestPressOnOpenEdgesKeepsEnergy(t *testing.T) {
	bowl := triangles{}.turned(16, [2]float64{0, -0.7}, [2]float64{0.35, -0.6}, [2]float64{0.6, -0.35}, [2]float64{0.7, 0})
	hopper := triangles{}.turned(24, [2]float64{0.25, -0.5}, [2]float64{0.8, 0})
	worst := 0.0
	for name, wall := range map[string]triangles{"bowl": bowl, "hopper": hopper} {
		for k := range 6 {
			const stiffness, speed = 1e7, 2.5
			w := newWorld(t, Config{}, force.Thickness{Stiffness: stiffness, Restitution: 1})
			wall.wall(t, w, vec.IdentityPose, Motion{})
			angle := float64(k)
			sin, cos := math.Sincos(angle)
			r := 0.7 + 0.03*float64(k%4)
			pose := vec.Pose{Pos: vec.V(r*cos, r*sin, 0.12), Rot: vec.FromRotationVector(vec.V(0.3*sin, 0.2*cos, angle))}
			part := Part{Shape: addShape(t, w, box(t, 0.4, 0.3, 0.05)), Density: 1000}
			id := addBody(t, w, BodySpec{Parts: []Part{part}, Pose: pose, Vel: vec.V(0, 0, -speed), Spin: vec.V(1, 2, 0)})
			start := w.Measure().Kinetic()
			dt := math.Pi / 100 * math.Sqrt(w.Bodies().Mass[id]/(2*stiffness))
			for range int(0.07 / dt) {
				steps(t, w, 1, dt)
			}
			m := w.Measure()
			worst = max(worst, math.Abs(m.LeftOver)/start)
			if math.Abs(m.LeftOver) > 1e-4*start || m.Ledger.LawExcess != 0 {
				t.Errorf("%s, slab %d: %.3g of %.3g J are not accounted for, the law made %.3g", name, k, m.LeftOver, start, m.Ledger.LawExcess)
			}
		}
	}
	t.Logf("up to %.1e of the energy is not accounted for", worst)
}

// TestPressLooksAtFewOfThoseNear moves a cube slowly along a floor of facets, so close that it is
// deep in the material behind the facets' other sides. The odometers must answer nearly all pairs.
func TestPressLooksAtFewOfThoseNear(t *testing.T) {
	w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e3, Restitution: 0.5})
	gridFloor(4, 0, 1).wall(t, w, vec.IdentityPose, Motion{})
	addMoving(t, w, addShape(t, w, box(t, 0.5, 0.5, 0.5)), at(0.1, 0.1, 0.27), vec.V(0.1, 0, 0), vec.Vec3{})
	steps(t, w, 10, 1e-3)
	before := w.AnsweredBy()
	steps(t, w, 100, 1e-3)
	after := w.AnsweredBy()
	looks, settled := after.By[narrow.ByFeature]-before.By[narrow.ByFeature], after.By[narrow.ByOdometer]-before.By[narrow.ByOdometer]
	if looks*10 > settled || settled == 0 {
		t.Errorf("%d pairs were looked at and %d settled by their odometers, expected a tenth at most", looks, settled)
	}
}
