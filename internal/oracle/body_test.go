package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

func box(x, y, z float64) ConvexBody {
	var p []vec.Vec3
	for k := range 8 {
		s := func(bit int, h float64) float64 {
			if k>>bit&1 == 1 {
				return h / 2
			}
			return -h / 2
		}
		p = append(p, vec.V(s(0, x), s(1, y), s(2, z)))
	}
	return Hull(p)
}

func facet(a, b, c vec.Vec3) ConvexBody {
	return ConvexBody{Verts: []vec.Vec3{a, b, c}, Faces: [][]int{{0, 1, 2}, {0, 2, 1}}}
}

func tetra() ConvexBody {
	return Hull([]vec.Vec3{vec.V(1, 1, 1), vec.V(1, -1, -1), vec.V(-1, 1, -1), vec.V(-1, -1, 1)})
}

// bar returns a square prism of side √2·h along an axis, rotated so that its ridges point to ±z at
// height h.
func bar(length, h float64, alongY bool) ConvexBody {
	var p []vec.Vec3
	for _, s := range []float64{-length / 2, length / 2} {
		for _, c := range [][2]float64{{h, 0}, {-h, 0}, {0, h}, {0, -h}} {
			if alongY {
				p = append(p, vec.V(c[0], s, c[1]))
			} else {
				p = append(p, vec.V(s, c[0], c[1]))
			}
		}
	}
	return Hull(p)
}

func rock(r *rand.Rand, n int) ConvexBody {
	var p []vec.Vec3
	for range n {
		p = append(p, unit(r).Scale(0.8+0.4*r.Float64()))
	}
	return Hull(p)
}

func unit(r *rand.Rand) vec.Vec3 {
	for {
		v := vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
		if l := v.Norm(); l > 0.1 && l <= 1 {
			return v.Unit()
		}
	}
}

func turn(r *rand.Rand) vec.Quat {
	return vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
}

func about(axis vec.Vec3, degrees float64) vec.Quat {
	return vec.FromRotationVector(axis.Unit().Scale(degrees * math.Pi / 180))
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.17g, want %.17g (off by %.3g, tolerance %.3g)", what, got, want, got-want, tol)
	}
}

func nearVec(t *testing.T, what string, got, want vec.Vec3, tol float64) {
	t.Helper()
	if !(got.Sub(want).Norm() <= tol) {
		t.Errorf("%s is %v, want %v (off by %.3g, tolerance %.3g)", what, got, want, got.Sub(want).Norm(), tol)
	}
}

func TestHullCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name                string
		b                   ConvexBody
		verts, faces, edges int
	}{
		{"box", box(1, 2, 3), 8, 6, 12},
		{"tetra", tetra(), 4, 4, 6},
		{"bar", bar(4, 0.5, true), 8, 6, 12},
	} {
		if len(c.b.Verts) != c.verts || len(c.b.Faces) != c.faces || len(c.b.Edges()) != c.edges {
			t.Errorf("%s has %d vertices, %d faces, %d edges", c.name, len(c.b.Verts), len(c.b.Faces), len(c.b.Edges()))
		}
	}
	for n := 4; n < 20; n++ {
		b := rock(r, n)
		if euler := len(b.Verts) - len(b.Edges()) + len(b.Faces); euler != 2 {
			t.Errorf("rock of %d points: V-E+F = %d", n, euler)
		}
		if !b.Inside(b.Middle()) {
			t.Errorf("rock of %d points: the middle is outside, a face is turned", n)
		}
	}
	// A point inside a face and one on an edge are not corners.
	b := box(2, 2, 2)
	b = Hull(append(b.Verts, vec.V(1, 0, 0), vec.V(1, 1, 0), vec.V(0, 0, 0)))
	if len(b.Verts) != 8 || len(b.Faces) != 6 {
		t.Errorf("box with idle points has %d vertices and %d faces", len(b.Verts), len(b.Faces))
	}
}
