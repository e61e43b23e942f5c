package scene

import (
	"fmt"
	"github.com/scree-dem/scree/soa"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/results"
)

// historyOf runs a scene and returns the columns of its history.
func historyOf(t *testing.T, s *Scene, o Options) map[string][]float64 {
	t.Helper()
	o.Dir, o.Workers = results.Folder(t), 1
	if err := quietly(t, s, o); err != nil {
		t.Fatal(err)
	}
	return numbersOf(t, filepath.Join(o.Dir, historyName))
}

// numbersOf reads the columns of a table; a text that is no number is NaN.
func numbersOf(t *testing.T, path string) map[string][]float64 {
	t.Helper()
	columns := map[string][]float64{}
	for _, row := range readTable(t, path) {
		for name, text := range row {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				x = math.NaN()
			}
			columns[name] = append(columns[name], x)
		}
	}
	return columns
}

// TestRowsAreMeans compares a history of every fifth step with one of every step, whose rows hold the values of their steps.
func TestRowsAreMeans(t *testing.T) {
	const every, dt = 5, 5e-4
	each := historyOf(t, loadTumbling(t, "history_every = 5", "history_every = 1"), Options{Steps: 15})
	rows := historyOf(t, loadTumbling(t), Options{Steps: 15})
	seen := map[reduction]int{}
	for name, values := range each {
		var how reduction
		switch {
		case strings.Contains(name, "_impulse_"):
			how = impulse
		case strings.HasSuffix(name, "_peak"):
			how = peak
		case strings.HasSuffix(name, "_core") || strings.Contains(name, "_core_") || name == "solid_low_half":
		case strings.HasPrefix(name, "wall_") || strings.Contains(name, "_low_half") || name == "unbalanced":
			how = mean
		default:
			continue
		}
		sum := 0.0 // of the forces of an impulse
		for k, got := range rows[name] {
			want, of := values[every*k], values[max(every*(k-1)+1, 0):every*k+1]
			switch how {
			case mean:
				want = 0
				for _, x := range of {
					want += x / float64(len(of))
				}
			case peak:
				want = slices.Max(of)
			case impulse:
				if k > 0 {
					for _, x := range each[strings.Replace(name, "_impulse_", "_f", 1)][every*(k-1)+1 : every*k+1] {
						sum += x * dt
					}
				}
				want = sum
			}
			if math.Abs(got-want) > 1e-9*max(1, slices.Max(of), -slices.Min(of)) {
				t.Errorf("%s in row %d: %g, expected %g", name, k, got, want)
			}
			if got != 0 {
				seen[how]++
			}
		}
	}
	if seen[mean] < 20 || seen[peak] < 2 || seen[impulse] < 4 || seen[sample] < 10 {
		t.Errorf("numbers other than 0 by reduction: %v", seen)
	}
}

// TestRowsAfterARestart goes on in another folder from a checkpoint between two rows, and from one at a row. Rows of the
// same steps must be the same.
func TestRowsAfterARestart(t *testing.T) {
	for _, step := range []int64{7, 5} {
		s := loadTumbling(t, "checkpoint_every = 7", fmt.Sprintf("checkpoint_every = %d", step))
		whole, dir := results.Folder(t), results.Folder(t)
		for _, o := range []Options{{Dir: whole}, {Dir: dir, Restart: checkpointAt(whole, step)}} {
			o.Workers = 1
			if err := quietly(t, s, o); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]map[string]string{}
		for _, row := range readTable(t, filepath.Join(whole, historyName)) {
			want[row["step"]] = row
		}
		same := 0
		for _, row := range readTable(t, filepath.Join(dir, historyName)) {
			for name, text := range row {
				if was := want[row["step"]]; was != nil && (strings.HasPrefix(name, "wall_") || strings.HasPrefix(name, "stress_") || name == "unbalanced") {
					if same++; text != was[name] {
						t.Errorf("from step %d, step %s: %s is %s, expected %s", step, row["step"], name, text, was[name])
					}
				}
			}
		}
		if same < 60 {
			t.Errorf("from step %d: %d values are compared", step, same)
		}
	}
}

// pressed is a column of cubes between six planes; gravity holds it.
const pressed = `[time]
dt = 2e-4
steps = 3000
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:1x1x1"
material = "stone"
[[bodies]]
generator = "grid"
shapes = ["cube"]
count = [1, 1, 3]
spacing = 1
origin = [0, 0, 0.5]
[[walls]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
material = "stone"
[[walls]]
name = "lid"
plane = { point = [0, 0, 3.5], normal = [0, 0, -1] }
material = "stone"
[[walls]]
name = "west"
plane = { point = [-1, 0, 0], normal = [1, 0, 0] }
material = "stone"
[[walls]]
name = "east"
plane = { point = [1, 0, 0], normal = [-1, 0, 0] }
material = "stone"
[[walls]]
name = "south"
plane = { point = [0, -1, 0], normal = [0, 1, 0] }
material = "stone"
[[walls]]
name = "north"
plane = { point = [0, 1, 0], normal = [0, -1, 0] }
material = "stone"
[law]
stiffness = 1e8
restitution = 0.1
[output]
every = 0
history_every = 500
contacts_every = 1500
[[measure]]
name = "cell"
between = ["lid", "west", "floor", "north", "east", "south"]
[[measure]]
name = "cut"
box = [[-0.25, -0.5, 0.5], [0.5, 0.5, 1.25]]
mean = false
`

