package broad

import (
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// RowLists gathers, for each row A, the rows B > A that it pairs with. There is one list per row,
// and rows may come in any order. So pairs need no sorting by A; only each list is sorted by B. The
// result is the same for any number of workers.
//
// Cost: 4 bytes per pair are written and read once. Memory: 12 bytes per row, and as many names as
// the fullest search so far had. RowLists allocates only to grow.
type RowLists struct {
	rows  []asm.NameList
	names []uint32   // of all chunks, each in its own region
	base  []uint32   // by chunk: start of its region; one more for the end
	long  [][]uint32 // by chunk: larger memory, if the chunk has outgrown its region
	used  []int      // by chunk: number of names
	found atomic.Int64
	most  int64
	chunk Chunking // of rows
	first []int    // by chunk of rows: its first pair
	a, b  []soa.Piece
}

// maxRegions bounds the initial length of all regions together. Together with the names of MaxPairs
// and an eighth more, it can be counted in 32 bits.
const maxRegions = 1 << 30

// Begin clears the lists. The search has the given numbers of rows and chunks, and its number of
// pairs is limited to most. The argument room is the number of names for which each chunk has
// memory at first.
func (s *RowLists) Begin(rows, chunks, room int, most int64) {
	room = min(room, maxRegions/max(chunks, 1))
	s.rows = Resize(s.rows, rows+asm.ListSlack)
	clear(s.rows[rows:])
	if len(s.base) != chunks+1 || chunks > 0 && int(s.base[1]) < room {
		s.used, s.long = Resize(s.used, chunks), Resize(s.long, chunks)
		for k := range s.used {
			s.used[k] = room
		}
		s.divide()
	}
	clear(s.long)
	s.most, s.chunk = most, ChunksOf(rows)
	s.first = Resize(s.first, s.chunk.N)
	s.found.Store(0)
}

// divide gives each chunk a region of the length in used.
func (s *RowLists) divide() {
	s.base = Resize(s.base, len(s.used)+1)
	at := 0
	for k, n := range s.used {
		s.base[k] = uint32(at)
		at += n
	}
	s.base[len(s.used)] = uint32(at)
	s.names = Resize(s.names, at+asm.ListSlack)
}

// List returns the memory for the lists of a chunk.
func (s *RowLists) List(chunk int) []uint32 { return s.names[s.base[chunk]:s.base[chunk+1]] }

// Grow returns a copy of list that is at least twice as long.
func (s *RowLists) Grow(list []uint32) []uint32 {
	list = slices.Grow(list[:len(list):len(list)], max(len(list), asm.ListSlack))
	return list[:cap(list)]
}

// Keep stores the memory of a chunk, of which the first n names are in use.
func (s *RowLists) Keep(chunk int, list []uint32, n int) {
	s.used[chunk] = n
	if len(list) > int(s.base[chunk+1]-s.base[chunk]) {
		s.long[chunk] = list
	}
}

// Rows returns the lists by row. A search must write each of them once. A list is Count names from
// index First on in the memory of its chunk.
func (s *RowLists) Rows() []asm.NameList { return s.rows }

// AddCount adds n to the count of all workers' pairs, and reports whether there are too many now.
func (s *RowLists) AddCount(n int) (full bool) { return s.found.Add(int64(n)) > s.most }

// Full reports whether more pairs were found than allowed.
func (s *RowLists) Full() bool { return s.found.Load() > s.most }

// Collect returns all pairs, sorted by A, then B, in the memory of a and b if it suffices. If there
// are too many pairs, it returns none.
func (s *RowLists) Collect(a, b []soa.Piece, pool *sched.Pool) (sortedA, sortedB []soa.Piece) {
	if s.Full() {
		return a[:0], b[:0]
	}
	s.gather()
	RunOn(pool, s.chunk.N, (*lengthPass)(s))
	n := 0
	for k, count := range s.first {
		s.first[k] = n
		n += count
	}
	s.a, s.b = Resize(a, n), Resize(b, n)
	RunOn(pool, s.chunk.N, (*listPass)(s))
	a, b = s.a, s.b
	s.a, s.b = nil, nil
	return a, b
}

// gather moves all names to the regions. If a chunk has outgrown its region, gather first enlarges
// the regions, so that the next search of such rows has room.
func (s *RowLists) gather() {
	if !slices.ContainsFunc(s.long, func(list []uint32) bool { return list != nil }) {
		return
	}
	for k := range s.long {
		if s.long[k] == nil {
			s.long[k] = s.List(k)
		}
	}
	s.names = nil // s.long still refers to parts of it
	least := int(s.base[1])
	needed := slices.Clone(s.used)
	for k, n := range s.used {
		s.used[k] = max(least, n+n/8+asm.ListSlack)
	}
	s.divide()
	for k, n := range needed {
		copy(s.List(k), s.long[k][:n])
	}
	clear(s.long)
}

// lengthPass counts the pairs of its chunks of rows.
type lengthPass RowLists

func (s *lengthPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := s.chunk.Span(k)
		n := 0
		for _, list := range s.rows[first:last] {
			n += int(list.Count)
		}
		s.first[k] = n
	}
}

// listPass writes the pairs of its chunks of rows. All but the longest lists are written in
// batches.
type listPass RowLists

func (s *listPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := s.chunk.Span(k)
		end := len(s.a)
		if k+1 < s.chunk.N {
			end = s.first[k+1]
		}
		at := s.first[k]
		rowA, rowB := s.a[:end], s.b[:end]
		for first < last {
			if first, at = asm.SortLists(s.names, s.base, s.rows, first, last, at, namesOf(rowA), namesOf(rowB)); first == last {
				break
			}
			list := s.rows[first]
			next := at + int(list.Count)
			sortRow(s.names[s.base[list.Chunk]+list.First:][:list.Count], rowB[at:next])
			for ; at < next; at++ {
				rowA[at] = soa.Piece(first)
			}
			first++
		}
	}
}
