package broad

import (
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// RowLists gathers, for each row A, the rows B > A that it is a pair with: one list a row, found
// in any order of rows. So no pair is sorted by A, only each list by B. The outcome is the same for
// any number of workers.
//
// Cost: 4 bytes a pair are written and read once. Memory: 12 bytes a row. It allocates only to
// grow.
type RowLists struct {
	rows  []rowList
	lists [][]uint32 // by chunk of the search
	found atomic.Int64
	most  int64
	chunk Chunking // of rows
	first []int    // by chunk of rows: its first pair
	a, b  []soa.Piece
}

// rowList is where the list of a row is.
type rowList struct{ chunk, first, count uint32 }

// Begin empties the lists: of rows that are found in the given number of chunks, at most most
// pairs.
func (s *RowLists) Begin(rows, chunks int, most int64) {
	s.rows = Resize(s.rows, rows)
	s.lists = Resize(s.lists, max(chunks, len(s.lists)))
	s.most, s.chunk = most, ChunksOf(rows)
	s.first = Resize(s.first, s.chunk.N)
	s.found.Store(0)
}

// List returns the memory for the lists of a chunk, of which at least room is there.
func (s *RowLists) List(chunk, room int) []uint32 {
	return s.Grow(s.lists[chunk], room)
}

// Grow returns a list with room for at least so many, all of whose capacity is in use.
func (s *RowLists) Grow(list []uint32, room int) []uint32 {
	if len(list) < room {
		list = slices.Grow(list[:len(list):len(list)], room-len(list))
	}
	return list[:cap(list)]
}

// Keep stores the memory of a chunk.
func (s *RowLists) Keep(chunk int, list []uint32) { s.lists[chunk] = list }

// Put says where the list of row a is: count names from first on. Each row is put once. Behind it
// the memory of its chunk has eight more.
func (s *RowLists) Put(a, chunk, first, count uint32) { s.rows[a] = rowList{chunk, first, count} }

// Tell adds n pairs to those of all workers, and says whether there are too many now.
func (s *RowLists) Tell(n int) (full bool) { return s.found.Add(int64(n)) > s.most }

// Full says whether more pairs were found than may be listed.
func (s *RowLists) Full() bool { return s.found.Load() > s.most }

// Collect returns all pairs by A, then B, in a and b, which it makes longer where needed. Of too
// many pairs it returns none.
func (s *RowLists) Collect(a, b []soa.Piece, pool *sched.Pool) (sortedA, sortedB []soa.Piece) {
	if s.Full() {
		return a[:0], b[:0]
	}
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

// lengthPass counts the pairs of its chunks of rows.
type lengthPass RowLists

func (s *lengthPass) Range(lo, hi, _ int) {
	for k := lo; k < hi; k++ {
		first, last := s.chunk.Span(k)
		n := 0
		for i := first; i < last; i++ {
			n += int(s.rows[i].count)
		}
		s.first[k] = n
	}
}

// listBatch is how many lists are brought near before they are sorted.
const listBatch = 32

// listPass writes the pairs of its chunks of rows. The lists of consecutive rows lie anywhere: they
// are copied first, which is so short that the processor waits for many of them at a time. Short
// ones are written eight wide, as Sorter.writeBin does.
type listPass RowLists

func (s *listPass) Range(lo, hi, _ int) {
	var near [listBatch][8]uint32
	for k := lo; k < hi; k++ {
		first, last := s.chunk.Span(k)
		end := len(s.a)
		if k+1 < s.chunk.N {
			end = s.first[k+1]
		}
		at := s.first[k]
		rowA, rowB := s.a[:end], s.b[:end]
		for ; first < last; first += listBatch {
			rows := s.rows[first:min(first+listBatch, last)]
			for i := range rows {
				r := &rows[i]
				near[i&(listBatch-1)] = *(*[8]uint32)(s.lists[r.chunk][r.first:])
			}
			for i := range rows {
				r, a := &rows[i], soa.Piece(first+i)
				next := at + int(r.count)
				if r.count <= 8 && at+8 <= end {
					sortEight(&near[i&(listBatch-1)], (*[8]soa.Piece)(rowB[at:]), r.count)
					*(*[8]soa.Piece)(rowA[at:]) = [8]soa.Piece{a, a, a, a, a, a, a, a}
				} else {
					sortRow(s.lists[r.chunk][r.first:][:r.count], rowB[at:next])
					for j := at; j < next; j++ {
						rowA[j] = a
					}
				}
				at = next
			}
		}
	}
}
