package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// changedBy runs a command on a shape and returns its values.
func changedBy(t *testing.T, args ...string) change {
	t.Helper()
	r := call(append([]string{"shape"}, append(args, "--json", "-q")...)...)
	r.wants(t, 0)
	if r.err != "" {
		t.Errorf("standard error %q", r.err)
	}
	return decode[change](t, r.out)
}

func close12(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// boxMass is the volume and the inertia of a box: V/12·(b² + c²).
func boxMass(a, b, c float64) massInfo {
	v := a * b * c
	return massInfo{Volume: v, Inertia: [6]float64{v / 12 * (b*b + c*c), v / 12 * (a*a + c*c), v / 12 * (a*a + b*b)}}
}

func (m massInfo) is(t *testing.T, what string, want massInfo) {
	t.Helper()
	same := close12(m.Volume, want.Volume)
	for i := range m.Centroid {
		same = same && close12(m.Centroid[i], want.Centroid[i])
	}
	for i := range m.Inertia {
		same = same && close12(m.Inertia[i], want.Inertia[i])
	}
	if !same {
		t.Errorf("%s: %+v, expected %+v", what, m, want)
	}
}

// TestShapeChanges compares the values before and after with those of boxes, and the mesh with the
// values.
func TestShapeChanges(t *testing.T) {
	for _, c := range []struct {
		args  []string
		after massInfo
		verts int
	}{
		{[]string{"scale", "box:1x2x3", "0.5"}, boxMass(0.5, 1, 1.5), 8},
		{[]string{"erode", "box:1x2x3", "0.25"}, boxMass(0.5, 1.5, 2.5), 8},
		{[]string{"erode", "box:1x2x3", "0"}, boxMass(1, 2, 3), 8},
		{[]string{"expand", "box:1x2x3", "0.25"}, boxMass(1.5, 2.5, 3.5), 8},
		{[]string{"dilate", "box:1x2x3", "0.25"}, boxMass(1.5, 2.5, 3.5), 48},
	} {
		out := filepath.Join(t.TempDir(), "out.obj")
		k := changedBy(t, append(c.args, "-o", out)...)
		k.Before.is(t, c.args[0]+" before", boxMass(1, 2, 3))
		k.After.is(t, c.args[0], c.after)
		r := call("shape", "info", out, "--json")
		r.wants(t, 0)
		s := decode[shapesJSON](t, r.out).Shapes[0]
		if s.Vertices != c.verts || k.Name != "box:1x2x3" {
			t.Errorf("%v: %d vertices, name %s", c.args, s.Vertices, k.Name)
		}
		if v := s.Body.Volume; c.args[0] == "dilate" {
			// The rounded box lies between: V + S·r + π·L·r² + 4/3·π·r³ with the sum L of the sides.
			const r = 0.25
			if rounded := 6 + 22*r + math.Pi*6*r*r + 4*math.Pi/3*r*r*r; !(v > rounded && v < k.After.Volume) {
				t.Errorf("bevelled box of volume %g, rounded %g, expanded %g", v, rounded, k.After.Volume)
			}
		} else {
			s.Body.massInfo.is(t, "mesh", c.after)
		}
	}
}

// TestShapeErodeFile: a cube far from the origin, eroded and expanded, is the cube.
func TestShapeErodeFile(t *testing.T) {
	path := write(t, "brick.obj", cubeOBJ(func(_ int, v *[3]float64) { v[0] += 10 }))
	core, again := filepath.Join(t.TempDir(), "core.obj"), filepath.Join(t.TempDir(), "again.obj")
	want := boxMass(0.6, 0.6, 0.6)
	want.Centroid = [3]float64{10.5, 0.5, 0.5}
	changedBy(t, "erode", path, "0.2", "-o", core).After.is(t, "eroded", want)
	want = boxMass(1, 1, 1)
	want.Centroid = [3]float64{10.5, 0.5, 0.5}
	changedBy(t, "expand", core, "0.2", "-o", again).After.is(t, "expanded", want)
	// From standard input to standard output, the values go to standard error.
	r := callWith(read(t, core), "shape", "expand", "-", "0.2", "--format", "obj", "-o", "-")
	r.wants(t, 0, "volume             0.216 before, 1 after")
	if strings.Count(r.out, "\nv ")+strings.Count(r.out, "\nf ") < 13 {
		t.Errorf("standard output %q", r.out)
	}
}

func TestShapeCut(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.obj")
	k := changedBy(t, "cut", "box:1x1x1", "--plane", "0,0,0.25,0,0,1", "--plane", " 0.1, 7,7, 1,0,0", "-o", out)
	want := boxMass(0.6, 1, 0.75)
	want.Centroid = [3]float64{-0.2, 0, -0.125}
	k.After.is(t, "cut", want)
	if len(k.Cuts) != 2 || k.Cuts[0].Kept != 0.75 || k.Cuts[0].Off != 0.25 || !close12(k.Cuts[1].Kept, 0.45) || !close12(k.Cuts[1].Off, 0.3) {
		t.Errorf("cuts %+v", k.Cuts)
	}
	// Four digits are enough for a normal. The diagonal halves the box.
	if k := changedBy(t, "cut", "box:1x1x1", "--plane", "0,0,0,0.7071,0.7071,0"); !close12(k.After.Volume, 0.5) {
		t.Errorf("halved: %+v", k)
	}
	r := call("shape", "cut", "box:1x1x1", "--plane", "0,0,0.25,0,0,1")
	r.wants(t, 0)
	for _, want := range []string{"plane 1            0,0,0.25,0,0,1 keeps the volume 0.75, cuts off 0.25\n", "volume             1 before, 0.75 after\n",
		"inertia xx yy zz   0.166666666667 0.166666666667 0.166666666667 before, 0.09765625 0.09765625 0.125 after\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("standard output %q, expected %q in it", r.out, want)
		}
	}
}

