package verify

import (
	"fmt"
	"math"
)

// columns returns the runs of V30: the default law, the linear one, and a bed of springs.
func columns() []input {
	return []input{
		{file: "column.toml"},
		{file: "column.toml", sets: []string{"law.normal=linear", "law.stiffness=1e6", "law.restitution=0.05", "time.dt=1e-4", "time.steps=80000", "output.contacts_every=80000"}},
		{file: "column-bed.toml"},
	}
}

// walls returns runs of walls of bricks.
func walls(rows ...int) (list []input) {
	for _, n := range rows {
		list = append(list, input{file: "wall.toml", sets: []string{fmt.Sprintf("bodies.brick.count=%d", n)}})
	}
	return list
}

// judgeWalls judges walls of bricks.
func judgeWalls(rows ...int) func(j *judge) {
	return func(j *judge) {
		for k, n := range rows {
			what := fmt.Sprintf("%d bricks: ", n*(n+1)/2)
			c := j.history(k, "time", "kinetic", "potential", "elastic", "shear", "left_over")
			most, falls := make([]float64, max(int(math.Ceil(last(c[0])/2.5)), 1)), 0.0 // the largest kinetic energy of each 2.5 s
			start, least, rise, leftOver := c[2][0]+c[3][0], math.Inf(1), 0.0, 0.0
			for i, t := range c[0] {
				period := max(int(math.Ceil(t/2.5))-1, 0)
				most[period] = max(most[period], c[1][i])
				e := c[1][i] + c[2][i] + c[3][i] + c[4][i]
				least = min(least, e)
				rise, leftOver = max(rise, e-least), max(leftOver, math.Abs(c[5][i]))
			}
			for p := 1; p < len(most); p++ {
				if most[p] > 1e-9 {
					falls = max(falls, most[p]/most[p-1])
				}
			}
			model := newWallSag(n)
			sag, off := j.springs(k, model)
			j.near(what+"the top has sunk", "m", float64((float64(n)-0.5)*0.5)-last(j.bodies(k, "cz")[0]), sag, 1e-3)
			// Forces tilt by up to 1e-3, as the bricks do, which the springs leave out.
			j.atMost(what+"load of a joint, from its spring's", "N", off, 1e-3*float64(n)*model.weight)
			weight := float64(n*(n+1)) / 2 * 650 * g
			j.near(what+"force on the ground", "N", -last(j.history(k, "wall_ground_fz")[0]), weight, 1e-9)
			j.within(what+"contacts", "", last(j.history(k, "active")[0]), float64(len(model.joints)), 0)
			j.atMost(what+"largest kinetic energy of 2.5 s above 1e-9 J, over that of the 2.5 s before", "", falls, 1)
			j.atMost(what+"kinetic energy in the end", "J", last(most), 1e-9)
			j.atMost(what+"drift of a brick after 5 s", "m", j.drift(k, 5), 1e-4)
			j.atMost(what+"left over, of what is lost", "", leftOver/(start-least), 1e-3)
			j.atMost(what+"rise of the energy, of what is lost", "", rise/(start-least), 1e-6)
			if k == 0 {
				z := j.states(k, fmt.Sprintf("brick-%d", n*(n+1)/2-1), "time", "cz")
				j.plot("V32: how far the top brick sinks", "time, s", "way down, m", z[0], minus(float64((float64(n)-0.5)*0.5), z[1]), func(float64) float64 { return sag })
			}
		}
	}
}

// drift returns the farthest way of a body between a time and the end of run k.
func (j *judge) drift(k int, from float64) (most float64) {
	c := j.numbers(k, "states.csv", "", "", "id", "time", "cx", "cy", "cz")
	was := map[float64][3]float64{}
	for i, id := range c[0] {
		if at := [3]float64{c[2][i], c[3][i], c[4][i]}; c[1][i] < from {
			was[id] = at
		} else {
			most = max(most, math.Sqrt(distance2(at, was[id])))
		}
	}
	return most
}

