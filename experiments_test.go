package scree_test

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/scene"
)

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
	if o.Dir == "" {
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
	if os.Getenv("SCREE_REQUIRE") != "all" || testing.Short() {
		t.Skip("lifts two tubes, with SCREE_REQUIRE=all and without -short only")
	}
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
	for _, friction := range []string{"0.2", "0.5", "0.8"} {
		angle := reposeOf(t, friction)
		if t.Logf("friction %s: %.3g°", friction, angle); !(angle > last) {
			t.Errorf("friction %s: %.3g°, expected more than %.3g°", friction, angle, last)
		}
		last = angle
	}
}

// sample presses rocks, of which there may be fewer, and checks the isotropic state and the axial test of
// examples/triaxial.toml. It returns the largest sin φ of the test.
func sample(t *testing.T, replaced ...string) float64 {
	t.Helper()
	dir := t.TempDir()
	part, _ := experimentOf(t, "triaxial.toml", scene.Options{Dir: dir, UntilStage: 1}, replaced...)
	if part.StageStarts[0].Late {
		t.Error("the sample did not come to rest")
	}
	names := []string{"stress_cell_xx", "stress_cell_yy", "stress_cell_zz", "wall_left_position", "wall_right_position", "wall_front_position", "wall_back_position", "wall_left_fx"}
	last := func() (x []float64) {
		for _, c := range columnsOf(t, dir, "history.csv", names...) {
			x = append(x, c[len(c)-1])
		}
		return x
	}
	x := last()
	for i, stress := range x[:3] {
		if !(math.Abs(stress/-1e5-1) < 0.012) {
			t.Errorf("%s is %g Pa at rest, expected -1e5 within 1 %%", names[i], stress)
		}
	}
	experimentOf(t, "triaxial.toml", scene.Options{Dir: dir, Restart: filepath.Join(dir, scene.CheckpointName(part.Steps))}, replaced...)
	c, most, start := columnsOf(t, dir, "history.csv", append(names, "time")...), 0.0, part.Time
	for i := range c[0] {
		if c[8][i] <= start {
			continue
		}
		side, axial := 0.5*(c[0][i]+c[1][i]), c[2][i]
		most = max(most, (axial-side)/(axial+side))
	}
	if x = last(); !(math.Abs(0.5*(x[0]+x[1])/-1e5-1) < 0.02) {
		t.Errorf("the lateral stress is %g Pa at the end, expected -1e5 within 2 %%", 0.5*(x[0]+x[1]))
	}
	return most
}

// TestSoakTriaxial runs the whole example with three frictions.
func TestSoakTriaxial(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	var most [3]float64
	for i, friction := range []string{"0.2", "0.5", "0.8"} {
		most[i] = sample(t, "friction = 0.5", "friction = "+friction)
	}
	if t.Logf("sin φ = %.3g", most); !(most[1] > most[0]) || !(most[2] > most[1]-0.02) {
		t.Errorf("sin φ is %.3g for frictions of 0.2, 0.5 and 0.8, expected it to rise", most)
	}
}

// ballast runs examples/ballast.toml and checks that the sleeper settles under the cycles, and resists the push.
func ballast(t *testing.T, replaced ...string) {
	t.Helper()
	sum, dir := experimentOf(t, "ballast.toml", scene.Options{}, replaced...)
	c := columnsOf(t, dir, "history.csv", "time", "body_sleeper_x", "body_sleeper_z", "body_sleeper_fx")
	cycles, push := sum.StageStarts[3].Time, sum.StageStarts[4].Time
	height, most := map[bool]float64{}, 0.0
	for i, at := range c[0] {
		if at >= cycles && at <= push {
			height[at > cycles+0.01*(push-cycles)] = c[2][i] // the last before, and the last of them
		}
		if at > push {
			most = max(most, c[3][i])
		}
	}
	weight := 2400 * 0.12 * 0.2 * 0.08 * 9.81
	if t.Logf("the sleeper settles by %.3g mm and resists with %.3g N", 1e3*(height[false]-height[true]), most); !(height[true] < height[false]) {
		t.Errorf("the sleeper is at %g m before the cycles and at %g m after them, expected it lower", height[false], height[true])
	}
	if !(most > 0.2*(weight+50) && most < 20*(weight+50)) {
		t.Errorf("the push takes %g N, expected a share of the load of %g N", most, weight+50)
	}
}

// TestSoakBallast runs the whole example.
func TestSoakBallast(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	ballast(t)
}

// shear runs examples/shear.toml and checks the load on the lid and the shear force over it.
func shear(t *testing.T, replaced ...string) {
	t.Helper()
	sum, dir := experimentOf(t, "shear.toml", scene.Options{}, replaced...)
	c := columnsOf(t, dir, "history.csv", "time", "wall_upper_fx", "wall_lid_fx", "wall_lid_fz")
	from, mean, n := 0.5*(sum.StageStarts[2].Time+sum.Time), 0.0, 0.0
	for i, at := range c[0] {
		if at > from {
			mean, n = mean-(c[1][i]+c[2][i])/c[3][i], n+1
		}
	}
	if mean /= n; !(mean > 0.2 && mean < 1.5) {
		t.Errorf("the shear force is %.3g of the load, expected 0.2 to 1.5", mean)
	}
	t.Logf("the shear force is %.3g of the load", mean)
}

// TestSoakShear runs the whole example.
func TestSoakShear(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	shear(t)
}
