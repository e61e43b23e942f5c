package fileio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// someScene returns a box and a tetrahedron on a slab.
func someScene() *Settled {
	rng := rand.New(rand.NewPCG(5, 5))
	s := &Settled{
		Shapes: []SettledShape{
			{IsBox: true, Half: vec.Vec3{X: 0.5, Y: 0.25, Z: 0.25}, Verts: boxVerts(0.5, 0.25, 0.25)},
			{Half: vec.Vec3{X: 1, Y: 1, Z: 1}, Verts: tetra().Verts},
		},
		Static: []SettledBox{{Half: vec.Vec3{X: 12.75, Y: 12.75, Z: 2}, Center: vec.Vec3{Z: -2}}},
	}
	for i := range 50 {
		q := vec.Quat{W: rng.NormFloat64(), X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Normalized()
		s.Bodies = append(s.Bodies, SettledBody{i % 2, vec.Pose{Pos: vec.Vec3{X: rng.NormFloat64(), Z: 1.0 / 3}, Rot: q}})
	}
	return s
}

// boxVerts returns the corners of a box about the origin.
func boxVerts(x, y, z float64) (verts []vec.Vec3) {
	for _, v := range cube(vec.V(-1, -1, -1), 2).Verts {
		verts = append(verts, v.Mul(vec.V(x, y, z)))
	}
	return verts
}

func TestSettledRoundTrip(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"s.txt", "s.txt.gz"} {
		path := filepath.Join(dir, name)
		for _, want := range []*Settled{someScene(), {}} {
			if err := WriteSettled(path, want); err != nil {
				t.Fatal(err)
			}
			got, err := ReadSettled(path)
			if err != nil {
				t.Fatal(err)
			}
			if l := got.Lines; len(l.Shapes) != len(want.Shapes) || len(l.Static) != len(want.Static) || len(l.Bodies) != len(want.Bodies) {
				t.Fatalf("%s: lines %v", name, l)
			}
			if got.Lines = want.Lines; !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: got %v, want %v", name, got, want)
			}
		}
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "s.txt.gz")); !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		t.Fatal("s.txt.gz is not compressed")
	}
	bad := someScene()
	bad.Bodies[3].Shape = 2
	if err := WriteSettled(filepath.Join(dir, "bad"), bad); err == nil || !strings.Contains(err.Error(), "body 3") {
		t.Fatalf("got %v", err)
	}
}

func TestSettledNormalises(t *testing.T) {
	text := "# by hand\nshapes 1\n4 0 1 1 1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nstatic 0\nbodies 1\n0 1 2 3 1.0005 0 0 0 # c\n"
	s, err := DecodeSettled("s", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := (SettledLines{Shapes: []int32{3}, Bodies: []int32{10}}); !reflect.DeepEqual(s.Lines, want) {
		t.Errorf("lines %v, expected %v", s.Lines, want)
	}
	if want := (vec.Pose{Pos: vec.Vec3{X: 1, Y: 2, Z: 3}, Rot: vec.Identity}); s.Bodies[0].Pose != want {
		t.Fatalf("got %v, want %v", s.Bodies[0].Pose, want)
	}
}

func TestUnitQuat(t *testing.T) {
	for _, c := range []struct {
		name string
		q    vec.Quat
		ok   bool
	}{
		{"unit", vec.Identity, true},
		{"half turn", vec.Quat{Y: -1}, true},
		{"off by 0.9e-3", vec.Quat{W: 1.0009}, true},
		{"off by 1.1e-3", vec.Quat{W: 1.0011}, false},
		{"short by 1.1e-3", vec.Quat{W: 0.9989}, false},
		{"zero", vec.Quat{}, false},
		{"NaN", vec.Quat{W: math.NaN()}, false},
		{"infinite", vec.Quat{W: math.Inf(1)}, false},
		{"overflow", vec.Quat{W: 1e300, X: 1e300}, false},
	} {
		if q, ok := UnitQuat(c.q); ok != c.ok || ok && math.Abs(q.Norm()-1) > 4e-16 {
			t.Fatalf("%s: %v %v", c.name, q, ok)
		}
	}
}

func TestSettledFaults(t *testing.T) {
	const shapes = "shapes 1\n4 0 1 1 1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
	// box returns a box with the given half sides. fourth replaces its vertex 4.
	box := func(half, fourth string) string {
		if fourth == "" {
			fourth = "1 1 -1"
		}
		return "shapes 1\n8 1 " + half + "\n1 1 1\n-1 1 1\n1 -1 1\n-1 -1 1\n" + fourth + "\n-1 1 -1\n1 -1 -1\n-1 -1 -1\n"
	}
	cases := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"truncated", "shapes"}},
		{"other file", "solid cube\n", []string{"line 1", `"solid"`, `"shapes"`}},
		{"count", "shapes x\n", []string{"line 1", "shapes", `"x"`}},
		{"negative count", "shapes -1\n", []string{"line 1", `"-1"`}},
		{"count beyond reason", "shapes 4000000000\n", []string{"line 1", `"4000000000"`}},
		{"many shapes announced", "shapes 10000000\n", []string{"shape 0", "truncated"}},
		{"few vertices", "shapes 1\n3 0 1 1 1\n", []string{"line 2", "shape 0", `"3"`, "from 4"}},
		{"isbox", "shapes 1\n4 2 1 1 1\n", []string{"line 2", "isbox", `"2"`}},
		{"flat box", "shapes 1\n4 1 1 0 1\n", []string{"line 2", "half sides", "> 0"}},
		{"box of other vertices", "shapes 1\n4 1 1 1 1\n", []string{"line 2", "shape 0, number of vertices", `"4"`, "8, those of a box"}},
		{"box of another size", box("1 1 1", "1 1 -0.99"), []string{"line 7, shape 0, vertex 4", `"1 1 -0.99"`, "corner (±1, ±1, ±1)"}},
		{"box off the origin", box("1 1 1.5", ""), []string{"line 3, shape 0, vertex 0", `"1 1 1"`, "corner (±1, ±1, ±1.5)"}},
		{"box with a corner twice", box("1 1 1", "1 1 1"), []string{"line 7, shape 0, vertex 4", `"1 1 1"`, "another corner"}},
		{"vertex", "shapes 1\n4 0 1 1 1\n0 0 0\n0 nan 0\n", []string{"line 4", "shape 0, vertex 1", `"nan"`, "2 of 3"}},
		{"vertex too long", "shapes 1\n4 0 1 1 1\n0 0 0 0\n", []string{"line 3", `"0"`, "end of the line"}},
		{"vertex missing", "shapes 1\n4 0 1 1 1\n0 0 0\n", []string{"line 3", "vertex 1", "truncated"}},
		{"section missing", shapes + "bodies 0\n", []string{"line 7", `"bodies"`, `"static"`}},
		{"static", shapes + "static 1\n1 1 1 0 0 inf\n", []string{"line 8", "static 0", `"inf"`}},
		{"shape of body", shapes + "static 0\nbodies 1\n1 0 0 0 1 0 0 0\n", []string{"line 9", "body 0", `"1"`, "from 0 to 0"}},
		{"no shapes", "shapes 0\nstatic 0\nbodies 1\n0 0 0 0 1 0 0 0\n", []string{"line 4", "at least one shape"}},
		{"quaternion of zero", shapes + "static 0\nbodies 1\n0 0 0 0 0 0 0 0\n", []string{"line 9", "body 0, quaternion", `"0 0 0 0"`, "norm 1"}},
		{"quaternion too long", shapes + "static 0\nbodies 1\n0 0 0 0 1 0.1 0 0\n", []string{"line 9", `"1 0.1 0 0"`}},
		{"body cut", shapes + "static 0\nbodies 2\n0 0 0 0 1 0 0 0\n", []string{"line 9", "body 1", "truncated"}},
		{"trailing", shapes + "static 0\nbodies 0\nmore\n", []string{"line 9", `"more"`, "end of the file"}},
		{"endless line", shapes + strings.Repeat(" ", 2*maxSettledLine), []string{"line 7", "less than 4096 bytes"}},
		{"number beyond its fifth power", shapes + "static 1\n1 1e300 1 0 0 0\n", []string{"line 8", "static 0", `"1e300"`, "at most 1e+50", "2 of 3"}},
		{"gzip header only", "\x1f\x8b\x08\x00", []string{"gzip"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeSettled("s.txt", strings.NewReader(c.text))
			var input *InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v", err)
			}
			for _, part := range append(c.want, "s.txt") {
				if !strings.Contains(err.Error(), part) {
					t.Fatalf("%q does not hold %q", err, part)
				}
			}
		})
	}
}

