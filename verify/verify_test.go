package verify

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/soa"
)

// TestQuickCases runs the quick cases, each as a subtest.
func TestQuickCases(t *testing.T) {
	for _, c := range Cases() {
		if c.Class > Quick || c.Tests != "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if strings.HasSuffix(c.inputs[0].file, ".toml") && c.Name != "V16" {
				require.Numbers(t)
			}
			out := outcomeOf(t, c, Options{})
			if out.Verdict == Fail || out.Error != "" {
				t.Errorf("%s: %v, %+v", c.What, out.Error, out.Checks)
			}
		})
	}
}

func outcomeOf(t *testing.T, c *Case, o Options) *Outcome {
	t.Helper()
	list, err := Run(context.Background(), []*Case{c}, o)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// caseOf returns the case with a name.
func caseOf(t *testing.T, name string) *Case {
	t.Helper()
	list, err := Find(Cases(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestWrongLaws: a law that is wrong by little fails its cases, and so does a defect that adds energy.
func TestWrongLaws(t *testing.T) {
	gains := func(w *engine.World, _ int64) error {
		const cube = soa.ID(0)
		v, spin := w.Bodies().Vel.At(int(cube)), w.Bodies().Spin.At(int(cube))
		return w.SetVelocity(cube, v.Scale(1+1e-5), spin)
	}
	for name, o := range map[string]Options{
		"V16": {each: gains}, "V18": {Sets: []string{"law.friction=0.5002"}},
	} {
		t.Run(name, func(t *testing.T) {
			if out := outcomeOf(t, caseOf(t, name), o); out.Verdict != Fail || out.Error != "" {
				t.Errorf("the case ends with %s: %v, %+v", out.Verdict, out.Error, out.Checks)
			}
		})
	}
}

// TestCasesAreWhole checks names, sources and texts of the cases, that their scenes can be read, and that their Go tests
// exist.
func TestCasesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if seen[c.Name] || !regexp.MustCompile(`^V\d+[a-z]?(-[a-z]+)?$`).MatchString(c.Name) || c.What == "" || c.Source == "" {
			t.Errorf("case %+v", c)
		}
		if seen[c.Name] = true; (c.Tests == "") == (len(c.inputs) == 0 || c.judge == nil) {
			t.Errorf("%s has %d inputs and the tests %q", c.Name, len(c.inputs), c.Tests)
		}
		dir := t.TempDir()
		if err := c.Export(dir); err != nil {
			t.Error(err)
		}
		for k, in := range c.inputs {
			if !strings.HasSuffix(in.file, ".toml") {
				continue
			}
			if !strings.HasPrefix(content(in.file), "# ") {
				t.Errorf("%s: %s, of run %d, does not say what it shows", c.Name, in.file, k+1)
			}
			if _, err := scene.Load(filepath.Join(dir, in.file), in.sets...); err != nil {
				t.Errorf("%s, run %d: %v", c.Name, k+1, err)
			}
		}
		if c.Tests == "" {
			continue
		}
		command, pattern, _ := strings.Cut(c.Tests, " -run ")
		for word := range strings.SplitSeq(strings.Trim(pattern, "'"), "|") {
			found := false
			for _, dir := range strings.Fields(strings.TrimPrefix(command, "go test")) {
				tests, _ := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
				for _, path := range tests {
					text, err := os.ReadFile(path)
					found = found || err == nil && regexp.MustCompile(`(?m)^func Test\w*`+word).Match(text)
				}
			}
			if !found {
				t.Errorf("%s: no test matches %q of %s", c.Name, word, c.Tests)
			}
		}
	}
}

// TestFind selects cases by name, by number and by word, and names the nearest one.
func TestFind(t *testing.T) {
	for name, want := range map[string]string{"v16": "V16", "V16c": "V16c", "CUBES": "V1"} {
		if list, err := Find(Cases(), []string{name}); err != nil || list[0].Name != want {
			t.Errorf("%s: %v, %v, expected %s first", name, list, err, want)
		}
	}
	if _, err := Find(Cases(), []string{"V18x"}); err == nil || !strings.Contains(err.Error(), `"V18`) {
		t.Errorf("error %v, expected the nearest name", err)
	}
}

// TestReports writes reports with a failed check and a plot.
func TestReports(t *testing.T) {
	j := &judge{}
	j.near("a", "m", 1.1, 1, 0.01)
	j.within("b", "", math.NaN(), 0, 1)
	j.plot("plot", "x", "y", []float64{0, 1}, []float64{0, 1}, func(x float64) float64 { return x * x })
	c := &Case{Name: "V0", What: "a < b", Source: "none", inputs: []input{{file: "slope.toml"}}}
	out := &Outcome{Case: c, Checks: j.checks, Plots: j.plots}
	out.conclude()
	dir := t.TempDir()
	if err := Write(dir, "head", []*Outcome{out}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		HTMLName: {"a &lt; b", "<svg", `class="fail"`, "1.1 m", "scree run V0/slope.toml"},
		CSVName:  {"V0,a < b,none,quick,a,1 m,1.1 m,0.01 relative,fail", "b,0,NaN,1,fail"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s lacks %q:\n%s", name, w, text)
			}
		}
	}
}
