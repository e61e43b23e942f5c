package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const pairsHead = "shape_a,shape_b,ax,ay,az,aqw,aqx,aqy,aqz,bx,by,bz,bqw,bqx,bqy,bqz"

const examplePairs = "../../examples/pairs"

// TestPairsExample compares the output for the example table.
func TestPairsExample(t *testing.T) {
	table := filepath.Join(examplePairs, "pairs.csv")
	r := call("pairs", "--shapes", examplePairs, "--pairs", table)
	r.wants(t, 0)
	if r.err != "" {
		t.Errorf("standard error %q", r.err)
	}
	rows, err := csv.NewReader(strings.NewReader(r.out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := "row,status,gap,nx,ny,nz,x,y,z,wax,way,waz,wbx,wby,wbz,type,volume,level,message"
	if len(rows) != 10 || strings.Join(rows[0], ",") != want {
		t.Fatalf("%q", rows)
	}
	for i, want := range []string{"touching f-f search", "apart  search", "touching f-e search", "touching  walk", "touching f-f search",
		"apart  search", "apart  odometer", "touching v-f search", "touching v-f feature"} {
		if got := rows[i+1][1] + " " + rows[i+1][15] + " " + rows[i+1][17]; got != want {
			t.Errorf("row %d: %s, expected %s", i+1, got, want)
		}
	}

	// The same from standard input and into a file, with all options that do not change the result.
	out := filepath.Join(t.TempDir(), "out.csv")
	f := callWith(read(t, table), "pairs", "--shapes", filepath.Join(examplePairs, "wedge.obj"), "--pairs", "-", "-o", out, "--workers", "3",
		"--backend", "generic", "--dim", "3", "--location", "reduced", "--method", "auto", "--json")
	f.wants(t, 0)
	if read(t, out) != r.out {
		t.Errorf("the file has\n%s\nstandard output had\n%s", read(t, out), r.out)
	}
	s := decode[pairsReport](t, f.out)
	if s.Pairs != 9 || s.Status["touching"] != 6 || s.Status["apart"] != 3 || s.AnsweredBy["odometer"] != 1 || s.Types["f-f"] != 2 ||
		s.Tracks != 1 || s.Shapes != 1 || s.Workers != 3 || s.Backend != "generic" || s.NsPerPair <= 0 || s.Table != "standard input" || s.Output != out {
		t.Errorf("%s", f.out)
	}
	if all := call("pairs", "--shapes", examplePairs, "--pairs", table, "--json"); all.status != 0 || decode[pairsReport](t, all.out).Pairs != 9 {
		t.Errorf("--json alone: %q %q", all.out, all.err)
	}
	none := call("pairs", "--shapes", examplePairs, "--pairs", table, "--location", "none", "-o", "-")
	rows, err = csv.NewReader(strings.NewReader(none.out)).ReadAll()
	if err != nil || slices.ContainsFunc(rows[1:], func(r []string) bool { return r[6] != "" }) {
		t.Errorf("--location none: %v\n%s", err, none.out)
	}
	told := call("pairs", "--shapes", examplePairs, "--pairs", table, "-o", out)
	told.wantsOneLine(t, 0, "out.csv: 9 pairs, 3 apart, 6 touching, 0 without an answer")
	// The second pair of cubes shares no interior, and the third too thin a one for dual.
	thin := write(t, "thin.csv", pairsHead+"\n"+"box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,0,0,0.9,1,0,0,0\n"+
		"box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,0,0,1,1,0,0,0\nbox:1x1x1,box:1x1x1,0,0,0,1,0,0,0,0,0,0.9999999,1,0,0,0\n")
	for where, want := range map[string]string{"full": "3 touching (1 without an overlap), 0", "dual": "3 touching (2 without an overlap), 0", "reduced": "3 touching, 0"} {
		call("pairs", "--pairs", thin, "--location", where, "-o", out).wantsOneLine(t, 0, want)
	}
	if quiet := call("pairs", "--shapes", examplePairs, "--pairs", table, "-o", out, "-q"); quiet.err != "" || quiet.status != 0 {
		t.Errorf("--quiet: %q", quiet.err)
	}
}

// TestPairsBad: errors in the command line and in files are reported in one line that names the
// cause.
func TestPairsBad(t *testing.T) {
	good := write(t, "good.csv", pairsHead+"\nbox:1x1x1,box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n")
	dented := write(t, "dented.obj", cubeOBJ(nil, "1 3 2", "3 4 2", "5 6 8 7", "1 2 5", "2 6 5", "3 7 8 4", "1 5 3", "5 7 3"))
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"nothing", nil, []string{"--pairs", "scree pairs --shapes"}},
		{"argument", []string{good}, []string{"1 argument,"}},
		{"no table", []string{"--pairs", "no-such.csv"}, []string{"no-such.csv"}},
		{"no shapes", []string{"--pairs", good, "--shapes", "no-such.obj"}, []string{"scree: --shapes: no-such.obj: no such file"}},
		{"empty shapes", []string{"--pairs", good, "--shapes", ""}, []string{"scree: --shapes is empty, expected"}},
		{"flat builtin", []string{"--pairs", good, "--shapes", "box:0x1x1"}, []string{`scree: --shapes: shape "box:0x1x1": box: length 0, expected`}},
		{"open mesh", []string{"--pairs", good, "--shapes", dented}, []string{"dented.obj", "edge"}},
		{"two dimensions", []string{"--pairs", good, "--dim", "2"}, []string{"--dim 2", "not available in this release"}},
		{"four dimensions", []string{"--pairs", good, "--dim", "4"}, []string{"--dim", "4"}},
		{"location", []string{"--pairs", good, "--location", "middle"}, []string{`scree: --location "middle" is unknown, expected one of reduced, none, full, dual`}},
		{"method", []string{"--pairs", good, "--method", "bullet"}, []string{`scree: --method "bullet" is unknown, expected one of auto`, "gjk-epa"}},
		{"tolerance", []string{"--pairs", good, "--dtol", "-1"}, []string{"--dtol", "-1"}},
		{"no tolerance", []string{"--pairs", good, "--dtol", "nan"}, []string{"--dtol"}},
		{"empty output", []string{"--pairs", good, "-o", ""}, []string{"-o"}},
		{"two results", []string{"--pairs", good, "-o", "-", "--json"}, []string{"-o", "--json"}},
		{"output in no folder", []string{"--pairs", good, "-o", "/no/such/folder/out.csv"},
			[]string{"scree: -o is /no/such/folder/out.csv, but there is no folder /no/such/folder"}},
		{"output is a folder", []string{"--pairs", good, "-o", os.TempDir()}, []string{"scree: -o is " + os.TempDir() + ", a folder"}},
		{"workers", []string{"--pairs", good, "--workers", "-1"}, []string{"--workers"}},
		{"backend", []string{"--pairs", good, "--backend", "mmx"}, []string{`scree: --backend: "mmx" is not a backend`}},
		{"unknown column", []string{"--pairs", write(t, "wrong.csv", pairsHead+",colour\n")}, []string{"wrong.csv, line 1", "colour", "track"}},
		{"missing column", []string{"--pairs", write(t, "short.csv", strings.Replace(pairsHead, ",bqz", "", 1)+"\n")}, []string{"short.csv, line 1", "bqz"}},
		{"empty table", []string{"--pairs", os.DevNull}, []string{"shape_a"}},
		{"folder", []string{"--pairs", t.TempDir()}, []string{"--pairs", "folder"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := call(append([]string{"pairs"}, c.args...)...)
			r.wantsOneLine(t, 2, c.want...)
			if r.out != "" && !strings.HasPrefix(r.out, "row,") {
				t.Errorf("standard output %q", r.out)
			}
		})
	}
}

