package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry/inside"
)

const exampleInside = "../../examples/inside"

// tableOf returns the rows of a CSV text without its header, which must be head.
func tableOf(t *testing.T, text, head string) (rows [][]string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != head {
		t.Fatalf("header %q, expected %q", lines[0], head)
	}
	for _, line := range lines[1:] {
		rows = append(rows, strings.Split(line, ","))
	}
	return rows
}

const insideHead = "row,inside,value"

// TestInsideExample tests the example points of the torus with every method: its centre, the middle
// of its tube, a corner, and points near by.
func TestInsideExample(t *testing.T) {
	want := strings.Fields("0 1 on 1 1 0 0 0 1 0")
	for _, method := range insideNames() {
		r := call("inside", "--mesh", filepath.Join(exampleInside, "torus.obj"), "--points", filepath.Join(exampleInside, "points.csv"), "--method", method)
		r.wants(t, 0)
		rows := tableOf(t, r.out, insideHead)
		if len(rows) != len(want) {
			t.Fatalf("%s: %d rows", method, len(rows))
		}
		for i, row := range rows {
			value, err := strconv.ParseFloat(row[2], 64)
			if err != nil || row[0] != strconv.Itoa(i+1) || row[1] != want[i] {
				t.Errorf("%s: row %v, expected %d,%s", method, row, i+1, want[i])
			}
			if exact := map[string]float64{"0": 0, "1": 1, "on": 0.5}[want[i]]; (method == "auto" || method == "ray") && value != exact {
				t.Errorf("%s: row %v, expected value %g", method, row, exact)
			}
		}
	}
}

// cubePoints returns n points of a grid about the unit cube, with another order of columns, and the
// results of method ray.
func cubePoints(n int) (points, answers string) {
	var in, out strings.Builder
	in.WriteString("z,x,y\n")
	out.WriteString(insideHead + "\n")
	for i := range n {
		p := [3]float64{float64(i%9-2) / 4, float64(i/9%9-2) / 4, float64(i/81%9-2) / 4}
		fmt.Fprintf(&in, "%g,%g,%g\n", p[2], p[0], p[1])
		text := "1,1"
		for _, x := range p {
			switch {
			case x < 0 || x > 1:
				text = "0,0"
			case (x == 0 || x == 1) && text == "1,1":
				text = "on,0.5"
			}
			if text == "0,0" {
				break
			}
		}
		fmt.Fprintf(&out, "%d,%s\n", i+1, text)
	}
	return in.String(), out.String()
}

// TestInsideBatches: several batches are written in order. The text is the same with any number of
// workers and any mesh format.
func TestInsideBatches(t *testing.T) {
	const n = 70_000
	points, want := cubePoints(n)
	mesh := write(t, "cube.obj", cubeOBJ(nil))
	for _, workers := range []string{"1", "3"} {
		r := callWith(points, "inside", "--mesh", mesh, "--points", "-", "--method", "ray", "--workers", workers)
		r.wants(t, 0)
		if r.out != want {
			t.Errorf("%s workers: %d bytes, expected %d", workers, len(r.out), len(want))
		}
	}
	points, want = cubePoints(800)
	stl := filepath.Join(t.TempDir(), "cube.stl")
	call("shape", "hull", mesh, "-o", stl).wants(t, 0)
	off := filepath.Join(t.TempDir(), "cube.off")
	call("shape", "hull", mesh, "-o", off).wants(t, 0)
	for _, path := range []string{stl, off} {
		if r := callWith(points, "inside", "--mesh", path, "--points", "-", "--method", "ray", "--seed", "9"); r.status != 0 || r.out != want {
			t.Errorf("%s: status %d, %s %.100q", path, r.status, r.err, r.out)
		}
	}
}

var thousandPoints = []byte(strings.Repeat("0.25,0.5,0.125\n", 1000))

// pointStream generates a table of points while it is read, so the table is never in memory as a
// whole.
type pointStream struct {
	rows int
	rest []byte
}

func (s *pointStream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.rows == 0 {
			return 0, io.EOF
		}
		n := min(s.rows, 1000)
		s.rows -= n
		s.rest = thousandPoints[:15*n]
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// TestInsideMemory: twice as many rows do not allocate more memory in total.
func TestInsideMemory(t *testing.T) {
	taken := func(rows int) int64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status := Main([]string{"inside", "--mesh", "tetra:9", "--points", "-", "--method", "ray", "-q", "--workers", "1"},
			io.MultiReader(strings.NewReader("x,y,z\n"), &pointStream{rows: rows}), io.Discard, os.Stderr)
		if status != 0 {
			t.Errorf("status %d", status)
		}
		runtime.ReadMemStats(&after)
		return int64(after.TotalAlloc - before.TotalAlloc)
	}
	few, many := taken(4*insideRows), taken(8*insideRows)
	if more := many - few; more > 1<<20 {
		t.Errorf("%d rows take %d bytes, %d rows %d bytes", 4*insideRows, few, 8*insideRows, many)
	}
}

