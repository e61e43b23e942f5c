package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// checkFaceFace compares the kernel with the Go loop on pairs of which now and then one has an index that is no row.
func checkFaceFace(t *testing.T, k *kernel, r *numbers, n int) {
	poses, rows := 1+r.IntN(9), 1+r.IntN(4)
	table := r.tame(rows * asm.QuadNumbers)
	plain := r.IntN(4) > 0
	f := &asm.FaceFaces{A: make([]uint32, n), B: make([]uint32, n), QuadA: make([]uint32, n), QuadB: make([]uint32, n)}
	for _, c := range []*[]float64{&f.PosX, &f.PosY, &f.PosZ, &f.RotW, &f.RotX, &f.RotY, &f.RotZ} {
		*c = r.tame(poses)
	}
	if plain {
		// The tops of boxes, and their bottoms where they lie upon others.
		for row := range rows {
			r.box(table[row*asm.QuadNumbers:][:asm.QuadNumbers], row%2 == 0)
		}
		for i := range poses {
			f.PosX[i], f.PosY[i], f.PosZ[i] = r.Float64()-0.5, float64(r.IntN(2))/2, 1.99*float64(i%2)
			tilt := math.Pow(10, -17*r.Float64())
			f.RotW[i], f.RotX[i], f.RotY[i], f.RotZ[i] = 1, tilt*float64(r.IntN(2)), tilt*float64(r.IntN(2)), 0
		}
	}
	for j := range f.Quads {
		f.Quads[j] = table[j:]
	}
	answers := []*[]float64{&f.Gap, &f.NormalX, &f.NormalY, &f.NormalZ, &f.ArmAX, &f.ArmAY, &f.ArmAZ,
		&f.ArmBX, &f.ArmBY, &f.ArmBZ, &f.Vertex, &f.OfB, &f.Known}
	for _, c := range answers {
		*c = r.tame(n)
	}
	for i := range n {
		f.A[i], f.B[i] = uint32(r.IntN(poses)), uint32(r.IntN(poses))
		f.QuadA[i], f.QuadB[i] = uint32(r.IntN(rows)*asm.QuadNumbers), uint32(r.IntN(rows)*asm.QuadNumbers)
	}
	if plain && poses > 1 && rows > 1 {
		for i := range n {
			f.A[i], f.B[i] = uint32(r.IntN((poses+1)/2)*2), uint32(r.IntN(poses/2)*2+1)
			f.QuadA[i], f.QuadB[i] = uint32(r.IntN((rows+1)/2)*2*asm.QuadNumbers), uint32((r.IntN(rows/2)*2+1)*asm.QuadNumbers)
		}
	}
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		i := r.IntN(4)
		limit := []int{poses, poses, len(table) - asm.QuadNumbers + 1, len(table) - asm.QuadNumbers + 1}[i]
		[][]uint32{f.A, f.B, f.QuadA, f.QuadB}[i][bad] = []uint32{uint32(limit), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	want := *f
	wanted := []*[]float64{&want.Gap, &want.NormalX, &want.NormalY, &want.NormalZ, &want.ArmAX, &want.ArmAY, &want.ArmAZ,
		&want.ArmBX, &want.ArmBY, &want.ArmBZ, &want.Vertex, &want.OfB, &want.Known}
	for _, c := range wanted {
		*c = append([]float64{}, *c...)
	}
	asm.FaceFace(&want, lo, next)
	passed := structure{}
	for _, c := range [][]float64{f.PosX, f.PosY, f.PosZ, f.RotW, f.RotX, f.RotY, f.RotZ} {
		passed.columns = append(passed.columns, c)
	}
	for _, c := range f.Quads {
		passed.columns = append(passed.columns, c)
	}
	passed.columns = append(passed.columns, f.A, f.B, f.QuadA, f.QuadB)
	for _, c := range answers {
		passed.columns = append(passed.columns, output{*c})
	}
	if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
		t.Errorf("%d to %d, bad %d: stopped at %d, want %d", lo, hi, bad, got[0], next)
	}
	for j, c := range answers {
		for i, v := range *c {
			if !same(v, (*wanted[j])[i]) {
				t.Errorf("%d to %d: answer %d of pair %d: got %v, want %v", lo, hi, j, i, v, (*wanted[j])[i])
			}
		}
	}
}

// box makes a row of the top of a box 2 high, or of its bottom.
func (r *numbers) box(row []float64, top bool) {
	hx, hy, up := 0.5+r.Float64(), 0.5+r.Float64(), 1.0
	if !top {
		up = -1
	}
	copy(row, []float64{0, 0, up, 1, 1, 0, 0, 0, up, 0})
	for k, s := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		copy(row[10+3*k:], []float64{s[0] * hx, up * s[1] * hy, up})
		copy(row[22+2*k:], []float64{s[0] * hx, s[1] * hy})
		row[30+k] = 2 * []float64{hx, hy}[k%2]
		row[34+k] = float64(k)
	}
	row[38] = 2
}
