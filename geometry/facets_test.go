package geometry

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// merged merges a mesh and checks the properties that always hold: templates accept the polygons,
// the area is that of the mesh within rel, and every point near a vertex of the mesh is still
// covered.
func merged(t testing.TB, m *Mesh, rel float64) [][]vec.Vec3 {
	t.Helper()
	polygons, _, err := mergeFacets(m)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range polygons {
		if _, err := FacetPolygonTemplate(p); err != nil {
			t.Fatalf("polygon %d of %d vertices: %v", i, len(p), err)
		}
	}
	if got, want := fanArea(polygons), meshArea(m); !(math.Abs(got-want) <= rel*want) {
		t.Errorf("area %.17g, want %.17g", got, want)
	}
	return polygons
}

func TestMergeFacetsCounts(t *testing.T) {
	cube := must[*Polyhedron](t)(Box(1, 1, 1))
	cubeMesh := &Mesh{Name: "cube", Verts: cube.Verts}
	for f := range cube.NFaces() {
		var face []int
		for _, k := range cube.Loop(f) {
			face = append(face, int(k))
		}
		cubeMesh.Faces = append(cubeMesh.Faces, face)
	}
	half := vec.Quat{W: 0.3, X: -0.4, Y: 0.7, Z: 0.1}.Normalized()
	tee := gridMesh(8, 8, nil) // a wall on the middle of a floor: three facets meet at its edges
	for i := range 8 {
		a, b, n := 4*9+i, 4*9+i+1, len(tee.Verts)
		tee.Verts = append(tee.Verts, tee.Verts[a].Add(vec.V(0, 0, 1)), tee.Verts[b].Add(vec.V(0, 0, 1)))
		tee.Faces = append(tee.Faces, []int{a, b, n + 1, n})
	}
	for i := 0; i < 16; i += 2 { // neighbours share the top vertices only by their coordinates
		if i > 0 && tee.Verts[81+i] != tee.Verts[81+i-1] {
			t.Fatal("the wall is not connected")
		}
	}
	folded := &Mesh{Name: "folded", Verts: []vec.Vec3{vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0.3, 0.8, 0)},
		Faces: [][]int{{0, 1, 2}, {1, 0, 3}}}
	for _, c := range []struct {
		name    string
		m       *Mesh
		lo, hi  int
		corners int // of every polygon; 0: any
		rel     float64
	}{
		{"flat grid", gridMesh(60, 60, nil), 1, 1, 4, 1e-11},
		{"flat grid, fine", gridMesh(90, 89, nil), 1, 1, 4, 1e-11},
		{"cube", cubeMesh, 6, 6, 4, 1e-11},
		{"refined cube", refined(cubeMesh, 4), 6, 6, 4, 1e-11},
		{"hopper", hopperMesh(4), 4, 4, 4, 1e-11},
		{"L", gridMesh(20, 20, func(i, j int) bool { return i < 10 || j < 10 }), 2, 3, 0, 1e-11},
		{"L of thirds", gridMesh(60, 60, func(i, j int) bool { return i < 20 || j < 20 }), 2, 3, 0, 1e-11},
		{"frame", gridMesh(12, 12, func(i, j int) bool { return i < 3 || j < 3 || i > 8 || j > 8 }), 4, 8, 0, 1e-11},
		{"one cell missing", gridMesh(21, 21, func(i, j int) bool { return i != 10 || j != 10 }), 4, 8, 0, 1e-11},
		{"two that touch in a corner", gridMesh(2, 2, func(i, j int) bool { return i == j }), 2, 2, 4, 1e-11},
		{"wall on a floor", tee, 2, 2, 4, 1e-11},
		{"folded over", folded, 2, 2, 3, 1e-11},
		{"icosahedron refined on the sphere", sphereMesh(t, 4), 20 * 256, 20 * 256, 3, 1e-11},
		{"icosahedron refined flat", refined(sphereMesh(t, 0), 4), 20, 20, 3, 1e-11},
		{"one triangle", &Mesh{Verts: folded.Verts, Faces: folded.Faces[:1]}, 1, 1, 3, 1e-15},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for name, m := range map[string]*Mesh{
				"as is":        c.m,
				"turned":       placed(c.m, half, vec.Vec3{}),
				"far":          placed(c.m, half, vec.V(1e3, -2e3, 5e2)),
				"shuffled":     shuffled(c.m, r),
				"kilometres":   scaledMesh(c.m, 1e-3),
				"micrometres":  scaledMesh(c.m, 1e6),
				"single prec.": rounded(placed(c.m, half, vec.Vec3{})),
			} {
				rel := c.rel
				switch name {
				case "far":
					rel = 1e-10
				case "single prec.":
					rel = 1e-5
				}
				got := merged(t, m, rel)
				if len(got) < c.lo || len(got) > c.hi {
					t.Errorf("%s: %d facets, expected %d to %d", name, len(got), c.lo, c.hi)
				}
				for i, p := range got {
					if c.corners > 0 && len(p) != c.corners {
						t.Errorf("%s: facet %d has %d corners, expected %d", name, i, len(p), c.corners)
					}
				}
			}
		})
	}
}

