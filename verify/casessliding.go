package verify

import (
	"fmt"
	"math"
	"slices"
)

// onSlope returns a run of slope.toml on a slope of an angle, rad.
func onSlope(angle float64, sets ...string) input {
	return input{file: "slope.toml", sets: append([]string{slopeOf(angle), set("bodies.cube.position", 0, 0, 0.5-float64(g*math.Cos(angle))/1e6)}, sets...)}
}

// slides returns the mean acceleration along x from a time on, and the way less that of the velocity then.
func (j *judge) slides(k int, body string, start float64) (acceleration, way, seconds float64) {
	c := j.states(k, body, "time", "cx", "vx")
	i := from(c[0], start)
	t := last(c[0]) - c[0][i]
	return (last(c[2]) - c[2][i]) / t, last(c[1]) - c[1][i] - float64(c[2][i]*t), t
}

// fastest returns the largest speed of a body from a time on, and its mean speed, from where it was to where it is at the end.
func (j *judge) fastest(k int, body string, start float64) (speed, creep float64) {
	c := j.states(k, body, "time", "cx", "cy", "vx", "vy", "vz")
	first := from(c[0], start)
	for i := first; i < len(c[0]); i++ {
		speed = max(speed, math.Hypot(c[3][i], math.Hypot(c[4][i], c[5][i])))
	}
	return speed, math.Hypot(last(c[1])-c[1][first], last(c[2])-c[2][first]) / (last(c[0]) - c[0][first])
}

// tenth is a tenth of a degree; phi is the friction angle of slope.toml.
var tenth, phi = rad(0.1), math.Atan(0.5)

// yawed turns the cube of slope.toml by 20° about the normal.
const yawed = "bodies.cube.rotation=[0.984807753012208, 0, 0, 0.17364817766693033]"

// modes are the blocks of V19: width, slope in degrees, friction, and what a rigid block does. A block that slides bears its
// load µ·h/2 off the middle of its base, so it topples only if b/h < µ: the last one does not.
var modes = []struct {
	width, slope, friction float64
	does                   string
}{{0.5, 26.4, 1, "stays"}, {0.4, 25, 1, "topples"}, {1, 20, 0.3, "slides"}, {0.2, 15, 0.5, "topples"}, {0.52, 28, 0.5, "slides"}}

func toppling() (list []input) {
	for _, m := range modes {
		list = append(list, input{file: "block-on-slope.toml", sets: []string{
			fmt.Sprintf("shapes.block.builtin=%q", fmt.Sprintf("box:%gx1x1", m.width)), slopeOf(rad(m.slope)), set("law.friction", m.friction),
			set("bodies.block.position", 0, 0, 0.5-m.width*g*math.Cos(rad(m.slope))/2e6), "time.end=" + map[bool]string{true: "2", false: "0.6"}[m.does == "stays"],
		}})
	}
	return list
}

