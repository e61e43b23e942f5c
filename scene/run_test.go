package scene

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
)

// listener records the calls of a Reporter.
type listener struct {
	steps    int64
	warnings []string
	done     int
}

func (l *listener) Start(n int64)      { l.steps = n }
func (l *listener) Step(int64, string) {}
func (l *listener) Warn(text string)   { l.warnings = append(l.warnings, text) }
func (l *listener) Done()              { l.done++ }

// run runs a scene in a folder. An error fails the test.
func run(t *testing.T, s *Scene, o Options) *Summary {
	t.Helper()
	if o.Workers == 0 {
		o.Workers = 1 // Nine bodies are too few for two workers.
	}
	sum, err := Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// readTable returns the rows of a CSV file by column name.
func readTable(t *testing.T, path string) []map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		t.Errorf("%s ends within a row", path)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = r[i]
		}
		out = append(out, m)
	}
	return out
}

// column returns one column of a table.
func column(rows []map[string]string, name string) []string {
	var v []string
	for _, r := range rows {
		v = append(v, r[name])
	}
	return v
}

// listed returns the files listed in series.pvd, each of which must be a VTP file.
func listed(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, fileio.SeriesName))
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Sets []struct {
			File string `xml:"file,attr"`
		} `xml:"Collection>DataSet"`
	}
	if err := xml.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range f.Sets {
		frame, err := os.ReadFile(filepath.Join(dir, s.File))
		if err != nil {
			t.Error(err)
		}
		if !bytes.HasSuffix(bytes.TrimSpace(frame), []byte("</VTKFile>")) {
			t.Errorf("%s is not complete", s.File)
		}
		names = append(names, s.File)
	}
	return names
}

func TestRunWritesEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out", "deep")
	l := &listener{}
	sum := run(t, load(t, replaced(t, "[law]", "[law]\nnormal = \"linear\"")), Options{Dir: dir, Workers: 2, Report: l, Version: "v0"})
	if sum.Steps != 300 || sum.Bodies != 9 || sum.Walls != 1 || sum.Pieces != 10 || sum.Workers != 2 || sum.Seed != 3 ||
		sum.Version != "v0" || sum.Scene != "scene" || sum.Interrupted || sum.Backend == "" || len(sum.StateHash) != 16 {
		t.Errorf("summary %+v", sum)
	}
	if l.steps != 300 || l.done != 1 {
		t.Errorf("reporter heard of %d steps and %d ends, expected 300 and 1", l.steps, l.done)
	}
	history := readTable(t, filepath.Join(dir, "history.csv"))
	if got := column(history, "step"); !slices.Equal(got, []string{"0", "50", "100", "150", "200", "250", "300"}) {
		t.Errorf("history has the steps %v", got)
	}
	states := readTable(t, filepath.Join(dir, "states.csv"))
	if len(states) != 27 || states[8]["name"] != "one" || states[0]["name"] != "heap-0" || states[9]["step"] != "150" {
		t.Errorf("states has %d rows, from %v", len(states), states[0])
	}
	if got := states[8]; got["x"] != "0" || got["z"] != "0.9" || got["vz"] != "-1" || got["qw"] != "1" || got["cz"] != "0.9" {
		t.Errorf("the body of the file starts as %v", got)
	}
	want := []string{"bodies-000000.vtp", "contacts-000000.vtp", "walls-000000.vtp"}
	got := listed(t, dir)
	if len(got) != 12 || !slices.Equal(got[:3], want) || got[5] != "walls-000000.vtp" || got[9] != "bodies-000300.vtp" {
		t.Errorf("series lists %v", got)
	}
	var back Summary
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	if back.StateHash != sum.StateHash || back.Counts["low"] != sum.Counts["low"] || back.Counts["low"] == 0 {
		t.Errorf("summary.json says %+v, Run returned %+v", back, sum)
	}
	if last := history[len(history)-1]; last["counts_low"] != strconv.Itoa(sum.Counts["low"]) {
		t.Errorf("history counts %s, the summary %d", last["counts_low"], sum.Counts["low"])
	}
	if z, _ := strconv.ParseFloat(history[6]["wall_floor_fz"], 64); !(z < 0) {
		t.Errorf("the heap pushes the floor by %g N, expected downwards", z)
	}
	if e := sum.Energies; math.Abs(e.LeftOver) > 1e-4*e.InitialPotential || math.Abs(e.LeftOver+e.LawExcess) > 0.01*e.InitialPotential ||
		!(e.LeftOverNormal > math.Abs(e.LeftOver)) || e.offBalance() != "" {
		t.Errorf("the account of energies is off: %+v", e)
	}
	if last := history[len(history)-1]; last["law_excess"] == "0" || last["kinetic_rotation"] == "0" {
		t.Errorf("the history ends with %v", last)
	}
}

