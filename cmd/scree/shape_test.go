package main

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

type shapesJSON struct{ Shapes []shapeInfo }

func TestShapeInfo(t *testing.T) {
	r := call("shape", "info", "box:1x2x3", "ball:2", "superquadric:1,1,1,1,1,500", "--json")
	r.wants(t, 0)
	s := decode[shapesJSON](t, r.out).Shapes
	if len(s) != 3 {
		t.Fatalf("%d shapes, expected 3", len(s))
	}
	box := s[0]
	if box.Kind != "block" || box.Vertices != 8 || box.Faces != 6 || box.Edges != 12 || !box.Usable || !*box.Closed || !*box.Convex {
		t.Errorf("box: %+v", box)
	}
	// Inertia of a box about its centre: V/12·(b² + c²).
	if b := box.Body; b.Volume != 6 || b.Inertia != [6]float64{6.5, 5, 2.5} || b.Moments != [3]float64{6.5, 5, 2.5} ||
		b.InnerRadius > 0.5 || b.InnerRadius < 0.5-1e-12 || math.Abs(b.BoundingRadius-math.Sqrt(3.5)) > 1e-12 ||
		b.Frame != [4]float64{1} || b.Box != [6]float64{-0.5, -1, -1.5, 0.5, 1, 1.5} {
		t.Errorf("box: %+v", *b)
	}
	if b := s[1].Body; s[1].Kind != "ball" || math.Abs(b.Volume-32*math.Pi/3) > 1e-12 || b.BoundingRadius != 2 {
		t.Errorf("ball: %+v %+v", s[1], *b)
	}
	if v := s[2].Body.Volume; v > 4*math.Pi/3 || v < 0.95*4*math.Pi/3 {
		t.Errorf("superquadric that is a ball has volume %g", v)
	}
	text := call("shape", "info", "box:1x2x3")
	text.wants(t, 0)
	for _, want := range []string{"vertices           8, faces 6, edges 12", "volume             6\n", "tolerances", "can be a body"} {
		if !strings.Contains(text.out, want) {
			t.Errorf("text %q, expected %q in it", text.out, want)
		}
	}
}

// TestShapeInfoMoved reads a brick with coordinates of six digits. Its vertices move into planes by
// less than a millionth.
func TestShapeInfoMoved(t *testing.T) {
	path := write(t, "brick.obj", cubeOBJ(func(_ int, v *[3]float64) {
		p := vec.FromRotationVector(vec.V(0.4, 0.2, 0.3)).Rotate(vec.V(v[0], v[1], v[2]))
		*v = [3]float64{math.Round(p.X*1e6) / 1e6, math.Round(p.Y*1e6) / 1e6, math.Round(p.Z*1e6) / 1e6}
	}))
	r := call("shape", "info", path, "--json")
	r.wants(t, 0)
	b := decode[shapesJSON](t, r.out).Shapes[0].Body
	if !(b.Moved > 1e-8 && b.Moved <= 1e-6*1.8) || b.Spread > 1e-15 || b.Split != 0 {
		t.Errorf("vertices moved by %g, faces bend by %g, %d split", b.Moved, b.Spread, b.Split)
	}
	if text := call("shape", "info", path).out; !strings.Contains(text, "vertices moved") {
		t.Errorf("text %q", text)
	}
}

// TestShapeInfoFile reads a mesh away from the origin of its frame. The output refers to the frame
// of the file.
func TestShapeInfoFile(t *testing.T) {
	path := write(t, "brick.obj", cubeOBJ(func(_ int, v *[3]float64) { v[0] += 10 }))
	r := call("shape", "info", path, "--json")
	r.wants(t, 0)
	s := decode[shapesJSON](t, r.out).Shapes[0]
	if s.Name != "brick" || s.Faces != 6 || s.Body.Volume != 1 || s.Body.Centroid != [3]float64{10.5, 0.5, 0.5} || !(s.Body.Merge > 0) {
		t.Errorf("%+v %+v", s, *s.Body)
	}
	r = callWith(read(t, path), "shape", "info", "-", "--format", "obj", "--json")
	r.wants(t, 0)
	if b := decode[shapesJSON](t, r.out).Shapes[0].Body; b.Volume != 1 {
		t.Errorf("from standard input: %+v", *b)
	}
}

