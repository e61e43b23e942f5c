package scree_test

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/scene"
)

var soakPhysics = flag.Bool("soak.physics", false, "experiments for as long as make soak-physics runs them")

// The examples of experiments, shortened. TestSoak* run them whole.

// experimentOf runs an example with replaced texts, of which every second one takes the place of the one before.
func experimentOf(t *testing.T, name string, o scene.Options, replaced ...string) (*scene.Summary, string) {
	t.Helper()
	text := read(t, "examples/"+name)
	for i := 0; i < len(replaced); i += 2 {
		if !strings.Contains(text, replaced[i]) {
			t.Fatalf("examples/%s has no %q", name, replaced[i])
		}
		text = strings.Replace(text, replaced[i], replaced[i+1], 1)
	}
	s, err := scene.Decode(strings.NewReader(text), name, "examples")
	if err != nil {
		t.Fatal(err)
	}
	if o.Workers = 1; o.Dir == "" {
		o.Dir = t.TempDir()
	}
	sum, err := scene.Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	e := &sum.Energies
	if worked := e.Damping + e.Friction + math.Abs(e.Walls); !(math.Abs(e.LeftOver) < 1e-3*worked) {
		t.Errorf("%s: left over %g J of %g J", name, e.LeftOver, worked)
	}
	return sum, o.Dir
}

// columnsOf returns columns of a table in a folder as numbers.
func columnsOf(t *testing.T, dir, table string, names ...string) [][]float64 {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, table))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for k, title := range rows[0] {
		at[title] = k
	}
	columns := make([][]float64, len(names))
	for i, name := range names {
		k, ok := at[name]
		if !ok {
			t.Fatalf("%s has no column %s", table, name)
		}
		for _, row := range rows[1:] {
			x, err := strconv.ParseFloat(row[k], 64)
			if err != nil {
				t.Fatal(err)
			}
			columns[i] = append(columns[i], x)
		}
	}
	return columns
}

// TestTilt is V18b on a wall: it stands 0.1° below the friction angle, and slides 0.1° above it.
func TestTilt(t *testing.T) {
	stands, _ := experimentOf(t, "tilt.toml", scene.Options{}, "count = 6", "count = 3", "for = 3", "for = 2")
	if !(stands.MaxSpeed < 1e-6) {
		t.Errorf("below the friction angle the wall moves at %g m/s, expected rest", stands.MaxSpeed)
	}
	slides, dir := experimentOf(t, "tilt.toml", scene.Options{}, "count = 6", "count = 3", "for = 3", "for = 2",
		"[4.371845, 0, -8.781974]", "[4.402473, 0, -8.766660]")
	c := columnsOf(t, dir, "history.csv", "time", "kinetic")
	n, mass := len(c[0])-1, 6*650.0
	faster := (math.Sqrt(2*c[1][n]/mass) - math.Sqrt(2*c[1][n-40]/mass)) / (c[0][n] - c[0][n-40])
	if want := 4.402473 - 0.5*8.766660; !(math.Abs(faster/want-1) < 0.02) {
		t.Errorf("above the friction angle the wall, at %g m/s, gets faster by %g m/s², expected %g", slides.MaxSpeed, faster, want)
	}
}

// reposeOf returns the angle, °, of the cone that has the mean height and the mean distance from the axis of the rocks that
// examples/repose.toml leaves with a friction.
func reposeOf(t *testing.T, friction string, replaced ...string) float64 {
	t.Helper()
	_, dir := experimentOf(t, "repose.toml", scene.Options{}, append(replaced, "friction = 0.5", "friction = "+friction)...)
	c := columnsOf(t, dir, "states.csv", "step", "cx", "cy", "cz")
	last, away, height, n := c[0][len(c[0])-1], 0.0, 0.0, 0.0
	for i, step := range c[0] {
		if step == last {
			away, height, n = away+math.Hypot(c[1][i], c[2][i]), height+c[3][i], n+1
		}
	}
	// A cone of radius R and height h has its points R/2 away in the mean, and h/4 high.
	return math.Atan2(4*height/n, 2*away/n) * 180 / math.Pi
}

