package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// corners returns n contacts of a pyramid of five edges on its tip with a square, and some that are anything.
func (r *numbers) corners(n int) *asm.Corners {
	c := &asm.Corners{}
	words := []*[]uint32{&c.A, &c.B, &c.V, &c.G, &c.Fan, &c.Sides[0], &c.Sides[1], &c.Sides[2], &c.Sides[3]}
	for _, w := range words {
		*w = make([]uint32, n)
	}
	columns, _ := fields(c)
	for j, p := range columns {
		if *p = make([]float64, n); j < 7 {
			*p = make([]float64, 2*n+1)
		}
	}
	fan := make([]float64, 2*len(c.Fans))
	row := fan[len(c.Fans):]
	row[2] = 0.1
	for k := range asm.FanEdges {
		sin, cos := math.Sincos(-1.2 * float64(min(k, 4)))
		copy(row[3+3*k:], []float64{cos, sin, -1})
	}
	for j := range c.Fans {
		c.Fans[j] = fan[j:]
	}
	rims := []float64{1, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, -1, 0, -1, 0, 0, 0, 0}
	for j := range c.Rims {
		c.Rims[j] = rims[j:]
	}
	for i := range n {
		a, b := uint32(2*i), uint32(2*i+1)
		c.A[i], c.B[i], c.V[i], c.G[i], c.Fan[i] = a, b, a, b, uint32(len(c.Fans))
		c.Sign[i], c.NormalZ[i], c.FaceZ[i] = 1, 1, -1
		for k := range c.Sides {
			c.Sides[k][i] = uint32(8 * k)
		}
		c.Gap[i], c.Deepest[i], c.Cot[i], c.RadiusV[i], c.RadiusG[i] = -0.2*r.Float64(), 1, r.Float64(), 1, 1
		for _, at := range []uint32{a, b} {
			sin, cos := math.Sincos(r.Float64())
			c.RotW[at], c.RotZ[at] = cos, sin
			c.PosX[at], c.PosY[at] = 0.8*(r.Float64()-0.5), 0.8*(r.Float64()-0.5)
		}
		switch r.IntN(12) {
		case 0:
			odd := r.floats(1)[0]
			*[]*float64{&c.Gap[i], &c.NormalX[i], &c.ArmBY[i], &c.PosX[a], &c.RotX[b], &c.RadiusV[i], &c.Sign[i], &c.Cot[i]}[r.IntN(8)] = odd
		case 1:
			c.Fan[i] = 0
		case 2:
			c.FaceX[i] = 1e-9
		case 3:
			c.PosX[a] += 0.9
		}
		if r.IntN(2) == 0 { // the other way round
			c.V[i], c.G[i], c.A[i], c.B[i] = a, b, b, a
			c.Sign[i], c.NormalZ[i] = -c.Sign[i], -1
		}
	}
	return c
}

// checkLocateCorners compares the kernel with the Go loop on rows of which now and then one has an index that is no row.
func checkLocateCorners(t *testing.T, k *kernel, r *numbers, n int) {
	c := r.corners(n)
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		words := [][]uint32{c.A, c.B, c.V, c.G, c.Fan, c.Sides[0], c.Sides[1], c.Sides[2], c.Sides[3]}
		which := r.IntN(len(words))
		rows := len(c.PosX)
		if which > 4 {
			rows = len(c.Rims[3])
		} else if which == 4 {
			rows = len(c.Fans[len(c.Fans)-1])
		}
		words[which][bad] = []uint32{uint32(rows), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	want := *c
	wanted, _ := fields(&want)
	for _, p := range wanted {
		*p = append([]float64{}, *p...)
	}
	asm.LocateCorners(&want, lo, next)

	columns, flat := fields(c)
	// The tables' columns come after the poses, those of the sides after five of indices.
	passed := structure{columns: append([]any{}, flat.columns[:7]...)}
	for _, v := range c.Fans {
		passed.columns = append(passed.columns, v)
	}
	for _, v := range c.Rims {
		passed.columns = append(passed.columns, v)
	}
	passed.columns = append(passed.columns, flat.columns[7:12]...)
	for _, s := range c.Sides {
		passed.columns = append(passed.columns, s)
	}
	passed.columns = append(passed.columns, flat.columns[12:]...)
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

// TestCornersOccur: the input of checkLocateCorners has rows that are answered and such that are not.
func TestCornersOccur(t *testing.T) {
	r := newNumbers(9)
	c := r.corners(400)
	asm.LocateCorners(c, 0, 400)
	known := 0.0
	for _, k := range c.Known {
		known += k
	}
	if known < 100 || known > 370 {
		t.Errorf("%g of 400 are known", known)
	}
}
