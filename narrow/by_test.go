package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// nudged moves a pose by up to a length and an angle.
func nudged(r *rand.Rand, p vec.Pose, by float64) vec.Pose {
	return vec.Pose{
		Pos: p.Pos.Add(randomUnit(r).Scale(r.Float64() * by)),
		Rot: vec.FromRotationVector(randomUnit(r).Scale(r.Float64() * by)).Mul(p.Rot).Normalized(),
	}
}

// TestByAutoInMotion checks that stored data change nothing: an exact answer has the search's bits,
// and a bound is a bound.
func TestByAutoInMotion(t *testing.T) {
	_, shapes := menagerie(t)
	shapes = append(shapes, ballOf(t, 0.5))
	r := rand.New(rand.NewPCG(31, 32))
	s, fresh := NewSearch(), NewSearch()
	var by [NAnsweredBy]int
	for range 60 {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		if a.Kind > b.Kind {
			a, b = b, a
		}
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Pos: randomUnit(r).Scale(2.5), Rot: randomRot(r)}
		reach := []float64{0, 0.01, math.Inf(1)}[r.IntN(3)]
		step := []float64{1e-6, 1e-3, 0.02}[r.IntN(3)]
		towards := pb.Pos.Scale(-0.8 / 60)
		var mem Memory
		for k := range 90 {
			if k < 60 {
				pb.Pos = pb.Pos.Add(towards)
			}
			// Both bodies move along with a common motion, which must not affect the pair.
			stream := randomUnit(r)
			pa.Pos, pb.Pos = pa.Pos.Add(stream), pb.Pos.Add(stream)
			pa, pb = nudged(r, pa, step), nudged(r, pb, step)
			var out, cold Answer
			s.By(Auto, a, pa, b, pb, reach, 0, &mem, &out)
			by[out.AnsweredBy]++
			if !out.Exact {
				fresh.Resolve(a, pa, b, pb, math.Inf(1), &cold)
				if out.Status != Separated || !(out.Gap > reach) || out.Gap > cold.Gap {
					t.Fatalf("%v says %v, gap above %g within reach %g; it is %g", out.AnsweredBy, out.Status, out.Gap, reach, cold.Gap)
				}
				continue
			}
			fresh.Resolve(a, pa, b, pb, reach, &cold)
			cold.AnsweredBy, cold.Axis, cold.AxisSupport = out.AnsweredBy, out.Axis, out.AxisSupport
			if out != cold {
				t.Fatalf("%v says\n%+v\nthe search\n%+v", out.AnsweredBy, out, cold)
			}
		}
	}
	for level, n := range by {
		if n == 0 {
			t.Errorf("%v never answered: %v", AnsweredBy(level), by)
		}
	}
}

// TestApproach checks that no motion changes the gap by more than approach returns, and that
// approach is at most three times the worst change.
func TestApproach(t *testing.T) {
	worst := 0.0
	eachRandomPair(t, 300, func(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
		by := []float64{1e-9, 1e-3, 0.3, 3}[r.IntN(4)]
		qa, qb := nudged(r, pa, by), nudged(r, pb, by)
		bound := approach(a.Radius, pa, qa, b.Radius, pb, qb)
		change := math.Abs(quickGap(a, qa, b, qb) - out.Gap)
		if change > bound {
			t.Fatalf("the gap has changed by %g, more than %g", change, bound)
		}
		worst = max(worst, change/bound)
	})
	if worst < 1.0/3 {
		t.Errorf("no gap has changed by more than %g of the bound", worst)
	}
	far := vec.V(1e6, -1e6, 1e6)
	if m := approach(1, at(0, 0, 0), vec.Pose{Pos: far, Rot: vec.Identity}, 1, at(3, 0, 0), vec.Pose{Pos: far.Add(vec.V(3, 0, 0)), Rot: vec.Identity}); m > 1e-7 {
		t.Errorf("a stream that carries both counts as %g", m)
	}
	half := vec.Quat{Z: 1}
	if m := approach(2, at(0, 0, 0), vec.Pose{Rot: half}, 1, at(3, 0, 0), at(3, 0, 0)); math.Abs(m-4) > 1e-12 {
		t.Errorf("half a turn of a body of radius 2 moves a point by %g, expected 4", m)
	}
}