// TestInsideFiles writes results to a file and counts to standard output.
func TestInsideFiles(t *testing.T) {
	args := []string{"inside", "--mesh", "torus:1,0.25,24,12", "--points", filepath.Join(exampleInside, "points.csv"), "--method", "ray"}
	shown := call(args...)
	shown.wants(t, 0)
	out := filepath.Join(t.TempDir(), "out.csv")
	r := call(append(args, "-o", out, "--json")...)
	r.wants(t, 0)
	report := decode[insideReport](t, r.out)
	if report.Points != 10 || report.Inside != 4 || report.On != 1 || report.Triangles != 576 || report.Method != "ray" || report.Components != 1 ||
		math.Abs(report.Volume-1.165) > 0.001 || report.Bound != 0 || report.Workers < 1 {
		t.Errorf("%+v", report)
	}
	if read(t, out) != shown.out {
		t.Error("the file differs from standard output")
	}
	call(append(args, "-o", out)...).wantsOneLine(t, 0, "out.csv: 10 points, 4 inside, 1 on the surface of 576 triangles; ray; ", " ns per point on ")
	fmm := slices.Clone(args)
	fmm[6] = "fmm"
	call(append(fmm, "-o", filepath.Join(t.TempDir(), "fmm.csv"), "--degree", "6", "--depth", "3", "--leaf", "40")...).wantsOneLine(t, 0,
		"4 inside, 1 on the surface", "; fmm of degree 6 and depth 3, values within ")
	// The cells that are summed directly are counted; --direct never leaves those that are near to all.
	call(append(fmm, "--degree", "1", "--depth", "3", "--leaf", "2")...).wants(t, 0, "fmm sums 128 of 128 cells directly: from 0 nothing is far enough, and the bound of 128 proves nothing at degree 1 and separation 2")
	call(append(fmm, "-o", filepath.Join(t.TempDir(), "fmm.csv"), "--degree", "1", "--depth", "3", "--leaf", "2", "--direct", "never")...).wantsOneLine(t, 0, "0 of 128 cells summed directly")
	call(append(fmm, "-o", filepath.Join(t.TempDir(), "fmm.csv"), "--degree", "auto", "--direct", "never", "--box", "-9,-9,-9,9,9,9", "--separation", "1.5")...).wantsOneLine(t, 0,
		"fmm of degree 8 (the least p up to 16 with 1.5^p ≥ √576)", "4 inside")
	wrong := slices.Clone(args)
	wrong[4] = write(t, "wrong.csv", "x,y,z\n0,0,0\n0,nan,0\n")
	call(append(wrong, "-o", out)...).wantsOneLine(t, 2, "wrong.csv, line 3, column y", `"nan"`)
	if read(t, out) != shown.out {
		t.Error("a table that is wrong has changed the file")
	}
	own := write(t, "own.csv", "x,y,z\n0,0,0\n")
	call("inside", "--mesh", "octa:1", "--points", own, "-o", own).wantsOneLine(t, 2, "-o "+own, "--points")
	mesh := write(t, "own.obj", cubeOBJ(nil))
	call("inside", "--mesh", mesh, "--points", own, "-o", mesh).wantsOneLine(t, 2, "-o "+mesh, "--mesh")
	if r := callWith("x,y,z\n", "inside", "--mesh", "octa:1", "--points", "-", "--method", "ray"); r.status != 0 || r.out != insideHead+"\n" {
		t.Errorf("no points: status %d, %q", r.status, r.out)
	}
}