// TestAccountThatIsOff: an energy account with an error ten times as large as the time step explains
// causes a warning.
func TestAccountThatIsOff(t *testing.T) {
	for _, c := range []struct {
		left float64
		warn bool
	}{{9.9, false}, {-9.9, false}, {11, true}, {-11, true}} {
		e := EnergySummary{LeftOver: c.left, LeftOverNormal: 1}
		if text := e.offBalance(); strings.Contains(text, "off by "+strconv.FormatFloat(c.left, 'g', -1, 64)) != c.warn {
			t.Errorf("off by %g J of 1 J: warning %q", c.left, text)
		}
	}
}

// TestSameBits: the number of workers, [broad] and [output] do not change the bits of a run.
func TestSameBits(t *testing.T) {
	want := ""
	for i, text := range []string{small, small, replaced(t, "[contact]", "[broad]\nskin = 0.02\n[contact]"),
		replaced(t, "every = 100\n", "every = 7\n"), "# A comment.\n" + small} {
		sum := run(t, load(t, text), Options{Dir: t.TempDir(), Workers: 1 + i%2})
		if want == "" {
			want = sum.StateHash
		}
		if sum.StateHash != want {
			t.Errorf("run %d: hash %s, expected %s", i, sum.StateHash, want)
		}
	}
	if sum := run(t, load(t, replaced(t, "seed = 3", "seed = 4")), Options{Dir: t.TempDir()}); sum.StateHash == want {
		t.Error("the seed has no effect")
	}
}

func TestRestart(t *testing.T) {
	s := load(t, replaced(t, "every = 100\n", "every = 100\ncheckpoint_every = 120\n"))
	whole := run(t, s, Options{Dir: t.TempDir()})
	dir := t.TempDir()
	run(t, s, Options{Dir: dir, Steps: 200})
	checkpoint := filepath.Join(dir, "checkpoint-00000120.scree")
	for _, c := range []struct {
		name string
		dir  string
		want []string // steps in the history
		list int      // number of frames in series.pvd
	}{
		{"new folder", t.TempDir(), []string{"120", "150", "200", "250", "300"}, 9},
		{"same folder", dir, []string{"0", "50", "100", "150", "200", "250", "300"}, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			sum := run(t, s, Options{Dir: c.dir, Restart: checkpoint})
			if sum.StateHash != whole.StateHash || sum.Steps != 300 || sum.FirstStep != 120 {
				t.Errorf("hash %s after %d steps from %d, expected %s", sum.StateHash, sum.Steps, sum.FirstStep, whole.StateHash)
			}
			if sum.WorstPenetration != whole.WorstPenetration || sum.Energies.InitialPotential != whole.Energies.InitialPotential {
				t.Errorf("restarted summary %+v differs from %+v", sum, whole)
			}
			if got := column(readTable(t, filepath.Join(c.dir, "history.csv")), "step"); !slices.Equal(got, c.want) {
				t.Errorf("history has the steps %v, expected %v", got, c.want)
			}
			if got := listed(t, c.dir); len(got) != c.list {
				t.Errorf("series lists %d files, expected %d: %v", len(got), c.list, got)
			}
		})
	}
}

