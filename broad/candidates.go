package broad

import (
	"errors"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// Candidates stores the pairs of boxes that were enlarged by a margin, for later searches. As long
// as each box lies within its enlarged box, every pair is among these candidates. A search then
// takes one pass over the rows and one over the candidates. Boxes are compared on a lattice, which
// takes a third of the memory. This matters because every candidate reads the box of an arbitrary
// row. If the lattice cannot decide a pair, it is compared in float64.
//
// Memory: 64 bytes per row, and 16 per candidate.
type Candidates struct {
	box    []vec.Box // by row: the enlarged box
	frame  asm.LatticeFrame
	corner []uint64 // by row: the two corners of its present box on the lattice
	name   []uint64
	pairs  PairList
	known  bool
	Made   int // how many times the candidates were found

	// Set only during a pass.
	rows  *Rows
	out   *PairList
	chunk Chunking
	kept  []int // by chunk of candidates: how many overlap
	moved []bool
}

// Search writes the pairs of r to p. It calls find to find the candidates anew if the rows differ,
// or if a row has left its enlarged box. Otherwise the cost is 96 bytes read per row, and two words
// per candidate.
func (c *Candidates) Search(r *Rows, p *PairList, find func(*Rows, *PairList) error) error {
	c.rows, c.out = r, p
	defer func() { c.rows, c.out = nil, nil }()
	if !c.holds() {
		err := c.Make(r, r.Margin, find)
		if errors.Is(err, ErrTooManyPairs) { // The rows themselves may have fewer pairs.
			alone := *r
			alone.Margin = 0
			return find(&alone, p)
		}
		if err != nil {
			return err
		}
		c.enter()
	}
	c.filter(r.Pool)
	if int64(p.Len()) > r.Most {
		p.A, p.B = p.A[:0], p.B[:0]
		return ErrTooManyPairs
	}
	return nil
}

// Make finds the candidates anew, as pairs of boxes enlarged by margin, m.
func (c *Candidates) Make(r *Rows, margin float64, find func(*Rows, *PairList) error) error {
	c.known = false
	c.Made++
	c.box = Resize(c.box, len(r.Box))
	for i := range c.box {
		c.box[i] = r.Box[i].Enlarged(margin)
	}
	c.chooseLattice()
	c.name = append(c.name[:0], r.Name...)
	large := *r
	large.Box, large.Margin, large.Most = c.box, 0, r.MostStored() // find must not enlarge boxes again
	if err := find(&large, &c.pairs); err != nil {
		return err
	}
	c.known = true
	return nil
}

// Forget discards the candidates. A method that searches without candidates calls Forget if its
// Near refers to the last search: the rows may still lie within the enlarged boxes of the
// candidates, and the next search would then not search again.
func (c *Candidates) Forget() { c.known = false }

// holds reports whether the candidates belong to these rows and no row has left its enlarged box.
func (c *Candidates) holds() bool {
	r := c.rows
	if !c.known || len(r.Box) != len(c.box) || !slices.Equal(r.Name, c.name) {
		return false
	}
	return !c.enter()
}

// chooseLattice places the lattice over all enlarged boxes. Along an axis on which some boxes lie
// far from the bulk, it covers the bulk only. The choice does not change the pairs.
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
		from, to := DenseBox(n, func(i int) *vec.Box { return &c.box[i] })
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

// farOff is the ratio of the extent of all boxes to that of the bulk above which the lattice covers
// the bulk only. The lattice has a fixed number of steps, so a larger extent makes them coarser.
const farOff = 4

// nearBulk replaces the bounds lo and hi along an axis by those of the bulk, if lo and hi are too
// far apart.
func nearBulk(lo, hi *float64, from, to float64) {
	if !(*hi-*lo <= farOff*(to-from)) {
		*lo, *hi = from, to
	}
}

// enter writes the boxes of the rows on the lattice, and reports whether a row has left its
// enlarged box. If so, some boxes are not written.
func (c *Candidates) enter() (moved bool) {
	c.chunk = ChunksOf(len(c.box))
	c.moved = Resize(c.moved, c.chunk.N)
	c.corner = Resize(c.corner, 2*len(c.box))
	RunOn(c.rows.Pool, c.chunk.N, (*movedPass)(c))
	return slices.Contains(c.moved, true)
}

// movedPass checks for each chunk whether a box has left its enlarged box. If none has, it writes
// the boxes of the chunk on the lattice.
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

// filter writes the candidates that overlap now to out. Each chunk writes to a region of its own;
// join then closes the gaps between the regions.
func (c *Candidates) filter(pool *sched.Pool) {
	n := c.pairs.Len()
	if c.chunk = ChunksOf(n); pool == nil {
		c.chunk = Chunking{Rows: n, Size: n, N: min(n, 1)} // one region, so join has nothing to move
	}
	c.kept = Resize(c.kept, c.chunk.N)
	c.out.A, c.out.B = Resize(c.out.A, n), Resize(c.out.B, n)
	RunOn(pool, c.chunk.N, (*filterPass)(c))
	c.out.join(&c.chunk, c.kept)
}

// join moves the pairs that each chunk has kept at the beginning of its region together.
func (p *PairList) join(chunks *Chunking, kept []int) {
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

// filterPass keeps the candidates of its chunks that overlap. The lattice decides all but a few;
// filterPass compares the rest in float64.
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

// doubtful is how many candidates are compared in float64 at once if the lattice leaves two in
// succession undecided. If the boxes themselves lie on a lattice, many candidates in succession are
// undecided.
const doubtful = 8
