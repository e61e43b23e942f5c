package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func TestExpiry(t *testing.T) {
	for _, c := range []struct {
		name                              string
		gap, reach, odoA, odoB, allowance float64
		want                              float64
	}{
		{"fresh", 1, 0, 0, 0, 0, 1},
		{"reach is taken off", 1, 0.25, 0, 0, 0, 0.75},
		{"odometers are added", 1, 0, 3, 4, 0, 8},
		{"allowance is taken off", 1, 0, 0, 0, 0.5, 0.5},
		{"within reach", 0.5, 0.5, 0, 0, 0, math.Inf(-1)},
		{"touching", 0, 0, 1, 1, 0, math.Inf(-1)},
		{"overlapping", -1, 0, 0, 0, 0, math.Inf(-1)},
		{"lost in the odometers", 1e-20, 0, 1, 1, 0, math.Inf(-1)},
		{"not a number", math.NaN(), 0, 0, 0, 0, math.Inf(-1)},
	} {
		got := Expiry(c.gap, c.reach, c.odoA, c.odoB, c.allowance)
		if math.IsInf(c.want, -1) {
			if got != soa.Expired {
				t.Errorf("%s: %g, expected expired", c.name, got)
			}
			continue
		}
		if got > c.want || got < c.want*(1-1e-14) {
			t.Errorf("%s: %.17g, expected just below %g", c.name, got, c.want)
		}
	}
}

// TestExpiryHolds moves pairs at random until the odometers reach the expiry. A pair must never be
// within reach before.
func TestExpiryHolds(t *testing.T) {
	s := NewSearch()
	eachRandomPair(t, 100, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		if out.Gap < 1e-4 {
			return
		}
		reach := out.Gap * r.Float64()
		odoA, odoB := r.Float64()*1e3, r.Float64()*1e3
		e := Expiry(out.Gap, reach, odoA, odoB, 1e-12)
		for range 100 {
			step, turn := randomUnit(r).Scale(r.Float64()*out.Gap/20), r.Float64()*out.Gap/20
			if r.IntN(2) == 0 {
				// Straight towards the other body, which is the worst case.
				step = out.Normal.Scale(step.Norm())
			}
			odoA += step.Norm() + a.Radius*turn
			pa.Pos = pa.Pos.Add(step)
			pa.Rot = vec.FromRotationVector(randomUnit(r).Scale(turn)).Mul(pa.Rot).Normalized()
			if !(odoA+odoB < e) {
				return
			}
			var now Answer
			s.Resolve(a, pa, b, pb, math.Inf(1), &now)
			if now.Gap <= reach {
				t.Fatalf("gap %g within reach %g at odometers %g of %g", now.Gap, reach, odoA+odoB, e)
			}
		}
		t.Fatal("the expiry never came")
	})
}

// TestAxisGap checks that the bound of a stored axis stays below the gap however the bodies move.
func TestAxisGap(t *testing.T) {
	s := NewSearch()
	held := 0
	eachRandomPair(t, 400, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		if out.Status != Separated {
			if out.Axis != (vec.Vec3{}) {
				t.Fatal("an axis without a gap")
			}
			return
		}
		pa.Pos = pa.Pos.Add(randomUnit(r).Scale(r.Float64() * 0.2))
		pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(0.1)).Mul(pb.Rot)
		var now Answer
		s.Resolve(a, pa, b, pb, math.Inf(1), &now)
		if g := pair.AxisGap(pa, b, pb, out.Axis, out.AxisSupport); g > now.Gap {
			t.Fatalf("the axis claims %g of %g", g, now.Gap)
		} else if g > 0 {
			held++
		}
	})
	if held < 20 {
		t.Errorf("only %d axes held", held)
	}
	c := box(t, 1, 1, 1)
	if g := pair.AxisGap(at(0, 0, 0), c, at(9, 0, 0), vec.Vec3{}, 0); !math.IsInf(g, -1) {
		t.Errorf("the zero axis claims %g", g)
	}
	if g := pair.AxisGap(at(math.NaN(), 0, 0), c, at(9, 0, 0), vec.V(1, 0, 0), 1); !math.IsInf(g, -1) {
		t.Errorf("a pose that is no number claims %g", g)
	}
	if g := pair.AxisGap(at(0, 0, 0), ballOf(t, 0.5), at(3, 0, 0), vec.V(1, 0, 0), 1); math.Abs(g-1.5) > 1e-13 || g > 1.5 {
		t.Errorf("ball: %g, expected just below 1.5", g)
	}
}
