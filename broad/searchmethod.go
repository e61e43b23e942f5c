package broad

import (
	"errors"
	"sort"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// otherSearch is the state of a search by Config.Search.
type otherSearch struct {
	rows  []vec.Box // by row: cell extents of the entered pieces
	box   []vec.Box // memory for rows
	name  []uint64
	first int // first piece, if the rows are consecutive pieces; else -1
	found PairList
	a, b  []soa.Piece // the pairs with resting pieces
	fail  error       // error of the last search, other than ErrTooManyPairs
}

// Failure returns the error of Config.Search at the last rebuild, or nil. ErrTooManyPairs does not
// count: see Stats.TooManyPairs.
func (c *CandidateSearch) Failure() error { return c.others.fail }

// searchOther finds the pairs of moving pieces with Config.Search, and their pairs with resting
// pieces in the tree. It drops the method's pairs that never pair, and swaps pairs whose kinds are
// not in order. It returns false if the method finds so many pairs that never pair that the cell
// spaces must search, because they store no such pair.
func (c *CandidateSearch) searchOther() bool {
	o, mixed := &c.others, c.mixed()
	first := c.enterOther()
	c.grids.Levels, c.grids.Cells = c.grids.Levels[:0], 0
	rows := Rows{Box: o.rows, Name: o.name, Most: c.most, Pool: c.pool}
	if mixed {
		rows.Most = rows.MostStored()
	}
	c.sorter.Begin(c.nPieces, ChunksOf(len(c.piece)).N, c.most, c.pool)
	o.fail = nil
	if err := c.cfg.Search.Search(&rows, &o.found); err != nil {
		if !errors.Is(err, ErrTooManyPairs) {
			o.fail = err
		} else if mixed {
			return false
		}
		c.sorter.addCount(MaxPairs + 1)
		c.out.Resize(0)
		return true
	}
	p := &o.found
	if first != 0 {
		for k, a := range p.A {
			p.A[k], p.B[k] = c.piece[a], c.piece[p.B[k]]
		}
	}
	if mixed || len(c.resting.piece) > 0 {
		c.over(len(c.piece), (*otherPass)(c))
	}
	if mixed {
		c.out.A, c.out.B = c.sorter.collect(c.out.A, c.out.B) // All pairs went through the sorter.
		return true
	}
	// The method's pairs are sorted, and pairs with resting pieces are few.
	if c.sorter.addCount(p.Len()) {
		c.out.Resize(0)
		return true
	}
	o.a, o.b = o.a[:0], o.b[:0]
	if len(c.resting.piece) > 0 {
		o.a, o.b = c.sorter.collect(o.a, o.b)
	}
	if len(o.a) > 0 {
		c.merge()
	} else {
		c.out.A, c.out.B, p.A, p.B = p.A, p.B, c.out.A, c.out.B
	}
	return true
}

// enterOther lists the moving pieces as rows of the method: their cell extents and names. If the
// pieces are consecutive, as is usual without walls, the rows are a part of cellExtent and not
// copied. enterOther returns the first piece then, and -1 otherwise.
func (c *CandidateSearch) enterOther() (first int) {
	o := &c.others
	n := len(c.piece)
	if n > 0 && inRow(c.piece) == n {
		first = int(c.piece[0])
		o.rows = c.cellExtent[first : first+n]
	} else {
		first = -1
		o.box = Resize(o.box, n)
		for k, p := range c.piece {
			o.box[k] = c.cellExtent[p]
		}
		o.rows = o.box
	}
	if len(o.name) == n && first >= 0 && n > 0 && o.first == first {
		return first // the names are those of the last search
	}
	o.name, o.first = Resize(o.name, n), first
	for k, p := range c.piece {
		o.name[k] = uint64(c.pieces.Number[p])
	}
	return first
}

// otherPass lists the pairs of its chunks of pieces with resting pieces. If the method's pairs need
// filtering (see mixed), it also lists the valid ones of these.
type otherPass CandidateSearch

func (p *otherPass) Range(lo, hi, _ int) {
	c, l, mixed := (*CandidateSearch)(p), NewList(&p.sorter), (*CandidateSearch)(p).mixed()
	pairs := &c.others.found
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		l.Begin(k)
		at := pairs.Len()
		if mixed {
			at = sort.Search(at, func(i int) bool { return pairs.A[i] >= c.piece[first] })
		}
		for ; at < pairs.Len() && pairs.A[at] <= c.piece[last-1] && !l.Full; at++ {
			p, q := pairs.A[at], pairs.B[at]
			if c.mayPair(p, q) {
				a, b := orderedPair(c.pieces.Kind, p, q)
				l.Add(uint32(a), uint32(b))
			}
		}
		c.searchResting(&l, namesOf(c.piece[first:last]))
		l.End(k)
	}
}

// merge merges two sorted lists into out: the pairs that the method found, and the few pairs with
// resting pieces.
func (c *CandidateSearch) merge() {
	n := c.others.found.Len()
	c.out.A, c.out.B = Resize(c.out.A, n+len(c.others.a)), Resize(c.out.B, n+len(c.others.a))
	c.over(max(n, 1), (*mergePass)(c))
}

// mergePass merges its chunks of the found pairs with the pairs with resting pieces that belong
// between them.
type mergePass CandidateSearch

func (p *mergePass) Range(lo, hi, _ int) {
	c := (*CandidateSearch)(p)
	o, found := &c.others, &c.others.found
	// before returns how many of the pairs with resting pieces come before found pair i.
	before := func(i int) int {
		return sort.Search(len(o.a), func(k int) bool { return keyOf(o.a[k], o.b[k]) > keyOf(found.A[i], found.B[i]) })
	}
	for chunk := lo; chunk < hi; chunk++ {
		first, last := c.chunk.Span(chunk)
		last = min(last, found.Len())
		a, b := found.A[first:last], found.B[first:last]
		k, end := 0, len(o.a)
		if first > 0 {
			k = before(first)
		}
		if last < found.Len() {
			end = before(last)
		}
		at := first + k
		for ; k < end; k++ {
			key := keyOf(o.a[k], o.b[k])
			comes := func(i int) bool { return keyOf(a[i], b[i]) > key }
			far := 1 // The next such pair is seldom far.
			for far < len(a) && !comes(far) {
				far *= 2
			}
			run := sort.Search(min(far, len(a)), comes)
			copy(c.out.A[at:], a[:run])
			copy(c.out.B[at:], b[:run])
			at += run
			a, b = a[run:], b[run:]
			c.out.A[at], c.out.B[at] = o.a[k], o.b[k]
			at++
		}
		copy(c.out.A[at:], a)
		copy(c.out.B[at:], b)
	}
}

// keyOf returns the key by which pairs are sorted by A, then B.
func keyOf(a, b soa.Piece) uint64 { return uint64(a)<<32 | uint64(b) }
