package broad

import (
	"math"
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// quanta is the number of lattice steps across a cell: fine enough that one candidate in 60 needs its
	// extents compared in float64, coarse enough that maxAxis cells fit laneBits.
	quantaBits = 8
	quanta     = 1 << quantaBits
	maxAxis    = 1 << (laneBits - quantaBits)
	// fineX halves cells along x: cells of a row are contiguous, so narrower ones cost no look-ups and
	// cut what lies beyond the extent.
	fineX = 1
	// slack makes cells longer than any extent in them by more than two lattice steps and any rounding.
	slack = 1 + 1.0/64
	// flattest bounds how much shorter a cell is along one axis than along the longest. Without it, a
	// floor in a world of rocks would have layers of cells far thinner than a rock.
	flattest = 4
	// densePerPiece is the rows of table a piece of a space may cost before the space is hashed: 32 bytes.
	densePerPiece = 8
	// sharedPerPiece is the rows all pieces together may cost beyond that. They go to the largest sizes
	// first, which need few rows, have few pieces, and are looked into by everything smaller.
	sharedPerPiece = 4
	// hashedCells is the inverse of how many times longer the cells of a hashed space are. Each look-up is a
	// load from anywhere in the table, so few look-ups with more entries each are better: of cells
	// twice as long an extent looks into two along each axis, not three.
	hashedCells = 0.5
	// hashReach bounds the cells of a hashed space along each axis, in both directions. What lies beyond
	// is entered in the last cell, which is right and only slow.
	hashReach = 1 << 30
	// leastCell, m, keeps the reciprocal of a cell's size finite.
	leastCell = 1 / maxExtent
)

// space is one cell space: the pieces of one kind whose cell extents lie within a factor of two in
// size. A piece is entered in one cell, that of its lower corner. Cells are at least as long as the
// longest extent (those of a hashed space twice as long), so whatever overlaps extent e has its lower corner between the cell before
// that of e's lower corner and the cell of e's upper corner, along each axis.
//
// A dense space is a table of nx·ny·nz cells, x fastest. A hashed one has a power of two of
// rows, and a cell lies in the row its coordinates hash to.
type space struct {
	bounds
	kind   soa.Kind
	hashed bool
	base   uint32 // its first row of the cell table
	rows   uint32

	from       vec.Vec3  // origin of the lattice, m
	step       vec.Vec3  // lattice steps per m; of a hashed space cells per m
	back       [3]int    // lattice steps below a lower corner where an overlapping one may lie
	last       [3]uint64 // highest lattice coordinate
	nx, ny, nz int       // cells; nx counts half cells
	hashShift  uint
}

// pairs says whether entries of a are looked up among those of b: the smaller looks among the larger,
// so that a large extent is never entered in, nor looks through, the cells of small ones.
func (c *Cells) pairs(a, b int) bool {
	s, t := &c.spaces[a], &c.spaces[b]
	if s.kind == soa.Facet && t.kind == soa.Facet {
		return false
	}
	m, n := s.scale(), t.scale()
	return m < n || m == n && a <= b
}

// makeSpaces divides the pieces of each kind by size and chooses the grid of each space.
func (c *Cells) makeSpaces() {
	c.spaces = c.spaces[:0]
	levels := [soa.NKinds]int{}
	for kind := range soa.NKinds {
		all := noBounds
		used := &c.binsUsed[kind]
		clear(used[:])
		for i := range c.work {
			all.merge(&c.work[i].kinds[kind])
			for k, word := range c.work[i].bins[kind] {
				used[k] |= word
			}
		}
		c.kinds[kind] = all
		levels[kind] = c.divide(kind)
	}
	if slices.Max(levels[:]) > 1 {
		c.measure()
	} else {
		// One space a kind: the bounds of the kind are its own.
		for i := range c.spaces {
			c.spaces[i].bounds = c.kinds[c.spaces[i].kind]
		}
	}
	base := uint32(0)
	shared := float64(sharedPerPiece * len(c.moving))
	for i := range c.spaces {
		s := &c.spaces[i]
		s.base = base
		taken := s.choose(shared, s.lo, s.hi)
		if s.hashed && s.n >= FewRows {
			// A few pieces that have flown off are entered at the border of the others' grid.
			lo, hi := Bulk(len(c.moving), func(i int) *vec.Box { return &c.cellExtent[c.moving[i]] })
			if c.mostWithin(i, lo, hi) {
				few := *s
				if took := few.choose(shared, few.lo.Max(lo), few.hi.Min(hi)); !few.hashed {
					*s, taken = few, took
				}
			}
		}
		shared -= taken
		base += s.rows
	}
	c.start = Resize(c.start, int(base)+1)
}

