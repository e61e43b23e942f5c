package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

func checkFaceVertex(t *testing.T, k *kernel, r *numbers, n int) {
	checkFacets(t, k, r, n, asm.FaceVertex, func(f *asm.Facets) []facetIndex {
		return []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {f.P, f.NX}, {f.Q, f.X}}
	})
}

func checkVertexFace(t *testing.T, k *kernel, r *numbers, n int) {
	checkFacets(t, k, r, n, asm.VertexFace, func(f *asm.Facets) []facetIndex {
		return []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {f.P, f.X}, {f.Q, f.NX}}
	})
}

func checkEdgeEdge(t *testing.T, k *kernel, r *numbers, n int) {
	checkFacets(t, k, r, n, asm.EdgeEdge, func(f *asm.Facets) []facetIndex {
		return []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {f.P, f.X}, {f.Q, f.X}, {f.P1, f.X}, {f.Q1, f.X}}
	})
}

func checkVertexVertex(t *testing.T, k *kernel, r *numbers, n int) {
	checkFacets(t, k, r, n, asm.VertexVertex, func(f *asm.Facets) []facetIndex {
		return []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {f.P, f.X}, {f.Q, f.X}}
	})
}

func checkVertexEdge(t *testing.T, k *kernel, r *numbers, n int) {
	checkFacets(t, k, r, n, asm.VertexEdge, func(f *asm.Facets) []facetIndex {
		return []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {f.P, f.X}, {f.Q, f.X}, {f.Q1, f.X}}
	})
}

func checkEdgeVertex(t *testing.T, k *kernel, r *numbers, n int) {
	checkFacets(t, k, r, n, asm.EdgeVertex, func(f *asm.Facets) []facetIndex {
		return []facetIndex{{f.A, f.PosX}, {f.B, f.PosX}, {f.P, f.X}, {f.Q, f.X}, {f.P1, f.X}}
	})
}

// facetIndex is a column of indices and a column of the table it leads to.
type facetIndex struct {
	ids   []uint32
	table []float64
}

// checkFacets compares a kernel with the Go loop on pairs of which now and then one has an index that is no row.
func checkFacets(t *testing.T, k *kernel, r *numbers, n int, answer func(f *asm.Facets, lo, hi int),
	indices func(f *asm.Facets) []facetIndex) {
	f := &asm.Facets{A: make([]uint32, n), B: make([]uint32, n), P: make([]uint32, n), Q: make([]uint32, n),
		P1: make([]uint32, n), Q1: make([]uint32, n)}
	columns, _ := fields(f)
	poses, planes, points := 1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(9)
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
	for i := range f.Sign {
		f.Sign[i] = []float64{1, -1}[r.IntN(2)]
	}
	of := indices(f)
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
	wanted, _ := fields(&want)
	for j, c := range wanted {
		*wanted[j] = append([]float64{}, *c...)
	}
	answer(&want, lo, next)
	_, passed := fields(f)
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
