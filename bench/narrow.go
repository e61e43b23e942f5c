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

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// NarrowOptions says what the study of the narrow phase measures. Zero values are the defaults.
type NarrowOptions struct {
	Methods []narrow.Method // default: all there are
	Shapes  []string        // of NarrowShapes; default: all
	Regimes []string        // of NarrowRegimes; default: all
	Seed    uint64
	Repeat  int           // measurements of each row, of which the median is shown; default 5
	Time    time.Duration // of measuring each row; default 200 ms
	Pairs   int           // most in a pool; default 8192

	Progress Progress
}

// NarrowRow is the cost of one pair in one regime by one method.
type NarrowRow struct {
	Case   string `json:"case" show:"%s"` // shape, regime, method and way: the row's name
	Shape  string `json:"shape" show:"%s"`
	Verts  int    `json:"vertices" show:"%d"`
	Regime string `json:"regime" show:"%s"`
	Method string `json:"method" show:"%s"`
	// Way is cold, where nothing is known of a pair; memory, where the method keeps what it likes for each pair and
	// is asked for one at a time; or batch: cold pairs by narrow.Batch, and in coherent regimes the certificates in batches
	// as the engine's step has them.
	Way string `json:"way" show:"%s"`

	NsPair float64 `json:"ns_pair" show:"%.1f"` // processor time
	Best   float64 `json:"ns_best" show:"%.1f"` // of the repetitions
	Spread float64 `json:"spread" show:"%.3f"`  // (slowest − fastest) / median
	Pairs  int     `json:"pairs" show:"%d"`     // timed in a pass

	Answers int     `json:"answers" show:"%d"`     // compared with the truth, of so many pairs and steps
	Wrong   int     `json:"wrong" show:"%d"`       // of these: apart or not is wrong, or a bound is none
	Error   float64 `json:"gap_error" show:"%.1e"` // the worst of exact gaps, over the size
	Exact   int     `json:"exact" show:"%d"`       // pairs whose truth is that of exact arithmetic
	Tried   int     `json:"exhaustive" show:"%d"`  // and of the exhaustive search; of the rest it is the proven search's

	// Share of the answers that each level gave.
	Odometer  float64 `json:"odometer" show:"%.4f"`
	Axis      float64 `json:"axis" show:"%.4f"`
	Feature   float64 `json:"feature" show:"%.4f"`
	Walk      float64 `json:"walk" show:"%.4f"`
	Search    float64 `json:"search" show:"%.4f"`
	Fallbacks int     `json:"fallbacks" show:"%d"` // answers that the exhaustive search had to give

	BytesPair int    `json:"bytes_pair" show:"%d"` // kept for a pair between steps, without lists
	Workers   int    `json:"workers" show:"%d"`
	Backend   string `json:"backend" show:"%s"`
	Seed      uint64 `json:"seed" show:"%d"`
	Checksum  string `json:"checksum" show:"%s"` // of the answers compared
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
		if _, err := placeOf("regime", name, NarrowRegimes()); err != nil {
			return err
		}
	}
	if o.Repeat < 1 || o.Time <= 0 || o.Pairs < 1 || o.Pairs > 1<<20 {
		return fmt.Errorf("bench: repeat %d, time %v, pairs %d, expected at least 1, > 0, and 1 to %d: %w",
			o.Repeat, o.Time, o.Pairs, 1<<20, ErrOption)
	}
	return nil
}

// Narrow measures methods × shapes × regimes on one worker. Every pair of a pool is asked for once in a pass, and pools
// are so large that a branch predictor does not learn them; those of large hulls are smaller, for a pair of them has
// more branches. Answers are compared with the truth apart from the timing. An error comes with the rows so far.
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
	course := course{report: o.Progress}
	var chosen []regime
	for _, name := range o.Regimes {
		g := regimes[slices.Index(NarrowRegimes(), name)]
		chosen = append(chosen, g)
		for _, set := range sets {
			course.all += int64(len(set.ways(g, o.Methods)))
		}
	}
	var rows []NarrowRow
	for _, g := range chosen {
		for _, set := range sets {
			course.announceRows(len(set.ways(g, o.Methods)), set.name+" "+g.name)
			more, err := narrowCase(ctx, set, g, &o)
			rows = append(rows, more...)
			if err != nil {
				return rows, err
			}
		}
	}
	course.announce("")
	return rows, nil
}

// methodWay is a method and how it is asked: see NarrowRow.Way.
type methodWay struct {
	method narrow.Method
	way    string
}

// ways returns how pairs of a regime are asked for. Auto has two ways where there are batches.
func (s *shapeSet) ways(g regime, methods []narrow.Method) (all []methodWay) {
	for _, m := range methods {
		switch auto := m == narrow.Auto; {
		case g.coherent && auto:
			all = append(all, methodWay{m, "batch"}, methodWay{m, "memory"})
		case g.coherent:
			all = append(all, methodWay{m, "memory"})
		case auto && s.batched():
			all = append(all, methodWay{m, "cold"}, methodWay{m, "batch"})
		default:
			all = append(all, methodWay{m, "cold"})
		}
	}
	return all
}

// coherentCompared is how many pairs of a coherent pool are compared with the truth at every step.
const coherentCompared = 256

// narrowCase measures all methods on one pool.
func narrowCase(ctx context.Context, s *shapeSet, g regime, o *NarrowOptions) ([]NarrowRow, error) {
	// About as many vertices in every pool of large hulls.
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
	// Slow methods are compared, and timed, on a part of the pool that does not depend on the machine.
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
	for _, w := range s.ways(g, o.Methods) {
		row, err := c.row(ctx, w.method, w.way)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// narrowStudy is one pool and what the measurements of a row share.
type narrowStudy struct {
	set      *shapeSet
	regime   regime
	pool     []blockPair
	moves    []motion // of a coherent regime
	compared int      // pairs whose answers are compared
	truth    truths
	onTheWay [][]float64 // gaps, m, at the steps before the last of a coherent regime
	o        *NarrowOptions

	search    *narrow.Search
	lot       narrow.Batch
	mem       narrow.Memory
	out       narrow.Answer
	fallbacks int
}

// way is how a row is measured: it compares answers, then times passes over the first n pairs for at least the given
// time, and returns the time of a pair in ns. Where the context ends, that time is worthless.
type way func(ctx context.Context, m narrow.Method, t *tally) (measure func(n int, least time.Duration) float64, each time.Duration, err error)

const (
	longestPass = 200 * time.Millisecond
	leastPairs  = 16 // in a pass
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
		w, r.BytesPair = c.batch, soa.PairBytes+soa.WitnessBytes
	case name == "batch":
		w = c.coldBatch
	}
	if name == "batch" {
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
	// No pass shall take longer than a measurement, unless it is of very few pairs, nor be waited for on an interrupt.
	budget := c.o.Time / time.Duration(c.o.Repeat)
	r.Pairs = len(c.pool)
	if each > 0 {
		r.Pairs = min(r.Pairs, max(int(min(budget, longestPass)/each), leastPairs))
	}
	took, err := repeated(ctx, c.o.Repeat, func() float64 { return measure(r.Pairs, budget) })
	r.NsPair, r.Best, r.Spread = took.median, took.least, took.spread
	return r, err
}

// reach is the gap up to which an answer is asked for: all where the method measures, else only whether
// the pair touches.
func (c *narrowStudy) reach(m narrow.Method) float64 {
	if m.Measures() && !c.regime.coherent {
		return math.Inf(1)
	}
	return 0
}
