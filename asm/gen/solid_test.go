package main

import (
	"sync"
	"testing"
)

// solids returns the programs of solids, built once.
var solids = sync.OnceValue(solidPrograms)

// checkSolid compares a kernel of solids with the interpreted list of its program.
func checkSolid(t *testing.T, k *kernel, r *numbers, n int) {
	if n > solidRows {
		return
	}
	var p *program
	for _, of := range solids() {
		if k.f.Name == of.name+"AVX2" || k.f.Name == of.name+"AVX512" {
			p = of
		}
	}
	state, part := r.tame(int(solidPartOf)*solidRows), r.tame(9*solidTriangles*solidRows)
	want := append([]float64{}, state...)
	var columns []any
	for _, cells := range [][]float64{want, part} {
		for ; len(cells) > 0; cells = cells[solidRows:] {
			columns = append(columns, cells[:solidRows])
		}
	}
	lo := r.IntN(n + 1)
	next := lo + k.whole(n-lo)
	for i := lo; i < next; i++ {
		p.interpret(columns, nil, i)
	}
	passed := structure{columns: []any{output{state}, part}}
	if got := k.call(t, 1, passed, array{}, lo, n); got[0] != uint64(next) {
		t.Errorf("%d to %d: stopped at %d, want %d", lo, n, got[0], next)
	}
	for i, v := range state {
		if !same(v, want[i]) {
			t.Errorf("%d to %d: column %d of row %d: got %v, want %v", lo, n, i/solidRows, i%solidRows, v, want[i])
		}
	}
}