func TestSettledDamagedGzip(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte("shapes 0\nstatic 0\nbodies 0\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := zipped.Bytes()
	if _, err := DecodeSettled("s", bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for n := 2; n < len(whole); n++ {
		var input *InputError
		if _, err := DecodeSettled("s", bytes.NewReader(whole[:n])); !errors.As(err, &input) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	// Concatenated gzip files are read as one, as by gunzip. Any other bytes after them are an
	// error, however few.
	text := []byte("shapes 0\nstatic 0\nbodies 0\n")
	var parts bytes.Buffer
	for _, part := range [][]byte{text[:7], nil, text[7:]} {
		w.Reset(&parts)
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := DecodeSettled("s", &parts); err != nil {
		t.Errorf("three files of gzip: %v", err)
	}
	for _, tail := range []string{"x", "\x00", "\x1f", "more text than a header has"} {
		_, err := DecodeSettled("s", strings.NewReader(string(whole)+tail))
		if err == nil || errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), "bytes that are no gzip follow") {
			t.Errorf("gzip, then %q: %v", tail, err)
		}
	}
	whole[len(whole)-6] ^= 1
	if _, err := DecodeSettled("s", bytes.NewReader(whole)); !errors.Is(err, gzip.ErrChecksum) {
		t.Fatalf("a wrong checksum: %v", err)
	}
}

func FuzzSettled(f *testing.F) {
	path := filepath.Join(f.TempDir(), "s.gz")
	if err := WriteSettled(path, someScene()); err != nil {
		f.Fatal(err)
	}
	zipped, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(zipped)
	f.Add([]byte("shapes 1\n4 1 1 1 1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nstatic 1\n1 1 1 0 0 -1\nbodies 1\n0 0 0 1 1 0 0 0\n"))
	f.Add([]byte("shapes 60000000\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		scene, err := DecodeSettled("s", bytes.NewReader(content))
		if err != nil {
			if input := (*InputError)(nil); !errors.As(err, &input) {
				t.Fatalf("%v is no InputError", err)
			}
			return
		}
		path := filepath.Join(t.TempDir(), "s")
		if err := WriteSettled(path, scene); err != nil {
			t.Fatal(err)
		}
		again, err := ReadSettled(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range scene.Bodies {
			if again.Bodies[i] != scene.Bodies[i] {
				t.Fatalf("body %d: %v became %v", i, scene.Bodies[i], again.Bodies[i])
			}
		}
	})
}
