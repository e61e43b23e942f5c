package asm

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/internal/backends"
)

const listChunks = 3

// nameLists is lists of a few consecutive chunks.
type nameLists struct {
	names, base []uint32
	lists       []NameList
}

// newNameLists returns n lists of all relevant lengths. The names of a list differ.
func newNameLists(s *source, n int) *nameLists {
	c := &nameLists{lists: make([]NameList, n+ListSlack)}
	var chunks [listChunks][]uint32
	for i := range n {
		k := uint32(s.byte()) % listChunks
		c.lists[i] = NameList{Chunk: k, First: uint32(len(chunks[k])), Count: uint32(s.byte()) % (longList + 2)}
		if s.byte() > 8 {
			c.lists[i].Count %= longList + 1
		}
		for j := range c.lists[i].Count {
			name := uint32(s.byte())<<8 | j
			if s.byte() == 0 {
				name = ^name
			}
			chunks[k] = append(chunks[k], name)
		}
	}
	for _, names := range chunks {
		c.base = append(c.base, uint32(len(c.names)))
		c.names = append(c.names, names...)
	}
	c.names = append(c.names, make([]uint32, ListSlack)...)
	return c
}

func checkSortLists(t *testing.T, s *source, n int) {
	t.Helper()
	c := newNameLists(s, n)
	first := int(s.byte()) % (n + 1)
	last := first + int(s.byte())%(n-first+1)
	at := int(s.byte()) % 4
	room := at + int(s.byte())
	wantA, wantB, done := make([]uint32, at), make([]uint32, at), first
	for ; done < last; done++ {
		l := c.lists[done]
		if l.Count > longList || room-len(wantB) < longList {
			break
		}
		list := slices.Clone(c.names[c.base[l.Chunk]+l.First:][:l.Count])
		slices.Sort(list)
		wantB = append(wantB, list...)
		wantA = append(wantA, slices.Repeat([]uint32{uint32(done)}, len(list))...)
	}
	bothEnds(t, func(p *pen) {
		words := place(p, unsafe.Slice(&c.lists[0].Chunk, 3*len(c.lists)))
		lists := unsafe.Slice((*NameList)(unsafe.Pointer(&words[0])), len(c.lists))
		outA, outB := output[uint32](p, room), output[uint32](p, room)
		clear(outA)
		clear(outB)
		got, next := SortLists(place(p, c.names), place(p, c.base), lists, first, last, at, outA, outB)
		if got != done || next != len(wantB) || !slices.Equal(outA[:next], wantA) || !slices.Equal(outB[:next], wantB) {
			t.Errorf("%d lists, %d to %d from %d of %d: got %d, %v, %v, want %d, %v, %v",
				n, first, last, at, room, got, outA[:next], outB[:next], done, wantA, wantB)
		}
	})
}

func TestSortListsLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(20) {
				checkSortLists(t, &source{data: noise(100*seed+uint64(n), 1500)}, n)
			}
		}
	})
}

func FuzzSortLists(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkSortLists(t, s, int(s.byte()%40))
		})
	})
}

func TestSortListsRefuses(t *testing.T) {
	for name, f := range map[string]func(first, last, n, short *int){
		"columns of unequal length": func(_, _, _, short *int) { *short = 1 },
		"a range reversed":          func(first, last, _, _ *int) { *first, *last = 2, 1 },
		"a range beyond":            func(_, last, _, _ *int) { *last = 3 },
		"output beyond room":        func(_, _, n, _ *int) { *n = 41 },
	} {
		first, last, n, short := 0, 2, 0, 0
		f(&first, &last, &n, &short)
		if panics(func() {
			SortLists(make([]uint32, ListSlack), make([]uint32, 1), make([]NameList, 2+ListSlack), first, last, n, make([]uint32, 40-short), make([]uint32, 40))
		}) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}