// TestMergeFacetsExact checks that the corners of a floor have the bits and the order of the file,
// for any height of the floor.
func TestMergeFacetsExact(t *testing.T) {
	m := gridMesh(60, 60, nil)
	for k := range m.Verts {
		m.Verts[k].Z = 0.1
	}
	got := merged(t, m, 1e-11)
	want := []vec.Vec3{vec.V(0, 0, 0.1), vec.V(1, 0, 0.1), vec.V(1, 1, 0.1), vec.V(0, 1, 0.1)}
	if len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestMergeFacetsRandom checks that a convex polygon is one facet for any triangulation, order and
// orientation. If facets are missing, the pieces must have the remaining area, be convex, and be
// fewer than the triangles.
func TestMergeFacetsRandom(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		sides := 3 + r.IntN(9)
		m := shuffled(randomPlanar(r, sides, 5+r.IntN(80)), r)
		q := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
		m = placed(m, q, vec.V(r.Float64(), 10*r.Float64(), 0))
		got := merged(t, m, 1e-12)
		if len(got) != 1 || len(got[0]) != sides {
			t.Errorf("seed %d: %d facets, the first of %d corners, expected one of %d", seed, len(got), len(got[0]), sides)
		}
		holed := &Mesh{Name: "holed", Verts: m.Verts}
		for _, f := range m.Faces {
			if r.IntN(6) > 0 {
				holed.Faces = append(holed.Faces, f)
			}
		}
		if len(holed.Faces) == 0 {
			continue
		}
		pieces := merged(t, holed, 1e-5)
		if n := len(holed.Faces); len(pieces) > n || n > 20 && len(pieces) > 3*n/4 {
			t.Errorf("seed %d: %d triangles make %d facets", seed, n, len(pieces))
		}
		// No two pieces overlap: each triangle's centre lies in one piece.
		for _, f := range holed.Faces {
			c := holed.Verts[f[0]].Add(holed.Verts[f[1]]).Add(holed.Verts[f[2]]).Scale(1.0 / 3)
			in := 0
			for _, p := range pieces {
				if inPolygon(p, c) {
					in++
				}
			}
			if in != 1 {
				t.Fatalf("seed %d: the middle of a triangle lies in %d facets", seed, in)
			}
		}
	}
}

func inPolygon(p []vec.Vec3, c vec.Vec3) bool {
	n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
	for k, v := range p {
		if n.Dot(p[(k+1)%len(p)].Sub(v).Cross(c.Sub(v))) < 0 {
			return false
		}
	}
	return true
}

// TestMergeFacetsCurved checks that a surface that bends by less than the tolerance from facet to
// facet is not flattened: the merged facets stay within the tolerance of the surface. Their number
// grows with the arc, not with the number of triangles.
func TestMergeFacetsCurved(t *testing.T) {
	m := gridMesh(4000, 1, nil) // a quarter of a pipe, radius 1
	for k, v := range m.Verts {
		s, c := vec.Sincos(v.X * math.Pi / 2)
		m.Verts[k] = vec.V(s, v.Y, c)
	}
	got := merged(t, m, 1e-5)
	// A chord within ±2e-6 of the arc is at most 2·√(2·4e-6) wide.
	if len(got) < 250 || len(got) > 2000 {
		t.Errorf("%d facets", len(got))
	}
	for _, p := range got {
		for k, v := range p {
			mid := v.Add(p[(k+1)%len(p)]).Scale(0.5)
			if r := math.Sqrt(mid.X*mid.X + mid.Z*mid.Z); math.Abs(r-1) > 5e-6 {
				t.Fatalf("the middle of an edge lies %g off the pipe", r-1)
			}
		}
	}
}

