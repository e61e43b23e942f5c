package inside

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestNextToCorners: solid angles keep their digits at points next to vertices, 10⁻¹⁷ m to a
// millimetre off.
func TestNextToCorners(t *testing.T) {
	m, err := surfaces.Parse("torus:1,0.25,24,12")
	if err != nil {
		t.Fatal(err)
	}
	points := []vec.Vec3{vec.V(0.75, 0, 0), vec.V(-1, 0, -0.25)}
	for k, v := range m.Verts {
		off := []float64{0x1p-56, 0x1p-46, 0x1p-30, 0x1p-18, 0x1p-10}[k%5]
		points = append(points, v.AddScaled(1+off, v.Scale(off)), v.Add(vec.V(off, -off, off)), v.Sub(vec.V(off, off, off)))
	}
	places, values := make([]Place, len(points)), make([]float64, len(points))
	locate := func(o Options, values []float64) *Solid {
		o.Workers = 1
		s, err := New(m, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Locate(points, places, values); err != nil {
			t.Fatal(err)
		}
		return s
	}
	exact := make([]float64, len(points))
	locate(Options{Method: Auto}, exact)
	for _, o := range []struct {
		Options
		within float64
	}{{Options{Method: Winding}, 1e-14}, {Options{Method: FMM}, 1e-3}, {Options{Method: FMM, Depth: "1"}, 1e-3}, {Options{Method: WindingFast}, 6e-3}} {
		s := locate(o.Options, values)
		within := o.within
		if o.Method == FMM {
			// The bound is beyond rounding, which is what clusters.TestWholeTree allows.
			within = min(within, s.Report.Bound+1e-11)
		}
		worst, at, n := 0.0, vec.Vec3{}, 0
		for i, want := range exact {
			if want == 0.5 {
				continue
			}
			n++
			if d := math.Abs(values[i] - want); !(d <= worst) {
				worst, at = d, points[i]
			}
		}
		t.Logf("%s: off by %.2g at the most, of %d points", o.Method, worst, n)
		if worst > within || n < 500 {
			t.Errorf("%s: off by %g at %v, expected %g at the most; %d points beside the surface", o.Method, worst, at, within, n)
		}
	}
}

// TestLeastDistance: a point beside the surface by the least number above 0 has its place.
func TestLeastDistance(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	points := []vec.Vec3{vec.V(least, 1.5, 1.5), vec.V(-least, 1.5, 1.5), vec.V(least, 0.5, 1), vec.V(-least, 3, 1), vec.V(least, least, least)}
	want := []Place{Inside, Outside, Inside, Outside, Inside}
	for _, method := range exactMethods {
		s, err := New(boxMesh(vec.Vec3{}, vec.V(3, 3, 3)), Options{Method: method, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		places, values := make([]Place, len(points)), make([]float64, len(points))
		if err := s.Locate(points, places, values); err != nil {
			t.Fatal(err)
		}
		for i, p := range points {
			if places[i] != want[i] {
				t.Errorf("%s: %v is %v, value %g, expected %v", method, p, places[i], values[i], want[i])
			}
		}
	}
}
