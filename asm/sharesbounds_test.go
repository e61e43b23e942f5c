package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// checkShares compares a kernel with the Go loop, next to both ends of the accessible memory, on
// rows with features in random order.
func checkShares(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	of := &shareTypes[int(s.byte())%len(shareTypes)]
	from, tables := newShares(n)
	for i := range n {
		row := slices.Clone(of.row)
		for k := range row {
			if row[k] += float64(s.byte())/8192 - 0.015; s.byte() < 1 {
				row[k] = s.float()
			}
		}
		of.put(from, tables, i, row)
	}
	for _, w := range [][]uint32{from.Bodies[0], from.Bodies[1], from.At[0], from.At[1], from.At[4], from.At[7]} {
		for i := range w {
			if s.byte() < 4 {
				w[i] = w[int(s.byte())%n]
			}
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	for k := range want.Answers {
		want.Answers[k] = make([]float64, n)
	}
	want.Budget, want.Coplanars = make([]float64, n), make([]float64, n)
	of.generic(&want, lo, hi)
	for i := lo; i < hi; i++ {
		known += int(want.Answers[ShareKnown][i])
	}
	bothEnds(t, func(p *pen) {
		got := NewShares(n)
		for k := range got.Numbers {
			got.Numbers[k] = place(p, from.Numbers[k])
		}
		for _, columns := range [][2][][]uint32{{got.Bodies[:], from.Bodies[:]}, {got.At[:], from.At[:]}} {
			for k := range columns[0] {
				columns[0][k] = place(p, columns[1][k])
			}
		}
		got.SetTables(OverlapTables{
			place(p, tables.Poses), place(p, tables.Corners), place(p, tables.Rims), place(p, tables.Verts), place(p, tables.Planes),
		})
		for k := range got.Answers {
			got.Answers[k] = output[float64](p, n)
			clear(got.Answers[k])
		}
		got.Budget, got.Coplanars = output[float64](p, n), output[float64](p, n)
		clear(got.Budget)
		clear(got.Coplanars)
		of.share(got, lo, hi)
		for i, x := range got.Coplanars {
			if y := want.Coplanars[i]; !sameBits(x, y) {
				t.Errorf("%s, %d to %d: coplanars of row %d: got %v, want %v", of.name, lo, hi, i, x, y)
			}
		}
		for i, x := range got.Budget {
			if y := want.Budget[i]; !sameBits(x, y) {
				t.Errorf("%s, %d to %d: budget of row %d: got %v, want %v", of.name, lo, hi, i, x, y)
			}
		}
		for k, column := range got.Answers {
			for i, x := range column {
				if y := want.Answers[k][i]; !sameBits(x, y) {
					t.Errorf("%s, %d to %d: answer %d of row %d: got %v, want %v", of.name, lo, hi, k, i, x, y)
				}
			}
		}
	})
	return known
}

func TestSharesLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 30 {
			for seed := range uint64(3) {
				known += checkShares(t, &source{data: noise(4*uint64(n)+seed, 8000)}, n)
			}
		}
		if known < 100 {
			t.Errorf("only %d rows of all are answered", known)
		}
	})
}

func FuzzShares(f *testing.F) {
	addSeeds(f)
	f.Add(noise(1, 4000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkShares(t, s, int(s.byte()%31))
		})
	})
}

func TestSharesPanic(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		corner, crossing, prism := &shareTypes[0], &shareTypes[2], &shareTypes[3]
		for name, k := range map[string]struct {
			of    *shareType
			spoil func(s *TypedOverlaps)
		}{
			"turned":         {corner, func(s *TypedOverlaps) { ShareCorners8(s, 3, 2) }},
			"range":          {corner, func(s *TypedOverlaps) { ShareCorners4(s, 0, 21) }},
			"short answer":   {corner, func(s *TypedOverlaps) { s.Answers[27] = s.Answers[27][:4] }},
			"short budget":   {prism, func(s *TypedOverlaps) { s.Budget = s.Budget[:4] }},
			"short number":   {corner, func(s *TypedOverlaps) { s.Numbers[5] = s.Numbers[5][:4] }},
			"short words":    {corner, func(s *TypedOverlaps) { s.At[4] = s.At[4][:4] }},
			"short bodies":   {corner, func(s *TypedOverlaps) { s.Bodies[1] = s.Bodies[1][:4] }},
			"short poses":    {corner, func(s *TypedOverlaps) { s.Poses[6] = s.Poses[6][:4] }},
			"short corners":  {corner, func(s *TypedOverlaps) { s.Corners[9] = s.Corners[9][:9] }},
			"short rims":     {corner, func(s *TypedOverlaps) { s.Rims[1] = s.Rims[1][:9] }},
			"short vertices": {crossing, func(s *TypedOverlaps) { s.Verts[1] = s.Verts[1][:2] }},
			"short planes":   {prism, func(s *TypedOverlaps) { s.Planes[3] = s.Planes[3][:2] }},
			"body V":         {corner, func(s *TypedOverlaps) { s.Bodies[0][3] = 40 * PoseNumbers }},
			"body G":         {crossing, func(s *TypedOverlaps) { s.Bodies[1][13] = 1 << 31 }},
			"corner":         {corner, func(s *TypedOverlaps) { s.At[0][19] = 21 * cornerRow }},
			"side":           {corner, func(s *TypedOverlaps) { s.At[4][0] = 21 * 4 * RimNumbers }},
			"vertex":         {crossing, func(s *TypedOverlaps) { s.At[3][8] = 4 * 80 }},
			"rim":            {crossing, func(s *TypedOverlaps) { s.At[7][9] = math.MaxUint32 }},
			"plane":          {prism, func(s *TypedOverlaps) { s.At[12][9] = 4 * 20 * SharePlanes }},
		} {
			if panics(func() {
				s := k.of.rows(20, k.of.row)
				k.spoil(s)
				k.of.share(s, 0, 20)
			}) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
