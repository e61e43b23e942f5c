package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// topAndBottom is the table of crowns of a cube of side 1: none, its top, its bottom and, in a frame that has it
// there, its highest corner.
func topAndBottom() []float64 {
	table := make([]float64, 4*asm.CrownNumbers)
	for k := range 4 {
		x, y := float64(k&1^k>>1)-0.5, float64(k>>1)-0.5 // around, counter-clockwise
		copy(table[asm.CrownNumbers+6*k:], []float64{x, y, 0.5, 0, 0, -1})
		copy(table[2*asm.CrownNumbers+6*k:], []float64{y, x, -0.5, 0, 0, 1})
		copy(table[3*asm.CrownNumbers+6*k:], []float64{0, 0, 0.8, x, y, -0.6})
	}
	for row := 1; row < 4; row++ {
		table[row*asm.CrownNumbers+24] = 0.87
	}
	return table
}

// locations returns n contacts of two cubes on top of each other, a little inclined, and some that are anything.
func (r *numbers) locations(n int) *asm.Locations {
	l := &asm.Locations{A: make([]uint32, n), B: make([]uint32, n), CrownA: make([]uint32, n), CrownB: make([]uint32, n)}
	columns, _ := fields(l)
	for j, c := range columns {
		if *c = make([]float64, n); j < 7 {
			*c = make([]float64, 2*n+1)
		}
	}
	table := topAndBottom()
	for j := range l.Crowns {
		l.Crowns[j] = table[j:]
	}
	pose := func(i int, x, y, z, turn float64) {
		l.PosX[i], l.PosY[i], l.PosZ[i] = x, y, z
		s, c := math.Sincos(turn)
		l.RotW[i], l.RotX[i], l.RotY[i], l.RotZ[i] = c, 0.01*(r.Float64()-0.5), 0.01*(r.Float64()-0.5), s
	}
	pose(2*n, 0, 0, 0, 0)
	for i := range n {
		l.A[i], l.B[i] = uint32(2*i), uint32(2*i+1)
		l.CrownA[i], l.CrownB[i] = asm.CrownNumbers*uint32(1+2*r.IntN(2)), 2*asm.CrownNumbers
		pose(2*i, 0, 0, 0, 3*r.Float64())
		pose(2*i+1, r.Float64()-0.5, r.Float64()-0.5, 0.9, 3*r.Float64())
		l.Gap[i], l.NormalZ[i], l.ArmAZ[i], l.ArmBZ[i] = -0.1, 1, 0.5, -0.5
		switch r.IntN(12) {
		case 0: // alike: sides meet in corners and are parallel
			pose(2*i, 0, 0, 0, 0)
			pose(2*i+1, float64(r.IntN(3))/2, float64(r.IntN(2)), 1, 0)
			l.RotX[2*i], l.RotY[2*i], l.RotX[2*i+1], l.RotY[2*i+1] = 0, 0, 0, 0
		case 1:
			l.CrownA[i] = asm.CrownNumbers * uint32(r.IntN(4))
		case 2:
			odd := r.floats(1)[0]
			*[]*float64{&l.Gap[i], &l.NormalX[i], &l.ArmBY[i], &l.PosX[2*i], &l.RotZ[2*i+1], &l.NormalZ[i]}[r.IntN(6)] = odd
		case 3:
			l.Gap[i] = -math.Pow(10, -9*r.Float64())
		}
	}
	return l
}

// checkLocate compares the kernel with the Go loop on rows of which now and then one has an index that is no row.
func checkLocate(t *testing.T, k *kernel, r *numbers, n int) {
	l := r.locations(n)
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		which := r.IntN(4)
		rows := []int{len(l.PosX), len(l.PosX), len(l.Crowns[24]), len(l.Crowns[24])}[which]
		[][]uint32{l.A, l.B, l.CrownA, l.CrownB}[which][bad] = []uint32{uint32(rows), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	want := *l
	wanted, _ := fields(&want)
	for _, c := range wanted {
		*c = append([]float64{}, *c...)
	}
	asm.Locate(&want, lo, next)

	columns, flat := fields(l)
	// The table's columns come after the poses.
	passed := structure{columns: append([]any{}, flat.columns[:7]...)}
	for _, c := range l.Crowns {
		passed.columns = append(passed.columns, c)
	}
	passed.columns = append(passed.columns, flat.columns[7:]...)
	if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
		t.Errorf("%d to %d, bad %d: stopped at %d, want %d", lo, hi, bad, got[0], next)
	}
	for j, c := range columns {
		for i, v := range *c {
			if !same(v, (*wanted[j])[i]) {
				t.Errorf("%d to %d: column %d of pair %d: got %v, want %v", lo, hi, j, i, v, (*wanted[j])[i])
			}
		}
	}
}

// TestLocationsOccur: the input of checkLocate has rows that are answered and such that are not.
func TestLocationsOccur(t *testing.T) {
	r := newNumbers(7)
	l := r.locations(400)
	asm.Locate(l, 0, 400)
	known := 0.0
	for _, k := range l.Known {
		known += k
	}
	if known < 200 || known > 350 {
		t.Errorf("%g of 400 are known", known)
	}
}
