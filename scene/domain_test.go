package scene

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/results"
)

// stream is a scene of balls that fly through a periodic box along x, and are counted in a half of it.
const stream = `[time]
dt = 1e-3
steps = 1000
[gravity]
vector = [0, 0, 0]
[materials.rock]
density = 2000
[shapes.ball]
builtin = "ball:0.05"
material = "rock"
[[bodies]]
generator = "grid"
shapes = ["ball"]
count = [4, 1, 1]
spacing = 0.25
origin = [0.11, 0.5, 0.5]
velocity = [3, 0, 0]
[law]
stiffness = 1e4
[domain]
box = [[0, 0, 0], [1, 1, 1]]
x = "periodic"
[[counts]]
name = "left"
box = [[0, 0, 0], [0.5, 1, 1]]
[[measure]]
name = "all"
[output]
every = 100
history_every = 100
`

// TestDomainInOutput: frames and counts see the images in the box, tables the places of the bodies.
func TestDomainInOutput(t *testing.T) {
	for _, wrap := range []bool{true, false} {
		s, dir := load(t, strings.Replace(stream, "[output]\n", fmt.Sprintf("[output]\nwrap = %v\n", wrap), 1)), results.Folder(t)
		sum, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1})
		if err != nil || sum.Counts["left"] != 2 {
			t.Fatalf("%+v, %v", sum, err)
		}
		for _, row := range readTable(t, filepath.Join(dir, historyName)) {
			if row["counts_left"] != "2" || row["domain_x"] != "1" || row["solid_all"] < "0.0020" || row["solid_all"] > "0.0021" {
				t.Errorf("counts %s, domain %s, solid %s", row["counts_left"], row["domain_x"], row["solid_all"])
			}
		}
		states := readTable(t, filepath.Join(dir, statesName))
		if x, err := strconv.ParseFloat(states[len(states)-1]["x"], 64); err != nil || !(math.Abs(x-3.86) < 1e-9) {
			t.Errorf("the last ball is at x = %g, expected 3.86", x)
		}
		b, err := s.Build(1)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for range 1000 {
			if err := b.World.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		d := (&folder{r: &runner{s: s, b: b, w: b.World}}).bodyFrame(t.Context(), b.rows(false), true)
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := 0; i < len(d.Points); i += 3 {
			lo, hi = min(lo, d.Points[i]), max(hi, d.Points[i])
		}
		if inside := lo >= -0.05 && hi <= 1.05; inside != wrap {
			t.Errorf("wrap = %v: the frame reaches from %g to %g", wrap, lo, hi)
		}
	}
}