func TestRestartErrors(t *testing.T) {
	s := load(t, replaced(t, "every = 100\n", "every = 0\ncheckpoint_every = 100\n"))
	dir := t.TempDir()
	run(t, s, Options{Dir: dir, Steps: 100})
	checkpoint := filepath.Join(dir, "checkpoint-00000100.scree")
	damaged := filepath.Join(dir, "damaged.scree")
	text, err := os.ReadFile(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(damaged, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, scene, file string
		steps             int64
		want              []string
	}{
		{"other stiffness", replaced(t, "stiffness = 2e5", "stiffness = 3e5"), checkpoint, 0, []string{checkpoint, "another scene", "expected"}},
		{"other time step", replaced(t, "dt = 5e-4", "dt = 4e-4"), checkpoint, 0, []string{"another scene"}},
		{"other seed", replaced(t, "seed = 3", "seed = 5"), checkpoint, 0, []string{"another scene"}},
		{"other shape", replaced(t, "ball:0.1", "ball:0.1000001"), checkpoint, 0, []string{"another scene"}},
		{"beyond the end", small, checkpoint, 99, []string{checkpoint, "step 100", "step 99 at most"}},
		{"not there", small, filepath.Join(dir, "none.scree"), 0, []string{"none.scree", "does not exist"}},
		{"no checkpoint", small, filepath.Join(dir, "history.csv"), 0, []string{"history.csv", "not a scree checkpoint"}},
		{"damaged", small, damaged, 0, []string{"damaged.scree"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			_, err := Run(context.Background(), load(t, c.scene), Options{Dir: out, Restart: c.file, Steps: c.steps})
			if !errors.Is(err, ErrInput) {
				t.Fatalf("error %v, expected an ErrInput", err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
			if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
				t.Error("the folder was made for a run that cannot begin")
			}
		})
	}
}

// countdown is a context that is cancelled after left queries. Run queries it once a step.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestInterrupted(t *testing.T) {
	s := load(t, small)
	dir := t.TempDir()
	l := &listener{}
	sum, err := Run(&countdown{context.Background(), 121}, s, Options{Dir: dir, Report: l, Workers: 1})
	if !errors.Is(err, ErrInterrupted) || errors.Is(err, ErrInput) {
		t.Fatalf("error %v, expected ErrInterrupted", err)
	}
	if !sum.Interrupted || sum.Error != "" || sum.Steps != 121 || l.done != 1 {
		t.Errorf("summary %+v", sum)
	}
	last := strconv.FormatInt(sum.Steps, 10)
	history := readTable(t, filepath.Join(dir, "history.csv"))
	if history[len(history)-1]["step"] != last {
		t.Errorf("the last row of the history is of step %s, expected %s", history[len(history)-1]["step"], last)
	}
	files := listed(t, dir)
	if !slices.Contains(files, fmt.Sprintf("bodies-%06d.vtp", sum.Steps)) {
		t.Errorf("series lists no frame of step %s: %v", last, files)
	}
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || !bytes.Contains(text, []byte(`"interrupted": true`)) {
		t.Errorf("summary.json: %v, %s", err, text)
	}
	// A restart from the checkpoint reaches the same end.
	again := run(t, s, Options{Dir: dir, Restart: filepath.Join(dir, fmt.Sprintf("checkpoint-%08d.scree", sum.Steps))})
	if whole := run(t, s, Options{Dir: t.TempDir()}); again.StateHash != whole.StateHash {
		t.Errorf("hash %s after the interruption, %s without", again.StateHash, whole.StateHash)
	}
}

// TestFolderIsCleaned: a new run removes the frames of an earlier run and nothing else.
func TestFolderIsCleaned(t *testing.T) {
	dir := t.TempDir()
	foreign := []string{"bodies-1.vtp", "bodies-000007.vtp.bak", "notes.txt", "my-bodies-000001.vtp", "checkpoint-00000700.scree"}
	stale := []string{"bodies-000007.vtp", "walls-1000000.vtp", "contacts-000007.vtp", "bodies-000100.vtp.123-4.tmp", "summary.json.55.tmp"}
	for _, name := range append(slices.Clone(foreign), stale...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, load(t, small), Options{Dir: dir, Steps: 10})
	for _, name := range foreign {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "x" {
			t.Errorf("%s was touched: %v", name, err)
		}
	}
	for _, name := range stale {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	if got := column(readTable(t, filepath.Join(dir, "history.csv")), "step"); got[len(got)-1] != "10" {
		t.Errorf("history ends at %v", got)
	}
}

func TestTimeStepIsChecked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	_, err := Run(context.Background(), load(t, replaced(t, "dt = 5e-4", "dt = 1e-1")), Options{Dir: dir})
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "scene.toml:3: time.dt") || !strings.Contains(err.Error(), "0.1") {
		t.Errorf("error %v, expected an ErrInput at time.dt", err)
	}
	l := &listener{}
	sum := run(t, load(t, replaced(t, "dt = 5e-4", "dt = 1.5e-3")), Options{Dir: dir, Steps: 1, Report: l})
	if len(sum.Warnings) != 1 || !slices.Equal(l.warnings, sum.Warnings) || !strings.Contains(sum.Warnings[0], "contact time") {
		t.Errorf("warnings %v, reported %v, expected one of the contact time", sum.Warnings, l.warnings)
	}
}

