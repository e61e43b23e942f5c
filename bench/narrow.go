package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// NarrowOptions are the options of the study of the narrow phase. Zero values are the defaults.
type NarrowOptions struct {
	Methods []narrow.Method // default: all
	Shapes  []string        // from NarrowShapes; default: all
	Regimes []string        // from NarrowRegimes; default: all
	Seed    uint64
	Repeat  int           // measurements of each row, which shows their median; default 5
	Time    time.Duration // of measuring each row; default 200 ms
	Pairs   int           // most pairs in a pool; default 8192

	Progress Progress
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

func (o NarrowOptions) withDefaults() NarrowOptions {
	if o.Methods == nil {
		o.Methods = narrow.Methods()
	}
	if o.Shapes == nil {
		o.Shapes = NarrowShapes()
	}
	if o.Regimes == nil {
		o.Regimes = NarrowRegimes()
	}
	o.Repeat = cmp.Or(o.Repeat, 5)
	o.Time = cmp.Or(o.Time, 200*time.Millisecond)
	o.Pairs = cmp.Or(o.Pairs, 8192)
	return o
}

func (o *NarrowOptions) check() error {
	for _, m := range o.Methods {
		if !m.Available() {
			return fmt.Errorf("bench: method %v is not in this release: %w", m, ErrOption)
		}
	}
	for _, name := range o.Regimes {
		if _, err := indexIn("regime", name, NarrowRegimes()); err != nil {
			return err
		}
	}
	if o.Repeat < 1 || o.Time <= 0 || o.Pairs < 1 || o.Pairs > 1<<20 {
		return fmt.Errorf("bench: repeat %d, time %v, pairs %d, expected at least 1, > 0, and 1 to %d: %w",
			o.Repeat, o.Time, o.Pairs, 1<<20, ErrOption)
	}
	return nil
}

// Narrow measures methods × shapes × regimes on one worker. A pass computes every pair of a pool
// once. Pools are so large that a branch predictor cannot learn them. Pools of large hulls are
// smaller, because a pair of large hulls has more branches. Results are compared with the truth
// outside the timing. If Narrow returns an error, it also returns the rows so far.
func Narrow(ctx context.Context, o NarrowOptions) ([]NarrowRow, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sets := make([]*shapeSet, len(o.Shapes))
	for i, name := range o.Shapes {
		var err error
		if sets[i], err = newShapeSet(name, o.Seed); err != nil {
			return nil, err
		}
	}
	progress := tracker{report: o.Progress}
	var chosen []regime
	for _, name := range o.Regimes {
		g := regimes[slices.Index(NarrowRegimes(), name)]
		chosen = append(chosen, g)
		progress.all += int64(len(sets) * len(ways(g, o.Methods)))
	}
	var rows []NarrowRow
	for _, g := range chosen {
		for _, set := range sets {
			progress.announceRows(len(ways(g, o.Methods)), set.name+" "+g.name)
			more, err := narrowCase(ctx, set, g, &o)
			rows = append(rows, more...)
			if err != nil {
				return rows, err
			}
		}
	}
	progress.announce("")
	return rows, nil
}

// methodWay is a method and a way; see NarrowRow.Way.
type methodWay struct {
	method narrow.Method
	way    string
}

// ways returns the methods and ways for the pairs of a regime. Auto has two ways if it is coherent.
func ways(g regime, methods []narrow.Method) (all []methodWay) {
	for _, m := range methods {
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

// narrowCase measures all methods on one pool.
func narrowCase(ctx context.Context, s *shapeSet, g regime, o *NarrowOptions) ([]NarrowRow, error) {
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
	budget := c.o.Time / time.Duration(c.o.Repeat)
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
