package asm

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/vec"
)

// wantStep rounds one coordinate in its own way: from rounded steps to exact integers.
func wantStep(p, from, step, last float64) uint64 {
	t := float64((p - from) * step)
	if math.IsNaN(t) || t <= 0 {
		return 0
	}
	if t > last {
		return uint64(last)
	}
	whole, _ := new(big.Float).SetFloat64(t).Uint64()
	return whole
}

func checkLatticeCorners(t *testing.T, s *source, n int) {
	t.Helper()
	var f LatticeFrame
	for axis := range 3 {
		f.From[axis], f.Step[axis] = s.float(), s.float()
		f.Last[axis] = float64(int(s.byte())<<12 | int(s.byte()))
	}
	words := s.floats(6 * n)
	var want []uint64
	for i := 0; i < len(words); i += 3 {
		corner := uint64(0)
		for axis := range 3 {
			corner |= wantStep(words[i+axis], f.From[axis], f.Step[axis], f.Last[axis]) << (axis * (LatticeLane + 1))
		}
		if i%2 == 1 {
			corner |= LatticeGuards
		}
		want = append(want, corner)
	}
	bothEnds(t, func(p *pen) {
		placed, got := place(p, words), output[uint64](p, 2*n)
		var boxes []vec.Box
		if n > 0 {
			boxes = unsafe.Slice((*vec.Box)(unsafe.Pointer(&placed[0])), n)
		}
		LatticeCorners(boxes, &f, got)
		if !slices.Equal(got, want) {
			t.Errorf("%v on %v: got %x, want %x", boxes, f, got, want)
		}
	})
}

func TestLatticeCornersLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 24 {
			for seed := range uint64(20) {
				checkLatticeCorners(t, &source{data: noise(100*seed+uint64(n), 1500)}, n)
			}
		}
	})
}

func FuzzLatticeCorners(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkLatticeCorners(t, s, int(s.byte()%24))
		})
	})
}

func TestLatticeCornersRefuses(t *testing.T) {
	if panics(func() { LatticeCorners(make([]vec.Box, 3), &LatticeFrame{}, make([]uint64, 5)) }) == "" {
		t.Error("columns of unequal length: no panic")
	}
}
