package inside

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestNextToCorners checks that solid angles keep their digits at points 10⁻¹⁷ m to one millimetre
// from vertices.
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
			// Rounding adds to the bound; clusters.TestWholeTree allows as much.
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

// besideCube returns points at a distance d from faces, edges, face diagonals and corners of the
// cube [0, 3·side]³.
func besideCube(side, d float64) (points []vec.Vec3, places []Place) {
	add := func(x, y, z float64, p Place) { points, places = append(points, vec.V(x, y, z)), append(places, p) }
	for _, along := range []float64{0.75 * side, 1.5 * side, (3 - 0x1p-40) * side} {
		add(d, along, along, Inside)
		add(-d, along, along, Outside)
		add(along, along, d, Inside)
		add(along, along, -d, Outside)
		add(along, float64(3*side)-along, d, Inside)
		add(d, along, side, Inside)
		add(-d, 3*side, along, Outside)
		add(0, d, along, On)
		add(d, d, along, Inside)
		add(d, -d, along, Outside)
		add(along, -d, -d, Outside)
	}
	add(0, 0, d, On)
	add(0, d, d, On)
	add(d, d, d, Inside)
	add(-d, d, d, Outside)
	add(-d, -d, d, Outside)
	add(-d, -d, -d, Outside)
	return points, places
}

// checkPlaces compares the places of all methods with the truth, in one call and point by point.
// Values must be finite, and correct away from the surface.
func checkPlaces(t *testing.T, name string, m *geometry.Mesh, points []vec.Vec3, want []Place) {
	t.Helper()
	for _, method := range Methods {
		s, err := New(m, Options{Method: method, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		places, values := make([]Place, len(points)), make([]float64, len(points))
		check := func(from, to int) {
			t.Helper()
			if err := s.Locate(points[from:to], places[from:to], values[from:to]); err != nil {
				t.Fatal(err)
			}
			for i := from; i < to; i++ {
				right := math.Abs(values[i]-float64(want[i])) < 1e-2
				if want[i] == On {
					right = values[i] > 0.1 && values[i] < 0.6
				}
				if places[i] != want[i] || !right {
					t.Errorf("%s, %s: %v is %v, value %g, expected %v", name, method, points[i], places[i], values[i], want[i])
				}
			}
		}
		check(0, len(points))
		for i := range points {
			check(i, i+1)
		}
	}
}

// TestLeastDistance checks, for all methods, points next to the surface, down to the least number
// above 0.
func TestLeastDistance(t *testing.T) {
	for _, side := range []float64{1, 0x1p-300, 0x1p280} {
		m := boxMesh(vec.Vec3{}, vec.V(3*side, 3*side, 3*side))
		for _, d := range []float64{
			math.SmallestNonzeroFloat64, 1e-320, 1e-310, 1e-250, 1e-200, 1e-160, 1e-150, 1e-120, 1e-100, 1e-80, 1e-77, 1e-60, 1e-40, 1e-30, 1e-20, 1e-16,
		} {
			d = max(d*min(side, 1), math.SmallestNonzeroFloat64)
			points, want := besideCube(side, d)
			checkPlaces(t, fmt.Sprintf("%g from a cube of %g", d, 3*side), m, points, want)
		}
	}
}

// TestFarPoints checks that points far away are outside, up to the largest number.
func TestFarPoints(t *testing.T) {
	for _, side := range []float64{0x1p-300, 1, 0x1p280} {
		m := boxMesh(vec.Vec3{}, vec.V(side, side, side))
		var points []vec.Vec3
		for _, far := range []float64{1e85, 1e100, 1e110, 1e150, 1e155, 1e200, 1e308, math.MaxFloat64} {
			points = append(points, vec.V(far, 0, 0), vec.V(far, -far, far), vec.V(0.5*side, 0.5*side, far), vec.V(-far, -far, -far))
		}
		checkPlaces(t, fmt.Sprintf("far from a cube of %g", side), m, points, make([]Place, len(points)))
	}
}

// TestThinPlates checks that plates thinner than products of lengths have an inside.
func TestThinPlates(t *testing.T) {
	for _, thick := range []float64{1e-14, 1e-30, 1e-77, 1e-100, 1e-160, 1e-310} {
		m := boxMesh(vec.Vec3{}, vec.V(1, 1, thick))
		points := []vec.Vec3{
			{X: 0.25, Y: 0.5, Z: 0.5 * thick}, {X: 0.5, Y: 0.5, Z: 0.25 * thick},
			{X: 0.5, Y: 0.25, Z: 1.5 * thick}, {X: 0.5, Y: 0.5, Z: -thick}, {X: 0.25, Y: 0.5, Z: thick},
		}
		checkPlaces(t, fmt.Sprintf("plate of %g", thick), m, points, []Place{Inside, Inside, Outside, Outside, On})
	}
}
