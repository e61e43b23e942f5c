package broad

import (
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// rawPairs is how many pairs of entries a worker gathers before it settles them: 16 KiB.
	rawPairs = 2048
	// sweepWidth is how many entries are compared at a time.
	sweepWidth = 4
	// maxSpans is how many runs of entries are gathered before they are scanned.
	maxSpans = 16
)

// span is a run of entries, lo ≤ entry < hi.
type span struct{ lo, hi uint32 }

func (r span) len() int { return int(r.hi - r.lo) }

// scanPass finds the pairs of the entries of its chunks. Of two entries of one space, the one
// in the earlier cell, or earlier in the cell, looks for the other; of two spaces, the entries of the
// smaller extents look among the larger.
type scanPass Cells

func (p *scanPass) Range(lo, hi, worker int) {
	w := &p.work[worker]
	s := scanner{c: (*Cells)(p), w: w, raw: &w.raw, full: (*Cells)(p).crowded()}
	for k := lo; k < hi; k++ {
		s.scan(k)
	}
}

// scanner is the state of one worker: two spaces and the pairs of entries that may be pairs.
type scanner struct {
	c      *Cells
	w      *workspace
	a, b   *space
	around vec.Box   // holds every extent of space b
	image  []lattice // of entries of a on the lattice of b, from entry from on; none if b is hashed
	from   uint32
	check  bool // some pairs belong together or to prescribed bodies
	raw    *[rawPairs]uint64
	n      int
	spans  [maxSpans]span
	list   []uint64 // of the chunk
	told   int      // of list, those that are in Cells.listed
	count  []uint32 // of the chunk, by bin of A
	full   bool     // there are more pairs than a list may have: what is left is not looked at
}

// tell adds the newest pairs of the list to those of all workers. It is called once in a few
// thousand pairs, so that neither counting nor what is found past the bound is felt.
func (s *scanner) tell() {
	s.full = s.c.sorter.Tell(len(s.list) - s.told)
	s.told = len(s.list)
}

func (s *scanner) scan(chunk int) {
	c := s.c
	first, last := c.chunk.Span(chunk)
	s.told = 0
	s.list, s.count = c.sorter.List(chunk)
	for a := range c.spaces {
		if s.full {
			break
		}
		s.a = &c.spaces[a]
		lo := max(first, int(c.start[s.a.base]))
		hi := min(last, int(c.start[s.a.base+s.a.rows]))
		if lo >= hi {
			continue
		}
		for b := range c.spaces {
			if c.pairs(a, b) {
				s.b = &c.spaces[b]
				s.between(a == b, uint32(lo), uint32(hi))
			}
		}
		if len(c.resting.piece) > 0 {
			s.amongResting(lo, hi)
		}
	}
	s.tell()
	c.sorter.Keep(chunk, s.list)
}

// between looks up entries lo ≤ i < hi of space a in space b.
func (s *scanner) between(same bool, lo, hi uint32) {
	s.check = s.a.fixed && s.b.fixed || s.a.clumped && s.b.clumped
	s.from, s.image = lo, nil
	s.around = vec.Box{Min: s.b.lo, Max: s.b.top}
	switch {
	case same && s.a.hashed:
		for i := lo; i < hi && !s.full; i++ {
			s.ownHashed(i)
		}
	case same:
		s.image = s.c.entry[lo:hi]
		s.ownDense(lo, hi)
	default:
		if !s.b.hashed {
			s.w.image = Resize(s.w.image, int(hi-lo))
			s.image = s.w.image
		}
		for i := lo; i < hi && !s.full; i++ {
			s.other(i)
		}
	}
	s.settle()
}

