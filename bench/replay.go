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

// answerer answers the timed steps of a replay: for their time, and for what it says.
type answerer interface {
	// pass answers all steps and returns how long the timed ones took. initial forgets all before each.
	pass(r *replay, initial bool) time.Duration
	// verdicts answers all timed steps once, apart from the timing.
	verdicts(r *replay, initial bool) ([]verdict, hash)
}

// player answers a replay by one contender, pair by pair.
type player struct {
	contender
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
	return &player{contender: c, search: narrow.NewSearch(), memories: make([]narrow.Memory, r.pairs)}
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

func (p *player) pass(r *replay, initial bool) time.Duration {
	var spent time.Duration
	for k := range r.steps {
		s := &r.steps[k]
		if s.fresh {
			p.forget()
		}
		if initial && !s.timed {
			continue
		}
		began := threadTime()
		if initial {
			for i := range s.pairs {
				mem := &p.memories[s.row[i]]
				mem.Reset()
				p.ask(&s.pairs[i], mem)
			}
		} else {
			for i := range s.pairs {
				p.ask(&s.pairs[i], &p.memories[s.row[i]])
			}
		}
		if s.timed {
			spent += threadTime() - began
		}
	}
	return spent
}

func (p *player) forget() {
	for i := range p.memories {
		p.memories[i].Reset()
	}
}

// verdict is what a contender said of a pair.
type verdict struct {
	apart bool
	kind  narrow.Type
	gap   float64 // m
	size  float64 // m
}

func (p *player) verdicts(r *replay, initial bool) ([]verdict, hash) {
	var list []verdict
	var sum hash
	p.forget()
	for k := range r.steps {
		s := &r.steps[k]
		if s.fresh {
			p.forget()
		}
		for i := range s.pairs {
			mem := &p.memories[s.row[i]]
			if initial {
				mem.Reset()
			}
			p.ask(&s.pairs[i], mem)
			if !s.timed {
				continue
			}
			v := verdict{apart: p.out.Status == narrow.Separated, gap: p.out.Gap, size: max(s.pairs[i].a.Radius, s.pairs[i].b.Radius)}
			if p.contender.list || p.method.Lists() {
				v.kind = p.list.Type
			}
			list = append(list, v)
			sum.word(uint64(v.kind)<<1 | uint64(b2i(v.apart)))
		}
	}
	return list, sum
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
				said, sum := p.verdicts(r, initial)
				if truth == nil {
					truth = said
				}
				row := PaperRow{
					Test: test, Type: kind, Method: c.name, Phase: phase, Backend: backend,
					Pairs: r.size(), Checksum: fmt.Sprintf("%016x", uint64(sum)),
				}
				row.Wrong, row.Touching = differ(said, truth, c.list || c.method.Lists())
				var ns []float64
				for range o.Repeat {
					t, err := measure(ctx, p, r, initial, o.Time/time.Duration(o.Repeat))
					if err != nil {
						return rows, err
					}
					ns = append(ns, t)
				}
				row.NsPair, row.Spread = medianOf(ns)
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

// measure returns ns per pair over whole passes that take the time given at least.
func measure(ctx context.Context, p answerer, r *replay, initial bool, least time.Duration) (float64, error) {
	var spent time.Duration
	passes := 0
	for spent < least || passes == 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		spent += p.pass(r, initial)
		passes++
	}
	return float64(spent.Nanoseconds()) / (float64(passes) * float64(r.size())), nil
}