// TestDomainChanged: a stage and a changed scene replace rate and servo.
func TestDomainChanged(t *testing.T) {
	base := strings.Replace(strings.Replace(stream, "steps = 1000\n", "", 1), "velocity = [3, 0, 0]\n", "", 1)
	stages := "[[stage]]\nfor = 0.1\n[[stage]]\nfor = 0.1\ndomain.rate = { xx = [[0, 0.5], [0.05, 1]] }\n[[stage]]\nfor = 0.1\ndomain.rate = false\n"
	s, dir := load(t, base+stages), results.Folder(t)
	sum, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1, UntilStage: 2})
	if err != nil {
		t.Fatal(err)
	}
	length := func(dir string) float64 {
		rows := readTable(t, filepath.Join(dir, historyName))
		x, err := strconv.ParseFloat(rows[len(rows)-1]["domain_x"], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	grown := math.Exp(0.75*0.05 + 1*0.05)
	if x := length(dir); !(math.Abs(x-grown) < 1e-4) {
		t.Errorf("the domain is %g m long, expected %g", x, grown)
	}
	from := checkpointAt(dir, sum.Steps)
	for change, want := range map[string]float64{"": grown, "domain.rate = { xx = -1 }": grown * math.Exp(-0.1), `domain.servo = { stress = [1e3, "free", "free"], max_rate = 2 }`: grown * math.Exp(-0.2)} {
		to := results.Folder(t)
		if change != "" {
			change = strings.Replace(stages, "domain.rate = false", change, 1)
		} else {
			change = stages
		}
		if _, err := Run(t.Context(), load(t, base+change), Options{Dir: to, Workers: 1, Restart: from, Changed: change != stages}); err != nil {
			t.Fatal(err)
		}
		if x := length(to); !(math.Abs(x-want) < 1e-3) {
			t.Errorf("%s: the domain is %g m long, expected %g", change, x, want)
		}
	}
}

// TestDomainErrors: what is wrong in a domain is named with its key.
func TestDomainErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"box = [[0, 0, 0], [1, 1, 1]]\nx", "x", "domain.box: is missing"},
		{"box = [[0, 0, 0], [1, 1, 1]]\nx", "box = [[0, 0, 0], [1, 1, 0]]\nx", "domain.box: found"},
		{`"periodic"`, `"cyclic"`, `domain.x: found "cyclic", expected open, periodic, reflect, stop or destroy`},
		{"[1, 1, 1]]\nx", "[0.19, 1, 1]]\nx", "domain.box: the box of the domain is 0.19 m long along x, where it is periodic, expected at least 0.2 m"},
		{`"periodic"`, "\"periodic\"\nrate = { yy = 1 }", `domain.rate.yy: deforms the domain along y, where its sides are open, expected "periodic"`},
		{`"periodic"`, "\"periodic\"\nservo = { stress = [1, 2, 3], max_rate = 1 }", `domain.servo.stress[1]: deforms the domain along y`},
		{`"periodic"`, "\"periodic\"\nservo = { stress = [1, \"free\"], max_rate = 1 }", `domain.servo.stress: found another value, expected a list of three [sx, sy, sz]`},
		{`"periodic"`, "\"periodic\"\nservo = { stress = [1, \"loose\", \"free\"], max_rate = 1 }", `domain.servo.stress[1]: found "loose"`},
		{`"periodic"`, "\"periodic\"\nservo = { stress = [1, \"free\", \"free\"] }", `domain.servo.max_rate: is missing`},
		{`"periodic"`, "\"periodic\"\nrate = { xx = 1e5 }", `domain.rate.xx: found 100000, expected at most 100 1/s: in a time step of 0.001 s the sides would move by the size of the smallest body`},
		{"[domain]", "[[bodies]]\ngenerator = \"random\"\nshapes = [\"ball\"]\ncount = 1\nbox = [[0.5, 0, 0], [1.2, 1, 1]]\n[domain]", "bodies[1].box: reaches from 0.5 m to 1.2 m along x, expected it in the domain"},
		{"[domain]", "[[walls]]\nmaterial = \"rock\"\nplane = { point = [0, 0, 0], normal = [1, 0, 0] }\n[domain]", "expected one parallel to x, along which the domain is periodic"},
		{"[domain]\nbox = [[0, 0, 0], [1, 1, 1]]\nx = \"periodic\"\n", "", "measure[0].box: found nothing, expected box, ball or between: there is no domain"},
		{"[output]", "[[stage]]\nfor = 1\ndomain.rate = { zz = 1 }\n[output]", "stage[0].domain.rate.zz: deforms the domain along z"},
		{"name = \"all\"", "name = \"all\"\nbox = [[-0.5, 0, 0], [0.5, 1, 1]]", "measure[0].box: reaches from -0.5 m to 0.5 m along x, expected it in the box of the domain"},
		{`"periodic"`, "\"periodic\"\nrate = { xx = 1 }\nservo = { stress = [1, \"free\", \"free\"], max_rate = 1 }", "domain.rate.xx: is given beside a stress along x"},
		{`"periodic"`, "\"periodic\"\nservo = { stress = [\"free\", \"free\", \"free\"], max_rate = 1 }", "domain.servo.stress: is \"free\" along all axes"},
		{"dt = 1e-3", "dt = 1e-3\nintegrator = \"position-verlet\"", "time.integrator"},
	} {
		text := strings.Replace(strings.Replace(stream, "[[counts]]\nname = \"left\"\nbox = [[0, 0, 0], [0.5, 1, 1]]\n", "", 1), c.from, c.to, 1)
		s, err := Decode(strings.NewReader(text), "scene.toml", ".")
		if err == nil {
			_, err = Run(t.Context(), s, Options{Dir: results.Folder(t), Workers: 1})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "scene.toml") {
			t.Errorf("%q: error %v, expected one with %q", c.to, err, c.want)
		}
	}
}

// TestDestroyedRestarts: a run whose sides remove bodies goes on in its own folder, with the files of an unbroken run.
func TestDestroyedRestarts(t *testing.T) {
	text := strings.Replace(strings.Replace(stream, `"periodic"`, `"destroy"`, 1), "steps = 1000", "steps = 400", 1)
	s := load(t, strings.Replace(text, "every = 100\nhistory_every = 100", "every = 100\nhistory_every = 20\nstates_every = 20\ncheckpoint_every = 100", 1))
	whole, dir := results.Folder(t), results.Folder(t)
	sum, err := Run(t.Context(), s, Options{Dir: whole, Workers: 1})
	if err != nil || sum.Bodies != 0 || len(sum.Removed) != 1 || sum.Removed[0].Of != "domain" || sum.Removed[0].Bodies != 4 {
		t.Fatalf("%+v, %v", sum, err)
	}
	until(t, s, Options{Dir: dir, Workers: 2}, 130, 0)
	if _, err := Run(t.Context(), s, Options{Dir: dir, Workers: 1, Restart: checkpointAt(dir, 130)}); err != nil {
		t.Fatal(err)
	}
	results.Same(t, "restarted at step 130", results.Read(t, dir), results.Read(t, whole))
}
