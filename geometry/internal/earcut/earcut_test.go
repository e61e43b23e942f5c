package earcut

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// ringOf returns n corners at radius(k) about the origin, in order around it, on a grid, so that
// some are collinear.
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

// bite is a square with a half disc removed from its left side: nearly all corners are dents.
func bite(n int) []vec.Vec3 {
	verts := []vec.Vec3{{}, {X: 2}, {X: 2, Y: 2}, {Y: 2}}
	for i := range n - 4 {
		sin, cos := math.Sincos(math.Pi * float64(i+1) / float64(n-3))
		verts = append(verts, vec.V(sin, 1+cos, 0))
	}
	return verts
}

// straight returns the corners, with more corners added on each side.
func straight(verts []vec.Vec3, more int) (all []vec.Vec3) {
	for k, v := range verts {
		w := verts[(k+1)%len(verts)]
		for i := range more {
			all = append(all, v.AddScaled(float64(i)/float64(more), w.Sub(v)))
		}
	}
	return all
}

// run is a EarCutter after a polygon of the plane z = 0.
type run struct {
	EarCutter
	folded bool
}

func cutPolygon(verts []vec.Vec3) *run {
	var u, v []float64
	for _, p := range verts {
		u, v = append(u, p.X), append(v, p.Y)
	}
	r := &run{}
	_, r.folded = r.Cut(u, v)
	return r
}

// firstEars cuts the first ear, in order, off a polygon of the plane z = 0, repeatedly. For each
// ear it compares all other corners.
func firstEars(verts []vec.Vec3) (out [][3]int) {
	turn := func(a, b, c int) int {
		p, q, r := verts[a], verts[b], verts[c]
		return vec.Orient2D(p.X, p.Y, q.X, q.Y, r.X, r.Y)
	}
	left := make([]int, len(verts))
	for k := range left {
		left[k] = k
	}
	for len(left) > 3 {
		n := len(left)
		ear := slices.IndexFunc(left, func(k int) bool {
			i := slices.Index(left, k)
			a, b := left[(i+n-1)%n], left[(i+1)%n]
			return turn(a, k, b) > 0 && !slices.ContainsFunc(left, func(d int) bool {
				return d != a && d != k && d != b && turn(a, k, d) >= 0 && turn(k, b, d) >= 0 && turn(b, a, d) >= 0
			})
		})
		if ear < 0 {
			return nil
		}
		out = append(out, [3]int{left[(ear+n-1)%n], left[ear], left[(ear+1)%n]})
		left = slices.Delete(left, ear, ear+1)
	}
	return append(out, [3]int(left))
}

// TestPolygonEars checks that the triangles are those of firstEars, in the same order, whichever
// corner comes first.
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
			c := cutPolygon(from)
			if want := firstEars(from); c.folded || want == nil || !slices.Equal(c.out, want) {
				t.Fatalf("%s from corner %d: %v, folded %v, expected %v", name, turned, c.out, c.folded, want)
			}
		}
	}
}

// TestPolygonManyEars does what TestPolygonEars does, for polygons whose dents fill many cells.
// They are stretched and sheared so that cells have all shapes, and moved to where coordinates have
// few digits left.
func TestPolygonManyEars(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	coast := func(int) float64 { return 0.25 + 0.75*rng.Float64() }
	const n = 160
	for name, verts := range map[string][]vec.Vec3{"star": fineRing(n, zigzag), "bite": bite(n), "coast": fineRing(n, coast), "comb": combOf(n), "spiral": spiralOf(n)} {
		for k, to := range []func(v vec.Vec3) vec.Vec3{
			func(v vec.Vec3) vec.Vec3 { return v },
			func(v vec.Vec3) vec.Vec3 { return vec.V(math.Ldexp(v.X, 40), v.Y, 0) },
			func(v vec.Vec3) vec.Vec3 { return vec.V(v.X, math.Ldexp(v.Y, 40), 0) },
			func(v vec.Vec3) vec.Vec3 { return vec.V(math.Ldexp(v.X, -300), math.Ldexp(v.Y-1000*v.X, -300), 0) },
			func(v vec.Vec3) vec.Vec3 { return vec.V(v.Y+0x1p40, -v.X-0x1p40, 0) },
			func(v vec.Vec3) vec.Vec3 { return vec.V(math.Ldexp(v.X, -1060), math.Ldexp(v.Y, 280), 0) },
		} {
			moved := make([]vec.Vec3, len(verts))
			for i, v := range verts {
				moved[i] = to(v)
			}
			for turned := 0; turned < n; turned += 37 {
				from := append(slices.Clone(moved[turned:]), moved[:turned]...)
				c, want := cutPolygon(from), firstEars(from)
				if want == nil && !c.folded || want != nil && !slices.Equal(c.out, want) {
					t.Fatalf("%s, map %d, from corner %d: folded %v, not the triangles of looking at all corners", name, k, turned, c.folded)
				}
			}
		}
	}
}