// TestInsideMeshes: an open mesh is rejected by name, but accepted by winding. A mesh with all
// faces inwards is reversed.
func TestInsideMeshes(t *testing.T) {
	open := write(t, "open.obj", cubeOBJ(nil, "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3"))
	out := filepath.Join(t.TempDir(), "out.csv")
	const centre = "x,y,z\n0.5,0.5,0.5\n"
	callWith(centre, "inside", "--mesh", open, "--points", "-", "--method", "ray").wantsOneLine(t, 2,
		open+": 4 boundary edges", "face 1", "winding-fast take it as it is")
	callWith(centre, "inside", "--mesh", open, "--points", "-", "--method", "winding", "-o", out).wants(t, 0, "1 points, 1 inside",
		open+": 4 boundary edges of one face, first (1 1 0) to (1 0 0) of face 1")
	rows := tableOf(t, read(t, out), insideHead)
	if v, err := strconv.ParseFloat(rows[0][2], 64); err != nil || math.Abs(v-5.0/6) > 1e-14 {
		t.Errorf("value %v, expected 5/6", rows[0])
	}
	bare := write(t, "bare.obj", "v 0 0 0\n")
	for _, method := range insideNames() {
		callWith(centre, "inside", "--mesh", bare, "--points", "-", "--method", method).wantsOneLine(t, 2, bare+": no faces, expected one or more")
	}
	turned := write(t, "turned.obj", cubeOBJ(nil, "2 4 3 1", "7 8 6 5", "5 6 2 1", "4 8 7 3", "3 7 5 1", "6 8 4 2"))
	r := callWith(centre, "inside", "--mesh", turned, "--points", "-", "--method", "ray")
	r.wants(t, 0, "turned.obj: all faces turn inwards and were turned")
	if r.out != insideHead+"\n1,1,1\n" {
		t.Errorf("%q", r.out)
	}
	sheet := write(t, "sheet.obj", cubeOBJ(nil, "1 2 3", "3 2 1"))
	r = callWith(centre, "inside", "--mesh", sheet, "--points", "-")
	r.wants(t, 0, "sheet.obj: the mesh is closed, but encloses no more volume than rounding shows")
}

// TestInsideColumns: --columns selects columns of a table with further columns, in the given order.
// The other columns may have any contents.
func TestInsideColumns(t *testing.T) {
	const table = "name,height,Points:0,Points:1,name\n\"a, b\",0.25,0,3,\n,3,0,0.25,NaN\n"
	for columns, want := range map[string]string{
		"Points:0,Points:1,height": "1,0,0\n2,0,0\n", "height, Points:1 ,Points:0": "1,0,0\n2,0,0\n",
	} {
		r := callWith(table, "inside", "--mesh", "octa:1", "--points", "-", "--columns", columns)
		if r.status != 0 || r.out != insideHead+"\n"+want {
			t.Errorf("%s: status %d, %q, %s", columns, r.status, r.out, r.err)
		}
	}
	const mixed = "z,id,x,y\n0.125,7,0.125,0.125\n9,8,0,0\n"
	if r := callWith(mixed, "inside", "--mesh", "octa:1", "--points", "-", "--columns", "x,y,z"); r.status != 0 || r.out != insideHead+"\n1,1,1\n2,0,0\n" {
		t.Errorf("status %d, %q, %s", r.status, r.out, r.err)
	}
}

