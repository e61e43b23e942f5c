package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

func init() {
	register[NarrowOptions, NarrowRow](About{
		Command: "narrow", Name: "narrow",
		Short: "Time the methods of the narrow phase on pairs of blocks",
		Long: `Time the methods of the narrow phase on random pairs of blocks, by shape and by the
relative pose of the pairs, and compare the results with the exact ones. Times are
processor time of one worker.`,
		Example: "  scree bench narrow --shape cube --regime touching --method auto,gjk-epa --time 0.01\n" +
			"  scree bench narrow --location --shape cube --time 0.01",
		Names: map[string][]string{"method": narrow.MethodNames(), "shape": narrowShapes, "regime": regimeNames()},
	})
}

// NarrowOptions are the options of the study of the narrow phase.
type NarrowOptions struct {
	Methods []string `flag:"method" help:"<NAMES>, separated by commas, of methods"`
	Shapes  []string `flag:"shape" help:"<NAMES>, separated by commas, of shapes"`
	Regimes []string `flag:"regime" help:"<NAMES>, separated by commas, of regimes"`
	Seed    uint64   `flag:"seed" default:"1" help:"<S>eed of shapes and poses"`
	Repeat  int      `flag:"repeat" default:"5" bounds:"≥ 1" help:"measure each row <R> times and show the median"`
	Seconds float64  `flag:"time" default:"0.2" bounds:"> 0 and ≤ 3600" unit:"s" help:"measuring time for each row, <s>"`
	Pairs   int      `flag:"pairs" default:"8192" bounds:"1 to 1048576" help:"largest number <N> of pairs in a pool"`
}

// NarrowRow is the cost of one pair in one regime with one method.
type NarrowRow struct {
	Case   string `json:"case" show:"%s"` // shape, regime, method and way: the name of the row
	Shape  string `json:"shape" show:"%s"`
	Verts  int    `json:"vertices" show:"%d"`
	Regime string `json:"regime" show:"%s"`
	Method string `json:"method" show:"%s"`
	// Way is one of three. cold: nothing is known about a pair. memory: the method stores a Memory
	// for each pair, and pairs are computed one by one. detector, in coherent regimes: an
	// engine.Detector computes all pairs together.
	Way     string  `json:"way" show:"%s"`
	NsPair  float64 `json:"ns_pair" show:"%.1f"`   // processor time
	Best    float64 `json:"ns_best" show:"%.1f"`   // the fastest repetition
	Spread  float64 `json:"spread" show:"%.3f"`    // (slowest − fastest) / median
	Pairs   int     `json:"pairs" show:"%d"`       // timed pairs in a pass
	Answers int     `json:"answers" show:"%d"`     // number of results compared with the truth, over pairs and steps
	Wrong   int     `json:"wrong" show:"%d"`       // wrong results: a wrong sign of the gap, or a bound that is no bound
	Error   float64 `json:"gap_error" show:"%.1e"` // the largest error of an exact gap, over the size
	Exact   int     `json:"exact" show:"%d"`       // pairs whose truth is from exact arithmetic
	Tried   int     `json:"exhaustive" show:"%d"`  // pairs whose truth is from the exhaustive search; the others use the proven search
	// Share of the results by the method that answered; see narrow.AnsweredBy.
	Odometer  float64 `json:"odometer" show:"%.4f"`
	Axis      float64 `json:"axis" show:"%.4f"`
	Feature   float64 `json:"feature" show:"%.4f"`
	Walk      float64 `json:"walk" show:"%.4f"`
	Search    float64 `json:"search" show:"%.4f"`
	Fallbacks int     `json:"fallbacks" show:"%d"`  // results for which a method fell back to the exhaustive search
	BytesPair int     `json:"bytes_pair" show:"%d"` // stored for a pair between steps, without lists
	Workers   int     `json:"workers" show:"%d"`
	Backend   string  `json:"backend" show:"%s"`
	Seed      uint64  `json:"seed" show:"%d"`
	Checksum  string  `json:"checksum" show:"%s"` // of the compared results
}

// plan measures methods × shapes × regimes on one worker. A pass computes every pair of a pool
// once. Pools are so large that a branch predictor cannot learn them. Pools of large hulls are
// smaller, because a pair of large hulls has more branches. Results are compared with the truth
// outside the timing.
func (o *NarrowOptions) plan(e *Env) (*plan[NarrowRow], error) {
	sets := make([]*shapeSet, len(o.Shapes))
	for i, name := range o.Shapes {
		var err error
		if sets[i], err = newShapeSet(name, o.Seed); err != nil {
			return nil, err
		}
	}
	p := &plan[NarrowRow]{finish: func(r *Report, rows []NarrowRow) error {
		r.Figures = narrowFigures(rows)
		return nil
	}}
	for _, name := range o.Regimes {
		g := regimes[slices.Index(regimeNames(), name)]
		for _, set := range sets {
			addContenders(p, set.name+" "+g.name, ways(g, o.Methods), func() (*narrowStudy, int) { return o.pool(e, set, g), o.Repeat },
				func(c *narrowStudy, w contender) (func() float64, func(peers.Times) NarrowRow) { return c.start(e, w) })
		}
	}
	return p, nil
}

