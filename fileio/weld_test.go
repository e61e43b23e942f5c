package fileio

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// soup returns the mesh with separate vertices for each face, as in STL. Each vertex is moved by up
// to jitter along every axis.
func soup(m *geometry.Mesh, jitter float64, seed uint64) *geometry.Mesh {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &geometry.Mesh{Name: m.Name}
	for _, f := range m.Faces {
		var face []int
		for _, v := range f {
			face = append(face, len(s.Verts))
			d := vec.Vec3{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1, Z: 2*rng.Float64() - 1}
			s.Verts = append(s.Verts, m.Verts[v].AddScaled(jitter, d))
		}
		s.Faces = append(s.Faces, face)
	}
	return s
}

func TestWeldScales(t *testing.T) {
	for _, side := range []float64{1e-300, 5e-9, 5e-3, 1, 1e6, 1e300} {
		for _, jitter := range []float64{0, 1e-7} {
			s := soup(cube(vec.Vec3{X: side, Y: -3 * side, Z: 0.1 * side}, side), jitter*side, 7)
			m, report := Weld(s, WeldTolerance(s))
			if len(m.Verts) != 8 || len(m.Faces) != 6 || report.Merged != 16 || report.Dropped != 0 {
				t.Fatalf("side %g jitter %g: %d vertices, %d faces, %+v", side, jitter, len(m.Verts), len(m.Faces), report)
			}
			if unit := signedVolume(scaled(m, 1/side)); math.Abs(unit-1) > 1e-5 {
				t.Fatalf("side %g: volume %g sides cubed, want 1", side, unit)
			}
		}
	}
}

func scaled(m *geometry.Mesh, k float64) *geometry.Mesh {
	s := &geometry.Mesh{Name: m.Name, Faces: m.Faces}
	for _, v := range m.Verts {
		s.Verts = append(s.Verts, v.Scale(k))
	}
	return s
}

// TestWeldTinyBlock reads a 5 mm block in metres from binary STL. The block is far from the origin
// for its size.
func TestWeldTinyBlock(t *testing.T) {
	c := cube(vec.Vec3{X: 0.25, Y: 0.25, Z: 0.25}, 0.005)
	tri := &geometry.Mesh{}
	tri.Verts = c.Verts
	for _, f := range c.Faces {
		tri.Faces = append(tri.Faces, []int{f[0], f[1], f[2]}, []int{f[0], f[2], f[3]})
	}
	m, err := DecodeMesh("block.stl", binarySTL("", 12, trianglesOf(tri)...))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Verts) != 8 || len(m.Faces) != 12 {
		t.Fatalf("%d vertices and %d faces, want 8 and 12", len(m.Verts), len(m.Faces))
	}
}

func TestWeldCases(t *testing.T) {
	p := func(x float64) vec.Vec3 { return vec.Vec3{X: x} }
	negZero := math.Copysign(0, -1)
	cases := []struct {
		name  string
		verts []vec.Vec3
		faces [][]int
		tol   float64
		kept  []vec.Vec3
		want  [][]int
	}{
		{"lowest index wins", []vec.Vec3{p(0), p(1.5), p(0.8)}, nil, 1, []vec.Vec3{p(0), p(1.5)}, [][]int{}},
		{"a chain does not pull", []vec.Vec3{p(0), p(0.9), p(1.8), p(2.7)}, nil, 1, []vec.Vec3{p(0), p(1.8)}, [][]int{}},
		{"exactly at the tolerance", []vec.Vec3{p(0), p(1), p(2.0000001)}, nil, 1, []vec.Vec3{p(0), p(2.0000001)}, [][]int{}},
		{"zero tolerance, signed zeros", []vec.Vec3{p(0), p(negZero), p(5e-324)}, nil, 0, []vec.Vec3{p(0), p(5e-324)}, [][]int{}},
		{"all in one place", []vec.Vec3{p(3), p(3), p(3)}, nil, 0.1, []vec.Vec3{p(3)}, [][]int{}},
		{"ends of the range", []vec.Vec3{p(math.MaxFloat64), p(-math.MaxFloat64), p(math.MaxFloat64)}, nil, math.MaxFloat64,
			[]vec.Vec3{p(math.MaxFloat64), p(-math.MaxFloat64)}, [][]int{}},
		{"a collapsed edge and a dropped face", []vec.Vec3{p(0), p(1), {Y: 1}, p(1 + 1e-9)},
			[][]int{{0, 1, 3}, {0, 1, 3, 2}, {3, 2, 0, 1}, {1, 3, 1}}, 1e-6,
			[]vec.Vec3{p(0), p(1), {Y: 1}}, [][]int{{0, 1, 2}, {1, 2, 0}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, report := Weld(&geometry.Mesh{Verts: c.verts, Faces: c.faces}, c.tol)
			if !reflect.DeepEqual(m.Verts, c.kept) || !reflect.DeepEqual(m.Faces, c.want) {
				t.Fatalf("got %v %v, want %v %v", m.Verts, m.Faces, c.kept, c.want)
			}
			if report.Merged != len(c.verts)-len(c.kept) || report.Dropped != len(c.faces)-len(c.want) {
				t.Fatalf("report %+v", report)
			}
		})
	}
}

func TestWeldRefusesTolerance(t *testing.T) {
	for _, tol := range []float64{-1, math.NaN(), math.Inf(1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Fatalf("tolerance %g was taken", tol)
				}
			}()
			Weld(tetra(), tol)
		}()
	}
}
