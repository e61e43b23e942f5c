package scene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/engine"
)

// many is the scene small with so many bodies that making them takes seconds.
func many(t *testing.T) *Scene {
	t.Helper()
	return load(t, replaced(t, "count = [2, 2, 2]", "count = [200, 200, 50]"))
}

// TestInterruptedBeforeTheFirstStep: a run that is interrupted while its world is made ends at once
// and leaves the folder unchanged.
func TestInterruptedBeforeTheFirstStep(t *testing.T) {
	for _, c := range []struct {
		name  string
		after time.Duration
	}{{"before it begins", 0}, {"while bodies are made", 100 * time.Millisecond}} {
		t.Run(c.name, func(t *testing.T) {
			s := many(t)
			ctx, cancel := context.WithTimeout(t.Context(), c.after)
			defer cancel()
			dir := filepath.Join(t.TempDir(), "out")
			l := &listener{}
			began := time.Now()
			sum, err := Run(ctx, s, Options{Dir: dir, Report: l})
			if !errors.Is(err, ErrInterrupted) || errors.Is(err, ErrInput) || sum != nil {
				t.Fatalf("summary %+v, error %v, expected ErrInterrupted and no summary", sum, err)
			}
			// Much less than two million bodies take, even on a busy machine.
			if d := time.Since(began); d > 10*time.Second {
				t.Errorf("ended after %v", d)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder was made: %v", err)
			}
			if l.steps != 0 || len(l.warnings) != 0 {
				t.Errorf("the reporter heard of %d steps and %v", l.steps, l.warnings)
			}
		})
	}
}

// TestGeneratorsAreInterrupted: every generator checks the context, so that no work continues in
// the background for long.
func TestGeneratorsAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, bodies := range []string{
		"generator = \"grid\"\nshapes = [\"ball\"]\ncount = [200, 200, 200]\nspacing = 1",
		"generator = \"random\"\nshapes = [\"ball\"]\ncount = 9000000\nbox = [[0, 0, 0], [900, 900, 900]]",
		"generator = \"wall\"\nshapes = [\"brick\"]\ncount = 4000",
	} {
		all, err := withBodies(t, "[[bodies]]\n"+bodies).generate(ctx)
		if !errors.Is(err, ErrInterrupted) || all != nil {
			t.Errorf("%s: %d bodies, error %v", bodies, len(all), err)
		}
	}
}

// TestInterruptedAtTheFirstFrame: the files in the folder are complete, and there is no checkpoint
// without steps.
func TestInterruptedAtTheFirstFrame(t *testing.T) {
	dir := t.TempDir()
	// The context is first queried before the folder is opened, and then after the first frame is
	// begun.
	sum, err := Run(&countdown{t.Context(), 0}, load(t, small), Options{Dir: dir, Workers: 1})
	if !errors.Is(err, ErrInterrupted) || sum == nil || !sum.Interrupted || sum.Steps != 0 {
		t.Fatalf("summary %+v, error %v", sum, err)
	}
	listed(t, dir)
	if rows := readTable(t, filepath.Join(dir, "history.csv")); len(rows) != 1 || rows[0]["step"] != "0" {
		t.Errorf("history has %v", rows)
	}
	if rows := readTable(t, filepath.Join(dir, "states.csv")); len(rows) != 9 && len(rows) != 0 {
		t.Errorf("states.csv has %d rows, expected one for each body or none", len(rows))
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".scree") {
			t.Errorf("%s was left behind", name)
		}
	}
}