// TestShapeInfoBad tests each kind of mesh that cannot be a body. Each is reported in one line with
// the file, and shown with its verdict.
func TestShapeInfoBad(t *testing.T) {
	dent := cubeOBJ(func(i int, v *[3]float64) {
		if i == 7 {
			*v = [3]float64{0.4, 0.4, 0.4}
		}
	}, "1 3 4 2", "5 6 8", "5 8 7", "1 2 6 5", "3 7 8", "3 8 4", "1 5 7 3", "2 4 8", "2 8 6")
	star := "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 1\nv 0.2 0.2 -1\nv 0.3 0.3 0.2\n"
	stl := make([]byte, 84)
	binary.LittleEndian.PutUint32(stl[80:], 3)
	for _, c := range []struct {
		name, file, content string
		closed, convex      *bool
		want                []string
	}{
		{"not convex", "dent.obj", dent, new(true), new(bool), []string{"dent.obj", "not convex", "shape hull"}},
		{"open", "open.obj", cubeOBJ(nil, "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3"), new(bool), nil, []string{"open.obj", "edge", "not closed"}},
		{"flat", "flat.obj", cubeOBJ(func(_ int, v *[3]float64) { v[2] = 0 }), nil, nil, []string{"flat.obj"}},
		{"no faces", "points.obj", star, nil, nil, []string{"points.obj"}},
		{"empty", "empty.obj", "", nil, nil, []string{"empty.obj", "at least one vertex"}},
		{"not a number", "nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", nil, nil, []string{"nan.obj, line 2", "nan", "finite"}},
		{"index out of range", "range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", nil, nil, []string{"range.obj, line 4", "9"}},
		{"truncated", "short.stl", string(stl), nil, nil, []string{"short.stl", "truncated"}},
		{"truncated text", "short.off", "OFF\n8 6 0\n0 0 0\n", nil, nil, []string{"short.off", "truncated"}},
		{"unknown format", "mesh.xyz", "", nil, nil, []string{"mesh.xyz", ".stl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := call("shape", "info", write(t, c.file, c.content), "--json")
			r.wants(t, 2, c.want...)
			if n := strings.Count(r.err, "\n"); n != 1 {
				t.Errorf("%d lines on standard error:\n%s", n, r.err)
			}
			shapes := decode[shapesJSON](t, r.out).Shapes
			if c.closed == nil && c.convex == nil {
				return
			}
			s := shapes[0]
			same := func(a, b *bool) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
			if s.Usable || s.Body != nil || s.Error == "" || !same(s.Closed, c.closed) || !same(s.Convex, c.convex) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestShapeInfoSelfIntersecting intersects two faces of a closed surface.
func TestShapeInfoSelfIntersecting(t *testing.T) {
	// The top is pushed through the bottom on one side.
	path := write(t, "cross.obj", cubeOBJ(func(i int, v *[3]float64) {
		switch i {
		case 4:
			v[2] = -1
		case 6:
			v[2] = -2
		case 7:
			v[2] = 2
		}
	}, "1 3 2", "3 4 2", "5 6 8", "5 8 7", "1 2 6", "1 6 5", "3 7 8", "3 8 4", "1 5 7", "1 7 3", "2 4 8", "2 8 6"))
	call("shape", "info", path).wants(t, 2, "cross.obj", "cross", "cuts itself")
}

// TestShapeInfoGoesOn: the valid shapes are shown beside an invalid one.
func TestShapeInfoGoesOn(t *testing.T) {
	r := call("shape", "info", "box:1x1x1", "no-such.obj", "tetra:1")
	r.wants(t, 2, "no-such.obj")
	if strings.Count(r.out, "can be a body") != 2 {
		t.Errorf("standard output:\n%s", r.out)
	}
	call("shape", "info", "box:1x1").wantsOneLine(t, 2, "box:1x1", "box:AxBxC")
	call("shape", "info", "ball:-1").wantsOneLine(t, 2, "ball:-1", "-1")
	call("shape", "info").wantsOneLine(t, 2, "no shape")
	call("shape", "info", "-").wantsOneLine(t, 2, "--format", "obj")
}

func TestShapeHull(t *testing.T) {
	// A cube with a point inside and one on a face: the hull has the eight corners.
	in := write(t, "points.obj", cubeOBJ(nil, []string{}...)+"v 0.5 0.5 0.5\nv 0.5 0.5 1\n")
	for _, ext := range []string{".obj", ".off", ".stl"} {
		out := filepath.Join(t.TempDir(), "hull"+ext)
		call("shape", "hull", in, "-o", out).wants(t, 0, "8 vertices, 6 faces")
		r := call("shape", "info", out, "--json")
		r.wants(t, 0)
		if s := decode[shapesJSON](t, r.out).Shapes[0]; s.Vertices != 8 || s.Faces != 6 || math.Abs(s.Body.Volume-1) > 1e-6 {
			t.Errorf("%s: %+v", ext, s)
		}
	}
	flat := write(t, "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n")
	call("shape", "hull", flat, "-o", filepath.Join(t.TempDir(), "x.obj")).wantsOneLine(t, 2, "flat.obj", "flat")
	call("shape", "hull", in).wantsOneLine(t, 2, "-o")
	call("shape", "hull", in, "-o", "x.ply").wantsOneLine(t, 2, "x.ply", ".off")
	call("shape", "hull", "no-such.obj", "-o", "x.obj").wantsOneLine(t, 2, "no-such.obj")
}

func TestShapeMake(t *testing.T) {
	for _, spec := range []string{"box:1x2x3", "tetra:1", "octa:1", "dodeca:1", "icosa:1", "rock:7,20,0.5", "prism:6,1,2", "superquadric:1,2,3,0.3,1,60"} {
		for _, ext := range []string{".obj", ".off", ".stl"} {
			out := filepath.Join(t.TempDir(), "shape"+ext)
			call("shape", "make", spec, "-o", out, "--quiet").wants(t, 0)
			r := call("shape", "info", spec, out, "--json")
			r.wants(t, 0)
			s := decode[shapesJSON](t, r.out).Shapes
			if a, b := s[0], s[1]; a.Vertices != b.Vertices || a.Faces != b.Faces || math.Abs(a.Body.Volume/b.Body.Volume-1) > 1e-6 {
				t.Errorf("%s%s: %+v, expected %+v", spec, ext, b, a)
			}
		}
	}
	stdout := call("shape", "make", "tetra:1", "-o", "-", "--format", "off")
	stdout.wants(t, 0)
	if !strings.HasPrefix(stdout.out, "OFF\n4 4 0\n") {
		t.Errorf("standard output %q", stdout.out)
	}
	call("shape", "make", "ball:1", "-o", "x.obj").wantsOneLine(t, 2, "ball", "superquadric:1,1,1,1,1,200")
	call("shape", "make", "cone:1", "-o", "x.obj").wantsOneLine(t, 2, "cone:1", "expected one of")
	call("shape", "make", "superquadric:1,1,1,9,1,60", "-o", "x.obj").wantsOneLine(t, 2, "9")
	call("shape", "make", "superquadric:1,1", "-o", "x.obj").wantsOneLine(t, 2, "superquadric:A,B,C")
	missing := filepath.Join(t.TempDir(), "no", "such", "x.obj")
	call("shape", "make", "tetra:1", "-o", missing).wantsOneLine(t, 2, missing, "no folder")
}

// TestShapeCompletion: the completion offers the kinds of builtins.
func TestShapeCompletion(t *testing.T) {
	r := call("__complete", "shape", "make", "")
	r.wants(t, 0)
	if !slices.Contains(strings.Split(r.out, "\n"), "rock:") {
		t.Errorf("completion: %q", r.out)
	}
}

// TestShapeSurface writes surfaces, and rejects invalid descriptions.
func TestShapeSurface(t *testing.T) {
	out := filepath.Join(t.TempDir(), "foam.obj")
	call("shape", "surface", "foam:1,15", "-o", out).wantsOneLine(t, 0, "foam.obj: 13888 vertices, 28548 faces")
	if r := call("shape", "surface", "sphere:2,0", "-o", "-", "--format", "off"); r.status != 0 || !strings.HasPrefix(r.out, "OFF\n6 8 0\n2 0 0\n-2 0 0\n") {
		t.Errorf("status %d, %q", r.status, r.out)
	}
	call("shape", "surface", "ball:1", "-o", out).wantsOneLine(t, 2, `"ball:1"`, "sphere:R,k")
	call("shape", "surface", "foam:1,3", "-o", out).wantsOneLine(t, 2, "is 3, expected 8 to 200", `"foam:1,3"`)
	call("shape", "surface", "sphere:1,2").wantsOneLine(t, 2, "-o OUT.stl")
}
