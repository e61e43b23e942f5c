package multilevel

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/vec"
)

const (
	// binsPerOctave is how finely sizes are told apart when levels are chosen.
	binsPerOctave = 8
	sizeBins      = 2048 * binsPerOctave
	// leastBits: lattice steps across a cell, fine enough that one pair in 60 is compared in
	// float64. Grids of fewer cells have more: a coordinate has asm.LatticeLane bits.
	leastBits = 8
	// mostBits keeps what is rounded in the side of a box below a lattice step.
	mostBits = 16
	// maxAxis bounds the cells along an axis.
	maxAxis = 1 << (asm.LatticeLane - leastBits)
	// fineX halves cells along x: cells of a line are contiguous, and narrower ones cut what lies
	// beyond the box.
	fineX = 1
	// slack makes cells longer than any box in them by more than two lattice steps and any
	// rounding.
	slack = 1 + 1.0/64
	// flattest bounds how much shorter a cell is along one axis than along the longest.
	flattest = 4
	// cellsPerRow is the cells that a row of a level may cost: 32 bytes.
	cellsPerRow = 8
	// fullCell is the rows of a cell up to which smaller rows join a level. Lines of cells are
	// compared by eights.
	fullCell = 8
	// maxLevels is the levels that there may be: those of the least sizes share the last.
	maxLevels = 64
	// leastCell, m, keeps the reciprocal of the size of a cell finite.
	leastCell = 1e-150
	// hashReach bounds the cells of a hashed level along each axis, in both directions.
	hashReach = 1 << 30
)

// sizeOf returns the longest side of a box, m.
func sizeOf(b *vec.Box) float64 {
	size, y, z := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y, b.Max.Z-b.Min.Z
	if y > size {
		size = y
	}
	if z > size {
		size = z
	}
	return size
}

// binOf returns the size bin of a finite size ≥ 0: its exponent and first three bits.
func binOf(size float64) int { return int(math.Float64bits(size) >> 49 & (sizeBins - 1)) }

// bounds is what a grid needs to know of its boxes, m.
type bounds struct {
	n      int
	lo, hi vec.Vec3 // least and largest lower corner
	top    vec.Vec3 // largest upper corner
	size   vec.Vec3 // longest side along each axis
	least  int      // size bins
	most   int
}

var noBounds = bounds{
	least: sizeBins,
	lo:    vec.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)},
	hi:    vec.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
	top:   vec.Vec3{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)},
}

func (b *bounds) add(box *vec.Box) {
	b.n++
	widen(&b.lo.X, &b.hi.X, &b.top.X, &b.size.X, box.Min.X, box.Max.X)
	widen(&b.lo.Y, &b.hi.Y, &b.top.Y, &b.size.Y, box.Min.Y, box.Max.Y)
	widen(&b.lo.Z, &b.hi.Z, &b.top.Z, &b.size.Z, box.Min.Z, box.Max.Z)
}

// widen is bounds.add along one axis. Plain comparisons: nearly all of them change nothing, which
// the processor predicts.
func widen(lo, hi, top, size *float64, from, to float64) {
	if from < *lo {
		*lo = from
	}
	if from > *hi {
		*hi = from
	}
	if to > *top {
		*top = to
	}
	if to-from > *size {
		*size = to - from
	}
}

func (b *bounds) merge(o *bounds) {
	b.n += o.n
	b.least, b.most = min(b.least, o.least), max(b.most, o.most)
	b.lo, b.hi, b.top, b.size = b.lo.Min(o.lo), b.hi.Max(o.hi), b.top.Max(o.top), b.size.Max(o.size)
}

// level is the grid of the boxes within a factor of two in size. Cells are at least as long as the
// longest box, so whatever overlaps box e has its lower corner between the cell before that of e's
// lower corner and the cell of e's upper corner, along each axis.
type level struct {
	bounds
	hashed bool
	base   uint32 // its first cell
	cells  uint32

	asm.LatticeFrame        // of a hashed level From, and Step in cells per m
	back             [3]int // lattice steps below a lower corner where an overlapping one may lie
	nx, ny           int    // cells; nx counts half cells
	bits             uint   // lattice steps across a cell, as a power of two
}