// mostWithin says whether most pieces of a space have their lower corner between two corners.
func (c *Cells) mostWithin(space int, lo, hi vec.Vec3) bool {
	s, n := &c.spaces[space], 0
	for _, i := range c.moving {
		if box := &c.cellExtent[i]; c.pieces.Kind[i] == s.kind && Between(box.Min, lo, hi) {
			if size, ok := sizeOf(box); ok && int(c.spaceAt[s.kind][binOf(size)]) == space {
				n++
			}
		}
	}
	return Most(n, s.n)
}

// divide makes the spaces of a kind, from the largest size down, and returns their number. A space
// begins at the largest size not yet in one, so sizes that lie together are kept together wherever
// they are on the scale.
func (c *Cells) divide(kind soa.Kind) int {
	used := &c.binsUsed[kind]
	n, top := 0, 0
	for k := len(used) - 1; k >= 0; k-- {
		for word := used[k]; word != 0; {
			low := 63 - bits.LeadingZeros64(word)
			word &^= 1 << low
			bin := k<<6 + low
			if n == 0 || bin <= top-binsPerOctave {
				c.spaces = append(c.spaces, space{kind: kind, bounds: noBounds})
				n++
				top = bin
			}
			c.spaceAt[kind][bin] = uint16(len(c.spaces) - 1)
		}
	}
	return n
}

// measure gathers the bounds of every space when some kind has several.
func (c *Cells) measure() {
	for i := range c.work {
		w := &c.work[i]
		w.spaces = Resize(w.spaces, len(c.spaces))
		for k := range w.spaces {
			w.spaces[k] = noBounds
		}
	}
	c.overPieces(c.moving, (*measurePass)(c))
	for i := range c.work {
		for k := range c.spaces {
			c.spaces[k].merge(&c.work[i].spaces[k])
		}
	}
}

type measurePass Cells

func (p *measurePass) Range(lo, hi, worker int) {
	c := (*Cells)(p)
	w := &c.work[worker]
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		for _, i := range c.rows[first:last] {
			box := &c.cellExtent[i]
			size, ok := sizeOf(box)
			if !ok {
				continue
			}
			fixed := c.state[c.pieces.Body[i]]&prescribed != 0
			w.spaces[c.spaceAt[c.pieces.Kind[i]][binOf(size)]].add(box, fixed, c.clumped(int(i)))
		}
	}
}

// choose sets the grid for lower corners from lo to hi; what lies beyond is entered at its border: a dense table where the pieces fill enough of their bounds or the rows are
// not more than are left to share, else a hashed one. It returns how many of the shared rows it took.
func (s *space) choose(shared float64, lo, hi vec.Vec3) (taken float64) {
	s.from = lo
	longest := max(s.scale()*slack, leastCell)
	size := func(side float64) float64 { return max(side*slack, longest/flattest) }
	cell := vec.Vec3{X: size(s.size.X), Y: size(s.size.Y), Z: size(s.size.Z)}
	nx := math.Floor((hi.X-lo.X)/cell.X) + 1
	ny := math.Floor((hi.Y-lo.Y)/cell.Y) + 1
	nz := math.Floor((hi.Z-lo.Z)/cell.Z) + 1
	// A span that overflowed makes the product infinite or NaN, and the comparisons false.
	rows := float64(nx*ny*nz) * (1 << fineX)
	own := rows <= float64(densePerPiece*s.n+64)
	s.hashed = !((own || rows <= shared) && nx <= maxAxis && ny <= maxAxis && nz <= maxAxis)
	if s.hashed {
		s.step = vec.Vec3{X: hashedCells / cell.X, Y: hashedCells / cell.Y, Z: hashedCells / cell.Z}
		log := uint(max(4, bits.Len(uint(2*s.n-1))))
		s.rows = 1 << log
		s.hashShift = 64 - log
		return 0
	}
	s.step = vec.Vec3{X: quanta / cell.X, Y: quanta / cell.Y, Z: quanta / cell.Z}
	s.nx, s.ny, s.nz = int(nx)<<fineX, int(ny), int(nz)
	s.rows = uint32(s.nx * s.ny * s.nz)
	s.last = [3]uint64{uint64(nx)*quanta - 1, uint64(ny)*quanta - 1, uint64(nz)*quanta - 1}
	// The longest side, rounded up, and one step because the lower corner was rounded down. Never more
	// than a cell: slack is over two steps.
	s.back = [3]int{
		int(math.Ceil(s.size.X*s.step.X)) + 1,
		int(math.Ceil(s.size.Y*s.step.Y)) + 1,
		int(math.Ceil(s.size.Z*s.step.Z)) + 1,
	}
	if own {
		return 0
	}
	return rows
}
