package verify

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	list, err := Find(Cases(), []string{name}, Long)
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

// TestFind selects cases by name, by the start of names and by word, and says why a name selects none.
func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"v16": "V16", "V16c": "V16c", "v17": "V17", "V32b": "V32b", "v32b*": "V32b V32b-large", "V18C*": "V18c", "CUBES": "V1 V17 V17b V17-cubes",
	} {
		list, err := Find(Cases(), []string{name, name}, Long)
		var got []string
		for _, c := range list {
			got = append(got, c.Name)
		}
		if err != nil || name != "CUBES" && strings.Join(got, " ") != want || len(got) == 0 || got[0] != strings.Fields(want)[0] {
			t.Errorf("%s: %v, %v, expected %s", name, got, err, want)
		}
	}
	for name, want := range map[string]string{
		"V18x": `expected perhaps "V18`, "of": "is no case", "V99*": "is no case", "": "is no case", "v24": "v24 needs bonds, which", "V17b": "V17b is a default case, not quick",
	} {
		if list, err := Find(Cases(), []string{"V1", name}, Quick); !errors.Is(err, scene.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, expected %q", name, list, err, want)
		}
	}
	for name := range absent {
		if slices.ContainsFunc(Cases(), func(c *Case) bool { return number(c.Name) == number(name) }) {
			t.Errorf("%s is in this release", name)
		}
	}
}

// TestReportsCasesThatCannotBeJudged: a judge that reads rows that a run has not, or that compares nothing, fails its case
// alone.
func TestReportsCasesThatCannotBeJudged(t *testing.T) {
	in := caseOf(t, "V18").inputs[:1]
	short := &Case{Name: "V90", What: "short", Source: "none", inputs: in, judge: func(j *judge) {
		c := j.history(0, "step")[0]
		j.near("last", "", c[len(c)+8], 1, 1)
	}}
	empty := &Case{Name: "V91", What: "empty", Source: "none", inputs: in, judge: func(*judge) {}}
	told := &Case{Name: "V92", What: "told", Source: "none", inputs: in, judge: func(j *judge) { j.report("a", "", 1, "2") }}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	list, err := Run(t.Context(), []*Case{short, empty, told, caseOf(t, "V9")}, Options{})
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	for i, want := range []string{"the run does not show what the case measures: ", "nothing was compared", "", ""} {
		if verdict := []Verdict{Fail, Fail, Reported, NotRun}[i]; list[i].Verdict != verdict || !strings.HasPrefix(list[i].Error, want) || want == "" && list[i].Error != "" {
			t.Errorf("%s ends with %s, %q; expected %s, %q", list[i].Name, list[i].Verdict, list[i].Error, verdict, want)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v, %v stay", left, err)
	}
}

// TestWrongSets: a value that no scene takes is refused before a run, and a case that does not take it runs without it.
func TestWrongSets(t *testing.T) {
	slide, cubes := caseOf(t, "V16c"), caseOf(t, "V1")
	for set, cases := range map[string][]*Case{"law.frition=1": {slide, cubes}, "abc": {slide}, "law.friction=1": {cubes}} {
		list, err := Run(t.Context(), cases, Options{Sets: []string{set}, Done: func(o *Outcome) { t.Errorf("%s: %s has run", set, o.Name) }})
		if !errors.Is(err, scene.ErrInput) || list != nil || !strings.Contains(err.Error(), "--set") {
			t.Errorf("%s: %v, %v", set, list, err)
		}
	}
	list, err := Run(t.Context(), []*Case{slide, cubes}, Options{Sets: []string{"law.friction=0.25"}})
	if err != nil || len(list[0].Sets) != 1 || list[1].Sets != nil || list[1].Verdict != Pass {
		t.Errorf("%v, %+v", err, list)
	}
	if out := outcomeOf(t, caseOf(t, "V30"), Options{Sets: []string{"time.dt=1"}}); out.Verdict != Fail || strings.Count(out.Error, "stable limit") != 1 {
		t.Errorf("an error of several runs is told as %q", out.Error)
	}
}

// TestReports writes reports with a failed check and a plot.
func TestReports(t *testing.T) {
	j := &judge{}
	j.near("a", "m", 1.1, 1, 0.01)
	j.within("b", "", math.NaN(), 0, 1)
	j.plot("plot", "x", "y", []float64{0, 1}, []float64{0, 1}, func(x float64) float64 { return x * x })
	c := &Case{Name: "V0", What: "a < b", Source: "none", inputs: []input{{file: "slope.toml"}}}
	out := &Outcome{Case: c, Checks: j.checks, Plots: j.plots, Sets: []string{"law.friction=0.2"}}
	out.conclude()
	dir := t.TempDir()
	for range 2 {
		if err := Write(dir, []string{"on < a day", "scenes are changed"}, []*Outcome{out}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][]string{
		HTMLName: {"a &lt; b", "<svg", `class="fail"`, "1.1 m", "scree run V0/slope.toml -o V0/run-1 --set law.friction=0.2", "on &lt; a day", `fail">scenes are changed`, `name="viewport"`},
		CSVName:  {"verdict,sets\n", "V0,a < b,none,quick,a,1 m,1.1 m,0.01 relative,fail,law.friction=0.2\n", "b,0,NaN,1,fail"},
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
	out.Sets = nil
	if err := Write(dir, []string{"how"}, []*Outcome{out}); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, CSVName)); err != nil || strings.Contains(string(text), "sets") {
		t.Errorf("%v, %s has sets:\n%s", err, CSVName, text)
	}
	for _, name := range []string{HTMLName, CSVName, "input"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if name == "input" {
			path = filepath.Join(dir, "V1", caseOf(t, "V1").inputs[0].file)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("mine"), 0o666)); err != nil {
			t.Fatal(err)
		}
		_, err := Run(t.Context(), []*Case{caseOf(t, "V1")}, Options{Dir: dir})
		if text, _ := os.ReadFile(path); !errors.Is(err, scene.ErrInput) || !strings.Contains(err.Error(), path) || string(text) != "mine" {
			t.Errorf("%s: %v, and the file is %q", name, err, text)
		}
	}
}
