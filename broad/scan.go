package broad

import (
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

const (
	// maxSpans is the number of runs of entries that are gathered before they are compared: 16 KiB.
	maxSpans = 512
	// maxHits is the largest number of overlaps that one comparison may find: 32 KiB.
	maxHits = 4096
	// longRun is the length of the longest run that is compared at once.
	longRun = maxHits/2 - 1
	// CountEvery is how many pairs a worker finds before it adds them to the count of all workers.
	CountEvery = 4096
)

// scan tells where the pairs of a scan are listed and which rows may pair.
type scan struct {
	sorter *Sorter
	cells  *CandidateSearch // owner of the pieces that are the rows; nil: any two rows may be a pair
}

// Scan finds the pairs of the entered rows and lists them in the sorter.
func (g *Grids) Scan(sorter *Sorter, most int64) { g.scanFor(scan{sorter: sorter}, len(g.Box), most) }

// scanFor is Scan for pieces, of which only some are entered. rows is the number of all pieces.
func (g *Grids) scanFor(s scan, rows int, most int64) {
	g.scan = s
	for i := range g.work {
		w := &g.work[i]
		w.spans = Resize(w.spans, maxSpans)[:0]
		w.span, w.other = Resize(w.span, maxHits), Resize(w.other, maxHits)
	}
	s.sorter.Begin(rows, ChunksOf(g.n()).N, most, g.Pool)
	g.over((*scanPass)(g))
	g.scan = scan{}
}

// scanPass finds the pairs of the entries of its chunks. Each pair is found from one side only. If
// both entries are in one level, the entry of the earlier cell, or the earlier entry of one cell,
// searches for the other. If they are in two levels, the smaller entry searches among the larger
// ones.
type scanPass Grids

func (p *scanPass) Range(lo, hi, worker int) {
	g, w := (*Grids)(p), &p.work[worker]
	s := scanner{List: NewList(g.scan.sorter), g: g, spans: w.spans[:0], span: w.span, other: w.other}
	for k := lo; k < hi; k++ {
		s.Begin(k)
		first, last := g.chunk.Span(k)
		s.entries(first, last)
		s.End(k)
	}
}

// List gathers the pairs that one worker finds: call Begin for each chunk, Add for each pair, and
// End.
type List struct {
	sorter *Sorter
	pairs  []uint64 // of the current chunk
	told   int      // how many of pairs are already in the count of all workers
	count  []uint32 // of the current chunk, by bin of A: see Sorter.binsOf
	Full   bool     // there are more pairs than allowed: the worker stops searching
}

// NewList returns a list for the pairs of a sorter.
func NewList(s *Sorter) List { return List{sorter: s, Full: s.Full()} }

// Begin starts a chunk.
func (l *List) Begin(chunk int) {
	l.told = 0
	l.pairs, l.count = l.sorter.lists[chunk][:0], l.sorter.binsOf.Of(chunk)
}

// Add appends a pair.
func (l *List) Add(a, b uint32) {
	l.pairs = append(l.pairs, uint64(a)<<32|uint64(b))
	l.count[a>>l.sorter.shift]++
	if len(l.pairs)-l.told >= CountEvery {
		l.tell()
	}
}

// tell adds the newest pairs to the count of all workers. It is called once in a few thousand
// pairs. So the cost of counting, and of pairs found past the bound, is negligible.
func (l *List) tell() {
	l.Full = l.sorter.addCount(len(l.pairs) - l.told)
	l.told = len(l.pairs)
}

// End ends the chunk.
func (l *List) End(chunk int) {
	l.tell()
	l.sorter.lists[chunk] = l.pairs
}

// scanner is the state of one worker.
type scanner struct {
	List
	g           *Grids
	spans       []asm.LatticeSpan
	span, other []uint32
	pairing     pairing
}

// pairing tells which pairs of two kinds are valid, and which piece of a pair is A.
type pairing struct {
	check      bool // some pairs must be rejected: pieces of one body, or of two prescribed bodies
	pieceOrder int  // < 0: A is the searching entry; > 0: A is the entry found; 0: A is the lower row
}

// entries finds the pairs of the entries first ≤ i < last.
func (s *scanner) entries(first, last int) {
	g := s.g
	for a := range g.Levels {
		if s.Full {
			break
		}
		l := &g.Levels[a]
		lo, hi := max(first, int(g.Start[l.base])), min(last, int(g.Start[l.base+l.Cells]))
		if lo >= hi {
			continue
		}
		for b := range g.Levels {
			s.searchLevel(l, &g.Levels[b], uint32(lo), uint32(hi), a <= b)
		}
		s.flush()
		if g.scan.cells != nil {
			g.scan.cells.searchResting(&s.List, g.Row[lo:hi])
		}
	}
}

// searchLevel searches level m for partners of the entries lo ≤ i < hi of level l, unless m has the
// smaller boxes. Of two levels of equal size, first selects one. So a large box is never entered in
// the cells of small boxes, and never searches through them.
func (s *scanner) searchLevel(l, m *Grid, lo, hi uint32, first bool) {
	if scale, other := l.Scale(), m.Scale(); scale > other || scale == other && !first {
		return
	}
	if c := s.g.scan.cells; c != nil {
		if l.Kind.IsFlat() && m.Kind.IsFlat() {
			return
		}
		if w := c.pairingOf(l.Kind, m.Kind); w != s.pairing {
			s.flush()
			s.pairing = w
		}
	}
	switch {
	case l == m && l.Hashed:
		s.searchHashed(l, lo, hi, true)
	case l == m:
		s.searchOwn(l, lo, hi)
	case m.Hashed:
		s.searchHashed(m, lo, hi, false)
	default:
		s.searchDense(m, lo, hi)
	}
}

// searchOwn searches the entries' own dense grid. An entry is compared with up to five runs: the
// rest of its line of cells, the next line, and three lines of the next layer. A box reaches at
// most into the next line and layer. Which of the five runs exist is unpredictable, so all are
// written, and the count advances by 0 or 1.
func (s *scanner) searchOwn(l *Grid, lo, hi uint32) {
	g := s.g
	start, nx := g.Start, uint32(l.nx)
	layer := nx * uint32(l.ny)
	cell, half := l.bits&63, (l.bits-fineX)&63
	for i := lo; i < hi && !s.Full; i++ {
		if len(s.spans)+5 > maxSpans {
			s.flush()
		}
		spans, n := (*[maxSpans]asm.LatticeSpan)(s.spans[:maxSpans]), len(s.spans)
		lower, upper := g.Lower[i], g.Upper[i]
		x0 := uint32(max(int(lower&lane)-l.back[0], 0)) >> half
		x1 := uint32(upper&lane)>>half + 1
		y := uint32(lower>>laneY&lane) >> cell
		z := uint32(lower>>laneZ) >> cell
		up := uint32(upper>>laneY&lane)>>cell - y
		over := uint32(upper>>laneZ&lane)>>cell - z
		down := min(y, 1)
		line := l.base + z*layer + y*nx
		above, next := line+up*nx, line+over*layer
		nextUp, nextDown := next+up*nx, next-down*nx
		ends := [5][2]uint32{
			{i + 1, start[line+x1]}, {start[above+x0], start[above+x1]}, {start[nextDown+x0], start[nextDown+x1]},
			{start[next+x0], start[next+x1]}, {start[nextUp+x0], start[nextUp+x1]},
		}
		there := [5]uint32{1, up, over & down, over, over & up}
		if all := length(ends[0]) | length(ends[1]) | length(ends[2]) | length(ends[3]) | length(ends[4]); all > longRun {
			for k, e := range ends {
				if there[k] != 0 {
					s.run(i, lower, upper, e[0], e[1])
				}
			}
			continue
		}
		n = put(spans, n, i, lower, upper, ends[0], there[0])
		n = put(spans, n, i, lower, upper, ends[1], there[1])
		n = put(spans, n, i, lower, upper, ends[2], there[2])
		n = put(spans, n, i, lower, upper, ends[3], there[3])
		n = put(spans, n, i, lower, upper, ends[4], there[4])
		s.spans = s.spans[:n]
	}
}

func length(ends [2]uint32) uint32 { return ends[1] - ends[0] }

// put writes a run as span n. It returns n+1 if the run exists (there is 1) and is not empty, else
// n.
func put(spans *[maxSpans]asm.LatticeSpan, n int, i uint32, lower, upper uint64, ends [2]uint32, there uint32) int {
	q := &spans[n&(maxSpans-1)]
	q.Lower, q.Upper, q.Lo, q.Hi, q.Of = lower, upper, ends[0], ends[1], i
	return n + int(there&((ends[0]-ends[1])>>31))
}

// searchDense searches a dense grid of larger boxes for partners of the entries lo ≤ i < hi.
func (s *scanner) searchDense(l *Grid, lo, hi uint32) {
	g, around := s.g, l.Around()
	for i := lo; i < hi && !s.Full; i++ {
		box := &g.Box[g.Row[i]]
		if !Overlap(box, &around) {
			continue
		}
		lower, upper := l.Corners(box)
		at := l.reachOf(lower, upper)
		for z := at.z0; z <= at.z1; z++ {
			for y := at.y0; y <= at.y1; y++ {
				line := l.line(y, z)
				s.run(i, lower, upper, g.Start[line+at.x0], g.Start[line+at.x1+1])
			}
		}
	}
}

// run appends the run lo ≤ entry < hi to the runs that entry i is compared with.
func (s *scanner) run(i uint32, lower, upper uint64, lo, hi uint32) {
	if lo >= hi {
		return
	}
	for {
		if len(s.spans) == cap(s.spans) {
			s.flush()
		}
		end := min(hi, lo+longRun)
		s.spans = append(s.spans, asm.LatticeSpan{Lower: lower, Upper: upper, Lo: lo, Hi: end, Of: i})
		if lo = end; lo == hi || s.Full {
			return
		}
	}
}

// flush compares the gathered runs, and lists the pairs that overlap.
func (s *scanner) flush() {
	g, pairing, cells := s.g, s.pairing, s.g.scan.cells
	for spans := s.spans; len(spans) > 0 && !s.Full; {
		done, n := asm.LatticeSpans(g.Lower, g.Upper, spans, s.span, s.other)
		count, shift, row, lower, upper := s.count, s.sorter.shift, g.Row, g.Lower, g.Upper
		at := len(s.pairs)
		pairs := slices.Grow(s.pairs, n)[:at+n]
		other := s.other[:n]
		for k, of := range s.span[:n] {
			q, j := &spans[of], other[k]
			p, r := row[q.Of], row[j]
			// The lattice decides all but a few pairs.
			if (q.Upper-lower[j]-asm.LatticeOnes)&(upper[j]-q.Lower-asm.LatticeOnes)&asm.LatticeGuards != asm.LatticeGuards &&
				!Overlap(&g.Box[p], &g.Box[r]) {
				continue
			}
			if pairing.check && !cells.mayPair(soa.Piece(p), soa.Piece(r)) {
				continue
			}
			a, b := pairing.order(p, r)
			pairs[at] = uint64(a)<<32 | uint64(b)
			at++
			count[a>>shift]++
		}
		s.pairs = pairs[:at]
		if at-s.told >= CountEvery {
			s.tell()
		}
		spans = spans[done:]
	}
	s.spans = s.spans[:0]
}

// order returns the searching row p and the row found r in the order in which the pair is stored.
// Which of two rows of one kind comes first is unpredictable, so order uses min and max, which do
// not branch.
func (w pairing) order(p, r uint32) (a, b uint32) {
	switch {
	case w.pieceOrder < 0:
		return p, r
	case w.pieceOrder > 0:
		return r, p
	}
	return min(p, r), max(p, r)
}

// searchHashed searches a hashed grid for partners of the entries. The grid is that of larger
// boxes, or the entries' own. In its own grid, an entry takes only later entries, because the
// earlier ones have searched for it.
func (s *scanner) searchHashed(l *Grid, lo, hi uint32, own bool) {
	around := l.Around()
	for i := lo; i < hi && !s.Full; i++ {
		box := &s.g.Box[s.g.Row[i]]
		if !Overlap(box, &around) {
			continue
		}
		from, to := l.cellsAround(box)
		for z := from.z; z <= to.z; z++ {
			for y := from.y; y <= to.y; y++ {
				first := l.place(from.x, y, z)
				n := min(uint32(to.x-from.x)+1, l.Cells)
				if over := int(first+n) - int(l.Cells); over > 0 {
					s.compareLine(l, i, 0, uint32(over), y, z, own)
					n -= uint32(over)
				}
				s.compareLine(l, i, first, first+n, y, z, own)
			}
		}
	}
}

// compareLine compares entry i with the entries of line (y, z) in the places first ≤ place < last
// of the table. Several lines may share places. If boxes overlap, compareLine checks the line of
// the entry found, so that no pair is found twice.
func (s *scanner) compareLine(l *Grid, i, first, last uint32, y, z int32, own bool) {
	g := s.g
	p := g.Row[i]
	box := &g.Box[p]
	lo, hi := g.Start[l.base+first], g.Start[l.base+last]
	if own {
		lo = max(lo, i+1)
	}
	for j := lo; j < hi && !s.Full; j++ {
		r := g.Row[j]
		if !Overlap(box, &g.Box[r]) {
			continue
		}
		if at := l.cellBelow(&g.Box[r].Min, 0); at.y != y || at.z != z {
			continue
		}
		if !s.pairing.check || g.scan.cells.mayPair(soa.Piece(p), soa.Piece(r)) {
			s.Add(s.pairing.order(p, r))
		}
	}
}
