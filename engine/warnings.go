package engine

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// warnings finds problems that do not stop a world but that users should know.
type warnings struct{ *World }

// add adds a warning.
func (w warnings) add(format string, args ...any) {
	w.warnings = append(w.warnings, fmt.Sprintf(format, args...))
}

// warn adds the warnings of a step, each at most once per run.
func (w warnings) warn() {
	if body := lowest(w.work, func(ws *workspace) uint32 { return ws.tight }); w.isNew(warnedTight, body != contact.NoBody) {
		m, contacts := (*watchStage)(&w.ctx).loadOn(int(body))
		// In a shorter step dt', each contact counts for at most dt'/dt of its present share.
		w.add("step %d: time step %g s is too long for %s, whose %d active contacts are stable up to %.3g s; it may gain energy",
			w.step+1, w.ctx.dt, w.nameOf(soa.Body(body)), contacts, w.ctx.dt*4/m.largest())
	}
	if p := w.firstPair(func(ws *workspace) deepPair { return ws.deep }); w.isNew(warnedThick, p.pair != contact.NoPair) {
		w.add("step %d: %s overlap by a thickness of %.3g m, %.3g %% of the smaller one's inscribed radius; from %.0f %% on the force "+
			"is no longer that of rigid bodies: raise the stiffness, or shorten the time step",
			w.step+1, w.both(p.pair, " and "), p.thickness, 100*p.share, 100*thickShare)
	}
	w.warnThrough(w.step + 1)
	if p := w.space.Sunk(); w.isNew(warnedSunk, p != contact.NoPair) {
		w.add("step %d: %s, than half of its inscribed radius, or than the wall's middle: what is deeper is not felt, and it may fall through",
			w.step+1, w.both(p, " is deeper in a wall of facets, "))
	}
}

// warnThrough warns of two bodies that feel no force although their overlap is thick. step is 0 at
// the start.
func (w warnings) warnThrough(step int64) {
	if p := w.firstPair(func(ws *workspace) deepPair { return ws.through }); w.isNew(warnedThrough, p.pair != contact.NoPair) {
		w.add("step %d: %s overlap by a thickness of %.3g m, which hardly changes as they move: one goes through the other from side to side, "+
			"or lies inside it, and they feel almost no force", step, w.both(p.pair, " and "), p.thickness)
	}
}

// isNew reports whether a warning is due that the run has not had.
func (w warnings) isNew(kind uint32, due bool) bool {
	if !due || w.warned&kind != 0 {
		return false
	}
	w.warned |= kind
	return true
}

// both returns the names of the bodies of a pair, with a text between them.
func (w warnings) both(pair uint64, between string) string {
	a, b := w.inOrder(contact.PairOf(pair))
	return w.nameOfPiece(a) + between + w.nameOfPiece(b)
}

// inOrder returns the two pieces of a pair with that of the lower number first, if both are of one kind.
func (w warnings) inOrder(a, b soa.Piece) (first, second soa.Piece) {
	if p := &w.space.Pieces; p.Kind[a] == p.Kind[b] && w.numberAt(b) < w.numberAt(a) {
		return b, a
	}
	return a, b
}

// numbers returns the numbers in messages of the bodies of a pair, in the order of inOrder.
func (w warnings) numbers(pair uint64) [2]soa.ID {
	a, b := w.inOrder(contact.PairOf(pair))
	return [2]soa.ID{w.numberAt(a), w.numberAt(b)}
}

// before reports whether a message names pair p rather than q. Either may be contact.NoPair.
func (w warnings) before(p, q uint64) bool {
	if p == contact.NoPair || q == contact.NoPair {
		return p < q
	}
	a, b := w.numbers(p), w.numbers(q)
	return a != b && slices.Compare(a[:], b[:]) < 0 || a == b && p < q // bodies of several pieces have several pairs
}

// numberAt returns the number in messages of the body of a piece.
func (w warnings) numberAt(p soa.Piece) soa.ID {
	return w.numberOf(w.bodies.ID[w.space.Pieces.Body[p]])
}

// lowest returns the lowest body that the workers have recorded, or contact.NoBody.
func lowest(work []workspace, noted func(*workspace) uint32) uint32 {
	lowest := contact.NoBody
	for i := range work {
		lowest = min(lowest, noted(&work[i]))
	}
	return lowest
}

// firstPair returns the first of the pairs that the workers have recorded.
func (w warnings) firstPair(noted func(*workspace) deepPair) deepPair {
	first := deepPair{pair: contact.NoPair}
	for i := range w.work {
		if d := noted(&w.work[i]); w.before(d.pair, first.pair) {
			first = d
		}
	}
	return first
}

// deepStart is two bodies that start inside each other, with their deepest contact.
type deepStart struct {
	pair  uint64  // contact.KeyOf
	depth float64 // m
	share float64 // of the smaller inscribed radius
}

// text names the two bodies.
func (w warnings) text(d deepStart) string {
	return fmt.Sprintf("%s start %.3g m inside each other, %.3g %% of the smaller one's inscribed radius",
		w.both(d.pair, " and "), d.depth, 100*d.share)
}

// warnDeep names the pairs of bodies that start deep inside each other. Each pair is named once, in
// the order of their numbers. Without relief, the first pair deeper than the inscribed
// radius is kept for StartsInside.
func (w warnings) warnDeep() {
	var found []deepStart
	at := map[[2]soa.Body]int{}
	for i := range w.space.ActiveRows {
		a, b := w.space.PiecesOf(i)
		size := smallerInner(w.space, a, b)
		depth := -w.Gap(i)
		if !(depth > deepShare*size) {
			continue
		}
		bodies := [2]soa.Body{w.space.Pieces.Body[a], w.space.Pieces.Body[b]}
		slices.Sort(bodies[:]) // The pieces of a pair are ordered by kind, so either body may come first.
		k, known := at[bodies]
		if !known {
			k, at[bodies] = len(found), len(found)
			found = append(found, deepStart{})
		}
		if depth > found[k].depth {
			found[k] = deepStart{contact.KeyOf(a, b), depth, depth / size}
		}
	}
	order := make([]int, len(found))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(i, k int) int {
		a, b := w.numbers(found[i].pair), w.numbers(found[k].pair)
		return slices.Compare(a[:], b[:])
	})
	for rank, k := range order {
		d := found[k]
		if rank < maxWarnings {
			w.add("%s", w.text(d))
		}
		if d.share > 1+1e-9 && w.inside == nil && w.cfg.Relief == (Relief{}) {
			w.inside = mark.Errorf(ErrBody, "engine: %s, expected at most %.0f %%: place them apart, or give relief", w.text(d), 100*deepShare)
		}
	}
	if more := len(found) - maxWarnings; more > 0 {
		w.add("and %d more pairs that start inside each other", more)
	}
}

// StartsInside returns an error that wraps ErrBody and names two bodies, if one starts deeper in the
// other than the smaller inscribed radius, and Config.Relief does not forgive it. The world can still be stepped.
// Before the first step, StartsInside computes the forces at the start, as Measure does.
func (w *World) StartsInside() error {
	w.begin()
	return w.inside
}
