package verify

import (
	"fmt"
	"math"
)

// middleAxis returns the time of the first zero of the spin of a free body about its middle axis, the time between zeros,
// for moments of inertia and a spin that starts positive and grows (Landau & Lifshitz, Mechanics, § 37, for L² > 2·E·I2).
// The elliptic integrals are computed by the arithmetic-geometric mean.
func middleAxis(i, w [3]float64) (first, half float64) {
	e2, l2 := 0.0, 0.0 // twice the energy, the square of the angular momentum
	for k := range i {
		e2, l2 = e2+float64(i[k]*w[k]*w[k]), l2+float64(i[k]*w[k]*i[k]*w[k])
	}
	speed := math.Sqrt((i[2] - i[1]) * (l2 - float64(e2*i[0])) / (i[0] * i[1] * i[2]))
	m := (i[1] - i[0]) * (float64(e2*i[2]) - l2) / ((i[2] - i[1]) * (l2 - float64(e2*i[0])))
	at := math.Asin(w[1] / math.Sqrt((float64(e2*i[2])-l2)/(i[1]*(i[2]-i[1]))))
	a, b, scale := 1.0, math.Sqrt(1-m), 1.0
	for range 6 {
		// Landen: tan(at' − at) = (b/a)·tan(at), with at' on the branch nearest to 2·at.
		next := math.Atan(b / a * math.Tan(at))
		at += next + float64(math.Pi*math.Round((at-next)/math.Pi))
		a, b, scale = (a+b)/2, math.Sqrt(a*b), 2*scale
	}
	k := math.Pi / (2 * a)
	return (2*k - at/(scale*a)) / speed, 2 * k / speed
}

// freeBox compares the spin of free-box.toml with the theory.
func freeBox(j *judge) {
	inertia := [3]float64{5.0 / 12, 10.0 / 12, 13.0 / 12}
	c := j.states(0, "box", "time", "qw", "qx", "qy", "qz", "wx", "wy", "wz")
	first, half := middleAxis(inertia, [3]float64{0.01, 1, 0.01})
	energyOff, momentumOff, crossed, off := 0.0, 0.0, 0, 0.0
	e0, l0, before := 0.0, [3]float64{}, 1.0
	middle := make([]float64, len(c[0]))
	for i := range c[0] {
		q, w := [4]float64{c[1][i], c[2][i], c[3][i], c[4][i]}, [3]float64{c[5][i], c[6][i], c[7][i]}
		in := turned([4]float64{q[0], -q[1], -q[2], -q[3]}, w) // spin in the axes of the box
		e, l := 0.0, in
		for k := range in {
			e += float64(inertia[k] * in[k] * in[k] / 2)
			l[k] *= inertia[k]
		}
		if l = turned(q, l); i == 0 {
			e0, l0 = e, l
		}
		energyOff = max(energyOff, math.Abs(e/e0-1))
		momentumOff = max(momentumOff, math.Sqrt(distance2(l, l0)/distance2(l0, [3]float64{})))
		if middle[i] = in[1]; in[1]*before < 0 {
			at := c[0][i-1] + float64(before/(before-in[1])*(c[0][i]-c[0][i-1]))
			off = max(off, math.Abs(at-first-float64(half*float64(crossed))))
			crossed++
		}
		before = in[1]
	}
	j.atMost("largest relative error of the energy", "", energyOff, 1e-10)
	j.atMost("largest relative error of the angular momentum", "", momentumOff, 1e-10)
	j.within("number of changes of sign in 1000 s", "", float64(crossed), math.Floor((1000-first)/half)+1, 0)
	j.within("farthest change of sign from its time", "s", off, 0, 1e-6)
	n := min(len(c[0]), 120000)
	j.plot("V21: spin about the middle axis", "time, s", "spin, rad/s", c[0][:n], middle[:n], euler(inertia, [3]float64{0.01, 1, 0.01}, c[0][1]-c[0][0]))
}

// euler returns the spin about the middle axis at a time, from Euler's equations, integrated with a step by the rule of
// the midpoint. The times rise from call to call.
func euler(i, w [3]float64, dt float64) func(t float64) float64 {
	at := 0.0
	rate := func(w [3]float64) (r [3]float64) {
		for k := range r {
			a, b := (k+1)%3, (k+2)%3
			r[k] = (i[a] - i[b]) / i[k] * w[a] * w[b]
		}
		return r
	}
	return func(t float64) float64 {
		for ; at < t-float64(dt/2); at += dt {
			half := w
			for k, r := range rate(w) {
				half[k] += float64(r * dt / 2)
			}
			for k, r := range rate(half) {
				w[k] += float64(r * dt)
			}
		}
		return w[1]
	}
}

