package broad

import "math"

// Balls without periods are the most frequent input. Their rows are read once before the search,
// and once for each pair of overlapping boxes after it.

// plainBalls reports whether the rows are balls without periods. Their centres are then used
// directly, without moving them into a domain.
func (f *Finder) plainBalls(s *Input) bool { return s.Box == nil && s.Periodic == [3]bool{} }

// checkPass checks whether the rows of its chunks can be searched, and makes the boxes of bare
// balls.
type checkPass Finder

func (p *checkPass) Range(lo, hi, _ int) {
	f := (*Finder)(p)
	first, last := f.chunk.Spans(lo, hi)
	right := true
	if f.plainBalls(f.set) {
		right = f.aroundBalls(first, last)
	} else {
		for i := first; i < last; i++ {
			right = f.set.searchable(i) && right
		}
	}
	if !right {
		f.wrong.Store(true)
	}
}

// aroundBalls makes the boxes of plain balls, for rows first ≤ k < last of the search, and reports
// whether all can be searched. The boxes are those that Set.around returns.
func (f *Finder) aroundBalls(first, last int) bool {
	s, boxes, right := f.set, f.boxes[:last], true
	half := s.halfSkin()
	for k := first; k < last; k++ {
		i := f.rowOf(k)
		c, r, box := &s.Centre[i], s.Radius[i], &boxes[k]
		grow := half + r
		right = right && math.Abs(c.X) <= maxPlace && math.Abs(c.Y) <= maxPlace && math.Abs(c.Z) <= maxPlace && r >= minRadius && r <= maxPlace
		box.Min.X, box.Max.X = roundedOut(c.X, c.X, grow)
		box.Min.Y, box.Max.Y = roundedOut(c.Y, c.Y, grow)
		box.Min.Z, box.Max.Z = roundedOut(c.Z, c.Z, grow)
	}
	return right
}

// chooseBalls keeps the pairs of plain balls that the set's test accepts. Each chunk keeps its
// pairs in place; join then moves them together.
func (f *Finder) chooseBalls(s *Input) {
	n := f.pairs.Len()
	if f.chunk = ChunksOf(n); s.Pool == nil {
		f.chunk = Chunking{Rows: n, Size: n, N: min(n, 1)} // one chunk, so join has nothing to move
	}
	f.set, f.kept = s, Resize(f.kept, f.chunk.N)
	RunOn(s.Pool, f.chunk.N, (*ballPass)(f))
	f.set = nil
	f.pairs.join(&f.chunk, f.kept)
}

// ballPass keeps those pairs of its chunks that are balls within reach of each other. Whether a
// pair passes is unpredictable, so each pair is written, and the count advances by 0 or 1.
type ballPass Finder

func (p *ballPass) Range(lo, hi, _ int) {
	f := (*Finder)(p)
	s := f.set
	for chunk := lo; chunk < hi; chunk++ {
		first, last := f.chunk.Span(chunk)
		a, b := f.pairs.A[first:last], f.pairs.B[first:last]
		n := 0
		for k, one := range a {
			other := b[k]
			i, j := f.rowOf(int(one)), f.rowOf(int(other))
			near := 0
			if ballsMeet(s.Centre[i].Sub(s.Centre[j]), s.Radius[i]+s.Radius[j]+s.Skin) {
				near = 1
			}
			a[n], b[n] = one, other
			n += near
		}
		f.kept[chunk] = n
	}
}
