package broad

import "github.com/scree-dem/scree/asm"

const (
	// cellBinBits: the first sorting pass has bins of 2^cellBinBits cells. A bin's part of the
	// table takes 32 KiB and stays in the first-level cache during the second pass.
	cellBinBits = 13
	maxCellBins = 1024
	// entryPad is how many entries the comparison reads beyond the last one.
	entryPad = 8
)

// record is a row on its way into its cell.
type record struct {
	lower, upper uint64
	cell, row    uint32
}

// Enter sorts the rows by cell in two passes of counting sort. The first pass sorts by the high
// bits of the cell, chunk by chunk. The second pass sorts each bin by the low bits. Both passes are
// stable, so the entries of a cell are in the order of rows. Cost: 24 bytes per row, written and
// read twice.
func (g *Grids) Enter() {
	n, cells := g.n(), g.Cells
	g.shift = cellBinBits
	for (cells-1)>>g.shift >= maxCellBins {
		g.shift++
	}
	g.binsOf.Reset(ChunksOf(n).N, max(0, (cells-1)>>g.shift)+1)
	g.corners, g.cell = Resize(g.corners, 2*n), Resize(g.cell, n)
	g.binned = Resize(g.binned, n)
	g.over((*cellPass)(g))
	g.binsOf.Offsets()
	g.over((*binPass)(g))
	g.Lower, g.Upper = Resize(g.Lower, n+entryPad), Resize(g.Upper, n+entryPad)
	g.Row = Resize(g.Row, n+entryPad)
	if g.OneDenseGrid {
		g.From, g.To = Resize(g.From, n), Resize(g.To, n)
	}
	for k := range g.Start[cells:] {
		g.Start[cells+k] = uint32(n)
	}
	if cells > 0 {
		RunOn(g.Pool, g.binsOf.Bins, (*placePass)(g))
	}
}

// cellPass finds the cell of each row of its chunks and counts the rows by bin.
type cellPass Grids

func (p *cellPass) Range(lo, hi, _ int) {
	g := (*Grids)(p)
	for k := lo; k < hi; k++ {
		first, last := g.chunk.Span(k)
		count := g.binsOf.Of(k)
		if !g.Subset && len(g.Levels) == 1 && !g.Levels[0].Hashed {
			g.cellsOfOne(first, last, count)
			continue
		}
		for i := first; i < last; i++ {
			row := g.row(i)
			box, l := &g.Box[row], &g.Levels[g.levelOf(row)]
			if l.Hashed {
				at := l.cellBelow(&box.Min, 0)
				g.cell[i] = l.base + l.place(at.x, at.y, at.z)
			} else {
				g.corners[2*i], g.corners[2*i+1] = l.Corners(box)
				g.cell[i] = l.cellOf(g.corners[2*i])
			}
			count[g.cell[i]>>g.shift]++
		}
	}
}

// cellsOfOne is cellPass for the rows first ≤ i < last, if all rows are in one dense grid.
func (g *Grids) cellsOfOne(first, last int, count []uint32) {
	l, shift := g.Levels[0], g.shift&31
	corners, cells := g.corners[2*first:2*last], g.cell[first:last]
	asm.LatticeCorners(g.Box[first:last], &l.LatticeFrame, corners)
	for i := range cells {
		cell := l.cellOf(corners[2*i])
		cells[i] = cell
		count[cell>>shift]++
	}
}

// binPass moves the records of its chunks to their bins.
type binPass Grids

func (p *binPass) Range(lo, hi, _ int) {
	g := (*Grids)(p)
	binned, shift := g.binned, g.shift&31
	for k := lo; k < hi; k++ {
		first, last := g.chunk.Span(k)
		at := g.binsOf.Of(k)
		cells, corners := g.cell[first:last], g.corners[2*first:2*last]
		for i, cell := range cells {
			bin := cell >> shift
			binned[at[bin]] = record{corners[2*i], corners[2*i+1], cell, uint32(g.row(first + i))}
			at[bin]++
		}
	}
}

// placePass sorts its bins by cell and writes their part of the table of cells.
type placePass Grids

func (p *placePass) Range(lo, hi, _ int) {
	g := (*Grids)(p)
	for bin := lo; bin < hi; bin++ {
		start := g.Start[bin<<g.shift : min((bin+1)<<g.shift, g.Cells)]
		first := g.binsOf.First[bin]
		in := g.binned[first:g.binsOf.First[bin+1]]
		clear(start)
		mask := uint32(1)<<g.shift - 1
		for i := range in {
			start[in[i].cell&mask]++
		}
		end := first
		for k, n := range start {
			end += n
			start[k] = end
		}
		// The loop runs backwards, so the end of each cell moves down to its start.
		lower, upper, row := g.Lower, g.Upper, g.Row
		for i := len(in) - 1; i >= 0; i-- {
			r := &in[i]
			at := start[r.cell&mask] - 1
			start[r.cell&mask] = at
			lower[at], upper[at], row[at] = r.lower, r.upper, r.row
		}
		if g.OneDenseGrid {
			g.reachAlong(int(first), int(first)+len(in))
		}
	}
}

// reachAlong writes From and To of the entries first ≤ i < last. From is the cell of the least
// lower corner that may overlap the entry's box. To is the cell after that of the box's upper
// corner.
func (g *Grids) reachAlong(first, last int) {
	l := &g.Levels[0]
	back, half := l.back[0], (l.bits-fineX)&63
	for i := first; i < last; i++ {
		g.From[i] = uint32(max(int(g.Lower[i]&lane)-back, 0)) >> half
		g.To[i] = uint32(g.Upper[i]&lane)>>half + 1
	}
}

// LinesOf returns the first cells of the line of entry i and of the eight lines around it, and the
// end of the entries of its line. OneDenseGrid must be set. For lines beyond the border it returns
// the extra empty line.
func (g *Grids) LinesOf(i int) (lines [9]uint32, end int) {
	l := &g.Levels[0]
	y := int(g.Lower[i]>>laneY&lane) >> (l.bits & 63)
	z := int(g.Lower[i]>>laneZ) >> (l.bits & 63)
	nz := g.Cells / (l.nx * l.ny)
	for k := range lines {
		lines[k] = uint32(g.Cells)
		if u, v := y+k%3-1, z+k/3-1; u >= 0 && u < l.ny && v >= 0 && v < nz {
			lines[k] = uint32(l.line(u, v))
		}
	}
	return lines, int(g.Start[l.line(y+1, z)])
}
