package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// shareCornerRow is a corner of three or more edges, one of them below the face z = 0 of a body.
// shareCrossingRow is two roofs whose ridges cross.
func (r *numbers) shareCornerRow(edges int) []float64 {
	row := []float64{0.1 * r.Float64(), 0.1 * r.Float64(), 0.92 + 0.1*r.Float64(), 1, 0.1 * r.Float64(), 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0}
	for k := range 4 {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k))
		row = append(row, cos, sin, 0, -1-r.Float64())
	}
	row = append(row, 0.1, 0.5, 1e-12)
	n := 3 + r.IntN(edges-2)
	for k := range edges {
		sin, cos := math.Sincos(2 * math.Pi * float64(min(k, n-1)) / float64(n))
		row = append(row, cos, sin, 0.5+0.1*r.Float64())
	}
	return row
}

func (r *numbers) shareCrossingRow() []float64 {
	s := math.Sqrt(0.5)
	sin, cos := math.Sincos(0.3 * r.Float64())
	row := []float64{0.1 * r.Float64(), 0.1 * r.Float64(), 0, cos, 0, 0, sin, 0, 0, 2.02 - 0.1*r.Float64(), 1, 0, 0, 0}
	row = append(row, -1, 0, 1, 1, 0, 1, 2, 0, s, -s, 0, -0.1, 1, 0, -s, -s, 0.1, 0.3, 1)
	row = append(row, 0, -1, -1, 0, 1, -1, 2, -s, 0, s, 0, 0.2, 1, s, 0, s, -0.2, 0.1, 1)
	return append(row, 1e-12)
}

// sharePrismRow is two cubes, one on the other, slightly turned.
func (r *numbers) sharePrismRow(sides int) []float64 {
	sin, cos := math.Sincos(0.1 * r.Float64())
	row := []float64{0, 0, 0, cos, 0, 0, sin, 0.3 * r.Float64(), 0.2, 0.9 + 0.12*r.Float64(), 1, 0, 0, 0, 1e-12}
	row = append(row, 0, 0, -1, 0.5, 1, 0, 0, 1, 0.5, 0)
	row = append(row, 1, 0, 0, 0.5, 0, 0, -1, 0, 0.5, 1, -1, 0, 0, 0.5, 1, 0, 1, 0, 0.5, 0, 0)
	for range sides - 4 {
		row = append(row, 1, 0, 0, 0.5, 0, math.MaxFloat64)
	}
	for range asm.SharePrismOthers(sides) {
		row = append(row, 0, 0, 1, 0.5+2*r.Float64(), 1)
	}
	return row
}

// sharesRow is a row of a type: the poses of V and G, then the numbers of its features. most is the
// largest number of edges of a corner, or of sides of a prism.
func (r *numbers) sharesRow(kind string, most int) []float64 {
	switch kind {
	case "corner":
		return r.shareCornerRow(most)
	case "crossing":
		return r.shareCrossingRow()
	}
	return r.sharePrismRow(most)
}

// shares returns n rows of a type. Some have a special number. Row i indexes its own features, and
// the bodies 2i and 2i+1.
func (r *numbers) shares(n int, kind string, most int) *asm.TypedOverlaps {
	s := asm.NewShares(n)
	corner := len(s.Corners)
	t := asm.OverlapTables{
		Poses: make([]float64, asm.PoseNumbers*2*n), Corners: make([]float64, corner*(n+1)), Rims: make([]float64, 4*asm.RimNumbers*(n+1)),
		Verts: make([]float64, 4*4*n), Planes: make([]float64, 4*asm.SharePlanes*n),
	}
	s.SetTables(t)
	for i := range n {
		row := r.sharesRow(kind, most)
		for k := range row {
			if r.IntN(300) == 0 {
				row[k] = r.float()
			}
		}
		for body := range 2 {
			s.Bodies[body][i] = uint32(asm.PoseNumbers * (2*i + body))
			copy(t.Poses[asm.PoseNumbers*(2*i+body):], row[7*body:][:7])
		}
		row = row[14:]
		rim := func(k int, numbers ...float64) uint32 {
			copy(t.Rims[(4*i+k)*asm.RimNumbers:], numbers)
			return uint32((4*i + k) * asm.RimNumbers)
		}
		switch kind {
		case "corner":
			copy(t.Corners[corner*i:], row[:3])
			copy(t.Corners[corner*i+3:], row[26:])
			s.At[0][i] = uint32(corner * i)
			for k := range 4 {
				s.At[1+k][i] = rim(k, row[7+4*k:][:4]...)
				s.Numbers[asm.ShareFace+k][i] = row[3+k]
			}
			s.Numbers[asm.ShareFace+4][i], s.Numbers[asm.ShareFace+5][i], s.Numbers[asm.ShareClear][i] = row[23], row[24], row[25]
			s.Numbers[asm.ShareSign][i] = float64(2*r.IntN(2) - 1)
		case "crossing":
			for e := range 2 {
				edge := row[19*e:]
				for end := range 2 {
					start := 4 * (4*i + 2*e + end)
					copy(t.Verts[start:], edge[3*end:][:3])
					s.At[2*e+end][i] = uint32(start)
				}
				for f := range 2 {
					face := edge[7+6*f:]
					s.At[4+2*e+f][i] = rim(2*e+f, face[0], face[1], face[2], 0, edge[6], face[3], face[4], face[5])
				}
			}
			s.Numbers[asm.ShareClear][i] = row[38]
		default:
			s.Numbers[asm.ShareClear][i], s.Numbers[asm.ShareRadius][i] = row[0], r.Float64()
			row = row[1:]
			for k := range asm.SharePlanes {
				start := 4 * (asm.SharePlanes*i + k)
				copy(t.Planes[start:], row[:4])
				s.At[k][i], s.Numbers[asm.ShareOfG+k][i] = uint32(start), row[4]
				if row = row[5:]; k >= 5 && k < 2+most {
					s.Numbers[asm.ShareAbsent+k-5][i], row = row[0], row[1:]
				}
			}
		}
	}
	return s
}

