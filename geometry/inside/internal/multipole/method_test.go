package multipole

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/internal/require"
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

// someSurfaces are closed surfaces, including a dyadic foam of high genus, and an open one.
func someSurfaces() map[string]*tri.Surface {
	open := surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20)))
	open.Tris = open.Tris[:1300]
	cube := &tri.Surface{}
	for i := range 8 {
		cube.Verts = append(cube.Verts, vec.V(float64(i&1), float64(i>>1&1), float64(i>>2)))
	}
	for _, q := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		cube.Tris = append(cube.Tris, [3]uint32{q[0], q[1], q[2]}, [3]uint32{q[0], q[2], q[3]})
	}
	return map[string]*tri.Surface{
		"torus": surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20))), "sphere": surfaceOf(must(surfaces.Sphere(1, 3))), "open": open, "cube": cube,
		"rock": rough(7), "foam": surfaceOf(must(surfaces.Parse("dyadic-foam:1,8"))),
	}
}

// rough is a sphere whose vertices lie at random distances, so that it is far from convex.
func rough(seed uint64) *tri.Surface {
	r := rand.New(rand.NewPCG(seed, 3))
	s := surfaceOf(must(surfaces.Sphere(1, 3)))
	for i := range s.Verts {
		s.Verts[i] = s.Verts[i].Scale(0.6 + 0.4*r.Float64())
	}
	return s
}

func answers(m *Method, points []vec.Vec3) ([]tri.Place, []float64) {
	places, values := make([]tri.Place, len(points)), make([]float64, len(points))
	m.Range(points, places, values)
	return places, values
}

// TestWithinTheBound compares the method with the sum over all triangles, for several degrees. No
// error may exceed the bound. Up to degree 5 the bound must be at most ten thousand times the worst
// error of 60 points, so that it is useful.
func TestWithinTheBound(t *testing.T) {
	for name, s := range someSurfaces() {
		points := scattered(3, 60, s.Box().Enlarged(0.3))
		want := make([]float64, len(points))
		for i, x := range points {
			want[i] = plain(s, x)
		}
		for _, o := range []Options{{Degree: 2}, {Degree: 3}, {Degree: 5}, {Degree: 8}, {}} {
			o.Depth, o.Leaf = 2, 3
			m := must(New(s, o, one))
			_, values := answers(m, points)
			worst := 0.0
			for i := range points {
				e := math.Abs(values[i] - want[i])
				worst = max(worst, e)
				if !(e <= m.Bound+0x1p-40) {
					t.Fatalf("%s, %+v, point %v: %v, want %v: off by %g, bound %g", name, o, points[i], values[i], want[i], e, m.Bound)
				}
			}
			t.Logf("%s, degree %d: bound %.2g, worst %.2g, %d of %d cells summed", name, m.Degree, m.Bound, worst, m.Summed, m.Cells)
			if len(s.Tris) > 100 && m.Summed == 0 && m.Degree <= 5 && m.Bound > 1e4*worst {
				t.Errorf("%s, %+v: bound %g, worst error %g", name, o, m.Bound, worst)
			}
		}
	}
}

// TestManyPoints checks 10⁵ points, 20 000 about each closed surface: each number must be 0 or 1
// within the bound.
func TestManyPoints(t *testing.T) {
	for name, s := range someSurfaces() {
		if name == "open" {
			continue
		}
		points := scattered(5, 20000, s.Box().Enlarged(0.1))
		m := must(New(s, Options{Depth: 3}, one))
		places, values := answers(m, points)
		worst := 0.0
		for i, v := range values {
			e := math.Abs(v - math.Round(v))
			worst = max(worst, e)
			r := points[i].Norm()
			if name == "sphere" && (r < 0.98 && places[i] != tri.Inside || r > 1 && places[i] != tri.Outside) {
				t.Fatalf("%s: point %v is %v", name, points[i], places[i])
			}
		}
		if !(worst <= m.Bound+0x1p-40) {
			t.Errorf("%s: worst error %g, bound %g", name, worst, m.Bound)
		}
	}
}

