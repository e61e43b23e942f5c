package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/bench"
)

func TestBenchInside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	r := call("bench", "inside", "--mesh", "sphere:1,1", "--mesh", filepath.Join(exampleInside, "torus.obj"), "--side", "6", "--method", "auto,ray",
		"--repeat", "1", "--json", "-o", dir)
	r.wants(t, 0)
	s := decode[reportOf[bench.InsideRow]](t, r.out)
	if len(s.Rows) != 8 || s.Machine.Processor == "" {
		t.Fatalf("%+v", s)
	}
	for i, row := range s.Rows {
		if row.Points != 216 || row.Workers != 1 || row.Wrong != 0 || row.Checksum != s.Rows[i/2*2].Checksum {
			t.Errorf("row %+v", row)
		}
	}
	if read(t, dir, "inside.json") != r.out {
		t.Error("inside.json is not what standard output has")
	}
	call("bench", "inside", "--paper", "--finest", "1", "--side", "3,4", "--method", "auto,ray", "-o", dir).wants(t, 0)
	for _, name := range []string{"inside-paper.csv", "inside-paper.json", "inside-paper-fits.csv", "inside-sphere-ray.svg", "inside-foam-all.svg"} {
		if stat, err := os.Stat(filepath.Join(dir, name)); err != nil || stat.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBenchInsideRandom: all methods agree with the exact one at random points about a mesh from a
// file.
func TestBenchInsideRandom(t *testing.T) {
	r := call("bench", "inside", "--mesh", filepath.Join(exampleInside, "torus.obj"), "--random", "3000", "--full", "--repeat", "1", "--json")
	r.wants(t, 0)
	s := decode[reportOf[bench.InsideRow]](t, r.out)
	if len(s.Rows) != 8 {
		t.Fatalf("%+v", s)
	}
	for _, row := range s.Rows {
		if row.Tried != 3000 || row.Order != "random" || row.Wrong != 0 {
			t.Errorf("%+v", row)
		}
	}
}

func TestBenchInsideRefuses(t *testing.T) {
	open := write(t, "open.obj", cubeOBJ(nil, "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3"))
	r := call("bench", "inside", "--mesh", open, "--side", "5", "--repeat", "1", "--method", "winding,winding-fast")
	if r.status != 0 || strings.Count(r.out, "winding") < 2 {
		t.Errorf("open: status %d, %q, %s", r.status, r.out, r.err)
	}
	for _, test := range [][]string{
		{"open.obj: 4 boundary edges of one face, first (1 1 0) to (1 0 0) of face 1, ", "--mesh", "octa:1", "--mesh", open},
		{"--side is 0, expected 1 to 300", "--side", "0"},
		{"--side has 2 numbers, expected one without --paper", "--side", "3,4"},
		{"--repeat is 0, expected ≥ 1", "--repeat", "0"},
		{"--random is 0, expected 1 to 27000000", "--random", "0"},
		{"--random is 5, expected none with --side", "--random", "5", "--side", "5"},
		{"--full is true, expected none with --long", "--full", "--long"},
		{`--method is "tree", expected one of auto, ray`, "--method", "tree"},
		{`--method has ray twice`, "--method", "ray,ray"},
		{`--series is "foam", expected to be used with --paper only`, "--series", "foam"},
		{"--mesh is octa:1, expected none with --paper", "--paper", "--mesh", "octa:1"},
		{"--peers is true, expected none with --paper", "--paper", "--peers"},
		{"--side has 10 twice, expected each value once", "--paper", "--side", "10,20,10"},
		{"--pin is true, expected none", "--pin", "--workers", "1"},
		{"--finest is 0", "--paper", "--finest", "0"},
		{`--series is "cube", expected one of sphere, foam`, "--paper", "--series", "cube"},
		{"no-such.obj", "--mesh", "no-such.obj"},
		{"ball:1 has no faces", "--mesh", "ball:1"},
	} {
		call(append([]string{"bench", "inside"}, test[1:]...)...).wantsOneLine(t, 2, test[0])
	}
}