// TestRepose is V39, with a few rocks: the heap is steeper with more friction.
func TestRepose(t *testing.T) {
	gated(t)
	few := []string{"count = 280", "count = 50", "radius = 0.11", "radius = 0.09", "for = 1.5", "for = 0.6", "to = 1.5", "to = 0.6", "[0, 0, 0.3]", "[0, 0, 0.5]",
		"at_most = 1.5", "at_most = 0.4", "to = [0, 0, 0.9]", "to = [0, 0, 0.35]"}
	low, high := reposeOf(t, "0.05", few...), reposeOf(t, "0.8", few...)
	if t.Logf("%.3g° with a friction of 0.05, %.3g° with 0.8", low, high); !(high > low+3) {
		t.Errorf("heaps of %.3g° and %.3g°, expected a steeper one with more friction", low, high)
	}
}

// TestSoakRepose runs the whole example with three frictions.
func TestSoakRepose(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	last := 0.0
	for _, friction := range []string{"0.1", "0.3", "0.5"} {
		angle := reposeOf(t, friction)
		if t.Logf("friction %s: %.3g°", friction, angle); !(angle > last) {
			t.Errorf("friction %s: %.3g°, expected more than %.3g°", friction, angle, last)
		}
		last = angle
	}
}

// triaxial presses the rocks of examples/triaxial.toml, of which there may be fewer, checks the isotropic state, and goes
// on from it with each friction. No servo may pass its max_speed in any step. It returns the largest sin φ of each test.
func triaxial(t *testing.T, frictions []string, replaced ...string) (most []float64) {
	t.Helper()
	names := []string{"time", "stress_cell_xx", "stress_cell_yy", "stress_cell_zz"}
	slow := func(w *engine.World, step int64) error {
		for _, id := range w.Walls() {
			if is, ok := w.Following(id); ok && is.Servo && !(math.Abs(is.Speed) <= 0.2) {
				return fmt.Errorf("step %d: a servo moves its wall at %g m/s, expected at most 0.2", step, is.Speed)
			}
		}
		return nil
	}
	settled, dir := experimentOf(t, "triaxial.toml", scene.Options{UntilStage: 1, Each: slow}, replaced...)
	if settled.StageStarts[0].Late {
		t.Error("the sample did not come to rest")
	}
	for i, c := range columnsOf(t, dir, "history.csv", names...) {
		if stress := c[len(c)-1]; i > 0 && !(math.Abs(stress/-1e5-1) < 0.01) {
			t.Errorf("%s is %g Pa at rest, expected -1e5 within 1 %%", names[i], stress)
		}
	}
	for _, friction := range frictions {
		from := scene.Options{Restart: filepath.Join(dir, scene.CheckpointName(settled.Steps)), Changed: true, Each: slow}
		_, sheared := experimentOf(t, "triaxial.toml", from, append(replaced, "friction = 0.5", "friction = "+friction)...)
		c, largest := columnsOf(t, sheared, "history.csv", names...), 0.0
		for i, at := range c[0] {
			side, axial := 0.5*(c[1][i]+c[2][i]), c[3][i]
			largest = max(largest, (axial-side)/(axial+side))
			if at > settled.Time+0.05 && !(math.Abs(side/-1e5-1) < 0.02) {
				t.Errorf("at %g s the lateral stress is %g Pa, expected -1e5 within 2 %%", at, side)
			}
		}
		most = append(most, largest)
	}
	t.Logf("sin φ = %.3g with frictions of %s", most, frictions)
	return most
}

// TestTriaxial runs the test with 90 rocks in half the box: they bear more with more friction.
func TestTriaxial(t *testing.T) {
	gated(t)
	few := []string{"dt = 6e-6", "dt = 1.1e-5", "count = 1000", "count = 90", "[[-0.25, -0.25, -0.25], [0.25, 0.25, 0.25]]", "[[-0.115, -0.115, -0.115], [0.115, 0.115, 0.115]]",
		"stiffness = 4e5", "stiffness = 1e5", "stiffness = 4e5", "stiffness = 1e5", "for = 0.88", "for = 0.22"}
	for _, point := range []string{"[%s0.25, 0, 0]", "[0, %s0.25, 0]", "[0, 0, %s0.25]"} {
		for _, sign := range []string{"", "-"} {
			at := fmt.Sprintf(point, sign)
			few = append(few, "point = "+at, "point = "+strings.Replace(at, "0.25", "0.115", 1))
		}
	}
	if most := triaxial(t, []string{"0.1", "0.5"}, few...); !(most[1] > most[0]) {
		t.Errorf("sin φ is %.3g for frictions of 0.1 and 0.5, expected it to rise", most)
	}
}

