package treecode

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// one is a pool of one worker.
var one = sched.New(1)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func surfaceOf(m *geometry.Mesh) *tri.Surface {
	s := &tri.Surface{Verts: m.Verts}
	for _, f := range m.Faces {
		s.Tris = append(s.Tris, [3]uint32{uint32(f[0]), uint32(f[1]), uint32(f[2])})
	}
	return s
}

func scattered(seed uint64, n int, box vec.Box) []vec.Vec3 {
	r := rand.New(rand.NewPCG(seed, 2))
	d := box.Size()
	points := make([]vec.Vec3, n)
	for i := range points {
		points[i] = box.Min.Add(vec.V(d.X*r.Float64(), d.Y*r.Float64(), d.Z*r.Float64()))
	}
	return points
}

// plain returns the winding number by the sum over all triangles, with functions of the standard
// library.
func plain(s *tri.Surface, x vec.Vec3) float64 {
	sum := 0.0
	for t := range s.Tris {
		a, b, c := s.Corners(t)
		a, b, c = a.Sub(x), b.Sub(x), c.Sub(x)
		na, nb, nc := a.Norm(), b.Norm(), c.Norm()
		sum += math.Atan2(a.Dot(b.Cross(c)), na*nb*nc+a.Dot(b)*nc+a.Dot(c)*nb+b.Dot(c)*na)
	}
	return sum / (2 * math.Pi)
}

// soup is a set of unrelated triangles.
func soup(seed uint64, n int) *tri.Surface {
	r := rand.New(rand.NewPCG(seed, 1))
	s := new(tri.Surface)
	for range n {
		at := vec.V(r.Float64(), r.Float64(), r.Float64())
		for range 3 {
			s.Verts = append(s.Verts, at.Add(vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(0.1)))
		}
		k := uint32(len(s.Verts))
		s.Tris = append(s.Tris, [3]uint32{k - 3, k - 2, k - 1})
	}
	return s
}

// TestDipoles compares the moments of the root with the sum over all triangles. Relative to the
// angle, the error must fall with the fourth power of the distance; without the last moments, with
// the third.
func TestDipoles(t *testing.T) {
	s := soup(1, 40)
	m := New(s, one)
	center := m.places[0].center
	direction := vec.V(0.3, -0.5, 0.8).Unit()
	last := 0.0
	for k, distance := range []float64{8, 16, 32, 64} {
		w := newWorkspace()
		x := center.Add(direction.Scale(distance * m.places[0].radius))
		w.sums.Load([]vec.Vec3{x})
		asm1(w, m)
		want := plain(s, x.Scale(1/m.tree.Scale)) * 4 * math.Pi
		e := math.Abs(w.sum[0] - want)
		if ratio := last / e; k > 0 && (ratio < 24 || ratio > 44) {
			t.Errorf("at %v radii the error is %g, at half of it %g: %v times as much, want 32", distance, e, last, ratio)
		}
		last = e
	}
}

// TestAgainstTheSum checks that the error for closed, open and dirty surfaces is within the stated
// accuracy.
func TestAgainstTheSum(t *testing.T) {
	open := surfaceOf(must(surfaces.Sphere(1, 4)))
	open.Tris = open.Tris[:len(open.Tris)*5/6]
	for name, s := range map[string]*tri.Surface{
		"sphere": surfaceOf(must(surfaces.Sphere(1, 4))), "torus": surfaceOf(must(surfaces.Torus(1, 0.4, 60, 30))), "open": open, "soup": soup(2, 1000),
	} {
		m := New(s, one)
		points := scattered(3, 1000, s.Box().Enlarged(0.2))
		places, values := make([]tri.Place, len(points)), make([]float64, len(points))
		m.Range(points, places, values)
		worst := 0.0
		for i, x := range points {
			want := plain(s, x)
			worst = max(worst, math.Abs(values[i]-want))
			if math.Abs(math.Abs(want)-0.5) > 0.01 && (places[i] == tri.Inside) != (math.Abs(want) > 0.5) {
				t.Errorf("%s: point %v is %v, winding number %v", name, x, places[i], want)
			}
		}
		t.Logf("%s: worst error %.2g", name, worst)
		if !(worst < 5e-3) {
			t.Errorf("%s: error %g, stated 5e-3", name, worst)
		}
	}
}

// TestOnTheSurface checks points on faces and corners, where the number is a fraction of the
// sphere.
func TestOnTheSurface(t *testing.T) {
	s := surfaceOf(must(surfaces.Sphere(1, 0)))
	m := New(s, one)
	points := []vec.Vec3{{X: 0.5, Y: 0.25, Z: 0.25}, {X: 0.25, Y: 0.25, Z: 0.25}, {X: 1, Y: 1, Z: 1}, {X: 1e300}, {}}
	places, values := make([]tri.Place, len(points)), make([]float64, len(points))
	m.Range(points, places, values)
	for i, want := range []struct {
		place tri.Place
		value float64
	}{{tri.On, 0.5}, {tri.Inside, 1}, {tri.Outside, 0}, {tri.Outside, 0}, {tri.Inside, 1}} {
		if places[i] != want.place || math.Abs(values[i]-want.value) > 1e-3 {
			t.Errorf("%v: %v, value %v, want %v, %v", points[i], places[i], values[i], want.place, want.value)
		}
	}
}

// TestSameBits checks that values do not depend on the division of points, on workers, or on
// scaling the surface by 2^k.
func TestSameBits(t *testing.T) {
	s := surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20)))
	pool := sched.New(3)
	defer pool.Close()
	points := scattered(5, 300, s.Box())
	places, want := make([]tri.Place, len(points)), make([]float64, len(points))
	New(s, one).Range(points, places, want)
	large := &tri.Surface{Tris: s.Tris}
	for _, v := range s.Verts {
		large.Verts = append(large.Verts, v.Scale(0x1p40))
	}
	got := make([]float64, len(points))
	many := New(s, pool)
	many.Range(points, places, got)
	scaled := slicesOf(points, 0x1p40)
	moved := make([]float64, len(points))
	New(large, one).Range(scaled, places, moved)
	for i := range want {
		if got[i] != want[i] || moved[i] != want[i] {
			t.Fatalf("point %d: %v, with a pool %v, in large %v", i, want[i], got[i], moved[i])
		}
	}
	if n := testing.AllocsPerRun(3, func() { many.Range(points, places, got) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func slicesOf(points []vec.Vec3, k float64) (v []vec.Vec3) {
	for _, x := range points {
		v = append(v, x.Scale(k))
	}
	return v
}

// asm1 adds the dipoles of the root.
func asm1(w *workspace, m *Method) { asm.DipoleAngles(&w.of, &m.dipoles[0], 0, 8) }