// TestTooManyBodies: the error names the key, its value and the limit, before bodies are generated.
func TestTooManyBodies(t *testing.T) {
	const grid = "[[bodies]]\ngenerator = \"grid\"\nshapes = [\"ball\"]\nspacing = 1\n"
	const wall = "[[bodies]]\ngenerator = \"wall\"\nshapes = [\"brick\"]\n"
	const random = "[[bodies]]\ngenerator = \"random\"\nshapes = [\"ball\"]\nbox = [[0, 0, 0], [9, 9, 9]]\n"
	for _, c := range []struct {
		name, bodies string
		want         []string // parts of the message; empty: no error
	}{
		{"grid", grid + "count = [1000, 1000, 1000]", []string{"bodies[0].count", "[1000 1000 1000]", "at most 10000000 bodies"}},
		{"grid that overflows", grid + "count = [3037000500, 3037000500, 3037000500]", []string{"bodies[0].count", "at most 10000000"}},
		{"random", random + "count = 10000001", []string{"bodies[0].count", "10000001", "at most 10000000"}},
		{"wall", wall + "count = 4472", []string{"bodies[0].count", "4472", "at most 10000000"}},
		{"huge wall", wall + "count = 9223372036854775807", []string{"bodies[0].count", "at most 10000000"}},
		{"two groups", grid + "count = [1000, 1000, 5]\n" + random + "count = 5000001", []string{"bodies[1].count", "10000001", "at most 10000000"}},
		{"one too many", grid + "count = [1000, 1000, 10]\n[[bodies]]\nshape = \"ball\"", []string{"bodies[1]", "10000001", "at most 10000000"}},
		{"as many as may be", grid + "count = [1000, 1000, 10]", nil},
		{"the largest wall", wall + "count = 4471", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(write(t, base+c.bodies, map[string]string{"tetra.obj": tetraOBJ}))
			if (err != nil) != (c.want != nil) || err != nil && !errors.Is(err, ErrInput) {
				t.Fatalf("error %v", err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
		})
	}
}

// TestNames: names that would break a line of a table or a message are rejected; all others are
// preserved.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"body", `name = "heap"`, `name = "he\nap"`, "bodies[0].name"},
		{"one body", `name = "one"`, `name = "o\u0000ne"`, "bodies[1].name"},
		{"wall", `name = "floor"`, `name = "flo\tor"`, "walls[0].name"},
		{"count", `name = "low"`, `name = "lo\u2028w"`, "counts[0].name"},
		{"material", `[materials.steel]`, "[materials.steel]\n[materials.\"st\\ree\"]", "materials.st"},
		{"shape", `[shapes.ball]`, "[shapes.\"b\\u0085\"]\nbuiltin = \"ball:1\"\nmaterial = \"rock\"\n[shapes.ball]", "shapes.b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(write(t, replaced(t, c.from, c.to), nil))
			if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "control characters") {
				t.Fatalf("error %v, expected one of %s", err, c.want)
			}
			if strings.ContainsAny(err.Error(), "\n\r\t\x00\u0085\u2028") {
				t.Errorf("the message %q breaks its own line", err)
			}
		})
	}
	text := strings.NewReplacer(`name = "low"`, `name = "a, \"b\" µ"`, `name = "floor"`, `name = "the floor, 1"`).Replace(small)
	dir := t.TempDir()
	run(t, load(t, text), Options{Dir: dir, Steps: 1})
	row := readTable(t, filepath.Join(dir, "history.csv"))[0]
	for _, column := range []string{"counts_a___b__µ", "wall_the_floor__1_fz"} {
		if row[column] == "" {
			t.Errorf("history.csv has no column %q", column)
		}
	}
}

// TestNoNumberStopsTheRun: energies that are not finite end the run at the first row that has them.
func TestNoNumberStopsTheRun(t *testing.T) {
	dir := t.TempDir()
	// The velocity is finite, but its square is not.
	s := load(t, small)
	s.groups[1].vel.Z = 1e160
	sum, err := Run(context.Background(), s, Options{Dir: dir, Workers: 1})
	if !errors.Is(err, engine.ErrFault) || !strings.Contains(err.Error(), "expected finite") {
		t.Fatalf("error %v", err)
	}
	if sum == nil || sum.Steps != 0 || sum.Error == "" {
		t.Errorf("summary %+v", sum)
	}
	if rows := readTable(t, filepath.Join(dir, "history.csv")); len(rows) != 0 {
		t.Errorf("history has %v", rows)
	}
	good := engine.Measure{Translation: 1, Potential: 2}
	if err := checkFinite(&good); err != nil {
		t.Error(err)
	}
	for i, spoil := range []func(m *engine.Measure, x float64){
		func(m *engine.Measure, x float64) { m.Rotation = x }, func(m *engine.Measure, x float64) { m.Potential = x },
		func(m *engine.Measure, x float64) { m.Ledger.Elastic = x }, func(m *engine.Measure, x float64) { m.Ledger.Shear = x },
		func(m *engine.Measure, x float64) { m.Ledger.Damping = x }, func(m *engine.Measure, x float64) { m.Ledger.Friction = x },
		func(m *engine.Measure, x float64) { m.Ledger.Walls = x }, func(m *engine.Measure, x float64) { m.Ledger.LawExcess = x },
		func(m *engine.Measure, x float64) { m.LeftOver = x },
		func(m *engine.Measure, x float64) { m.Penetration = x }, func(m *engine.Measure, x float64) { m.MaxSpeed = x },
	} {
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			bad := good
			spoil(&bad, x)
			if err := checkFinite(&bad); !errors.Is(err, engine.ErrFault) || !strings.Contains(err.Error(), fmt.Sprint(x)) {
				t.Errorf("number %d is %g: error %v", i, x, err)
			}
		}
	}
}

// TestDecode reads a scene that is not a file. Its meshes are relative to the given folder.
func TestDecode(t *testing.T) {
	path := write(t, base+"[[bodies]]\nshape = \"tetra\"", map[string]string{"tetra.obj": tetraOBJ})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Decode(strings.NewReader(string(text)), "standard input", filepath.Dir(path))
	if err != nil || s.Name != "standard input" || len(s.shapes) != 3 {
		t.Fatalf("%v, %+v", err, s)
	}
	if _, err := Decode(strings.NewReader(string(text)), "standard input", t.TempDir()); !errors.Is(err, os.ErrNotExist) || !errors.Is(err, ErrInput) {
		t.Errorf("without the mesh: %v", err)
	}
	if _, err := Decode(endless{}, "endless", "."); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a scene without an end: %v", err)
	}
}

// endless is a comment without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '#'
	}
	return len(b), nil
}
