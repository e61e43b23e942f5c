package ray

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

func surfaceOf(t testing.TB, spec string) *tri.Surface {
	t.Helper()
	m, err := surfaces.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := &tri.Surface{Verts: m.Verts}
	for _, f := range m.Faces {
		s.Tris = append(s.Tris, [3]uint32{uint32(f[0]), uint32(f[1]), uint32(f[2])})
	}
	return s
}

// angle returns the winding number from solid angles, each by the formula of Van Oosterom and
// Strackee.
func angle(s *tri.Surface, p vec.Vec3) (sum float64) {
	for t := range s.Tris {
		f1, f2, f3 := s.Corners(t)
		a, b, c := f1.Sub(p), f2.Sub(p), f3.Sub(p)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		sum += math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return sum / (2 * math.Pi)
}

func locate(c *Caster, points ...vec.Vec3) []float64 {
	values, places := make([]float64, len(points)), make([]tri.Place, len(points))
	c.Range(points, places, values)
	for i, v := range values {
		if want := map[float64]tri.Place{0: tri.Outside, 0.5: tri.On, 1: tri.Inside}[v]; places[i] != want {
			values[i] = -1
		}
	}
	return values
}

// TestOctahedron compares with |x| + |y| + |z| against 1, which is exact on a grid of quarters.
// Most points lie in the planes of vertices, edges and faces, and many lie on the surface.
func TestOctahedron(t *testing.T) {
	for seed := range uint64(5) {
		c := New(surfaceOf(t, "sphere:1,0"), seed)
		var points []vec.Vec3
		for i := range 11 * 11 * 11 {
			points = append(points, vec.V(float64(i%11-5)/4, float64(i/11%11-5)/4, float64(i/121-5)/4))
		}
		for i, got := range locate(c, points...) {
			p, want := points[i], 0.0
			switch sum := math.Abs(p.X) + math.Abs(p.Y) + math.Abs(p.Z); {
			case sum < 1:
				want = 1
			case sum == 1:
				want = 0.5
			}
			if got != want {
				t.Errorf("seed %d, %v: %g, expected %g", seed, p, got, want)
			}
		}
	}
}

// TestWinding compares with the solid angles, at random points.
func TestWinding(t *testing.T) {
	for _, spec := range []string{"torus:1,0.4,12,9", "sphere:1,2", "foam:3,12", "dyadic-foam:1,8"} {
		s, r := surfaceOf(t, spec), geometry.NewRand(1)
		var points []vec.Vec3
		for range 200 {
			points = append(points, vec.V(r.Range(-1.2, 1.2), r.Range(-1.2, 1.2), r.Range(-1.2, 1.2)))
		}
		inside := 0
		for i, got := range locate(New(s, 1), points...) {
			if want := angle(s, points[i]); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s, %v: %g, winding number %g", spec, points[i], got, want)
			}
			inside += int(got)
		}
		if inside < 10 {
			t.Errorf("%s: %d points inside", spec, inside)
		}
	}
}

// TestOnTheSurface checks corners, middles of edges and inner points of faces, all exact, and
// points next to the inner points.
func TestOnTheSurface(t *testing.T) {
	s := surfaceOf(t, "dyadic-foam:1,8")
	c := New(s, 1)
	for f := 0; f < len(s.Tris); f += 9 {
		p, q, r := s.Corners(f)
		middle := p.Add(q).Scale(0.5)
		inner := middle.Add(r).Scale(0.5)
		for i, got := range locate(c, p, q, r, middle, q.Add(r).Scale(0.5), r.Add(p).Scale(0.5), inner) {
			if got != 0.5 {
				t.Errorf("face %d, point %d: %g", f, i, got)
			}
		}
		n := q.Sub(p).Cross(r.Sub(p)).Unit().Scale(0x1p-40)
		if got := locate(c, inner.Add(n), inner.Sub(n)); got[0] != 0 || got[1] != 1 {
			t.Errorf("face %d: %g outside, %g inside", f, got[0], got[1])
		}
	}
}

// TestOtherRays checks that results do not depend on the seed, the order of points, or other
// points, on a grid with points in the planes of vertices. They must not depend on exact scalings
// and translations either.
func TestOtherRays(t *testing.T) {
	s := surfaceOf(t, "dyadic-foam:1,8")
	var points []vec.Vec3
	for i := 0; i < 17*17*17; i += 3 {
		points = append(points, vec.V(float64(i%17-8)/8, float64(i/17%17-8)/8, float64(i/289-8)/8))
	}
	want := locate(New(s, 1), points...)
	count := map[float64]int{}
	for _, v := range want {
		count[v]++
	}
	if count[0]+count[1]+count[0.5] != len(points) || count[1] < 50 || count[0.5] < 50 {
		t.Errorf("counts %v", count)
	}
	for name, change := range map[string]func(v vec.Vec3) vec.Vec3{
		"other seed":     func(v vec.Vec3) vec.Vec3 { return v },
		"scaled":         func(v vec.Vec3) vec.Vec3 { return v.Scale(0x1p-60) },
		"moved":          func(v vec.Vec3) vec.Vec3 { return v.Add(vec.V(1<<20, -1<<20, 1<<19)) },
		"moved far":      func(v vec.Vec3) vec.Vec3 { return v.Add(vec.V(1<<47, 1<<47, 1<<47)) },
		"a quarter turn": func(v vec.Vec3) vec.Vec3 { return vec.V(-v.Y, v.X, v.Z) },
		"scaled up":      func(v vec.Vec3) vec.Vec3 { return v.Scale(0x1p250) },
		"scaled down":    func(v vec.Vec3) vec.Vec3 { return v.Scale(0x1p-1000) },
	} {
		other := &tri.Surface{Tris: s.Tris}
		for _, v := range s.Verts {
			other.Verts = append(other.Verts, change(v))
		}
		moved := make([]vec.Vec3, len(points))
		for i, p := range points {
			moved[len(points)-1-i] = change(p)
		}
		got := locate(New(other, 99), moved...)
		for i := range want {
			if got[len(points)-1-i] != want[i] {
				t.Fatalf("%s: %v is %g, expected %g", name, points[i], got[len(points)-1-i], want[i])
			}
		}
	}
}

