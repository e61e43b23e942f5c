package bench

import (
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
	// Progress, if not nil, hears of the rows done.
	Progress func(done, all int64, note string)
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
	if o.Repeat == 0 {
		o.Repeat = 5
	}
	if o.Time == 0 {
		o.Time = 200 * time.Millisecond
	}
	if o.Pairs == 0 {
		o.Pairs = 8192
	}
	return o
}

func (o *NarrowOptions) check() error {
	for _, m := range o.Methods {
		if !m.Available() {
			return fmt.Errorf("bench: method %v is not in this release: %w", m, ErrOption)
		}
	}
	for _, name := range o.Regimes {
		if !slices.Contains(NarrowRegimes(), name) {
			return fmt.Errorf("bench: regime %q, expected one of %s: %w", name, strings.Join(NarrowRegimes(), ", "), ErrOption)
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
	var chosen []regime
	all := 0
	for _, name := range o.Regimes {
		g := regimes[slices.IndexFunc(regimes, func(g regime) bool { return g.name == name })]
		chosen = append(chosen, g)
		all += len(o.Methods) * len(o.Shapes)
		for _, set := range sets {
			if slices.Contains(o.Methods, narrow.Auto) && (g.coherent || set.batched()) {
				all++ // Auto has two ways.
			}
		}
	}
	var rows []NarrowRow
	for _, g := range chosen {
		for _, set := range sets {
			if o.Progress != nil {
				o.Progress(int64(len(rows)), int64(all), set.name+" "+g.name)
			}
			more, err := narrowCase(ctx, set, g, &o)
			rows = append(rows, more...)
			if err != nil {
				return rows, err
			}
		}
	}
	if o.Progress != nil {
		o.Progress(int64(len(rows)), int64(all), "")
	}
	return rows, nil
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
	for _, m := range o.Methods {
		var more []NarrowRow
		switch {
		case !g.coherent:
			if more, err = c.row(ctx, m, "cold", c.cold); err == nil && m == narrow.Auto && s.batched() {
				rows = append(rows, more...)
				more, err = c.row(ctx, m, "batch", c.coldBatch)
			}
		case m == narrow.Auto:
			more, err = c.row(ctx, m, "batch", c.batch)
			if err == nil {
				rows = append(rows, more...)
				more, err = c.row(ctx, m, "memory", c.remembering)
			}
		default:
			more, err = c.row(ctx, m, "memory", c.remembering)
		}
		rows = append(rows, more...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// hashOf makes a seed of names, so that pools differ.
func hashOf(names ...string) uint64 {
	var h hash
	for _, name := range names {
		for _, c := range []byte(name) {
			h.word(uint64(c))
		}
	}
	return uint64(h)
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
func (c *narrowStudy) row(ctx context.Context, m narrow.Method, name string, w way) ([]NarrowRow, error) {
	r := NarrowRow{
		Shape: c.set.name, Verts: c.set.verts, Regime: c.regime.name, Method: m.String(), Way: name,
		Workers: 1, Backend: cpu.Selected(), Seed: c.o.Seed, Exact: c.truth.exact, Tried: c.truth.exhaustive,
	}
	r.Case = strings.Join([]string{r.Shape, r.Regime, r.Method}, "/")
	if name == "batch" {
		r.Case += "/" + name
	}
	switch {
	case name == "memory":
		r.BytesPair = int(unsafe.Sizeof(narrow.Memory{}))
	case c.regime.coherent:
		r.BytesPair = soa.PairBytes + soa.WitnessBytes
	}
	c.fallbacks = 0
	var t tally
	measure, each, err := w(ctx, m, &t)
	if err != nil {
		return nil, err
	}
	r.Answers, r.Wrong, r.Error, r.Checksum = t.levels, t.wrong, t.worst, fmt.Sprintf("%016x", uint64(t.sum))
	r.Odometer, r.Axis, r.Feature = t.share(narrow.LevelOdometer), t.share(narrow.LevelAxis), t.share(narrow.LevelFeature)
	r.Walk, r.Search, r.Fallbacks = t.share(narrow.LevelWalk), t.share(narrow.LevelSearch), c.fallbacks
	// No pass shall take longer than a measurement, unless it is of very few pairs, nor be waited for on an interrupt.
	budget := c.o.Time / time.Duration(c.o.Repeat)
	r.Pairs = len(c.pool)
	if each > 0 {
		r.Pairs = min(r.Pairs, max(int(min(budget, longestPass)/each), leastPairs))
	}
	var ns []float64
	for range c.o.Repeat {
		ns = append(ns, measure(r.Pairs, budget))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	r.NsPair, r.Spread = medianOf(ns)
	r.Best = ns[0]
	return []NarrowRow{r}, nil
}

// medianOf returns the median of times, the lower of two, and how far they spread, over it.
func medianOf(ns []float64) (median, spread float64) {
	slices.Sort(ns)
	median = ns[(len(ns)-1)/2]
	return median, per(ns[len(ns)-1]-ns[0], median)
}

// reach is the gap up to which an answer is asked for: all where the method measures, else only whether
// the pair touches.
func (c *narrowStudy) reach(m narrow.Method) float64 {
	if m.Measures() && !c.regime.coherent {
		return math.Inf(1)
	}
	return 0
}