// TestByMethods answers a pair by each method of the release, and balls by any.
func TestByMethods(t *testing.T) {
	cube, ball := box(t, 1, 1, 1), ballOf(t, 0.5)
	s := NewSearch()
	if len(Methods()) < 2 || Methods()[0] != Auto || !GJKEPA.Available() || NMethods.Available() {
		t.Errorf("methods %v", Methods())
	}
	for _, m := range Methods() {
		t.Run(m.String(), func(t *testing.T) {
			for _, x := range []float64{0.9, 1, 1.5} {
				for _, a := range []*soa.View{cube, ball} {
					var mem Memory
					var out Answer
					s.By(m, a, at(0, 0, 0), cube, at(x, 0, 0), math.Inf(1), 1e-6, &mem, &out)
					want := x - 1
					bound := !out.Exact && want > 0 && out.Gap > 0 && out.Gap <= want
					if math.Abs(out.Gap-want) > 1e-12 && (!bound || m.Measures()) {
						t.Errorf("kind %v at %g: gap %g", a.Kind, x, out.Gap)
					}
				}
			}
		})
	}
	var mem Memory
	var out Answer
	s.By(Auto, cube, at(math.NaN(), 0, 0), cube, at(9, 0, 0), 0, 0, &mem, &out)
	if out.Status != Degenerate {
		t.Errorf("a pose that is no number: %v", out.Status)
	}
}

// TestByOnce checks that a pair without a Memory gets the same bits as with an empty one.
func TestByOnce(t *testing.T) {
	_, shapes := menagerie(t)
	shapes = append(shapes, ballOf(t, 0.5))
	r := rand.New(rand.NewPCG(33, 34))
	s := NewSearch()
	for range 2000 {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		if a.Kind > b.Kind {
			a, b = b, a
		}
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Pos: randomUnit(r).Scale(2 * r.Float64()), Rot: randomRot(r)}
		for _, m := range []Method{Auto, GJKEPA} {
			var once, first Answer
			reach := []float64{0, math.Inf(1)}[r.IntN(2)]
			s.By(m, a, pa, b, pb, reach, 0, nil, &once)
			s.By(m, a, pa, b, pb, reach, 0, new(Memory), &first)
			if once != first {
				t.Fatalf("%v says\n%+v\nwithout a memory, and with a blank one\n%+v", m, once, first)
			}
		}
	}
}

// TestByReset checks that Reset clears everything but allocated memory.
func TestByReset(t *testing.T) {
	cube := box(t, 1, 1, 1)
	s := NewSearch()
	var mem Memory
	var out Answer
	for range 2 {
		s.By(Auto, cube, at(0, 0, 0), cube, at(3, 0, 0), 0, 0, &mem, &out)
		if out.AnsweredBy != BySearch {
			t.Fatalf("%v answers a pair not seen before", out.AnsweredBy)
		}
		s.By(Auto, cube, at(0, 0, 0), cube, at(3, 0, 0), 0, 0, &mem, &out)
		if out.AnsweredBy != ByOdometer {
			t.Fatalf("%v answers a pair that did not move", out.AnsweredBy)
		}
		mem.Reset()
	}
}

