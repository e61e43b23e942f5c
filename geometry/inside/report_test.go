package inside

import (
	"errors"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestPolygonsWithSpikes checks that edges of a face that cancel are no edges of the surface. The
// spikes lie on a side of the face, cross the face, leave it, return along a side, or are a face of
// their own.
func TestPolygonsWithSpikes(t *testing.T) {
	for name, face := range map[string][]int{
		"side": {0, 2, 3, 1, 5, 1}, "across": {0, 2, 3, 1, 2, 1}, "outwards": {0, 8, 0, 2, 3, 1}, "two edges": {0, 8, 7, 8, 0, 2, 3, 1},
		"around": {1, 3, 7, 5, 7, 3, 7, 5},
	} {
		m := boxMesh(vec.Vec3{}, unit)
		m.Verts = append(m.Verts, vec.V(-1, -2, 0))
		f := 4
		if name == "around" {
			f = 1
		}
		m.Faces[f] = face
		m.Faces = append(m.Faces, []int{0, 3, 8, 3})
		s, err := New(m, Options{Method: Ray, Workers: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r := s.Report; r.Volume != 1 || r.Triangles != 12 || r.Area != 6 {
			t.Errorf("%s: %+v", name, r)
		}
		s.Close()
	}
}

// TestOpenEdges checks that an extra face is not reported as a hole.
func TestOpenEdges(t *testing.T) {
	twice, fin := boxMesh(vec.Vec3{}, unit), boxMesh(vec.Vec3{}, unit)
	twice.Faces = append(twice.Faces, twice.Faces[3])
	fin.Verts = append(fin.Verts, vec.V(3, 3, 3))
	fin.Faces = append(fin.Faces, []int{0, 1, 8})
	for name, c := range map[string]struct {
		mesh *geometry.Mesh
		want string
	}{
		"face twice": {twice, `: 4 edges of three faces or another odd number, first `},
		"fin":        {fin, `: 2 boundary edges of one face, first `},
	} {
		_, err := New(c.mesh, Options{Method: Ray, Workers: 1})
		if !errors.Is(err, geometry.ErrNotClosed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
		fault := Fault(err)
		if text := fault.Error(); !errors.Is(fault, geometry.ErrNotClosed) || strings.Contains(text, "mesh") || strings.Contains(text, "winding") {
			t.Errorf("%s: %v, expected neither the mesh nor a method", name, fault)
		}
	}
}

// TestEmpty checks that all methods reject a mesh without area, and that a two-sided sheet is
// accepted and reported. A thin plate, a body of the smallest numbers and an open sheet are not
// empty.
func TestEmpty(t *testing.T) {
	corners := []vec.Vec3{{}, {X: 1, Z: 0.1}, {X: 1, Y: 1, Z: 0.3}, {Y: 1, Z: 0.7}, {X: 0.25, Z: 0.025}}
	sheet := &geometry.Mesh{Verts: corners[:4], Faces: [][]int{{0, 1, 2}, {0, 2, 3}, {2, 1, 0}, {3, 2, 0}}}
	line := &geometry.Mesh{Verts: []vec.Vec3{{}, {X: 1}, {X: 2}, {X: 3}}, Faces: [][]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}}
	open := &geometry.Mesh{Verts: corners[:4], Faces: [][]int{{0, 1, 2}, {0, 2, 3}}}
	scaled := func(v vec.Vec3) *geometry.Mesh {
		m := boxMesh(vec.Vec3{}, unit)
		for i, x := range m.Verts {
			m.Verts[i] = vec.V(float64(x.X*v.X), float64(x.Y*v.Y), float64(x.Z*v.Z))
		}
		return m
	}
	points := []vec.Vec3{{X: 0.5, Y: 0.5}, {X: 0.5, Y: 0.5, Z: 0.5}, corners[2]}
	for _, method := range Methods {
		o := Options{Method: method, Workers: 1}
		if _, err := New(line, o); !errors.Is(err, geometry.ErrFlat) || !strings.Contains(err.Error(), "none of 3 faces has an area") {
			t.Errorf("%s, without area: %v", method, err)
		}
		s, err := New(sheet, o)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		places := make([]Place, len(points))
		if err := s.Locate(points, places, nil); err != nil || !s.Report.Empty || places[0] != Outside || places[1] != Outside || places[2] != On {
			t.Errorf("%s, sheet: %v, %v, empty %v", method, places, err, s.Report.Empty)
		}
		s.Close()
		for name, m := range map[string]*geometry.Mesh{"plate": scaled(vec.V(1, 1, 0x1p-40)), "least": scaled(vec.V(0x1p-400, 0x1p-400, 0x1p-400)), "open": open} {
			if name == "open" && !method.TakesOpen() {
				continue
			}
			s, err := New(m, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", method, name, err)
			}
			if s.Report.Empty {
				t.Errorf("%s, %s: empty", method, name)
			}
			s.Close()
		}
	}
}

// TestSheetBesideABody checks two-sided sheets alone and beside a cube. The triangles of every other
// sheet are needles. Rounding decides the sign of a sheet's computed volume, so the sign must have no
// effect.
func TestSheetBesideABody(t *testing.T) {
	box, err := geometry.Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := geometry.NewRand(5)
	for i := range 40 {
		q, width := r.Rotation(), []float64{1, 1e-9}[i%2]
		m := &geometry.Mesh{Name: "sheet"}
		for _, v := range []vec.Vec3{{X: 3}, {X: 3.4, Y: 0.1}, {X: 3.4, Y: 0.5}, {X: 3.1, Y: 0.6}, {X: 3.2, Y: 0.3}} {
			m.Verts = append(m.Verts, q.Rotate(vec.V(v.X, v.Y*width, v.Z)).Add(vec.V(3, 1, 2)))
		}
		for k := range 4 {
			m.Faces = append(m.Faces, []int{k, (k + 1) % 4, 4}, []int{4, (k + 1) % 4, k})
		}
		s, err := New(m, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !s.Report.Empty || s.Report.Turned {
			t.Errorf("a sheet is empty: %v, turned: %v", s.Report.Empty, s.Report.Turned)
		}
		s.Close()
		for f := range box.NFaces() {
			var face []int
			for _, k := range box.Loop(f) {
				face = append(face, len(m.Verts)+int(k))
			}
			m.Faces = append(m.Faces, face)
		}
		m.Verts = append(m.Verts, box.Verts...)
		if s, err = New(m, Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		if s.Report.Components != 2 || s.Report.Cavities != 0 {
			t.Errorf("%d components, %d cavities", s.Report.Components, s.Report.Cavities)
		}
		s.Close()
	}
}

// TestNeedlesAreNotTurned checks needles whose area vectors are below the rounding of a product of
// two sides: the sign of their volume is that of the exact volume.
func TestNeedlesAreNotTurned(t *testing.T) {
	r := geometry.NewRand(7)
	for range 40 {
		m := &geometry.Mesh{Name: "needle", Faces: [][]int{{0, 2, 1}, {1, 2, 3}, {0, 1, 3}, {0, 3, 2}}}
		from, along := r.Unit(), r.Unit()
		for _, at := range []float64{0, 1, 0.3, 0.6} {
			m.Verts = append(m.Verts, from.AddScaled(at, along).Add(r.Unit().Scale(1e-10)))
		}
		out := vec.Orient3D(m.Verts[0], m.Verts[1], m.Verts[2], m.Verts[3]) > 0
		s, err := New(m, Options{Method: Ray, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if s.Report.Turned == out || s.Report.Empty {
			t.Errorf("needle %v: turned %v, empty %v", m.Verts, s.Report.Turned, s.Report.Empty)
		}
		s.Close()
	}
}
