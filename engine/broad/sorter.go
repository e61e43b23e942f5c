package broad

import (
	"sync/atomic"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

const (
	// pairBinBits: the rows A of a bin of the first sorting pass.
	pairBinBits = 8
	maxPairBins = 1024
)

// pairShiftOf returns how far the index of a row is shifted to its bin.
func pairShiftOf(rows int) uint {
	shift := uint(pairBinBits)
	for (rows-1)>>shift >= maxPairBins {
		shift++
	}
	return shift
}

// Sorter gathers pairs that workers find in any order, and sorts them by A, then B. The chunks of
// a search each have a list and a row of counts, so the outcome is the same for any number of
// workers.
//
// Cost: a pair is written and read three times, 8 bytes each. It allocates only to grow.
type Sorter struct {
	Shift  uint         // of A, to its bin
	lists  [][]uint64   // by chunk: the pairs found, A<<32 | B
	listed atomic.Int64 // pairs in lists, as far as the workers have told
	most   int64        // pairs that may be listed
	chunks int
	keys   []uint64    // the same, binned by A
	spare  []soa.Piece // B of each pair, by bin and A
	binsOf Histogram
	work   []sortSpace
	pool   *sched.Pool
	a, b   []soa.Piece // only during Collect
}

// sortSpace is what one worker counts in.
type sortSpace struct {
	counts []uint32
	_      [40]byte // two workers never write to one cache line
}

// Begin empties the lists: of the given number of chunks, for pairs of the rows below rows, at
// most most.
func (s *Sorter) Begin(rows, chunks int, most int64, pool *sched.Pool) {
	s.Shift, s.chunks, s.most, s.pool = pairShiftOf(rows), chunks, most, pool
	s.binsOf.Reset(chunks, max(0, (rows-1)>>s.Shift)+1)
	s.lists = Resize(s.lists, max(chunks, len(s.lists)))
	s.listed.Store(0)
	workers := 1
	if pool != nil {
		workers = pool.Workers()
	}
	s.work = Resize(s.work, max(workers, len(s.work)))
	for i := range s.work {
		// Which worker meets which bin is chance; none of them may allocate for it later.
		s.work[i].counts = Resize(s.work[i].counts, 1<<s.Shift)
	}
}

// List returns the emptied list of a chunk, and its counts by bin of A. Each pair that is
// appended, as A<<32 | B, is counted in the bin A>>Shift. Keep stores the list when the chunk is
// done.
func (s *Sorter) List(chunk int) (list []uint64, count []uint32) {
	return s.lists[chunk][:0], s.binsOf.Of(chunk)
}

// Keep stores the list of a chunk.
func (s *Sorter) Keep(chunk int, list []uint64) { s.lists[chunk] = list }

// Tell adds n pairs to those of all workers, and reports whether there are too many now: then what is
// left need not be looked at. It is called once in a few thousand pairs.
func (s *Sorter) Tell(n int) (full bool) { return s.listed.Add(int64(n)) > s.most }

// Full reports whether more pairs were found than may be listed.
func (s *Sorter) Full() bool { return s.listed.Load() > s.most }

// Collect returns the pairs of all lists by A, then B, in a and b, which it makes longer where
// needed: by the high bits of A list by list, then each bin by A, then each row of one A by B. Of
// too many pairs it returns none.
func (s *Sorter) Collect(a, b []soa.Piece) (sortedA, sortedB []soa.Piece) {
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

// gatherPass moves the pairs of its lists to their bins.
type gatherPass Sorter

func (s *gatherPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		at := s.binsOf.Of(k)
		for _, key := range s.lists[k] {
			bin := key >> (32 + s.Shift)
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
	// Starts move up to ends.
	for _, key := range keys {
		k := key >> 32 & mask
		s.spare[end[k]] = soa.Piece(uint32(key))
		end[k]++
	}
	s.writeBin(soa.Piece(bin)<<s.Shift, first, last, end)
}

// writeBin writes the rows of a bin, whose ends are given and whose first A is a, to rows first ≤
// i < last of the list. Short rows, whose lengths nobody can predict, are written eight wide: what
// is written past a row lies within the bin, and the rows that follow write over it.
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
