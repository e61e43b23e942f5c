package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rounded returns the view of a shape with a rounding radius.
func rounded(v *soa.View, r float64) *soa.View {
	w := *v
	w.Round = r
	return &w
}

// roundedPairs calls f with rounded blocks, facets and balls, at gaps of the cores close to zero,
// and close to the gap at which the pieces touch.
func roundedPairs(t testing.TB, r *rand.Rand, n int, f func(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose)) {
	_, shapes := capped(t)
	shapes = append(shapes, ballOf(t, 0.5))
	for range n {
		a, b := shapes[r.IntN(7)], shapes[r.IntN(8)]
		if r.IntN(8) == 0 {
			a = shapes[8]
		}
		a, b = rounded(a, 0.2*r.Float64()), rounded(b, 0.1*float64(r.IntN(3)))
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
		if r.IntN(3) == 0 {
			pb.Rot = pa.Rot
		}
		gap := 0.3 * (r.Float64() - 0.5)
		switch r.IntN(3) {
		case 0:
			gap = -(a.Round + b.Round)
		case 1:
			gap = 0
		}
		dir := randomUnit(r)
		// From the first contact of the cores.
		way := firstContact(rounded(a, 0), pa, rounded(b, 0), pb, dir, 1e-9)
		pb.Pos = way.AddScaled(a.Round+b.Round+gap, dir)
		f(a, pa, b, pb)
	}
}

// coreGap returns the brute-force gap of the cores.
func coreGap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	if a.Kind == soa.Ball {
		return bruteBall(b, pb.Rot.RotateInv(pa.Pos.Sub(pb.Pos))) - a.Radius
	}
	return bruteGap(a, pa, b, pb)
}

// TestRoundedAgainstCores compares rounded pieces with brute force on their cores, by every method,
// without stored data and warm.
func TestRoundedAgainstCores(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	s := NewSearch()
	n := require.Rounds(300, 900, 1500)
	between := 0
	roundedPairs(t, r, n, func(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) {
		size := max(a.Radius, b.Radius, pb.Pos.Norm()/2)
		tol := 1e-12 * size
		round := a.Round + b.Round
		core := coreGap(a, pa, b, pb)
		truth := core - round
		if core > 0 && truth < 0 {
			between++
		}
		var cold Answer
		for m := range NMethods {
			var mem Memory
			var out Answer
			s.By(m, a, pa, b, pb, 0.01, 0, &mem, &out)
			switch {
			case !out.Exact && (m.Deepens() || out.Status != Penetrating):
				if !(out.Gap > 0) || out.Gap > truth+tol {
					t.Fatalf("%v: bound %g of a gap of %g", m, out.Gap, truth)
				}
				continue
			case math.Abs(out.Gap-truth) > tol && (m.Deepens() || core > 0 || out.Gap > truth):
				t.Fatalf("%v, %v on %v: gap %.17g, expected %.17g, cores %g\npa=%+v pb=%+v", m, a.Kind, b.Kind, out.Gap, truth, core, pa, pb)
			case out.Gap > 0 != (out.Status == Separated) || out.Gap < 0 != (out.Status == Penetrating):
				t.Fatalf("%v: %v at gap %g", m, out.Status, out.Gap)
			case out.Status != Separated && out.Axis != (vec.Vec3{}):
				t.Fatalf("%v: an axis that separates a pair that touches", m)
			case out.Axis != (vec.Vec3{}):
				if lower := pair.AxisGap(pa, b, pb, out.Axis, out.AxisSupport); lower > truth+tol || lower < out.Gap-tol {
					t.Fatalf("%v: the axis proves %g of a gap of %g", m, lower, truth)
				}
			}
			if m == Auto {
				cold = out
				warm := out
				if s.By(m, a, pa, b, pb, 0.01, 0, &mem, &warm); warm.AnsweredBy > ByAxis {
					if warm.AnsweredBy = cold.AnsweredBy; warm != cold {
						t.Fatalf("warm\n%+v\ncold\n%+v", warm, cold)
					}
				}
			}
		}
		if !cold.Exact {
			return
		}
		// The witness points lie on the rounded surfaces, a gap apart along the normal.
		if e := cold.ArmA.AddScaled(cold.Gap, cold.Normal).Sub(pb.Pos.Add(cold.ArmB)).Norm(); e > tol {
			t.Fatalf("witness points miss each other by %g", e)
		}
		for _, k := range [2]struct {
			v    *soa.View
			pose vec.Pose
			arm  vec.Vec3
		}{{a, pa, cold.ArmA}, {b, pb, cold.ArmB}} {
			if k.v.Kind == soa.Ball {
				continue
			}
			d := bruteBall(k.v, k.pose.Rot.RotateInv(k.arm))
			if core > 0 && math.Abs(d-k.v.Round) > tol || d > k.v.Round+tol {
				t.Fatalf("a witness point lies %g from the core, rounded by %g; cores %g", d, k.v.Round, core)
			}
		}
	})
	if between < n/8 {
		t.Errorf("%d of %d pairs touch with their cores apart", between, n)
	}
}

