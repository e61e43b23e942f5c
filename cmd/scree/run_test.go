package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/scene"
)

// summaryJSON holds the parts of a summary that the tests check.
type summaryJSON struct {
	Version     string   `json:"version"`
	Scene       string   `json:"scene"`
	Steps       int64    `json:"steps"`
	Bodies      int      `json:"bodies"`
	Workers     int      `json:"workers"`
	StateHash   string   `json:"state_hash"`
	Interrupted bool     `json:"interrupted"`
	Error       string   `json:"error"`
	Warnings    []string `json:"warnings"`
}

func TestRun(t *testing.T) {
	path := write(t, "small.toml", small(""))
	t.Chdir(t.TempDir())
	r := call("run", path, "--json", "--workers", "1")
	r.wants(t, 0)
	s := decode[summaryJSON](t, r.out)
	if s.Bodies != 8 || s.Steps != 100 || s.Workers != 1 || len(s.StateHash) != 16 || s.Interrupted || !strings.HasPrefix(s.Version, release) {
		t.Errorf("summary %+v", s)
	}
	if file := decode[summaryJSON](t, read(t, "small.out", "summary.json")); file.StateHash != s.StateHash || file.Steps != s.Steps {
		t.Errorf("summary.json has %+v, standard output %+v", file, s)
	}
	readable(t, "small.out")

	r = call("run", path, "-o", "other", "--steps", "40", "--workers", "2")
	r.wants(t, 0)
	for _, want := range []string{"8, walls 1, pieces 9", "40 of 0.0001 s", "state hash", filepath.Join("other", "series.pvd"), "ParaView"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("standard output lacks %q:\n%s", want, r.out)
		}
	}
	if _, err := os.Stat("other/summary.json"); err != nil {
		t.Error(err)
	}
}

