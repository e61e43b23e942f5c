package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// isVisible reports whether a terminal shows a text as it is, except for the ends of its lines.
func isVisible(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && !strconv.IsPrint(c) })
}

// TestOutputHasNoControlCharacters: control characters, invisible ones and invalid UTF-8 in names of
// files reach neither standard output nor standard error. JSON has the same values, and
// tables the same bytes in a file.
func TestOutputHasNoControlCharacters(t *testing.T) {
	// Escape sequences of one byte and of two, a tag character, a direction mark, no UTF-8.
	const bad = "b\x1b[2J\x07\x7f\u009b31m\u202e\U000e0001"
	dir := t.TempDir()
	t.Chdir(dir)
	put := func(name, text string) string {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	scene := put(bad+"\xff.toml", small(""))
	mesh := put(filepath.Join("m"+bad, bad+"\xff.obj"), cubeOBJ(nil))
	open := put(bad+".off", "OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
	pile := put(bad+".txt", "shapes 1\n8 1 0.5 0.5 0.5\n-0.5 -0.5 -0.5\n0.5 -0.5 -0.5\n-0.5 0.5 -0.5\n0.5 0.5 -0.5\n-0.5 -0.5 0.5\n0.5 -0.5 0.5\n-0.5 0.5 0.5\n0.5 0.5 0.5\n"+
		"static 1\n5 5 1 0 0 -1\nbodies 1\n0 0 0 0.5 1 0 0 0\n")
	table := put("p.csv", pairsHead+"\nnone,box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n"+bad+",box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n")
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{"run", scene, "-o", "out" + bad}}, {0, []string{"run", scene, "--check"}}, {0, []string{"run", scene, "-o", "out\xff", "--json"}},
		{0, []string{"shape", "info", mesh}}, {2, []string{"shape", "info", open}}, {0, []string{"shape", "info", mesh, "--json"}},
		{0, []string{"shape", "hull", mesh, "-o", "-", "--format", "off"}},
		{1, []string{"pairs", "--shapes", filepath.Dir(mesh), "--pairs", table}}, {1, []string{"pairs", "--shapes", mesh, "--pairs", table, "--json"}},
		{0, []string{"inside", "--mesh", mesh, "--points", put("x"+bad+".csv", "x,y,z\n0,0,0\n"), "--json"}},
		{0, []string{"bench", "step", "--settled", pile, "--steps", "2", "--skin", "0.1"}},
		{0, []string{"bench", "step", "--settled", pile, "--steps", "2", "--skin", "0.1", "--json"}},
		{0, []string{"bench", "settle", "--bodies", "1", "--time", "9", "-o", "pile" + bad}},
		{2, []string{"pairs", "--pairs", bad}},
	} {
		r := call(c.args...)
		if r.status != c.status || !isVisible(r.out) || !isVisible(r.err) || r.out == "" && c.status < 2 {
			t.Errorf("%q: status %d, standard output %q, standard error %q", c.args, r.status, r.out, r.err)
		}
		if c.args[len(c.args)-1] == "--json" && !json.Valid([]byte(r.out)) {
			t.Errorf("%q: no JSON: %s", c.args, r.out)
		}
		if c.args[0] == "pairs" && c.status == 1 && !strings.Contains(strings.Join(c.args, " "), "json") {
			call(append(c.args, "-o", "out.csv")...).wants(t, 1)
			if read(t, "out.csv") != r.out {
				t.Errorf("the table in a file is %q, on standard output %q", read(t, "out.csv"), r.out)
			}
		}
	}
	named := put(bad+".obj", cubeOBJ(nil))
	r := call("inside", "--mesh", named, "--points", "x"+bad+".csv", "--json")
	if got := decode[insideReport](t, r.out); got.Mesh != named {
		t.Errorf("JSON has the mesh %q, expected %q", got.Mesh, named)
	}
	var errs strings.Builder
	p := (&app{stderr: &errs}).progress("steps")
	p.Start(10)
	p.told = p.told.Add(-lineEvery)
	if p.Step(5, bad); errs.Len() == 0 || !isVisible(errs.String()) {
		t.Errorf("progress %q", errs.String())
	}
}
