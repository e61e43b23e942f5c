package broad

import (
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// changes is the state that lets a finder look up a few changed rows instead of searching all.
type changes struct {
	known       bool     // the fields below describe the last full search
	n           int      // number of rows
	boxes       bool     // the rows are boxes
	named       bool     // the rows have names
	skin        float64  // m
	axes        [3]bool  // periodic axes
	dom         vec.Box  // domain, m
	changedRows          // rows of the search
	rank        []uint32 // row of the search, by row of the set; empty if not computed yet
	at          vec.Box  // the current row, moved into the domain, m
	box         vec.Box  // box that the method would see of the current row or its image, m
}

// FindMoved writes to out the pairs of the rows in moved, and to out.Outside those rows of moved
// that lie outside the domain. Rows in moved may be in any order and may repeat.
//
// Since the last search by Find or FindMoved, only the rows in moved may have changed. Of the other
// fields of the set, only Pool, Margin and the bounds of pairs may have changed. Then the pairs
// without a moved row are the same as before. Find would write these pairs too. MaxPairs bounds the
// pairs written, for every method; it does not bound the pairs of unmoved rows.
//
// Errors are those of Find; an error about a row names a row of moved. Cost: depends on the moved
// rows and what they meet, as long as few rows have changed since the last full search. Few means a
// 64th of all rows and at most 1024. If more rows have changed, if a row has grown, or if the
// method is not a NearFinder, the cost may be that of Find.
func (f *Finder) FindMoved(s *Input, moved []int, out *Found) error {
	if err := s.check(); err != nil {
		return err
	}
	for _, i := range moved {
		if i < 0 || i >= s.Len() {
			return wrong("row %d has moved, expected 0 to %d", i, s.Len()-1)
		}
		if !s.searchable(i) {
			return s.wrongRow(i)
		}
	}
	if !f.findMoved(s, moved) {
		if err := f.search(s, MaxPairs); err != nil {
			return err
		}
		f.pick(s, moved)
	}
	if f.pairs.Len() > s.most() {
		return ErrTooManyPairs
	}
	f.name(s, out)
	out.Outside = out.Outside[:0]
	for _, i := range moved {
		if s.outside(i) {
			out.Outside = append(out.Outside, i)
		}
	}
	slices.Sort(out.Outside)
	out.Outside = slices.Compact(out.Outside)
	return nil
}

// end records set s after a full search.
func (c *changes) end(s *Input) {
	c.known = true
	c.n, c.boxes, c.named, c.skin, c.axes, c.dom = s.Len(), s.Box != nil, s.ID != nil, s.Skin, s.Periodic, s.Domain
	c.reset()
	c.rank = c.rank[:0]
}

// matches reports whether the last full search was of a set like s.
func (c *changes) matches(s *Input) bool {
	return c.known && c.n == s.Len() && c.boxes == (s.Box != nil) && c.named == (s.ID != nil) && c.skin == s.Skin && c.axes == s.Periodic &&
		(c.axes == [3]bool{} || c.dom == s.Domain)
}

// markMoved marks the moved rows and writes each of them once to now.
func (f *Finder) markMoved(s *Input, moved []int) {
	c := &f.moved
	if f.order != nil && len(c.rank) == 0 {
		c.rank = Resize(c.rank, s.Len())
		for k, i := range f.order {
			c.rank[i] = uint32(k)
		}
	}
	c.begin(s.Len())
	for _, i := range moved {
		k := soa.Piece(i)
		if f.order != nil {
			k = soa.Piece(c.rank[i])
		}
		c.add(k)
	}
}

// findMoved finds the pairs of the moved rows by looking up each of them. It returns false if a
// full search is needed.
func (f *Finder) findMoved(s *Input, moved []int) bool {
	c := &f.moved
	near, ok := f.method.(NearFinder)
	if !ok || !c.matches(s) {
		return false
	}
	if f.markMoved(s, moved); c.many() {
		return false
	}
	for _, k := range c.now {
		if !f.findNear(s, k, near) {
			return false
		}
		c.eachLoose(k, func(k, l soa.Piece) { f.meet(s, k, l) })
	}
	found := c.pairs()
	f.pairs.A, f.pairs.B = Resize(f.pairs.A, len(found)), Resize(f.pairs.B, len(found))
	for i, key := range found {
		f.pairs.A[i], f.pairs.B[i] = soa.Piece(key>>32), soa.Piece(key)
	}
	return true
}

// findNear lists the pairs of moved row k with rows that have not changed. It returns false if a
// full search is needed.
//
// Across a periodic border, only the image of the later row of a pair counts. If that is row k,
// findNear looks up its images. If it is the other row, its image is already in the cells, as long
// as row k lies within f.reach.
func (f *Finder) findNear(s *Input, k soa.Piece, near NearFinder) (ok bool) {
	c, n := &f.moved, s.Len()
	c.at = f.exactOf(s, int(k))
	for image := range len(f.shifts) + 1 {
		at := c.at
		if image > 0 {
			at = shifted(&c.at, f.shifts[image-1])
		}
		c.box = s.around(&at, f.rowOf(int(k)))
		switch {
		case c.axes == [3]bool{}:
		case image == 0 && c.box.Union(f.reach) != f.reach:
			return false
		case image > 0 && !c.box.Overlaps(f.reach):
			continue
		}
		if c.runs, ok = near.Near(&c.box, c.runs[:0]); !ok {
			return false
		}
		for _, run := range c.runs {
			for _, row := range run {
				if int(row) >= n {
					row = f.source[int(row)-n]
				}
				if c.mark[row] == inCells {
					f.meet(s, k, soa.Piece(row))
				}
			}
		}
	}
	return true
}

// meet lists rows k and l of the search if they, or row min(k, l) and an image of the other, are a
// pair.
func (f *Finder) meet(s *Input, k, l soa.Piece) {
	k, l = min(k, l), max(k, l)
	a, b := f.exactOf(s, int(k)), f.exactOf(s, int(l))
	near := f.near(s, k, l, &a, &b)
	for i := 0; i < len(f.shifts) && !near; i++ {
		image := shifted(&b, f.shifts[i])
		near = f.near(s, k, l, &a, &image)
	}
	if near {
		f.moved.found = append(f.moved.found, keyOf(k, l))
	}
}

// pick keeps only the pairs of a full search that contain a moved row.
func (f *Finder) pick(s *Input, moved []int) {
	c, p := &f.moved, &f.pairs
	f.markMoved(s, moved)
	n := 0
	for i, a := range p.A {
		if b := p.B[i]; c.mark[a] == isNew || c.mark[b] == isNew {
			p.A[n], p.B[n] = a, b
			n++
		}
	}
	p.A, p.B = p.A[:n], p.B[:n]
	c.reset()
}