// readable checks that every file in the folder of a run is complete: all frames of the series
// exist and are XML, and the tables end with a complete row.
func readable(t *testing.T, dir string) {
	t.Helper()
	var series struct {
		Sets []struct {
			File string `xml:"file,attr"`
		} `xml:"Collection>DataSet"`
	}
	if err := xml.Unmarshal([]byte(read(t, dir, "series.pvd")), &series); err != nil {
		t.Errorf("series.pvd: %v", err)
	}
	if len(series.Sets) == 0 {
		t.Error("series.pvd names no frames")
	}
	for _, s := range series.Sets {
		head, _, _ := strings.Cut(read(t, dir, s.File), "<AppendedData")
		if !strings.Contains(head, "<VTKFile") || !strings.HasSuffix(strings.TrimSpace(read(t, dir, s.File)), "</VTKFile>") {
			t.Errorf("frame %s is not whole", s.File)
		}
	}
	for _, table := range []string{"history.csv", "states.csv"} {
		text := read(t, dir, table)
		lines := strings.Split(text, "\n")
		if len(lines) < 3 || lines[len(lines)-1] != "" {
			t.Errorf("%s has %d lines and ends with %q", table, len(lines), lines[len(lines)-1])
		}
		for i, l := range lines[:len(lines)-1] {
			if strings.Count(l, ",") != strings.Count(lines[0], ",") {
				t.Errorf("%s, line %d: %q", table, i+1, l)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files left: %v %v", left, err)
	}
}

// TestRunWithoutFrames: the summary of a run names series.pvd only if it lists frames.
func TestRunWithoutFrames(t *testing.T) {
	for _, every := range []string{"0", "50"} {
		scene := write(t, "scene.toml", strings.Replace(small(""), "every = 50", "every = "+every, 1))
		r := call("run", scene, "-q", "--steps", "50", "-o", filepath.Join(t.TempDir(), "out"))
		r.wants(t, 0)
		if named := strings.Contains(r.out, "series.pvd"); named != (every == "50") {
			t.Errorf("every = %s: the summary is\n%s", every, r.out)
		}
	}
}

// TestRunHash: the state hash is the same with any number of workers, with a given backend, and
// after a restart.
func TestRunHash(t *testing.T) {
	path := write(t, "small.toml", small("", "checkpoint_every = 50"))
	dir := t.TempDir()
	hash := ""
	for i, args := range [][]string{
		{"--workers", "1"}, {"--workers", "2"}, {"--backend", "generic"},
		{"--restart", filepath.Join(dir, "0", "checkpoint-00000050.scree")},
	} {
		r := call(append([]string{"run", path, "--json", "-o", filepath.Join(dir, fmt.Sprint(i))}, args...)...)
		r.wants(t, 0)
		s := decode[summaryJSON](t, r.out)
		if hash == "" {
			hash = s.StateHash
		}
		if s.StateHash != hash || s.Steps != 100 {
			t.Errorf("%v: hash %s after %d steps, expected %s", args, s.StateHash, s.Steps, hash)
		}
	}
}

// TestRunStandardInput reads the scene from a pipe. A mesh is found in the current folder, and the
// run equals that of the same scene in a file.
func TestRunStandardInput(t *testing.T) {
	text := strings.Replace(small(""), `builtin = "box:0.1x0.1x0.1"`, "file = \"cube.obj\"\nscale = 0.1", 1)
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"cube.obj": cubeOBJ(nil), "file.toml": text} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := callWith(text, "run", "-", "--json", "--quiet")
	r.wants(t, 0)
	readable(t, "stdin.out")
	s := decode[summaryJSON](t, r.out)
	r = call("run", "file.toml", "--json", "--quiet")
	r.wants(t, 0)
	if file := decode[summaryJSON](t, r.out); file.StateHash != s.StateHash || s.Scene != "stdin" || s.Steps != 100 {
		t.Errorf("from standard input %+v, from a file %+v", s, file)
	}
	r = callWith(strings.Replace(text, "density = 2600", "density = -1", 1), "run", "-", "-o", "other")
	r.wantsOneLine(t, 2, "standard input:7", "-1", "> 0")
	if _, err := os.Stat("other"); err == nil {
		t.Error("the folder was made")
	}
}

// TestRunBadScene tests each kind of invalid scene: status 2; one line with file, line or key,
// value and what was expected; and no folder.
func TestRunBadScene(t *testing.T) {
	for _, c := range []struct {
		name, from, to string // replacement in the scene small
		want           []string
	}{
		{"misspelt key", "stiffness =", "stifness =", []string{"scene.toml:22", "stifness", `"stiffness"`}},
		{"negative density", "density = 2600", "density = -2600", []string{"scene.toml:7", "-2600", "> 0"}},
		{"zero step", "dt = 1e-4", "dt = 0.0", []string{"scene.toml:4", "dt", "0", "> 0"}},
		{"step not stable", "dt = 1e-4", "dt = 1.0", []string{"scene.toml:4: time.dt: ", "1 s", "the stable limit"}},
		{"not a number", "dt = 1e-4", "dt = nan", []string{"scene.toml:4", "nan", "finite"}},
		{"missing mesh", `builtin = "box:0.1x0.1x0.1"`, `file = "no-such.obj"`, []string{"scene.toml:9", "no-such.obj"}},
		{"unknown shape", `shapes = ["cube"]`, `shapes = ["cub"]`, []string{"scene.toml:13", "cub", "cube"}},
		{"not TOML", "[time]", "[time", []string{"scene.toml:3"}},
		{"not in this release", `generator = "grid"`, "lineardamping = 1\ngenerator = \"grid\"", []string{"lineardamping", "not available in this release"}},
		{"periodic", "seed = 3", "[periodic]\nx = 1", []string{"periodic", "expected [domain]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := small("")
			if !strings.Contains(text, c.from) {
				t.Fatalf("the scene has no %q", c.from)
			}
			path := write(t, "scene.toml", strings.Replace(text, c.from, c.to, 1))
			out := filepath.Join(t.TempDir(), "out")
			r := call("run", path, "-o", out)
			r.wantsOneLine(t, 2, c.want...)
			if r.out != "" {
				t.Errorf("standard output %q", r.out)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("the folder was made")
			}
		})
	}
}

// TestEmptyTexts: an empty option or name is rejected, because it is probably a variable that is
// not set.
func TestEmptyTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	scene := write(t, "scene.toml", small(""))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", scene, "-o", ""}, "scree: -o is empty, expected DIR, as in: scree run examples/drop.toml -o /tmp/drop\n"},
		{[]string{"run", scene, "--output="}, "scree: -o is empty, expected DIR, as in: scree run "},
		{[]string{"run", scene, "--restart", ""}, "scree: --restart is empty, expected FILE, as in: scree run "},
		{[]string{"run", scene, "--backend", ""}, "scree: --backend is empty, expected NAME, as in: scree run "},
		{[]string{"run", ""}, "scree: the name of the scene is empty, expected one scene file, as in: scree run "},
		{[]string{"pairs", "--pairs", "x", "-o", ""}, "scree: -o is empty, expected FILE, as in: scree pairs "},
		{[]string{"pairs", "--pairs", ""}, "scree: --pairs is empty, expected P.csv, as in: scree pairs "},
		{[]string{"shape", "make", "box:1x1x1", "-o", ""}, "scree: -o is empty, expected FILE, as in: scree shape make "},
		{[]string{"shape", "hull", "x.obj", "-o", ""}, "scree: -o is empty, expected FILE, as in: scree shape hull "},
		{[]string{"bench", "step", "-o", ""}, "scree: -o is empty, expected DIR, as in: scree bench step "},
		{[]string{"bench", "step", "--settled", ""}, "scree: --settled is empty, expected FILE, as in: scree bench step "},
		{[]string{"bench", "narrow", "--method", ""}, "scree: --method is empty, expected NAMES, as in: scree bench narrow "},
		{[]string{"bench", "narrow", "--method", "sat,"}, "scree: --method is empty, expected NAMES, as in: scree bench narrow "},
		{[]string{"pairs", "--pairs", "x", "--shapes", ""}, "scree: --shapes is empty, expected PATH, as in: scree pairs "},
	} {
		r := call(c.args...)
		r.wantsOneLine(t, 2, c.want)
		if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
			t.Fatalf("%q wrote %v, %v", c.args, files, err)
		}
	}
}

