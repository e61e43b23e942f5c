package kernels

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// axisGap computes one row of AxisGaps.
func axisGap(b *soa.View, n vec.Vec3, shift, supportA float64) float64 {
	var reach float64
	if b.NVerts > 0 {
		_, reach = support(b, n.Neg())
	}
	return (shift - reach) - supportA
}

func TestAxisGap(t *testing.T) {
	var shapes soa.Shapes
	h := add(t, &shapes, cube(), prism(3), ball(0.5))
	half := math.Sqrt(0.5)
	tests := []struct {
		name            string
		b               soa.Shape
		n               vec.Vec3
		shift, supportA float64
		want            float64
	}{
		{"cubes apart along a face", h[0], vec.V(1, 0, 0), 2.5, 1, 0.5},
		{"cubes touching", h[0], vec.V(0, 1, 0), 2, 1, 0},
		{"cubes overlapping", h[0], vec.V(0, 0, -1), 1.75, 1, -0.25},
		{"edge of B against a face of A", h[0], vec.V(half, half, 0), 3, 1, 2 - 2*half},
		{"flat of the prism", h[1], vec.V(1, 0, 0), 2, 1, 0.5},
		{"tip of the prism", h[1], vec.V(-1, 0, 0), 2, 1, 0},
		{"ball is its centre", h[2], vec.V(1, 0, 0), 2, 1, 1},
	}
	backends.Run(t, func(t *testing.T) {
		var g AxisGaps
		g.Resize(len(tests))
		for i, test := range tests {
			got := axisGap(shapes.View(test.b), test.n, test.shift, test.supportA)
			if math.Abs(got-test.want) > 1e-15 {
				t.Errorf("%s: got %v, want %v", test.name, got, test.want)
			}
			g.Set(i, &shapes, test.b, test.n, test.shift, test.supportA)
		}
		g.Solve(&shapes, 0, len(tests))
		for i, test := range tests {
			if want := axisGap(shapes.View(test.b), test.n, test.shift, test.supportA); !sameBits(g.Gap[i], want) {
				t.Errorf("%s: batch %v, single %v", test.name, g.Gap[i], want)
			}
		}
	})
}

// The gap along an axis is the least n·(b-a) over all vertices of both bodies. It is a lower bound
// of the distance of any two points. The test computes both in the world frame, from the poses,
// also at 1e6 from the origin.
func TestAxisGapAgainstAllVertices(t *testing.T) {
	shapes := mixed(t)
	r := newRandom(3)
	backends.Run(t, func(t *testing.T) {
		for range 2000 {
			a, b := shapes.View(soa.Shape(r.IntN(shapes.Len()))), shapes.View(soa.Shape(r.IntN(shapes.Len())))
			if a.Kind == soa.Ball {
				continue
			}
			poseA, poseB := r.pose(), r.pose()
			far := vec.V(1e6, -1e6, 1e6).Scale(float64(r.IntN(2)))
			poseA.Pos, poseB.Pos = poseA.Pos.Add(far), poseB.Pos.Add(far)
			axis := r.vec().Unit()
			_, supportA := support(a, axis)

			world := poseA.Rot.Rotate(axis)
			between := poseB.Pos.Sub(poseA.Pos)
			got := axisGap(b, poseB.Rot.RotateInv(world), world.Dot(between), supportA)

			least, nearest := math.Inf(1), math.Inf(1)
			for i := range a.NVerts {
				for j := range max(b.NVerts, 1) {
					var vb vec.Vec3
					if b.NVerts > 0 {
						vb = b.Vert(soa.Vertex(j))
					}
					d := between.Add(poseB.Rot.Rotate(vb)).Sub(poseA.Rot.Rotate(a.Vert(soa.Vertex(i))))
					least, nearest = min(least, world.Dot(d)), min(nearest, d.Norm())
				}
			}
			// Lengths are less than 100, and each result has some twenty roundings.
			const tol = 100 * 20 * 0x1p-53
			if math.Abs(got-least) > tol {
				t.Errorf("gap %v, over all vertices %v", got, least)
			}
			if got > nearest+tol {
				t.Errorf("gap %v is no lower bound: two vertices are %v apart", got, nearest)
			}
		}
	})
}

func TestAxisGapsKeepToTheirRange(t *testing.T) {
	var shapes soa.Shapes
	h := add(t, &shapes, cube())[0]
	var g AxisGaps
	g.Resize(5)
	for i := range 5 {
		g.Set(i, &shapes, h, vec.V(1, 0, 0), float64(i)+3, 1)
		g.Gap[i] = -99
	}
	g.Solve(&shapes, 1, 4)
	want := [5]float64{-99, 2, 3, 4, -99}
	for i, got := range g.Gap {
		if got != want[i] {
			t.Errorf("row %d: %v, want %v", i, got, want[i])
		}
	}
	if g.Index[1] != 0 || g.Value[1] != 1 {
		t.Errorf("nearest vertex %d at %v, want 0 at 1", g.Index[1], g.Value[1])
	}
}
