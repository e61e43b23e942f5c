package broad

import (
	"sync/atomic"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

const (
	// pairBinBits: a bin of the first sorting pass has at least 2^pairBinBits rows A.
	pairBinBits = 8
	maxPairBins = 1024
)

// pairShiftOf returns the number of bits by which a row is shifted to get its bin.
func pairShiftOf(rows int) uint {
	shift := uint(pairBinBits)
	for (rows-1)>>shift >= maxPairBins {
		shift++
	}
	return shift
}

// Sorter gathers pairs that workers find in any order, in a List each, and sorts them by A, then B. Each chunk of a
// search has its own list and its own counts, so the result is the same for any number of workers.
//
// Cost: each pair is written and read three times, 8 bytes each. Sorter allocates only to grow.
type Sorter struct {
	shift  uint         // from A to its bin
	lists  [][]uint64   // by chunk: the pairs found, A<<32 | B
	listed atomic.Int64 // pairs in lists, as far as workers have reported them
	most   int64        // largest number of pairs
	chunks int
	keys   []uint64    // the pairs of lists, binned by A
	spare  []soa.Piece // B of each pair, by bin and A
	binsOf Histogram
	work   []sortSpace
	pool   *sched.Pool
	a, b   []soa.Piece // set only during collect
}

// sortSpace holds the counts of one worker.
type sortSpace struct {
	counts []uint32
	_      [40]byte // keeps the data of two workers in different cache lines
}

// Begin clears the lists. The search has the given number of chunks. It may find pairs of rows
// below rows, and its number of pairs is limited to most.
func (s *Sorter) Begin(rows, chunks int, most int64, pool *sched.Pool) {
	s.shift, s.chunks, s.most, s.pool = pairShiftOf(rows), chunks, most, pool
	s.binsOf.Reset(chunks, max(0, (rows-1)>>s.shift)+1)
	s.lists = Resize(s.lists, max(chunks, len(s.lists)))
	s.listed.Store(0)
	s.work = Resize(s.work, max(WorkersOf(pool), len(s.work)))
	for i := range s.work {
		// Any worker may get any bin, so all workers allocate for the largest bin now.
		s.work[i].counts = Resize(s.work[i].counts, 1<<s.shift)
	}
}

// addCount adds n to the count of all workers' pairs, and reports whether there are too many now.
func (s *Sorter) addCount(n int) (full bool) { return s.listed.Add(int64(n)) > s.most }

// Full reports whether more pairs were found than allowed.
func (s *Sorter) Full() bool { return s.listed.Load() > s.most }

// collect returns the pairs of all lists, sorted by A, then B, in the memory of a and b if it
// suffices. It sorts by the high bits of A list by list, then each bin by A, then the pairs of each
// A by B. If there are too many pairs, collect returns none.
func (s *Sorter) collect(a, b []soa.Piece) (sortedA, sortedB []soa.Piece) {
	if s.Full() {
		return a[:0], b[:0]
	}
	n := s.binsOf.Offsets()
	s.keys, s.spare = Resize(s.keys, n), Resize(s.spare, n)
	s.a, s.b = Resize(a, n), Resize(b, n)
	RunOn(s.pool, s.chunks, (*gatherPass)(s))
	if n > 0 {
		RunOn(s.pool, s.binsOf.Bins, (*sortPass)(s))
	}
	a, b = s.a, s.b
	s.a, s.b, s.pool = nil, nil, nil
	return a, b
}

// Collect is collect for the pairs of a Method. It returns ErrTooManyPairs if there are too many.
func (s *Sorter) Collect(p *PairList) error {
	if p.A, p.B = s.collect(p.A, p.B); s.Full() {
		return ErrTooManyPairs
	}
	return nil
}

// gatherPass moves the pairs of its lists to their bins.
type gatherPass Sorter

func (s *gatherPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		at := s.binsOf.Of(k)
		for _, key := range s.lists[k] {
			bin := key >> (32 + s.shift)
			s.keys[at[bin]] = key
			at[bin]++
		}
	}
}

// sortPass sorts its bins and writes them.
type sortPass Sorter

func (s *sortPass) Range(lo, hi, worker int) {
	counts := s.work[worker].counts
	for bin := lo; bin < hi; bin++ {
		(*Sorter)(s).sortBin(bin, counts)
	}
}

func (s *Sorter) sortBin(bin int, end []uint32) {
	first, last := s.binsOf.First[bin], s.binsOf.First[bin+1]
	if first == last {
		return
	}
	keys := s.keys[first:last]
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
	// This loop moves each start up to its end.
	for _, key := range keys {
		k := key >> 32 & mask
		s.spare[end[k]] = soa.Piece(uint32(key))
		end[k]++
	}
	s.writeBin(soa.Piece(bin)<<s.shift, first, last, end)
}

// writeBin writes the pairs of a bin to places first ≤ i < last. a is the first A of the bin; end
// has the end of each A's row of pairs. Rows are short and their lengths unpredictable, so short
// rows are written eight wide. Elements written past a row lie within the bin, and the next rows
// overwrite them.
func (s *Sorter) writeBin(a soa.Piece, first, last uint32, end []uint32) {
	rowA, rowB := s.a, s.b
	lo := first
	for k, hi := range end {
		a := a + soa.Piece(k)
		if hi-lo <= 8 && lo+8 <= last {
			sortEight((*[8]soa.Piece)(s.spare[lo:]), (*[8]soa.Piece)(rowB[lo:]), hi-lo)
			*(*[8]soa.Piece)(rowA[lo:]) = [8]soa.Piece{a, a, a, a, a, a, a, a}
		} else {
			sortRow(s.spare[lo:hi], rowB[lo:hi])
			for i := lo; i < hi; i++ {
				rowA[i] = a
			}
		}
		lo = hi
	}
}