func slidingCases() []*Case {
	return []*Case{
		{Name: "V18", What: "cube slides down a slope of 30°", Source: "point mass, Coulomb", inputs: []input{onSlope(rad(30))}, judge: func(j *judge) {
			a := g * (math.Sin(rad(30)) - float64(0.5*math.Cos(rad(30))))
			got, way, t := j.slides(0, "cube", 0.1)
			j.near("acceleration", "m/s²", got, a, 1e-4)
			j.near(fmt.Sprintf("way in %.4g s", t), "m", way, a*t*t/2, 1e-4)
			c := j.states(0, "cube", "time", "cx")
			j.plot("V18: a cube slides down a slope of 30°", "time, s", "way, m", c[0], c[1], func(t float64) float64 { return a * t * t / 2 })
		}},
		{Name: "V18b", What: "onset of sliding, 0.1° below and above the friction angle", Source: "point mass, Coulomb", inputs: []input{onSlope(phi - tenth), onSlope(phi + tenth)}, judge: func(j *judge) {
			speed, _ := j.fastest(0, "cube", 0.5)
			j.atMost("speed 0.1° below", "m/s", speed, 1e-6)
			a, _, _ := j.slides(1, "cube", 0.5)
			want := g * (math.Sin(phi+tenth) - float64(0.5*math.Cos(phi+tenth)))
			j.near("acceleration 0.1° above", "m/s²", a, want, 1e-4)
			c := j.states(1, "cube", "time", "vx")
			j.plot("V18b: a cube slides 0.1° above the friction angle", "time, s", "velocity, m/s", c[0], c[1], func(t float64) float64 { return last(c[1]) - float64(want*(last(c[0])-t)) })
		}},
		{Name: "V18c", What: "cube stops on a plane", Source: "point mass, Coulomb", inputs: []input{
			onSlope(0, "bodies.cube.velocity=[1, 0, 0]", "law.friction=0.3", "time.end=0.4", "output.states_every=1"),
		}, judge: func(j *judge) {
			c := j.states(0, "cube", "time", "cx", "vx")
			j.near("way", "m", slices.Max(c[1]), 1/(2*0.3*g), 1e-4)
			if i := slices.IndexFunc(c[2], func(v float64) bool { return v <= 0 }); i < 0 {
				j.same("the cube", "slides to the end", "stops")
			} else {
				j.near("time", "s", c[0][i], 1/(0.3*g), 1e-4)
			}
			speed, _ := j.fastest(0, "cube", last(c[0]))
			j.atMost("speed at the end", "m/s", speed, 1e-6)
			j.plot("V18c: a cube stops on a plane", "time, s", "velocity, m/s", c[0], c[2], func(t float64) float64 { return max(1-float64(0.3*g*t), 0) })
		}},
		{Name: "V18d", What: "long run-outs of 25 m and 250 m, linear law", Source: "point mass, Coulomb; Doolin & Sitar 2001", inputs: []input{
			{file: "run-out.toml"}, {file: "run-out.toml", sets: []string{set("bodies.plate.velocity", math.Sqrt(2*0.3*g*250), 0, 0), "time.end=13.5"}},
		}, judge: func(j *judge) {
			near, far := j.ends(0, "plate", "cx")[0]-25, j.ends(1, "plate", "cx")[0]-250
			j.within("way of 25 m", "m", 25+near, 25, 25e-4)
			j.within("way of 250 m", "m", 250+far, 250, 250e-4)
			j.atMost("relative error of 250 m, over that of 25 m", "", math.Abs(far/250)/math.Abs(near/25), 0.2)
			c := j.states(1, "plate", "time", "cx")
			j.plot("V18d: a plate runs out 250 m", "time, s", "way, m", c[0], c[1], func(t float64) float64 {
				t = min(t, math.Sqrt(2*0.3*g*250)/(0.3*g))
				return float64(math.Sqrt(2*0.3*g*250)*t) - float64(0.3*g*t*t/2)
			})
		}},
		{Name: "V18f", What: "wedge between two planes, in space", Source: "statics", inputs: []input{{file: "wedge.toml"}, {file: "wedge.toml", sets: []string{"law.normal=linear"}}}, judge: func(j *judge) {
			weight := 1000 * 0.5 * math.Sqrt(3) / 2 * g
			for k, law := range []string{"", ", linear law"} {
				for _, wall := range []string{"left", "right"} {
					c := j.history(k, "wall_"+wall+"_fx", "wall_"+wall+"_fz")
					j.near("force on the "+wall+" plane"+law, "N", math.Hypot(last(c[0]), last(c[1])), weight/(2*math.Sin(rad(30))), 1e-6)
				}
			}
			c := j.history(0, "time", "wall_left_fx")
			j.plot("V18f: a wedge comes to rest", "time, s", "force on the left plane along x, N", c[0][1:], c[1][1:], func(float64) float64 { return -weight * math.Cos(rad(30)) })
		}},
		{Name: "V19", What: "toppling and sliding of blocks on slopes", Source: "rigid block; Ashby 1971", inputs: toppling(), judge: func(j *judge) {
			for k, m := range modes {
				c := j.states(k, "block", "time", "cx", "qw", "qy", "wy", "cy", "cz")
				way := math.Sqrt(distance2([3]float64{last(c[1]), last(c[5]), last(c[6])}, [3]float64{c[1][0], c[5][0], c[6][0]}))
				does, psi := "stays", rad(m.slope)
				// A block that topples has the energy that its centre has lost, about its edge.
				spin := func(a float64) float64 {
					height := func(a float64) float64 { return float64((math.Cos(psi+a) + float64(m.width*math.Sin(psi+a))) / 2) }
					return math.Sqrt(6 * g * max(height(0)-height(a), 0) / (1 + float64(m.width*m.width)))
				}
				var angles, spins []float64
				for i := range c[0] {
					if angle := 2 * math.Atan2(c[3][i], c[2][i]); angle < 0.5 {
						angles, spins = append(angles, angle), append(spins, c[4][i])
					}
				}
				switch {
				case math.Abs(last(angles)) > 0.1:
					does = "topples"
				case last(c[1]) > 1e-3:
					does = "slides"
				case !(way <= 1e-5):
					does = fmt.Sprintf("creeps %g m", way)
				}
				j.same(fmt.Sprintf("b/h = %g, slope %g°, µ = %g", m.width, m.slope, m.friction), does, m.does)
				if does == "stays" {
					speed, _ := j.fastest(k, "block", 1.5)
					j.atMost("speed of a block that stays, after 1.5 s", "m/s", speed, 1e-9)
				}
				if does != "topples" {
					continue
				}
				// The spin is (α0/p)·sinh(p·t) and a share of cosh(p·t), of the jolt as the block settles on its edge.
				size := 1 + float64(m.width*m.width)
				start := 1.5 * g * (math.Sin(psi) - float64(m.width*math.Cos(psi))) / size
				p := math.Sqrt(1.5 * g * (math.Cos(psi) + float64(m.width*math.Sin(psi))) / size)
				a, b := from(c[0], 0.05), from(c[0], 0.15)
				got := p * (float64(c[4][b]*math.Cosh(p*c[0][a])) - float64(c[4][a]*math.Cosh(p*c[0][b]))) / math.Sinh(p*(c[0][b]-c[0][a]))
				j.near(fmt.Sprintf("start of toppling of b/h = %g, from its spin", m.width), "rad/s²", got, start, 1e-3)
				j.near(fmt.Sprintf("spin of b/h = %g at %.3g rad", m.width, last(angles)), "rad/s", last(spins), spin(last(angles)), 2e-3)
				j.plot(fmt.Sprintf("V19: a block with b/h = %g topples", m.width), "angle, rad", "spin, rad/s", angles, spins, spin)
			}
		}},
		{Name: "V32c", What: "yawed cube below the friction angle does not creep; by the linear law it does", Source: "statics", inputs: []input{
			onSlope(phi-tenth, yawed), onSlope(phi-float64(10*tenth), yawed), onSlope(phi-float64(100*tenth), yawed), onSlope(phi-tenth, yawed, "law.normal=linear", "law.restitution=0.2"),
		}, judge: func(j *judge) {
			for k, off := range []string{"0.1°", "1°", "10°"} {
				_, creep := j.fastest(k, "cube", 0.5)
				j.atMost("creep "+off+" below", "m/s", creep, 1e-6)
			}
			_, creep := j.fastest(3, "cube", 0.5)
			j.report("creep 0.1° below, linear law, e = 0.2", "m/s", creep, "creeps")
			c := j.states(0, "cube", "time", "cx")
			j.plot("V32c: a cube 0.1° below the friction angle", "time, s", "way, m", c[0], c[1], func(float64) float64 { return last(c[1]) })
		}},
	}
}