// makeLevels divides the rows by size and chooses the grid of each level.
func (m *Method) makeLevels(r *broad.Rows) {
	m.over(r, (*sizePass)(m))
	all, count := m.work[0].all, &m.work[0].count
	for i := range m.work[1:] {
		w := &m.work[1+i]
		all.merge(&w.all)
		for bin := all.least; all.n > 0 && bin <= all.most; bin++ {
			count[bin] += w.count[bin]
		}
	}
	m.work[0].all = all // what is cleared before the next search
	lo, hi := all.lo, all.hi
	if len(r.Box) >= broad.FewRows {
		lo, hi = broad.Bulk(len(r.Box), func(i int) *vec.Box { return &r.Box[i] })
	}
	m.divide(count, &all, hi.Sub(lo))
	for i := range m.work {
		w := &m.work[i]
		w.levels = broad.Resize(w.levels, len(m.levels))
		for k := range w.levels {
			w.levels[k] = noBounds
		}
	}
	if len(m.levels) == 1 {
		m.work[0].levels[0] = all
	} else {
		m.over(r, (*boundsPass)(m))
	}
	base := uint32(0)
	for k := range m.levels {
		l := &m.levels[k]
		for i := range m.work {
			l.merge(&m.work[i].levels[k])
		}
		if l.choose(l.lo, l.hi); l.hashed {
			// A few rows that have flown off are entered at the border of the others' grid.
			if few := *l; len(r.Box) >= broad.FewRows && m.mostWithin(k, lo, hi) {
				if few.choose(l.lo.Max(lo), l.hi.Min(hi)); !few.hashed {
					*l = few
				}
			}
		}
		l.base = base
		base += l.cells
	}
	m.cells = int(base)
	m.start = broad.Resize(m.start, m.cells+1)
	if m.alone = len(m.levels) == 1 && !m.levels[0].hashed; m.alone {
		// One more line, which is empty.
		m.start = broad.Resize(m.start, m.cells+m.levels[0].nx+1)
	}
}

// mostWithin says whether most boxes of a level have their lower corner between two corners.
func (m *Method) mostWithin(level int, lo, hi vec.Vec3) bool {
	n := 0
	for i := range m.box {
		if box := &m.box[i]; int(m.at[binOf(sizeOf(box))]) == level && broad.Between(box.Min, lo, hi) {
			n++
		}
	}
	return broad.Most(n, m.levels[level].n)
}

// sizePass counts the rows of its chunks by size, and gathers their bounds.
type sizePass Method

func (m *sizePass) Range(lo, hi, worker int) {
	w := &m.work[worker]
	count, all := &w.count, &w.all
	for k := lo; k < hi; k++ {
		first, last := m.chunk.Span(k)
		for i := first; i < last; i++ {
			box := &m.box[i]
			bin := binOf(sizeOf(box))
			count[bin]++
			all.least, all.most = min(all.least, bin), max(all.most, bin)
			all.add(box)
		}
	}
}

// divide makes the levels from the largest size down. A level begins at the largest size not yet
// in one, so sizes that lie together are kept together wherever they are on the scale. Smaller
// octaves join it as long as its cells, or its large rows where these are fewer, stand for at
// least one in fullCell of its rows: a longer run costs less than another level to look at.
func (m *Method) divide(count *[sizeBins]uint32, all *bounds, span vec.Vec3) {
	m.levels = m.levels[:0]
	rows, most := 0.0, 0.0 // of the level, and the most that it may have
	for top := all.most; all.n > 0 && top >= all.least; {
		if count[top] == 0 {
			top--
			continue
		}
		octave := 0.0
		for bin := top; bin > top-binsPerOctave && bin >= 0; bin-- {
			octave += float64(count[bin])
		}
		if rows += octave; len(m.levels) == 0 || rows > most && len(m.levels) < maxLevels {
			m.levels = append(m.levels, level{bounds: noBounds})
			size := math.Float64frombits(uint64(top+1) << 49)
			cells := (span.X/size + 1) * (span.Y/size + 1) * (span.Z/size + 1)
			if !(cells <= octave) {
				cells = octave
			}
			rows, most = octave, fullCell*cells
		}
		for bin := top; bin > top-binsPerOctave && bin >= 0; bin-- {
			m.at[bin] = uint8(len(m.levels) - 1)
		}
		top -= binsPerOctave
	}
}

