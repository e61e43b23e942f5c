package main

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// sharesAt returns n rows of a type, in which now and then a number is anything: corners of up to so many edges,
// or crossings for 0.
func (r *numbers) sharesAt(n, edges int) *asm.SharesAt {
	s := asm.NewSharesAt(n)
	fan := len(s.Fans)
	fans, rims := make([]float64, fan*(n+1)), make([]float64, 4*asm.RimNumbers*(n+1))
	for _, poses := range [][][]float64{s.Pos[:], s.Rot[:]} {
		for k := range poses {
			poses[k] = make([]float64, 2*n+1)
		}
	}
	for k := range s.Verts {
		s.Verts[k] = make([]float64, 4*n+1)
	}
	for i := range n {
		row := r.shareCrossingRow()
		if edges > 0 {
			row = r.shareCornerRow(edges)
		}
		for k := range row {
			if r.IntN(300) == 0 {
				row[k] = r.float()
			}
		}
		for body := range 2 {
			s.Bodies[body][i] = uint32(2*i + body)
			for k := range 3 {
				s.Pos[k][2*i+body] = row[7*body+k]
			}
			for k := range 4 {
				s.Rot[k][2*i+body] = row[7*body+3+k]
			}
		}
		row = row[14:]
		s.Numbers[7][i] = float64(2*r.IntN(2) - 1)
		if edges == 0 {
			for k := range s.At {
				s.At[k][i] = uint32(4*i + k%4)
				if k >= 4 {
					s.At[k][i] *= asm.RimNumbers
				}
			}
			for e := range 2 {
				edge := row[19*e:]
				for k := range 3 {
					s.Verts[k][4*i+2*e], s.Verts[k][4*i+2*e+1] = edge[k], edge[3+k]
				}
				for f := range 2 {
					face := edge[7+6*f:]
					copy(rims[(4*i+2*e+f)*asm.RimNumbers:], []float64{face[0], face[1], face[2], 0, edge[6], face[3], face[4], face[5]})
				}
			}
			s.Numbers[6][i] = row[38]
			continue
		}
		s.At[0][i] = uint32(fan * i)
		copy(fans[fan*i:], row[:3])
		copy(fans[fan*i+3:], row[26:])
		for k := range 4 {
			s.At[1+k][i] = uint32((4*i + k) * asm.RimNumbers)
			copy(rims[(4*i+k)*asm.RimNumbers:], row[7+4*k:][:4])
			s.Numbers[k][i] = row[3+k]
		}
		for k := range 3 {
			s.Numbers[4+k][i] = row[23+k]
		}
	}
	s.SetTables(fans, rims)
	return s
}

// checkSharesAt compares a kernel with the Go loop, on rows of which now and then one has an index that leads outside
// its table.
func checkSharesAt(edges int, loop func(s *asm.SharesAt, lo, hi int)) func(t *testing.T, k *kernel, r *numbers, n int) {
	return func(t *testing.T, k *kernel, r *numbers, n int) {
		s := r.sharesAt(n, edges)
		lo := r.IntN(n + 1)
		hi := lo + r.IntN(n-lo+1)
		bad := hi
		if hi > lo && r.IntN(4) == 0 {
			bad = lo + r.IntN(hi-lo)
			words := [][]uint32{s.Bodies[0], s.Bodies[1], s.At[0], s.At[1], s.At[4]}
			if edges == 0 {
				words = append(words, s.At[2], s.At[3], s.At[5], s.At[6], s.At[7])
			}
			words[r.IntN(len(words))][bad] = []uint32{uint32(1000 * (n + 1)), 1 << 31, math.MaxUint32}[r.IntN(3)]
		}
		next := lo + k.whole(bad-lo)
		want := *s
		for k := range want.Answers {
			want.Answers[k] = append([]float64{}, s.Answers[k]...)
		}
		loop(&want, lo, next)
		var passed structure
		for _, columns := range [][][]float64{s.Pos[:], s.Rot[:], s.Fans[:], s.Rims[:], s.Verts[:]} {
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
		if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
			t.Errorf("%d to %d, bad %d: stopped at %d, want %d", lo, hi, bad, got[0], next)
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

// TestSharesAtOccur: the rows of the checks are answered as a rule.
func TestSharesAtOccur(t *testing.T) {
	r := newNumbers(9)
	for edges, loop := range map[int]func(s *asm.SharesAt, lo, hi int){0: asm.ShareCrossingsAt, 4: asm.ShareCornersAt4, 8: asm.ShareCornersAt8} {
		s := r.sharesAt(400, edges)
		loop(s, 0, 400)
		known := 0
		for _, x := range s.Answers[asm.ShareAnswers-1] {
			known += int(x)
		}
		if known < 100 || known == 400 {
			t.Errorf("%d edges: %d of 400 are known", edges, known)
		}
	}
}
