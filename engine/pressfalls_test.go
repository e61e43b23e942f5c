package engine

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// fallWalls returns the walls of TestPressFalls. On walls with open edges, bodies fall on the round
// ones only.
func fallWalls() []struct {
	name  string
	round bool
	wall  triangles
} {
	var stairs triangles
	for i := range 4 {
		x, z := -0.6+0.3*float64(i), 0.2*float64(i)-0.7
		stairs = append(stairs, []vec.Vec3{vec.V(x, -1, z), vec.V(x+0.3, -1, z), vec.V(x+0.3, 1, z), vec.V(x, 1, z)})
		if i < 3 {
			stairs = append(stairs, []vec.Vec3{vec.V(x+0.3, -1, z), vec.V(x+0.3, -1, z+0.2), vec.V(x+0.3, 1, z+0.2), vec.V(x+0.3, 1, z)})
		}
	}
	upright := triangles{{vec.V(0, -0.8, -0.8), vec.V(0, 0.8, -0.8), vec.V(0, 0.8, 0), vec.V(0, -0.8, 0)}}
	leaning := triangles{upright[0], {vec.V(0.02, -0.8, -0.8), vec.V(0.02, 0.8, -0.8), vec.V(0.4, 0.8, 0), vec.V(0.4, -0.8, 0)}}
	return []struct {
		name  string
		round bool
		wall  triangles
	}{
		{"bowl", true, triangles{}.turned(16, [2]float64{0, -0.7}, [2]float64{0.35, -0.6}, [2]float64{0.6, -0.35}, [2]float64{0.7, 0})},
		{"hopper", true, triangles{}.turned(24, [2]float64{0.25, -0.5}, [2]float64{0.8, 0})},
		{"hopper of 8", true, triangles{}.turned(8, [2]float64{0.25, -0.5}, [2]float64{0.8, 0})},
		{"drum", true, triangles{}.turned(24, [2]float64{0.7, -0.5}, [2]float64{0.7, 0})},
		{"funnel", true, triangles{}.turned(16, [2]float64{0.25, -0.8}, [2]float64{0.25, -0.5}, [2]float64{0.8, 0})},
		{"closed", true, triangles{}.turned(16, [2]float64{0.25, -0.5}, [2]float64{0.8, 0}, [2]float64{0.9, 0}, [2]float64{0.3, -0.6}, [2]float64{0.25, -0.5})},
		{"stairs", false, stairs},
		{"roof", false, twoSlopes(-0.8)},
		{"gutter", false, twoSlopes(0.8).moved(vec.V(0, 0, -0.8))},
		{"rough", false, roughFloor(10, 0.03, 1)},
		{"steep", false, roughFloor(8, 0.2, 1).moved(vec.V(0, 0, -0.2))},
		{"upright", false, upright},
		{"leaning", false, leaning},
		{"plate", false, plate(0.8, 0.8, 0.01)},
		{"fin", false, plate(0.01, 0.8, 0.5).moved(vec.V(0, 0, -0.5))},
		{"beam", false, plate(0.1, 0.8, 0.1)},
		{"small", false, plate(0.1, 0.1, 0)[:2]},
	}
}

// TestPressFalls drops blocks, rocks, balls and clumps in random poses on walls of facets, without
// damping and friction, in steps of a hundredth of the contact time. The ledger's remainder must be
// the error of the steps. -soak.press sets the number of bodies per wall.
func TestPressFalls(t *testing.T) {
	require.Numbers(t)
	walls, falls := fallWalls(), *soakPress
	if falls == 0 {
		walls, falls = walls[:1], 2
	}
	var off []float64
	for _, c := range walls {
		for seed := range falls {
			r := rand.New(rand.NewPCG(uint64(seed), 9))
			some := func(size float64) vec.Vec3 {
				return vec.V(size*r.NormFloat64(), size*r.NormFloat64(), size*r.NormFloat64())
			}
			const stiffness, speed = 1e7, 1.5
			w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: stiffness, Restitution: 1})
			c.wall.wall(t, w, vec.IdentityPose, Motion{})
			shapes := []*soa.Template{box(t, 0.4, 0.3, 0.05), box(t, 0.25, 0.25, 0.25), rock(t, uint64(seed), 10, 0.18), box(t, 0.3, 0.2, 0.1), ball(t, 0.12), box(t, 0.15, 0.15, 0.15)}
			parts := one(addShape(t, w, shapes[seed%6]), 1000)
			if seed%6 == 5 {
				parts = append(parts, Part{Shape: parts[0].Shape, Density: 1000, Local: vec.Pose{Pos: vec.V(0.18, 0, 0), Rot: vec.FromRotationVector(vec.V(0.3, 0.4, 0.5))}},
					Part{Shape: addShape(t, w, ball(t, 0.08)), Density: 1000, Local: at(0, 0.15, 0)})
			}
			pos, turn := some(0.2), some(1)
			if c.round {
				sin, cos := math.Sincos(2 * math.Pi * r.Float64())
				pos = vec.V(cos, sin, 0).Scale(0.75 + 0.1*r.NormFloat64())
			}
			pos.Z = 0.35
			if seed%2 == 0 {
				turn = turn.Scale(0.1)
			}
			id := addBody(t, w, BodySpec{Parts: parts, Pose: vec.Pose{Pos: pos, Rot: vec.FromRotationVector(turn)}, Vel: some(0.5).Add(vec.V(0, 0, -speed)), Spin: some(1)})
			mass := w.Bodies().Mass[id]
			dt := math.Pi / 100 * math.Sqrt(mass/(2*stiffness))
			w.Measure()
			for range int(0.5 / dt) {
				steps(t, w, 1, dt)
			}
			start := mass * (0.5*speed*speed + 9.81*pos.Z)
			off = append(off, math.Abs(w.Measure().LeftOver)/start)
			if last := off[len(off)-1]; last > 1e-4 {
				t.Logf("%s, fall %d: %.1e of %.3g J", c.name, seed, last, start)
			}
		}
	}
	slices.Sort(off)
	t.Logf("of %d falls half have less than %.1e of the energy not accounted for, nine of ten less than %.1e, and all %.1e",
		len(off), off[len(off)/2], off[len(off)*9/10], off[len(off)-1])
	if off[len(off)/2] > 1e-4 || off[len(off)-1] > 2e-2 {
		t.Error("expected less than 1e-4 of half, and 2e-2 of all")
	}
}
