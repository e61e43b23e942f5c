package inside

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestReportOfAnySize checks the Report and the Clearance of a shell, right way round and inside
// out, whose size is any power of two: products of several lengths overflow or vanish at most sizes.
func TestReportOfAnySize(t *testing.T) {
	outer, err := surfaces.Sphere(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	points := []vec.Vec3{{X: 1.2}, {X: 0.2, Y: 0.1, Z: -0.9}, {Y: 1.01}, {X: 5, Y: 5}, {X: 0.6}, {X: 0.75}}
	for _, turned := range []bool{false, true} {
		var want Report
		var near []bool
		for _, exp := range []int{0, 127, 128, 200, 260, 299, -127, -128, -200, -260, -300, -400, -1000} {
			m := &geometry.Mesh{Name: "shell"}
			for part, scale := range []float64{1, 0.5} {
				for _, f := range outer.Faces {
					k := part * len(outer.Verts)
					face := []int{f[0] + k, f[1] + k, f[2] + k}
					if (part == 1) != turned {
						face[1], face[2] = face[2], face[1]
					}
					m.Faces = append(m.Faces, face)
				}
				for _, v := range outer.Verts {
					v = v.Scale(scale)
					m.Verts = append(m.Verts, vec.V(math.Ldexp(v.X, exp), math.Ldexp(v.Y, exp), math.Ldexp(v.Z, exp)))
				}
			}
			s, err := New(m, Options{Method: Ray, Workers: 1})
			if err != nil {
				t.Fatalf("size 2^%d: %v", exp, err)
			}
			r := s.Report
			var found []bool
			for _, p := range points {
				p = vec.V(math.Ldexp(p.X, exp), math.Ldexp(p.Y, exp), math.Ldexp(p.Z, exp))
				found = append(found, s.Clearance().Within(p, math.Ldexp(0.21, exp)))
				if s.Clearance().Within(p, math.Ldexp(-9, exp)) {
					t.Errorf("size 2^%d: a distance is below a negative number", exp)
				}
			}
			if exp == 0 {
				want, near = r, found
			}
			for i := range near {
				if found[i] != near[i] {
					t.Errorf("size 2^%d: point %v is near: %v, expected %v", exp, points[i], found[i], near[i])
				}
			}
			if r.Area != math.Ldexp(want.Area, 2*exp) || r.Volume != math.Ldexp(want.Volume, 3*exp) {
				t.Errorf("size 2^%d: area %g, volume %g, expected %g and %g", exp, r.Area, r.Volume, math.Ldexp(want.Area, 2*exp), math.Ldexp(want.Volume, 3*exp))
			}
			if r.Turned != turned || r.Empty || r.Cavities != 1 {
				t.Errorf("size 2^%d, inside out %v: turned %v, empty %v, %d cavities", exp, turned, r.Turned, r.Empty, r.Cavities)
			}
			s.Close()
		}
		if want.Area == 0 || near[0] != true || near[3] != false {
			t.Errorf("area %g, near %v", want.Area, near)
		}
	}
}

// TestDentsOfAnySize checks a prism over a polygon with a dent, whose size is any power of two: areas of
// tiny polygons vanish. Points in the dent, in the plane of the polygon, are outside.
func TestDentsOfAnySize(t *testing.T) {
	outline := []vec.Vec3{{X: 2, Y: 2}, {X: 1, Y: 1}, {Y: 2}, {}, {X: 2}} // a fan about the first corner covers the dent
	for _, exp := range []int{0, 290, -400, -530, -600, -1000} {
		m := &geometry.Mesh{Name: "prism"}
		n := len(outline)
		top, bottom := make([]int, n), make([]int, n)
		at := func(v vec.Vec3) vec.Vec3 {
			return vec.V(math.Ldexp(v.X, exp), math.Ldexp(v.Y, exp), math.Ldexp(v.Z, exp))
		}
		for k, v := range outline {
			m.Verts = append(m.Verts, at(v), at(v.Add(vec.V(0, 0, 1))))
			bottom[n-1-k], top[k] = 2*k, 2*k+1
			next := (k + 1) % n
			m.Faces = append(m.Faces, []int{2 * k, 2 * next, 2*next + 1, 2*k + 1})
		}
		m.Faces = append(m.Faces, top, bottom)
		for _, method := range Methods {
			s, err := New(m, Options{Method: method, Workers: 1})
			if err != nil {
				t.Fatalf("size 2^%d: %v", exp, err)
			}
			points := []vec.Vec3{at(vec.V(1, 1.25, 1)), at(vec.V(1, 0.5, 1)), at(vec.V(1, 0.5, 0.5)), at(vec.V(1, 1.25, 0.5)), at(vec.V(1, 1.25, 0))}
			places := make([]Place, len(points))
			if err := s.Locate(points, places, nil); err != nil {
				t.Fatal(err)
			}
			if want := []Place{Outside, On, Inside, Outside, Outside}; !slices.Equal(places, want) || s.Report.Folded != 0 {
				t.Errorf("size 2^%d, method %s: %v, expected %v; %d polygons folded", exp, method, places, want, s.Report.Folded)
			}
			s.Close()
		}
	}
}
