package asm

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

func checkLatticePairs(t *testing.T, s *source, n int) {
	t.Helper()
	boxes := 1 + int(s.byte())%20
	coordinates := make([][2][3]uint64, boxes)
	var corners []uint64
	for i := range coordinates {
		for axis := range 3 {
			lo := uint64(s.byte() % 16)
			coordinates[i][0][axis], coordinates[i][1][axis] = lo, lo+uint64(s.byte()%8)
			if s.byte() == 0 {
				coordinates[i][1][axis] = 1<<LatticeLane - 1
			}
		}
		corners = append(corners, latticeCorner(coordinates[i][0]), latticeCorner(coordinates[i][1])|LatticeGuards)
	}
	a, b := make([]uint32, n), make([]uint32, n)
	for i := range a {
		a[i], b[i] = uint32(int(s.byte())%boxes), uint32(int(s.byte())%boxes)
	}
	first := int(s.byte()) % (n + 1)
	at := int(s.byte()) % (first + 1)
	var wantA, wantB []uint32
	want := first
	for ; want < n; want++ {
		p, q := &coordinates[a[want]], &coordinates[b[want]]
		least := int64(1)
		for axis := range 3 {
			least = min(least, int64(p[1][axis])-int64(q[0][axis]), int64(q[1][axis])-int64(p[0][axis]))
		}
		if least == 0 {
			break
		}
		if least > 0 {
			wantA, wantB = append(wantA, a[want]), append(wantB, b[want])
		}
	}
	bothEnds(t, func(p *pen) {
		outA, outB := output[uint32](p, n), output[uint32](p, n)
		done, next := LatticePairs(place(p, corners), place(p, a), place(p, b), first, at, outA, outB)
		if done != want || !slices.Equal(outA[at:next], wantA) || !slices.Equal(outB[at:next], wantB) {
			t.Errorf("%d pairs from %d: got %d, %v, %v, want %d, %v, %v", n, first, done, outA[at:next], outB[at:next], want, wantA, wantB)
		}
	})
}

func TestLatticePairsLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(20) {
				checkLatticePairs(t, &source{data: noise(100*seed+uint64(n), 1500)}, n)
			}
		}
	})
}

func FuzzLatticePairs(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkLatticePairs(t, s, int(s.byte()%40))
		})
	})
}

func TestLatticePairsRefuses(t *testing.T) {
	for name, f := range map[string]func(first, n, short *int){
		"columns of unequal length": func(_, _, short *int) { *short = 1 },
		"a range beyond":            func(first, _, _ *int) { *first = 10 },
		"more found than looked at": func(_, n, _ *int) { *n = 1 },
	} {
		first, n, short := 0, 0, 0
		f(&first, &n, &short)
		if panics(func() {
			LatticePairs(make([]uint64, 2), make([]uint32, 9), make([]uint32, 9), first, n, make([]uint32, 9-short), make([]uint32, 9))
		}) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}
