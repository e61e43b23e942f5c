package geometry

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// gridMesh is a lattice of nx×ny cells of two triangles on the unit square, in the plane z = 0.
// keep reports which cells exist; nil means all.
func gridMesh(nx, ny int, keep func(i, j int) bool) *Mesh {
	m := &Mesh{Name: "grid"}
	for j := range ny + 1 {
		for i := range nx + 1 {
			m.Verts = append(m.Verts, vec.V(float64(i)/float64(nx), float64(j)/float64(ny), 0))
		}
	}
	at := func(i, j int) int { return j*(nx+1) + i }
	for j := range ny {
		for i := range nx {
			if keep == nil || keep(i, j) {
				a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
				m.Faces = append(m.Faces, []int{a, b, c}, []int{a, c, d})
			}
		}
	}
	return m
}

// refined divides every triangle into four, n times.
func refined(m *Mesh, n int) *Mesh {
	for range n {
		out := &Mesh{Name: m.Name, Verts: slices.Clone(m.Verts)}
		middle := map[[2]int]int{}
		mid := func(a, b int) int {
			e := [2]int{min(a, b), max(a, b)}
			if _, ok := middle[e]; !ok {
				middle[e] = len(out.Verts)
				out.Verts = append(out.Verts, m.Verts[a].Add(m.Verts[b]).Scale(0.5))
			}
			return middle[e]
		}
		for _, f := range m.Faces {
			for j := 2; j < len(f); j++ {
				a, b, c := f[0], f[j-1], f[j]
				ab, bc, ca := mid(a, b), mid(b, c), mid(c, a)
				out.Faces = append(out.Faces, []int{a, ab, ca}, []int{ab, b, bc}, []int{ca, bc, c}, []int{ab, bc, ca})
			}
		}
		m = out
	}
	return m
}

// placed rotates and translates a mesh.
func placed(m *Mesh, q vec.Quat, by vec.Vec3) *Mesh {
	out := &Mesh{Name: m.Name, Faces: m.Faces}
	for _, v := range m.Verts {
		out.Verts = append(out.Verts, q.Rotate(v).Add(by))
	}
	return out
}

// shuffled reverses triangles, starts them at any corner, and reorders them.
func shuffled(m *Mesh, r *rand.Rand) *Mesh {
	out := &Mesh{Name: m.Name, Verts: m.Verts}
	for _, i := range r.Perm(len(m.Faces)) {
		f := slices.Clone(m.Faces[i])
		k := r.IntN(len(f))
		f = append(f[k:], f[:k]...)
		if r.IntN(2) == 0 {
			slices.Reverse(f)
		}
		out.Faces = append(out.Faces, f)
	}
	return out
}

// hopperMesh has four flat sides, each refined, and open ends.
func hopperMesh(n int) *Mesh {
	m := &Mesh{Name: "hopper"}
	for _, s := range []float64{1, 0.3} {
		z := (s - 0.3) / 0.7
		m.Verts = append(m.Verts, vec.V(s, s, z), vec.V(-s, s, z), vec.V(-s, -s, z), vec.V(s, -s, z))
	}
	for k := range 4 {
		l := (k + 1) % 4
		m.Faces = append(m.Faces, []int{k, l, 4 + l, 4 + k})
	}
	return refined(m, n)
}

// sphereMesh is an icosahedron refined n times on the sphere.
func sphereMesh(t testing.TB, n int) *Mesh {
	p, err := ParseBuiltin("icosa:1")
	if err != nil {
		t.Fatal(err)
	}
	m := &Mesh{Name: "sphere", Verts: p.Poly.Verts}
	for f := range p.Poly.NFaces() {
		var face []int
		for _, k := range p.Poly.Loop(f) {
			face = append(face, int(k))
		}
		m.Faces = append(m.Faces, face)
	}
	m = refined(m, n)
	for k, v := range m.Verts {
		m.Verts[k] = v.Unit()
	}
	return m
}

// fanArea is the area of polygons.
func fanArea(polygons [][]vec.Vec3) float64 {
	sum := 0.0
	for _, p := range polygons {
		for j := 2; j < len(p); j++ {
			sum += p[j-1].Sub(p[0]).Cross(p[j].Sub(p[0])).Norm() / 2
		}
	}
	return sum
}

// meshArea is the area of a mesh, by the fans of its faces.
func meshArea(m *Mesh) float64 {
	var all [][]vec.Vec3
	for _, f := range m.Faces {
		var p []vec.Vec3
		for _, k := range f {
			p = append(p, m.Verts[k])
		}
		all = append(all, p)
	}
	return fanArea(all)
}

// scaledMesh is the mesh scaled by k.
func scaledMesh(m *Mesh, k float64) *Mesh {
	out := &Mesh{Name: m.Name, Faces: m.Faces}
	for _, v := range m.Verts {
		out.Verts = append(out.Verts, v.Scale(k))
	}
	return out
}