// checkShares compares a kernel with the Go loop. Sometimes a row has an index outside of its
// table.
func checkShares(kind string, most int, loop func(s *asm.TypedOverlaps, lo, hi int)) func(t *testing.T, k *kernel, r *numbers, n int) {
	return func(t *testing.T, k *kernel, r *numbers, n int) {
		if (kind == "prism" || kind == "held" || kind == "coplanar") && n > 9 && n%8 != 7 {
			return // the interpreter is slow: ten thousand operations a register
		}
		s := r.shares(n, kind, most)
		lo := r.IntN(n + 1)
		hi := lo + r.IntN(n-lo+1)
		bad := hi
		if hi > lo && r.IntN(4) == 0 {
			bad = lo + r.IntN(hi-lo)
			words := [][]uint32{s.Bodies[0], s.Bodies[1]}
			for k := range map[string]int{"corner": 5, "crossing": 8, "prism": asm.SharePlanes, "held": 2 + most, "coplanar": 2 + most + asm.ShareCoplanars}[kind] {
				words = append(words, s.At[k])
			}
			words[r.IntN(len(words))][bad] = []uint32{uint32(1000 * (n + 1)), 1 << 31, math.MaxUint32}[r.IntN(3)]
		}
		next := lo + k.whole(bad-lo)
		want := *s
		for k := range want.Answers {
			want.Answers[k] = append([]float64{}, s.Answers[k]...)
		}
		want.Budget, want.Coplanars = append([]float64{}, s.Budget...), append([]float64{}, s.Coplanars...)
		loop(&want, lo, next)
		var passed structure
		for _, columns := range [][][]float64{s.Poses[:], s.Corners[:], s.Rims[:], s.Verts[:], s.Planes[:]} {
			for _, c := range columns {
				passed.columns = append(passed.columns, c)
			}
		}
		for _, words := range [][][]uint32{s.Bodies[:], s.At[:]} {
			for _, c := range words {
				passed.columns = append(passed.columns, c)
			}
		}
		for _, c := range s.Numbers {
			passed.columns = append(passed.columns, c)
		}
		for _, c := range s.Answers {
			passed.columns = append(passed.columns, output{c})
		}
		passed.columns = append(passed.columns, output{s.Budget}, output{s.Coplanars})
		if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
			t.Errorf("%d to %d, bad %d: stopped at %d, want %d", lo, hi, bad, got[0], next)
		}
		for i, v := range s.Budget {
			if !same(v, want.Budget[i]) {
				t.Errorf("%d to %d: budget of row %d: got %v, want %v", lo, hi, i, v, want.Budget[i])
			}
		}
		for i, v := range s.Coplanars {
			if !same(v, want.Coplanars[i]) {
				t.Errorf("%d to %d: coplanars of row %d: got %v, want %v", lo, hi, i, v, want.Coplanars[i])
			}
		}
		for c, column := range s.Answers {
			for i, v := range column {
				if !same(v, want.Answers[c][i]) {
					t.Errorf("%d to %d: answer %d of row %d: got %v, want %v", lo, hi, c, i, v, want.Answers[c][i])
				}
			}
		}
	}
}

// TestSharesOccur: most rows of the checks are known.
func TestSharesOccur(t *testing.T) {
	r := newNumbers(9)
	for _, test := range []struct {
		kind string
		most int
		loop func(s *asm.TypedOverlaps, lo, hi int)
	}{
		{"corner", 4, asm.ShareCorners4}, {"corner", 8, asm.ShareCorners8}, {"crossing", 0, asm.ShareCrossings},
		{"prism", 4, asm.SharePrisms4}, {"prism", 8, asm.SharePrisms8},
		{"held", 4, asm.SharePrismsHeld4}, {"held", 8, asm.SharePrismsHeld8}, {"coplanar", 4, asm.SharePrismsCoplanar4},
	} {
		s := r.shares(400, test.kind, test.most)
		test.loop(s, 0, 400)
		known := 0
		for _, x := range s.Answers[asm.ShareKnown] {
			known += int(x)
		}
		if known < 100 || known == 400 {
			t.Errorf("%s, %d: %d of 400 are known", test.kind, test.most, known)
		}
	}
}