// TestConverges checks that errors fall with the degree, by more than a factor of 1.5 for each
// degree.
func TestConverges(t *testing.T) {
	s := surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20)))
	points := scattered(9, 2000, s.Box())
	last, first := 0.0, 0.0
	for p := 3; p <= 9; p += 2 {
		m := must(New(s, Options{Degree: p, Depth: 2}, one))
		_, values := answers(m, points)
		worst := 0.0
		for _, v := range values {
			worst = max(worst, math.Abs(v-math.Round(v)))
		}
		if p == 3 {
			first = worst
		} else if worst > last {
			t.Errorf("degree %d: error %g, of two degrees less %g", p, worst, last)
		}
		last = worst
	}
	if last > first*math.Pow(1.5, -6) {
		t.Errorf("error %g at degree 3, %g at degree 9", first, last)
	}
}

// TestSameBits checks that values do not depend on the number of workers, nor on scaling surface
// and points by a power of two.
func TestSameBits(t *testing.T) {
	s := surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20)))
	points := scattered(5, 300, s.Box().Enlarged(0.3))
	pool := sched.New(3)
	defer pool.Close()
	_, want := answers(must(New(s, Options{}, one)), points)
	many := must(New(s, Options{}, pool))
	places, got := answers(many, points)
	for _, e := range []int{-300, -20, 20, 300} {
		scaled := &tri.Surface{Tris: s.Tris}
		for _, v := range s.Verts {
			scaled.Verts = append(scaled.Verts, v.Scale(math.Ldexp(1, e)))
		}
		moved := make([]vec.Vec3, len(points))
		for i, x := range points {
			moved[i] = x.Scale(math.Ldexp(1, e))
		}
		_, values := answers(must(New(scaled, Options{}, one)), moved)
		for i := range want {
			if got[i] != want[i] || values[i] != want[i] {
				t.Fatalf("point %d: %v, with workers %v, in 2^%d %v", i, want[i], got[i], e, values[i])
			}
		}
	}
	if n := testing.AllocsPerRun(3, func() { many.Range(points, places, got) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestFarFromTheOrigin checks a surface of 1 m at a distance of 10⁶ m. Its coordinates have fewer
// bits, its values do not.
func TestFarFromTheOrigin(t *testing.T) {
	s := surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20)))
	by := vec.V(1e6, -2e6, 3e6)
	far := &tri.Surface{Tris: s.Tris}
	for _, v := range s.Verts {
		far.Verts = append(far.Verts, v.Add(by))
	}
	points := scattered(5, 300, s.Box())
	for i := range points {
		points[i] = points[i].Add(by)
	}
	m := must(New(far, Options{}, one))
	_, values := answers(m, points)
	for i, v := range values {
		if e := math.Abs(v - math.Round(v)); e > m.Bound+1e-9 {
			t.Errorf("point %v: %v, bound %g", points[i], v, m.Bound)
		}
	}
}

// TestOnTheSurface checks points of a cube and far points.
func TestOnTheSurface(t *testing.T) {
	m := must(New(someSurfaces()["cube"], Options{}, one))
	points := []vec.Vec3{{X: 0.5, Y: 0.5}, {X: 0.5}, {}, {X: 0.3, Y: 0.4, Z: 0.5}, {X: 1e300}, {X: -40, Y: 3}, {X: 1.75, Y: -1.5, Z: 0.5}}
	places, values := answers(m, points)
	for i, want := range []struct {
		place tri.Place
		value float64
	}{{tri.On, 0.5}, {tri.On, 0.25}, {tri.On, 0.125}, {tri.Inside, 1}, {tri.Outside, 0}, {tri.Outside, 0}, {tri.Outside, 0}} {
		if places[i] != want.place || math.Abs(values[i]-want.value) > 1e-14 {
			t.Errorf("%v: %v, value %v, want %v, %v", points[i], places[i], values[i], want.place, want.value)
		}
	}
}

