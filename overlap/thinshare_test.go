package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// TestThinOverlapsActLittle places bricks beside and on bricks with 1e-16 to 1e-8 of their size
// between an overlap and none. The thickness grows by at most a small multiple of a body's motion.
// Therefore a thin overlap made by rounding must not act with a large force.
func TestThinOverlapsActLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	brick, rock := view(t, boxBody(1, 0.5, 0.5)), view(t, boxBody(0.7, 0.4, 0.3))
	c := NewClipper()
	thin := 0
	near := func(places ...float64) float64 {
		x := places[r.IntN(len(places))]
		if r.IntN(3) > 0 {
			x += math.Copysign(math.Pow(10, -16+8*r.Float64()), r.Float64()-0.5)
		}
		return x
	}
	for range 20000 {
		o := overlapping{a: brick, b: brick}
		if r.IntN(4) == 0 {
			o.b = rock
		}
		o.pa.Rot, o.pb.Rot = vec.Identity, vec.Identity
		o.pb.Pos = vec.V(near(0, 0.5, 1, 0.3), near(0, 0.5, 0.25), near(0.5, 0.5, 0, 0.4))
		for _, q := range [2]*vec.Quat{&o.pa.Rot, &o.pb.Rot} {
			if r.IntN(2) == 0 {
				*q = vec.FromRotationVector(direction(r).Scale(math.Pow(10, -17+9*r.Float64())))
			}
		}
		s, ok := c.Share(o.a, o.pa, o.b, o.pb, o.pb.Pos.Unit())
		if !ok {
			continue
		}
		thick := math.Sqrt(12 * s.Variance)
		if thick < 1e-9 {
			thin++
		}
		if gradient, turn := 6*s.VarianceGradient.Norm()/thick, 6*s.VarianceTurn.Norm()/thick; !(gradient <= asm.SolidGrowth) || !(turn <= 2*asm.SolidGrowth) {
			t.Fatalf("%v, %v: %g m thick, which grows by %g m a metre, and by %g m a radian", o.pa, o.pb, thick, gradient, turn)
		}
	}
	if thin < 100 {
		t.Errorf("%d overlaps are thin", thin)
	}
}

// TestSmallBodiesOnLargeOnes: a thin overlap has a thickness however large the other body is, and
// wherever a plane's point lies.
func TestSmallBodiesOnLargeOnes(t *testing.T) {
	c := NewClipper()
	cube := view(t, boxBody(0.001, 0.001, 0.001))
	for _, size := range []float64{1, 1e3, 1e5} {
		for _, depth := range []float64{1e-6, 1e-8, 1e-9} {
			o := overlapping{a: cube, b: view(t, boxBody(size, size, size)), pa: vec.Pose{Rot: vec.Identity}, pb: vec.Pose{Rot: vec.Identity}}
			o.pb.Pos = vec.V(0.1*size, 0.2*size, -0.0005-0.5*size+depth)
			// The position of the large body's face is rounded.
			off := size * 0x1p-50
			s, ok := c.Share(o.a, o.pa, o.b, o.pb, vec.Vec3{Z: -1})
			if thick := math.Sqrt(12 * s.Variance); depth > 10*off && (!ok || math.Abs(thick-depth) > off+1e-4*depth) {
				t.Errorf("%g m deep in a body of %g m: %v, %g m thick", depth, size, ok, thick)
			}
			far := planeView(t)
			s, ok = c.Share(o.a, o.pa, far, vec.Pose{Pos: vec.V(size, 0, depth-0.0005), Rot: vec.Identity}, vec.Vec3{Z: -1})
			if thick := math.Sqrt(12 * s.Variance); !ok || math.Abs(thick-depth) > 1e-4*depth {
				t.Errorf("%g m deep under a plane whose point is %g m off: %v, %g m thick", depth, size, ok, thick)
			}
		}
	}
}