// judgeTowers judges towers of n cubes in one run each: what moves, and how the top cube leans.
func judgeTowers(tops ...string) func(j *judge) {
	return func(j *judge) {
		for k, top := range tops {
			what := []string{"spun", "set off"}[k%2] + ": "
			c := j.states(k, top, "time", "qw", "qx", "qy")
			lean := make([]float64, len(c[0]))
			var leans, moves [2]float64 // from 30 to 35 s, from 55 s on
			for i, t := range c[0] {
				lean[i] = 2 * math.Hypot(c[2][i], c[3][i])
				if w := window(t); w >= 0 {
					leans[w] = max(leans[w], lean[i])
				}
			}
			h := j.history(k, "time", "kinetic")
			for i, t := range h[0] {
				if w := window(t); w >= 0 {
					moves[w] = max(moves[w], h[1][i])
				}
			}
			j.atMost(what+"lean after 55 s, that of 30 to 35 s", "rad", leans[1], leans[0]+1e-12)
			j.atMost(what+"kinetic energy after 55 s, that of 30 to 35 s", "J", moves[1], max(moves[0], 1e-14))
			j.plot("V32b: lean of the top cube of a tower, "+what[:len(what)-2], "time, s", "lean, rad", c[0], lean, nil)
		}
	}
}

func window(t float64) int {
	switch {
	case t >= 55:
		return 1
	case t >= 30 && t < 35:
		return 0
	}
	return -1
}

// dice are the solids of V35, with edges of about the same volume, the shares of space of loose and dense packings
// (arXiv 1008.1728), and those of the densest known ones (arXiv 0909.0940).
var dice = []struct {
	builtin            string
	loose, dense, most float64
}{
	{"tetra:0.0408", 0.51, 0.64, 4000.0 / 4671}, {"box:0.02x0.02x0.02", 0.54, 0.67, 1}, {"octa:0.0257", 0.52, 0.64, 0.947},
	{"dodeca:0.01015", 0.51, 0.63, 0.904}, {"icosa:0.01542", 0.50, 0.59, 0.836},
}

func packings() (list []input) {
	for _, d := range dice {
		list = append(list, input{file: "dice.toml", sets: []string{fmt.Sprintf("shapes.dice.builtin=%q", d.builtin)}})
	}
	return list
}

// smooth returns packings without friction, which come closest to the densest ones.
func smooth() (list []input) {
	for _, in := range packings() {
		list = append(list, input{file: in.file, sets: append(in.sets, "law.friction=0", "stage.1.at_most=2")})
	}
	return list
}

// steady returns how fast grains leave in windows of 500, from the hundredth on, and the grains then above the height of two outlets.
func (j *judge) steady(k int) (rates, high []float64) {
	const window = 500
	c, stages, first := j.history(k, "time", "counts_silo", "counts_high"), j.sums[k].StageStarts, 0.0
	opened := stages[len(stages)-1].Time
	var times []float64
	for i, t := range c[0] {
		if t <= opened {
			first = c[1][i]
		} else if first-c[1][i] >= float64(100+window*len(times)) {
			times, high = append(times, t), append(high, c[2][i])
		}
	}
	for i := 1; i < len(times); i++ {
		rates = append(rates, window/(times[i]-times[i-1]))
	}
	return rates, high
}

var outlets = []float64{1, 1.1, 1.2}

func silos() (list []input) {
	for i, span := range []string{"2.9", "1.55", "1.25"} {
		list = append(list, input{file: "silo.toml", sets: []string{set("walls.outlet.scale", outlets[i]), "stage.2.for=" + span, fmt.Sprintf("counts.high.below=[[0, 0, %g], [0, 0, -1]]", 0.24*outlets[i])}})
	}
	return list
}

