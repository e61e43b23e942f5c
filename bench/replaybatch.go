package bench

import (
	"time"

	"github.com/scree-dem/scree/engine/narrow"
)

// batchPlayer answers a replay as the engine's contact loop does: a moving set for each burst, of all pairs that are
// candidates in one of its steps. Pairs that are not candidates in a step rest, and are answered with the others.
type batchPlayer struct {
	bursts []batchBurst
}

type batchBurst struct {
	set   *warmSet
	pool  []blockPair
	row   map[int]int // from the replay's row to that of the pool
	steps []step
}

func newBatchPlayer(r *replay) *batchPlayer {
	p := &batchPlayer{}
	for k := range r.steps {
		s := &r.steps[k]
		if s.fresh || k == 0 {
			p.bursts = append(p.bursts, batchBurst{row: map[int]int{}})
		}
		b := &p.bursts[len(p.bursts)-1]
		b.steps = append(b.steps, *s)
		for i, row := range s.row {
			if _, known := b.row[row]; !known {
				b.row[row] = len(b.pool)
				b.pool = append(b.pool, s.pairs[i])
			}
		}
	}
	for i := range p.bursts {
		b := &p.bursts[i]
		b.set = newWarmSet(r.shapes, b.pool, 0)
	}
	return p
}

// take brings the pool to the poses of a step; with initial, or at the first, nothing is known of it.
func (b *batchBurst) take(k int, initial bool) *step {
	s := &b.steps[k]
	for i, row := range s.row {
		b.pool[b.row[row]] = s.pairs[i]
	}
	if initial || k == 0 {
		b.set.reset(b.pool)
	} else {
		b.set.move(b.pool)
	}
	return s
}

func (p *batchPlayer) pass(_ *replay, initial bool) time.Duration {
	var spent time.Duration
	for i := range p.bursts {
		b := &p.bursts[i]
		for k := range b.steps {
			s := b.take(k, initial)
			if initial && !s.timed {
				continue
			}
			began := threadTime()
			b.set.step()
			if s.timed {
				spent += threadTime() - began
			}
		}
	}
	return spent
}

func (p *batchPlayer) verdicts(_ *replay, initial bool) ([]verdict, hash) {
	var list []verdict
	var sum hash
	for i := range p.bursts {
		b := &p.bursts[i]
		for k := range b.steps {
			s := b.take(k, initial)
			b.set.step()
			for j, row := range s.row {
				if !s.timed {
					continue
				}
				out := b.set.read(b.row[row])
				list = append(list, verdict{
					apart: out.Status == narrow.Separated, gap: out.Gap, size: max(s.pairs[j].a.Radius, s.pairs[j].b.Radius),
				})
				sum.word(uint64(b2i(out.Status == narrow.Separated)))
			}
		}
	}
	return list, sum
}
