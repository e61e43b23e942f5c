package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestThinOverlapsPushLittle lays bricks beside and on bricks with 1e-16 to 1e-8 of their size between what is shared and
// nothing. The thickness grows by at most a small multiple of what a body moves, so what rounding makes of a thin overlap must
// not push as if it were thick.
func TestThinOverlapsPushLittle(t *testing.T) {
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
		if push, turn := 6*s.VariancePush.Norm()/thick, 6*s.VarianceTurn.Norm()/thick; !(push <= 2) || !(turn <= 2) {
			t.Fatalf("%v, %v: %g m thick, which grows by %g m a metre, and by %g m a radian", o.pa, o.pb, thick, push, turn)
		}
	}
	if thin < 100 {
		t.Errorf("%d overlaps are thin", thin)
	}
}