// ways returns the contenders for the pairs of a regime. Auto has two ways if it is coherent; see NarrowRow.Way.
func ways(g regime, names []string) (all []contender) {
	for _, name := range names {
		m, _ := narrow.ParseMethod(name) // the names of options are known
		if g.coherent && m == narrow.Auto {
			all = append(all, contender{name: "detector", method: m, detector: true})
		}
		name = "memory"
		if !g.coherent {
			name = "cold"
		}
		all = append(all, contender{name: name, method: m, alone: !g.coherent && m == narrow.Auto})
	}
	return all
}

// coherentCompared is the number of pairs of a coherent pool that are compared with the truth at
// every step.
const coherentCompared = 256

// settlingSteps is the number of steps at the start of a sequence that are neither timed nor
// compared. Nothing is known in the first step, and the second is the first that makes
// certificates.
const settlingSteps = 2

// pool draws a pool and finds the true gaps.
func (o *NarrowOptions) pool(e *Env, s *shapeSet, g regime) *narrowStudy {
	// Pools of large hulls have about equal total numbers of vertices.
	n := min(o.Pairs, max(8192*32/max(s.verts, 32), 64))
	// Slow methods are compared and timed on a part of the pool. The compared part does not depend
	// on the machine.
	compared := max(16, 1<<22/(s.verts*s.verts))
	if g.coherent {
		n, compared = max(n/2, 1), min(coherentCompared, max(4, 1<<18/(s.verts*s.verts)))
	}
	pool, err := newPool(s, g, n, o.Seed+hashOf(s.name, g.name))
	e.check(err)
	c := &narrowStudy{NarrowOptions: o, set: s, regime: g, compared: min(n, compared), play: newReplay(s, g, pool, o.Seed)}
	for k, last := 0, len(c.play.steps)-1; k <= last; k++ {
		c.truth = truths{}
		if c.play.steps[k].timed {
			c.truth = truthsOf(s, c.play.steps[k].pairs[:c.compared], k == last)
		}
		c.gaps = append(c.gaps, c.truth.gap)
	}
	return c
}

// newReplay returns a pool as a replay: of one step, in which all pairs have one row, or of coherentSteps.
func newReplay(s *shapeSet, g regime, pool []blockPair, seed uint64) *replay {
	play := &replay{shapes: &s.shapes, pairs: 1, reach: g.reach}
	if !g.coherent {
		play.steps = []step{{timed: true, pairs: pool, row: make([]int, len(pool))}}
		return play
	}
	moves, row := newMotions(pool, seed), make([]int, len(pool))
	for i := range row {
		row[i] = i
	}
	play.pairs = len(pool)
	for k := range coherentSteps {
		moveAll(moves, k, pool)
		play.steps = append(play.steps, step{k == 0, k >= settlingSteps, slices.Clone(pool), row})
	}
	return play
}

// narrowStudy is one pool, and the data that the measurements of all rows share.
type narrowStudy struct {
	*NarrowOptions
	set      *shapeSet
	regime   regime
	play     *replay
	compared int         // number of compared pairs
	gaps     [][]float64 // their true gaps, m, by step
	truth    truths      // of the last step
}

const (
	longestPass = 200 * time.Millisecond
	leastPairs  = 16 // pairs in a pass
)

// start compares a method in one way with the truth.
func (c *narrowStudy) start(e *Env, w contender) (measure func() float64, row func(peers.Times) NarrowRow) {
	r := NarrowRow{
		Shape: c.set.name, Verts: c.set.verts, Regime: c.regime.name, Method: w.method.String(), Way: w.name,
		Workers: 1, Backend: cpu.Selected(), Seed: c.Seed, Exact: c.truth.exact, Tried: c.truth.exhaustive,
	}
	r.Case = strings.Join([]string{r.Shape, r.Regime, r.Method}, "/")
	play, cold := *c.play, !c.regime.coherent
	switch {
	case w.detector:
		r.Case, r.BytesPair = r.Case+"/"+w.name, soa.PairBytes+soa.ContactBytes
	case !cold:
		r.BytesPair = int(unsafe.Sizeof(narrow.Memory{}))
	case w.method.Measures():
		play.reach = math.Inf(1) // Others decide only whether the pair touches.
	}
	var t tally
	some := play.first(c.compared)
	by, began := newPlayer(e, w, some), threadTime()
	some.each(by, cold, func(k, i int, out *narrow.Answer, _ narrow.Type) {
		t.add(out, c.gaps[k][i], some.steps[k].pairs[i].size())
	})
	by.close()
	// A pass must not take longer than a measurement, unless it has very few pairs, and must not
	// delay an interrupt.
	budget := budget(c.Seconds, c.Repeat)
	r.Pairs = len(play.steps[0].pairs)
	switch by := by.(type) {
	case *player:
		each := (threadTime() - began) / time.Duration(c.compared*len(play.steps))
		r.Pairs, r.Fallbacks = min(r.Pairs, max(int(min(budget, longestPass)/max(each, 1)), leastPairs)), by.fallbacks
	case *detectorPlayer:
		t.by = by.by
	}
	r.Answers, r.Wrong, r.Error, r.Checksum = t.levels, t.wrong, t.worst, fmt.Sprintf("%016x", uint64(t.sum))
	r.Odometer, r.Axis, r.Feature = t.share(narrow.ByOdometer), t.share(narrow.ByAxis), t.share(narrow.ByFeature)
	r.Walk, r.Search = t.share(narrow.ByWalk), t.share(narrow.BySearch)
	all := play.first(r.Pairs)
	by = newPlayer(e, w, all)
	turn := all.turns(by, cold)
	return func() float64 { return timePasses(budget, turn) }, func(t peers.Times) NarrowRow {
		r.NsPair, r.Best, r.Spread = t.Median(), t.Least(), t.Spread()
		by.close()
		return r
	}
}

