package broad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// TestRowListsOutgrowTheirRegions checks chunks that list more names than they have room for. No
// name may be lost, for any initial room. The second time, the same lists must fit into their
// regions.
func TestRowListsOutgrowTheirRegions(t *testing.T) {
	const rows, chunks = 2500, 3
	r := rand.New(rand.NewPCG(1, 39))
	lists := make([][]uint32, rows)
	var wantA, wantB []soa.Piece
	for a := range lists {
		n := r.IntN(6)
		if a%100 == 0 {
			n = r.IntN(60)
		}
		for range n {
			lists[a] = append(lists[a], uint32(r.IntN(1<<30)))
		}
		slices.Sort(lists[a])
		lists[a] = slices.Compact(lists[a])
		for _, b := range lists[a] {
			wantA, wantB = append(wantA, soa.Piece(a)), append(wantB, soa.Piece(b))
		}
	}
	order := r.Perm(rows)
	for _, room := range []int{0, 1, 700, 1 << 14} {
		var s RowLists
		var a, b []soa.Piece
		grown := 0
		for turn := range 3 {
			s.Begin(rows, chunks, room, MaxPairs)
			for k := range chunks {
				list, at := s.List(k), 0
				for _, row := range order[k*rows/chunks : (k+1)*rows/chunks] {
					for len(list)-at < len(lists[row]) {
						list = s.Grow(list)
						if turn > 0 {
							grown++
						}
					}
					copy(list[at:], lists[row])
					slices.Reverse(list[at : at+len(lists[row])])
					s.Rows()[row] = asm.NameList{Chunk: uint32(k), First: uint32(at), Count: uint32(len(lists[row]))}
					at += len(lists[row])
				}
				s.Keep(k, list, at)
			}
			a, b = s.Collect(a, b, nil)
			if !slices.Equal(a, wantA) || !slices.Equal(b, wantB) {
				t.Fatalf("room %d, turn %d: %d pairs, want %d", room, turn, len(a), len(wantA))
			}
		}
		if grown > 0 {
			t.Errorf("room %d: %d lists grew again", room, grown)
		}
	}
}
