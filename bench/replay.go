package bench

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// replay is a sequence of pairs at the poses of sampled steps. Every method computes them in the
// same order, with a memory for each pair.
type replay struct {
	shapes *soa.Shapes
	pairs  int // number of different pairs
	steps  []step
}

// step is the pairs of a step, and the index of each pair among all different pairs.
type step struct {
	fresh bool // nothing is known from earlier steps
	timed bool // if not, the step only fills the memories
	pairs []blockPair
	row   []int
}

// size returns the number of pairs in timed steps.
func (r *replay) size() int {
	n := 0
	for i := range r.steps {
		if r.steps[i].timed {
			n += len(r.steps[i].pairs)
		}
	}
	return n
}

// answerer computes the steps of a replay in their order.
type answerer interface {
	// begin prepares step k, outside the timing. If initial, it discards everything known.
	begin(k int, initial bool)
	// answer computes the pairs of step k; if initial, each with nothing known. If told is not nil,
	// answer calls it with each result.
	answer(k int, initial bool, told func(v verdict))
}

// pass computes all steps and returns the total time of the timed ones.
func (r *replay) pass(p answerer, initial bool) (spent time.Duration) {
	for k := range r.steps {
		p.begin(k, initial)
		if initial && !r.steps[k].timed {
			continue
		}
		if took := timed(func() { p.answer(k, initial, nil) }); r.steps[k].timed {
			spent += took
		}
	}
	return spent
}

// verdicts computes all steps once, without timing, and returns the results of the timed steps.
func (r *replay) verdicts(p answerer, initial bool) (list []verdict, sum hash) {
	for k := range r.steps {
		p.begin(k, initial)
		p.answer(k, initial, func(v verdict) {
			if r.steps[k].timed {
				list = append(list, v)
				sum.word(uint64(v.kind)<<1 | uint64(b2i(v.apart)))
			}
		})
	}
	return list, sum
}

// player computes a replay with one contender, pair by pair.
type player struct {
	contender
	replay   *replay
	search   *narrow.Search
	memories []narrow.Memory
	out      narrow.Answer
	list     *narrow.ContactList // of the last result
	own      narrow.ContactList
	checks   narrow.Checks // of all pairs that were told
}

func newPlayer(c contender, r *replay) answerer {
	if c.detector {
		return newDetectorPlayer(r)
	}
	return &player{contender: c, replay: r, search: narrow.NewSearch(), memories: make([]narrow.Memory, r.pairs)}
}

// ask computes one pair.
func (p *player) ask(q *blockPair, mem *narrow.Memory) {
	dtol := narrow.Dtol(q.a, q.b)
	reach := 0.0
	if p.contender.list {
		reach = dtol // Contacts finds none if only a bound of the gap is known.
	}
	p.search.By(p.method, q.a, q.pa, q.b, q.pb, reach, dtol, mem, &p.out)
	p.list = &mem.List
	if p.contender.list {
		p.list = &p.own
		p.search.Contacts(q.a, q.pa, q.b, q.pb, dtol, &p.out, p.list)
	}
}

func (p *player) begin(k int, _ bool) {
	if !p.replay.steps[k].fresh {
		return
	}
	for i := range p.memories {
		p.memories[i].Reset()
	}
}

func (p *player) answer(k int, initial bool, told func(verdict)) {
	s := &p.replay.steps[k]
	for i := range s.pairs {
		mem := &p.memories[s.row[i]]
		if initial {
			mem.Reset()
		}
		p.ask(&s.pairs[i], mem)
		if told == nil {
			continue
		}
		if counts(p.method) {
			p.checks.Add(p.search.Checks())
		}
		v := s.pairs[i].verdict(&p.out)
		if p.contender.list || p.method.Lists() {
			v.kind = p.list.Type
		}
		told(v)
	}
}

// verdict is the result of a contender for a pair.
type verdict struct {
	apart bool
	kind  narrow.Type
	gap   float64 // m
	size  float64 // m
}