// TestOverlapIsWarnedOf: a warning names bodies that start inside each other. If one is deeper than
// an inscribed radius, the run ends with an error, unless relief is given.
func TestOverlapIsWarnedOf(t *testing.T) {
	deep := replaced(t, "position = [0, 0, 0.9]", "position = [0, 0, 0.05]")
	_, err := Run(t.Context(), load(t, deep), Options{Dir: t.TempDir()})
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "body 0 (heap-0) and body 8 (one) start 0.101 m inside each other") ||
		!strings.Contains(err.Error(), "[contact] relief = {cap = 0, time = 0.5}") {
		t.Errorf("error %v, expected one that names the bodies, and relief", err)
	}
	l := &listener{}
	sum := run(t, load(t, strings.Replace(deep, "[contact]", "[contact]\nrelief = {cap = 0, time = 0.5}", 1)), Options{Dir: t.TempDir(), Steps: 1, Report: l})
	if !slices.Equal(l.warnings, sum.Warnings) || !strings.Contains(strings.Join(sum.Warnings, "\n"), "(one)") {
		t.Errorf("warnings %v, expected one that names the body", sum.Warnings)
	}
}

// TestFullDisk: a table that cannot grow keeps its complete rows.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	tab := freshTable(t, path, []string{"step", "x"})
	tab.Int(1)
	tab.sums(0.5)
	if err := errors.Join(tab.EndRow(), tab.write()); err != nil {
		t.Fatal(err)
	}
	tab.close()
	tab.Int(2)
	tab.sums(0.25)
	if err := errors.Join(tab.EndRow(), tab.write()); err == nil {
		t.Error("a row that could not be written gave no error")
	}
	if text, _ := os.ReadFile(path); string(text) != "step,x\n1,0.5\n" {
		t.Errorf("the file holds %q", text)
	}
}

// TestFolderIsAFile: a run does not start if its folder cannot be created.
func TestFolderIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), load(t, small), Options{Dir: path}); !errors.Is(err, ErrInput) {
		t.Errorf("error %v, expected an ErrInput", err)
	}
	if _, err := Run(context.Background(), load(t, small), Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("error %v without a folder, expected an ErrInput", err)
	}
}

// TestPotential: a ball of mass m at rest at height h above a floor, between walls, starts with
// energy m·g·h.
func TestPotential(t *testing.T) {
	const text = `[time]
dt = 1e-4
steps = 40
[gravity]
vector = [0, 0, -10]
[materials.m]
density = 1000
[shapes.cube]
builtin = "box:0.2x0.2x0.2"
material = "m"
[[bodies]]
shape = "cube"
position = [0, 0, 3]
[[walls]]
plane = {point = [5, 5, 1], normal = [0, 0, 2]}
material = "m"
[[walls]]
plane = {point = [-7, 0, 0], normal = [1, 0, 0]}
material = "m"
[law]
stiffness = 1e6
[output]
checkpoint_every = 20
`
	s := load(t, text)
	dir := t.TempDir()
	for _, o := range []Options{{Dir: dir}, {Dir: dir, Restart: filepath.Join(dir, "checkpoint-00000020.scree")}} {
		sum := run(t, s, o)
		// 8 kg, 2 m above the floor, g = 10 m/s²; after 4 ms of free fall ½mv² = 4·0.04².
		if e := sum.Energies; math.Abs(e.InitialPotential-160) > 1e-7 || math.Abs(e.Potential-(160-0.0064)) > 1e-7 ||
			math.Abs(e.Kinetic-0.0064) > 1e-9 || math.Abs(e.LeftOver) > 1e-6 {
			t.Errorf("energies %+v, expected 160 J at the start", e)
		}
	}
}

