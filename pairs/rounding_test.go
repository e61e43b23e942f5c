package pairs

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestRoundedLocation: the location of rounded bodies equals that of their cores, each moved along
// the normal by its radius, so that they overlap equally. Known features change it by rounding
// errors only.
func TestRoundedLocation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	var s solver
	names := []string{"box:1x1x1", "box:1x0.5x0.25", "octa:1", "rock:3,20,1", "tetra:1"}
	shapes := shapesOf(t)
	turn := func() vec.Quat {
		return vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
	}
	seen := 0
	for range 2000 {
		coreA, coreB := shapes.find(names[r.IntN(len(names))]).view, shapes.find(names[r.IntN(len(names))]).view
		a, b := *coreA, *coreB
		a.Round, b.Round = 0.1+0.1*r.Float64(), 0.1*r.Float64()
		pa, pb := vec.Pose{Rot: turn()}, vec.Pose{Rot: turn()}
		if r.IntN(3) == 0 {
			pb.Rot = pa.Rot
		}
		var out narrow.Answer
		pb.Pos = turn().Rotate(vec.V(4, 0, 0))
		s.search.Pair(&a, pa, &b, pb, math.Inf(1), &out)
		pb.Pos = pb.Pos.AddScaled(-out.Gap-0.09*r.Float64(), out.Normal)
		s.search.Pair(&a, pa, &b, pb, math.Inf(1), &out)
		if out.Status != narrow.Penetrating || out.Gap < -0.1 {
			continue
		}
		seen++
		at, _, ok := s.cutter.Reduced(&a, pa, &b, pb, out.Normal, out.Gap, out.ArmA, out.ArmB)
		qa, qb := pa, pb
		qa.Pos = pa.Pos.AddScaled(a.Round, out.Normal)
		qb.Pos = pb.Pos.AddScaled(-b.Round, out.Normal)
		armA, armB := out.ArmA.AddScaled(-a.Round, out.Normal), out.ArmB.AddScaled(b.Round, out.Normal)
		moved, _, okMoved := s.cutter.Reduced(coreA, qa, coreB, qb, out.Normal, out.Gap, armA, armB)
		if moved = moved.Add(qa.Pos).Sub(pa.Pos); ok != okMoved || at.Sub(moved).Norm() > 1e-9 {
			t.Fatalf("location %v, %v, of the moved cores %v, %v; %+v", at, ok, moved, okMoved, out)
		}
		// The location is halfway between the witness points, measured along the normal.
		if mid := out.ArmA.AddScaled(0.5*out.Gap, out.Normal); math.Abs(at.Sub(mid).Dot(out.Normal)) > 1e-12 {
			t.Fatalf("location %v, not half-way between the witness points", at)
		}
	}
	if seen < 1000 {
		t.Errorf("%d pairs touch", seen)
	}
}
