package tri

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// ringOf returns n corners at radius(k) about the origin, in order around it, on a grid so that
// some lie in rows.
func ringOf(n int, radius func(k int) float64) (verts []vec.Vec3) {
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		r := 4096 * radius(k)
		verts = append(verts, vec.V(math.Round(r*cos), math.Round(r*sin), 0))
	}
	return verts
}

func round(int) float64 { return 1 }

func zigzag(k int) float64 { return 1 - 0.5*float64(k%2) }

// bite is a square from whose left side a half disc is taken: nearly all corners are dents.
func bite(n int) []vec.Vec3 {
	verts := []vec.Vec3{{}, {X: 2}, {X: 2, Y: 2}, {Y: 2}}
	for i := range n - 4 {
		sin, cos := math.Sincos(math.Pi * float64(i+1) / float64(n-3))
		verts = append(verts, vec.V(sin, 1+cos, 0))
	}
	return verts
}

// straight returns the corners with as many more on the side from each to the next.
func straight(verts []vec.Vec3, more int) (all []vec.Vec3) {
	for k, v := range verts {
		w := verts[(k+1)%len(verts)]
		for i := range more {
			all = append(all, v.AddScaled(float64(i)/float64(more), w.Sub(v)))
		}
	}
	return all
}

func cutPolygon(verts []vec.Vec3) (*cutter, error) {
	loop := make([]uint32, len(verts))
	for k := range loop {
		loop[k] = uint32(k)
	}
	c := &cutter{}
	return c, c.add(verts, loop)
}

// firstEars cuts the first ear in order off a polygon of the plane z = 0, again and again, and looks
// at all other corners for each.
func firstEars(verts []vec.Vec3) (out [][3]uint32) {
	turn := func(a, b, c uint32) int {
		p, q, r := verts[a], verts[b], verts[c]
		return vec.Orient2D(p.X, p.Y, q.X, q.Y, r.X, r.Y)
	}
	left := make([]uint32, len(verts))
	for k := range left {
		left[k] = uint32(k)
	}
	for len(left) > 3 {
		n := len(left)
		ear := slices.IndexFunc(left, func(k uint32) bool {
			i := slices.Index(left, k)
			a, b := left[(i+n-1)%n], left[(i+1)%n]
			return turn(a, k, b) > 0 && !slices.ContainsFunc(left, func(d uint32) bool {
				return d != a && d != k && d != b && turn(a, k, d) >= 0 && turn(k, b, d) >= 0 && turn(b, a, d) >= 0
			})
		})
		if ear < 0 {
			return nil
		}
		out = append(out, [3]uint32{left[(ear+n-1)%n], left[ear], left[(ear+1)%n]})
		left = slices.Delete(left, ear, ear+1)
	}
	return append(out, [3]uint32(left))
}

// TestPolygonEars: the triangles are those that looking at all corners finds, in the same order,
// whichever corner comes first.
func TestPolygonEars(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	square := []vec.Vec3{{}, {X: 8}, {X: 8, Y: 8}, {Y: 8}}
	comb := []vec.Vec3{{}, {X: 5}, {X: 5, Y: 3}, {X: 4, Y: 3}, {X: 4, Y: 1}, {X: 3, Y: 1}, {X: 3, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 3}, {Y: 3}}
	polygons := map[string][]vec.Vec3{
		"round": ringOf(31, round), "star": ringOf(40, zigzag), "bite": bite(30), "comb": comb,
		"square with straight corners": straight(square, 8), "comb with straight corners": straight(comb, 4),
		"triangle with a row of corners": append(straight(square[:2], 8)[:9], vec.V(3, 8, 0)),
	}
	for k := range 40 {
		polygons["random "+string(rune('A'+k))] = ringOf(8+k, func(int) float64 { return 0.25 + 0.75*rng.Float64() })
	}
	for name, verts := range polygons {
		for turned := range verts {
			from := append(slices.Clone(verts[turned:]), verts[:turned]...)
			c, err := cutPolygon(from)
			if want := firstEars(from); err != nil || c.folded != 0 || want == nil || !slices.Equal(c.out, want) {
				t.Fatalf("%s from corner %d: %v, error %v, %d folded, expected %v", name, turned, c.out, err, c.folded, want)
			}
		}
	}
}

// TestPolygonWork counts the dents that are looked at: one for each corner of a convex polygon, at
// most three times all dents for each of another one. Larger ones with dents are refused.
func TestPolygonWork(t *testing.T) {
	convex := make([]vec.Vec3, 30_000) // on a parabola: exactly convex
	for k := range convex {
		x := float64(k - len(convex)/2)
		convex[k] = vec.V(x, x*x, 0)
	}
	for name, verts := range map[string][]vec.Vec3{"parabola": convex, "square with straight corners": straight([]vec.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, 8192)} {
		c, err := cutPolygon(verts)
		if n := len(verts); err != nil || len(c.out) != n-2 || c.looks > 2*n {
			t.Errorf("%s of %d corners: %d triangles, %d looks, error %v", name, n, len(c.out), c.looks, err)
		}
	}
	const n = 2000
	for name, verts := range map[string][]vec.Vec3{"star": ringOf(n, zigzag), "bite": bite(n)} {
		c, err := cutPolygon(verts)
		if err != nil || len(c.out) != n-2 || c.folded != 0 || c.looks > 3*n*n {
			t.Errorf("%s: %d triangles, %d folded, %d looks, error %v", name, len(c.out), c.folded, c.looks, err)
		}
	}
	m := &geometry.Mesh{Verts: ringOf(maxCorners+2, zigzag), Faces: [][]int{{0, 1, 2}, make([]int, maxCorners+2)}}
	for k := range m.Faces[1] {
		m.Faces[1][k] = k
	}
	const want = "face 1 is not convex and has 10002 corners, expected at most 10000"
	if _, err := FromMesh(m); !errors.Is(err, geometry.ErrTooLarge) || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, expected one with %q", err, want)
	}
}

// TestPolygonBorder: whatever a polygon is, its triangles have three corners and its border, and
// the looks are bounded.
func TestPolygonBorder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		n, side := 4+rng.IntN(12), 2+rng.IntN(6)
		verts := make([]vec.Vec3, side*side)
		for k := range verts {
			verts[k] = vec.V(float64(k%side), float64(k/side), float64(rng.IntN(2)))
		}
		var loop []uint32
		for len(loop) < n || loop[0] == loop[len(loop)-1] {
			if k := uint32(rng.IntN(len(verts))); len(loop) == 0 || loop[len(loop)-1] != k {
				loop = append(loop, k)
			}
		}
		c := &cutter{}
		if err := c.add(verts, loop); err != nil {
			t.Fatal(err)
		}
		net := map[[2]uint32]int{}
		pass := func(i, j uint32, by int) {
			if i > j {
				i, j, by = j, i, -by
			}
			net[[2]uint32{i, j}] += by
		}
		for k, i := range loop {
			pass(i, loop[(k+1)%len(loop)], -1)
		}
		for _, k := range c.out {
			if k[0] == k[1] || k[1] == k[2] || k[2] == k[0] {
				t.Fatalf("loop %v: triangle %v", loop, k)
			}
			pass(k[0], k[1], 1)
			pass(k[1], k[2], 1)
			pass(k[2], k[0], 1)
		}
		for edge, sum := range net {
			if sum != 0 {
				t.Fatalf("loop %v, triangles %v: edge %v is passed %d times too often", loop, c.out, edge, sum)
			}
		}
		if n := len(loop); c.looks > 9*n*n {
			t.Errorf("loop %v: %d looks", loop, c.looks)
		}
	}
}
