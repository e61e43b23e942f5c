package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/internal/require"
)

func TestInfo(t *testing.T) {
	r := call("info", "--json", "--workers", "3")
	r.wants(t, 0)
	i := decode[information](t, r.out)
	if i.Version != version() || i.Workers != 3 || i.Processor == "" || !slices.Contains(i.Backends.Available, i.Backends.Selected) {
		t.Errorf("%+v", i)
	}
	r = call("info")
	r.wants(t, 0)
	for _, want := range []string{"scree        " + release, "processor", "caches", "backends", "selected", "workers"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("standard output lacks %q:\n%s", want, r.out)
		}
	}
	call("info", "--backend", "mmx").wantsOneLine(t, 2, "mmx")
	for _, ask := range []string{"--version", "version"} {
		if v := call(ask); v.status != 0 || v.out != "scree "+version()+"\n" {
			t.Errorf("%s: %q", ask, v.out)
		}
	}
	if v := call("version", "--json"); v.out != "{\n  \"version\": \""+version()+"\"\n}\n" {
		t.Errorf("version --json: %q", v.out)
	}
}

// TestAbsent: words that are no command, option or topic are rejected with a hint.
func TestAbsent(t *testing.T) {
	for args, want := range map[string]string{
		"rnu": "\"run\"", "shape inof": "\"info\"", "bench stpe": "\"step\"", "shape": "needs a command", "bench": "needs a command",
		"help nonsense": "topics", "help scene lwa": "law", "run --jsno x": "--jsno",
		"run x --threads 2": "--workers N", "run x -v": "scree version", "run x --dt 1": "time.dt", "check x": "--check", "plot x": "scree report",
	} {
		t.Run(args, func(t *testing.T) { call(strings.Fields(args)...).wantsOneLine(t, 2, want) })
	}
}

// examples returns the examples of all commands, by command path.
func examples(c *cobra.Command) map[string]string {
	all := map[string]string{}
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "completion" {
			continue
		}
		all[sub.CommandPath()] = sub.Example
		for path, text := range examples(sub) {
			all[path] = text
		}
	}
	return all
}

// TestExamples runs the example of every command and topic in a shell at the root of the
// repository. scree is the program built for this test.
func TestExamples(t *testing.T) {
	shell, err := exec.LookPath("sh")
	require.Tool(t, err == nil, "needs sh")
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}
	all := examples(a.root())
	for _, name := range topics() {
		text, _ := topic(name)
		_, example, ok := strings.Cut(text, "\nExample")
		if _, example, _ = strings.Cut(example, "\n"); !ok {
			t.Errorf("topic %s has no example", name)
		}
		all["topic "+name] = example
	}
	bin := filepath.Dir(built(t))
	done := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		example := strings.TrimSpace(all[path])
		if done[example] || path == "scree view" {
			continue // A command and its topic may have the same example; a server does not end.
		}
		done[example] = true
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if example == "" {
				t.Fatal("no example")
			}
			dir := t.TempDir()
			cmd := exec.Command(shell, "-c", strings.ReplaceAll(example, "/tmp/", dir+"/"))
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			text, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v:\n%s\n%s", err, example, text)
			}
			if len(text) == 0 {
				t.Errorf("%s says nothing", example)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	r := call("help")
	r.wants(t, 0)
	for _, want := range []string{"run ", "shape ", "bench ", "verify ", "info ", "completion ", "Topics: bench, examples, exit-status, inside, law, neighbors, output, pairs, run, scene, shapes, units, verify"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("help lacks %q:\n%s", want, r.out)
		}
	}
	for args, want := range map[string]string{
		"help run": "--restart FILE", "help verify": "--quick", "help scene": "[[counts]]", "help scene law": "tangential_damping    (N·s/m; ≥ 0; default 0) linear: ", "help scene walls": "[walls.plane]", "help bench step": "--settled FILE", "help exit-status": "130",
		"help shape info": "superquadric", "run --help": "--steps N", "help output": "series.pvd", "help shapes": "box:AxBxC", "help inside": "winding number", "help law": "restitution", "help units": "m/s²", "help examples": "wall.toml",
	} {
		if r := call(strings.Fields(args)...); r.status != 0 || !strings.Contains(r.out, want) {
			t.Errorf("%s: status %d, expected %q in\n%s", args, r.status, want, r.out)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := call("completion", shell); r.status != 0 || !strings.Contains(r.out, "scree") {
			t.Errorf("completion %s: status %d", shell, r.status)
		}
	}
}

// TestExamplesTopic: the topic has a line for each example.
func TestExamplesTopic(t *testing.T) {
	text, _ := topic("examples")
	scenes, err := filepath.Glob("../../examples/*.toml")
	if err != nil || len(scenes) < 10 {
		t.Fatalf("%d examples, %v", len(scenes), err)
	}
	for _, path := range scenes {
		if strings.Count(text, "\n  "+filepath.Base(path)+"  ") != 1 {
			t.Errorf("the topic has no line of its own for %s", path)
		}
	}
	if n := strings.Count(text, ".toml   "); n != len(scenes) {
		t.Errorf("the topic has lines for %d scenes, expected %d", n, len(scenes))
	}
}

const pile = "../../bench/testdata/hulls200.txt.gz"

