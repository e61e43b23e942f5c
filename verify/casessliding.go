package verify

import "math"

func slidingCases() []*Case {
	return []*Case{
		{Name: "V18", What: "cube slides down a slope of 30°", Source: "point mass, Coulomb", inputs: []input{{file: "slope.toml"}}, judge: func(j *judge) {
			c := j.states(0, "cube", "time", "cx", "vx")
			a := g * (math.Sin(rad(30)) - 0.5*math.Cos(rad(30)))
			// The first contact takes a moment, so time and place count from a tenth of a second on.
			k := 0
			for c[0][k] < 0.1 {
				k++
			}
			t := last(c[0]) - c[0][k]
			j.near("acceleration", "m/s²", (last(c[2])-c[2][k])/t, a, 1e-4)
			j.near("way, but for the velocity at its start", "m", last(c[1])-c[1][k]-c[2][k]*t, a*t*t/2, 1e-4)
			j.plot("V18: a cube slides down a slope of 30°", "time, s", "way, m", c[0], c[1], func(t float64) float64 { return a * t * t / 2 })
		}},
	}
}
func motionCases() []*Case { return nil }
func columnCases() []*Case { return nil }
func heapCases() []*Case   { return nil }
