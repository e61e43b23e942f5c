package broad

import (
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Candidates is the pairs that a search found of boxes enlarged by the motion budget. As long as
// each box lies within its enlarged one, every pair is among them, and a search is one pass over
// rows and one over them. Boxes are compared on a lattice, which takes a third of the memory: a box
// of any row is read for every candidate. What the lattice leaves open is compared in float64.
//
// Memory: 64 bytes a row, and 16 a candidate.
type Candidates struct {
	box    []vec.Box // by row: the enlarged box
	frame  asm.LatticeFrame
	corner []uint64 // by row: two, of the box of this search on the lattice
	name   []uint64
	pairs  Pairs
	known  bool
	Made   int // how many times the candidates were found

	// Only during a pass.
	rows  *Rows
	out   *Pairs
	chunk Chunking
	kept  []int // by chunk of candidates
	moved []bool
}

// Search writes the pairs of r to p; find finds pairs from nothing but boxes. Cost where no row
// has moved too far: 96 bytes read a row, and two words a candidate.
func (c *Candidates) Search(r *Rows, p *Pairs, find func(*Rows, *Pairs) error) error {
	c.rows, c.out = r, p
	defer func() { c.rows, c.out = nil, nil }()
	if !c.holds() {
		if err := c.Make(r, r.Budget, find); err != nil {
			return err
		}
		c.enter()
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
	c.chooseLattice()
	c.name = append(c.name[:0], r.Name...)
	large := *r
	large.Box, large.Budget, large.Most = c.box, 0, MaxPairs // A method keeps nothing of its own under these boxes.
	if err := find(&large, &c.pairs); err != nil {
		return err
	}
	c.known = true
	return nil
}

// holds reports whether the candidates are of these rows, and none has moved too far.
func (c *Candidates) holds() bool {
	r := c.rows
	if !c.known || len(r.Box) != len(c.box) || !slices.Equal(r.Name, c.name) {
		return false
	}
	return !c.enter()
}

// chooseLattice lays the lattice over all enlarged boxes, or over the bulk along an axis on which
// some lie far from it. It changes no pair.
func (c *Candidates) chooseLattice() {
	n := len(c.box)
	if n == 0 {
		return
	}
	lo, hi := c.box[0].Min, c.box[0].Max
	for i := range c.box {
		lo, hi = lo.Min(c.box[i].Min), hi.Max(c.box[i].Max)
	}
	if n >= FewRows {
		from, to := Bulk(n, func(i int) *vec.Box { return &c.box[i] })
		nearBulk(&lo.X, &hi.X, from.X, to.X)
		nearBulk(&lo.Y, &hi.Y, from.Y, to.Y)
		nearBulk(&lo.Z, &hi.Z, from.Z, to.Z)
	}
	size := hi.Sub(lo)
	c.frame = asm.LatticeFrame{
		From: [3]float64{lo.X, lo.Y, lo.Z},
		Step: [3]float64{lane / size.X, lane / size.Y, lane / size.Z},
		Last: [3]float64{lane, lane, lane},
	}
}

// farOff is how many times as long as the bulk all boxes lie before the lattice leaves some out: it
// has as many steps, whatever it spans.
const farOff = 4

// nearBulk moves bounds along an axis to those of the bulk where they lie too far apart.
func nearBulk(lo, hi *float64, from, to float64) {
	if !(*hi-*lo <= farOff*(to-from)) {
		*lo, *hi = from, to
	}
}

// enter writes the boxes of the rows on the lattice, and reports whether one has left its enlarged
// box: then some are not written.
func (c *Candidates) enter() (moved bool) {
	c.chunk = ChunksOf(len(c.box))
	c.moved = Resize(c.moved, c.chunk.N)
	c.corner = Resize(c.corner, 2*len(c.box))
	RunOn(c.rows.Pool, c.chunk.N, (*movedPass)(c))
	return slices.Contains(c.moved, true)
}

// movedPass says of each chunk whether a box has left its enlarged one, and writes the boxes on the
// lattice if none has.
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
		if !moved {
			asm.LatticeCorners(now, &c.frame, c.corner[2*first:2*last])
		}
		c.moved[k] = moved
	}
}

// filter writes the candidates that overlap now to out: each chunk to its own place, then
// together.
func (c *Candidates) filter(pool *sched.Pool) {
	n := c.pairs.Len()
	if c.chunk = ChunksOf(n); pool == nil {
		c.chunk = Chunking{Rows: n, Size: n, N: min(n, 1)} // nothing to put together then
	}
	c.kept = Resize(c.kept, c.chunk.N)
	c.out.A, c.out.B = Resize(c.out.A, n), Resize(c.out.B, n)
	RunOn(pool, c.chunk.N, (*filterPass)(c))
	c.out.join(&c.chunk, c.kept)
}

// join moves together what each chunk has kept at its beginning.
func (p *Pairs) join(chunks *Chunking, kept []int) {
	at := 0
	for k, n := range kept {
		first, _ := chunks.Span(k)
		if at < first {
			copy(p.A[at:], p.A[first:first+n])
			copy(p.B[at:], p.B[first:first+n])
		}
		at += n
	}
	p.A, p.B = p.A[:at], p.B[:at]
}

// filterPass keeps the candidates of its chunks that overlap. The lattice settles all but a few:
// those are compared in float64.
type filterPass Candidates

func (c *filterPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		a, b := namesOf(c.pairs.A[first:last]), namesOf(c.pairs.B[first:last])
		toA, toB := namesOf(c.out.A[first:last]), namesOf(c.out.B[first:last])
		n := 0
		for i := 0; i < len(a); {
			from := i
			i, n = asm.LatticePairs(c.corner, a, b, i, n, toA, toB)
			end := min(i+1, len(a))
			if i == from {
				end = min(i+doubtful, len(a))
			}
			for ; i < end; i++ {
				if toA[n], toB[n] = a[i], b[i]; Overlap(&c.rows.Box[a[i]], &c.rows.Box[b[i]]) {
					n++
				}
			}
		}
		c.kept[k] = n
	}
}

// doubtful is how many candidates are compared in float64 when one after the other is in doubt:
// where boxes lie on a lattice of their own, many in a row are.
const doubtful = 8