// TestWait checks that ears that wait are removed last, and that EarCutter then goes around the polygon.
func TestWait(t *testing.T) {
	var u, v []float64
	for _, p := range ringOf(8, round) {
		u, v = append(u, p.X), append(v, p.Y)
	}
	c := EarCutter{Wait: func(_, k, _ int) bool { return k < 3 }}
	for range 2 { // The second polygon finds no traces of the first.
		out, folded := c.Cut(u, v)
		if want := [][3]int{{2, 3, 4}, {2, 4, 5}, {2, 5, 6}, {2, 6, 7}, {2, 7, 0}, {1, 2, 0}}; folded || !slices.Equal(out, want) {
			t.Errorf("%v, folded %v, expected %v", out, folded, want)
		}
	}
}

// TestPolygonWork counts the compared dents: one for each corner of a convex polygon, and about the
// square root of the number of corners for each corner of another polygon.
func TestPolygonWork(t *testing.T) {
	convex := make([]vec.Vec3, 30_000) // on a parabola: exactly convex
	for k := range convex {
		x := float64(k - len(convex)/2)
		convex[k] = vec.V(x, x*x, 0)
	}
	for name, verts := range map[string][]vec.Vec3{"parabola": convex, "square with straight corners": straight([]vec.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, 8192)} {
		c := cutPolygon(verts)
		if n := len(verts); len(c.out) != n-2 || c.Compared > 2*n {
			t.Errorf("%s of %d corners: %d triangles, %d looks", name, n, len(c.out), c.Compared)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	coast := func(int) float64 { return 0.25 + 0.75*rng.Float64() }
	for _, n := range []int{2000, 20_000} {
		for name, verts := range map[string][]vec.Vec3{"star": fineRing(n, zigzag), "bite": bite(n), "coast": fineRing(n, coast), "comb": combOf(n), "spiral": spiralOf(n)} {
			c := cutPolygon(verts)
			t.Logf("%s of %d corners: %.1f looks a corner", name, n, float64(c.Compared)/float64(n))
			if len(c.out) != n-2 || c.folded || float64(c.Compared) > 10*math.Pow(float64(n), 1.5) {
				t.Errorf("%s: %d triangles, folded %v, %d looks", name, len(c.out), c.folded, c.Compared)
			}
		}
	}
}

// fineRing is ringOf with corners at distinct places.
func fineRing(n int, radius func(k int) float64) []vec.Vec3 {
	return ringOf(n, func(k int) float64 { return float64(n) * radius(k) })
}

// combOf has long teeth. spiralOf is a band that winds around, with a hundred corners a turn.
func combOf(n int) (verts []vec.Vec3) {
	verts = append(verts, vec.V(float64(n), 0, 0))
	for k := range n - 2 {
		verts = append(verts, vec.V(float64(n-k), 1+float64(n*(k%2)), 0))
	}
	return append(verts, vec.V(0, 0, 0))
}

func spiralOf(n int) (verts []vec.Vec3) {
	at := func(k int, r float64) vec.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 100)
		return vec.V(r*cos, r*sin, 0)
	}
	for k := range n / 2 {
		verts = append(verts, at(k, 100+float64(k)))
	}
	for k := n/2 - 1; k >= 0; k-- {
		verts = append(verts, at(k, 60+float64(k)))
	}
	return verts
}
