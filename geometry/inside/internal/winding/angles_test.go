package winding

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// cube returns the cube of side 2 about the origin, scaled and moved.
func cube(scale float64, at vec.Vec3) *tri.Surface {
	s := &tri.Surface{}
	for k := range 8 {
		s.Verts = append(s.Verts, vec.V(float64(2*(k&1)-1), float64(k&2-1), float64(k&4/2-1)).Scale(scale).Add(at))
	}
	for _, f := range [][4]uint32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		s.Tris = append(s.Tris, [3]uint32{f[0], f[1], f[2]}, [3]uint32{f[0], f[2], f[3]})
	}
	return s
}

// TestCube checks that the winding number of a cube is 1 inside, 1/2 on faces, 1/4 on edges, 1/8 on
// corners and 0 outside, to rounding, at any scale and place that keep the coordinates exact.
func TestCube(t *testing.T) {
	cases := []struct {
		name  string
		at    vec.Vec3
		value float64
		place tri.Place
	}{
		{"centre", vec.Vec3{}, 1, tri.Inside},
		{"inside", vec.V(0.3, -0.9, 0.99), 1, tri.Inside},
		{"face", vec.V(1, 0, 0), 0.5, tri.On},
		{"face off the diagonal", vec.V(0.25, -1, 0.75), 0.5, tri.On},
		{"edge", vec.V(1, 1, 0), 0.25, tri.On},
		{"corner", vec.V(-1, 1, -1), 0.125, tri.On},
		{"outside", vec.V(3, 0.25, -0.5), 0, tri.Outside},
		{"level with a face", vec.V(1, 4, 0), 0, tri.Outside},
		{"in line with an edge", vec.V(1, 1, -7), 0, tri.Outside},
		{"just inside", vec.V(1-0x1p-32, 0.5, 0.25), 1, tri.Inside},
		{"just outside", vec.V(1+0x1p-32, 0.5, 0.25), 0, tri.Outside},
		{"just inside an edge", vec.V(1-0x1p-32, 1-0x1p-32, 0.25), 1, tri.Inside},
		{"just outside an edge", vec.V(1+0x1p-32, 1+0x1p-32, 0.25), 0, tri.Outside},
	}
	for _, frame := range []struct {
		scale float64
		at    vec.Vec3
	}{{1, vec.Vec3{}}, {0x1p-20, vec.Vec3{}}, {0x1p20, vec.Vec3{}}, {1, vec.V(1<<20, -1<<19, 3<<18)}, {0x1p-300, vec.Vec3{}}, {0x1p290, vec.Vec3{}}} {
		w := New(cube(frame.scale, frame.at))
		for _, c := range cases {
			points := []vec.Vec3{c.at.Scale(frame.scale).Add(frame.at)}
			places, values := make([]tri.Place, 1), make([]float64, 1)
			w.Range(points, places, values)
			if places[0] != c.place || math.Abs(values[0]-c.value) > 1e-14 {
				t.Errorf("%s, scale %g, at %v: %v, value %.17g (off by %.2g), want %v, %v", c.name, frame.scale, frame.at,
					places[0], values[0], values[0]-c.value, c.place, c.value)
			}
		}
	}
}

// TestNeedles checks points in and beside needles, down to widths at which a cross product of two
// short vectors underflows. Two edges pass as near to a point as the needle is wide.
func TestNeedles(t *testing.T) {
	for _, w := range []float64{1e-6, 1e-12, 1e-15, 1e-16, 1e-17, 1e-30, 1e-90, 1e-140} {
		for _, scale := range []float64{1, 1e90} {
			s := &tri.Surface{Tris: [][3]uint32{{0, 2, 1}, {1, 2, 3}, {0, 1, 3}, {0, 3, 2}}}
			for _, v := range []vec.Vec3{vec.V(w, 0, 0), vec.V(0, w, 1), vec.V(-w, -w, 0.25), vec.V(2*w, -w, 1)} {
				s.Verts = append(s.Verts, v.Scale(scale))
			}
			if vec.Orient3D(s.Verts[0], s.Verts[1], s.Verts[2], s.Verts[3]) < 0 {
				s.Tris = [][3]uint32{{0, 1, 2}, {1, 3, 2}, {0, 3, 1}, {0, 2, 3}}
			}
			var points []vec.Vec3
			for k := range 20 {
				inside := vec.Vec3{}
				for i, v := range s.Verts {
					inside = inside.AddScaled([]float64{0.1, 0.2, 0.3, 0.4}[(i+k)%4], v)
				}
				beside := vec.V(float64(k-10)*w, 4*w, float64(k)/20).Scale(scale)
				points = append(points, inside, beside)
			}
			places, values := make([]tri.Place, len(points)), make([]float64, len(points))
			New(s).Range(points, places, values)
			for i, v := range values {
				if want := float64(1 - i%2); !(math.Abs(v-want) <= 1e-14) {
					t.Errorf("width %g, scale %g, point %v: %v, want %v", w, scale, points[i], v, want)
				}
			}
		}
	}
}

// TestRangeAllocatesNothing checks that locating a range of points allocates nothing.
func TestRangeAllocatesNothing(t *testing.T) {
	w := New(cube(1, vec.Vec3{}))
	points, places, values := make([]vec.Vec3, 100), make([]tri.Place, 100), make([]float64, 100)
	if n := testing.AllocsPerRun(10, func() { w.Range(points, places, values) }); n != 0 {
		t.Errorf("%v allocations, expected none", n)
	}
}