// TestRoundedGapIsContinuous moves rounded pairs in small steps from apart, through contact of the
// pieces and contact of the cores, into overlap of the cores. The gap must change by no more than
// the motion. For face on face, edge on edge and corner on face, the normal must not change at all.
func TestRoundedGapIsContinuous(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(22, 1))
	s := NewSearch()
	paths := 60
	if require.Quick() {
		paths = 12
	}
	for range paths {
		a, b := rounded(shapes[r.IntN(7)], 0.02*r.Float64()), rounded(shapes[r.IntN(8)], 0.01)
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
		if r.IntN(3) == 0 {
			pb.Rot = pa.Rot
		}
		dir, spin := randomUnit(r), randomUnit(r)
		touch := firstContact(rounded(a, 0), pa, rounded(b, 0), pb, dir, 1e-9)
		round := a.Round + b.Round
		size := max(a.Radius, b.Radius)
		for _, about := range []float64{round, 0} {
			for _, step := range []float64{1e-3, 1e-7, 1e-10, 1e-13} {
				was := math.NaN()
				for k := range 41 {
					turn := 0.3 * step / size
					p := vec.Pose{Rot: vec.FromRotationVector(spin.Scale(turn * float64(20-k))).Mul(pb.Rot).Normalized()}
					p.Pos = touch.AddScaled(about+step*float64(20-k), dir)
					var out Answer
					s.Resolve(a, pa, b, p, 0.1, &out)
					if !out.Exact {
						was = math.NaN()
						continue
					}
					if d := math.Abs(out.Gap - was); d > step+turn*size+1e-12*size {
						t.Fatalf("%d on %d vertices, about %g: the gap changes by %g in a step of %g", a.NVerts, b.NVerts, about, d, step)
					}
					was = out.Gap
				}
			}
		}
	}
	cube, brick := rounded(shapes[1], 0.125), rounded(shapes[2], 0.25)
	tipped := vec.FromRotationVector(vec.V(0, math.Pi/4, 0))
	for name, c := range map[string]struct {
		b      *soa.View
		rot    vec.Quat
		height float64
	}{
		"face on face":   {brick, vec.Identity, 0.75},
		"edge on face":   {brick, tipped, 0.5 + 0.75/math.Sqrt2},
		"corner on face": {brick, vec.FromRotationVector(vec.V(0.5, 0, 0)).Mul(tipped), 0},
	} {
		pb := vec.Pose{Pos: vec.V(0.05, 0.03, 3), Rot: c.rot}
		var out Answer
		s.Resolve(cube, vec.IdentityPose, c.b, pb, math.Inf(1), &out)
		if c.height != 0 && math.Abs(3-out.Gap-0.375-c.height) > 1e-14 {
			t.Errorf("%s: gap %g", name, out.Gap)
		}
		first := pb.Pos.Z - out.Gap
		for k := -2000; k <= 2000; k++ {
			for _, from := range []float64{0, -0.375} {
				h := from + 1e-11*float64(k)
				pb.Pos.Z = first + h
				if s.Resolve(cube, vec.IdentityPose, c.b, pb, math.Inf(1), &out); math.Abs(out.Gap-h) > 4e-15 || out.Normal.Sub(vec.V(0, 0, 1)).Norm() > 1e-15 {
					t.Fatalf("%s: at %g the gap is %.17g, the normal %v", name, h, out.Gap, out.Normal)
				}
			}
		}
	}
}