// turned returns a vector turned by a quaternion w, x, y, z.
func turned(q [4]float64, v [3]float64) (r [3]float64) {
	for k := range r {
		a, b := (k+1)%3, (k+2)%3
		dot := float64(q[1]*v[0]) + float64(q[2]*v[1]) + float64(q[3]*v[2])
		r[k] = float64((float64(2*q[0]*q[0])-1)*v[k]) + float64(2*dot*q[k+1]) + float64(2*q[0]*(float64(q[a+1]*v[b])-float64(q[b+1]*v[a])))
	}
	return r
}

func distance2(a, b [3]float64) (d float64) {
	for k := range a {
		d += float64((a[k] - b[k]) * (a[k] - b[k]))
	}
	return d
}

// period returns the mean time between the times when values turn from positive to not positive.
func period(t, v []float64) float64 {
	var times []float64
	for i := 1; i < len(t); i++ {
		if v[i-1] > 0 && v[i] <= 0 {
			times = append(times, t[i-1]+float64(v[i-1]/(v[i-1]-v[i])*(t[i]-t[i-1])))
		}
	}
	if len(times) < 2 {
		return math.NaN()
	}
	return (last(times) - times[0]) / float64(len(times)-1)
}

// cells returns the runs of V45: depths, then displacements of all cubes.
func cells() (list []input) {
	for _, d := range cellDepths {
		list = append(list, input{file: "cell.toml", sets: []string{
			fmt.Sprintf("domain.box=[[0, 0, 0], [%.17g, 4.04, 4.04]]", 4*(1-d)), set("bodies.cube.spacing", 1-d, 1.01, 1.01), set("bodies.cube.origin", (1-d)/2, 0.505, 0.505),
		}})
	}
	for _, by := range [][3]float64{{0.7, 1.3, -0.4}, {13.2, -40, 4.04}} {
		list = append(list, input{file: "cell.toml", sets: []string{set("bodies.cube.origin", 0.4995+by[0], 0.505+by[1], 0.505+by[2])}})
	}
	return list
}

var cellDepths = []float64{1e-4, 1e-3, 4e-3}

