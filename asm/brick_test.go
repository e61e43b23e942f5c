package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/vec"
)

// brickFlip is added to a code if the product of two edges points from B to A.
const brickFlip = 729

// TestBrickFacet has cubes of side 2 with obvious results, in a frame that is moved and turned.
func TestBrickFacet(t *testing.T) {
	row := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, math.Sqrt(3)}
	about := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	code := func(a, b [3]int, flip int) int {
		return 1 + (a[0] + 1) + 3*(a[1]+1) + 9*(a[2]+1) + 27*((b[0]+1)+3*(b[1]+1)+9*(b[2]+1)) + flip
	}
	eighth := math.Pi / 4
	edgeDown := about(eighth, 0, 0)  // rests on the edge along x with y = z = -1
	edgeUp := about(eighth, 0, 0)    // has the edge along x with y = z = 1 on top
	edgeOverY := about(0, eighth, 0) // rests on the edge along y with x = 1, z = -1
	point := about(0, 0.6, 0).Mul(about(eighth, 0, 0))
	h := math.Sqrt2
	deep := -point.Rotate(vec.V(1, -1, -1)).Z
	tests := []struct {
		name       string
		rotA, rotB vec.Quat
		pos        vec.Vec3
		want       int
	}{
		{"corner in the top", vec.Identity, point, vec.V(0.1, 0.2, 0.95+deep), code([3]int{0, 0, 1}, [3]int{1, -1, -1}, 0)},
		{"corner over the top", vec.Identity, point, vec.V(0.1, 0.2, 1.05+deep), code([3]int{0, 0, 1}, [3]int{1, -1, -1}, 0)},
		{"corner under the bottom", point, vec.Identity, vec.V(0.1, 0.2, 1.05+deep), code([3]int{-1, 1, 1}, [3]int{0, 0, -1}, 0)},
		{"edges overlap", edgeUp, edgeOverY, vec.V(0.1, 0.2, 2*h-0.05), code([3]int{0, 1, 1}, [3]int{1, 0, -1}, 0)},
		{"edges apart", edgeUp, edgeOverY, vec.V(0.1, 0.2, 2*h+0.05), code([3]int{0, 1, 1}, [3]int{1, 0, -1}, 0)},
		{"edges overlap, one above", edgeOverY, edgeDown, vec.V(0.1, 0.2, 2*h-0.05), code([3]int{-1, 0, 1}, [3]int{0, -1, -1}, brickFlip)},
		{"corner and corner", vec.Identity, about(0.05, -0.08, 0.03), vec.V(2.5, 2.6, 2.7), code([3]int{1, 1, 1}, [3]int{-1, -1, -1}, 0)},
		{"level faces", vec.Identity, vec.Identity, vec.V(0.1, 0.2, 1.95), 0},
		{"parallel edges", vec.Identity, vec.Identity, vec.V(2.5, 2.6, 0.1), 0},
		{"edge on a face", vec.Identity, edgeDown, vec.V(0.1, 0.2, 0.95+h), 0},
		{"far", vec.Identity, edgeDown, vec.V(0, 0, 50), 0},
		{"no rotation", vec.Identity, vec.Quat{}, vec.V(0.1, 0.2, 1.95), 0},
		{"nowhere", vec.Identity, point, vec.V(math.Inf(1), 0.2, 1.95), 0},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				const n = 19
				f := newCold(2, row, n)
				frame, at := about(0.3, 0.5, -0.2), vec.V(3, -4, 5)
				f.setPose(0, at, frame.Mul(test.rotA))
				f.setPose(1, at.Add(frame.Rotate(test.pos)), frame.Mul(test.rotB))
				for i := range n {
					f.B[i], f.Facet[i] = 1, -1
				}
				BrickFacet(f, 1, n-1)
				for i := 1; i < n-1; i++ {
					if int(f.Facet[i]) != test.want {
						t.Fatalf("pair %d: %v, want %v", i, f.Facet[i], test.want)
					}
				}
				if f.Facet[0] != -1 || f.Facet[n-1] != -1 {
					t.Error("a pair outside the range was written")
				}
			})
		}
	})
}
