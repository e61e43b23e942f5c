package bench

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// exactMethods are the methods whose gap of a touching pair is exact.
var exactMethods = []narrow.Method{narrow.Auto, narrow.GJKEPA, narrow.SAT, narrow.DS, narrow.FDS}

func smallNarrow() NarrowOptions {
	return NarrowOptions{
		Shapes: []string{"tetra", "hexahedron", "hull12"}, Seed: 7, Pairs: 64, Repeat: 2, Seconds: 1e-6,
	}
}

// TestNarrowAnswers: no row has a wrong result, gaps are as exact as promised, and methods with
// equal results have equal checksums.
func TestNarrowAnswers(t *testing.T) {
	o := smallNarrow()
	var done, all int64
	rows, _, err := measure(t.Context(), &o, Env{Progress: func(now, of int64, _ string) { done, all = now, of }})
	if err != nil {
		t.Fatal(err)
	}
	if done != int64(len(rows)) || all != done {
		t.Errorf("progress ended at %d of %d, of %d rows", done, all, len(rows))
	}
	// Auto has two ways in each of the three coherent regimes.
	if want := 3 * (len(regimeNames())*len(narrow.MethodNames()) + 3); len(rows) != want {
		t.Fatalf("%d rows, expected %d", len(rows), want)
	}
	sums, batches := map[string]string{}, map[string]string{}
	for _, r := range rows {
		// A Detector says of pairs that are apart only that they are.
		if was, batch := batches[r.Checksum], r.Way == "detector" && r.Regime != "coherent-apart"; batch && was != "" {
			t.Errorf("%s and %s have one checksum", was, r.Case)
		} else if batch {
			batches[r.Checksum] = r.Case
		}
		m, err := narrow.ParseMethod(r.Method)
		if err != nil {
			t.Fatal(err)
		}
		exact := slices.Contains(exactMethods, m)
		shares := r.Odometer + r.Axis + r.Feature + r.Walk + r.Search
		switch {
		case r.Wrong != 0:
			t.Errorf("%s: %d of %d answers are wrong", r.Case, r.Wrong, r.Answers)
		case exact && r.Error > 1e-12:
			t.Errorf("%s: a gap is wrong by %g", r.Case, r.Error)
		case math.Abs(shares-1) > 1e-12:
			t.Errorf("%s: shares add up to %g", r.Case, shares)
		case r.Exact == 0 || r.Tried == 0 || r.Answers < 32:
			t.Errorf("%s: %d exact, %d exhaustive truths of %d answers", r.Case, r.Exact, r.Tried, r.Answers)
		case !(r.NsPair > 0) || !(r.Best > 0) || r.Best > r.NsPair || r.Pairs < 1 || r.Backend != cpu.Selected():
			t.Errorf("%+v", r)
		case (r.BytesPair != 0) != strings.HasPrefix(r.Regime, "coherent"):
			t.Errorf("%s: %d bytes a pair", r.Case, r.BytesPair)
		}
		if exact && (r.Regime == "touching" || r.Regime == "deep") {
			key := r.Shape + r.Regime
			if sums[key] == "" {
				sums[key] = r.Checksum
			}
			if r.Checksum != sums[key] {
				t.Errorf("%s: checksum %s, of other exact methods %s", r.Case, r.Checksum, sums[key])
			}
		}
		if r.Regime == "coherent-apart" && m == narrow.Auto && r.Odometer < 0.5 {
			t.Errorf("%s: the odometer answers %g, expected most", r.Case, r.Odometer)
		}
		if r.Regime == "coherent-touching" && m == narrow.Auto && r.Feature < 0.3 {
			t.Errorf("%s: features answer %g, expected many", r.Case, r.Feature)
		}
	}
	for _, r := range rows {
		if r.Regime == "coherent-near" && r.Method == narrow.Auto.String() && !(r.Feature+r.Walk > 0.8) {
			t.Errorf("%s: features answer %g, expected nearly all", r.Case, r.Feature+r.Walk)
		}
	}
	figures := narrowFigures(rows)
	if len(figures) != len(regimeNames()) {
		t.Fatalf("%d figures", len(figures))
	}
	checkSVG(t, figures)
}