// TestMeasureOfAColumn: the stress of the column is that of its weight, Σ (weight above a contact)·(branch)/V.
func TestMeasureOfAColumn(t *testing.T) {
	s := load(t, pressed)
	dir := results.Folder(t)
	if err := quietly(t, s, Options{Dir: dir, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	h := numbersOf(t, filepath.Join(dir, historyName))
	last := len(h["step"]) - 1
	near := func(name string, want, tol float64) {
		t.Helper()
		if got := h[name][last]; !(math.Abs(got-want) <= tol*max(math.Abs(want), 1e-12)) {
			t.Errorf("%s is %g, expected %g", name, got, want)
		}
	}
	weight := 2600 * 9.81
	near("wall_floor_fz", -3*weight, 1e-3)
	near("stress_cell_zz", -weight*(3*0.5+2+1)/14, 2e-3)
	near("coordination_cell", 5./3, 1e-11)
	near("fabric_cell_zz", 1, 1e-12)
	near("fabric_cell_xx", 0, 1e-12)
	near("sliding_cell", 0, 0)
	near("solid_cell", 3./14, 1e-3)
	near("solid_cut", 1, 2e-3)
	if !(h["unbalanced"][last] < 0.01) {
		t.Errorf("unbalanced is %g at rest", h["unbalanced"][last])
	}
	if !(h["unbalanced"][0] == 1 && h["kinetic_cell"][1] > 0) {
		t.Errorf("unbalanced is %g at the start, kinetic %g", h["unbalanced"][0], h["kinetic_cell"][1])
	}
	c := numbersOf(t, filepath.Join(dir, contactsName))
	texts := readTable(t, filepath.Join(dir, contactsName))
	at := slices.Index(c["step"], 3000)
	if rows := len(c["step"]) - at; at < 0 || rows != 3 || slices.Contains(c["step"], 500) {
		t.Fatalf("contacts.csv has the steps %v, expected 3 rows of the last", c["step"])
	}
	for i, r := range texts[at:] { // 0-1, 0-floor, 1-2
		k := at + i
		b, kind, force := []float64{1, 3, 2}[i], []string{"f-f", "", "f-f"}[i], []float64{2, 3, 1}[i]*weight
		nz := []float64{1, -1, 1}[i]
		if c["b"][k] != b || r["type"] != kind || math.Abs(c["nz"][k]-nz) > 1e-9 || math.Abs(c["fz"][k]+nz*force) > 1e-3*force {
			t.Errorf("contact %d: %v", i, r)
		}
		if thick := -c["gap"][k]; math.Abs(c["thickness"][k]-thick) > 1e-3*thick || math.Abs(c["volume"][k]-thick) > 1e-3*thick || r["level"] == "" || r["sliding"] != "0" {
			t.Errorf("contact %d: %v", i, r)
		}
	}
}

// TestTypesInContactRows: numbers name A and B whatever order the world has, and the type follows them.
func TestTypesInContactRows(t *testing.T) {
	const scene = `[time]
dt = 1e-5
steps = 1
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:1x1x1"
material = "stone"
[[bodies]]
shape = "cube"
position = [%v, 0, 1.2071]
rotation = [0.9238795325112867, 0.3826834323650898, 0, 0]
[[bodies]]
shape = "cube"
position = [%v, 0, 0]
[law]
stiffness = 1e6
restitution = 0.5
[order]
bodies = "%s"
[output]
every = 0
contacts_every = 1
`
	for _, order := range []string{"none", "hilbert", "random"} {
		for _, x := range []float64{0, 3} {
			dir := results.Folder(t)
			if err := quietly(t, load(t, fmt.Sprintf(scene, x, x, order)), Options{Dir: dir, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			rows := readTable(t, filepath.Join(dir, contactsName))
			if len(rows) != 2 || rows[0]["a"]+rows[0]["b"] != "01" || rows[0]["type"] != "e-f" || rows[0]["nz"] != "-1" {
				t.Errorf("order %s: %v", order, rows)
			}
		}
	}
}

// TestMeasureOfDiscs: with dim = 2 a region is one metre thick.
func TestMeasureOfDiscs(t *testing.T) {
	const scene = `dim = 2
[time]
dt = 1e-5
steps = 1
[materials.steel]
density = 1000
[shapes.disc]
builtin = "disc:1"
material = "steel"
[[bodies]]
shape = "disc"
[[bodies]]
shape = "disc"
position = [1.999, 0, 0]
[law]
normal = "linear"
stiffness = 1e6
[output]
every = 0
[[measure]]
name = "half"
box = [[-2, 0, 0], [3, 2, 0]]
[[measure]]
name = "disc"
ball = { centre = [1, 0, 0], radius = 0.5 }
`
	h := historyOf(t, load(t, scene), Options{})
	for name, want := range map[string]float64{
		"solid_half": math.Pi / 10, "stress_half_xx": -1e3 * 1.999 / 10, "coordination_half": 1, "stress_disc_xx": -1e3 * 1.999 / (math.Pi / 4), "stress_disc_yy": 0,
	} {
		if got := h[name][0]; !(math.Abs(got-want) <= 1e-3*math.Abs(want)) {
			t.Errorf("%s is %g, expected %g", name, got, want)
		}
	}
	if _, err := Load(write(t, strings.Replace(scene, "[3, 2, 0]", "[3, 2, 1]", 1), nil)); err == nil || !strings.Contains(err.Error(), "measure[0].box") {
		t.Errorf("a corner out of the plane: %v", err)
	}
}

// TestOutputChangesNoBit: measures and rows of contacts read the world, and leave no trace in the next step.
func TestOutputChangesNoBit(t *testing.T) {
	bare := pressed[:strings.Index(pressed, "contacts_every")]
	want := ""
	for _, text := range []string{bare, strings.Replace(pressed, "contacts_every = 1500", "contacts_every = 1", 1)} {
		s := load(t, strings.Replace(strings.Replace(text, "steps = 3000", "steps = 300", 1), "spacing = 1", "spacing = 1.01\njitter = 0.004", 1))
		sum, err := Run(t.Context(), s, Options{Dir: results.Folder(t), Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if want != "" && sum.StateHash != want {
			t.Errorf("state hash %s, expected %s", sum.StateHash, want)
		}
		want = sum.StateHash
	}
}

func TestMeasureErrors(t *testing.T) {
	const cell = `between = ["lid", "west", "floor", "north", "east", "south"]`
	for name, c := range map[string][3]string{
		"no region":      {cell, "", "measure[0].box: found nothing, expected box, ball or between"},
		"two regions":    {cell, cell + "\nball = { radius = 1 }", "measure[0].between: is given beside ball, expected one of box, ball and between"},
		"a flat box":     {"[0.5, 0.5, 1.25]]", "[0.5, 0.5, 0.5]]", "measure[1].box: the region is the box from"},
		"corners":        {"[0.5, 0.5, 1.25]]", "[0.5, 0.5, -1.25]]", "expected the least corner before the largest"},
		"a name twice":   {`"cut"`, `"cell"`, `measure[1].name: found "cell", expected a name that no other [[measure]] has`},
		"no such wall":   {cell, `between = ["lid", "west", "floor", "north", "east", "sud"]`, `measure[0].between: found "sud", expected one of the walls floor, lid`},
		"five walls":     {cell, `between = ["lid", "west", "floor", "north", "east"]`, "expected the names of six walls"},
		"a wall twice":   {cell, `between = ["lid", "west", "floor", "north", "east", "lid"]`, "measure[0].between: the region is between wall 4 (lid) twice"},
		"walls at angle": {"point = [1, 0, 0], normal = [-1, 0, 0]", "point = [1, 0, 0], normal = [-1, 0.1, 0]", "none of the other walls of the region is parallel to wall 5 (west)"},
		"no radius":      {cell, "ball = { centre = [0, 0, 0] }", "measure[0].ball.radius: is missing"},
	} {
		text := strings.Replace(pressed, c[0], c[1], 1)
		s, err := Load(write(t, text, nil))
		if err == nil {
			_, err = Check(t.Context(), s, Options{Workers: 1})
		}
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v, expected %s", name, err, c[2])
		}
	}
}

// TestForgedMeans rejects columns of a checkpoint that no run writes.
func TestForgedMeans(t *testing.T) {
	s := loadTumbling(t)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r := &runner{s: s, b: b, w: b.World}
	if err := r.newMeans(); err != nil {
		t.Fatal(err)
	}
	m := r.means
	if err := m.step(1); err != nil {
		t.Fatal(err)
	}
	c, plate := m.sources[0].save(), m.sources[0]
	if err := plate.restore(&c); err != nil || plate.name != "wall_plate" {
		t.Fatalf("%v, %v", c, err)
	}
	for _, x := range [][]float64{nil, {1}, {0.5, 0, 0, 0, 0, 0, 0, 0}, {-1, 0, 0, 0, 0, 0, 0, 0}, {1, 2, 0, 0, 0, 0, 0, 0}, {1, 0, math.NaN(), 0, 0, 0, 0, 0}} {
		if err := plate.restore(&soa.Column{Name: "run.wall_plate", F64: x}); err == nil || !strings.Contains(err.Error(), `column "run.wall_plate"`) {
			t.Errorf("%v: %v", x, err)
		}
	}
	if n := testing.AllocsPerRun(10, func() { _ = m.step(1) }); n != 0 {
		t.Errorf("a step allocates %g times", n)
	}
}
