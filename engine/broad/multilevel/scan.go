package multilevel

import (
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

const (
	// maxSpans is the runs of entries that are gathered before they are compared: 16 KiB.
	maxSpans = 512
	// maxHits is the overlaps that one comparison may find: 32 KiB.
	maxHits = 4096
	// longRun is the longest run that is compared at once.
	longRun = maxHits/2 - 1
	// tellAt is how many pairs a worker finds before it tells the others.
	tellAt = 4096
)

// scanPass finds the pairs of the entries of its chunks. Of two entries of one level the one in
// the earlier cell, or earlier in the cell, looks for the other; of two levels the smaller one
// looks among the larger.
type scanPass Method

func (m *scanPass) Range(lo, hi, worker int) {
	w := &m.work[worker]
	s := scanner{m: (*Method)(m), spans: w.spans[:0], span: w.span, other: w.other, full: m.sorter.Full()}
	for k := lo; k < hi; k++ {
		s.chunk(k)
	}
}

// scanner is the state of one worker.
type scanner struct {
	m           *Method
	spans       []asm.LatticeSpan
	span, other []uint32
	list        []uint64
	told        int
	count       []uint32
	full        bool // there are more pairs than a list may have: what is left is not looked at
}

func (s *scanner) chunk(k int) {
	m := s.m
	first, last := m.chunk.Span(k)
	s.told = 0
	s.list, s.count = m.sorter.List(k)
	for a := range m.levels {
		l := &m.levels[a]
		lo := max(first, int(m.start[l.base]))
		hi := min(last, int(m.start[l.base+l.cells]))
		if lo >= hi {
			continue
		}
		if l.hashed {
			s.ownHashed(l, uint32(lo), uint32(hi))
		} else {
			s.own(l, uint32(lo), uint32(hi))
		}
		for b := range a {
			if m.levels[b].hashed {
				s.amongHashed(&m.levels[b], uint32(lo), uint32(hi))
			} else {
				s.among(&m.levels[b], uint32(lo), uint32(hi))
			}
		}
		s.flush()
	}
	s.tell()
	m.sorter.Keep(k, s.list)
}

// own looks up entries in their own grid: the rest of the line from the entry on, the line above,
// and three lines of the layer above, as far as the box goes, which is the next line and layer at
// most. Which of the five there are is chance, so all are written, and the count moves on by 0 or
// 1.
func (s *scanner) own(l *level, lo, hi uint32) {
	m := s.m
	start, nx := m.start, uint32(l.nx)
	layer := nx * uint32(l.ny)
	cell, half := l.bits&63, (l.bits-fineX)&63
	for i := lo; i < hi && !s.full; i++ {
		if len(s.spans)+5 > maxSpans {
			s.flush()
		}
		spans, n := (*[maxSpans]asm.LatticeSpan)(s.spans[:maxSpans]), len(s.spans)
		lower, upper := m.lower[i], m.upper[i]
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
					s.add(i, lower, upper, e[0], e[1])
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

// put writes a run as span n, and returns n+1 if it is there and not empty, else n.
func put(spans *[maxSpans]asm.LatticeSpan, n int, i uint32, lower, upper uint64, ends [2]uint32, there uint32) int {
	q := &spans[n&(maxSpans-1)]
	q.Lower, q.Upper, q.Lo, q.Hi, q.Of = lower, upper, ends[0], ends[1], i
	return n + int(there&((ends[0]-ends[1])>>31))
}

// among looks up entries in the grid of larger boxes.
func (s *scanner) among(l *level, lo, hi uint32) {
	m := s.m
	start := m.start
	cell, half := l.bits&63, (l.bits-fineX)&63
	for i := lo; i < hi && !s.full; i++ {
		box := &m.box[m.row[i]]
		if !near(box, l) {
			continue
		}
		lower, upper := l.Corners(box)
		x0 := max(int(lower&lane)-l.back[0], 0) >> half
		x1 := int(upper&lane) >> half
		y0, y1 := max(int(lower>>laneY&lane)-l.back[1], 0)>>cell, int(upper>>laneY&lane)>>cell
		z0, z1 := max(int(lower>>laneZ)-l.back[2], 0)>>cell, int(upper>>laneZ&lane)>>cell
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				line := int(l.base) + (z*l.ny+y)*l.nx
				s.add(i, lower, upper, start[line+x0], start[line+x1+1])
			}
		}
	}
}

// near says whether a box may overlap one of a level.
func near(box *vec.Box, l *level) bool {
	return box.Max.X >= l.lo.X && box.Min.X <= l.top.X &&
		box.Max.Y >= l.lo.Y && box.Min.Y <= l.top.Y &&
		box.Max.Z >= l.lo.Z && box.Min.Z <= l.top.Z
}

// add appends the run lo ≤ entry < hi to those that entry i is compared with.
func (s *scanner) add(i uint32, lower, upper uint64, lo, hi uint32) {
	if lo >= hi {
		return
	}
	for {
		if len(s.spans) == cap(s.spans) {
			s.flush()
		}
		end := min(hi, lo+longRun)
		s.spans = append(s.spans, asm.LatticeSpan{Lower: lower, Upper: upper, Lo: lo, Hi: end, Of: i})
		if lo = end; lo == hi || s.full {
			return
		}
	}
}

// flush compares what was gathered, and lists the pairs that overlap.
func (s *scanner) flush() {
	m := s.m
	for spans := s.spans; len(spans) > 0 && !s.full; {
		done, n := asm.LatticeSpans(m.lower, m.upper, spans, s.span, s.other)
		count, shift, row, lower, upper := s.count, m.sorter.Shift, m.row, m.lower, m.upper
		at := len(s.list)
		list := slices.Grow(s.list, n)[:at+n]
		other := s.other[:n]
		for k, of := range s.span[:n] {
			q, j := &spans[of], other[k]
			p, r := row[q.Of], row[j]
			// The lattice settles all but a few.
			if (q.Upper-lower[j]-asm.LatticeOnes)&(upper[j]-q.Lower-asm.LatticeOnes)&asm.LatticeGuards != asm.LatticeGuards &&
				!overlap(&m.box[p], &m.box[r]) {
				continue
			}
			a, b := min(p, r), max(p, r)
			list[at] = uint64(a)<<32 | uint64(b)
			at++
			count[a>>shift]++
		}
		s.list = list[:at]
		if at-s.told >= tellAt {
			s.tell()
		}
		spans = spans[done:]
	}
	s.spans = s.spans[:0]
}

// tell adds the newest pairs to those of all workers.
func (s *scanner) tell() {
	s.full = s.m.sorter.Tell(len(s.list) - s.told)
	s.told = len(s.list)
}

// overlap is Box.Overlaps without the copies.
func overlap(a, b *vec.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}