// TestSoakTriaxial runs the whole example with three frictions from one settled state.
func TestSoakTriaxial(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	if most := triaxial(t, []string{"0.2", "0.5", "0.8"}); !(most[1] > most[0]) || !(most[2] > most[1]-0.02) {
		t.Errorf("sin φ is %.3g for frictions of 0.2, 0.5 and 0.8, expected it to rise", most)
	}
}

// gated skips experiments that take longer than the tests of a change should.
func gated(t *testing.T) {
	t.Helper()
	if os.Getenv("SCREE_REQUIRE") != "all" || testing.Short() {
		t.Skip("runs an experiment, with SCREE_REQUIRE=all and without -short only")
	}
	t.Parallel()
}

// ballast runs examples/ballast.toml. The sleeper must settle under the cycles, by less in their second half than in the
// first. Where it is pushed, the bed in front of it adds to the friction under it.
func ballast(t *testing.T, replaced ...string) {
	t.Helper()
	sum, dir := experimentOf(t, "ballast.toml", scene.Options{}, replaced...)
	c := columnsOf(t, dir, "history.csv", "time", "body_sleeper_z", "body_sleeper_fx")
	cycles, push := sum.StageStarts[3].Time, sum.StageStarts[4].Time
	var height [3]float64 // before the cycles, in their middle, and after them
	most := 0.0
	for i, at := range c[0] {
		for k := range height {
			if at <= cycles+float64(float64(k)*(push-cycles)/2) {
				height[k] = c[1][i]
			}
		}
		if at > push {
			most = max(most, c[2][i])
		}
	}
	first, second := height[0]-height[1], height[1]-height[2]
	if t.Logf("the sleeper settles by %.3g mm and %.3g mm, and resists with %.3g N", 1e3*first, 1e3*second, most); !(first > 0 && second < first) {
		t.Errorf("the sleeper settles by %g m in the first half of the cycles and %g m in the second, expected less and less", first, second)
	}
	if sliding := 0.5 * (2400*0.12*0.2*0.08*9.81 + 100); !(most > sliding) {
		t.Errorf("the push takes %g N, expected more than sliding on rock, %g N", most, sliding)
	}
}

// TestBallast runs the example with a smaller bed and ten cycles.
func TestBallast(t *testing.T) {
	gated(t)
	ballast(t, "dt = 1.5e-5", "dt = 1.6e-5", "count = 300", "count = 160", "[[-0.25, -0.12, 0], [0.25, 0.12, 1.1]]", "[[-0.2, -0.12, 0], [0.2, 0.12, 0.8]]",
		"[-0.25, 0, 0]", "[-0.2, 0, 0]", "[0.25, 0, 0]", "[0.2, 0, 0]", "speed = 0.05", "speed = 0.2", "position = [0, 0, 1.2]", "position = [0, 0, 0.9]",
		"for = 0.48", "for = 0.38", "[0.46, [0, 0, -2]], [0.48,", "[0.36, [0, 0, -2]], [0.38,", "for = 3\n", "for = 0.3\n")
}

// TestSoakBallast runs the whole example.
func TestSoakBallast(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	ballast(t)
}

