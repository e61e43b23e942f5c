package broad

import (
	"slices"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Candidates is the pairs that a search found of boxes enlarged by the motion budget. As long as
// each box lies within its enlarged one, every pair is among them, and a search is one pass over
// them.
//
// Memory: 48 bytes a row, and 16 a candidate.
type Candidates struct {
	box   []vec.Box // by row: the enlarged box
	name  []uint64
	pairs Pairs
	known bool
	Made  int // how many times the candidates were found

	// Only during a pass.
	rows  *Rows
	out   *Pairs
	chunk Chunking
	kept  []int // by chunk of candidates
	moved []bool
}

// Search writes the pairs of r to p; find finds pairs from nothing but boxes. Cost where no row
// has moved too far: 96 bytes read a row, and a box a candidate.
func (c *Candidates) Search(r *Rows, p *Pairs, find func(*Rows, *Pairs) error) error {
	c.rows, c.out = r, p
	defer func() { c.rows, c.out = nil, nil }()
	if !c.holds() {
		if err := c.Make(r, r.Budget, find); err != nil {
			return err
		}
	}
	c.filter(r.Pool)
	if int64(p.Len()) > r.Most {
		p.A, p.B = p.A[:0], p.B[:0]
		return ErrCrowded
	}
	return nil
}

// Make finds the candidates anew, of boxes enlarged by the margin, m.
func (c *Candidates) Make(r *Rows, margin float64, find func(*Rows, *Pairs) error) error {
	c.known = false
	c.Made++
	c.box = Resize(c.box, len(r.Box))
	for i := range c.box {
		c.box[i] = r.Box[i].Enlarged(margin)
	}
	c.name = append(c.name[:0], r.Name...)
	large := *r
	large.Box, large.Most = c.box, MaxPairs
	if err := find(&large, &c.pairs); err != nil {
		return err
	}
	c.known = true
	return nil
}

// holds says whether the candidates are of these rows, and none has moved too far.
func (c *Candidates) holds() bool {
	r := c.rows
	if !c.known || len(r.Box) != len(c.box) || !slices.Equal(r.Name, c.name) {
		return false
	}
	c.chunk = ChunksOf(len(c.box))
	c.moved = Resize(c.moved, c.chunk.N)
	RunOn(r.Pool, c.chunk.N, (*movedPass)(c))
	return !slices.Contains(c.moved, true)
}

// movedPass says of each chunk whether a box has left its enlarged one.
type movedPass Candidates

func (c *movedPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		large, now := c.box[first:last], c.rows.Box[first:last]
		moved := false
		for i := range large {
			a, b := &large[i], &now[i]
			if !(a.Min.X <= b.Min.X && a.Min.Y <= b.Min.Y && a.Min.Z <= b.Min.Z &&
				b.Max.X <= a.Max.X && b.Max.Y <= a.Max.Y && b.Max.Z <= a.Max.Z) {
				moved = true
				break
			}
		}
		c.moved[k] = moved
	}
}

// filter writes the candidates that overlap now to out: each chunk to its own place, then
// together.
func (c *Candidates) filter(pool *sched.Pool) {
	n := c.pairs.Len()
	c.chunk = ChunksOf(n)
	c.kept = Resize(c.kept, c.chunk.N)
	c.out.A, c.out.B = Resize(c.out.A, n), Resize(c.out.B, n)
	RunOn(pool, c.chunk.N, (*filterPass)(c))
	at := 0
	for k, kept := range c.kept {
		first, _ := c.chunk.Span(k)
		if at < first {
			copy(c.out.A[at:], c.out.A[first:first+kept])
			copy(c.out.B[at:], c.out.B[first:first+kept])
		}
		at += kept
	}
	c.out.A, c.out.B = c.out.A[:at], c.out.B[:at]
}

type filterPass Candidates

func (c *filterPass) Range(lo, hi, _ int) {
	box := c.rows.Box
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		a, b := c.pairs.A[first:last], c.pairs.B[first:last]
		toA, toB := c.out.A[first:last], c.out.B[first:last]
		n := 0
		for i, p := range a {
			q := b[i]
			x, y := &box[p], &box[q]
			toA[n], toB[n] = p, q
			// Without branches: which of the candidates overlap is chance.
			n += atMost(x.Min.X, y.Max.X) & atMost(y.Min.X, x.Max.X) &
				atMost(x.Min.Y, y.Max.Y) & atMost(y.Min.Y, x.Max.Y) &
				atMost(x.Min.Z, y.Max.Z) & atMost(y.Min.Z, x.Max.Z)
		}
		c.kept[k] = n
	}
}

// atMost is 1 if a ≤ b, else 0; the compiler makes it a set instruction.
func atMost(a, b float64) int {
	n := 0
	if a <= b {
		n = 1
	}
	return n
}