// TestRoundedInvariances checks that the gap does not depend on the order of the pieces, on
// rotation, scale or position.
func TestRoundedInvariances(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	s := NewSearch()
	roundedPairs(t, r, 300, func(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) {
		var out, other Answer
		s.Resolve(a, pa, b, pb, math.Inf(1), &out)
		q := randomRot(r)
		qa, qb := vec.Pose{Pos: q.Rotate(pa.Pos), Rot: q.Mul(pa.Rot).Normalized()}, vec.Pose{Pos: q.Rotate(pb.Pos), Rot: q.Mul(pb.Rot).Normalized()}
		s.Resolve(a, qa, b, qb, math.Inf(1), &other)
		if math.Abs(out.Gap-other.Gap) > 2e-14 {
			t.Fatalf("turned, the gap is %.17g, not %.17g", other.Gap, out.Gap)
		}
		if a.Kind == b.Kind {
			s.Resolve(b, pb, a, pa, math.Inf(1), &other)
			if math.Abs(out.Gap-other.Gap) > 1e-14 {
				t.Fatalf("swapped, the gap is %.17g, not %.17g", other.Gap, out.Gap)
			}
		}
		shift := vec.V(1e6, -1e6, 1e6)
		qa, qb = vec.Pose{Pos: pa.Pos.Add(shift), Rot: pa.Rot}, vec.Pose{Pos: pb.Pos.Add(shift), Rot: pb.Rot}
		if s.Resolve(a, qa, b, qb, math.Inf(1), &other); math.Abs(out.Gap-other.Gap) > 1e-9 {
			t.Fatalf("far away, the gap is %.17g, not %.17g", other.Gap, out.Gap)
		}
		for _, k := range []float64{1e-6, 1e6} {
			if a.Kind == soa.Ball {
				break
			}
			qb = vec.Pose{Pos: pb.Pos.Scale(k), Rot: pb.Rot}
			s.Resolve(rounded(scaled(t, a, k), a.Round*k), pa, rounded(scaled(t, b, k), b.Round*k), qb, math.Inf(1), &other)
			if math.Abs(out.Gap*k-other.Gap) > 2e-14*k {
				t.Fatalf("scaled by %g, the gap is %.17g, not %.17g", k, other.Gap, out.Gap*k)
			}
		}
	})
}

// TestRoundedBall checks that a ball with a rounding radius is a larger ball, also on a plane.
func TestRoundedBall(t *testing.T) {
	s := NewSearch()
	_, shapes := capped(t)
	small, large := rounded(ballOf(t, 0.25), 0.25), ballOf(t, 0.5)
	plane := &soa.View{Kind: soa.Plane}
	for _, x := range []float64{-0.3, 0, 0.9, 1, 1.1, 3} {
		pa := at(0.1, 0.2, x)
		for _, b := range []*soa.View{large, rounded(shapes[1], 0.125), plane} {
			var out, want Answer
			s.Pair(small, pa, b, vec.IdentityPose, 0.25, &out)
			s.Pair(large, pa, b, vec.IdentityPose, 0.25, &want)
			if out.Exact != want.Exact || math.Abs(out.Gap-want.Gap) > 1e-15 || out.ArmA.Sub(want.ArmA).Norm() > 1e-15 || out.ArmB.Sub(want.ArmB).Norm() > 1e-15 {
				t.Errorf("at %g:\n%+v, expected\n%+v", x, out, want)
			}
		}
	}
}