// TestDepth checks that WellChosen grows with the number of points, and PreChosen does not.
func TestDepth(t *testing.T) {
	s := surfaceOf(must(surfaces.Sphere(1, 5)))
	few, many := must(New(s, Options{Points: 10}, one)), must(New(s, Options{Points: 1 << 20}, one))
	if few.Depth >= many.Depth {
		t.Errorf("depth %d for 10 points, %d for 10⁶", few.Depth, many.Depth)
	}
	a, b := must(New(s, Options{Depth: PreChosen, Points: 10}, one)), must(New(s, Options{Depth: PreChosen, Points: 1 << 20}, one))
	if a.Depth != b.Depth {
		t.Errorf("pre-chosen depth %d and %d", a.Depth, b.Depth)
	}
}

// TestWellChosen checks on foams that the operations at the chosen depth are at most a fifth more
// than at any other depth. It counts the conversions of the setup, and the fans of the points'
// groups.
func TestWellChosen(t *testing.T) {
	require.Numbers(t)
	for _, n := range []string{"foam:1,8", "foam:1,15"} {
		s := surfaceOf(must(surfaces.Parse(n)))
		const points = 1 << 19
		well, least := 0.0, math.Inf(1)
		chosen := must(New(s, Options{Points: points, Degree: 5}, one)).Depth
		for depth := 1; depth <= 5; depth++ {
			m := must(New(s, Options{Depth: depth, Degree: 1}, one)) // as many conversions as with degree 5
			product := float64(rowsOf(5) * blocks(5) * columnsOfBlock)
			cost := float64(m.conversions) * product
			for i := range m.leaves {
				l := &m.leaves[i]
				in := points / math.Pow(l.perSide*m.tree.Side, 3)
				for _, at := range l.near {
					node := &m.tree.Nodes[at]
					cost += in * groupsOf(in) * float64(node.FanHi-node.FanLo) * fanCost
				}
			}
			least = min(least, cost)
			if depth == chosen {
				well = cost
			}
			t.Logf("%s, depth %d of %d: %.3g operations, %d conversions", n, depth, chosen, cost, m.conversions)
		}
		if !(well <= 1.2*least) {
			t.Errorf("%s: depth %d costs %g operations, the best %g", n, chosen, well, least)
		}
	}
}

// TestGrowth checks that the numbers of cells and near nodes grow like the number of triangles, at
// the depth chosen for it, once the cells near the surface no longer fill its box.
func TestGrowth(t *testing.T) {
	require.Numbers(t)
	cells, near := 0, 0
	for k := 6; k <= 7; k++ {
		s := surfaceOf(must(surfaces.Sphere(1, k)))
		m := must(New(s, Options{Depth: k - 1, Leaf: 8, Degree: 1}, one))
		t.Logf("%d triangles: %d cells, %d near", len(s.Tris), m.Cells, m.nears)
		if k > 6 && (m.Cells > 6*cells || m.nears > 5*near) {
			t.Errorf("%d triangles: %d cells after %d, %d near after %d", len(s.Tris), m.Cells, cells, m.nears, near)
		}
		cells, near = m.Cells, m.nears
	}
}

// FuzzBound checks the bound for unrelated triangles of any shape, which are open surfaces.
func FuzzBound(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(3), uint8(0))
	f.Add(uint64(2), uint8(200), uint8(4), uint8(9))
	f.Fuzz(func(t *testing.T, seed uint64, n, degree, size uint8) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := new(tri.Surface)
		length := math.Ldexp(1, -int(size%8))
		for range int(n) + 1 {
			at := vec.V(r.Float64(), r.Float64(), r.Float64())
			for range 3 {
				s.Verts = append(s.Verts, at.Add(vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(length)))
			}
			k := uint32(len(s.Verts))
			s.Tris = append(s.Tris, [3]uint32{k - 3, k - 2, k - 1})
		}
		m := must(New(s, Options{Degree: int(degree%6) + 1, Depth: 2, Leaf: 1}, one))
		points := scattered(seed, 20, s.Box().Enlarged(1))
		_, values := answers(m, points)
		for i, x := range points {
			if want := plain(s, x); !(math.Abs(values[i]-want) <= m.Bound+1e-9) {
				t.Errorf("point %v: %v, want %v, bound %g", x, values[i], want, m.Bound)
			}
		}
	})
}
