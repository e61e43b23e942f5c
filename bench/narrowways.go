package bench

import (
	"context"
	"math"
	"time"

	"github.com/scree-dem/scree/engine/narrow"
)

// cold asks for every pair from nothing.
func (c *narrowStudy) cold(ctx context.Context, m narrow.Method, t *tally) (func(int, time.Duration) float64, time.Duration, error) {
	reach := c.reach(m)
	began := threadTime()
	for i := range c.compared {
		if i%16 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		p := &c.pool[i]
		if c.askOnce(m, p, reach) {
			c.fallbacks++
		}
		t.take(&c.out, c.truth.gap[i], max(p.a.Radius, p.b.Radius))
	}
	each := (threadTime() - began) / time.Duration(c.compared)
	return c.passes(ctx, func(pool []blockPair) { c.coldPass(m, reach, pool) }), each, nil
}

// passes measures passes over the first pairs of the pool.
func (c *narrowStudy) passes(ctx context.Context, pass func(pool []blockPair)) func(int, time.Duration) float64 {
	return func(n int, least time.Duration) float64 {
		passes := 0
		began := threadTime()
		var spent time.Duration
		for (spent < least || passes == 0) && ctx.Err() == nil {
			pass(c.pool[:n])
			passes++
			spent = threadTime() - began
		}
		return per(float64(spent.Nanoseconds()), float64(passes)*float64(n))
	}
}

// coldBatch asks for all pairs from nothing by batches, and one by one for what they leave.
func (c *narrowStudy) coldBatch(ctx context.Context, m narrow.Method, t *tally) (func(int, time.Duration) float64, time.Duration, error) {
	reach := c.reach(m)
	began := threadTime()
	i := 0
	c.inBatches(m, reach, c.pool[:c.compared], func() {
		t.take(&c.out, c.truth.gap[i], max(c.pool[i].a.Radius, c.pool[i].b.Radius))
		i++
	})
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	each := (threadTime() - began) / time.Duration(c.compared)
	return c.passes(ctx, func(pool []blockPair) { c.inBatches(m, reach, pool, func() {}) }), each, nil
}

// inBatches answers pairs in their order, each in c.out when answered is called.
func (c *narrowStudy) inBatches(m narrow.Method, reach float64, pool []blockPair, answered func()) {
	for from := 0; from < len(pool); {
		c.lot.Reset()
		to := from
		for to < len(pool) && c.lot.Add(pool[to].a, pool[to].pa, pool[to].b, pool[to].pb) {
			to++
		}
		c.lot.Solve()
		for k := from; k < max(to, from+1); k++ {
			if k == to || !c.lot.Take(k-from, reach, &c.out) {
				if c.askOnce(m, &pool[k], reach) {
					c.fallbacks++
				}
			}
			answered()
		}
		from = max(to, from+1)
	}
}

func (c *narrowStudy) coldPass(m narrow.Method, reach float64, pool []blockPair) {
	for i := range pool {
		c.askOnce(m, &pool[i], reach)
	}
}

// askOnce asks for a pair that nobody will ask for again, and says whether the exhaustive search had to answer.
func (c *narrowStudy) askOnce(m narrow.Method, p *blockPair, reach float64) (exhaustive bool) {
	var mem *narrow.Memory
	if m != narrow.Auto {
		mem = &c.mem
		mem.Reset()
	}
	return c.search.By(m, p.a, p.pa, p.b, p.pb, reach, narrow.Dtol(p.a, p.b), mem, &c.out)
}

// truthOfSteps finds the gaps of the pairs compared at all steps but the last, by the proven search.
func (c *narrowStudy) truthOfSteps(ctx context.Context) error {
	for step := range coherentSteps - 1 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		moveAll(c.moves[:c.compared], step, c.pool)
		gaps := make([]float64, c.compared)
		for i := range gaps {
			p := &c.pool[i]
			c.search.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &c.out)
			gaps[i] = c.out.Gap
		}
		c.onTheWay = append(c.onTheWay, gaps)
	}
	return nil
}

// truthAt returns the gap of pair i at a step: at the last one from the truths.
func (c *narrowStudy) truthAt(step, i int) float64 {
	if step == coherentSteps-1 {
		return c.truth.gap[i]
	}
	return c.onTheWay[step][i]
}