func judgeSilos(j *judge) {
	var x, y []float64
	for k, o := range outlets {
		rates, high := j.steady(k)
		mean, off, what := 0.0, 0.0, fmt.Sprintf("outlet of %g m: ", 0.12*o)
		for _, r := range rates {
			mean += r / float64(len(rates))
		}
		for _, r := range rates {
			off = max(off, math.Abs(r/mean-1))
		}
		j.atLeast(what+"windows of 500 grains", "", float64(len(rates)), 2)
		if len(rates) == 0 {
			return
		}
		j.atLeast(what+"grains above two outlets at the end", "", last(high), 1)
		j.atMost(what+"largest change of the rate", "", off, 0.05)
		x, y = append(x, 0.12*o), append(y, math.Pow(mean, 0.4))
	}
	n, mx, my, xx, xy, yy := float64(len(x)), 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	j.atLeast("R² of rate^0.4 over the outlet", "", xy*xy/(xx*yy), 0.99)
	j.report("k of Beverloo's law", "", (mx-my*xx/xy)/0.02, "about 1.4")
	mass := 2600 * 4.0 / 3 * math.Pi * 1e-6
	// The solid fraction of a loose fill of balls is about 0.6.
	c := math.Pow(xy/xx, 2.5) * mass / (0.6 * 2600 * math.Sqrt(g))
	j.report("C of Beverloo's law, for a fill of 0.6", "", c, "about 0.58")
	j.plot("V38: rate of a silo; theory: the straight line of Beverloo", "outlet, m", "(grains/s)^0.4", x, y, func(x float64) float64 { return my + float64(xy/xx*(x-mx)) })
}

