package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// planeMethods holds the methods that this file tests.
var planeMethods = []Method{SAT, CP, FCP, SLM}

// tally counts answers, pairs that the exhaustive search answered, and overlaps that are deeper
// than the true depth.
type tally struct {
	all, exhaustive, overlaps, deeper int
	levels                            [NAnsweredBy]int
	excess                            float64 // the largest excess of a depth, in sizes
}

// checkPlanes answers a pair with known gap truth by a method. The status must be right. A bound
// must be a bound. A distance must be exact, and a depth too if the method promises it. No depth
// may be less than the true one.
func checkPlanes(m Method, s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, truth, reach, dtol float64, mem *Memory, n *tally) error {
	size := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm()/2)
	tol := 1e-12 * size
	var out Answer
	n.all++
	if s.By(m, a, pa, b, pb, reach, dtol, mem, &out) {
		n.exhaustive++
	}
	n.levels[out.AnsweredBy]++
	fail := func(what string) error {
		return fmt.Errorf("%v: %s, truth %g\n%+v\nA %d vertices %+v\nB %d vertices %+v", m, what, truth, out, a.NVerts, pa, b.NVerts, pb)
	}
	if !out.Exact && out.Status != Penetrating {
		if !(out.Status == Separated && out.Gap > max(reach, dtol) && out.Gap <= truth+tol) || mem.List.Type != NoType {
			return fail("not a bound")
		}
		if lower := pair.AxisGap(pa, b, pb, out.Axis, out.AxisSupport); lower > truth+tol || lower < out.Gap-tol {
			return fail("an axis that does not prove it")
		}
		return nil
	}
	known := truth
	if !m.Deepens() && out.Status == Penetrating {
		n.overlaps++
		if excess := truth - out.Gap; excess > tol {
			n.deeper++
			n.excess = max(n.excess, excess/size)
			if truth > tol {
				return fail("apart, and said to overlap")
			}
			known = out.Gap
			if out.Exact {
				return fail("a depth said to be exact")
			}
		}
	}
	out.Exact = true // otherwise the answer is like any other
	if err := judge(a, pa, b, pb, known, size, &out); err != nil {
		return fail(err.Error())
	}
	if (out.Gap <= max(dtol, pair.CloseTol*size)) != (mem.List.Type != NoType) || (mem.List.Type == NoType) != (len(mem.List.Basic) == 0) {
		return fail(fmt.Sprintf("contacts %v %+v", mem.List.Type, mem.List.Basic))
	}
	return nil
}

// TestPlanesRandom compares single pairs at every kind of gap with the oracle.
func TestPlanesRandom(t *testing.T) {
	shapes := solids(t)
	s := NewSearch()
	count := require.Rounds(300, 400, 600)
	r := rand.New(rand.NewPCG(61, 62))
	var n [NMethods]tally
	for range count {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		want := []float64{0, 0, 1e-13, -1e-13, 1e-9, -1e-9, 3e-7, 1e-5, -1e-4, -0.01, -0.2, 0.01, 0.3}[r.IntN(13)]
		pa, pb := placed(r, a, b, want)
		if r.IntN(3) == 0 {
			shift := randomUnit(r).Scale(1e3)
			pa.Pos, pb.Pos = pa.Pos.Add(shift), pb.Pos.Add(shift)
		}
		truth := oracleGap(a, pa, b, pb)
		dtol := Dtol(a, b) * []float64{0, 1, 1, 1e3, 3e5}[r.IntN(5)]
		reach := []float64{0, 0, 0.1, math.Inf(1)}[r.IntN(4)]
		for _, m := range planeMethods {
			var mem Memory
			if err := checkPlanes(m, s, a, pa, b, pb, truth, reach, dtol, &mem, &n[m]); err != nil {
				t.Fatal(err)
			}
			if m == SAT {
				var out, want Answer
				s.in.SeparatingAxes(a, pa, b, pb, reach, dtol, &mem.List, &out)
				if s.Exhaustive(a, pa, b, pb, math.Inf(1), &want); truth <= 0 && out != want {
					t.Fatalf("warm %+v\nexhaustive %+v", out, want)
				}
			}
		}
	}
	for _, m := range planeMethods {
		t.Logf("%v: %+v", m, n[m])
		if n[m].deeper*20 > n[m].overlaps {
			t.Errorf("%v: %d of %d overlaps are deeper than they should be", m, n[m].deeper, n[m].overlaps)
		}
	}
}

