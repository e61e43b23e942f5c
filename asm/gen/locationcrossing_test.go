package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// crossings returns n contacts of edges that cross nearly level, and some that are anything.
func (r *numbers) crossings(n int) *asm.Crossings {
	c := &asm.Crossings{}
	words := []*[]uint32{&c.A, &c.B, &c.TailA, &c.HeadA, &c.TailB, &c.HeadB, &c.NearA, &c.FarA, &c.NearB, &c.FarB}
	for j, w := range words {
		*w = make([]uint32, n)
		for i := range *w {
			// Points 0 to 1 and rims 0 and 1 are those of A.
			(*w)[i] = []uint32{2 * uint32(i), 2*uint32(i) + 1, 0, 1, 2, 3, 0, 8, 16, 24}[j]
		}
	}
	columns, _ := fields(c)
	for j, p := range columns {
		switch {
		case j < 7:
			*p = make([]float64, 2*n+1)
		case j < 10:
			*p = make([]float64, 4)
		default:
			*p = make([]float64, n)
		}
	}
	// A's edge along x, below its faces; B's along y, above them.
	c.X[0], c.X[1], c.Y[2], c.Y[3] = -1, 1, -1, 1
	s := math.Sqrt(0.5)
	table := []float64{
		0, s, -s, 0, 2, 0.2, -0.1, 1, 0, -s, -s, 0, 2, 0.1, 0.3, 1,
		-s, 0, s, 0, 2, 0, 0, 1, s, 0, s, 0, 2, -0.2, 0.1, 1,
	}
	for j := range c.Rims {
		c.Rims[j] = table[j:]
	}
	for i := range n {
		for _, at := range []int{2 * i, 2*i + 1} {
			sin, cos := math.Sincos(0.5 * r.Float64())
			c.RotW[at], c.RotZ[at] = cos, sin
			c.PosX[at], c.PosY[at] = r.Float64()-0.5, r.Float64()-0.5
		}
		c.Gap[i] = -0.2 * r.Float64()
		c.PosZ[2*i+1] = c.Gap[i]
		c.NormalZ[i], c.RadiusA[i], c.RadiusB[i] = 1, 1, 1
		switch r.IntN(12) {
		case 0:
			odd := r.floats(1)[0]
			*[]*float64{&c.Gap[i], &c.NormalX[i], &c.ArmBY[i], &c.PosX[2*i], &c.RotX[2*i+1], &c.RadiusA[i]}[r.IntN(6)] = odd
		case 1: // parallel
			c.TailB[i], c.HeadB[i] = 0, 1
		case 2: // upside down
			c.NormalZ[i] = -1
		}
	}
	return c
}

// checkLocateCrossings compares the kernel with the Go loop on rows of which now and then one has an index that is no row.
func checkLocateCrossings(t *testing.T, k *kernel, r *numbers, n int) {
	c := r.crossings(n)
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		words := [][]uint32{c.A, c.B, c.TailA, c.HeadA, c.TailB, c.HeadB, c.NearA, c.FarA, c.NearB, c.FarB}
		which := r.IntN(len(words))
		rows := len(c.PosX)
		if which >= 6 {
			rows = len(c.Rims[7])
		} else if which >= 2 {
			rows = len(c.X)
		}
		words[which][bad] = []uint32{uint32(rows), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	want := *c
	wanted, _ := fields(&want)
	for _, p := range wanted {
		*p = append([]float64{}, *p...)
	}
	asm.LocateCrossings(&want, lo, next)

	columns, flat := fields(c)
	// The table's columns come after the poses and the points.
	passed := structure{columns: append([]any{}, flat.columns[:10]...)}
	for _, v := range c.Rims {
		passed.columns = append(passed.columns, v)
	}
	passed.columns = append(passed.columns, flat.columns[10:]...)
	if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
		t.Errorf("%d to %d, bad %d: stopped at %d, want %d", lo, hi, bad, got[0], next)
	}
	for j, p := range columns {
		for i, v := range *p {
			if !same(v, (*wanted[j])[i]) {
				t.Errorf("%d to %d: column %d of pair %d: got %v, want %v", lo, hi, j, i, v, (*wanted[j])[i])
			}
		}
	}
}

// TestCrossingsOccur: the input of checkLocateCrossings has rows that are answered and such that are not.
func TestCrossingsOccur(t *testing.T) {
	r := newNumbers(8)
	c := r.crossings(400)
	asm.LocateCrossings(c, 0, 400)
	known := 0.0
	for _, k := range c.Known {
		known += k
	}
	if known < 100 || known > 350 {
		t.Errorf("%g of 400 are known", known)
	}
}
