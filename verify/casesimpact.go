package verify

import (
	"fmt"
	"math"
)

// ofEdge returns the velocity and the spin of a unit cube, tilted by an angle, after a rigid elastic impact
// on its edge at 1 m/s: the impulse J acts at the lever x of the centre, and 2 = J/m + J·x²/I.
func ofEdge(tilt float64) (up, spin float64) {
	lever := float64(math.Cos(tilt)-math.Sin(tilt)) / 2
	j := 2 / (1 + float64(6*lever*lever))
	return j - 1, 6 * j * lever
}

// flat returns what makes the cube of edge-impact.toml fall on its face.
func flat(sets ...string) []string {
	return append([]string{"bodies.cube.rotation=[1, 0, 0, 0]", "bodies.cube.position=[0.3, 0.2, 0.500001]"}, sets...)
}

// grazing returns the runs of V17: all restitutions with all frictions, then elastic sticking balls with 25 and
// 100 steps a contact.
func grazing() (list []input) {
	contact := math.Pi * math.Sqrt(2500*4.0/3*math.Pi*1e-3/1e6)
	run := func(e, mu, steps float64) input {
		return input{file: "grazing.toml", sets: []string{set("law.restitution", e), set("law.friction", mu), set("time.dt", contact/steps), fmt.Sprintf("time.steps=%g", 40*steps)}}
	}
	for _, e := range restitutions {
		for _, mu := range frictions {
			list = append(list, run(e, mu, 50))
		}
	}
	return append(list, run(1, 10, 25), run(1, 10, 100))
}

var restitutions, frictions = []float64{0.1, 0.5, 0.9, 1}, []float64{0, 0.1, 0.3, 0.5, 1}

// energyOf returns the energies of all bodies at the end of run k, over half of their masses; inertia is that of a body over its mass.
func (j *judge) energyOf(k int, inertia float64) (list []float64) {
	c := j.bodies(k, "vx", "vy", "vz", "wx", "wy", "wz")
	for i := range c[0] {
		e := 0.0
		for m, x := range c {
			e += float64([]float64{1, 1, 1, inertia, inertia, inertia}[m] * x[i] * x[i])
		}
		list = append(list, e)
	}
	return list
}

// gains returns the largest gain of energies that were 1, and their largest change.
func gains(energies []float64) (most, size float64) {
	most = math.Inf(-1)
	for _, e := range energies {
		most, size = max(most, e-1), max(size, math.Abs(e-1))
	}
	return most, size
}

// thrown returns the runs of cubes thrown at a plane: damped ones, then elastic ones at a fiftieth and at a
// hundredth of the contact time, which is that of two cubes, as in docs/laws.md; last under the linear law.
func thrown() (list []input) {
	for _, sets := range [][]string{
		{"law.restitution=0.5"}, {"law.friction=0"}, {"law.friction=1"},
		{"law.restitution=1", "law.friction=0"}, {"law.restitution=1", "law.friction=0", "time.dt=2.2214e-5", "output.states_every=400"},
		{"law.normal=linear", "law.restitution=1", "law.friction=0"},
	} {
		list = append(list, input{file: "thrown-cubes.toml", sets: sets})
	}
	return list
}

// rockBoxes returns the runs of V17b: seeds, each at a fiftieth and at a hundredth of the contact time of the lightest rock; last the linear law.
func rockBoxes() (list []input) {
	for seed := range 10 {
		for _, steps := range []float64{50, 100} {
			list = append(list, input{file: "rock-box.toml", sets: []string{fmt.Sprintf("seed=%d", seed), set("time.dt", rockContact/steps), fmt.Sprintf("time.steps=%g", 1000*steps)}})
		}
	}
	return append(list, input{file: "rock-box.toml", sets: []string{"law.normal=linear", set("time.dt", rockContact/100), "time.steps=20000"}})
}

const rockContact = 2.37e-3 // s, contact time of the lightest rock of rock-box.toml

// onCube returns the runs of V22: a face, an edge and a corner of a free cube, a held cube, and a wall of
// facets; under the linear law whose dashpot may pull, then under the default law.
func onCube() (list []input) {
	third := math.Acos(1/math.Sqrt(3)) / 2
	for _, law := range [][]string{nil, {"law.normal=thickness", "law.tension=false"}} {
		for _, sets := range [][]string{
			nil,
			{"bodies.cube.rotation=[0.9238795325112867, 0.3826834323650898, 0, 0]", set("bodies.ball.position", 0, 0, 0.1000001+math.Sqrt(0.5))},
			{set("bodies.cube.rotation", math.Cos(third), math.Sin(third)*math.Sqrt(0.5), -math.Sin(third)*math.Sqrt(0.5), 0), set("bodies.ball.position", 0, 0, 0.1000001+math.Sqrt(0.75))},
			{`bodies.cube.fixed=["x", "y", "z", "rx", "ry", "rz"]`},
		} {
			list = append(list, input{file: "ball-on-cube.toml", sets: append(sets, law...)})
		}
		list = append(list, input{file: "ball-on-wall.toml", sets: law})
	}
	return list
}

