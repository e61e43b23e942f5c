package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// eachRandomPair calls f with random pairs around contact.
func eachRandomPair(t *testing.T, n int, f func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer)) {
	_, shapes := menagerie(t)
	r := rand.New(rand.NewPCG(11, 12))
	s := NewSearch()
	for range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		pa, pb := placed(r, a, b, []float64{0, 1e-6, -1e-6, -1e-3, 1e-3, -0.1, 0.2}[r.IntN(7)])
		var out Answer
		s.Resolve(a, pa, b, pb, math.Inf(1), &out)
		f(r, a, pa, b, pb, out)
	}
}

// TestScaling scales by powers of two from 2^-500 to 2^500, which changes only exponents.
func TestScaling(t *testing.T) {
	s := NewSearch()
	eachRandomPair(t, 200, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		for _, e := range []int{-20, 20, -150, 150, -500, 500} {
			k := math.Ldexp(1, e)
			ka, kb := scaled(t, a, k), scaled(t, b, k)
			var big Answer
			s.Resolve(ka, vec.Pose{Pos: pa.Pos.Scale(k), Rot: pa.Rot}, kb, vec.Pose{Pos: pb.Pos.Scale(k), Rot: pb.Rot}, math.Inf(1), &big)
			want := out
			want.Gap, want.ArmA, want.ArmB, want.AxisSupport = out.Gap*k, out.ArmA.Scale(k), out.ArmB.Scale(k), out.AxisSupport*k
			if big != want {
				t.Fatalf("scaled by 2^%d:\n%+v\nexpected\n%+v", e, big, want)
			}
		}
	})
}

// TestDecimalScaling checks that millimetres and kilometres have the same answer up to rounding.
func TestDecimalScaling(t *testing.T) {
	s := NewSearch()
	eachRandomPair(t, 200, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		for _, k := range []float64{1e-6, 1e-3, 1e3, 1e6} {
			ka, kb := scaled(t, a, k), scaled(t, b, k)
			var big Answer
			s.Resolve(ka, vec.Pose{Pos: pa.Pos.Scale(k), Rot: pa.Rot}, kb, vec.Pose{Pos: pb.Pos.Scale(k), Rot: pb.Rot}, math.Inf(1), &big)
			if d := math.Abs(big.Gap/k - out.Gap); !(d <= 1e-12*max(a.Radius, b.Radius)) {
				t.Fatalf("scaled by %g the gap is off by %g: %+v", k, d, out)
			}
		}
	})
}

// TestSwap swaps the bodies. The gap stays, and the normal is reversed unless it is one of several.
func TestSwap(t *testing.T) {
	s := NewSearch()
	turned := 0
	eachRandomPair(t, 400, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		var back Answer
		s.Resolve(b, pb, a, pa, math.Inf(1), &back)
		if d := math.Abs(back.Gap - out.Gap); d > 1e-13*max(a.Radius, b.Radius) {
			t.Fatalf("gap off by %g", d)
		}
		// At a distance of 1e-6 the normal between corners is accurate to 1e-10.
		if back.Normal.Add(out.Normal).Norm() < 1e-9 {
			turned++
		} else if out.Gap > 1e-5 {
			t.Fatalf("apart, and the normals are %v and %v", out.Normal, back.Normal)
		}
	})
	if turned < 380 {
		t.Errorf("the normal turned round in %d of 400 pairs", turned)
	}
}

// TestRigidMotion rotates and moves the whole pair, which must rotate the answer.
func TestRigidMotion(t *testing.T) {
	s := NewSearch()
	eachRandomPair(t, 400, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		q := randomRot(r)
		by := vec.Pose{Pos: randomUnit(r).Scale(3), Rot: q}
		var moved Answer
		s.Resolve(a, by.Mul(pa), b, by.Mul(pb), math.Inf(1), &moved)
		if d := math.Abs(moved.Gap - out.Gap); d > 1e-12 {
			t.Fatalf("gap off by %g", d)
		}
		if math.Abs(out.Gap) > 1e-5 && moved.Facet == out.Facet {
			if e := moved.Normal.Sub(q.Rotate(out.Normal)).Norm(); e > 1e-10 {
				t.Fatalf("normal off by %g", e)
			}
		}
		if math.Abs(out.Gap) > 1e-12 && moved.Status != out.Status {
			t.Fatalf("%v became %v", out.Status, moved.Status)
		}
	})
}