// TestRoundedLists rotates and shifts two rounded blocks that touch while their cores are apart.
// The list of every method must be that of the pieces, and modes must last as long as contacts do.
func TestRoundedLists(t *testing.T) {
	var blocks []*soa.View
	for _, v := range solids(t)[:4] {
		blocks = append(blocks, rounded(v, 0.05))
	}
	r := rand.New(rand.NewPCG(9, 19))
	s, fresh := NewSearch(), NewSearch()
	for _, m := range Methods() {
		if !m.Lists() {
			continue
		}
		kept := 0
		for range 40 {
			a, b := blocks[r.IntN(len(blocks))], blocks[r.IntN(len(blocks))]
			dtol := Dtol(a, b)
			pa, pb := placed(r, a, b, 0)
			var mem Memory
			var out, cores Answer
			for step := range 6 {
				fresh.Resolve(a, pa, b, pb, math.Inf(1), &out)
				pb.Pos = pb.Pos.AddScaled(-1e-3-out.Gap, out.Normal)
				s.By(m, a, pa, b, pb, 0, dtol, &mem, &out)
				if cores = out; cores.Gap > 0 || cores.Gap < -0.05 {
					t.Fatalf("%v: gap %g, expected -1e-3", m, out.Gap)
				}
				var list ContactList
				fresh.Contacts(a, pa, b, pb, dtol, &out, &list)
				if mem.List.Type == NoType || mem.List.Type != list.Type || len(mem.List.Basic) != len(list.Basic) {
					t.Fatalf("%v, step %d: %v %+v, expected %v %+v", m, step, mem.List.Type, mem.List.Basic, list.Type, list.Basic)
				}
				for i := range mem.List.Basic {
					c := &mem.List.Basic[i]
					if c.Mode == Slide {
						kept++
					}
					if c.Mode = Open; *c != list.Basic[i] {
						t.Fatalf("%v, step %d: %+v, expected %+v", m, step, *c, list.Basic[i])
					}
					c.Mode = Slide
				}
				pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(1e-9)).Mul(pb.Rot).Normalized()
			}
		}
		if kept < 40 {
			t.Errorf("%v: %d modes have lasted, expected more", m, kept)
		}
	}
}

func FuzzRounded(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 176, 128, 128, 0}, uint8(4), uint8(4))
	f.Add([]byte{1, 2, 0x15, 0x2a, 160, 128, 130, 0x81, 3, 9, 200}, uint8(1), uint8(0))
	s, oracle := NewSearch(), NewSearch()
	f.Fuzz(func(t *testing.T, b []byte, ra, rc uint8) {
		a, pa, c, pc := fuzzPair(t, b)
		a, c = rounded(a, float64(ra%16)/8), rounded(c, float64(rc%16)/8)
		var core, want, out, warm Answer
		coldOracle(oracle, a, pa, c, pc, math.Inf(1), &core)
		want = core
		want.Grow(a.Round, c.Round)
		if s.Resolve(a, pa, c, pc, math.Inf(1), &out); out != want {
			t.Fatalf("%+v, expected\n%+v", out, want)
		}
		if math.Abs(out.Gap-(core.Gap-a.Round-c.Round)) > 1e-15*(math.Abs(core.Gap)+4) {
			t.Fatalf("gap %g, cores %g", out.Gap, core.Gap)
		}
		if s.Feature(a, pa, c, pc, math.Inf(1), out.Facet, &warm) {
			if warm.AnsweredBy = out.AnsweredBy; warm != out {
				t.Fatalf("warm %+v\ncold %+v", warm, out)
			}
		}
		// A pair out of reach may have a bound.
		if s.Resolve(a, pa, c, pc, 0.25, &warm); warm.Exact && warm != out || !warm.Exact && !(warm.Gap > 0.25 && warm.Gap < out.Gap+1e-12*(4+out.Gap)) {
			t.Fatalf("reach 0.25: %+v, expected %+v", warm, out)
		}
	})
}
