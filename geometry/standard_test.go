package geometry

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// near reports whether a and b agree to rel times the larger of scale and |b|.
func near(a, b, rel, scale float64) bool {
	return math.Abs(a-b) <= rel*max(scale, math.Abs(b))
}

// TestPlatonicSolids compares volume, edge length, inertia, inradius and circumradius with the
// formulas of the regular solids (Coxeter, Regular Polytopes, table I).
func TestPlatonicSolids(t *testing.T) {
	phi, s2, s3, s5 := math.Phi, math.Sqrt2, math.Sqrt(3), math.Sqrt(5)
	for _, c := range []struct {
		name                 string
		make                 func(float64) (*Polyhedron, error)
		verts, faces, corner int
		volume, inner, outer float64 // of edge 1
		inertia              float64 // over volume, of edge 1
	}{
		{"tetra", Tetra, 4, 4, 3, 1 / (6 * s2), math.Sqrt(6) / 12, math.Sqrt(6) / 4, 1.0 / 20},
		{"cube", func(a float64) (*Polyhedron, error) { return Box(a, a, a) }, 8, 6, 4, 1, 0.5, s3 / 2, 1.0 / 6},
		{"octa", Octa, 6, 8, 3, s2 / 3, math.Sqrt(6) / 6, s2 / 2, 1.0 / 10},
		{"dodeca", Dodeca, 20, 12, 5, (15 + 7*s5) / 4, phi * phi / (2 * math.Sqrt(3-phi)), phi * s3 / 2, (95 + 39*s5) / 300},
		{"icosa", Icosa, 12, 20, 3, 5 * (3 + s5) / 12, phi * phi / (2 * s3), math.Sqrt(phi*s5) / 2, phi * phi / 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, edge := range []float64{1, 1e-6, 3e6} {
				p := must[*Polyhedron](t)(c.make(edge))
				if err := p.Validate(); err != nil {
					t.Fatal(err)
				}
				if len(p.Verts) != c.verts || p.NFaces() != c.faces || p.NEdges() != c.verts+c.faces-2 {
					t.Fatalf("%d vertices, %d faces, %d edges", len(p.Verts), p.NFaces(), p.NEdges())
				}
				for f := range p.NFaces() {
					if len(p.Loop(f)) != c.corner {
						t.Errorf("face %d has %d corners, want %d", f, len(p.Loop(f)), c.corner)
					}
				}
				for _, h := range p.Edges() {
					if l := p.Verts[p.Tail[h]].Sub(p.Verts[p.Head(h)]).Norm(); !near(l, edge, 1e-15, 0) {
						t.Errorf("edge %d has length %g, want %g", h, l, edge)
					}
				}
				if v := p.Mass.Volume / (edge * edge * edge); !near(v, c.volume, 1e-15, 0) {
					t.Errorf("volume %.17g, want %.17g", v, c.volume)
				}
				if p.Mass.Centroid.MaxAbs() > 1e-17*edge {
					t.Errorf("centroid %v", p.Mass.Centroid)
				}
				i := p.Mass.Inertia.Scale(1 / (p.Mass.Volume * edge * edge))
				for _, v := range []float64{i.XX, i.YY, i.ZZ} {
					if !near(v, c.inertia, 2e-15, 0) {
						t.Errorf("moment %.17g, want %.17g", v, c.inertia)
					}
				}
				if i.XY != 0 || i.XZ != 0 || i.YZ != 0 {
					t.Errorf("products of inertia %v, want 0", i)
				}
				a := p.Template()
				if !near(a.Radius, c.outer*edge, 2e-15, 0) || !near(a.Inner, c.inner*edge, 1e-14, 0) || a.Inner > c.inner*edge {
					t.Errorf("radii %.17g, %.17g, want %.17g, %.17g", a.Radius, a.Inner, c.outer*edge, c.inner*edge)
				}
			}
		})
	}
}

func TestOrientationOfStandardShapes(t *testing.T) {
	tetra := must[*Polyhedron](t)(Tetra(2 * math.Sqrt2))
	for k, want := range []vec.Vec3{vec.V(1, 1, 1), vec.V(1, -1, -1), vec.V(-1, 1, -1), vec.V(-1, -1, 1)} {
		if tetra.Verts[k] != want {
			t.Errorf("tetra vertex %d is %v, want %v", k, tetra.Verts[k], want)
		}
	}
	prism := must[*Polyhedron](t)(Prism(5, 2, 3))
	if prism.Verts[0] != vec.V(2, 0, -1.5) || prism.Verts[5] != vec.V(2, 0, 1.5) {
		t.Errorf("prism begins at %v and %v", prism.Verts[0], prism.Verts[5])
	}
	box := must[*Polyhedron](t)(Box(2, 4, 6))
	if box.Verts[0] != vec.V(-1, -2, -3) || box.Verts[1] != vec.V(1, -2, -3) || box.Normals[1] != vec.V(1, 0, 0) {
		t.Errorf("box begins at %v, %v", box.Verts[0], box.Verts[1])
	}
}

func TestPrismMass(t *testing.T) {
	for _, n := range []int{3, 4, 6, 17, 100} {
		r, h := 1.3, 0.7
		p := must[*Polyhedron](t)(Prism(n, r, h))
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		s, c := math.Sincos(2 * math.Pi / float64(n))
		v := 0.5 * float64(n) * r * r * s * h
		// The polar moment of a regular polygon over its area is r²(2 + cos 2π/n)/6.
		zz := v * r * r * (2 + c) / 6
		xx := zz/2 + v*h*h/12
		i := p.Mass.Inertia
		if !near(p.Mass.Volume, v, 1e-14, 0) || !near(i.ZZ, zz, 1e-14, 0) || !near(i.XX, xx, 1e-14, 0) || !near(i.YY, xx, 1e-14, 0) {
			t.Errorf("n=%d: volume %g inertia %v, want %g %g %g", n, p.Mass.Volume, i, v, xx, zz)
		}
	}
}

func TestLengthsOutOfRange(t *testing.T) {
	for name, make := range map[string]func() (*Polyhedron, error){
		"negative":   func() (*Polyhedron, error) { return Box(1, -1, 1) },
		"zero":       func() (*Polyhedron, error) { return Tetra(0) },
		"NaN":        func() (*Polyhedron, error) { return Octa(math.NaN()) },
		"infinite":   func() (*Polyhedron, error) { return Icosa(math.Inf(1)) },
		"corners":    func() (*Polyhedron, error) { return Prism(2, 1, 1) },
		"manySides":  func() (*Polyhedron, error) { return Prism(5000, 1, 1) },
		"fewVerts":   func() (*Polyhedron, error) { return Rock(1, 3, 1) },
		"manyVerts":  func() (*Polyhedron, error) { return Rock(1, 8193, 1) },
		"exponent":   func() (*Polyhedron, error) { return Superquadric(1, 1, 1, 0, 1, 100) },
		"fewPoints":  func() (*Polyhedron, error) { return Superquadric(1, 1, 1, 1, 1, 3) },
		"rockRadius": func() (*Polyhedron, error) { return Rock(1, 10, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			if p, err := make(); !errors.Is(err, ErrValue) || p != nil {
				t.Errorf("got %v, %v; want ErrValue", p, err)
			}
		})
	}
	if _, err := Box(1, 1e-13, 1); !errors.Is(err, ErrFlat) {
		t.Errorf("sheet: %v, want ErrFlat", err)
	}
}