// TestReorderedVertices checks that the order of the vertices in the file changes neither status
// nor gap.
func TestReorderedVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := NewSearch()
	for range 60 {
		pts := boxPoints(1, 1, 1)
		if r.IntN(2) == 0 {
			pts = rockPoints(r, 10)
		}
		a, b := hullOf(t, pts), box(t, 1, 1, 1)
		other := append([]vec.Vec3(nil), pts...)
		r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		c := hullOf(t, other)
		pa, pb := placed(r, a, b, []float64{0, 1e-9, -1e-9, -0.05}[r.IntN(4)])
		var x, y Answer
		s.Resolve(a, pa, b, pb, math.Inf(1), &x)
		s.Resolve(c, pa, b, pb, math.Inf(1), &y)
		if math.Abs(x.Gap-y.Gap) > 1e-13 || (math.Abs(x.Gap) > 1e-12 && x.Status != y.Status) {
			t.Fatalf("%v %.17g became %v %.17g", x.Status, x.Gap, y.Status, y.Gap)
		}
	}
}

// TestReuse checks that a Search that has seen other pairs returns the bits of a new one.
func TestReuse(t *testing.T) {
	old := NewSearch()
	eachRandomPair(t, 200, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		var x, y Answer
		NewSearch().Pair(a, pa, b, pb, math.Inf(1), &x)
		old.Pair(a, pa, b, pb, math.Inf(1), &y)
		if x != y {
			t.Fatalf("new:\n%+v\nused:\n%+v", x, y)
		}
	})
}

// TestReach checks that a bound is proven, beyond the reach and below the gap, and that within
// reach the answer is exact.
func TestReach(t *testing.T) {
	s := NewSearch()
	bounds := 0
	eachRandomPair(t, 400, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		reach := []float64{0, 1e-4, 0.1, 0.5}[r.IntN(4)]
		for _, m := range ways {
			var near Answer
			m.call(s, a, pa, b, pb, reach, &near)
			if near.Status == NotConverged {
				continue
			}
			if !near.Exact {
				bounds++
				if near.Status != Separated || !(near.Gap > reach) || near.Gap > out.Gap+1e-13 {
					t.Fatalf("reach %g, gap %g: %+v", reach, out.Gap, near)
				}
				if g := pair.AxisGap(pa, b, pb, near.Axis, near.AxisSupport); math.Abs(g-near.Gap) > 1e-13 {
					t.Fatalf("the axis proves %g, the answer says %g", g, near.Gap)
				}
			} else if math.Abs(near.Gap-out.Gap) > 1e-13 {
				t.Fatalf("reach %g changes the gap %g to %g", reach, out.Gap, near.Gap)
			}
		}
	})
	if bounds < 20 {
		t.Errorf("only %d bounds were seen", bounds)
	}
}

// TestNoAllocation checks that a warm Search allocates nothing, for any pair.
func TestNoAllocation(t *testing.T) {
	_, shapes := menagerie(t)
	shapes = append(shapes, ballOf(t, 0.5), facetOf(t, vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(0, 1, 0)))
	r := rand.New(rand.NewPCG(21, 22))
	s := NewSearch()
	type pair struct {
		a, b   *soa.View
		pa, pb vec.Pose
	}
	var pairs []pair
	for range 60 {
		p := pair{shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))], vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}}
		if p.a.Kind > p.b.Kind {
			p.a, p.b = p.b, p.a
		}
		p.pb.Pos = randomUnit(r).Scale(r.Float64() * 2)
		pairs = append(pairs, p)
	}
	run := func() {
		var out Answer
		for _, p := range pairs {
			s.Resolve(p.a, p.pa, p.b, p.pb, 0.1, &out)
			s.Exhaustive(p.a, p.pa, p.b, p.pb, 0.1, &out)
		}
	}
	run()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
