package voxels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// TestPlanesDecideRightly checks that if the value of a plane decides, in float64 or in float32,
// the exact determinant has the same sign. The points are within rounding of the plane. With a
// planeBound or a shortBound of a few roundings, the test would fail.
func TestPlanesDecideRightly(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	decided, short := 0, 0
	for k := range 200000 {
		middle, reach := vec.V(0.3, -0.2, 0.1), math.Ldexp(1, r.IntN(5)-2)
		at := func() vec.Vec3 {
			return middle.Add(vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1).Scale(reach))
		}
		a, b, c := at(), at(), at()
		if k%2 == 0 { // a triangle much smaller than the box
			b, c = a.AddScaled(0x1p-6, b.Sub(a)), a.AddScaled(0x1p-6, c.Sub(a))
		}
		n, m := areaVector(a, b, c)
		cells := VoxelGrid{middle: middle}
		exact, rough := newPlane(n, m, a, reach+0.3), cells.newShortPlane(n, m, a, reach)
		for _, off := range []float64{0x1p-52, 0x1p-46, 0x1p-24, 0x1p-22} {
			q := at() // moved onto the plane, except for rounding and a small offset
			q = q.AddScaled(a.Sub(q).Dot(n)/n.Dot(n), n).AddScaled(off*(2*r.Float64()-1)*reach/n.Norm(), n)
			if q.Sub(middle).MaxAbs() > reach {
				continue
			}
			outer := tri.SideMoved(a, b, c, q) > 0
			if s := exact.at(q); math.Abs(s) > 1 {
				decided++
				if s > 0 != outer {
					t.Fatalf("float64: %v of triangle %v %v %v: %g, outer %v", q, a, b, c, s, outer)
				}
			}
			if s := rough.at(cells.short(&q)); sure(s) {
				short++
				if s > 0 != outer {
					t.Fatalf("float32: %v of triangle %v %v %v: %g, outer %v", q, a, b, c, s, outer)
				}
			}
		}
	}
	if decided < 50000 {
		t.Errorf("planes decided %d times and %d times in float32, expected some", decided, short)
	}
}
