package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
)

// statsFolder returns a folder whose statistics one can compute by hand.
func statsFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"history.csv": "step,time,x,flat\n0,0,1,5\n1,1,3,5\n2,2,2,5\n3,3,6,5\n",
		"states.csv":  "id,name,step,time,vz\n0,\"a,b\",0,0,-1\n1,,0,0,1\n0,\"a,b\",3,3,2\n1,,3,3,4\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	series, err := fileio.NewSeries(dir)
	if err != nil {
		t.Fatal(err)
	}
	for step, name := range []string{"contacts-000000.vtp", "contacts-000001.vtp"} {
		d := &fileio.PolyData{
			Points: make([]float64, 6), Time: float64(step),
			PointData: []fileio.Field{
				{Name: "normal", Components: 3, Floats: []float64{0, 0, 1, 1, 0, 0}},
				{Name: "force", Components: 3, Floats: []float64{3, 0, -4 * float64(step), -1, 0, 0}},
			},
		}
		if err := fileio.WriteVTP(t.Context(), filepath.Join(dir, name), d); err != nil {
			t.Fatal(err)
		}
		if err := series.Add(fileio.SeriesFrame{Time: float64(step), Part: "contacts", File: name}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestStats compares statistics with those computed by hand.
func TestStats(t *testing.T) {
	dir := statsFolder(t)
	for _, c := range []struct{ args, want string }{
		// x: the squares of −2, 0, −1, 3 sum to 14, over 3; the slope is 7/5.
		{"--column x", "x,4,3,2.160246899469287,1,1.75,2.5,3.75,6,1.4\n"},
		{"--column flat,time", "flat,4,5,0,5,5,5,5,5,0\ntime,4,1.5,1.2909944487358056,0,0.75,1.5,2.25,3,1\n"},
		{"--column x --from 1 --to 2", "x,2,2.5,0.7071067811865476,2,2.25,2.5,2.75,3,-1\n"},
		{"--column x --to 0", "x,1,1,,1,1,1,1,1,\n"},
		// vz: the squares of −2.5, −0.5, 0.5, 2.5 sum to 13, over 3; the means 0 and 3 lie 3 s apart.
		{"--column states.vz", "states.vz,4,1.5,2.0816659994661326,-1,0.5,1.5,2.5,4,1\n"},
		{"--column contacts.force,contacts.normal_force", "contacts.force,2,3,2.8284271247461903,1,2,3,4,5,\ncontacts.normal_force,2,2.5,2.1213203435596424,1,1.75,2.5,3.25,4,\n"},
		{"--column x --frame 0", "x,4,3,2.160246899469287,1,1.75,2.5,3.75,6,1.4\ncontacts.force,2,2,1.4142135623730951,1,1.5,2,2.5,3,\n" +
			"contacts.normal_force,2,0.5,0.7071067811865476,0,0.25,0.5,0.75,1,\n"},
	} {
		r := call(append([]string{"stats", dir, "--csv"}, strings.Fields(c.args)...)...)
		r.wants(t, statusDone)
		if want := "column,number,mean,deviation,min,lower_quartile,median,upper_quartile,max,slope\n" + c.want; r.out != want {
			t.Errorf("%s:\n%s, expected\n%s", c.args, r.out, want)
		}
	}
	all := call("stats", dir, "--json")
	all.wants(t, statusDone)
	rows := decode[[]map[string]any](t, all.out)
	x := map[string]any{
		"column": "x", "number": 4.0, "mean": 3.0, "deviation": 2.16024689947, "min": 1.0, "lower_quartile": 1.75, "median": 2.5,
		"upper_quartile": 3.75, "max": 6.0, "slope": 1.4,
	}
	if len(rows) != 6 || !maps.Equal(rows[2], x) || rows[4]["column"] != "contacts.force" || rows[4]["slope"] != nil {
		t.Errorf("%v, expected %v", rows, x)
	}
	if text := call("stats", dir, "--column", "x,contacts.force"); !strings.Contains(text.out, "\ncontacts.force  2       3     2.82843") {
		t.Errorf("the table is\n%s", text.out)
	}
}

// TestStatsRefuses checks messages and the exit status.
func TestStatsRefuses(t *testing.T) {
	dir, headed := statsFolder(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(headed, "history.csv"), []byte("step,time,x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, args, want string }{
		{filepath.Join(dir, "none"), "", "there is no folder"},
		{t.TempDir(), "", "history.csv, expected the folder of a run"},
		{dir, "--column y", `--column "y" is not in`},
		{dir, "--column states.vx", `the nearest one is "states.vz"`},
		{dir, "--column states.name", "states.csv, line 2, column name"},
		{dir, "--column x --from 4", "--from is 4 s, expected at most the last time in " + filepath.Join(dir, "history.csv") + ", 3 s"},
		{dir, "--column x --to -1", "--to is -1 s, expected at least the first time in " + filepath.Join(dir, "history.csv") + ", 0 s"},
		{dir, "--column x --from 1.2 --to 1.8", "history.csv has a time from 1.2 to 1.8 s, expected a range that holds a row between 0 and 3 s"},
		{headed, "", "history.csv has no rows"},
		{dir, "--from 2 --to 1", "--from 2 and --to 1"},
		{dir, "--csv --json", "--csv"},
		{dir, "--frame 7", "--frame is 7, expected the step of a frame"},
	} {
		call(append([]string{"stats", c.dir}, strings.Fields(c.args)...)...).wantsOneLine(t, statusInput, c.want)
	}
	if err := os.Truncate(filepath.Join(dir, "contacts-000001.vtp"), 900); err != nil {
		t.Fatal(err)
	}
	call("stats", dir).wantsOneLine(t, statusInput, "contacts-000001.vtp: the file is truncated: expected a whole frame")
}
