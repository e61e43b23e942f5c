package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/vec"
)

// tetraCorners is the first code of nearest corners and edges.
const tetraCorners = 257

// tetraEdges lists the edges of a tetrahedron from corner i to j, in the order of the codes.
var tetraEdges = [6]struct{ i, j int }{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}

// tetraRow is the row of a tetrahedron with the correct orientation of corners.
func tetraRow(v [4]vec.Vec3) []float64 {
	if v[1].Sub(v[0]).Cross(v[2].Sub(v[0])).Dot(v[3].Sub(v[0])) < 0 {
		v[2], v[3] = v[3], v[2]
	}
	row, radius := []float64{}, 0.0
	for _, p := range v {
		row = append(row, p.X, p.Y, p.Z)
		radius = max(radius, p.Norm())
	}
	return append(row, radius)
}

// regularTetra has an edge along x at z = -1 below, and one along y at z = 1 above, each at least 2
// long.
func regularTetra() [4]vec.Vec3 {
	s := math.Sqrt2
	return [4]vec.Vec3{vec.V(-s, 0, -1), vec.V(s, 0, -1), vec.V(0, s, 1), vec.V(0, -s, 1)}
}

// TestTetraFacet has regular tetrahedra with obvious results, in a frame that is moved and turned.
func TestTetraFacet(t *testing.T) {
	v := regularTetra()
	row := tetraRow(v)
	var corner [4]vec.Vec3 // in the order of the row
	for k := range corner {
		corner[k] = vec.V(row[3*k], row[3*k+1], row[3*k+2])
	}
	numberOf := func(p vec.Vec3) int {
		return slices.IndexFunc(corner[:], func(q vec.Vec3) bool { return p.Sub(q).Norm() < 1e-9 })
	}
	about := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	// The face opposite corner 0. The other body is turned, and its same corner points there.
	at0 := numberOf(v[0])
	away := v[0].Neg().Unit()
	over := func(gap float64) vec.Vec3 { return v[0].Scale(-4.0/3).AddScaled(gap, away) }
	turned := vec.FromRotationVector(away.Scale(0.3))
	upper, lower := [2]vec.Vec3{v[2], v[3]}, [2]vec.Vec3{v[0], v[1]}
	// The edges that cross, in all directions of traversal.
	crossed := func(c int) bool {
		c--
		if c < 0 || c>>4 < 8 || c>>4 > 13 {
			return false
		}
		e := tetraEdges[c>>4-8]
		a0, a1, b0, b1 := corner[e.i], corner[e.j], corner[c>>2&3], corner[c&3]
		same := func(p, q vec.Vec3, of [2]vec.Vec3) bool { return p == of[0] && q == of[1] || p == of[1] && q == of[0] }
		return same(a0, a1, upper) && same(b0, b1, lower) && a1.Sub(a0).Cross(b1.Sub(b0)).Z > 0
	}
	is := func(want int) func(int) bool { return func(c int) bool { return c == want } }
	tests := []struct {
		name string
		pos  vec.Vec3
		rot  vec.Quat
		want func(code int) bool
	}{
		{"edges overlap", vec.V(0.1, 0.05, 1.9), vec.Identity, crossed},
		{"edges apart", vec.V(0.1, 0.05, 2.1), vec.Identity, crossed},
		{"corner in a face", over(-0.1), turned, is(1 + 16*at0 + 4*at0)},
		{"corner over a face", over(0.1), turned, is(1 + 16*at0 + 4*at0)},
		{"face over a corner", over(0.1).Neg(), turned, is(1 + 16*(4+at0) + 4*at0)},
		{"corner and corner", v[1].Sub(v[0]).Add(vec.V(0.5, 0, 0)), vec.Identity, is(tetraCorners + 5*numberOf(v[1]) + 80*at0)},
		{"parallel edges", vec.V(0, 0, 2.1), about(0, 0, math.Pi/2), is(0)},
		{"far", vec.V(0, 0, 40), about(0.1, 0.2, 0), is(0)},
		{"no rotation", vec.V(0.1, 0.05, 1.9), vec.Quat{}, is(0)},
		{"nowhere", vec.V(math.NaN(), 0, 2), about(0, 0, 0), is(0)},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				f := newCold(2, row, n)
				frame, at := about(0.3, 0.5, -0.2), vec.V(3, -4, 5)
				f.setPose(0, at, frame)
				f.setPose(1, at.Add(frame.Rotate(test.pos)), frame.Mul(test.rot))
				for i := range n {
					f.B[i], f.Facet[i] = 1, -1
				}
				TetraFacet(f, 1, n-1)
				for i := 1; i < n-1; i++ {
					if !test.want(int(f.Facet[i])) {
						t.Fatalf("pair %d: %v", i, f.Facet[i])
					}
				}
				if f.Facet[0] != -1 || f.Facet[n-1] != -1 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}