// rounded is the mesh rounded to single precision, as in a file.
func rounded(m *Mesh) *Mesh {
	out := &Mesh{Name: m.Name, Faces: m.Faces}
	for _, v := range m.Verts {
		out.Verts = append(out.Verts, vec.V(float64(float32(v.X)), float64(float32(v.Y)), float64(float32(v.Z))))
	}
	return out
}

// randomPlanar triangulates random points of a convex polygon. It divides each triangle that
// contains the next point into three, and flips diagonals at random if possible.
func randomPlanar(r *rand.Rand, sides, points int) *Mesh {
	m := &Mesh{Name: "random"}
	for k := range sides {
		s, c := vec.Sincos(2 * math.Pi * (float64(k) + 0.6*r.Float64()) / float64(sides))
		m.Verts = append(m.Verts, vec.V(c, s, 0))
		if k >= 2 {
			m.Faces = append(m.Faces, []int{0, k - 1, k})
		}
	}
	left := func(a, b, c int) float64 {
		return m.Verts[b].Sub(m.Verts[a]).Cross(m.Verts[c].Sub(m.Verts[a])).Z
	}
	for range points {
		i := r.IntN(len(m.Faces))
		f := m.Faces[i]
		u, v := 0.1+0.4*r.Float64(), 0.1+0.4*r.Float64()
		p := m.Verts[f[0]].Scale(1-u-v).AddScaled(u, m.Verts[f[1]]).AddScaled(v, m.Verts[f[2]])
		k := len(m.Verts)
		m.Verts = append(m.Verts, p)
		m.Faces[i] = []int{f[0], f[1], k}
		m.Faces = append(m.Faces, []int{f[1], f[2], k}, []int{f[2], f[0], k})
	}
	for range 4 * points {
		i, j := r.IntN(len(m.Faces)), r.IntN(len(m.Faces))
		f, g := m.Faces[i], m.Faces[j]
		for a := range 3 {
			for b := range 3 {
				if i == j || f[a] != g[(b+1)%3] || f[(a+1)%3] != g[b] {
					continue
				}
				p, q, s, t := f[a], f[(a+1)%3], f[(a+2)%3], g[(b+2)%3]
				if left(s, p, t) > 1e-3 && left(s, t, q) > 1e-3 {
					m.Faces[i], m.Faces[j] = []int{s, p, t}, []int{s, t, q}
					f, g = m.Faces[i], m.Faces[j]
				}
			}
		}
	}
	return m
}

// once returns the mesh without triangles that have the corners of an earlier triangle.
func once(m *Mesh) *Mesh {
	var distinct Mesh
	there := map[[3]int]bool{}
	for _, f := range m.Faces {
		t := [3]int(f)
		slices.Sort(t[:])
		if !there[t] {
			there[t] = true
			distinct.Faces = append(distinct.Faces, f)
		}
	}
	distinct.Verts = m.Verts
	return &distinct
}

// TestManyFacetsAtOneEdge checks triangles that meet at one edge like the pages of a book. All
// pages are compared with each other. Too many pages must be rejected after a number of comparisons
// that hardly depends on their number.
func TestManyFacetsAtOneEdge(t *testing.T) {
	book := func(n int) *Mesh {
		m := &Mesh{Name: "book", Verts: []vec.Vec3{{}, {Z: 1}}}
		for k := range n {
			a := 2 * math.Pi * float64(k) / float64(n)
			m.Verts = append(m.Verts, vec.V(math.Cos(a), math.Sin(a), 0))
			m.Faces = append(m.Faces, []int{0, 1, k + 2})
		}
		return m
	}
	const few = 2000 // only opposite pages lie in one plane within the tolerance
	polygons, _, err := mergeFacets(book(few))
	if err != nil || len(polygons) != few/2 {
		t.Errorf("%d polygons, error %v, expected %d", len(polygons), err, few/2)
	}
	for _, n := range []int{4000, 8000} {
		g, _, err := newFacetMerger(book(n))
		if err != nil {
			t.Fatal(err)
		}
		g.most = 1_000_000
		for seed := range g.tris {
			if g.region[seed] < 0 && g.compared <= g.most {
				g.mergeFrom(seed)
			}
		}
		if g.compared > g.most+n {
			t.Errorf("%d pages: %d looks, expected an end at %d", n, g.compared, g.most)
		}
		want := fmt.Sprintf("%d triangles meet at the edge from (0, 0, 0) to (0, 0, 1)", n)
		if err := g.tooManyAtEdge("book"); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %v with %q", err, ErrTooLarge, want)
		}
	}
	if _, _, err := mergeFacets(book(20_000)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("20 000 pages: error %v, expected %v", err, ErrTooLarge)
	}
}