// TestByRefusesNoRotation passes quaternions that are no rotations, for pairs with and without
// stored certificates. Neither may have an answer.
func TestByRefusesNoRotation(t *testing.T) {
	cube := solidBox(t, 1, 1, 1)
	s := NewSearch()
	for _, a := range []*soa.View{cube, ballOf(t, 0.5)} {
		for _, m := range Methods() {
			for _, x := range []float64{3, 1.2, 0.9} {
				for _, rot := range []vec.Quat{{W: 3}, {W: 0.1}, {W: 1, X: 1}, {W: math.NaN()}, {X: math.Inf(1)}} {
					var fresh, mem Memory
					var out Answer
					for range 2 {
						s.By(m, a, at(0, 0, 0), cube, at(x, 0, 0), 0.5, 1e-6, &mem, &out)
					}
					pb := vec.Pose{Pos: vec.V(x+1e-9, 0, 0), Rot: rot}
					for _, stored := range []*Memory{&fresh, &mem} {
						if s.By(m, a, at(0, 0, 0), cube, pb, 0.5, 1e-6, stored, &out); out.Status != Degenerate {
							t.Errorf("%v, %v at %g, rotation %v, stored %v: %+v", m, a.Kind, x, rot, stored == &mem, out)
						}
					}
				}
			}
		}
	}
}

// TestByAllocatesNothing repeats a warm run.
func TestByAllocatesNothing(t *testing.T) {
	a, b := rock(t, 3, 20), rock(t, 4, 20)
	s := NewSearch()
	for _, m := range Methods() {
		var mem Memory
		var out Answer
		run := func() {
			for k := range 40 {
				s.By(m, a, at(0, 0, 0), b, at(3-0.07*float64(k), 0.01, 0), 0, 1e-6, &mem, &out)
			}
		}
		run()
		if n := testing.AllocsPerRun(3, run); n != 0 {
			t.Errorf("%v: %g allocations", m, n)
		}
	}
}

// TestChecksOfOwnMethods: DS checks all pairs of features. FDS and FCP compare no more pairs of features than the direct search, and next to none
// if the last step still answers.
func TestChecksOfOwnMethods(t *testing.T) {
	s := NewSearch()
	p, err := geometry.Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	var arena soa.Shapes
	if _, err := arena.Add(p.Template()); err != nil {
		t.Fatal(err)
	}
	cube := arena.View(0)
	apart := vec.Pose{Pos: vec.V(1.5, 0.1, 0.2), Rot: vec.FromRotationVector(vec.V(0.1, 0.2, 0.3))}
	touching := apart
	touching.Pos.X = 1.2
	for name, pose := range map[string]vec.Pose{"apart": apart, "touching": touching} {
		var mem Memory
		var out Answer
		s.By(DS, cube, vec.IdentityPose, cube, pose, 0, 0, &mem, &out)
		c := s.Checks()
		if c.VertexFace != 48 || c.FaceVertex != 48 || c.EdgeEdge != 144 || c.Entrance != 144 || c.Distance <= 96 || c.Distance > 96+36 {
			t.Errorf("ds %s: %+v, expected all 48, 48 and 144 pairs", name, c)
		}
	}
	for name, c := range map[string]struct {
		method Method
		pose   vec.Pose
		warm   Checks
	}{
		"fds apart": {FDS, apart, Checks{Entrance: 1}}, "fds touching": {FDS, touching, Checks{Entrance: 1}},
		"fcp apart": {FCP, apart, Checks{}}, "fcp touching": {FCP, touching, Checks{Distance: 1}},
	} {
		var mem Memory
		var out Answer
		s.By(c.method, cube, vec.IdentityPose, cube, c.pose, 0, 0, &mem, &out)
		cold := s.Checks()
		s.By(c.method, cube, vec.IdentityPose, cube, c.pose, 0, 0, &mem, &out)
		if warm := s.Checks(); warm != c.warm {
			t.Errorf("%s: %+v with a memory, expected %+v", name, warm, c.warm)
		}
		if cold.VertexFace+cold.FaceVertex+cold.Distance == 0 || cold.VertexFace > 48 || cold.FaceVertex > 48 || cold.EdgeEdge > 144 {
			t.Errorf("%s: %+v without a memory, expected at most 48, 48 and 144 pairs", name, cold)
		}
		if c.method == FDS && (cold.VertexFace%8 != 0 || cold.FaceVertex%8 != 0 || cold.Entrance != 0) {
			t.Errorf("%s: %+v without a memory, expected multiples of 8 vertices", name, cold)
		}
	}
}