// TestMessagesHaveNoControlCharacters: control characters in a name are escaped, because a terminal
// would act on them.
func TestMessagesHaveNoControlCharacters(t *testing.T) {
	bad := "no\x1b[2J\x07\x7f\u0085such\nfile"
	for _, args := range [][]string{
		{"run", bad + ".toml"}, {"run", "-", "--restart", bad}, {"pairs", "--pairs", bad}, {"pairs", "--shapes", bad, "--pairs", os.DevNull},
		{"shape", "info", bad + ".obj"}, {"shape", "info", "box:" + bad}, {"bench", "step", "--settled", bad}, {bad},
	} {
		r := callWith(small(""), args...)
		if r.wants(t, 2); strings.ContainsAny(strings.ReplaceAll(r.err, "\n", ""), "\x1b\x07\x7f\u0085") {
			t.Errorf("%q: standard error %q", args, r.err)
		}
	}
}

// TestRunBadMesh: the error names the mesh of a body that cannot be used.
func TestRunBadMesh(t *testing.T) {
	path := write(t, "scene.toml", strings.Replace(small(""), `builtin = "box:0.1x0.1x0.1"`, `file = "open.obj"`, 1))
	open := cubeOBJ(nil, "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "open.obj"), []byte(open), 0o666); err != nil {
		t.Fatal(err)
	}
	call("run", path, "-o", t.TempDir()).wantsOneLine(t, 2, "scene.toml:9", "open", "not closed",
		"from vertex 4 to 2 is in face 1 only") // numbered as in the file, from 1
}

func TestRunCommandLine(t *testing.T) {
	path := write(t, "small.toml", small(""))
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no scene", nil, []string{"one scene file"}},
		{"two scenes", []string{path, path}, []string{"2 arguments"}},
		{"missing scene", []string{"no-such.toml"}, []string{"no-such.toml"}},
		{"nothing on standard input", []string{"-"}, []string{"standard input", "time.dt"}},
		{"standard output", []string{path, "-o", "-"}, []string{"folder"}},
		{"no steps", []string{path, "--steps", "0"}, []string{"--steps", "0", "at least 1"}},
		{"steps not a number", []string{path, "--steps", "many"}, []string{`--steps is "many", expected a whole number;`, "scree help run"}},
		{"steps beyond 64 bits", []string{path, "--steps", "9223372036854775808"}, []string{`--steps is "9223372036854775808", expected a whole number of 64 bits;`}},
		{"unknown option", []string{path, "--method", "sat"}, []string{"--method", "scree help run"}},
		{"workers", []string{path, "--workers", "-3"}, []string{"--workers", "-3"}},
		{"backend", []string{path, "--backend", "mmx"}, []string{"mmx", "generic"}},
		{"missing checkpoint", []string{path, "--restart", "no-such.scree"}, []string{"no-such.scree"}},
		{"folder is a file", []string{path, "-o", filepath.Join(path, "x")}, []string{path}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			call(append([]string{"run"}, c.args...)...).wantsOneLine(t, 2, c.want...)
		})
	}
}