// touches returns how long bodies touch in run k, in which every step has a row.
func (j *judge) touches(k int) float64 {
	n := 0.0
	c := j.history(k, "time", "active")
	for _, active := range c[1] {
		if active > 0 {
			n++
		}
	}
	return n * last(c[0]) / float64(len(c[0])-1)
}

func impactCases() []*Case {
	return []*Case{
		{Name: "V16", What: "edge of a cube hits a plane, elastic", Source: "rigid impact", inputs: []input{
			{file: "edge-impact.toml"}, {file: "edge-impact.toml", sets: []string{"law.stiffness=1.5e6", "time.dt=2e-5"}},
			{file: "edge-impact.toml", sets: []string{"law.normal=linear", "law.stiffness=1e8", "time.dt=1e-6", "time.steps=800"}},
		}, judge: func(j *judge) {
			up, spin := ofEdge(rad(30))
			off := make([]float64, 3)
			for k, law := range []string{"", "", "linear law: "} {
				s := j.ends(k, "cube", "vz", "wy", "vx", "vy", "wx", "wz")
				off[k] = math.Abs(s[0]-up) / up
				if k == 1 {
					continue // soft, for the order of convergence
				}
				j.near(law+"velocity upwards", "m/s", s[0], up, 1e-3)
				j.near(law+"spin", "rad/s", math.Abs(s[1]), spin, 1e-3)
				j.atMost(law+"other velocities and spins", "", math.Abs(worst(s[2:], 0)), 1e-9)
				j.near(law+"energy", "J", j.sums[k].Energies.Kinetic, 0.5, 1e-4)
				j.within(law+"contacts at the end", "", last(j.history(k, "active")[0]), 0, 0)
				j.atMost(law+"penetration", "m", j.sums[k].WorstPenetration, 1e-4)
			}
			// The error is that of the rotation during the contact, whose time falls with 1/√k.
			j.between("error with k/100, over the error", "", off[1]/off[0], 7, 14)
			c := j.states(0, "cube", "time", "vz")
			j.plot("V16: a cube hits a plane with its edge", "time, s", "velocity upwards, m/s", c[0], c[1], func(float64) float64 { return up })
		}},
		{Name: "V16c", What: "face of a cube hits a plane, elastic", Source: "rigid impact", inputs: []input{
			{file: "edge-impact.toml", sets: flat()}, {file: "edge-impact.toml", sets: flat("law.normal=linear", "law.stiffness=1e8", "time.steps=400")},
		}, judge: func(j *judge) {
			for k, law := range []string{"", "linear law: "} {
				s := j.ends(k, "cube", "vz", "wx", "wy", "wz")
				j.near(law+"velocity upwards", "m/s", s[0], 1, 1e-4)
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
		{Name: "V17", What: "balls graze a plane at 0° to 89°: friction makes no energy", Source: "second law; LAMMPS #5007", inputs: grazing(), judge: func(j *judge) {
			const inertia = 0.4 * 0.01
			for i, e := range restitutions {
				worst := math.Inf(-1)
				for m := range frictions {
					most, _ := gains(j.energyOf(i*len(frictions)+m, inertia))
					worst = max(worst, most)
				}
				bound := 1e-9
				if e == 1 {
					bound = 10.0 / (50 * 50 * 50) // 10·(dt/t_c)³
				}
				j.atMost(fmt.Sprintf("largest gain of energy, e = %g", e), "", worst, bound)
			}
			// A contact of a whole number of steps errs in third order: what it errs by at its start and end cancels.
			n, off := len(restitutions)*len(frictions), [2]float64{}
			for i, steps := range []float64{25, 100} {
				energies := j.energyOf(n+i, inertia)
				most, _ := gains(energies)
				j.atMost(fmt.Sprintf("largest gain, e = 1, µ = 10, %g steps a contact", steps), "", most, 10/(steps*steps*steps))
				off[i] = math.Abs(energies[0] - 1)
			}
			j.atLeast("order of the error head-on", "", math.Log2(off[0]/off[1])/2, 2.7)
			at := []float64{0, 7.5, 15, 22.5, 30, 37.5, 45, 52.5, 60, 67.5, 75, 76, 82.5, 89}
			j.plot("V17: balls graze a plane (e = 0.9, µ = 0.5): at most 1", "angle from the normal, °", "energy kept", at, j.energyOf(13, inertia), func(float64) float64 { return 1 })
		}},
		{Name: "V17-cubes", What: "cubes thrown at a plane make no energy", Source: "second law", Class: Usual, inputs: thrown(), judge: func(j *judge) {
			for k, what := range []string{"e = 0.5, µ = 0.5", "e = 0.9, µ = 0", "e = 0.9, µ = 1"} {
				most, _ := gains(j.energyOf(k, 1.0/6))
				j.atMost("largest gain of energy, "+what, "", most, 1e-9)
			}
			mean := [2]float64{}
			for i := range mean {
				z, n := j.bodies(3+i, "cz")[0], 0.0
				var flying []float64
				for m, e := range j.energyOf(3+i, 1.0/6) {
					if z[m] > 0.87 { // It touches nothing.
						flying = append(flying, e)
						mean[i], n = mean[i]+float64((e-1)*(e-1)), n+1
					}
				}
				if mean[i] = math.Sqrt(mean[i] / n); i == 1 {
					most, _ := gains(flying)
					j.atMost("largest gain of energy, e = 1, t_c/100", "", most, 1e-4)
					j.atLeast("cubes that have left the plane, of 240", "", n, 230)
				}
			}
			j.between("mean error, over that of half the step", "", mean[0]/mean[1], 3, 5)
			most, _ := gains(j.energyOf(5, 1.0/6))
			j.report("largest gain of energy, e = 1, linear law, cubes turned at random", "", most, "gains")
		}},
		{Name: "V17b", What: "rocks in an elastic box keep their energy", Source: "conservation of energy", Class: Usual, inputs: rockBoxes(), judge: func(j *judge) {
			worst, mean := 0.0, [2]float64{}
			for k := range j.sums {
				c := j.history(k, "kinetic", "elastic")
				off := 0.0
				for i, e := range c[0] {
					off = max(off, math.Abs((e+c[1][i])/c[0][0]-1))
				}
				if k == 20 {
					j.report("change of energy in a fifth of the time, linear law", "", off, "not conserved")
					continue
				}
				if mean[k%2] += off / 10; k%2 == 1 {
					worst = max(worst, off)
				}
			}
			j.atMost("largest change of energy of ten seeds, in any row, t_c/100", "", worst, 1e-4)
			// At least second order, at most third.
			j.between("mean of the changes at t_c/50, over that at t_c/100", "", mean[0]/mean[1], 3, 8)
			c := j.history(1, "time", "kinetic", "elastic")
			start := c[1][0]
			for i := range c[1] {
				c[1][i] += c[2][i]
			}
			j.plot("V17b: energy of rocks in a box", "time, s", "energy, J", c[0], c[1], func(float64) float64 { return start })
		}},
		{Name: "V22", What: "ball on a cube's face, edge and corner, and on walls: linear law, and restitution by the default law", Source: "damped oscillator", inputs: onCube(), judge: func(j *judge) {
			const e = 0.6
			ball, cube := 2500*4.0/3*math.Pi*1e-3, 2500.0
			zeta := -math.Log(e) / math.Hypot(math.Pi, math.Log(e))
			for k, what := range []string{"face", "edge", "corner", "held cube", "facets"} {
				mass := ball
				if k < 3 {
					mass = ball * cube / (ball + cube)
				}
				j.near(what+": time of contact", "s", j.touches(k), math.Pi*math.Sqrt(mass/1e6)/math.Sqrt(1-float64(zeta*zeta)), 1e-3)
				for i, law := range []string{"", ", default law"} {
					v, from := j.ends(k+5*i, "ball", "vz"), j.ends(k+5*i, "cube", "vz")
					j.near(what+": restitution"+law, "", v[0]-from[0], e, 1e-3)
				}
			}
			for i, law := range []string{"", ", default law"} {
				a, b := j.ends(3+5*i, "ball", "cz", "vz"), j.ends(4+5*i, "ball", "cz", "vz")
				j.within("facets and held cube differ by"+law, "m", math.Hypot(a[0]-b[0], a[1]-b[1]), 0, 1e-12)
			}
			c := j.history(0, "time", "worst_penetration")
			j.plot("V22: a ball falls on the face of a cube", "time, s", "depth, m", c[0], c[1], func(t float64) float64 {
				w0 := math.Sqrt(1e6 * (1/ball + 1/cube))
				wd := w0 * math.Sqrt(1-float64(zeta*zeta))
				t = min(max(t-1e-7, 0), math.Pi/wd)
				return math.Exp(-zeta*w0*t) * math.Sin(wd*t) / wd
			})
		}},
		{Name: "V50", What: "two elastic balls meet", Source: "Hertz 1882", inputs: []input{{file: "hertz.toml"}}, judge: func(j *judge) {
			mass, modulus, radius := 2600*4.0/3*math.Pi*math.Pow(0.05, 3)/2, 1e7/2/(1-0.3*0.3), 0.025
			deep := math.Pow(15*mass/(16*modulus*math.Sqrt(radius)), 0.4)
			j.near("depth", "m", j.sums[0].WorstPenetration, deep, 1e-4)
			j.near("time of contact", "s", j.touches(0), 2.943275*deep, 1e-4)
			j.near("velocity afterwards", "m/s", j.ends(0, "right", "vx")[0], 0.5, 1e-4)
			// The depth of the sine is that of Hertz, whose curve has no closed form.
			c := j.history(0, "time", "worst_penetration")
			j.plot("V50: two balls meet", "time, s", "depth, m", c[0], c[1], func(t float64) float64 {
				return deep * math.Sin(math.Pi*min(max(t-2e-7, 0)/(2.943275*deep), 1))
			})
		}},
	}
}