// cubePlanes is a table of the planes of a cube of side 2, and more rows.
func cubePlanes(more ...string) string {
	return "nx,ny,nz,d\n1,0,0,1\n-1,0,0,1\n0,1,0,1\n0,-1,0,1\n0,0,1,1\n0,0,-1,1\n" + strings.Join(more, "\n")
}

func TestShapeHullOfPlanes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.obj")
	path := write(t, "cube.csv", cubePlanes("0,0,1,1", "0.6,0.8,0,5"))
	k := changedBy(t, "hull", "--planes", path, "-o", out)
	k.After.is(t, "cube", boxMass(2, 2, 2))
	if k.Before != nil || k.Name != "cube" || !strings.HasPrefix(read(t, out), "v ") && !strings.Contains(read(t, out), "\nv ") {
		t.Errorf("%+v", k)
	}
	r := callWith(cubePlanes(), "shape", "hull", "--planes", "-")
	r.wants(t, 0)
	if !strings.Contains(r.out, "volume             8\n") {
		t.Errorf("standard output %q", r.out)
	}
}

// TestShapeChangesBad: each bad input has one line that names the file, the option or the row.
func TestShapeChangesBad(t *testing.T) {
	open := write(t, "open.csv", strings.Replace(cubePlanes(), "0,0,1,1\n", "", 1))
	cube := write(t, "cube.obj", cubeOBJ(nil))
	dent := write(t, "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	for _, c := range []struct {
		args string
		want []string
	}{
		{"erode box:1x2x3 0.5", []string{"box:1x2x3: eroded by 0.5", "less than the radius 0.5 of the largest ball"}},
		{"erode " + cube + " 7", []string{"cube.obj: eroded by 7", "radius 0.5"}},
		{"erode box:1x2x3 -- -1", []string{"eroded by -1", "expected 0"}},
		{"erode box:1x2x3 nan", []string{`R is "nan"`, "finite"}},
		{"erode box:1x2x3", []string{"1 argument", "as in"}},
		{"erode ball:1 0.1", []string{"ball:1", "no faces"}},
		{"erode " + dent + " 0.1", []string{"points.obj"}},
		{"dilate box:1x2x3 1e300", []string{"dilated by 1e+300"}},
		{"expand no-such.obj 1", []string{"no-such.obj"}},
		{"scale box:1x2x3 0", []string{"scale 0", "above 0"}},
		{"scale box:1x2x3 0x10", []string{`F is "0x10"`}},
		{"cut box:1x1x1", []string{"no --plane"}},
		{"cut box:1x1x1 --plane 0,0,0.75,0,0,1", []string{`--plane "0,0,0.75,0,0,1"`, "misses the body by 0.25", "that is kept"}},
		{"cut box:1x1x1 --plane 0,0,-0.75,0,0,1", []string{"misses the body by 0.25", "the normal points to"}},
		{"cut box:1x1x1 --plane 0,0,0.5,0,0,1", []string{"misses the body by 0:", "that is kept"}},
		{"cut box:1x1x1 --plane 0,0,0,0,0,1 --plane 0,0,0.1,0,0,1", []string{`--plane "0,0,0.1,0,0,1"`, "misses"}},
		{"cut box:1x1x1 --plane 0,0,0,0,0,2", []string{"--plane", "length 2", "expected 1"}},
		{"cut box:1x1x1 --plane 0,0,0,0,0,0", []string{"--plane", "length 0"}},
		{"cut box:1x1x1 --plane 0,0,0,0,0,NaN", []string{"--plane", `"NaN" is not a finite number`}},
		{"cut box:1x1x1 --plane 0,0,0,0,1", []string{"--plane", "5 values, expected six"}},
		{"hull --planes " + open, []string{"open.csv", "open towards (0, 0, 1)"}},
		{"hull --planes no-such.csv", []string{"no-such.csv"}},
		{"hull --planes " + open + " " + cube, []string{"no mesh beside --planes"}},
		{"hull --planes " + open + " -o " + open, []string{"open.csv", "expected another file"}},
		{"hull --planes - -o - --json", []string{"-o is -", "--json"}},
	} {
		call(append([]string{"shape"}, strings.Fields(c.args)...)...).wantsOneLine(t, 2, c.want...)
	}
	for row, want := range map[string][]string{
		"0,0,2,1":    {"line 8", "length 2"},
		"0,0,0,1":    {"line 8", "length 0"},
		"0,0,nan,1":  {"line 8", "nz", "nan"},
		"0,0,1":      {"line 8", "found 3"},
		"0,0,1,-1.5": {"planes 0, ", "leave nothing", "-0.25"},
		"0,0,1,1e60": {"line 8", "1e+60"},
	} {
		callWith(cubePlanes(row), "shape", "hull", "--planes", "-").wantsOneLine(t, 2, append(want, "standard input")...)
	}
	callWith("nx,ny,nz\n", "shape", "hull", "--planes", "-").wantsOneLine(t, 2, "standard input", "d")
	callWith("nx,ny,nz,d\n", "shape", "hull", "--planes", "-").wantsOneLine(t, 2, "standard input", "the 0 planes")
	callWith("nx,ny,nz,d\n"+strings.Repeat("0,0,1,1\n", maxPlanes+1), "shape", "hull", "--planes", "-").wantsOneLine(t, 2, fmt.Sprint(maxPlanes))
}