// TestPairsRows: a row without an answer leads to exit status 1 and does not affect other rows.
func TestPairsRows(t *testing.T) {
	path := write(t, "some.csv", pairsHead+"\nbox:1x1x1,sphere,0,0,0,1,0,0,0,3,0,0,1,0,0,0\nbox:1x1x1,box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n"+
		"box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,3,0")
	out := filepath.Join(t.TempDir(), "out.csv")
	for _, args := range [][]string{nil, {"-o", out, "-q"}} {
		r := call(append([]string{"pairs", "--pairs", path}, args...)...)
		table := r.out
		if args != nil {
			table = read(t, out)
		}
		r.wantsOneLine(t, 1, "some.csv", "2 of 3 rows", "row 1, line 2", `"sphere"`)
		lines := strings.Split(table, "\n")
		if len(lines) != 5 || !strings.HasPrefix(lines[1], "1,error,") || !strings.HasPrefix(lines[2], "2,apart,2,1,0,0,") ||
			!strings.HasPrefix(lines[3], "3,error,") || !strings.Contains(lines[3], "16 values") {
			t.Errorf("%q", table)
		}
	}
	before := read(t, out)
	call("pairs", "--pairs", write(t, "wrong.csv", "shape\n"), "-o", out).wantsOneLine(t, 2, "wrong.csv")
	if read(t, out) != before {
		t.Error("a table that is wrong has changed the file")
	}
}

// TestPairsKeepsItsInputs: the output never replaces an input, under any name.
func TestPairsKeepsItsInputs(t *testing.T) {
	dir := t.TempDir()
	mesh, table := filepath.Join(dir, "cube.obj"), filepath.Join(dir, "p.csv")
	const rows = pairsHead + "\ncube,cube,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n"
	content := map[string]string{mesh: cubeOBJ(nil), table: rows}
	for path, text := range content {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	named := map[string]string{"by its name": "", "by another way": filepath.Join(dir, "..", filepath.Base(dir))}
	if err := os.Mkdir(filepath.Join(dir, "links"), 0o777); err == nil &&
		os.Symlink(table, filepath.Join(dir, "links", "p.csv")) == nil && os.Link(mesh, filepath.Join(dir, "links", "cube.obj")) == nil {
		named["by a link"] = filepath.Join(dir, "links")
	}
	for what, folder := range named {
		for path := range content {
			out := path
			if folder != "" {
				out = filepath.Join(folder, filepath.Base(path))
			}
			option := "--pairs"
			if path == mesh {
				option = "--shapes"
			}
			for _, shapes := range []string{mesh, dir} {
				call("pairs", "--shapes", shapes, "--pairs", table, "-o", out).wantsOneLine(t, 2, "-o "+out, option, filepath.Base(path))
			}
		}
		for path, text := range content {
			if read(t, path) != text {
				t.Fatalf("%s: %s was changed", what, path)
			}
		}
	}
	// The table may also be standard input.
	stdin, err := os.Open(table)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close() //nolint:errcheck // The file is only read.
	var errs strings.Builder
	status := Main([]string{"pairs", "--shapes", mesh, "--pairs", "-", "-o", table}, stdin, &errs, &errs)
	if status != 2 || !strings.Contains(errs.String(), "standard input") || read(t, table) != rows {
		t.Errorf("status %d, %q", status, errs.String())
	}
}
