package inside

import (
	"errors"
	"github.com/scree-dem/scree/geometry"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestAutoIsRay checks that the exact methods agree on surfaces of each kind, at points of grids,
// random points, vertices and middles of edges.
func TestAutoIsRay(t *testing.T) {
	for _, spec := range []string{"sphere:1,3", "torus:1,0.4,24,16", "foam:1,8", "dyadic-foam:1,8"} {
		m, err := surfaces.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		points := gridOf(9)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			points = append(points, vec.V(rng.Float64()*2-1, rng.Float64()*2-1, rng.Float64()*2-1))
		}
		for k, f := range m.Faces {
			if k%7 == 0 {
				a, b := m.Verts[f[0]], m.Verts[f[1]]
				points = append(points, a, a.Add(b).Scale(0.5))
			}
		}
		agree(t, spec, m, points, Auto, Ray)
	}
}

// bumpy returns a sphere of 8·4^k faces whose vertices lie at random distances, so that it is far
// from convex.
func bumpy(k int, rng *rand.Rand) *geometry.Mesh {
	m, err := surfaces.Sphere(1, k)
	if err != nil {
		panic(err)
	}
	for i, v := range m.Verts {
		m.Verts[i] = v.Scale(0.3 + rng.Float64())
	}
	return m
}

// TestExactIsTrue compares the exact methods with rational arithmetic, at random points, points
// next to the surface, and points in line with its vertices.
func TestExactIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, scale := range []float64{1, 1e-6, 1e6} {
		m := bumpy(1, rng)
		at := vec.V(rng.Float64(), rng.Float64(), rng.Float64()).Scale(3e5 * scale * float64(rng.IntN(2)))
		for i, v := range m.Verts {
			m.Verts[i] = v.Scale(scale).Add(at)
		}
		var points []vec.Vec3
		for k := range 30 {
			f := m.Faces[rng.IntN(len(m.Faces))]
			a, b, c := m.Verts[f[0]], m.Verts[f[1]], m.Verts[f[2]]
			u, v := rng.Float64(), rng.Float64()
			near := a.AddScaled(u*(1-v), b.Sub(a)).AddScaled(u*v, c.Sub(a))
			switch k % 6 {
			case 0:
				near = a
			case 1:
				near = near.AddScaled(0.3*rng.Float64()-0.15, b.Sub(a).Cross(c.Sub(a)).Unit().Scale(scale))
			case 2:
				near = vec.V(a.X, near.Y, near.Z)
			case 3:
				near = vec.V(a.X, a.Y, near.Z)
			}
			points = append(points, near)
		}
		for i, got := range agree(t, "bumpy sphere", m, points, Auto, Ray) {
			if want := truth(m, points[i], rng); got != want {
				t.Errorf("scale %g: point %v is %v, expected %v", scale, points[i], got, want)
			}
		}
	}
}

// TestInvariances checks that a rotation by a right angle, a scale of a power of two, the order of
// faces and the number of workers change no place and no value.
func TestInvariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m := bumpy(3, rng)
	points := gridOf(21)
	for i, p := range points {
		points[i] = p.Scale(1.25)
	}
	want := agree(t, "bumpy sphere", m, points, Auto)
	for name, change := range map[string]func(vec.Vec3) vec.Vec3{
		"turned":  func(v vec.Vec3) vec.Vec3 { return vec.V(-v.Y, v.X, v.Z) },
		"tumbled": func(v vec.Vec3) vec.Vec3 { return vec.V(v.Z, v.X, v.Y) },
		"scaled":  func(v vec.Vec3) vec.Vec3 { return v.Scale(0x1p-70) },
	} {
		moved := &geometry.Mesh{Faces: m.Faces}
		for _, v := range m.Verts {
			moved.Verts = append(moved.Verts, change(v))
		}
		at := make([]vec.Vec3, len(points))
		for i, p := range points {
			at[i] = change(p)
		}
		if got := agree(t, name, moved, at, Auto); !slices.Equal(got, want) {
			t.Errorf("%s: other places", name)
		}
	}
	mixed := &geometry.Mesh{Verts: m.Verts}
	for _, k := range rng.Perm(len(m.Faces)) {
		f, r := m.Faces[k], rng.IntN(3)
		mixed.Faces = append(mixed.Faces, []int{f[r], f[(r+1)%3], f[(r+2)%3]})
	}
	if got := agree(t, "faces mixed", mixed, points, Auto); !slices.Equal(got, want) {
		t.Errorf("faces mixed: other places")
	}
}

// TestSameBits checks that places and values do not depend on the number of workers, and that a
// call allocates nothing.
func TestSameBits(t *testing.T) {
	m := bumpy(1, rand.New(rand.NewPCG(9, 9)))
	points := gridOf(21)
	for _, method := range []Method{Auto, Ray, Winding} {
		var places []Place
		var values []float64
		for _, workers := range []int{1, 2, 5} {
			s, err := New(m, Options{Method: method, Workers: workers, Seed: 4})
			if err != nil {
				t.Fatal(err)
			}
			p, v := make([]Place, len(points)), make([]float64, len(points))
			locate := func() {
				if err := s.Locate(points, p, v); err != nil {
					t.Fatal(err)
				}
			}
			locate()
			if workers == 1 {
				places, values = p, v
				if n := testing.AllocsPerRun(5, locate); n != 0 {
					t.Errorf("%s: %v allocations, expected none", method, n)
				}
			} else if !slices.Equal(p, places) || !slices.Equal(v, values) {
				t.Errorf("%s: %d workers give other answers than one", method, workers)
			}
			s.Close()
		}
	}
}

// TestOverlapIsRefused checks that auto detects overlapping parts of a mesh, and reports where.
func TestOverlapIsRefused(t *testing.T) {
	m := boxMesh(vec.Vec3{}, unit)
	addBox(m, unit.Scale(0.5), unit.Scale(1.5), false)
	// One vertex of each part lies in the other; the check of components tests only the first
	// vertex.
	if _, err := New(m, Options{}); !errors.Is(err, geometry.ErrSelfIntersecting) {
		t.Errorf("two boxes that overlap: %v", err)
	}
	cross := boxMesh(vec.V(0, 1, 1), vec.V(3, 2, 2))
	addBox(cross, vec.V(1, 0, 1.25), vec.V(2, 3, 1.75), false)
	if _, err := New(cross, Options{}); !errors.Is(err, geometry.ErrSelfIntersecting) || !strings.Contains(err.Error(), "winds 2 times") {
		t.Errorf("a cross of two boxes: %v", err)
	}
}
