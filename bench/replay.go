package bench

import (
	"time"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// replay is a sequence of pairs at the poses of sampled steps. Every method computes them in the
// same order, with a memory for each pair.
type replay struct {
	shapes *soa.Shapes
	pairs  int     // number of different pairs
	reach  float64 // m, gap up to which gaps are computed
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

// first returns the replay of the first n pairs of each step.
func (r *replay) first(n int) *replay {
	some := *r
	some.steps = nil
	for _, s := range r.steps {
		s.pairs, s.row = s.pairs[:n], s.row[:n]
		some.steps = append(some.steps, s)
	}
	return &some
}

// told receives a result, and its contact type if the answerer lists contacts.
type told func(k, i int, out *narrow.Answer, kind narrow.Type)

// answerer computes the steps of a replay in their order.
type answerer interface {
	// begin prepares step k, outside the timing. If initial, it discards everything known.
	begin(k int, initial bool)
	// answer computes the pairs of step k; if initial, each with nothing known. If tell is not nil,
	// answer calls it with each result.
	answer(k int, initial bool, tell told)
	// close ends the use of the answerer, and returns its error, if any.
	close() error
}

// turns returns a function that computes the next step each time, over and over. The function returns the duration and
// the number of answers, or 0 and 0 for a step that is not timed.
func (r *replay) turns(p answerer, initial bool) func() (time.Duration, int) {
	next := 0
	return func() (time.Duration, int) {
		k := next
		next = (next + 1) % len(r.steps)
		p.begin(k, initial)
		took := timed(func() { p.answer(k, initial, nil) })
		if !r.steps[k].timed {
			return 0, 0
		}
		return took, len(r.steps[k].pairs)
	}
}

// each computes all steps once, and calls tell with the results of the timed steps.
func (r *replay) each(p answerer, initial bool, tell told) {
	for k := range r.steps {
		p.begin(k, initial)
		if r.steps[k].timed {
			p.answer(k, initial, tell)
		} else {
			p.answer(k, initial, func(int, int, *narrow.Answer, narrow.Type) {})
		}
	}
}

// player computes a replay with one method, pair by pair.
type player struct {
	contender
	*replay
	search    *narrow.Search
	memories  []narrow.Memory
	out       narrow.Answer
	list      narrow.ContactList
	checks    narrow.Checks // of all results that were told, as fallbacks
	fallbacks int           // to the exhaustive search
}

func newPlayer(c contender, r *replay) answerer {
	if c.detector {
		return newDetectorPlayer(r)
	}
	return &player{contender: c, replay: r, search: narrow.NewSearch(), memories: make([]narrow.Memory, r.pairs)}
}

func (p *player) close() error { return nil }

func (p *player) begin(k int, _ bool) {
	if p.steps[k].fresh {
		for i := range p.memories {
			p.memories[i].Reset()
		}
	}
}

func (p *player) answer(k int, initial bool, tell told) {
	s := &p.steps[k]
	for i := range s.pairs {
		q, mem := &s.pairs[i], &p.memories[s.row[i]]
		if initial {
			mem.Reset()
		}
		if p.alone {
			mem = nil
		}
		dtol, reach := narrow.Dtol(q.a, q.b), p.reach
		if p.contender.list {
			reach = dtol // Contacts finds none if only a bound of the gap is known.
		}
		fell, kind := p.search.By(p.method, q.a, q.pa, q.b, q.pb, reach, dtol, mem, &p.out), narrow.Type(0)
		if p.contender.list {
			p.search.Contacts(q.a, q.pa, q.b, q.pb, dtol, &p.out, &p.list)
			kind = p.list.Type
		} else if p.method.Lists() && mem != nil {
			kind = mem.List.Type
		}
		if tell == nil {
			continue
		}
		if p.fallbacks += b2i(fell); counts(p.method) {
			p.checks.Add(p.search.Checks())
		}
		tell(k, i, &p.out, kind)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
