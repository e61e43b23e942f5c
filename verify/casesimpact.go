package verify

import (
	"fmt"
	"math"
)

// ofEdge returns the velocity and the spin of a unit cube, tilted by an angle, after a rigid elastic impact
// on its edge at 1 m/s: the impulse J acts at the lever x of the centre, and 2 = J/m + J·x²/I.
func ofEdge(tilt float64) (up, spin float64) {
	lever := float64(math.Cos(tilt)-math.Sin(tilt)) / 2
	j := 2 / (1 + 6*lever*lever)
	return j - 1, 6 * j * lever
}

func impactCases() []*Case {
	return []*Case{
		{Name: "V16", What: "edge of a cube hits a plane, elastic", Source: "rigid impact", inputs: []input{
			{file: "edge-impact.toml"}, {file: "edge-impact.toml", sets: []string{"law.stiffness=1.5e6", "time.dt=2e-5"}},
			{file: "edge-impact.toml", sets: []string{"law.normal=linear", "law.stiffness=1e8", "time.steps=400"}},
		}, judge: func(j *judge) {
			up, spin := ofEdge(rad(30))
			off := make([]float64, 3)
			for k, law := range []string{"", "", "linear law: "} {
				s := j.ends(k, "cube", "vz", "wy")
				off[k] = math.Abs(s[0]-up) / up
				if k == 1 {
					continue // soft, for the order of convergence
				}
				j.near(law+"velocity upwards", "m/s", s[0], up, 1e-3)
				j.near(law+"spin", "rad/s", math.Abs(s[1]), spin, 1e-3)
				j.near(law+"energy", "J", j.sums[k].Energies.Kinetic, 0.5, 1e-3)
				j.atMost(law+"penetration", "m", j.sums[k].WorstPenetration, 1e-4)
			}
			// The error is that of the rotation during the contact, whose time falls with 1/√k.
			j.between("error with a hundredth of the stiffness, over the error", "", off[1]/off[0], 7, 14)
			c := j.states(0, "cube", "time", "vz")
			j.plot("V16: a cube hits a plane with its edge", "time, s", "velocity upwards, m/s", c[0], c[1], func(float64) float64 { return up })
		}},
		{Name: "V16c", What: "face of a cube hits a plane, elastic", Source: "rigid impact", inputs: []input{
			{file: "edge-impact.toml", sets: flat()}, {file: "edge-impact.toml", sets: append(flat(), "law.normal=linear", "law.stiffness=1e8", "time.steps=400")},
		}, judge: func(j *judge) {
			for k, law := range []string{"", "linear law: "} {
				s := j.ends(k, "cube", "vz", "wx", "wy", "wz")
				j.near(law+"velocity upwards", "m/s", s[0], 1, 1e-3)
				j.atMost(law+"spin", "rad/s", math.Hypot(s[1], math.Hypot(s[2], s[3])), 1e-9)
				c := j.numbers(k, "contacts.csv", "", "", "x", "y")
				j.within(law+"place of the force along x", "m", worst(c[0], 0.3), 0.3, 1e-12)
				j.within(law+"place of the force along y", "m", worst(c[1], 0.2), 0.2, 1e-12)
			}
			// A mass on a spring: v = −cos(π·t/t_c) from the touch at 1e-6 s on.
			c := j.states(0, "cube", "time", "vz")
			half := math.Pi * math.Sqrt(1/1.5e8)
			j.plot("V16c: a cube falls flat on a plane", "time, s", "velocity upwards, m/s", c[0], c[1], func(t float64) float64 {
				return -math.Cos(math.Pi * min(max((t-1e-6)/half, 0), 1))
			})
		}},
	}
}

// flat returns what makes the cube of edge-impact.toml fall on its face.
func flat() []string {
	return []string{"bodies.cube.rotation=[1, 0, 0, 0]", fmt.Sprintf("bodies.cube.position=[0.3, 0.2, %g]", 0.5+1e-6)}
}
