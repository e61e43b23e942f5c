package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/ball"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// menagerie returns the shapes of the differential tests, of size about 1.
func menagerie(t testing.TB) (names []string, shapes []*soa.View) {
	add := func(name string, v *soa.View) { names, shapes = append(names, name), append(shapes, v) }
	add("tetra", hullOf(t, tetraPoints()))
	add("cube", box(t, 1, 1, 1))
	add("brick", box(t, 1, 0.5, 0.25))
	add("plate", box(t, 1, 1, 0.001))
	for i, n := range []int{8, 12, 20, 40} {
		add(fmt.Sprintf("rock%d", n), rock(t, uint64(i+1), n))
	}
	return names, shapes
}

// placed puts B against A along a random line, with the given gap along the line of centres.
func placed(r *rand.Rand, a, b *soa.View, want float64) (pa, pb vec.Pose) {
	pa = vec.Pose{Rot: randomRot(r)}
	pb = vec.Pose{Rot: randomRot(r)}
	if r.IntN(4) == 0 {
		pb.Rot = pa.Rot // aligned: parallel faces and edges
	}
	dir := randomUnit(r)
	if r.IntN(4) == 0 {
		dir = pa.Rot.Rotate(a.Normal(soa.Face(r.IntN(a.NFaces))))
	}
	// Bisection of the gap along the line.
	lo, hi := 0.0, 3.0
	for range 60 {
		mid := (lo + hi) / 2
		pb.Pos = dir.Scale(mid)
		if g := quickGap(a, pa, b, pb); g < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return pa, pb
}

// quickGap returns Exhaustive's gap. It places bodies, and is not an oracle.
func quickGap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	var out Answer
	quick.Exhaustive(a, pa, b, pb, math.Inf(1), &out)
	return out.Gap
}

var quick = NewSearch()

// ways holds the functions that answer a pair of polyhedra, which must agree. A total one answers
// every pair.
var ways = []struct {
	name  string
	total bool
	call  func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer)
}{
	{"gjk-epa", false, (*Search).Pair},
	{"exhaustive", true, (*Search).Exhaustive},
	{"resolve", true, (*Search).Resolve},
}

// TestRandomPairs is V9: every method must agree with brute force on random pairs at every kind of
// gap. Pair may leave one pair in 500 to the exhaustive search; Exhaustive and Resolve must answer
// all.
func TestRandomPairs(t *testing.T) {
	names, shapes := menagerie(t)
	wants := []float64{0, 0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-4, -1e-4, -0.01, -0.2, 0.01, 0.3}
	r := rand.New(rand.NewPCG(1, 2))
	s := NewSearch()
	rounds := require.Rounds(2, 2, 3)
	fails, total := 0, 0
	lost, asked := map[string]int{}, map[string]int{}
	for range rounds {
		for i, a := range shapes {
			for j, b := range shapes {
				for _, want := range wants[r.IntN(4):] {
					if r.IntN(3) != 0 {
						continue
					}
					pa, pb := placed(r, a, b, want)
					if r.IntN(3) == 0 {
						shift := randomUnit(r).Scale(1e6)
						pa.Pos, pb.Pos = pa.Pos.Add(shift), pb.Pos.Add(shift)
					}
					size := max(a.Radius, b.Radius)
					truth := bruteGap(a, pa, b, pb)
					for _, m := range ways {
						total++
						asked[m.name]++
						var out Answer
						m.call(s, a, pa, b, pb, math.Inf(1), &out)
						if out.Status == NotConverged && !m.total {
							lost[m.name]++
							continue
						}
						if err := judge(a, pa, b, pb, truth, size, &out); err != nil {
							if fails++; fails < 10 {
								t.Errorf("%s: %s/%s want %g:\n%v\npa=%+v pb=%+v", m.name, names[i], names[j], want, err, pa, pb)
							}
						}
					}
				}
			}
		}
	}
	for _, m := range ways {
		if lost[m.name] > asked[m.name]/500 {
			t.Errorf("%s: %d of %d pairs did not converge, expected at most one in 500", m.name, lost[m.name], asked[m.name])
		}
	}
	t.Logf("%d answers, %d wrong; not converged: %v", total, fails, lost)
}

