package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sweepRows returns the rows of sweep.csv as maps.
func sweepRows(t *testing.T, dir string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(read(t, dir, "sweep.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestSweep runs a grid in which each second run fails. The others are complete, as if run one by one, and are skipped
// when the sweep is started again.
func TestSweep(t *testing.T) {
	path, dir := write(t, "cubes.toml", small("")), filepath.Join(t.TempDir(), "sweep")
	args := []string{"sweep", path, "--set", "law.friction=0.1,0.3", "--set", "seed=1:2", "--set", `time.dt=1e-4,1`, "-o", dir, "--jobs", "2", "--quiet"}
	dry := call(append(args, "--dry")...)
	dry.wants(t, statusDone)
	if _, err := os.Stat(dir); err == nil || strings.Count(dry.out, "to run") != 8 {
		t.Errorf("--dry printed\n%sand made the folder: %v", dry.out, err == nil)
	}
	first := call(args...)
	first.wants(t, statusFailed, "law.friction=0.1,seed=1,time.dt=1: --set time.dt=1: time step 1 s, expected at most", "4 of 8 runs failed")
	rows := sweepRows(t, dir)
	if len(rows) != 8 || rows[6]["folder"] != "law.friction=0.3,seed=2,time.dt=1e-4" || rows[6]["law.friction"] != "0.3" || rows[6]["seed"] != "2" {
		t.Fatalf("%d rows, of them %v", len(rows), rows[6])
	}
	for i, r := range rows {
		if want := []string{"0", "2"}[i%2]; r["status"] != want || (r["error"] == "") != (want == "0") || (r["state_hash"] == "") != (want == "2") {
			t.Errorf("row %d: status %q, error %q, hash %q", i, r["status"], r["error"], r["state_hash"])
		}
	}
	alone := filepath.Join(t.TempDir(), "alone")
	one := call("run", path, "-o", alone, "--set", "law.friction=0.3", "--set", "seed=2", "--set", "time.dt=1e-4", "--json", "-q")
	one.wants(t, statusDone)
	s := decode[map[string]any](t, one.out)
	if rows[6]["state_hash"] != s["state_hash"] || rows[6]["steps"] != "100" || rows[6]["energies.kinetic"] == "" {
		t.Errorf("%v, expected %v", rows[6], s)
	}
	if name := "scene.toml"; read(t, alone, name) != read(t, dir, rows[6]["folder"], name) {
		t.Error("the scenes as run differ")
	}
	table := read(t, dir, "sweep.csv")
	again := call(append(args, "--json")...)
	again.wants(t, statusFailed, "4 of 8 runs failed")
	if read(t, dir, "sweep.csv") != table {
		t.Error("complete runs were made again: their times differ")
	}
	runs := decode[[]sweepRun](t, again.out)
	if !slices.ContainsFunc(runs, func(r sweepRun) bool { return r.State == runComplete && r.StateHash == s["state_hash"] }) || len(runs) != 8 {
		t.Errorf("%+v", runs)
	}
}

// TestSweepRestart starts runs of a scene that differs from one state, as scree run does one by one. A second start makes
// none of them again.
func TestSweepRestart(t *testing.T) {
	path, dir := write(t, "cubes.toml", small("")), t.TempDir()
	call("run", path, "-o", filepath.Join(dir, "first"), "-q").wants(t, statusDone)
	start := []string{path, "--set", "time.steps=150", "--restart", filepath.Join(dir, "first", "checkpoint-00000100.scree"), "--changed", "-q"}
	sweep := append([]string{"sweep", "--set", "gravity.vector=[0,0,-1.6],[3,0,-9]", "-o", dir}, start...)
	call(sweep...).wants(t, statusDone)
	rows, table := sweepRows(t, dir), read(t, dir, "sweep.csv")
	for i, gravity := range []string{"[0,0,-1.6]", "[3,0,-9]"} {
		alone := call(append([]string{"run", "--set", "gravity.vector=" + gravity, "-o", t.TempDir(), "--json"}, start...)...)
		alone.wants(t, statusDone)
		if want := decode[summaryJSON](t, alone.out).StateHash; rows[i]["state_hash"] != want || rows[i]["first_step"] != "100" || rows[i]["steps"] != "150" {
			t.Errorf("row %d: %v, expected state %s after steps 100 to 150", i, rows[i], want)
		}
	}
	if rows[0]["state_hash"] == rows[1]["state_hash"] {
		t.Error("both gravities end in one state")
	}
	again := call(sweep...)
	again.wants(t, statusDone)
	if strings.Count(again.out, "complete") != 2 || read(t, dir, "sweep.csv") != table {
		t.Errorf("complete runs were made again:\n%s", again.out)
	}
}

// TestSweepRefuses checks what is refused before anything is made.
func TestSweepRefuses(t *testing.T) {
	path, dir := write(t, "cubes.toml", small("")), filepath.Join(t.TempDir(), "sweep")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no --set is given"},
		{[]string{"--set", "law.friction=0.1,x"}, `--set law.friction=x: found "x", expected a number ≥ 0`},
		{[]string{"--set", "seed=1:2", "--set", "law.frction=0.1"}, `unknown key "frction", the nearest known one is "friction"`},
		{[]string{"--set", "seed=1:20000"}, "expected a:b with at most 10000"},
		{[]string{"--set", "seed=1", "--jobs", "0"}, "--jobs is 0"},
		{[]string{"--set", "seed=1", "--jobs", "2", "--pin"}, "--pin"},
	} {
		r := call(append([]string{"sweep", path, "-o", dir}, c.args...)...)
		r.wantsOneLine(t, statusInput, c.want)
	}
	call("sweep", "-", "--set", "seed=1", "-o", dir).wantsOneLine(t, statusInput, "expected a file")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}

// TestFolderNames: names tell the values, fit into any file system, and differ in more than case.
func TestFolderNames(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct{ set, want string }{
		{"law.friction=0.3", "law.friction=0.3"},
		{"gravity.vector=[0, 0, -1.6]", "gravity.vector=0,0,-1.6"},
		{`shapes.a.builtin="box:1x1"`, "shapes.a.builtin=box_1x1"},
		{`shapes.A.builtin="box:1x1"`, "shapes.A.builtin=box_1x1-2"},
		{`shapes.a.file="../µ/a."`, "shapes.a.file=.._µ_a"},
		{"law.friction=" + strings.Repeat("1", 300), "law.friction=" + strings.Repeat("1", 187)},
		{"law.friction=" + strings.Repeat("1", 301), "law.friction=" + strings.Repeat("1", 187) + "-2"},
	} {
		want := strings.ReplaceAll(c.want, "µ", "_")
		if got := folderOf([]string{c.set}, taken); got != want {
			t.Errorf("%s: %s, expected %s", c.set, got, want)
		}
	}
}
