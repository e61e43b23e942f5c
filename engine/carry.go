package engine

import (
	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// carried is the list of pairs before a rebuild, of which the new list takes over what it still holds.
type carried struct {
	pairs    soa.Pairs
	contacts soa.Contacts
	chunks   []twofold // J, by chunk of the new list: what friction springs held that are let go
	released twofold   // J, of all chunks, until the step's account books it
}

// carryChunk is the number of new pairs that a worker carries over at a time: some 30 µs of copying.
const carryChunk = 2048

type carryStage stepContext

// carryOver copies what the old list remembers of the pairs in the new one, and clears the rows of the others.
// Both lists are sorted by A, then B, and most pairs stay, so that whole runs of rows are copied at once.
func (w *World) carryOver() {
	old, n := &w.old, w.pairs.Len()
	if n == 0 {
		history := &w.work[0].history
		for j := range old.pairs.Len() {
			old.released.add(w.held(j, history))
		}
		return
	}
	old.chunks = grow(old.chunks, (n+carryChunk-1)/carryChunk)
	w.pool.For(n, carryChunk, (*carryStage)(&w.ctx))
	for _, x := range old.chunks {
		old.released.join(x)
	}
}

// Range carries over to one chunk of new pairs, lo to hi. It also books the old pairs that are gone,
// from the first that does not come before the chunk to the first that comes after it.
func (c *carryStage) Range(lo, hi, worker int) {
	w := c.w
	history := &w.work[worker].history
	now, old := &w.pairs, &w.old.pairs
	j, last := w.old.search(now, lo), old.Len()
	if lo == 0 {
		j = 0
	}
	if hi < now.Len() {
		last = w.old.search(now, hi)
	}
	released := twofold{}
	for i := lo; i < hi; {
		for j < last && before(old, j, now, i) {
			released.add(w.held(j, history))
			j++
		}
		run := 0
		for i+run < hi && j+run < last && now.A[i+run] == old.A[j+run] && now.B[i+run] == old.B[j+run] {
			run++
		}
		if run > 0 {
			copy(now.Expiry[i:i+run], old.Expiry[j:j+run])
			w.contacts.CarryRows(i, &w.old.contacts, j, run)
			w.skeletons.carry(i, j, run)
			i, j = i+run, j+run
			continue
		}
		fresh := i
		for i < hi && (j == last || before(now, i, old, j)) {
			i++
		}
		w.contacts.ClearRows(fresh, i)
		w.skeletons.forget(fresh, i)
	}
	for ; j < last; j++ {
		released.add(w.held(j, history))
	}
	w.old.chunks[lo/carryChunk] = released
}

// before says whether row i of p comes before row j of q.
func before(p *soa.Pairs, i int, q *soa.Pairs, j int) bool {
	return p.A[i] < q.A[j] || p.A[i] == q.A[j] && p.B[i] < q.B[j]
}

// search returns the first old pair that does not come before row i of the new ones.
func (o *carried) search(now *soa.Pairs, i int) int {
	lo, hi := 0, o.pairs.Len()
	for lo < hi {
		mid := lo + (hi-lo)/2
		if before(&o.pairs, mid, now, i) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// held returns what the friction springs of an old pair hold that is no longer a candidate: its bodies parted
// by more than their motion budget within a step.
func (w *World) held(j int, history *[force.MaxHistory]float64) float64 {
	old := &w.old
	if !old.contacts.Active[j] {
		return 0
	}
	return w.heldBy(old.pairs.A[j], old.pairs.B[j], &old.contacts, j, history)
}

// heldBy returns the energy that the history of a contact of two pieces holds, J: row i of con. history is room for it.
func (w *World) heldBy(a, b soa.Piece, con *soa.Contacts, i int, history *[force.MaxHistory]float64) float64 {
	row := w.law.Row(w.pieces.Material[a], w.pieces.Material[b])
	for k, column := range con.History {
		history[k] = column[i]
	}
	return w.law.Held(row, history[:])
}

// forget ends what a contact remembers: row i.
func (w *World) forget(i int) {
	con := &w.contacts
	for _, column := range con.History {
		column[i] = 0
	}
	con.Normal.Set(i, vec.Vec3{})
	con.Relief[i] = 0
	con.Prism[i], con.PrismHolds[i] = soa.Prism{}, 0
}