// narrowFigures returns a figure for each regime: ns per pair by shape, with a line for each
// method.
func narrowFigures(rows []NarrowRow) (figures []Figure) {
	names := distinct(rows, nameOfRow)
	for _, of := range groups(rows, func(r *NarrowRow) string { return r.Regime }) {
		p := newChart("narrow phase, "+of[0].Regime, "", false, "ns per pair", true)
		p.X.Names = distinct(of, func(r *NarrowRow) string { return r.Shape })
		addLines(p, of, func(r *NarrowRow) look { return look{name: nameOfRow(r), hue: slices.Index(names, nameOfRow(r))} },
			func(r *NarrowRow) (x, y float64) {
				return float64(slices.Index(p.X.Names, r.Shape)), max(r.NsPair, 0.1)
			})
		figures = append(figures, Figure{"narrow-" + of[0].Regime, p})
	}
	return figures
}

// nameOfRow returns the method, with its way if it is detector.
func nameOfRow(r *NarrowRow) string {
	if r.Way == "detector" {
		return r.Method + " " + r.Way
	}
	return r.Method
}

// truths are the gaps of a pool, m, from three sources: exact arithmetic for the first pairs, the
// exhaustive search in float64 for the next ones, and the proven search for the rest.
type truths struct {
	gap               []float64
	exact, exhaustive int
}

// slowTruths has, by the largest number of vertices, how many pairs the two slow sources compute: at most about a second
// of work for each pool.
var slowTruths = []struct{ verts, exact, exhaustive int }{
	{8, 16, 512}, {12, 2, 256}, {32, 0, 128}, {64, 0, 32}, {128, 0, 8}, {math.MaxInt, 0, 1},
}

// truthsOf returns the gaps of a pool, from the slow sources only if asked.
func truthsOf(s *shapeSet, pool []blockPair, slow bool) truths {
	t := truths{gap: make([]float64, len(pool))}
	if slow {
		k := 0
		for s.verts > slowTruths[k].verts {
			k++
		}
		t.exact = min(slowTruths[k].exact, len(pool))
		t.exhaustive = min(slowTruths[k].exhaustive, len(pool)-t.exact)
	}
	search := narrow.NewSearch()
	var out narrow.Answer
	for i := range pool {
		p := &pool[i]
		switch {
		case i < t.exact:
			t.gap[i] = oracle.ExactGap(p.a, p.pa, p.b, p.pb)
			continue
		case i < t.exact+t.exhaustive:
			search.Exhaustive(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		default:
			search.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		}
		t.gap[i] = out.Gap
	}
	return t
}

// undecided, m at a size of 1 m, is the gap within which the rounding of poses decides whether a
// pair touches.
const undecided = 1e-12

// boundRounding, m at a size of 1 m, is how far a bound may exceed the gap by rounding.
const boundRounding = 1e-12

// tally compares results with the truth.
type tally struct {
	wrong  int     // touching although the pair is apart, or the converse, or a bound above the gap
	worst  float64 // the largest error of exact gaps, and of depths along a plane, over the size
	by     [narrow.NAnsweredBy]int
	levels int
	sum    hash
}

// add adds the result of a pair with a known gap. size is the size of the pair, m.
func (t *tally) add(out *narrow.Answer, gap, size float64) {
	apart := out.Status == narrow.Separated
	switch {
	case out.Status == narrow.NotConverged || out.Status == narrow.Degenerate,
		apart != (gap > 0) && math.Abs(gap) > undecided*size,
		!out.Exact && !(out.Gap <= gap+float64(boundRounding*size)):
		t.wrong++
	case out.Exact || !apart:
		t.worst = max(t.worst, math.Abs(out.Gap-gap)/size)
	}
	t.by[out.AnsweredBy]++
	t.levels++
	t.sum.word(uint64(out.Status))
	t.sum.floats(out.Gap)
	if out.Exact {
		t.sum.floats(out.Normal.X, out.Normal.Y, out.Normal.Z)
	}
}

// share returns the share of the results that l answered.
func (t *tally) share(l narrow.AnsweredBy) float64 { return per(float64(t.by[l]), float64(t.levels)) }