// boundsPass gathers the bounds of each level.
type boundsPass Method

func (m *boundsPass) Range(lo, hi, worker int) {
	levels := m.work[worker].levels
	for k := lo; k < hi; k++ {
		first, last := m.chunk.Span(k)
		for i := first; i < last; i++ {
			box := &m.box[i]
			levels[m.at[binOf(sizeOf(box))]].add(box)
		}
	}
}

// choose sets the grid for lower corners between two corners, what lies beyond is entered at the
// border. It is hashed where there would be too many cells.
func (l *level) choose(lo, hi vec.Vec3) {
	longest := max(max(l.size.X, l.size.Y, l.size.Z)*slack, leastCell)
	size := func(side float64) float64 { return max(side*slack, longest/flattest) }
	cell := vec.Vec3{X: size(l.size.X), Y: size(l.size.Y), Z: size(l.size.Z)}
	nx := math.Floor((hi.X-lo.X)/cell.X) + 1
	ny := math.Floor((hi.Y-lo.Y)/cell.Y) + 1
	nz := math.Floor((hi.Z-lo.Z)/cell.Z) + 1
	l.From = [3]float64{lo.X, lo.Y, lo.Z}
	// A span that overflowed makes the product infinite or NaN, and the comparisons false.
	l.hashed = !(float64(nx*ny*nz)*(1<<fineX) <= float64(cellsPerRow*l.n+64) && nx <= maxAxis && ny <= maxAxis && nz <= maxAxis)
	if l.hashed {
		l.Step = [3]float64{1 / cell.X, 1 / cell.Y, 1 / cell.Z}
		// A line of cells may run over the end by the cells of a box and two more.
		l.cells = 1 << max(4, bits.Len(uint(2*l.n-1)))
		return
	}
	l.bits = min(asm.LatticeLane-uint(bits.Len(uint(max(nx, ny, nz)-1))), mostBits)
	quanta := float64(uint(1) << l.bits)
	l.Step = [3]float64{quanta / cell.X, quanta / cell.Y, quanta / cell.Z}
	l.nx, l.ny = int(nx)<<fineX, int(ny)
	l.cells = uint32(l.nx * l.ny * int(nz))
	l.Last = [3]float64{float64(nx*quanta) - 1, float64(ny*quanta) - 1, float64(nz*quanta) - 1}
	// The longest side, rounded up, and one step because the lower corner was rounded down.
	l.back = [3]int{
		int(math.Ceil(l.size.X*l.Step[0])) + 1,
		int(math.Ceil(l.size.Y*l.Step[1])) + 1,
		int(math.Ceil(l.size.Z*l.Step[2])) + 1,
	}
}

// cell is the coordinates of a cell of a hashed level.
type cell struct{ x, y, z int32 }

func hashAxis(x, from, perMetre, part float64) int32 {
	t := math.Floor(float64((x-from)*perMetre) - part)
	if !(t > -hashReach) {
		return -hashReach
	}
	if t >= hashReach {
		return hashReach
	}
	return int32(t)
}

// cellBelow returns the cell of a hashed level that holds the point the given part of a cell below
// p along each axis.
func (l *level) cellBelow(p *vec.Vec3, part float64) cell {
	return cell{
		hashAxis(p.X, l.From[0], l.Step[0], part),
		hashAxis(p.Y, l.From[1], l.Step[1], part),
		hashAxis(p.Z, l.From[2], l.Step[2], part),
	}
}

// place returns where cell (x, y, z) lies in the table of a hashed level. Lines along x stay
// together. The multipliers are odd, from the golden ratio and the square root of 2.
func (l *level) place(x, y, z int32) uint32 {
	h := uint64(uint32(y))*0x9e3779b97f4a7c15 ^ uint64(uint32(z))*0x6a09e667f3bcc909
	h ^= h >> 29
	h *= 0x9e3779b97f4a7c15
	return (uint32(h>>32) + uint32(x)) & (l.cells - 1)
}
