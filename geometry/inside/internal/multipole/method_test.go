package multipole

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

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

// plain is the winding number by the sum over all triangles, in the standard library's functions.
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

// TestWithinTheBound compares the expansions with the sum over all triangles. Degrees from 2 have bounds that are no more than
// some hundred times the worst error, so that a term that is missing shows.
func TestWithinTheBound(t *testing.T) {
	open := surfaceOf(must(surfaces.Torus(1, 0.4, 60, 30)))
	open.Tris = open.Tris[:3000]
	for name, s := range map[string]*tri.Surface{
		"torus": surfaceOf(must(surfaces.Torus(1, 0.4, 60, 30))), "sphere": surfaceOf(must(surfaces.Sphere(1, 4))), "open": open,
	} {
		points := scattered(3, 300, s.Box().Enlarged(0.5))
		want := make([]float64, len(points))
		for i, x := range points {
			want[i] = plain(s, x)
		}
		for _, p := range []int{2, 4, 6, 9} {
			for _, d := range []float64{1.5, 2, 3} {
				m := New(s, Options{Degree: p, Depth: 4, Apart: d, Leaf: 5}, nil)
				places, values := make([]tri.Place, len(points)), make([]float64, len(points))
				m.Range(points, places, values)
				worst := 0.0
				for i := range points {
					e := math.Abs(values[i] - want[i])
					worst = max(worst, e)
					if !(e <= m.Bound+1e-12) {
						t.Fatalf("%s, degree %d, d %v, point %v: %v, want %v: off by %g, bound %g", name, p, d, points[i], values[i], want[i], e, m.Bound)
					}
				}
				fmt.Println(name, p, d, "bound", m.Bound, "found", worst, "ratio", m.Bound/worst, "cells", m.Cells, "summed", m.Summed)
			}
		}
	}
}

var _ = sched.New
