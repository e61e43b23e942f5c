package fileio

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// awkward returns a mesh with coordinates that need all digits, some of them very small or very
// large.
func awkward(seed uint64) *geometry.Mesh {
	rng := rand.New(rand.NewPCG(seed, 3))
	m := cube(vec.Vec3{X: 0.1, Y: -1.0 / 3, Z: 1e-9}, 1.0/7)
	m.Verts = append(m.Verts, vec.Vec3{X: 5e-324, Y: -math.MaxFloat64, Z: math.Pi})
	for range 40 {
		m.Verts = append(m.Verts, vec.Vec3{X: rng.NormFloat64(), Y: math.Ldexp(rng.Float64(), rng.IntN(600)-300), Z: rng.ExpFloat64()})
	}
	m.Faces = append(m.Faces, []int{0, 1, 2, 3, 4, 5, 6}, []int{7, 20, 30})
	return m
}

func TestRoundTripKeepsEveryBit(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{".obj", ".off"} {
		path := filepath.Join(dir, "m"+ext)
		want := awkward(1)
		if err := WriteMesh(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := ReadMesh(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Verts, want.Verts) || !reflect.DeepEqual(got.Faces, want.Faces) {
			t.Fatalf("%s: the mesh has changed", ext)
		}
	}
}

func TestRoundTripSTL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.stl")
	want := cube(vec.Vec3{X: 0.1, Y: -1.0 / 3, Z: 1e-3}, 1.0/7)
	for _, c := range []struct {
		format Format
		round  func(x float64) float64
	}{
		{STLASCII, func(x float64) float64 { return x }},
		{STLBinary, func(x float64) float64 { return float64(float32(x)) }},
	} {
		if err := WriteMeshAs(path, c.format, want); err != nil {
			t.Fatal(err)
		}
		got, err := ReadMesh(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Verts) != 8 || len(got.Faces) != 12 {
			t.Fatalf("format %d: %d vertices, %d faces, want 8 and 12", c.format, len(got.Verts), len(got.Faces))
		}
		for _, v := range want.Verts {
			rounded := vec.Vec3{X: c.round(v.X), Y: c.round(v.Y), Z: c.round(v.Z)}
			found := false
			for _, g := range got.Verts {
				found = found || g == rounded
			}
			if !found {
				t.Fatalf("format %d: vertex %v is lost", c.format, rounded)
			}
		}
		if v, side := signedVolume(got), 1.0/7; math.Abs(v-side*side*side) > 1e-8 {
			t.Fatalf("format %d: volume %g", c.format, v)
		}
	}
}

// TestSTLNormals checks the stored normals, which other readers use.
func TestSTLNormals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.stl")
	if err := WriteMesh(path, cube(vec.Vec3{}, 2)); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(content) != 84+12*50 {
		t.Fatalf("%d bytes, want 684", len(content))
	}
	want := []vec.Vec3{{Z: -1}, {Z: 1}, {Y: -1}, {Y: 1}, {X: -1}, {X: 1}}
	for i := range 12 {
		at := 84 + 50*i
		if n := (vec.Vec3{X: float32At(content, at), Y: float32At(content, at+4), Z: float32At(content, at+8)}); n != want[i/2] {
			t.Fatalf("triangle %d: normal %v, want %v", i, n, want[i/2])
		}
	}
}

func TestWriteMeshRefuses(t *testing.T) {
	dir := t.TempDir()
	arrow := &geometry.Mesh{Verts: []vec.Vec3{{}, {X: 2}, {X: 0.5, Y: 0.5}, {Y: 2}}, Faces: [][]int{{1, 2, 3, 0}}}
	cases := []struct {
		name, file string
		mesh       *geometry.Mesh
		want       error
	}{
		{"extension", "m.ply", tetra(), ErrUnknownFormat},
		{"no vertices", "m.obj", &geometry.Mesh{}, geometry.ErrEmpty},
		{"NaN", "m.off", &geometry.Mesh{Verts: []vec.Vec3{{Y: math.NaN()}}}, geometry.ErrNotFinite},
		{"infinity", "m.stl", &geometry.Mesh{Verts: []vec.Vec3{{Y: math.Inf(1)}}}, geometry.ErrNotFinite},
		{"index", "m.obj", &geometry.Mesh{Verts: []vec.Vec3{{}}, Faces: [][]int{{0, 0, 1}}}, geometry.ErrValue},
		{"negative index", "m.obj", &geometry.Mesh{Verts: []vec.Vec3{{}}, Faces: [][]int{{0, 0, -1}}}, geometry.ErrValue},
		{"two corners", "m.obj", &geometry.Mesh{Verts: []vec.Vec3{{}}, Faces: [][]int{{0, 0}}}, geometry.ErrTruncated},
		{"arrow as STL", "m.stl", arrow, geometry.ErrNotConvex},
		{"beyond float32", "m.stl", cube(vec.Vec3{}, 1e39), geometry.ErrValue},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := WriteMesh(filepath.Join(dir, c.file), c.mesh); !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != 0 {
				t.Fatalf("%v, %v was left behind", err, left)
			}
		})
	}
}