// ownDense looks up entries in their own dense space: the rest of the row from the entry on, the
// row above, and three rows of the layer above, as far as the extent goes.
func (s *scanner) ownDense(lo, hi uint32) {
	g, start, entry := s.a, s.c.start, s.c.entry
	layer := uint32(g.nx) * uint32(g.ny)
	for i := lo; i < hi && !s.full; i++ {
		e := entry[i]
		x := int(e.lower&lane) - g.back[0]
		x0 := uint32(max(x, 0)) >> (quantaBits - fineX)
		x1 := uint32(e.upper&lane) >> (quantaBits - fineX)
		y := uint32(e.lower>>laneY&lane) >> quantaBits
		y1 := uint32(e.upper>>laneY&lane) >> quantaBits
		z := uint32(e.lower>>laneZ) >> quantaBits
		z1 := uint32(e.upper>>laneZ&lane) >> quantaBits
		row := g.base + z*layer + y*uint32(g.nx)
		s.spans[0] = span{i + 1, start[row+x1+1]}
		n, all := 1, s.spans[0].len()
		if y1 > y {
			up := row + uint32(g.nx)
			s.spans[1] = span{start[up+x0], start[up+x1+1]}
			n, all = 2, all+s.spans[1].len()
		}
		if z1 > z {
			row += layer
			y0 := y
			if y > 0 {
				y0--
				row -= uint32(g.nx)
			}
			for ; y0 <= y1; y0++ {
				r := span{start[row+x0], start[row+x1+1]}
				s.spans[n&(maxSpans-1)] = r
				row += uint32(g.nx)
				n, all = n+1, all+r.len()
			}
		}
		s.against(i, e, n, all)
	}
}

// against compares entry i, whose extent on their lattice is e, with the entries of the first n spans,
// all of them together.
func (s *scanner) against(i uint32, e lattice, n, all int) {
	if s.n+all >= rawPairs {
		s.settle()
		if all >= rawPairs {
			s.crowd(i, e, n)
			return
		}
	}
	k := s.n
	for _, r := range s.spans[:n] {
		k = sweep(s.c.entry[r.lo:], r.len(), e, uint64(i)<<32|uint64(r.lo), s.raw, k)
	}
	s.n = k
}

// crowd is against for more entries than are gathered at a time.
func (s *scanner) crowd(i uint32, e lattice, n int) {
	for _, r := range s.spans[:n] {
		for lo := r.lo; lo < r.hi && !s.full; lo += rawPairs - 1 {
			some := min(int(r.hi-lo), rawPairs-1)
			s.n = sweep(s.c.entry[lo:], some, e, uint64(i)<<32|uint64(lo), s.raw, s.n)
			s.settle()
		}
	}
}

// sweep writes j, j+1 and so on to raw, from k on, for each of the first n entries whose lattice box
// overlaps e, and returns the k after the last.
//
//	len(entries) >= n rounded up to a multiple of sweepWidth, and at least sweepWidth
//	k + n < rawPairs
//
// Whether two extents overlap is a coin toss to the branch predictor, and so is where a run of two
// or three entries ends. So every entry is written and k moves on by 0 or 1, and entries are taken by
// sweepWidth, which most runs fit into; those past the end do not count, and what is written
// for them is written over. It is not inlined, so that all it uses stays in registers.
//
//go:noinline
func sweep(entries []lattice, n int, e lattice, j uint64, raw *[rawPairs]uint64, k int) int {
	for {
		f := (*[sweepWidth]lattice)(entries)
		raw[k&(rawPairs-1)] = j
		k += hit(e, &f[0], n)
		raw[k&(rawPairs-1)] = j + 1
		k += hit(e, &f[1], n-1)
		raw[k&(rawPairs-1)] = j + 2
		k += hit(e, &f[2], n-2)
		raw[k&(rawPairs-1)] = j + 3
		k += hit(e, &f[3], n-3)
		n -= sweepWidth
		if n <= 0 {
			return k
		}
		j += sweepWidth
		entries = entries[sweepWidth:]
	}
}

// hit returns 1 if the lattice boxes overlap and left > 0, else 0.
func hit(e lattice, f *lattice, left int) int {
	apart := (e.upper-f.lower)&(f.upper-e.lower)&guards ^ guards
	return int((apart - 1) & uint64(-left) >> 63)
}