// TestPlanesCoarse runs the fuzz target's pairs, which have many ties.
func TestPlanesCoarse(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	s := NewSearch()
	count := require.Rounds(300, 800, 1500)
	var n [NMethods]tally
	b := make([]byte, 20)
	for range count {
		drawCoarse(r, b)
		a, pa, c, pc := fuzzPair(t, b)
		truth := oracleGap(a, pa, c, pc)
		for _, m := range planeMethods {
			var mem Memory
			if err := checkPlanes(m, s, a, pa, c, pc, truth, []float64{0, math.Inf(1)}[b[0]&1], Dtol(a, c), &mem, &n[m]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, m := range planeMethods {
		t.Logf("%v: %+v", m, n[m])
	}
}

// TestPlanesTypes is V12 for the common-plane methods: the type and the basic contacts of every
// placement are those of the direct search, without stored data and in a second step.
func TestPlanesTypes(t *testing.T) {
	s := NewSearch()
	rounds := 12
	if require.Quick() {
		rounds = 3
	}
	for name, shapes := range pairsOfV12(t) {
		for _, want := range typesOfPairs {
			t.Run(fmt.Sprintf("%s/%v", name, want), func(t *testing.T) {
				r := rand.New(rand.NewPCG(65, uint64(want)))
				for range rounds {
					p := posedAs(r, want, shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))])
					dtol := Dtol(p.a, p.b)
					for _, off := range []float64{0, 1e-13, -1e-13, 0.1 * dtol, -0.1 * dtol} {
						pb := p.pb
						pb.Pos = pb.Pos.AddScaled(off, p.n)
						var truth ContactList
						var out Answer
						s.in.Direct(p.a, p.pa, p.b, pb, 0, dtol, &truth, &out)
						for _, m := range planeMethods {
							var mem Memory
							for step := range 2 {
								var got Answer
								s.By(m, p.a, p.pa, p.b, pb, 0, dtol, &mem, &got)
								if mem.List.Type != want || !sameFeatures(mem.List.Basic, truth.Basic) {
									t.Fatalf("%v, off %g, step %d: %v %+v\nexpected %v %+v\n%+v\n%+v", m, off, step, mem.List.Type, mem.List.Basic, want, truth.Basic, got, out)
								}
								if d := mem.List.Basic[0].Normal.Sub(truth.Basic[0].Normal).Norm(); d > 1e-9 {
									t.Fatalf("%v, off %g, step %d: normal %g off\n%+v\n%+v", m, off, step, d, got, out)
								}
							}
						}
					}
				}
			})
		}
	}
}

// TestPlanesInMotion follows pairs from contacts of every type and from random ones. Each method
// keeps its plane and returns a right answer at every step; SAT returns the bits of the exhaustive
// search. Every value of AnsweredBy occurs.
func TestPlanesInMotion(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	shapes := solids(t)
	v12 := pairsOfV12(t)
	s, fresh := NewSearch(), NewSearch()
	runs, steps := 120, 30
	if require.Quick() {
		runs = 24
	}
	var n [NMethods]tally
	for run := range runs {
		var a, b *soa.View
		var pa, pb vec.Pose
		if run%2 == 0 {
			from := v12[[]string{"hexahedra", "tetrahedra", "cut", "hulls"}[run/2%4]]
			p := posedAs(r, typesOfPairs[run/8%len(typesOfPairs)], from[r.IntN(2)], from[r.IntN(2)])
			a, b, pa, pb = p.a, p.b, p.pa, p.pb
		} else {
			a, b = shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
			pa, pb = placed(r, a, b, 0)
		}
		dtol := Dtol(a, b) * []float64{1, 1, 1e3}[r.IntN(3)]
		var memory [NMethods]Memory
		for range steps {
			var was, want Answer
			fresh.Exhaustive(a, pa, b, pb, math.Inf(1), &was)
			pa, pb = drift(r, pa), drift(r, pb)
			if r.IntN(2) == 0 && was.Exact {
				gap := []float64{0, -1e-4, -1e-5, -1e-7, 1e-7, 5e-7, -1e-13, 1e-3, -3e-3}[r.IntN(9)]
				pb.Pos = pb.Pos.AddScaled(gap-was.Gap, was.Normal)
			}
			fresh.Exhaustive(a, pa, b, pb, math.Inf(1), &want)
			for _, m := range planeMethods {
				if err := checkPlanes(m, s, a, pa, b, pb, want.Gap, 0, dtol, &memory[m], &n[m]); err != nil {
					t.Fatal(err)
				}
			}
			var sat Answer
			if s.in.SeparatingAxes(a, pa, b, pb, 0, dtol, &memory[SAT].List, &sat); want.Gap <= 0 && sat != want {
				t.Fatalf("sat %+v\nexhaustive %+v", sat, want)
			}
		}
	}
	for _, m := range planeMethods {
		t.Logf("%v: %+v", m, n[m])
		if n[m].deeper*20 > n[m].overlaps {
			t.Errorf("%v: %d of %d overlaps are deeper than they should be", m, n[m].deeper, n[m].overlaps)
		}
		// A walk is rare: a short run may have none.
		walks := m == SAT || require.Quick() || n[m].levels[ByWalk] > 0
		if n[m].levels[ByAxis] == 0 || m != SAT && n[m].levels[ByFeature] == 0 || !walks {
			t.Errorf("%v: levels %v", m, n[m].levels)
		}
	}
}

func FuzzPlanes(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 168, 128, 128, 0})
	f.Add([]byte{1, 2, 0x15, 0x2a, 160, 128, 130, 0x81, 3, 9, 200})
	f.Add([]byte{0, 0, 3, 77, 3, 99, 128, 130, 120, 66, 1, 2, 3, 1, 200, 100, 50})
	s := NewSearch()
	f.Fuzz(func(t *testing.T, b []byte) {
		a, pa, c, pc := fuzzPair(t, b)
		truth := oracleGap(a, pa, c, pc)
		for _, m := range planeMethods {
			var mem Memory
			var n tally
			// Once without stored data, once with the data of the first call.
			for range 2 {
				if err := checkPlanes(m, s, a, pa, c, pc, truth, 0, Dtol(a, c), &mem, &n); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