// TestNarrowRepeats: results repeat on every backend, and differ for another seed.
func TestNarrowRepeats(t *testing.T) {
	o := smallNarrow()
	o.Methods, o.Shapes = []string{"auto", "fds"}, []string{"hull12"}
	var first []NarrowRow
	for backend := range backends.Each(t) {
		rows, _, err := measure(t.Context(), &o, Env{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = rows
		}
		for i, r := range rows {
			if r.Checksum != first[i].Checksum || r.Feature != first[i].Feature || r.Backend != backend {
				t.Errorf("%s on %s: checksum %s, on %s %s", r.Case, backend, r.Checksum, first[i].Backend, first[i].Checksum)
			}
		}
	}
	o.Seed++
	rows, _, err := measure(t.Context(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if rows[0].Checksum == first[0].Checksum {
		t.Error("another seed gave the same answers")
	}
}

// TestPools: every pair is in its regime by the exact gap.
func TestPools(t *testing.T) {
	for _, name := range []string{"tetra", "cube"} {
		s, err := newShapeSet(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range regimes {
			pool, err := newPool(s, g, 16, 3)
			if err != nil {
				t.Fatal(err)
			}
			for i := range pool {
				p := &pool[i]
				gap := oracle.ExactGap(p.a, p.pa, p.b, p.pb)
				if g.degenerate {
					if gap > 1e-12 || gap < -1e-3-1e-12 {
						t.Errorf("%s %s: pair %d has gap %g", name, g.name, i, gap)
					}
				} else if gap < g.lo-1e-12 || gap > g.hi+1e-12 {
					t.Errorf("%s %s: pair %d has gap %g, expected %g to %g", name, g.name, i, gap, g.lo, g.hi)
				}
			}
		}
	}
}

// TestMotions: no corner moves by more than a thousandth of the size in a step.
func TestMotions(t *testing.T) {
	s, err := newShapeSet("hull12", 1)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := newPool(s, regimes[5], 16, 3)
	if err != nil {
		t.Fatal(err)
	}
	moves := newMotions(pool, 1)
	corners := func() (all []vec.Vec3) {
		for i := range pool {
			all = append(all, oracle.FromView(pool[i].a, pool[i].pa, vec.Vec3{}).Verts...)
			all = append(all, oracle.FromView(pool[i].b, pool[i].pb, vec.Vec3{}).Verts...)
		}
		return all
	}
	moveAll(moves, 0, pool)
	last, most := corners(), 0.0
	for k := 1; k < coherentSteps; k++ {
		moveAll(moves, k, pool)
		now := corners()
		for i, p := range now {
			most = max(most, p.Sub(last[i]).Norm())
		}
		last = now
	}
	if most > mostMotion || most < mostMotion/10 {
		t.Errorf("the fastest corner moves by %g a step, expected up to %g", most, mostMotion)
	}
}

// TestTallySees adds wrong results, which the tally must count.
func TestTallySees(t *testing.T) {
	good := narrow.Answer{Status: narrow.Penetrating, Exact: true, Gap: -0.1}
	for _, c := range []struct {
		name  string
		spoil func(a *narrow.Answer)
		gap   float64
		wrong int
		worst float64
	}{
		{"good", func(*narrow.Answer) {}, -0.1, 0, 0},
		{"apart", func(a *narrow.Answer) { a.Status, a.Gap = narrow.Separated, 0.1 }, -0.1, 1, 0},
		{"touching", func(*narrow.Answer) {}, 0.1, 1, 0},
		{"too close to call", func(*narrow.Answer) {}, 1e-15, 0, 0.1},
		{"not converged", func(a *narrow.Answer) { a.Status = narrow.NotConverged }, -0.1, 1, 0},
		{"deeper", func(*narrow.Answer) {}, -0.2, 0, 0.1},
		{"no bound", func(a *narrow.Answer) { *a = narrow.Answer{Gap: 0.2} }, 0.1, 1, 0},
		{"bound", func(a *narrow.Answer) { *a = narrow.Answer{Gap: 0.05} }, 0.1, 0, 0},
	} {
		var sum tally
		a := good
		c.spoil(&a)
		sum.add(&a, c.gap, 1)
		if sum.wrong != c.wrong || math.Abs(sum.worst-c.worst) > 1e-12 {
			t.Errorf("%s: %d wrong, worst %g, expected %d and %g", c.name, sum.wrong, sum.worst, c.wrong, c.worst)
		}
	}
}

// TestTallySeesMissedReach: a Detector that calls a pair farther apart than the reach, though it is
// nearer, is wrong.
func TestTallySeesMissedReach(t *testing.T) {
	set, err := newShapeSet("cube", 1)
	if err != nil {
		t.Fatal(err)
	}
	near := regimes[slices.IndexFunc(regimes, func(g regime) bool { return g.name == "coherent-near" })]
	pool, err := newPool(set, near, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	by := newDetectorPlayer(&Env{}, newReplay(set, near, pool, 1).first(1))
	by.begin(0, false)
	by.answer(0, false, func(int, int, *narrow.Answer, narrow.Type) {})
	w := by.sets[0]
	gap, row := w.read(0).Gap, w.row[0]
	for active, wrong := range map[bool]int{true: 0, false: 1} {
		if w.row[0] = row; !active {
			w.row[0] = 0
		}
		var sum tally
		out := w.read(0)
		if sum.add(&out, gap, pool[0].size()); sum.wrong != wrong {
			t.Errorf("active %v: %d wrong, expected %d", active, sum.wrong, wrong)
		}
	}
}

// TestNarrowInterrupted: an interrupted study returns the complete rows.
func TestNarrowInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := smallNarrow()
	complete := int64(0)
	e := Env{Progress: func(done, _ int64, _ string) {
		if complete = done; done > 0 {
			cancel()
		}
	}}
	if rows, _, err := measure(ctx, &o, e); !errors.Is(err, context.Canceled) || len(rows) == 0 || int64(len(rows)) != complete {
		t.Errorf("interrupted: %d rows and %v", len(rows), err)
	}
}

// TestNarrowAllocates: timed passes allocate nothing.
func TestNarrowAllocates(t *testing.T) {
	s, err := newShapeSet("hull12", 1)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := newPool(s, regimes[5], 64, 3)
	if err != nil {
		t.Fatal(err)
	}
	play := newReplay(s, regimes[5], pool, 1)
	for _, c := range []contender{{name: "cold", method: narrow.FDS}, {name: "memory", method: narrow.Auto}, {name: "detector", detector: true}} {
		p, k := newPlayer(&Env{}, c, play), 0
		p.begin(0, false)
		p.answer(0, false, nil)
		next := func() {
			k = 1 + k%(coherentSteps-1)
			p.begin(k, false)
			p.answer(k, c.name == "cold", nil)
		}
		for range coherentSteps {
			next()
		}
		if n := testing.AllocsPerRun(coherentSteps, next); n != 0 {
			t.Errorf("%s: %g allocations a pass", c.name, n)
		}
	}
}

// checkSVG fails the test unless the figures are well-formed and draw something.
func checkSVG(t *testing.T, figures []Figure) {
	t.Helper()
	for i := range figures {
		var b bytes.Buffer
		if err := figures[i].WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "<path"); n < 5 {
			t.Errorf("%s has %d paths", figures[i].Name, n)
		}
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", figures[i].Name, err)
			}
		}
	}
}