// other looks up entry i of space a in space b.
func (s *scanner) other(i uint32) {
	box := &s.c.cellExtent[s.c.piece[i]]
	if !overlap(box, &s.around) {
		return
	}
	if s.b.hashed {
		s.otherHashed(i, s.b.cellBelow(box.Min, 0.5), s.b.cellAt(box.Max))
		return
	}
	g, start := s.b, s.c.start
	lx, ly, lz := g.corner(box.Min)
	ux, uy, uz := g.corner(box.Max)
	e := lattice{pack(lx, ly, lz), pack(ux, uy, uz) | guards}
	s.image[i-s.from] = e
	x0 := max(int(lx)-g.back[0], 0) >> (quantaBits - fineX)
	x1 := int(ux) >> (quantaBits - fineX)
	y0, y1 := max(int(ly)-g.back[1], 0)>>quantaBits, int(uy)>>quantaBits
	z0, z1 := max(int(lz)-g.back[2], 0)>>quantaBits, int(uz)>>quantaBits
	n, all := 0, 0
	for z := z0; z <= z1; z++ {
		for y := y0; y <= y1; y++ {
			if n == maxSpans {
				s.against(i, e, n, all)
				n, all = 0, 0
			}
			r := span{start[g.row(x0, y, z)], start[g.row(x1, y, z)+1]}
			if r.len() > 0 {
				s.spans[n] = r
				n, all = n+1, all+r.len()
			}
		}
	}
	if n > 0 {
		s.against(i, e, n, all)
	}
}

// ownHashed looks up entry i in its own hashed space: the rest of its cell, then the later ones of the
// cells around it, as far as its extent goes.
func (s *scanner) ownHashed(i uint32) {
	c := s.c
	box := &c.cellExtent[c.piece[i]]
	at := c.entry[i].cell()
	from, to := s.a.cellBelow(box.Min, 0.5), s.a.cellAt(box.Max)
	s.inCell(i, at, i+1)
	for x := at.x + 1; x <= to.x; x++ {
		s.inCell(i, cell{x, at.y, at.z}, 0)
	}
	for y := at.y + 1; y <= to.y; y++ {
		for x := from.x; x <= to.x; x++ {
			s.inCell(i, cell{x, y, at.z}, 0)
		}
	}
	from.z = at.z + 1
	s.otherHashed(i, from, to)
}

// otherHashed looks up entry i in the cells of hashed space b between two, both included.
func (s *scanner) otherHashed(i uint32, from, to cell) {
	for z := from.z; z <= to.z; z++ {
		for y := from.y; y <= to.y; y++ {
			for x := from.x; x <= to.x; x++ {
				s.inCell(i, cell{x, y, z}, 0)
			}
		}
	}
}

// inCell takes the entries j ≥ least of one cell of hashed space b. Cells that share a row of the
// table are told apart by their coordinates.
func (s *scanner) inCell(i uint32, k cell, least uint32) {
	row := s.b.hashRow(k)
	want := k.lattice()
	end := s.c.start[row+1]
	for j := max(least, s.c.start[row]); j < end; j++ {
		if s.c.entry[j] != want {
			continue
		}
		if s.n == rawPairs {
			s.settle()
		}
		s.raw[s.n] = uint64(i)<<32 | uint64(j)
		s.n++
	}
}

// settle moves the pairs of entries whose cell extents overlap, and that may pair, to the list.
func (s *scanner) settle() {
	c := s.c
	entry, piece, shift, count := c.entry, c.piece, c.sorter.Shift, s.count
	image, from := s.image, s.from
	list := slices.Grow(s.list, s.n)
	// Of two kinds A is the lower, of two pieces of one kind the one before.
	less := s.a.kind < s.b.kind
	more := s.a.kind > s.b.kind
	for _, r := range s.raw[:s.n] {
		i, j := uint32(r>>32), uint32(r)
		p, q := piece[i], piece[j]
		// The lattice settles all but a few pairs; a hashed space has none.
		if !(len(image) > 0 && image[i-from].overlapStrictly(entry[j])) &&
			!overlap(&c.cellExtent[p], &c.cellExtent[q]) {
			continue
		}
		if s.check && !c.mayPair(p, q) {
			continue
		}
		// Which of two pieces of a kind comes first is another coin toss: min and max do not branch.
		a, b := min(p, q), max(p, q)
		if less {
			a, b = p, q
		} else if more {
			a, b = q, p
		}
		list = append(list, uint64(a)<<32|uint64(b))
		count[uint32(a)>>shift]++
	}
	s.list = list
	s.n = 0
	if len(list)-s.told >= rawPairs {
		s.tell()
	}
}

// overlap is Box.Overlaps without the copies.
func overlap(a, b *vec.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// mayPair says whether two pieces belong to different bodies, not both prescribed.
func (c *Cells) mayPair(p, q soa.Piece) bool {
	i, j := c.pieces.Body[p], c.pieces.Body[q]
	return i != j && c.state[i]&c.state[j]&prescribed == 0
}