// TestRunDeep starts two bodies inside each other. The run warns of them by name and continues.
func TestRunDeep(t *testing.T) {
	path := write(t, "deep.toml", small("", `
[[bodies]]
shape = "cube"
name = "left"
position = [1, 0, 0.05]
[[bodies]]
shape = "cube"
name = "right"
position = [1.05, 0, 0.05]`))
	out := t.TempDir()
	r := call("run", path, "-o", out, "--json", "--quiet")
	r.wants(t, 0, "warning", "body 8 (left)", "body 9 (right)", "0.05 m inside each other")
	if s := decode[summaryJSON](t, r.out); s.Steps != 100 || len(s.Warnings) != 2 || !strings.Contains(s.Warnings[1], "overlap by a thickness") {
		t.Errorf("summary %+v", s)
	}
	readable(t, out)
}

func TestRunBadCheckpoint(t *testing.T) {
	path := write(t, "small.toml", small("", "checkpoint_every = 50"))
	dir := t.TempDir()
	call("run", path, "-o", dir, "--quiet").wants(t, 0)
	whole := read(t, dir, "checkpoint-00000050.scree")
	spoilt := []byte(whole)
	spoilt[len(spoilt)/2] ^= 1
	other := write(t, "other.toml", strings.Replace(small(""), "friction = 0.5", "friction = 0.4", 1))
	good := filepath.Join(dir, "checkpoint-00000050.scree")
	for _, c := range []struct {
		name, scene, file string
		want              []string
	}{
		{"truncated", path, write(t, "short.scree", whole[:len(whole)-100]), []string{"short.scree", "truncated"}},
		{"damaged", path, write(t, "spoilt.scree", string(spoilt)), []string{"spoilt.scree", "damaged"}},
		{"not a checkpoint", path, write(t, "mesh.scree", cubeOBJ(nil)), []string{"mesh.scree", "not a scree checkpoint"}},
		{"of another scene", other, good, []string{good, "another scene"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			call("run", c.scene, "-o", out, "--restart", c.file).wantsOneLine(t, 2, c.want...)
			if _, err := os.Stat(out); err == nil {
				t.Error("the folder was made")
			}
		})
	}
}

// TestSummaryTellsWhatIsNormal: the text summary shows the advised time step, the normal size of
// the account's error, and the energy created by a law without a potential.
func TestSummaryTellsWhatIsNormal(t *testing.T) {
	for _, c := range []struct {
		advised, excess float64
		has, lacks      []string
	}{
		{2e-4, 3.5, []string{"steps of 0.0002 s at most are advised", "not accounted for -0.5 J, normal up to 2 J", "made 3.5 J"}, nil},
		{0, 0, []string{"normal up to 2 J"}, []string{"advised", "potential, made"}},
	} {
		var out strings.Builder
		s := scene.Summary{DtAdvised: c.advised, Energies: scene.EnergySummary{LeftOver: -0.5, LeftOverNormal: 2, LawExcess: c.excess}}
		if err := writeSummary(&out, &s, "d", "p", false); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.has {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the summary lacks %q:\n%s", want, out.String())
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(out.String(), not) {
				t.Errorf("the summary has %q:\n%s", not, out.String())
			}
		}
	}
}

// TestRunUnderThickness: a warning about a time step that is too long states the advised step.
func TestRunUnderThickness(t *testing.T) {
	path := write(t, "thick.toml", strings.Replace(small(""), "dt = 1e-4", "dt = 2e-4", 1))
	t.Chdir(t.TempDir())
	r := call("run", path)
	r.wants(t, 0)
	if !strings.Contains(r.out, "at most are advised") || !strings.Contains(r.err, "at most 2 %") {
		t.Errorf("standard output\n%s\nerror output\n%s", r.out, r.err)
	}
}