func TestBenchStep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	profile := filepath.Join(t.TempDir(), "cpu.out")
	r := call("bench", "step", "--settled", pile, "--steps", "20", "--json", "-o", dir, "--check", "--cpuprofile", profile)
	r.wants(t, 0)
	s := decode[reportOf[bench.StepRow]](t, r.out)
	if len(s.Rows) != 1 || s.Machine.Version != version() || s.Machine.Processor == "" {
		t.Fatalf("%+v", s)
	}
	row := s.Rows[0]
	if row.Scene != "hulls200" || row.Bodies != 200 || row.Steps != 20 || row.Workers != 1 || row.Checked != "yes" || len(row.Checksum) != 16 {
		t.Errorf("row %+v", row)
	}
	if read(t, dir, "step.json") != r.out {
		t.Error("step.json is not what standard output has")
	}
	csv := strings.Split(read(t, dir, "step.csv"), "\n")
	if len(csv) != 3 || !strings.HasPrefix(csv[0], "scene,bodies,") || !strings.HasPrefix(csv[1], "hulls200,200,") {
		t.Errorf("step.csv has %q", csv)
	}
	if stat, err := os.Stat(profile); err != nil || stat.Size() == 0 {
		t.Errorf("profile: %v", err)
	}
	again := call("bench", "step", "--settled", pile, "--steps", "20", "--workers", "2")
	again.wants(t, 0)
	for _, want := range []string{"touching_first", "ns_touching", "Mbody_steps_s", "hulls200", row.Checksum} {
		if !strings.Contains(again.out, want) {
			t.Errorf("table lacks %q:\n%s", want, again.out)
		}
	}
}

// TestBenchStepRest: a warning appears if no body moved far enough for a search.
func TestBenchStepRest(t *testing.T) {
	r := call("bench", "step", "--settled", pile, "--steps", "5", "--skin", "0.1", "--quiet")
	r.wantsRow(t, "warning", "hulls200", "no search")
}

// wantsRow checks that there is a table, and one line on standard error.
func (r result) wantsRow(t *testing.T, texts ...string) {
	t.Helper()
	if !strings.Contains(r.out, "checksum") {
		t.Errorf("standard output is no table: %q", r.out)
	}
	r.out = ""
	r.wantsOneLine(t, 0, texts...)
}

func TestBenchBad(t *testing.T) {
	short := write(t, "short.txt", "shapes 1\n8 1 0.5 0.5 0.5\n")
	flat := write(t, "flat.txt", "shapes 1\n4 0 1 1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\nstatic 0\nbodies 1\n0 0 0 0 1 0 0 0\n")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no scene", []string{"step"}, []string{"--settled"}},
		{"missing scene", []string{"step", "--settled", "no-such.txt"}, []string{"no-such.txt"}},
		{"truncated", []string{"step", "--settled", short}, []string{"short.txt, line 2", "truncated"}},
		{"flat shape", []string{"step", "--settled", flat}, []string{"flat", "shape 0"}},
		{"steps", []string{"step", "--settled", pile, "--steps", "0"}, []string{"--steps", "0"}},
		{"step", []string{"step", "--settled", pile, "--dt", "-1"}, []string{"--dt", "-1"}},
		{"unstable", []string{"step", "--settled", pile, "--dt", "1"}, []string{"1 s", "stable"}},
		{"stiffness", []string{"step", "--settled", pile, "--stiffness", "0"}, []string{"--stiffness", "0"}},
		{"repeat", []string{"step", "--settled", pile, "--repeat", "0"}, []string{"--repeat"}},
		{"argument", []string{"step", pile}, []string{"1 argument,"}},
		{"no file", []string{"settle", "--shape", "cube"}, []string{"-o"}},
		{"shape", []string{"settle", "--shape", "ball", "-o", "x"}, []string{"ball", "hull:N"}},
		{"bodies", []string{"settle", "--bodies", "0", "-o", "x"}, []string{"--bodies is 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			call(append([]string{"bench"}, c.args...)...).wantsOneLine(t, 2, c.want...)
		})
	}
}

func TestBenchSettle(t *testing.T) {
	out := filepath.Join(t.TempDir(), "pile.txt.gz")
	r := call("bench", "settle", "--shape", "cube", "--bodies", "3", "--seed", "5", "--speed", "0.1", "-o", out, "--json")
	r.wants(t, 0)
	if v := decode[map[string]any](t, r.out); v["bodies"] != 3.0 || v["file"] != out {
		t.Errorf("%v", v)
	}
	first := read(t, out)
	call("bench", "settle", "--shape", "cube", "--bodies", "3", "--seed", "5", "--speed", "0.1", "-o", out, "--workers", "1").wants(t, 0)
	if read(t, out) != first {
		t.Error("the same options gave another file")
	}
	call("bench", "step", "--settled", out, "--steps", "3", "--check").wants(t, 0)
	call("bench", "settle", "--bodies", "3", "--time", "0.001", "-o", out).wantsOneLine(t, 1, "not come to rest")
	if read(t, out) != first {
		t.Error("a failure has changed the file")
	}
}

// fullDisk refuses every write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestHelpThatIsNotWritten shows that a help text that cannot be written is a failure.
func TestHelpThatIsNotWritten(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}, {"help", "run"}, {"shape", "info", "-h"}, {}} {
		var errs bytes.Buffer
		status := Main(args, strings.NewReader(""), fullDisk{}, &errs)
		result{status: status, err: errs.String()}.wantsOneLine(t, 1, syscall.ENOSPC.Error())
	}
}
