package surfaces

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// closed fails unless the mesh is a closed, oriented, connected manifold whose triangles have an
// area. It returns the volume.
func closed(t *testing.T, m *geometry.Mesh) (volume float64) {
	t.Helper()
	edges := map[[2]int]int{} // to the face
	for f, face := range m.Faces {
		for k, a := range face {
			edge := [2]int{a, face[(k+1)%3]}
			if other, twice := edges[edge]; twice {
				t.Fatalf("%s: edge %v is in faces %d and %d, the same way", m.Name, edge, other, f)
			}
			edges[edge] = f
		}
		a, b, c := m.Verts[face[0]], m.Verts[face[1]], m.Verts[face[2]]
		if area := b.Sub(a).Cross(c.Sub(a)).Norm(); !(area > 1e-9) {
			t.Fatalf("%s: face %d has area %g", m.Name, f, area)
		}
		volume += a.Dot(b.Cross(c)) / 6
	}
	// Walk from face to face across the edges. The walk must reach all faces, and the faces around
	// each vertex must form one ring.
	seen, queue := make([]bool, len(m.Faces)), []int{0}
	seen[0] = true
	for len(queue) > 0 {
		face := m.Faces[queue[0]]
		queue = queue[1:]
		for k, a := range face {
			next, found := edges[[2]int{face[(k+1)%3], a}]
			if !found {
				t.Fatalf("%s: edge %d to %d has one face", m.Name, a, face[(k+1)%3])
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	around, first := make([]int, len(m.Verts)), make([][2]int, len(m.Verts))
	for f, face := range m.Faces {
		if !seen[f] {
			t.Fatalf("%s: face %d is of another part than face 0", m.Name, f)
		}
		for k, a := range face {
			around[a]++
			first[a] = [2]int{f, k}
		}
	}
	for v, n := range around {
		f, k := first[v][0], first[v][1]
		for range n {
			face := m.Faces[f]
			f = edges[[2]int{v, face[(k+2)%3]}] // the next face around v
			for k = 0; m.Faces[f][k] != v; k++ {
			}
			if n--; f == first[v][0] {
				break
			}
		}
		if n != 0 {
			t.Fatalf("%s: the %d faces at vertex %d are no ring", m.Name, around[v], v)
		}
	}
	return volume
}

func hashOf(m *geometry.Mesh) string {
	h := fnv.New64a()
	for _, v := range m.Verts {
		fmt.Fprintf(h, "%x %x %x\n", math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z))
	}
	fmt.Fprint(h, m.Faces)
	return fmt.Sprintf("%016x", h.Sum64())
}

func must(t *testing.T) func(*geometry.Mesh, error) *geometry.Mesh {
	return func(m *geometry.Mesh, err error) *geometry.Mesh {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func TestSphere(t *testing.T) {
	for k := range 8 {
		m := must(t)(Sphere(1, k))
		if want := 8 << (2 * k); len(m.Faces) != want {
			t.Errorf("refined %d times: %d faces, expected %d", k, len(m.Faces), want)
		}
		if k > 4 {
			continue // the other surfaces cover the rest
		}
		volume := closed(t, m)
		if Genus(m) != 0 {
			t.Errorf("genus %d", Genus(m))
		}
		for _, v := range m.Verts {
			if math.Abs(v.Norm()-1) > 1e-15 {
				t.Fatalf("vertex %v has radius %g", v, v.Norm())
			}
		}
		// The error of the volume is divided by about four with each refinement.
		if lack := 4*math.Pi/3 - volume; !(lack > 0 && lack < 7/float64(int(1)<<(2*k))) {
			t.Errorf("refined %d times: volume %g", k, volume)
		}
	}
}

func TestTorus(t *testing.T) {
	m := must(t)(Torus(2, 0.5, 60, 40))
	volume, want := closed(t, m), 2*math.Pi*math.Pi*2*0.25
	if Genus(m) != 1 || len(m.Faces) != 4800 || !(volume < want && volume > 0.98*want) {
		t.Errorf("genus %d, %d faces, volume %g, expected 1, 4800, nearly %g", Genus(m), len(m.Faces), volume, want)
	}
}

// TestFoam checks that the foams of the study have as many triangles as those of Muth et al. 2006,
// within 3 %.
func TestFoam(t *testing.T) {
	for _, c := range []struct{ cubes, paper, genus int }{{FoamSmall, 28952, 194}, {FoamMiddle, 120868, 204}, {FoamLarge, 494124, 212}} {
		m := must(t)(Foam(FoamOptions{Seed: 1, Cubes: c.cubes}))
		if off := float64(len(m.Faces))/float64(c.paper) - 1; math.Abs(off) > 0.03 {
			t.Errorf("%s has %d faces, %.1f %% off %d", m.Name, len(m.Faces), 100*off, c.paper)
		}
		t.Logf("%s: %d faces, genus %d", m.Name, len(m.Faces), Genus(m))
		if c.cubes == FoamSmall {
			if volume := closed(t, m); !(volume > 0.5 && volume < 3) {
				t.Errorf("%s has volume %g", m.Name, volume)
			}
		}
		if Genus(m) != c.genus {
			t.Errorf("%s has genus %d, expected %d", m.Name, Genus(m), c.genus)
		}
	}
}

// TestDyadicFoam checks that coordinates are multiples of 1/32, and that many triangles are
// parallel to an axis.
func TestDyadicFoam(t *testing.T) {
	m := must(t)(Foam(FoamOptions{Seed: 2, Cubes: 16, Dyadic: true}))
	closed(t, m)
	for _, v := range m.Verts {
		if w := v.Scale(32); w != vec.V(math.Round(w.X), math.Round(w.Y), math.Round(w.Z)) {
			t.Fatalf("vertex %v is off the grid", v)
		}
	}
}

// TestSameBits pins bits that must be equal on all machines and in all releases.
func TestSameBits(t *testing.T) {
	for spec, want := range map[string]string{
		"sphere:1.5,4":      "c39b9f1dbad93828",
		"torus:2,0.5,30,20": "207857ec34a95edb",
		"foam:1,12":         "d5f738d72fdd4360",
		"foam:7,12":         "57150f352b4e8600",
		"dyadic-foam:1,16":  "86ff7b8ff9594e6d",
		"terrain:3,40,50":   "b9bcc86934f7b10a",
	} {
		if got := hashOf(must(t)(Parse(spec))); got != want {
			t.Errorf("%s has hash %s, expected %s", spec, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"ball:1":                      "sphere:R,k, torus:R,R,m,n, foam:seed,n, dyadic-foam:seed,n, terrain:seed,n,SIZE, tube:n,R,H",
		"sphere":                      "expected sphere:R,k",
		"sphere:1,2,3":                "3 values, expected sphere:R,k",
		"sphere:x,2":                  `R is "x", expected a number`,
		"sphere:nan,2":                "radius of the sphere is NaN",
		"sphere:-1,2":                 "radius of the sphere is -1",
		"sphere:1,2.5":                `k is "2.5", expected a whole number`,
		"sphere:1,10":                 "refinement of the sphere is 10, expected 0 to 9",
		"torus:1,1,9,9":               "radius of the tube is 1, expected less",
		"torus:2,1,2,9":               "2 × 9 points, expected at least 3 × 3",
		"torus:2,1,9999,999":          "at most 2097152",
		"torus:inf,1,9,9":             "radii of the torus are +Inf and 1",
		"foam:1,7":                    "is 7, expected 8 to 200",
		"terrain:1,0,5":               "is 0, expected 1 to 4096",
		"terrain:1,5,-1":              "is -1 m, expected more than 0",
		"tube:2,1,1":                  "number of sides of the tube is 2, expected 3 to 4096",
		"tube:9,1,0":                  "radius and height of the tube are 1 and 0 m",
		"foam:-1,9":                   `seed is "-1", expected a whole number ≥ 0`,
		"foam:1,99999999999999999999": `n is "99999999999999999999"`,
		"foam:1,18446744073709551615": "expected 8 to 200",
	} {
		_, err := Parse(spec)
		if !errors.Is(err, geometry.ErrValue) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", spec, err, want)
		}
	}
	if !Is("foam:") || Is("foam") || Is("foam.obj") || Is("box:1x1x1") {
		t.Error("Is")
	}
}

func ExampleTorus() {
	m, err := Torus(1, 0.25, 24, 12)
	fmt.Println(len(m.Verts), len(m.Faces), Genus(m), err)
	// Output: 288 576 1 <nil>
}

// TestTube checks that the facets of a tube face its axis, and have the area of a prism.
func TestTube(t *testing.T) {
	m := must(t)(Parse("tube:12,2,3"))
	area := 0.0
	for _, f := range m.Faces {
		a, b, c := m.Verts[f[0]], m.Verts[f[1]], m.Verts[f[2]]
		n := b.Sub(a).Cross(c.Sub(a))
		area += n.Norm() / 2
		if at := a.Add(b).Add(c); !(n.X*at.X+n.Y*at.Y < 0) || n.Z != 0 {
			t.Errorf("the facet %v faces along %v, expected inwards", f, n)
		}
	}
	if want := 12 * 2 * 2 * math.Sin(math.Pi/12) * 3; len(m.Verts) != 24 || !(math.Abs(area/want-1) < 1e-12) {
		t.Errorf("%d vertices and %g m², expected 24 and %g", len(m.Verts), area, want)
	}
}