// remembering asks for every pair step after step, with a memory for each.
func (c *narrowStudy) remembering(ctx context.Context, m narrow.Method, t *tally) (func(int, time.Duration) float64, time.Duration, error) {
	memories := make([]narrow.Memory, len(c.pool))
	var out narrow.Answer
	var spent time.Duration
	for step := range coherentSteps {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		moveAll(c.moves[:c.compared], step, c.pool)
		for i := range c.compared {
			p := &c.pool[i]
			began := threadTime()
			exhaustive := c.search.By(m, p.a, p.pa, p.b, p.pb, c.regime.reach, narrow.Dtol(p.a, p.b), &memories[i], &out)
			spent += threadTime() - began
			if step < settlingSteps {
				continue
			}
			if exhaustive {
				c.fallbacks++
			}
			t.take(&out, c.truthAt(step, i), max(p.a.Radius, p.b.Radius))
		}
	}
	each := spent / time.Duration(c.compared*coherentSteps)
	q := &sequence{
		study: c,
		begin: func(n int) {
			for i := range memories[:n] {
				memories[i].Reset()
			}
		},
		ask: func(pool []blockPair) { c.warmPass(m, memories[:len(pool)]) },
	}
	return func(n int, least time.Duration) float64 { return q.measure(ctx, n, least) }, each, nil
}

func (c *narrowStudy) warmPass(m narrow.Method, memories []narrow.Memory) {
	for i := range memories {
		p := &c.pool[i]
		c.search.By(m, p.a, p.pa, p.b, p.pb, c.regime.reach, narrow.Dtol(p.a, p.b), &memories[i], &c.out)
	}
}

// settlingSteps is the steps at the start of a sequence that are neither timed nor compared: the first is from nothing, and in
// the second certificates are made for the first time.
const settlingSteps = 2

// sequence is the steps of the first n pairs over and over, each time from nothing.
type sequence struct {
	study *narrowStudy
	begin func(n int)       // forgets
	move  func([]blockPair) // is told of new poses; may be nil
	ask   func([]blockPair) // answers all pairs
	k     int               // the next step
}

// measure goes on where it stopped until the steps have taken the time given, one at least, and returns ns per pair and
// step. Motion is not timed.
func (s *sequence) measure(ctx context.Context, n int, least time.Duration) float64 {
	var spent time.Duration
	asked := 0
	pool := s.study.pool[:n]
	for (spent < least || asked == 0) && ctx.Err() == nil {
		s.k %= coherentSteps
		moveAll(s.study.moves[:n], s.k, pool)
		if s.k == 0 {
			s.begin(n)
		} else if s.move != nil {
			s.move(pool)
		}
		began := threadTime()
		s.ask(pool)
		if took := threadTime() - began; s.k >= settlingSteps {
			spent += took
			asked += n
		}
		s.k++
	}
	return per(float64(spent.Nanoseconds()), float64(asked))
}

// batch asks for all pairs step after step as the engine does.
func (c *narrowStudy) batch(ctx context.Context, _ narrow.Method, t *tally) (func(int, time.Duration) float64, time.Duration, error) {
	moveAll(c.moves, 0, c.pool)
	w := newWarmSet(&c.set.shapes, c.pool[:c.compared], c.regime.reach)
	for step := range coherentSteps {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		moveAll(c.moves[:c.compared], step, c.pool)
		w.move(c.pool[:c.compared])
		w.step()
		for i := range c.compared {
			if step < settlingSteps {
				break
			}
			p := &c.pool[i]
			out := w.read(i)
			t.take(&out, c.truthAt(step, i), max(p.a.Radius, p.b.Radius))
			// Of a pair apart that is its status alone.
			if t.sum.word(uint64(out.Level)); out.Level >= narrow.LevelWalk {
				t.sum.float(w.con.Gap[i])
			}
		}
	}
	w = newWarmSet(&c.set.shapes, c.pool, c.regime.reach)
	q := &sequence{study: c, begin: func(int) { w.reset(c.pool) }, move: w.move, ask: func([]blockPair) { w.step() }}
	return func(_ int, least time.Duration) float64 { return q.measure(ctx, len(c.pool), least) }, 0, nil
}