// TestInsideBad: errors in the command line, in meshes and in tables are reported in one line that
// names the cause.
func TestInsideBad(t *testing.T) {
	const points = "x,y,z\n0,0,0\n"
	for _, c := range []struct {
		name, table string
		args, want  []string
	}{
		{"nothing", "", []string{"-q"}, []string{"--mesh MESH and --points", "scree inside --mesh examples"}},
		{"no mesh", "", []string{"--points", "x"}, []string{"--mesh"}},
		{"mesh from a stream", points, []string{"--mesh", "-"}, []string{`--mesh is "-"`}},
		{"no file", points, []string{"--mesh", "no-such.obj"}, []string{"no-such.obj"}},
		{"no table", "", []string{"--mesh", "octa:1", "--points", "no-such.csv"}, []string{"no-such.csv"}},
		{"folder", "", []string{"--mesh", "octa:1", "--points", os.TempDir()}, []string{"--points", "folder"}},
		{"method", points, []string{"--mesh", "octa:1", "--method", "tree"}, []string{`--method is "tree"`, "winding-fast"}},
		{"ball", points, []string{"--mesh", "ball:2"}, []string{"ball:2 has no faces", "sphere:2,5"}},
		{"surface", points, []string{"--mesh", "sphere:1,99"}, []string{"is 99, expected 0 to 9", "sphere:1,99"}},
		{"seed", points, []string{"--mesh", "octa:1", "--seed", "-1"}, []string{"--seed", "whole number"}},
		{"degree", points, []string{"--mesh", "octa:1", "--method", "fmm", "--degree", "0"}, []string{`--degree is "0", expected auto or a number from 1 to 16`}},
		{"large degree", points, []string{"--mesh", "octa:1", "--method", "fmm", "--degree", "17"}, []string{`--degree is "17", expected auto or a number from 1 to 16`}},
		{"large depth", points, []string{"--mesh", "octa:1", "--method", "fmm", "--depth", "9"}, []string{`--depth is "9"`, "number from 1 to 8"}},
		{"no degree", points, []string{"--mesh", "octa:1", "--method", "fmm", "--degree", "high"}, []string{`--degree is "high", expected auto or`}},
		{"separation", points, []string{"--mesh", "octa:1", "--method", "fmm", "--separation", "1"}, []string{"--separation is 1, expected more than 1 and at most 8"}},
		{"no separation", points, []string{"--mesh", "octa:1", "--method", "fmm", "--separation", "nan"}, []string{"--separation", "finite"}},
		{"direct", points, []string{"--mesh", "octa:1", "--method", "fmm", "--direct", "always"}, []string{`--direct is "always", expected auto or never`}},
		{"empty box", points, []string{"--mesh", "octa:1", "--method", "fmm", "--box", "0,0,0,1,1,0"}, []string{"--box is 0.0", "not empty"}},
		{"half a box", points, []string{"--mesh", "octa:1", "--method", "fmm", "--box", "0,0,0"}, []string{"--box is 0.0", "six finite numbers"}},
		{"endless box", points, []string{"--mesh", "octa:1", "--method", "fmm", "--box", "0,0,0,1,inf,1"}, []string{"--box is 0.0", "six finite numbers"}},
		{"large box", points, []string{"--mesh", "octa:1", "--method", "fmm", "--box", "0,0,0,1,1,500"}, []string{"octa:1: box is {0 0 0} to {1 1 500}", "64 times the mesh"}},
		{"box of rays", points, []string{"--mesh", "octa:1", "--method", "ray", "--box", "0,0,0,1,1,1"}, []string{"--box", "with --method fmm, not ray"}},
		{"shapes of points", points, []string{"--mesh", "octa:1", "--shapes", "."}, []string{"--shapes", "--bodies only"}},
		{"leaf", points, []string{"--mesh", "octa:1", "--method", "fmm", "--leaf", "0"}, []string{"--leaf is 0"}},
		{"depth", points, []string{"--mesh", "octa:1", "--method", "fmm", "--depth", "deep"}, []string{`--depth is "deep"`, "well, pre"}},
		{"other's option", points, []string{"--mesh", "octa:1", "--method", "ray", "--depth", "3"}, []string{"expected to be used with --method fmm", "ray"}},
		{"two results", points, []string{"--mesh", "octa:1", "--json", "-o", "-"}, []string{"-o", "--json"}},
		{"empty", "", []string{"--mesh", "octa:1"}, []string{"points.csv, line 1", "header line with x,y,z"}},
		{"unknown column", "x,y,z,w\n", []string{"--mesh", "octa:1"}, []string{"line 1", "w", "among x, y, z", "--columns"}},
		{"no header", "1,2,3\n", []string{"--mesh", "octa:1"}, []string{"line 1", `"1, 2, 3"`, "among x, y, z"}},
		{"two columns", points, []string{"--mesh", "octa:1", "--columns", "x,y"}, []string{"--columns", "three different"}},
		{"column named twice", points, []string{"--mesh", "octa:1", "--columns", "x,y,x"}, []string{"--columns", "three different"}},
		{"no such column", points, []string{"--mesh", "octa:1", "--columns", "x,y,height"}, []string{"line 1", "also the columns height"}},
		{"column there twice", "x,x,y,z\n", []string{"--mesh", "octa:1", "--columns", "x,y,z"}, []string{"line 1", `"x"`, "each column once"}},
		{"missing column", "x,z\n", []string{"--mesh", "octa:1"}, []string{"line 1", "also the columns y"}},
		{"short row", points + "1,2\n", []string{"--mesh", "octa:1"}, []string{"line 3", "3 values", "found 2"}},
		{"infinite", points + "1,2,-inf\n", []string{"--mesh", "octa:1"}, []string{"line 3, column z", `"-inf"`, "finite"}},
		{"first of many", points + strings.Repeat("0,0,0\n", 9000) + "0,x1,0\n" + strings.Repeat("0,x2,0\n", 9000), []string{"--mesh", "octa:1"}, []string{"line 9003, column y", `"x1"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"inside"}, c.args...)
			if c.name != "nothing" && !strings.Contains(strings.Join(args, " "), "--points") {
				args = append(args, "--points", write(t, "points.csv", c.table))
			}
			if !strings.Contains(strings.Join(args, " "), "--method") {
				args = append(args, "--method", "ray")
			}
			call(args...).wantsOneLine(t, 2, c.want...)
		})
	}
	for _, m := range inside.Methods {
		if !slices.Contains(insideNames(), string(m)) {
			t.Errorf("method %s is not offered", m)
		}
	}
}