func heapCases() []*Case {
	return []*Case{
		{Name: "V30", What: "column of ten cubes: force and compression of each joint", Source: "statics", inputs: columns(), judge: func(j *judge) {
			const weight = 125 * g
			for k, law := range []string{"", "linear law: ", "bed of springs: "} {
				stiffness := []float64{1e8, 1e6, 4e8 * 0.25}[k]
				steps := j.texts(k, "contacts.csv", "", "", "step")[0]
				c := j.numbers(k, "contacts.csv", "step", steps[len(steps)-1], "a", "b", "fz", "gap")
				force, gap := 0.0, 0.0
				var loads, gaps []float64
				for i := range c[0] {
					carried := 10 - max(c[0][i], c[1][i]) // cubes are numbered from the floor, whose number is 10
					if carried == 0 {
						carried = 10
					}
					load := carried * weight
					force, gap = max(force, math.Abs(math.Abs(c[2][i])/load-1)), max(gap, math.Abs(-c[3][i]*stiffness/load-1))
					loads, gaps = append(loads, load), append(gaps, -c[3][i])
				}
				j.within(law+"contacts", "", float64(len(c[0])), 10, 0)
				j.atMost(law+"largest speed at the end", "m/s", last(j.history(k, "max_speed")[0]), 1e-9)
				j.atMost(law+"largest relative error of a force", "", force, 1e-9)
				j.atMost(law+"largest relative error of a compression", "", gap, 1e-9)
				if k == 0 {
					j.plot("V30: joints of a column", "load, N", "compression, m", loads, gaps, func(x float64) float64 { return x / stiffness })
				}
			}
		}},
		{Name: "V32", What: "wall of 15 bricks comes to rest", Source: "springs in the joints", inputs: walls(5), judge: judgeWalls(5)},
		{Name: "V32-large", What: "walls of 55 and 120 bricks come to rest, and 15 for a minute", Source: "springs in the joints", Class: Usual, inputs: append(walls(10, 15), input{file: "wall.toml", sets: []string{"time.end=60"}}), judge: judgeWalls(10, 15, 5)},
		{Name: "V32b", What: "towers of 5 cubes do not lean more and more", Source: "statics", Class: Usual, inputs: []input{
			{file: "tower-5.toml"}, {file: "leaning-5.toml"}, {file: "tower-5.toml", sets: []string{"law.normal=linear", "time.end=16"}},
		}, judge: func(j *judge) {
			judgeTowers("4", "4")(j)
			c := j.states(2, "4", "time", "qx", "qy")
			lean := func(t float64) float64 { return math.Hypot(c[1][from(c[0], t)], c[2][from(c[0], t)]) }
			j.report("linear law, e = 0.2: growth of the lean", "1/s", math.Log(lean(15)/lean(5))/10, "1.1 1/s")
		}},
		{Name: "V32b-large", What: "towers of 20 cubes do not lean more and more", Source: "statics", Class: Long, inputs: []input{{file: "tower-20.toml"}, {file: "leaning-20.toml"}}, judge: judgeTowers("19", "19")},
		{Name: "V34", What: "arch slides below its friction limit", Source: "Heyman 1995; limit 0.31 to 0.39", inputs: []input{{file: "arch.toml"}, {file: "arch.toml", sets: []string{"law.friction=0.29"}}}, judge: func(j *judge) {
			for k, want := range []string{"stands", "falls"} {
				c, got := j.bodies(k, "cz")[0], "stands"
				if start := j.numbers(k, "states.csv", "step", "0", "cz")[0]; last(c) < 0 || c[6] < 0.9*start[6] {
					got = "falls"
				}
				j.same(fmt.Sprintf("µ = %g", []float64{0.4, 0.29}[k]), got, want)
			}
		}},
		{Name: "V35", What: "rained dice lie between loose and dense packings, within 0.03: how they are laid decides where", Source: "Baker & Kudrolli 2010, arXiv 1008.1728", Class: Usual, inputs: packings(), judge: func(j *judge) {
			for k, d := range dice {
				j.between("solid fraction of "+d.builtin, "", last(j.history(k, "solid_core")[0]), d.loose-0.03, d.dense+0.03)
			}
		}},
		{Name: "V36", What: "jamming of tetrahedra without friction", Source: "Smith et al. 2010 (arXiv 1008.2475)", Class: Usual, inputs: []input{{file: "jam.toml"}}, judge: func(j *judge) {
			c := j.history(0, "time", "solid_cell", "coordination_cell")
			j.report("solid fraction", "", last(c[1]), "0.623 in large systems")
			// Hypostatic is below 12; four contacts face on face are the least that hold a body.
			j.between("coordination", "", last(c[2]), 4, 12)
			j.plot("V36: tetrahedra are pressed", "time, s", "solid fraction", c[0], c[1], func(float64) float64 { return 0.623 })
		}},
		{Name: "V37", What: "frictionless dice, poured, lie between loose and the densest packings", Source: "arXiv 1008.1728, 0909.0940", Class: Usual, inputs: smooth(), judge: func(j *judge) {
			for k, d := range dice {
				j.between("solid fraction of "+d.builtin, "", last(j.history(k, "solid_core")[0]), d.loose-0.03, d.most)
			}
		}},
		{Name: "V38", What: "silo: rate of the outflow of balls, linear law", Source: "Beverloo 1961", Class: Usual, inputs: silos(), judge: judgeSilos},
		{Name: "V39", What: "angle of repose rises with friction, and is steeper with rocks than with balls", Source: "monotone", Class: Usual, inputs: []input{
			{file: "repose.toml", sets: []string{"law.friction=0.1"}}, {file: "repose.toml", sets: []string{"law.friction=0.3"}}, {file: "repose.toml"},
			{file: "repose.toml", sets: []string{`shapes.rock-10.builtin="ball:0.02"`, `shapes.rock-14.builtin="ball:0.02"`, `shapes.rock-20.builtin="ball:0.02"`}},
		}, judge: func(j *judge) {
			var angles []float64
			for k := range j.sums {
				c := j.bodies(k, "cx", "cy", "cz")
				away, height := 0.0, 0.0
				for i := range c[0] {
					away, height = away+math.Hypot(c[0][i], c[1][i]), height+c[2][i]
				}
				// A cone of radius R and height h has its points R/2 away in the mean, and h/4 high.
				angles = append(angles, math.Atan2(4*height, 2*away)*180/math.Pi)
			}
			j.atLeast("angle with µ = 0.3, that with 0.1", "°", angles[1], angles[0])
			j.atLeast("angle with µ = 0.5, that with 0.3", "°", angles[2], angles[1])
			j.atLeast("angle with µ = 0.5, that of balls", "°", angles[2], angles[3])
			j.plot("V39: angle of repose", "friction", "angle, °", []float64{0.1, 0.3, 0.5}, angles[:3], nil)
		}},
		{Name: "V40", What: "columns of cubes between plates", Source: "springs in a row", inputs: []input{{file: "oedometer.toml"}}, judge: func(j *judge) {
			c := j.history(0, "time", "wall_top_position", "wall_top_fz")
			i := from(c[0], 3-3e-3)
			// Four columns of four contacts in a row.
			j.near("stiffness", "N/m", 8000/(last(c[1])-c[1][i]), 4*1e6/4, 1e-9)
			j.near("force", "N", math.Abs(last(c[2])), 12000, 1e-9)
			j.plot("V40: columns of cubes between plates", "way of the plate, m", "force, N", minus(-c[1][0], minus(0, c[1])), c[2], func(x float64) float64 { return 1e6 * x })
		}},
	}
}
