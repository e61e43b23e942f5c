package broad

import (
	"slices"

	"github.com/scree-dem/scree/soa"
)

const (
	// pairBinBits: the pieces A of a bin of the first sorting pass.
	pairBinBits = 8
	maxPairBins = 1024
	// rankedRow is the longest row of one A that is sorted by counting, for each B, the smaller ones:
	// few branches to predict, and quadratic.
	rankedRow = 24
)

// pairShiftOf returns how far the index of a piece is shifted to its bin.
func pairShiftOf(pieces int) uint {
	shift := uint(pairBinBits)
	for (pieces-1)>>shift >= maxPairBins {
		shift++
	}
	return shift
}

// findPairs runs the scan, with the histogram of what it finds by bin of A.
func (c *Cells) findPairs() {
	c.pairShift = pairShiftOf(c.nPieces)
	chunks := chunksOf(len(c.piece))
	c.binsOf.reset(chunks.n, max(0, (c.nPieces-1)>>c.pairShift)+1)
	c.lists = resize(c.lists, max(chunks.n, len(c.lists)))
	c.listed.Store(0)
	c.over(len(c.piece), (*scanPass)(c))
}

// crowded says whether more pairs were found than the list may have.
func (c *Cells) crowded() bool { return c.listed.Load() > c.most }

// collect sorts the pairs of all lists by A, then B: by the high bits of A list by list, then each bin
// by A, then each row of one A by B. The outcome does not depend on the order within a list.
func (c *Cells) collect() {
	if c.crowded() {
		c.out.Resize(0)
		return
	}
	n := c.binsOf.offsets()
	c.keys = resize(c.keys, n)
	c.spare = resize(c.spare, n)
	c.out.Resize(n)
	c.run(c.chunk.n, (*gatherPass)(c))
	if n > 0 {
		c.run(c.binsOf.bins, (*sortPass)(c))
	}
}

// gatherPass moves the pairs of its lists to their bins.
type gatherPass Cells

func (p *gatherPass) Range(lo, hi, _ int) {
	c := (*Cells)(p)
	for k := lo; k < hi; k++ {
		at := c.binsOf.of(k)
		for _, key := range c.lists[k] {
			bin := key >> (32 + c.pairShift)
			c.keys[at[bin]] = key
			at[bin]++
		}
	}
}

// sortPass sorts its bins and writes them to the list.
type sortPass Cells

func (p *sortPass) Range(lo, hi, worker int) {
	c := (*Cells)(p)
	counts := c.work[worker].counts
	for bin := lo; bin < hi; bin++ {
		c.sortBin(bin, counts)
	}
}

func (c *Cells) sortBin(bin int, end []uint32) {
	first, last := c.binsOf.first[bin], c.binsOf.first[bin+1]
	if first == last {
		return
	}
	keys := c.keys[first:last]
	clear(end)
	mask := uint64(len(end) - 1)
	for _, key := range keys {
		end[key>>32&mask]++
	}
	at := first
	for k, n := range end {
		end[k] = at
		at += n
	}
	// Starts move up to ends.
	for _, key := range keys {
		k := key >> 32 & mask
		c.spare[end[k]] = soa.Piece(uint32(key))
		end[k]++
	}
	c.writeBin(soa.Piece(bin)<<c.pairShift, first, last, end)
}

// writeBin writes the rows of a bin, whose ends are given and whose first A is a, to rows first ≤ i < last
// of the list. Short rows, whose lengths nobody can predict, are written eight wide: what is written
// past a row lies within the bin, and the rows that follow write over it.
func (c *Cells) writeBin(a soa.Piece, first, last uint32, end []uint32) {
	rowA, rowB, expiry := c.out.A, c.out.B, c.out.Expiry[first:last]
	for i := range expiry {
		expiry[i] = soa.Expired
	}
	lo := first
	for k, hi := range end {
		a := a + soa.Piece(k)
		if hi-lo <= 8 && lo+8 <= last {
			sortEight((*[8]soa.Piece)(c.spare[lo:]), (*[8]soa.Piece)(rowB[lo:]), hi-lo)
			*(*[8]soa.Piece)(rowA[lo:]) = [8]soa.Piece{a, a, a, a, a, a, a, a}
		} else {
			sortRow(c.spare[lo:hi], rowB[lo:hi])
			for i := lo; i < hi; i++ {
				rowA[i] = a
			}
		}
		lo = hi
	}
}

// sortRow writes the pieces of one row, all different, to out in rising order.
func sortRow(row, out []soa.Piece) {
	if len(row) > rankedRow {
		copy(out, row)
		slices.Sort(out)
		return
	}
	for _, p := range row {
		rank := 0
		for _, q := range row {
			rank += int((uint64(q) - uint64(p)) >> 63)
		}
		out[rank] = p
	}
}

// sortEight writes the least n ≤ 8 of the pieces a, which are the first n of them, to out in rising
// order, followed by 8-n that mean nothing. A network of 19 comparators (Knuth 1998, 5.3.4): rows are
// short and of all lengths, which a loop would mispredict.
func sortEight(a, out *[8]soa.Piece, n uint32) {
	past := func(k uint32) soa.Piece { return soa.Piece(int32(n-1-k) >> 31) }
	a0, a1, a2, a3 := a[0], a[1]|past(1), a[2]|past(2), a[3]|past(3)
	a4, a5, a6, a7 := a[4]|past(4), a[5]|past(5), a[6]|past(6), a[7]|past(7)
	a0, a1 = min(a0, a1), max(a0, a1)
	a2, a3 = min(a2, a3), max(a2, a3)
	a4, a5 = min(a4, a5), max(a4, a5)
	a6, a7 = min(a6, a7), max(a6, a7)
	a0, a2 = min(a0, a2), max(a0, a2)
	a1, a3 = min(a1, a3), max(a1, a3)
	a4, a6 = min(a4, a6), max(a4, a6)
	a5, a7 = min(a5, a7), max(a5, a7)
	a1, a2 = min(a1, a2), max(a1, a2)
	a5, a6 = min(a5, a6), max(a5, a6)
	a0, a4 = min(a0, a4), max(a0, a4)
	a1, a5 = min(a1, a5), max(a1, a5)
	a2, a6 = min(a2, a6), max(a2, a6)
	a3, a7 = min(a3, a7), max(a3, a7)
	a2, a4 = min(a2, a4), max(a2, a4)
	a3, a5 = min(a3, a5), max(a3, a5)
	a1, a2 = min(a1, a2), max(a1, a2)
	a3, a4 = min(a3, a4), max(a3, a4)
	a5, a6 = min(a5, a6), max(a5, a6)
	*out = [8]soa.Piece{a0, a1, a2, a3, a4, a5, a6, a7}
}
