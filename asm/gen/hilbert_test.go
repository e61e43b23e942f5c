package main

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/asm"
)

func checkHilbert(t *testing.T, k *kernel, r *numbers, n int) {
	var cell [3][]uint32
	for j := range cell {
		cell[j] = make([]uint32, n)
		for i := range cell[j] {
			cell[j][i] = r.Uint32() >> r.IntN(32)
		}
	}
	bits := 1 + r.IntN(asm.HilbertBits)
	got, want := slices.Repeat([]uint64{unwritten}, n), make([]uint64, n)
	words := k.call(t, 1, cell[0], cell[1], cell[2], bits, 1<<(bits-1), output{got})
	done := n - n%(2*k.lanes)
	if words[0] != uint64(done) {
		t.Fatalf("%d of %d cells, want %d", words[0], n, done)
	}
	asm.HilbertKeys(cell[0], cell[1], cell[2], bits, want)
	for i := range got {
		if i >= done {
			want[i] = unwritten
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d bits: got %x, want %x", bits, got, want)
	}
}