// TestNewRay checks that a ray through a vertex is degenerate, and that another ray locates the
// point.
func TestNewRay(t *testing.T) {
	c := New(surfaceOf(t, "sphere:1,0"), 1)
	for _, r := range []ray{
		{to: vec.V(5, 0, 0)},                         // a vertex
		{to: vec.V(5, 5, 0)},                         // an edge
		{from: vec.V(2, -1, 0), to: vec.V(-3, 4, 0)}, // along an edge
		{from: vec.V(0.5, -0.5, 1), to: vec.V(0.5, 1, -0.5)},
	} {
		r.head()
		list := []ray{r}
		c.cast(list)
		if list[0].state != degenerate {
			t.Errorf("%v to %v: state %d, crossings %d", r.from, r.to, list[0].state, list[0].number)
		}
	}
	// Numbers near 2⁵² are whole, so rays from the centre of an octahedron of radius 2 have few
	// possible directions.
	s := surfaceOf(t, "sphere:2,0")
	far := vec.V(1<<52, 1<<52, 1<<52)
	for i, v := range s.Verts {
		s.Verts[i] = v.Add(far)
	}
	rays, most := 0, 0
	for seed := range uint64(200) {
		var value [1]float64
		n := New(s, seed).locate([]vec.Vec3{far}, value[:], new([batch]ray))
		if value[0] != 1 {
			t.Fatalf("seed %d: %g after %d rays", seed, value[0], n)
		}
		rays, most = rays+n, max(most, n)
	}
	if rays == 200 || most > 40 {
		t.Errorf("%d rays, at most %d a point: expected a few more than one", rays, most)
	}
}

func TestRangeAllocatesNothing(t *testing.T) {
	c := New(surfaceOf(t, "torus:1,0.4,12,9"), 1)
	points, places, values := make([]vec.Vec3, 200), make([]tri.Place, 200), make([]float64, 200)
	for i := range points {
		points[i] = vec.V(float64(i)/100, 0.01, 0.02)
	}
	if n := testing.AllocsPerRun(10, func() { c.Range(points, places, values) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// FuzzCull checks that no box that a segment meets is skipped. The face shrinks to a point of the
// segment, as exact as possible.
func FuzzCull(f *testing.F) {
	f.Add(uint64(1), 0.5)
	f.Add(uint64(7), 1e-9)
	f.Fuzz(func(t *testing.T, seed uint64, size float64) {
		if !(size > 1e-307 && size < 1e6) {
			return
		}
		r := geometry.NewRand(seed)
		from := vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)).Scale(size)
		way := r.Unit().Scale(size * 4)
		if k := r.Uint64() % 8; k < 3 {
			way = vec.V(0, 0, 0).Add([]vec.Vec3{{X: size}, {Y: -size}, {Z: size}}[k])
		}
		to := from.Add(way)
		// The segment crosses this triangle: its middle is nearly on the segment, and its corners
		// are much farther from the segment than the rounding of the middle.
		at := from.AddScaled(r.Range(0.01, 0.99), to.Sub(from))
		u, v := r.Unit().Scale(size*0x1p-40), r.Unit().Scale(size*0x1p-40)
		s := &tri.Surface{Verts: []vec.Vec3{at.Add(u), at.Add(v), at.Sub(u).Sub(v)}, Tris: [][3]uint32{{0, 1, 2}}}
		a, b, c := s.Corners(0)
		p, q := vec.Orient3D(a, b, c, from), vec.Orient3D(a, b, c, to)
		v1, v2, v3 := vec.Orient3D(from, to, a, b), vec.Orient3D(from, to, b, c), vec.Orient3D(from, to, c, a)
		if p*q >= 0 || v1 == 0 || v1 != v2 || v2 != v3 {
			return // the segment does not cross
		}
		caster := New(s, 0)
		x := ray{from: from, to: to}
		x.head()
		caster.through(&x, 0, 1)
		if x.number == 0 {
			t.Errorf("seed %d, size %g: a crossing of %v is passed over", seed, size, s.Verts)
		}
	})
}

func BenchmarkRange(b *testing.B) {
	for _, k := range []int{5, 7} {
		s := surfaceOf(b, fmt.Sprintf("sphere:1,%d", k))
		b.Run(fmt.Sprintf("faces=%d", len(s.Tris)), func(b *testing.B) {
			c, r := New(s, 1), geometry.NewRand(1)
			points, places, values := make([]vec.Vec3, 640), make([]tri.Place, 640), make([]float64, 640)
			for i := range points {
				points[i] = r.Unit().Scale(0.99 * r.Float64())
			}
			inside := 0.0
			for b.Loop() {
				c.Range(points, places, values)
			}
			for _, v := range values {
				inside += v
			}
			if inside != 640 {
				b.Fatal(inside)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(points)), "ns/point")
		})
	}
}
