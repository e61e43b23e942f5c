package overlap

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BatchRows is how many overlaps of a type are collected before they are answered: as many as stay
// in the first-level cache.
const BatchRows = 32

// Batch is overlaps of one type on their way to their answers, a pair a lane. It is filled by
// Batches.Add, answered by Solve, read by At, and empty again after Clear. Its answers have the
// bits of Clipper.Share.
type Batch struct {
	typed Typed
	n     int
	of    [BatchRows]uint32
	// The overlap is told as B moves.
	turned [BatchRows]bool
}

// Batches has a batch for each type. A worker keeps one. Methods allocate nothing once it is warm.
type Batches struct{ all [nShapes]Batch }

// NewBatches returns empty batches.
func NewBatches() *Batches { return &Batches{} }

// All returns the batches.
func (b *Batches) All() []Batch { return b.all[:] }

// Add puts a pair, number of of its tile, into the batch of the type that its features suppose,
// and returns this; nil where they suppose none. Where it is Full, it must be answered and cleared
// before the next.
func (b *Batches) Add(of uint32, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, guess *Features) *Batch {
	s := prismShape(va, vb, &guess.Prism)
	isPrism := s != clipped
	if !isPrism {
		s = shapeOf(va, vb, guess.Facet)
	}
	if s == clipped {
		return nil
	}
	to := &b.all[s]
	to.typed.begin(s, BatchRows)
	i := to.n
	to.n++
	if to.of[i], to.turned[i] = of, false; isPrism {
		to.typed.setPrism(i, va, pa, vb, pb, &guess.Prism)
	} else {
		to.turned[i] = to.typed.set(i, va, pa, vb, pb, guess.Facet)
	}
	return to
}

// Full says whether there is no room for another pair.
func (b *Batch) Full() bool { return b.n == BatchRows }

// Len returns how many pairs there are.
func (b *Batch) Len() int { return b.n }

// Clear takes all pairs out.
func (b *Batch) Clear() { b.n = 0 }

// Solve answers the pairs. What earlier ones left behind them fills the last register.
func (b *Batch) Solve() {
	if b.n == 0 {
		return
	}
	lanes := asm.Lanes()
	b.typed.solve(0, (b.n+lanes-1)/lanes*lanes)
}

// Of returns the number that pair i was added with.
func (b *Batch) Of(i int) uint32 { return b.of[i] }

// At writes the overlap of pair i to s if it is known, and returns the positions of A and B. Where
// it is not, Clipper.Share has to be asked.
func (b *Batch) At(i int, s *Shared) (posA, posB vec.Vec3, known bool) {
	t := &b.typed
	posA, posB = t.position(i, 0), t.position(i, 7)
	if b.turned[i] {
		posA, posB = posB, posA
	}
	if known = t.known(i); known {
		t.get(i, b.turned[i], posB.Sub(posA), s)
	}
	return posA, posB, known
}

// Tried returns those of a pair's features that the batch asks for.
func (b *Batch) Tried(guess *Features) Features {
	if b.typed.sides > 0 {
		return Features{Prism: guess.Prism}
	}
	return Features{Facet: guess.Facet}
}

// position returns the position that starts at a number of row i.
func (t *Typed) position(i, number int) vec.Vec3 {
	k := asm.ShareAnswers + number
	return vec.Vec3{X: t.answer(k, i), Y: t.answer(k+1, i), Z: t.answer(k+2, i)}
}
