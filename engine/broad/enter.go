package broad

import "github.com/scree-dem/scree/soa"

const (
	// noCell is the row of a piece that is not entered.
	noCell = ^uint32(0)
	// cellBinBits: the cells of a bin of the first sorting pass. Their part of the table stays in the
	// first-level cache during the second.
	cellBinBits = 9
	maxCellBins = 1024
)

// record is a piece on its way into its cell.
type record struct {
	lattice
	row   uint32
	piece soa.Piece
}

// enter sorts the pieces by the row of their cell, in two counting passes: by the high bits of the
// row chunk by chunk, then each bin by the rest. Both are stable, so entries of a cell are in the
// order of pieces. Cost: 24 bytes written and read twice a piece.
func (c *Cells) enter() {
	rows := len(c.start) - 1
	c.cellShift = cellBinBits
	for (rows-1)>>c.cellShift >= maxCellBins {
		c.cellShift++
	}
	chunks := ChunksOf(len(c.moving))
	c.binsOf.Reset(chunks.N, max(0, (rows-1)>>c.cellShift)+1)
	c.records = Resize(c.records, len(c.moving))
	c.overPieces(c.moving, (*cellPass)(c))

	n := c.binsOf.Offsets()
	c.binned = Resize(c.binned, n)
	// A sweep reads, and does not use, up to sweepWidth entries past the last.
	c.entry, c.piece = Resize(c.entry, n+sweepWidth), Resize(c.piece, n)
	c.run(chunks.N, (*binPass)(c))

	c.start[rows] = uint32(n)
	if rows > 0 {
		c.run(c.binsOf.Bins, (*placePass)(c))
	}
}

// cellPass finds the cell of each piece of its chunks and counts them by bin.
type cellPass Cells

func (p *cellPass) Range(lo, hi, _ int) {
	c := (*Cells)(p)
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		count := c.binsOf.Of(k)
		records := c.records[first:last]
		for i, piece := range c.rows[first:last] {
			r := &records[i]
			box := &c.cellExtent[piece]
			size, ok := sizeOf(box)
			if !ok {
				r.row = noCell
				continue
			}
			r.piece = piece
			s := &c.spaces[c.spaceAt[c.pieces.Kind[piece]][binOf(size)]]
			if s.hashed {
				at := s.cellAt(box.Min)
				r.lattice = at.lattice()
				r.row = s.hashRow(at)
			} else {
				x, y, z := s.corner(box.Min)
				r.lower = pack(x, y, z)
				r.row = s.row(int(x>>(quantaBits-fineX)), int(y>>quantaBits), int(z>>quantaBits))
				x, y, z = s.corner(box.Max)
				r.upper = pack(x, y, z) | guards
			}
			count[r.row>>c.cellShift]++
		}
	}
}

// binPass moves the records of its chunks to their bins.
type binPass Cells

func (p *binPass) Range(lo, hi, _ int) {
	c := (*Cells)(p)
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		at := c.binsOf.Of(k)
		for i := first; i < last; i++ {
			r := &c.records[i]
			if r.row == noCell {
				continue
			}
			bin := r.row >> c.cellShift
			c.binned[at[bin]] = *r
			at[bin]++
		}
	}
}

// placePass sorts its bins by cell and writes that part of the cell table.
type placePass Cells

func (p *placePass) Range(lo, hi, worker int) {
	c := (*Cells)(p)
	rows := len(c.start) - 1
	used := 0
	for bin := lo; bin < hi; bin++ {
		start := c.start[bin<<c.cellShift : min((bin+1)<<c.cellShift, rows)]
		first := c.binsOf.First[bin]
		in := c.binned[first:c.binsOf.First[bin+1]]
		clear(start)
		mask := uint32(1)<<c.cellShift - 1
		for i := range in {
			start[in[i].row&mask]++
		}
		end := first
		for k, n := range start {
			if n != 0 {
				used++
			}
			end += n
			start[k] = end
		}
		// From the back: each cell's end moves down to its start.
		for i := len(in) - 1; i >= 0; i-- {
			r := &in[i]
			at := start[r.row&mask] - 1
			start[r.row&mask] = at
			c.entry[at] = r.lattice
			c.piece[at] = r.piece
		}
	}
	c.work[worker].used += used
}