// verdict returns a result without the type.
func (p *blockPair) verdict(out *narrow.Answer) verdict {
	return verdict{apart: out.Status == narrow.Separated, gap: out.Gap, size: p.size()}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// differ counts the verdicts that differ from those of the direct search. Whether a pair is apart
// does not count if its gap is within undecided. The type always counts, if typed.
func differ(got, want []verdict, typed bool) (wrong, touching int) {
	for i, w := range want {
		if !w.apart {
			touching++
		}
		near := w.gap > -undecided*w.size && w.gap < undecided*w.size
		if got[i].apart != w.apart && !near || typed && got[i].kind != w.kind {
			wrong++
		}
	}
	return wrong, touching
}

// compare returns the rows of all contenders on a replay, with nothing known and with stored data, on the
// generic backend and on the best one. The first adds the classes of fds-paper.
func (p *paperStudy) compare(ctx context.Context, r *replay, test, kind string) (rows []PaperRow, err error) {
	used := []string{cpu.Generic}
	if best := cpu.Available()[0]; best != cpu.Generic {
		used = append(used, best)
	}
	repeat := p.Repeat
	if kind == "all" {
		repeat = 1 // A pass over all steps of a scene is long enough.
	}
	for b, backend := range used {
		if err := cpu.Select(backend); err != nil {
			return rows, fmt.Errorf("bench: %w", err)
		}
		var truth, initially []verdict
		base := 0.0
		for _, c := range contenders(p.Methods) {
			for _, phase := range []string{"initial", "updated"} {
				if c.method == narrow.DS && phase == "updated" || c.detector && phase == "initial" {
					continue // the direct search stores nothing; a Detector with nothing known is a search for pairs
				}
				if err := ctx.Err(); err != nil {
					return rows, err
				}
				by, initial := newPlayer(c, r), phase == "initial"
				said, sum := r.verdicts(by, initial)
				if truth == nil {
					truth = said
				}
				if initial {
					initially = said
				}
				if b == 0 && c.method == narrow.FDSPaper {
					p.classes = append(p.classes, r.classes(test, phase, said, initially, truth)...)
				}
				row := PaperRow{
					Test: test, Type: kind, Method: c.name, Phase: phase, Backend: backend, Pairs: r.size(),
					Formula: r.formula(), Published: published(test, kind, c.name), Checksum: fmt.Sprintf("%016x", uint64(sum)),
				}
				row.Wrong, row.Touching = differ(said, truth, c.list || c.method.Lists())
				row.count(by, r)
				once := func() (time.Duration, int) { return r.pass(by, initial), max(r.size(), 1) }
				took, err := repeated(ctx, repeat, func() float64 { return timePasses(ctx, budget(p.Seconds, repeat), once) })
				if err != nil {
					return rows, err
				}
				row.NsPair, row.Spread = took.median, took.spread
				base = cmp.Or(base, row.NsPair)
				row.R = per(base, row.NsPair)
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// detectorPlayer computes a replay with a Detector. It has a moving set for each
// burst, with all pairs that are candidates in one of the burst's steps. In a step in which a pair
// is no candidate, the pair stays at rest and is computed with the others.
type detectorPlayer struct {
	replay *replay
	bursts []*detectorBurst // by step, the same for all steps of a burst
}

// burstSteps is the number of steps of a burst. A longer one has more pairs that are no candidates.
const burstSteps = 50

type detectorBurst struct {
	set  *warmSet
	pool []blockPair
	row  map[int]int // from the replay's row to the row in pool
}

func newDetectorPlayer(r *replay) *detectorPlayer {
	p := &detectorPlayer{replay: r}
	var b *detectorBurst
	for k := range r.steps {
		s := &r.steps[k]
		if s.fresh || k%burstSteps == 0 {
			b = &detectorBurst{row: map[int]int{}}
		}
		p.bursts = append(p.bursts, b)
		for i, row := range s.row {
			if _, known := b.row[row]; !known {
				b.row[row] = len(b.pool)
				b.pool = append(b.pool, s.pairs[i])
			}
		}
	}
	for k, b := range p.bursts {
		if p.first(k) {
			b.set = newWarmSet(r.shapes, b.pool, 0)
		}
	}
	return p
}

// first reports whether a step is the first of its burst.
func (p *detectorPlayer) first(k int) bool { return k == 0 || p.bursts[k] != p.bursts[k-1] }

// begin sets the poses of a step. If initial, or in the first step of a burst, it discards
// everything known about the pool.
func (p *detectorPlayer) begin(k int, initial bool) {
	b, s := p.bursts[k], &p.replay.steps[k]
	for i, row := range s.row {
		b.pool[b.row[row]] = s.pairs[i]
	}
	if initial || p.first(k) {
		b.set.reset(b.pool)
	} else {
		b.set.move(b.pool)
	}
}

func (p *detectorPlayer) answer(k int, _ bool, told func(verdict)) {
	b, s := p.bursts[k], &p.replay.steps[k]
	b.set.step()
	if told == nil {
		return
	}
	b.set.index()
	for i, row := range s.row {
		out := b.set.read(b.row[row])
		told(s.pairs[i].verdict(&out))
	}
}
