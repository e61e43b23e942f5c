package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/scree-dem/scree/internal/cpu"
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
	Repeat  int      `flag:"repeat" default:"5" min:"1" help:"measure each row <R> times and show the median"`
	Seconds float64  `flag:"time" default:"0.2" above:"0" max:"3600" unit:"s" help:"measuring time for each row, <s>"`
	Pairs   int      `flag:"pairs" default:"8192" min:"1" max:"1048576" help:"largest number <N> of pairs in a pool"`
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
	Way string `json:"way" show:"%s"`

	NsPair float64 `json:"ns_pair" show:"%.1f"` // processor time
	Best   float64 `json:"ns_best" show:"%.1f"` // the fastest repetition
	Spread float64 `json:"spread" show:"%.3f"`  // (slowest − fastest) / median
	Pairs  int     `json:"pairs" show:"%d"`     // timed pairs in a pass

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
	Fallbacks int     `json:"fallbacks" show:"%d"` // results for which a method fell back to the exhaustive search

	BytesPair int    `json:"bytes_pair" show:"%d"` // stored for a pair between steps, without lists
	Workers   int    `json:"workers" show:"%d"`
	Backend   string `json:"backend" show:"%s"`
	Seed      uint64 `json:"seed" show:"%d"`
	Checksum  string `json:"checksum" show:"%s"` // of the compared results
}

// plan measures methods × shapes × regimes on one worker. A pass computes every pair of a pool
// once. Pools are so large that a branch predictor cannot learn them. Pools of large hulls are
// smaller, because a pair of large hulls has more branches. Results are compared with the truth
// outside the timing.
func (o *NarrowOptions) plan(*Env) (*plan[NarrowRow], error) {
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
			p.parts = append(p.parts, part[NarrowRow]{set.name + " " + g.name, len(ways(g, o.Methods)),
				func(ctx context.Context) ([]NarrowRow, error) { return o.pool(ctx, set, g) }})
		}
	}
	return p, nil
}

// methodWay is a method and a way; see NarrowRow.Way.
type methodWay struct {
	method narrow.Method
	way    string
}

// ways returns the methods and ways for the pairs of a regime. Auto has two ways if it is coherent.
func ways(g regime, names []string) (all []methodWay) {
	for _, name := range names {
		m, _ := narrow.ParseMethod(name) // the names of options are known
		switch auto := m == narrow.Auto; {
		case g.coherent && auto:
			all = append(all, methodWay{m, "detector"}, methodWay{m, "memory"})
		case g.coherent:
			all = append(all, methodWay{m, "memory"})
		default:
			all = append(all, methodWay{m, "cold"})
		}
	}
	return all
}

// coherentCompared is the number of pairs of a coherent pool that are compared with the truth at
// every step.
const coherentCompared = 256

