package inside

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// boxMesh returns a box of six quadrilaterals.
func boxMesh(lo, hi vec.Vec3) *geometry.Mesh {
	m := &geometry.Mesh{Name: "box"}
	addBox(m, lo, hi, false)
	return m
}

// addBox appends a box to a mesh, oriented inwards or outwards.
func addBox(m *geometry.Mesh, lo, hi vec.Vec3, inward bool) {
	base := len(m.Verts)
	for k := range 8 {
		m.Verts = append(m.Verts, vec.V(pick(k&1, lo.X, hi.X), pick(k&2, lo.Y, hi.Y), pick(k&4, lo.Z, hi.Z)))
	}
	for _, f := range [][]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		face := make([]int, 4)
		for i, k := range f {
			if inward {
				i = 3 - i
			}
			face[i] = base + k
		}
		m.Faces = append(m.Faces, face)
	}
}

func pick(bit int, a, b float64) float64 {
	if bit == 0 {
		return a
	}
	return b
}

var unit = vec.V(1, 1, 1)

// TestNewRefuses checks that New names the fault of a mesh, with an error of its kind.
func TestNewRefuses(t *testing.T) {
	open := boxMesh(vec.Vec3{}, unit)
	open.Faces = open.Faces[:5]
	turned := boxMesh(vec.Vec3{}, unit)
	f := turned.Faces[3]
	f[0], f[1], f[2], f[3] = f[3], f[2], f[1], f[0]
	nan := boxMesh(vec.Vec3{}, unit)
	nan.Verts[5].Y = math.NaN()
	within := boxMesh(vec.Vec3{}, unit)
	addBox(within, unit.Scale(0.25), unit.Scale(0.5), false)
	inward := boxMesh(vec.Vec3{}, unit)
	addBox(inward, unit.Scale(2), unit.Scale(2.5), true)
	short := boxMesh(vec.Vec3{}, unit)
	short.Faces[2] = short.Faces[2][:2]
	beyond := boxMesh(vec.Vec3{}, unit)
	beyond.Faces[1] = []int{1, 3, 8}
	cases := []struct {
		name string
		mesh *geometry.Mesh
		kind error
		text string
	}{
		{"empty", &geometry.Mesh{}, geometry.ErrEmpty, "no faces, expected one or more"},
		{"open", open, geometry.ErrNotClosed, "4 boundary edges of one face, first (1 0 1) to (0 0 1) of face 2"},
		{"open still answers", open, geometry.ErrNotClosed, "winding-fast take it as it is"},
		{"one face turned", turned, geometry.ErrNotOriented, "4 edges where the faces do not pass each way equally often"},
		{"not finite", nan, geometry.ErrNotFinite, "vertex 5"},
		{"solid within a solid", within, geometry.ErrSelfIntersecting, "the component of face 6 turns outwards"},
		{"cavity outside", inward, geometry.ErrNotOriented, "the component of face 6 turns inwards"},
		{"short face", short, geometry.ErrTruncated, "face 2 has 2 vertices"},
		{"no such vertex", beyond, geometry.ErrTruncated, "face 1 names vertex 8"},
	}
	for _, c := range cases {
		if _, err := New(c.mesh, Options{Method: FMM, Workers: 1}); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: error %v, expected one with %q", c.name, err, c.text)
		}
	}
	for _, dirty := range []*geometry.Mesh{within, inward} {
		for _, method := range []Method{Winding, WindingFast} {
			s, err := New(dirty, Options{Method: method, Workers: 1})
			if err != nil {
				t.Errorf("%s: %v", method, err)
				continue
			}
			var place [1]Place
			var value [1]float64
			if err := s.Locate([]vec.Vec3{vec.V(0.375, 0.3, 0.4)}, place[:], value[:]); err != nil || place[0] != Inside {
				t.Errorf("%s: a point in a solid within a solid, or in one beside a cavity: %v, %v, %v", method, place[0], value[0], err)
			}
			s.Close()
		}
	}
	if _, err := New(open, Options{Method: "best"}); !errors.Is(err, geometry.ErrValue) {
		t.Errorf("method best: %v", err)
	}
	if _, err := New(nil, Options{}); !errors.Is(err, geometry.ErrEmpty) {
		t.Errorf("no mesh: %v", err)
	}
	for _, workers := range []int{-1, maxWorkers + 1, math.MaxInt} {
		if _, err := New(boxMesh(vec.Vec3{}, unit), Options{Workers: workers}); !errors.Is(err, geometry.ErrValue) || !strings.Contains(err.Error(), "expected 0 to 1024") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// TestReport checks what New reports about a cavity, a mesh inside out, and vertices repeated for
// each face.
func TestReport(t *testing.T) {
	m := boxMesh(vec.Vec3{}, unit)
	addBox(m, unit.Scale(0.25), unit.Scale(0.75), true)
	s, err := New(m, Options{Method: Winding, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Report
	if r.Components != 2 || r.Cavities != 1 || r.Turned || r.Triangles != 24 || r.Vertices != 16 ||
		r.Volume != 1-0.125 || r.Area != 6+1.5 || !r.Closed() {
		t.Errorf("cavity: %+v", r)
	}
	for _, f := range m.Faces {
		f[0], f[1], f[2], f[3] = f[3], f[2], f[1], f[0]
	}
	soup := &geometry.Mesh{}
	for _, f := range m.Faces {
		soup.Faces = append(soup.Faces, []int{len(soup.Verts), len(soup.Verts) + 1, len(soup.Verts) + 2, len(soup.Verts) + 3})
		for _, k := range f {
			soup.Verts = append(soup.Verts, m.Verts[k])
		}
	}
	// Minus zero equals zero.
	soup.Verts[0].X = math.Copysign(soup.Verts[0].X, -1)
	if s, err = New(soup, Options{Method: Winding, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	r = s.Report
	if !r.Turned || r.Welded != 48-16 || r.Volume != 1-0.125 || r.Cavities != 1 {
		t.Errorf("inside out: %+v", r)
	}
}

// TestPolygons checks that faces with dents and with collinear corners enclose the expected points.
func TestPolygons(t *testing.T) {
	// A prism over a comb of two teeth; its floor and roof are one polygon each.
	outline := [][2]float64{{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}
	n := len(outline)
	m := &geometry.Mesh{}
	var floor, roof []int
	for k, p := range outline {
		m.Verts = append(m.Verts, vec.V(p[0], p[1], 0), vec.V(p[0], p[1], 1))
		floor = append([]int{2 * k}, floor...)
		roof = append(roof, 2*k+1)
		next := (k + 1) % n
		m.Faces = append(m.Faces, []int{2 * k, 2 * next, 2*next + 1, 2*k + 1})
	}
	m.Faces = append(m.Faces, floor, roof)
	s, err := New(m, Options{Method: Winding})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Report; r.Folded != 0 || math.Abs(r.Volume-11) > 1e-13 || r.Triangles != 2*(n-2)+2*n {
		t.Errorf("comb: %+v", r)
	}
	points := []vec.Vec3{{X: 0.5, Y: 2, Z: 0.5}, {X: 1.5, Y: 2, Z: 0.5}, {X: 2.5, Y: 2, Z: 0.5}, {X: 3.5, Y: 2, Z: 1}, {X: 4.5, Y: 2, Z: 1}, {X: 3.5, Y: 0.5, Z: 0.5}}
	want := []Place{Inside, Outside, Inside, Outside, On, Inside}
	places := make([]Place, len(points))
	if err := s.Locate(points, places, nil); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if places[i] != want[i] {
			t.Errorf("point %v: %v, want %v", points[i], places[i], want[i])
		}
	}
}

// TestNotFinitePoints checks that the error names the first row, and that the other rows are
// located.
func TestNotFinitePoints(t *testing.T) {
	s, err := New(boxMesh(vec.Vec3{}, unit), Options{Method: Winding, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	points := make([]vec.Vec3, 10000)
	for i := range points {
		points[i] = vec.V(0.5, 0.25, 0.125)
	}
	points[7777].Z, points[4242].X, points[9999].Y = math.Inf(1), math.NaN(), math.Inf(-1)
	places, values := make([]Place, len(points)), make([]float64, len(points))
	err = s.Locate(points, places, values)
	if !errors.Is(err, geometry.ErrNotFinite) || !strings.Contains(err.Error(), "point 4242 ") || !strings.Contains(err.Error(), "3 such") {
		t.Errorf("error %v, expected one that names point 4242 of 3", err)
	}
	for i, p := range points {
		want := Outside
		if p.Finite() {
			want = Inside
		}
		if places[i] != want || math.IsNaN(values[i]) == p.Finite() {
			t.Fatalf("point %d %v: %v, value %v", i, p, places[i], values[i])
		}
	}
}

// agree locates points by two methods and compares places. It also compares values that differ from
// 0, 1/2 and 1 by more than rounding.
func agree(t *testing.T, name string, m *geometry.Mesh, points []vec.Vec3, methods ...Method) (places []Place) {
	t.Helper()
	for k, method := range methods {
		s, err := New(m, Options{Method: method, Workers: 2, Seed: 3})
		if err != nil {
			t.Fatalf("%s by %s: %v", name, method, err)
		}
		got, values := make([]Place, len(points)), make([]float64, len(points))
		if err := s.Locate(points, got, values); err != nil {
			t.Fatalf("%s by %s: %v", name, method, err)
		}
		if k == 0 {
			places = got
			continue
		}
		wrong := 0
		for i := range got {
			if got[i] != places[i] {
				if wrong++; wrong <= 3 {
					t.Errorf("%s: point %d %v: %s %v, %s %v", name, i, points[i], methods[0], places[i], method, got[i])
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d points differ", name, wrong, len(points))
		}
	}
	return places
}