func motionCases() []*Case {
	return []*Case{
		{Name: "V21", What: "free box turns about its middle axis, a million steps", Source: "Jacobi; Landau & Lifshitz § 37", inputs: []input{{file: "free-box.toml"}}, judge: freeBox},
		{Name: "V21b", What: "cube swings on a bed of springs", Source: "mass on a spring", inputs: []input{{file: "bed.toml"}}, judge: func(j *judge) {
			const mass, stiff = 125.0, 1e6 // kg; modulus times area, N/m
			c := j.states(0, "cube", "time", "cz", "vz")
			lowest := 0.25
			for _, z := range c[1] {
				lowest = min(lowest, z)
			}
			w := math.Sqrt(stiff / mass)
			j.near("period", "s", period(c[0], c[2]), 2*math.Pi/w, 1e-4)
			j.near("depth at rest, half of the largest", "m", (0.25-lowest)/2, mass*g/stiff, 1e-4)
			h := j.history(0, "kinetic", "potential", "elastic")
			off := 0.0
			for i := range h[0] {
				off = max(off, math.Abs(h[0][i]+h[1][i]+h[2][i]-h[1][0])/(mass*g*mass*g/stiff))
			}
			j.atMost("change of the energy, over m·g·δ", "", off, 1e-4)
			j.plot("V21b: a cube on a bed of springs", "time, s", "depth, m", c[0], minus(0.25, c[1]), func(t float64) float64 { return mass * g / stiff * (1 - math.Cos(w*t)) })
		}},
		{Name: "V44", What: "piston on a held cube", Source: "mass on a spring", inputs: []input{{file: "piston.toml"}}, judge: func(j *judge) {
			const mass, k, f = 100.0, 1e6, 1000.0
			c := j.history(0, "time", "wall_plate_position", "wall_plate_speed")
			free, deepest := 0, 0.0
			for free < len(c[0]) && c[0][free] < 0.64 {
				deepest = max(deepest, c[1][free]-c[1][0])
				free++
			}
			j.near("period", "s", period(c[0][:free], c[2][:free]), 2*math.Pi*math.Sqrt(mass/k), 1e-4)
			j.near("largest depth", "m", deepest, 2*f/k, 1e-4)
			j.near("depth at rest", "m", last(c[1])-c[1][0], f/k, 1e-9)
			w := math.Sqrt(k / mass)
			j.plot("V44: a piston on a cube", "time, s", "depth, m", c[0][:free], minus(-c[1][0], minus(0, c[1][:free])), func(t float64) float64 { return f / k * (1 - math.Cos(w*t)) })
		}},
		{Name: "V45", What: "stress of cubes in a periodic cell", Source: "spring over area", inputs: cells(), judge: func(j *judge) {
			var stresses []float64
			for k := range cells() {
				depth, what := 1e-3, fmt.Sprintf("displacement %d", k-2)
				if k < len(cellDepths) {
					depth, what = cellDepths[k], fmt.Sprintf("depth %g m", cellDepths[k])
				}
				c := j.history(k, "stress_cell_xx", "stress_cell_yy", "stress_cell_zz", "stress_cell_xy", "active", "max_speed")
				want := 1e6 * depth / (1.01 * 1.01)
				j.near(what+": stress along x", "Pa", c[0][0], -want, 1e-9)
				j.atMost(what+": other stresses", "Pa", math.Abs(c[1][0])+math.Abs(c[2][0])+math.Abs(c[3][0]), 1e-9*want)
				j.within(what+": contacts", "", c[4][0], 64, 0)
				j.atMost(what+": speed after 20 steps", "m/s", last(c[5]), 1e-9)
				stresses = append(stresses, -c[0][0])
			}
			j.plot("V45: stress of a periodic cell", "depth, m", "stress, Pa", cellDepths, stresses[:len(cellDepths)], func(d float64) float64 { return 1e6 * d / (1.01 * 1.01) })
		}},
		{Name: "V46", What: "rocking block", Source: "springs at two corners, bed of springs; Housner 1963", inputs: []input{
			{file: "rocking.toml"}, {file: "rocking.toml", sets: []string{"law.restitution=0.3"}}, {file: "rocking.toml", sets: []string{"law.restitution=0.1"}},
		}, judge: func(j *judge) {
			edge, half := math.Atan(0.25), math.Hypot(0.25, 1)/2
			for k, e := range []float64{0.5, 0.3, 0.1} {
				c := j.states(k, "block", "time", "qw", "qy")
				tilt, energies := make([]float64, len(c[0])), []float64{}
				most := 0.0
				for i := range tilt {
					tilt[i] = 2 * math.Atan2(c[2][i], c[1][i])
					if i > 0 && tilt[i]*tilt[i-1] < 0 {
						energies = append(energies, half*(math.Cos(edge-most)-math.Cos(edge)))
						most = 0
					}
					most = max(most, math.Abs(tilt[i]))
				}
				// Housner's block crosses it at 0.35 s, 0.91 s, 1.39 s and 1.81 s.
				j.within(fmt.Sprintf("e = %g: crossings in 1.6 s", e), "", float64(len(energies)), 3, 0)
				for n := 1; n < min(len(energies), 3); n++ {
					j.between(fmt.Sprintf("e = %g: energy kept by crossing %d", e, n), "", energies[n]/energies[n-1], 0.8, []float64{0.95, 0.94, 0.92}[k])
				}
				if k == 0 {
					j.plot("V46: tilt of a rocking block", "time, s", "tilt, rad", c[0], tilt, nil)
				}
			}
		}},
		{Name: "V47", What: "block slides over a bend, and swings in a half pipe", Source: "springs at two corners", Class: Usual, inputs: []input{{file: "valley.toml"}, {file: "half-pipe.toml"}}, judge: func(j *judge) {
			j.report("loss in a valley of 2°", "J", j.sums[0].Energies.Damping, "0.0039 J of 4.5 J")
			j.atMost("loss in a half pipe in 10 s, twice that of corners", "J", j.sums[1].Energies.Damping, 2*0.47)
			c := j.states(1, "block", "time", "cx")
			j.plot("V47: a block in a half pipe", "time, s", "x, m", c[0], c[1], nil)
		}},
	}
}

// minus returns a − x for each x.
func minus(a float64, x []float64) (list []float64) {
	for _, x := range x {
		list = append(list, a-x)
	}
	return list
}