// TestManyPairs compares GJK and EPA with the exhaustive search on many pairs, up to 128 vertices.
func TestManyPairs(t *testing.T) {
	_, shapes := menagerie(t)
	large := []*soa.View{geometryRock(t, 1, 128), geometryRock(t, 2, 100), geometryRock(t, 3, 33), shapes[0], shapes[1]}
	r := rand.New(rand.NewPCG(71, 72))
	s := NewSearch()
	for _, c := range []struct {
		name  string
		pairs int
		from  []*soa.View
	}{{"small", 12000, shapes[:6]}, {"large", 250, large}} {
		t.Run(c.name, func(t *testing.T) {
			lost := 0
			for range c.pairs {
				a, b := c.from[r.IntN(len(c.from))], c.from[r.IntN(len(c.from))]
				pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r), Pos: randomUnit(r).Scale(2 * r.Float64())}
				var x, y Answer
				// A translation along the normal brings the pair close to the given gap.
				want := []float64{0, 1e-13, -1e-13, 1e-10, -1e-10, 1e-7, -1e-7, 1e-4, -1e-4, 0.01, -0.01, -0.2, 0.2}[r.IntN(13)]
				s.Resolve(a, pa, b, pb, math.Inf(1), &x)
				pb.Pos = pb.Pos.AddScaled(want-x.Gap, x.Normal)
				s.Pair(a, pa, b, pb, math.Inf(1), &x)
				s.Exhaustive(a, pa, b, pb, math.Inf(1), &y)
				if x.Status == NotConverged {
					lost++
					continue
				}
				size := max(a.Radius, b.Radius)
				if err := judge(a, pa, b, pb, y.Gap, size, &x); err != nil {
					t.Fatalf("%d and %d vertices, want %g: %v\npa=%+v pb=%+v", a.NVerts, b.NVerts, want, err, pa, pb)
				}
				if err := judge(a, pa, b, pb, x.Gap, size, &y); err != nil {
					t.Fatalf("exhaustive, %d and %d vertices, want %g: %v\npa=%+v pb=%+v", a.NVerts, b.NVerts, want, err, pa, pb)
				}
			}
			t.Logf("%d of %d pairs did not converge", lost, c.pairs)
			if lost > c.pairs/500 {
				t.Errorf("%d of %d pairs did not converge", lost, c.pairs)
			}
		})
	}
}

// judge checks an exact answer against the true gap, and checks that its fields are consistent.
func judge(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, truth, size float64, out *Answer) error {
	tol := 1e-12 * size
	if out.Status > Penetrating || !out.Exact {
		return fmt.Errorf("status %v, exact %v, truth %g", out.Status, out.Exact, truth)
	}
	if !(math.Abs(out.Gap-truth) <= tol) {
		return fmt.Errorf("gap %.17g, truth %.17g, differ by %g; %+v", out.Gap, truth, out.Gap-truth, *out)
	}
	if math.Abs(truth) > tol && (truth > 0) != (out.Status == Separated) {
		return fmt.Errorf("status %v, truth %g", out.Status, truth)
	}
	if math.Abs(out.Normal.Norm()-1) > 1e-14 {
		return fmt.Errorf("normal %v has length %g", out.Normal, out.Normal.Norm())
	}
	// B's witness point is A's plus gap·n, and each lies on its body.
	dx := pb.Pos.Sub(pa.Pos)
	if e := out.ArmA.AddScaled(out.Gap, out.Normal).Sub(dx.Add(out.ArmB)).Norm(); !(e <= tol) {
		return fmt.Errorf("witness points miss each other by %g; %+v", e, *out)
	}
	if e := outside(a, pa.Rot.RotateInv(out.ArmA)); !(e <= tol) {
		return fmt.Errorf("witness is %g outside of A; %+v", e, *out)
	}
	if e := outside(b, pb.Rot.RotateInv(out.ArmB)); !(e <= tol) {
		return fmt.Errorf("witness is %g outside of B; %+v", e, *out)
	}
	if out.Status == Separated {
		// The axis proves the gap to ProofTol of the pair's length scale, which includes the
		// distance of the origins.
		slack := tol + float64(ProofTol*max(size, dx.Norm()))
		if lower := pair.AxisGap(pa, b, pb, out.Axis, out.AxisSupport); lower > truth+tol || lower < out.Gap-slack {
			return fmt.Errorf("axis proves %g of a gap of %g", lower, truth)
		}
	}
	return nil
}

// outside returns the height of a point above the highest face plane of a shape.
func outside(v *soa.View, p vec.Vec3) float64 {
	_, h := ball.HighestPlane(v, p)
	return h
}
