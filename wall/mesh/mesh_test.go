package mesh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// meshOf returns the connected mesh of some polygons.
func meshOf(t *testing.T, polygons ...[]vec.Vec3) *WallMesh {
	t.Helper()
	facets, err := geometry.NewWallFacets(polygons)
	if err != nil {
		t.Fatal(err)
	}
	m := New(facets, func(int) (soa.Material, float64) { return 0, 0 })
	m.Connect()
	return m
}

// triangle returns the triangle of three points of a lattice.
func triangle(a, b, c [3]int) []vec.Vec3 {
	at := func(p [3]int) vec.Vec3 { return vec.V(float64(p[0]), float64(p[1]), float64(p[2])) }
	return []vec.Vec3{at(a), at(b), at(c)}
}

// TestAcross compares the connections of random triangles on a small lattice, of which many share
// edges, with a look at all pairs of edges.
func TestAcross(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	connected := 0
	for range 300 {
		var polygons [][]vec.Vec3
		for len(polygons) < 12 {
			point := func() [3]int { return [3]int{r.IntN(3), r.IntN(3), r.IntN(2)} }
			p := triangle(point(), point(), point())
			if p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Norm() > 0 {
				polygons = append(polygons, p)
			}
		}
		m := meshOf(t, polygons...)
		// Edges end in vertices, or go on behind vertices that lie on them.
		type half struct{ f, k int }
		var all []half
		for f := range m.Len() {
			for k := range m.Loop(f) {
				all = append(all, half{f, k})
			}
		}
		for _, h := range all {
			a, b := m.Ends(h.f, h.k)
			var others []half
			for _, o := range all {
				c, d := m.Ends(o.f, o.k)
				if o != h && (a == c && b == d || a == d && b == c) {
					others = append(others, o)
				}
			}
			g, opposite := m.Across(h.f, h.k)
			switch {
			case g < 0 && len(others) == 1:
				c := m.Normal(h.f).Dot(m.Normal(others[0].f))
				if start, _ := m.Ends(others[0].f, others[0].k); start == a {
					c = -c
				}
				if c > -1+1e-5 {
					t.Fatalf("facet %d ends at edge %d, expected facet %d beyond", h.f, h.k, others[0].f)
				}
			case g >= 0:
				connected++
				at := slices.IndexFunc(others, func(o half) bool { return o.f == g })
				if at < 0 {
					t.Fatalf("facet %d is connected to %d, which does not have the edge", h.f, g)
				}
				if start, _ := m.Ends(g, others[at].k); opposite != (start == b) {
					t.Fatalf("facets %d and %d pass the edge in opposite directions: %v", h.f, g, opposite)
				}
				if back, _ := m.Across(g, others[at].k); back != h.f || m.Part(g) != m.Part(h.f) {
					t.Fatalf("facet %d is connected to %d, which is connected to %d", h.f, g, back)
				}
			}
		}
	}
	if connected < 1000 {
		t.Errorf("%d edges are connected, expected more", connected)
	}
}

// TestVerticesOnEdges checks that a facet whose edge has the corners of two others on it is connected
// to both.
func TestVerticesOnEdges(t *testing.T) {
	m := meshOf(t,
		[]vec.Vec3{vec.V(0, 0, 0), vec.V(4, 0, 0), vec.V(4, 1, 0), vec.V(0, 1, 0)},
		[]vec.Vec3{vec.V(0, 0, 0), vec.V(3, 0, 0), vec.V(0, -1, 1)},
		[]vec.Vec3{vec.V(3, 0, 0), vec.V(4, 0, 0), vec.V(3, -1, 1)})
	var beyond []int
	for k := range m.Loop(0) {
		if g, _ := m.Across(0, k); g >= 0 {
			beyond = append(beyond, g)
		}
	}
	if len(m.Loop(0)) != 5 || !slices.Equal(beyond, []int{1, 2}) || m.Edge(0, 0) != 0 || m.Edge(0, 1) != 0 || m.Parts() != 1 {
		t.Errorf("loop %v, connected to %v in %d parts, expected five vertices, facets 1 and 2, and one part", m.Loop(0), beyond, m.Parts())
	}
}

// TestClosedSides checks which side of a part encloses a volume: of a torus, of the torus turned
// inside out, and of open ground.
func TestClosedSides(t *testing.T) {
	torus, err := surfaces.Torus(1, 0.25, 12, 8)
	if err != nil {
		t.Fatal(err)
	}
	ground, err := surfaces.Terrain(1, 6, 3)
	if err != nil {
		t.Fatal(err)
	}
	polygons := func(m *geometry.Mesh, by float64, inverted bool) (all [][]vec.Vec3) {
		for _, face := range m.Faces {
			var p []vec.Vec3
			for _, v := range face {
				p = append(p, m.Verts[v].Add(vec.V(by, 0, 0)))
			}
			if inverted {
				slices.Reverse(p)
			}
			all = append(all, p)
		}
		return all
	}
	all := append(polygons(torus, 0, false), polygons(torus, 9, true)...)
	m := meshOf(t, append(all, polygons(ground, -9, false)...)...)
	if got := m.ClosedSides(); !slices.Equal(got, []int{0, 1, NotClosed}) {
		t.Errorf("closed sides %v, expected 0, 1 and none", got)
	}
}

// TestTouching compares the facets of each vertex of some ground with a look at all facets.
func TestTouching(t *testing.T) {
	ground, err := surfaces.Terrain(2, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	facets, _, err := geometry.MergeFacets(ground)
	if err != nil {
		t.Fatal(err)
	}
	m := New(facets, func(int) (soa.Material, float64) { return 0, 0 })
	m.Connect()
	for f := range m.Len() {
		for _, v := range m.Loop(f) {
			var want []int32
			for g := range m.Len() {
				if slices.Contains(m.Loop(g), v) {
					want = append(want, int32(g))
				}
			}
			if got := m.Touching(v); !slices.Equal(got, want) {
				t.Fatalf("facets %v have vertex %d, expected %v", got, v, want)
			}
		}
	}
	if _, most := m.MostTouching(); most < 6 {
		t.Errorf("at most %d facets meet, expected 6 or more", most)
	}
}