// shear runs examples/shear.toml, and returns the shear force over the load on the lid in the first and the last quarter
// of the way. The lid must bear its load, and little of the force is that of its inertia.
func shear(t *testing.T, replaced ...string) (first, last float64) {
	t.Helper()
	sum, dir := experimentOf(t, "shear.toml", scene.Options{}, replaced...)
	c := columnsOf(t, dir, "history.csv", "time", "wall_upper_fx", "wall_lid_fx", "wall_lid_fz")
	start, load, rows := sum.StageStarts[2].Time, 0.0, 0.0
	var ratio, n [4]float64
	for i, at := range c[0] {
		if way := (at - start) / (sum.Time - start); way > 0 {
			k := min(int(4*way), 3)
			ratio[k], n[k] = ratio[k]-(c[1][i]+c[2][i])/c[3][i], n[k]+1
			load, rows = load+c[3][i], rows+1
		}
	}
	first, last, load = ratio[0]/n[0], ratio[3]/n[3], load/rows
	if t.Logf("the shear force rises from %.3g to %.3g of the load, %.4g N", first, last, load); !(math.Abs(load/400-1) < 0.02) {
		t.Errorf("the lid bears %g N, expected the load of 400 N within 2 %%", load)
	}
	return first, last
}

// TestShear runs the example with fewer and larger rocks, for less than the way to the plateau.
func TestShear(t *testing.T) {
	gated(t)
	few := []string{"dt = 1.1e-5", "dt = 2e-5", `0.02"`, `0.03"`, `0.02"`, `0.03"`, "count = 360", "count = 110", "0.49]]", "0.6]]", "at_most = 1", "at_most = 0.7", "for = 0.4", "for = 0.2", "for = 0.8", "for = 0.3"}
	if first, last := shear(t, few...); !(first < last && last > 0.1) {
		t.Errorf("the shear force goes from %.3g to %.3g of the load, expected it to rise", first, last)
	}
}

// TestSoakShear runs the whole example. The triaxial test gives sin φ = 0.61 at this friction, so tan φ = 0.77. In direct
// shear the ratio lies between sin φ and, because the sample cannot widen across, somewhat above tan φ.
func TestSoakShear(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	if _, last := shear(t); !(last > 0.6 && last < 1) {
		t.Errorf("the shear force is %.3g of the load at the end, expected 0.6 to 1", last)
	}
}

// cell runs examples/cell.toml. It returns the largest sin φ.
func cell(t *testing.T, replaced ...string) (most float64) {
	t.Helper()
	sum, dir := experimentOf(t, "cell.toml", scene.Options{}, replaced...)
	c := columnsOf(t, dir, "history.csv", "time", "stress_cell_xx", "stress_cell_yy", "stress_cell_zz")
	start := sum.StageStarts[1]
	if sum.StageStarts[0].Late {
		t.Error("the sample did not come to rest")
	}
	for i, at := range c[0] {
		side, axial := 0.5*(c[1][i]+c[2][i]), c[3][i]
		if at < start.Time {
			continue
		}
		if most = max(most, (axial-side)/(axial+side)); !(math.Abs(side/-5e4-1) < 0.05) {
			t.Errorf("at %g s the lateral stress is %g Pa, expected -5e4 within 5 %%", at, side)
		}
	}
	if e := &sum.Energies; !(math.Abs(e.LeftOver) < 1e-3*e.Friction) {
		t.Errorf("left over %g J, lost to friction %g J", e.LeftOver, e.Friction)
	}
	t.Logf("sin φ = %.3g", most)
	return most
}

// TestCell runs the periodic triaxial test with 64 larger rocks and with less compression.
func TestCell(t *testing.T) {
	gated(t)
	if most := cell(t, "dt = 1e-5", "dt = 2e-5", "count = 500", "count = 64", "[[-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]]", "[[-0.12, -0.12, -0.12], [0.12, 0.12, 0.12]]",
		"[[-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]]", "[[-0.12, -0.12, -0.12], [0.12, 0.12, 0.12]]", "max_rate = 1 }", "max_rate = 3 }", "zz = -0.1", "zz = -0.3", "for = 1.05", "for = 0.15"); !(most > 0.3) {
		t.Errorf("sin φ = %.3g, expected that of rocks", most)
	}
}

// TestSoakCell runs the whole example. The angle of friction is that of the test between walls, sin φ = 0.614, within 3°.
func TestSoakCell(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	if angle := math.Asin(cell(t)) * 180 / math.Pi; !(math.Abs(angle-math.Asin(0.614)*180/math.Pi) < 3) {
		t.Errorf("φ = %.3g°, expected %.3g° within 3°", angle, math.Asin(0.614)*180/math.Pi)
	}
}
