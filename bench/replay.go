package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// replay is pairs at the poses of sampled steps, which every method answers in the same order, each with a memory for
// every pair.
type replay struct {
	shapes *soa.Shapes
	pairs  int // different ones
	steps  []step
}

// step is the pairs of a step and, for each, which one it is.
type step struct {
	fresh bool // nothing is known of the steps before
	timed bool // else it fills the memories only
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

// answerer answers the steps of a replay in their order.
type answerer interface {
	// begin makes ready for step k, outside of the timing; initial forgets all that is known.
	begin(k int, initial bool)
	// answer answers the pairs of step k; with initial each from nothing. It tells what it says of each, if told is not nil.
	answer(k int, initial bool, told func(v verdict))
}

// pass answers all steps and returns how long the timed ones took.
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

// verdicts answers all steps once, apart from the timing, and returns what is said in the timed ones.
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

// player answers a replay by one contender, pair by pair.
type player struct {
	contender
	replay   *replay
	search   *narrow.Search
	memories []narrow.Memory
	out      narrow.Answer
	list     *narrow.ContactList // of the last answer
	own      narrow.ContactList
}

func newPlayer(c contender, r *replay) answerer {
	if c.batch {
		return newBatchPlayer(r)
	}
	return &player{contender: c, replay: r, search: narrow.NewSearch(), memories: make([]narrow.Memory, r.pairs)}
}

// ask answers one pair.
func (p *player) ask(q *blockPair, mem *narrow.Memory) {
	dtol := narrow.Dtol(q.a, q.b)
	reach := 0.0
	if p.contender.list {
		reach = dtol // Contacts knows none where only a bound of the gap is known.
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
		v := s.pairs[i].verdict(&p.out)
		if p.contender.list || p.method.Lists() {
			v.kind = p.list.Type
		}
		told(v)
	}
}

// verdict is what a contender said of a pair.
type verdict struct {
	apart bool
	kind  narrow.Type
	gap   float64 // m
	size  float64 // m
}

// verdict is an answer without the type.
func (p *blockPair) verdict(out *narrow.Answer) verdict {
	return verdict{apart: out.Status == narrow.Separated, gap: out.Gap, size: p.size()}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// differ counts the verdicts that are not those of the direct search: of pairs too close to call, within undecided, only
// the type counts.
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

// compare measures all contenders on a replay, from nothing and from what they kept, on the generic backend and on the best.
func (o *PaperOptions) compare(ctx context.Context, r *replay, test, kind string) ([]PaperRow, error) {
	backends := cpu.Available()
	used := []string{cpu.Generic}
	if backends[0] != cpu.Generic {
		used = append(used, backends[0])
	}
	var rows []PaperRow
	for _, backend := range used {
		if err := cpu.Select(backend); err != nil {
			return rows, fmt.Errorf("bench: %w", err)
		}
		var truth []verdict
		base := 0.0
		for _, c := range contenders(o.Methods) {
			for _, phase := range []string{"initial", "updated"} {
				if c.method == narrow.DS && phase == "updated" {
					continue // The direct search keeps nothing.
				}
				if err := ctx.Err(); err != nil {
					return rows, err
				}
				p, initial := newPlayer(c, r), phase == "initial"
				said, sum := r.verdicts(p, initial)
				if truth == nil {
					truth = said
				}
				row := PaperRow{
					Test: test, Type: kind, Method: c.name, Phase: phase, Backend: backend,
					Pairs: r.size(), Checksum: fmt.Sprintf("%016x", uint64(sum)),
				}
				row.Wrong, row.Touching = differ(said, truth, c.list || c.method.Lists())
				once := func() (time.Duration, int) { return r.pass(p, initial), max(r.size(), 1) }
				took, err := repeated(ctx, o.Repeat, func() float64 { return passes(ctx, o.Time/time.Duration(o.Repeat), once) })
				if err != nil {
					return rows, err
				}
				row.NsPair, row.Spread = took.median, took.spread
				if base == 0 {
					base = row.NsPair
				}
				row.R = per(base, row.NsPair)
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}