func TestMergeFacetsRefuses(t *testing.T) {
	tri := []vec.Vec3{{}, {X: 1}, {Y: 1}}
	for _, c := range []struct {
		name string
		m    *Mesh
		want error
	}{
		{"empty", &Mesh{}, ErrEmpty},
		{"no faces", &Mesh{Verts: tri}, ErrEmpty},
		{"two vertices", &Mesh{Verts: tri, Faces: [][]int{{0, 1}}}, ErrTruncated},
		{"index too large", &Mesh{Verts: tri, Faces: [][]int{{0, 1, 3}}}, ErrTruncated},
		{"index negative", &Mesh{Verts: tri, Faces: [][]int{{0, 1, -1}}}, ErrTruncated},
		{"NaN", &Mesh{Verts: []vec.Vec3{{}, {X: math.NaN()}, {Y: 1}}, Faces: [][]int{{0, 1, 2}}}, ErrNotFinite},
		{"too far", &Mesh{Verts: []vec.Vec3{{}, {X: 1e60}, {Y: 1}}, Faces: [][]int{{0, 1, 2}}}, ErrValue},
	} {
		if p, _, err := mergeFacets(c.m); !errors.Is(err, c.want) || p != nil {
			t.Errorf("%s: %v, expected %v", c.name, err, c.want)
		}
	}
	flat := &Mesh{Verts: []vec.Vec3{{}, {X: 1}, {X: 2}}, Faces: [][]int{{0, 1, 2}, {0, 0, 1}}}
	if p, n, err := mergeFacets(flat); err != nil || len(p) != 0 || n != 2 {
		t.Errorf("flat triangles: %v, %d, %v", p, n, err)
	}
}

// FuzzMergeFacets checks that any set of triangles on a small lattice, with overlaps, folds and
// repetitions, yields facets that the arena accepts, no more facets than triangles, and the same
// facets twice.
func FuzzMergeFacets(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 2, 1}, false)
	f.Add([]byte("coplanar facets that meet at edges"), true)
	f.Add([]byte{0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 4, 5, 9, 4, 9, 8}, true)
	f.Fuzz(func(t *testing.T, b []byte, tilt bool) {
		m := &Mesh{Name: "fuzz"}
		for k := range 32 {
			v := vec.V(float64(k%4), float64(k/4%4), float64(k/16))
			if tilt {
				v = v.Add(vec.V(0, 0, 0.3*v.X-0.7*v.Y))
			}
			m.Verts = append(m.Verts, v)
		}
		for i := 0; i+3 <= len(b) && i < 300; i += 3 {
			m.Faces = append(m.Faces, []int{int(b[i]) % 32, int(b[i+1]) % 32, int(b[i+2]) % 32})
		}
		if len(m.Faces) == 0 {
			return
		}
		got, flat, err := mergeFacets(m)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > len(m.Faces)-flat || len(got) == 0 && flat < len(m.Faces) {
			t.Fatalf("%d triangles, %d of them flat, make %d facets", len(m.Faces), flat, len(got))
		}
		for _, p := range got {
			if _, err := FacetPolygonTemplate(p); err != nil {
				t.Fatal(err)
			}
		}
		if a, want := fanArea(got), meshArea(once(m)); math.Abs(a-want) > 1e-4*want+1e-12 {
			t.Fatalf("area %g, want %g", a, want)
		}
		again, _, _ := mergeFacets(m)
		if fmt.Sprint(got) != fmt.Sprint(again) {
			t.Fatal("not the same twice")
		}
	})
}

// TestMergeFacetsDropsEqualOnes checks that a repeated facet adds nothing to the surface, in either
// orientation.
func TestMergeFacetsDropsEqualOnes(t *testing.T) {
	m := &Mesh{Verts: []vec.Vec3{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1, Z: 1}, {}}}
	for range 1000 {
		m.Faces = append(m.Faces, []int{0, 1, 2}, []int{2, 1, 0}, []int{1, 2, 4}, []int{1, 2, 3})
	}
	polygons, flat, err := mergeFacets(m)
	if err != nil || flat != 0 || len(polygons) != 2 {
		t.Errorf("%d facets, %d flat, error %v, expected 2 facets", len(polygons), flat, err)
	}
}

// BenchmarkMergeFacets merges a flat grid, an L-shape (pair by pair), and a sphere. The checksum is
// the number of facets.
func BenchmarkMergeFacets(b *testing.B) {
	for _, c := range []struct {
		name string
		m    *Mesh
	}{
		{"mesh=grid", gridMesh(224, 224, nil)},
		{"mesh=L", gridMesh(224, 224, func(i, j int) bool { return i < 200 || j < 200 })},
		{"mesh=sphere", sphereMesh(b, 6)},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				p, _, _ := mergeFacets(c.m)
				n = len(p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.m.Faces)), "ns/facet")
			b.ReportMetric(float64(n), "checksum")
		})
	}
}
