package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

func checkFaceLowest(t *testing.T, k *kernel, r *numbers, n int) {
	checkLowest(t, k, r, n, asm.FaceLowest, func(f *asm.Lowest) (face, vertex []uint32) { return f.P, f.Q })
}

func checkLowestFace(t *testing.T, k *kernel, r *numbers, n int) {
	checkLowest(t, k, r, n, asm.LowestFace, func(f *asm.Lowest) (face, vertex []uint32) { return f.Q, f.P })
}

// checkLowest compares a kernel with the Go loop on pairs of which now and then one has an index that is no row.
func checkLowest(t *testing.T, k *kernel, r *numbers, n int, answer func(f *asm.Lowest, lo, hi int),
	features func(f *asm.Lowest) (face, vertex []uint32)) {
	f := &asm.Lowest{Radius: r.tame(n), Vertex: r.tame(n), Known: r.tame(n)}
	for _, c := range []*[]uint32{&f.A, &f.B, &f.P, &f.Q, &f.P1, &f.Q1, &f.Others[0], &f.Others[1], &f.Others[2]} {
		*c = make([]uint32, n)
	}
	poses, planes, points := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9)
	columns, _ := fields(&f.Facets)
	for j, c := range columns {
		rows := n
		switch {
		case j < 7:
			rows = poses
		case j < 11:
			rows = planes
		case j < 14:
			rows = points
		}
		*c = r.tame(rows)
	}
	face, vertex := features(f)
	of := []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {face, f.NX}, {vertex, f.X}, {f.Others[0], f.X}, {f.Others[1], f.X}, {f.Others[2], f.X}}
	for _, index := range of {
		for i := range index.ids {
			index.ids[i] = uint32(r.IntN(len(index.table)))
		}
	}
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	bad := hi
	if hi > lo && r.IntN(4) == 0 {
		bad = lo + r.IntN(hi-lo)
		index := of[r.IntN(len(of))]
		index.ids[bad] = []uint32{uint32(len(index.table)), 1 << 31, math.MaxUint32}[r.IntN(3)]
	}
	next := lo + k.whole(bad-lo)
	want := *f
	wanted, _ := fields(&want.Facets)
	wanted, columns = append(wanted, &want.Vertex, &want.Known), append(columns, &f.Vertex, &f.Known)
	for _, c := range wanted {
		*c = append([]float64{}, *c...)
	}
	answer(&want, lo, next)
	_, passed := fields(&f.Facets)
	passed.columns = append(passed.columns, f.Others[0], f.Others[1], f.Others[2], f.Radius, output{f.Vertex}, output{f.Known})
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
