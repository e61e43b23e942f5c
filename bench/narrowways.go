package bench

import (
	"context"
	"math"
	"time"

	"github.com/scree-dem/scree/narrow"
)

// cold computes every pair alone, with nothing known.
func (c *narrowStudy) cold(ctx context.Context, m narrow.Method, t *tally) (func(int, time.Duration) float64, time.Duration, error) {
	reach := c.reach(m)
	began := threadTime()
	for i := range c.compared {
		if i%16 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		p := &c.pool[i]
		if c.solveOnce(m, p, reach) {
			c.fallbacks++
		}
		t.add(&c.out, c.truth.gap[i], p.size())
	}
	each := (threadTime() - began) / time.Duration(c.compared)
	return c.passTimer(ctx, func(pool []blockPair) { c.coldPass(m, reach, pool) }), each, nil
}

// passTimer returns a function that times passes over the first pairs of the pool.
func (c *narrowStudy) passTimer(ctx context.Context, pass func(pool []blockPair)) func(int, time.Duration) float64 {
	return func(n int, least time.Duration) float64 {
		return timePasses(ctx, least, func() (time.Duration, int) {
			return timed(func() { pass(c.pool[:n]) }), n
		})
	}
}

func (c *narrowStudy) coldPass(m narrow.Method, reach float64, pool []blockPair) {
	for i := range pool {
		c.solveOnce(m, &pool[i], reach)
	}
}

// solveOnce computes a pair that is not computed again, and reports whether the method fell back to
// the exhaustive search.
func (c *narrowStudy) solveOnce(m narrow.Method, p *blockPair, reach float64) (exhaustive bool) {
	var mem *narrow.Memory
	if m != narrow.Auto {
		mem = &c.mem
		mem.Reset()
	}
	return c.search.By(m, p.a, p.pa, p.b, p.pb, reach, narrow.Dtol(p.a, p.b), mem, &c.out)
}

// truthOfSteps computes the gaps of the compared pairs at all steps but the last, with the proven
// search.
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

// truthAt returns the true gap of pair i at a step.
func (c *narrowStudy) truthAt(step, i int) float64 {
	if step == coherentSteps-1 {
		return c.truth.gap[i]
	}
	return c.onTheWay[step][i]
}

// remembering computes every pair step after step, with a memory for each pair.
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
			t.add(&out, c.truthAt(step, i), p.size())
		}
	}
	each := spent / time.Duration(c.compared*coherentSteps)
	forget := func(pool []blockPair) {
		for i := range memories[:len(pool)] {
			memories[i].Reset()
		}
	}
	ask := func(pool []blockPair) { c.warmPass(m, memories[:len(pool)]) }
	return c.stepping(ctx, forget, func([]blockPair) {}, ask), each, nil
}

func (c *narrowStudy) warmPass(m narrow.Method, memories []narrow.Memory) {
	for i := range memories {
		p := &c.pool[i]
		c.search.By(m, p.a, p.pa, p.b, p.pb, c.regime.reach, narrow.Dtol(p.a, p.b), &memories[i], &c.out)
	}
}

// settlingSteps is the number of steps at the start of a sequence that are neither timed nor
// compared. Nothing is known in the first step, and the second is the first that makes
// certificates.
const settlingSteps = 2

// stepping returns a function that times the steps of the first pairs of the pool, over and over,
// each time with nothing known at the start. It calls begin before the first step, move before each
// other step, and ask in each step. Only ask is timed.
func (c *narrowStudy) stepping(ctx context.Context, begin, move, ask func(pool []blockPair)) func(int, time.Duration) float64 {
	next := 0
	return func(n int, least time.Duration) float64 {
		pool := c.pool[:n]
		return timePasses(ctx, least, func() (time.Duration, int) {
			step := next
			next = (next + 1) % coherentSteps
			moveAll(c.moves[:n], step, pool)
			if step == 0 {
				begin(pool)
			} else {
				move(pool)
			}
			took := timed(func() { ask(pool) })
			if step < settlingSteps {
				return 0, 0
			}
			return took, n
		})
	}
}

// detector computes all pairs step after step with a Detector, as a host program does.
func (c *narrowStudy) detector(ctx context.Context, _ narrow.Method, t *tally) (func(int, time.Duration) float64, time.Duration, error) {
	moveAll(c.moves, 0, c.pool)
	w := newWarmSet(&c.set.shapes, c.pool[:c.compared], c.regime.reach)
	levels := [narrow.NAnsweredBy]int{}
	for step := range coherentSteps {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		moveAll(c.moves[:c.compared], step, c.pool)
		w.move(c.pool[:c.compared])
		w.step()
		if step < settlingSteps {
			w.levels(&[narrow.NAnsweredBy]int{})
			continue
		}
		w.index()
		for i := range c.compared {
			out := w.read(i)
			t.add(&out, c.truthAt(step, i), c.pool[i].size())
		}
		w.levels(&levels)
	}
	t.by = levels
	w.close()
	if w.err != nil {
		return nil, 0, w.err
	}
	w = newWarmSet(&c.set.shapes, c.pool, c.regime.reach)
	return c.stepping(ctx, w.reset, w.move, func([]blockPair) { w.step() }), 0, w.err
}