// TestMovingWall: a moving wall is drawn in each frame, does work, and continues after a restart.
// The force acts where the gap is measured, so the energy account closes.
func TestMovingWall(t *testing.T) {
	text := replaced(t, "[contact]", `[[walls]]
name = "plate"
file = "square.obj"
material = "steel"
position = [0, 0, -0.05]
motion = {velocity = [0, 0, 2], amplitude = [0.01, 0, 0], frequency = 20, spin = [0, 0, 1], to = 0.1}
[contact]
location = "none"`)
	text = strings.Replace(text, "every = 100\n", "every = 100\ncheckpoint_every = 150\n", 1)
	text = strings.Replace(text, "[law]", "[law]\nnormal = \"linear\"", 1)
	s, err := Load(write(t, text, map[string]string{"square.obj": square}))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	whole := run(t, s, Options{Dir: dir})
	if got := listed(t, dir); !slices.Contains(got, "walls-000000.vtp") || !slices.Contains(got, "walls-000300.vtp") {
		t.Errorf("series lists %v, expected the plate at each time", got)
	}
	if e := whole.Energies; !(e.Walls > 0) || math.Abs(e.LeftOver) > 1e-4*e.Walls || math.Abs(e.LeftOver+e.LawExcess) > 0.01*e.InitialPotential {
		t.Errorf("energies %+v, expected that the plate lifts the heap", e)
	}
	again := run(t, s, Options{Dir: t.TempDir(), Restart: filepath.Join(dir, "checkpoint-00000150.scree")})
	if again.StateHash != whole.StateHash {
		t.Errorf("hash %s after the restart, %s without", again.StateHash, whole.StateHash)
	}
}

// TestFullLocationScene: the key reaches the world under the linear law: other bits than reduced, the same on
// any number of workers and after a restart. The thickness law does not read it, and a check warns.
func TestFullLocationScene(t *testing.T) {
	scene := func(where, normal string) *Scene {
		text := replaced(t, "[contact]", "[contact]\nlocation = \""+where+"\"")
		text = strings.Replace(text, "every = 100\n", "every = 100\ncheckpoint_every = 150\n", 1)
		return load(t, strings.Replace(text, "[law]", "[law]\nnormal = \""+normal+"\"", 1))
	}
	dir := t.TempDir()
	whole := run(t, scene("full", "linear"), Options{Dir: dir})
	if reduced := run(t, scene("reduced", "linear"), Options{Dir: t.TempDir()}); reduced.StateHash == whole.StateHash || reduced.AnsweredBy.NoOverlap != 0 {
		t.Errorf("hash %s, reduced %s", whole.StateHash, reduced.StateHash)
	}
	again := run(t, scene("full", "linear"), Options{Dir: t.TempDir(), Workers: 3, Restart: filepath.Join(dir, "checkpoint-00000150.scree")})
	if again.StateHash != whole.StateHash {
		t.Errorf("hash %s after the restart, %s without", again.StateHash, whole.StateHash)
	}
	if _, err := Run(context.Background(), scene("reduced", "linear"), Options{Dir: t.TempDir(), Restart: filepath.Join(dir, "checkpoint-00000150.scree")}); err == nil || !strings.Contains(err.Error(), "location") {
		t.Errorf("restarted with another location: %v", err)
	}
	s := scene("full", "thickness")
	if !slices.ContainsFunc(s.warnings, func(w string) bool {
		return strings.Contains(w, "contact.location") && strings.Contains(w, "has no effect")
	}) {
		t.Errorf("warnings %q, expected one of contact.location", s.warnings)
	}
}

// TestFailedRun: a run whose numbers exceed float64 fails, and summary.json has the error too.
func TestFailedRun(t *testing.T) {
	dir := t.TempDir()
	s := load(t, small)
	s.groups[1].spin.Y, s.groups[1].spin.Z = 1e250, 1e100
	sum, err := Run(context.Background(), s, Options{Dir: dir, Steps: 3, Workers: 1})
	if err == nil || errors.Is(err, ErrInput) || errors.Is(err, ErrInterrupted) {
		t.Fatalf("error %v, expected that the run failed", err)
	}
	text, readErr := os.ReadFile(filepath.Join(dir, "summary.json"))
	if readErr != nil || sum.Error == "" || !bytes.Contains(text, []byte(`"error"`)) {
		t.Errorf("summary %+v, file %s, %v", sum, text, readErr)
	}
	listed(t, dir)
}
