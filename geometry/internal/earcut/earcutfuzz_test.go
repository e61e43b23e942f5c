package earcut

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// slowEars cuts a polygon of the plane z = 0 by the rules of EarCutter, and compares all corners for
// each ear. It removes the first corner that turns left and whose triangle contains no dent;
// otherwise the first straight corner; otherwise it cuts the rest as a fan.
func slowEars(verts []vec.Vec3) (out [][3]int) {
	at := func(k int) (x, y float64) { return verts[k].X, verts[k].Y }
	turn := func(a, b, c int) int {
		ax, ay := at(a)
		bx, by := at(b)
		cx, cy := at(c)
		return vec.Orient2D(ax, ay, bx, by, cx, cy)
	}
	left := make([]int, len(verts))
	for k := range left {
		left[k] = k
	}
	around := func(i int) (a, k, b int) {
		n := len(left)
		return left[(i+n-1)%n], left[i], left[(i+1)%n]
	}
	for len(left) > 3 {
		var dents []int
		for i, k := range left {
			if a, _, b := around(i); turn(a, k, b) <= 0 {
				dents = append(dents, k)
			}
		}
		cut := -1
		for i := range left {
			a, k, b := around(i)
			holds := func(d int) bool {
				same := verts[d] == verts[a] || verts[d] == verts[k] || verts[d] == verts[b]
				return !same && turn(a, k, d) >= 0 && turn(k, b, d) >= 0 && turn(b, a, d) >= 0
			}
			if turn(a, k, b) > 0 && !slices.ContainsFunc(dents, holds) {
				cut = i
				break
			}
		}
		for i := 0; cut < 0 && i < len(left); i++ {
			if a, k, b := around(i); turn(a, k, b) == 0 {
				cut = i
			}
		}
		if cut < 0 {
			for i := 1; i < len(left)-1; i++ {
				out = append(out, [3]int{left[0], left[i], left[i+1]})
			}
			return out
		}
		a, k, b := around(cut)
		out = append(out, [3]int{a, k, b})
		left = slices.Delete(left, cut, cut+1)
	}
	return append(out, [3]int(left))
}

// FuzzPolygon compares with slowEars for polygons of any kind: with spikes, collinear corners,
// corners at one place, and borders that cross.
func FuzzPolygon(f *testing.F) {
	f.Add([]byte{0, 0, 4, 0, 4, 4, 2, 1, 0, 4}, int8(0))
	f.Add([]byte{0, 0, 9, 0, 9, 9, 8, 9, 8, 1, 7, 1, 7, 9, 6, 9, 6, 1, 5, 1, 5, 9, 0, 9}, int8(30))
	f.Add([]byte("a polygon that crosses itself a number of times"), int8(-100))
	f.Fuzz(func(t *testing.T, data []byte, stretch int8) {
		if len(data) > 160 {
			return
		}
		var verts []vec.Vec3
		for ; len(data) >= 2; data = data[2:] {
			v := vec.V(float64(data[0]), math.Ldexp(float64(data[1]), int(stretch)), 0)
			if n := len(verts); n == 0 || verts[n-1] != v {
				verts = append(verts, v)
			}
		}
		if n := len(verts); n < 4 || verts[0] == verts[n-1] {
			return
		}
		area := 0.0
		for k := range verts {
			a, b := verts[k].Sub(verts[0]), verts[(k+1)%len(verts)].Sub(verts[0])
			area += float64(a.X*b.Y) - float64(a.Y*b.X)
		}
		if !(area > 0) {
			return // It runs clockwise.
		}
		c := cutPolygon(verts)
		if !c.convex && len(c.bent) == 0 {
			return // it winds around several times, so EarCutter returns a fan
		}
		if want := slowEars(verts); !slices.Equal(c.out, want) {
			t.Fatalf("%v: %v, expected %v", verts, c.out, want)
		}
	})
}
