package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

func checkTetra(t *testing.T, k *kernel, r *numbers, n int) {
	checkCold(t, k, r, n, asm.TetraFacet, []float64{0, 0, 1, 1, 0, -0.3, -0.5, 0.9, -0.4, -0.6, -0.8, -0.2, 1})
}

func checkBrick(t *testing.T, k *kernel, r *numbers, n int) {
	checkCold(t, k, r, n, asm.BrickFacet, []float64{0, 0, 0.1, 0.6, 0, -0.1, 0.2, 0.5, 0, 0.1, 0, 0.4, 1})
}

// checkCold compares a kernel with the Go loop on pairs of which now and then one has an index that is no row. usual is the
// row of a shape about 1 large.
func checkCold(t *testing.T, k *kernel, r *numbers, n int, answer func(f *asm.ColdPairs, lo, hi int), usual []float64) {
	poses, rows := 1+r.IntN(9), 1+r.IntN(4)
	table := r.tame(rows * asm.ColdNumbers)
	f := &asm.ColdPairs{A: make([]uint32, n), B: make([]uint32, n), RowA: make([]uint32, n), RowB: make([]uint32, n)}
	for _, c := range []*[]float64{&f.PosX, &f.PosY, &f.PosZ, &f.RotW, &f.RotX, &f.RotY, &f.RotZ} {
		*c = r.tame(poses)
	}
	if r.IntN(4) > 0 {
		// Shapes that touch or nearly do.
		for row := range rows {
			copy(table[row*asm.ColdNumbers:], usual)
			for j := range 12 {
				table[row*asm.ColdNumbers+j] *= 0.8 + 0.2*r.Float64()
			}
		}
		for i := range poses {
			f.PosX[i], f.PosY[i], f.PosZ[i] = 1.5*r.Float64(), 1.5*r.Float64(), 1.5*r.Float64()
			w, x, y, z := r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
			l := math.Sqrt(w*w + x*x + y*y + z*z)
			f.RotW[i], f.RotX[i], f.RotY[i], f.RotZ[i] = w/l, x/l, y/l, z/l
		}
	}
	for j := range f.Rows {
		f.Rows[j] = table[j:]
	}
	f.Facet = r.tame(n)
	for i := range n {
		f.A[i], f.B[i] = uint32(r.IntN(poses)), uint32(r.IntN(poses))
		f.RowA[i], f.RowB[i] = uint32(r.IntN(rows)*asm.ColdNumbers), uint32(r.IntN(rows)*asm.ColdNumbers)
	}
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		i := r.IntN(4)
		limit := []int{poses, poses, len(table) - asm.ColdNumbers + 1, len(table) - asm.ColdNumbers + 1}[i]
		[][]uint32{f.A, f.B, f.RowA, f.RowB}[i][bad] = []uint32{uint32(limit), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	want := *f
	want.Facet = append([]float64{}, f.Facet...)
	answer(&want, lo, next)
	passed := structure{}
	for _, c := range [][]float64{f.PosX, f.PosY, f.PosZ, f.RotW, f.RotX, f.RotY, f.RotZ} {
		passed.columns = append(passed.columns, c)
	}
	for _, c := range f.Rows {
		passed.columns = append(passed.columns, c)
	}
	passed.columns = append(passed.columns, f.A, f.B, f.RowA, f.RowB, output{f.Facet})
	if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
		t.Errorf("%d to %d, bad %d: stopped at %d, want %d", lo, hi, bad, got[0], next)
	}
	for i, v := range f.Facet {
		if !same(v, want.Facet[i]) {
			t.Errorf("%d to %d: facet of pair %d: got %v, want %v", lo, hi, i, v, want.Facet[i])
		}
	}
}