// pool measures all methods on one pool.
func (o *NarrowOptions) pool(ctx context.Context, s *shapeSet, g regime) ([]NarrowRow, error) {
	// Pools of large hulls have about equal total numbers of vertices.
	n := min(o.Pairs, max(8192*32/max(s.verts, 32), 64))
	if g.coherent {
		n = max(n/2, 1)
	}
	pool, err := newPool(ctx, s, g, n, o.Seed+hashOf(s.name, g.name))
	if err != nil {
		return nil, err
	}
	c := &narrowStudy{set: s, regime: g, pool: pool, o: o, search: narrow.NewSearch()}
	if g.coherent {
		c.moves = newMotions(pool, o.Seed)
	}
	// Slow methods are compared and timed on a part of the pool. The compared part does not depend
	// on the machine.
	c.compared = min(n, max(16, 1<<22/(s.verts*s.verts)))
	if g.coherent {
		c.compared = min(n, coherentCompared, max(4, 1<<18/(s.verts*s.verts)))
		if err := c.truthOfSteps(ctx); err != nil {
			return nil, err
		}
		moveAll(c.moves, coherentSteps-1, c.pool)
	}
	if c.truth, err = truthsOf(ctx, s, pool[:c.compared]); err != nil {
		return nil, err
	}
	var rows []NarrowRow
	for _, w := range ways(g, o.Methods) {
		row, err := c.row(ctx, w.method, w.way)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// narrowStudy is one pool, and the data that the measurements of all rows share.
type narrowStudy struct {
	set      *shapeSet
	regime   regime
	pool     []blockPair
	moves    []motion // for a coherent regime
	compared int      // number of compared pairs
	truth    truths
	onTheWay [][]float64 // gaps, m, at all steps of a coherent regime but the last
	o        *NarrowOptions

	search    *narrow.Search
	mem       narrow.Memory
	out       narrow.Answer
	fallbacks int
}

// way is a way to measure a row. It compares results and returns a function measure, and an
// estimate of the time of a pair. measure times passes over the first n pairs for at least the
// given time, and returns the time of a pair in ns. If the context ends, this time is meaningless.
type way func(ctx context.Context, m narrow.Method, t *tally) (measure func(n int, least time.Duration) float64, each time.Duration, err error)

const (
	longestPass = 200 * time.Millisecond
	leastPairs  = 16 // pairs in a pass
)

// row measures a method in one way.
func (c *narrowStudy) row(ctx context.Context, m narrow.Method, name string) (NarrowRow, error) {
	r := NarrowRow{
		Shape: c.set.name, Verts: c.set.verts, Regime: c.regime.name, Method: m.String(), Way: name,
		Workers: 1, Backend: cpu.Selected(), Seed: c.o.Seed, Exact: c.truth.exact, Tried: c.truth.exhaustive,
	}
	r.Case = strings.Join([]string{r.Shape, r.Regime, r.Method}, "/")
	w := way(c.cold)
	switch {
	case name == "memory":
		w, r.BytesPair = c.remembering, int(unsafe.Sizeof(narrow.Memory{}))
	case c.regime.coherent:
		w, r.BytesPair = c.detector, soa.PairBytes+soa.ContactBytes
	}
	if name == "detector" {
		r.Case += "/" + name
	}
	c.fallbacks = 0
	var t tally
	measure, each, err := w(ctx, m, &t)
	if err != nil {
		return r, err
	}
	r.Answers, r.Wrong, r.Error, r.Checksum = t.levels, t.wrong, t.worst, fmt.Sprintf("%016x", uint64(t.sum))
	r.Odometer, r.Axis, r.Feature = t.share(narrow.ByOdometer), t.share(narrow.ByAxis), t.share(narrow.ByFeature)
	r.Walk, r.Search, r.Fallbacks = t.share(narrow.ByWalk), t.share(narrow.BySearch), c.fallbacks
	// A pass must not take longer than a measurement, unless it has very few pairs, and must not
	// delay an interrupt.
	budget := budget(c.o.Seconds, c.o.Repeat)
	r.Pairs = len(c.pool)
	if each > 0 {
		r.Pairs = min(r.Pairs, max(int(min(budget, longestPass)/each), leastPairs))
	}
	took, err := repeated(ctx, c.o.Repeat, func() float64 { return measure(r.Pairs, budget) })
	r.NsPair, r.Best, r.Spread = took.median, took.least, took.spread
	return r, err
}

// reach returns the gap up to which the method must compute the gap. It is infinite if the method
// measures distances; otherwise it is 0, which decides only whether the pair touches.
func (c *narrowStudy) reach(m narrow.Method) float64 {
	if m.Measures() && !c.regime.coherent {
		return math.Inf(1)
	}
	return 0
}

// narrowFigures returns a figure for each regime: ns per pair by shape, with a line for each
// method.
func narrowFigures(rows []NarrowRow) (figures []Figure) {
	names := distinct(rows, nameOfRow)
	for _, regime := range distinct(rows, func(r *NarrowRow) string { return r.Regime }) {
		p := newChart("narrow phase, "+regime, "", false, "ns per pair", true)
		p.X.Names = distinct(rows, func(r *NarrowRow) string { return r.Shape })
		addLines(p, rows, func(r *NarrowRow) (look, bool) {
			return look{name: nameOfRow(r), hue: slices.Index(names, nameOfRow(r))}, r.Regime == regime
		}, func(r *NarrowRow) (x, y float64) {
			return float64(slices.Index(p.X.Names, r.Shape)), max(r.NsPair, 0.1)
		})
		figures = append(figures, Figure{"narrow-" + regime, p})
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
