package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// shareAtType is a type of SharesAt, and the same of Shares, which takes the numbers themselves.
type shareAtType struct {
	name           string
	share, generic func(s *SharesAt, lo, hi int)
	numbers        func(s *Shares, lo, hi int)
	row            []float64 // of Shares
	crossing       bool
	edges          int
}

var shareAtTypes = []shareAtType{
	{"corner of 3", ShareCornersAt4, shareCornersAt4Generic, ShareCorners4, shareCornerRow(4, 3), false, 4},
	{"corner of 3, padded to 8", ShareCornersAt8, shareCornersAt8Generic, ShareCorners8, shareCornerRow(8, 3), false, 8},
	{"crossing", ShareCrossingsAt, shareCrossingsAtGeneric, ShareCrossings, shareCrossingRow(), true, 0},
}

// lookedUp puts a row of numbers into tables, behind a row of zeros, and n rows that all look them up.
// Row i has the bodies 2i and 2i+1.
func (of *shareAtType) lookedUp(n int) (s *SharesAt, fans, rims []float64) {
	s = NewSharesAt(n)
	for _, poses := range [2][][]float64{s.Pos[:], s.Rot[:]} {
		for k := range poses {
			poses[k] = make([]float64, 2*n+2)
		}
	}
	fans, rims = make([]float64, 2*fanRow), make([]float64, 5*RimNumbers)
	for k := range s.Verts {
		s.Verts[k] = make([]float64, 5)
	}
	for i := range n {
		for body := range 2 {
			pose := of.row[7*body:]
			for k := range 3 {
				s.Pos[k][2*i+body] = pose[k]
			}
			for k := range 4 {
				s.Rot[k][2*i+body] = pose[3+k]
			}
			s.Bodies[body][i] = uint32(2*i + body)
		}
	}
	set := func(words, value int) {
		for i := range n {
			s.At[words][i] = uint32(value)
		}
	}
	number := func(k int, x float64) {
		for i := range n {
			s.Numbers[k][i] = x
		}
	}
	row := of.row[14:]
	if of.crossing {
		for e := range 2 {
			edge := row[19*e:]
			for k := range 3 {
				s.Verts[k][1+2*e], s.Verts[k][2+2*e] = edge[k], edge[3+k]
			}
			set(2*e, 1+2*e)
			set(2*e+1, 2+2*e)
			for f := range 2 {
				at := (1 + 2*e + f) * RimNumbers
				face := edge[7+6*f:]
				copy(rims[at:], []float64{face[0], face[1], face[2], 0, edge[6], face[3], face[4], face[5]})
				set(4+2*e+f, at)
			}
		}
		number(6, row[38])
	} else {
		copy(fans[fanRow:], row[:3])
		copy(fans[fanRow+3:], row[26:][:3*of.edges])
		set(0, fanRow)
		for k := range 4 {
			copy(rims[(1+k)*RimNumbers:], row[7+4*k:][:4])
			set(1+k, (1+k)*RimNumbers)
			number(k, row[3+k])
		}
		for k := range 3 {
			number(4+k, row[23+k])
		}
		number(7, 1)
	}
	s.SetTables(fans, rims)
	return s, fans, rims
}

// TestSharesAtAreShares: looked up, the numbers make the same answers, to the bit, also where G is told.
func TestSharesAtAreShares(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, of := range shareAtTypes {
			const n = 19
			want := sharesOf(n, of.row)
			of.numbers(want, 0, n)
			s, _, _ := of.lookedUp(n)
			for i := 1; i < n; i += 2 {
				s.Numbers[7][i] = -1
			}
			of.share(s, 1, n-1)
			for i := 1; i < n-1; i++ {
				for k := range ShareAnswers {
					x := want.Cells[k*n+i]
					if seen := !of.crossing && i%2 == 1; seen && k >= 1 && k <= 3 {
						x += of.row[k-1] - of.row[7+k-1]
					} else if seen && k >= 11 && k < 23 {
						x = -x
					}
					if got := s.Answers[k][i]; !sameBits(got, x) {
						t.Errorf("%s: answer %d of row %d is %v, of numbers %v", of.name, k, i, got, x)
					}
				}
				if got, thick := s.Answers[ShareAtThickness][i], math.Sqrt(12*s.Answers[10][i]); got != thick {
					t.Errorf("%s: thickness of row %d is %v, expected %v", of.name, i, got, thick)
				}
				for k := range 3 {
					push := [3]float64{s.Answers[11][i], s.Answers[12][i], s.Answers[13][i]}
					slope := math.Sqrt(float64(push[0]*push[0]) + float64(push[1]*push[1]) + float64(push[2]*push[2]))
					if got := s.Answers[ShareAtAlong+k][i]; !(math.Abs(got-push[k]/slope) < 1e-15) {
						t.Errorf("%s: row %d grows along %v in axis %d, expected %v", of.name, i, got, k, push[k]/slope)
					}
				}
			}
			if s.Answers[0][0] != 0 || s.Answers[0][n-1] != 0 {
				t.Errorf("%s: a row outside the range was written", of.name)
			}
		}
	})
}

func checkSharesAt(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	of := &shareAtTypes[int(s.byte())%len(shareAtTypes)]
	from, fans, rims := of.lookedUp(n)
	if s.byte()%4 == 0 {
		fans, rims = s.floats(len(fans)), s.floats(len(rims))
	}
	for _, columns := range [3][][]float64{from.Pos[:], from.Rot[:], from.Numbers[:]} {
		for k := range columns {
			for i := range columns[k] {
				x := &columns[k][i]
				if *x += float64(s.byte())/8192 - 0.015; s.byte() < 2 {
					*x = s.float()
				}
			}
		}
	}
	for k, w := range [10][]uint32{from.Bodies[0], from.Bodies[1], from.At[0], from.At[1], from.At[2], from.At[3], from.At[4], from.At[5], from.At[6], from.At[7]} {
		rows := byte(n)
		switch {
		case k >= 6 || !of.crossing && k > 2:
			rows = byte(len(rims) - RimNumbers + 1)
		case !of.crossing && k == 2:
			rows = byte(len(fans) - fanRow + 1)
		case k >= 2:
			rows = 5
		}
		for i := range w {
			if s.byte() < 6 {
				w[i] = uint32(s.byte() % rows)
			}
		}
	}
	from.SetTables(fans, rims)
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	for k := range want.Answers {
		want.Answers[k] = slices.Clone(want.Answers[k])
	}
	of.generic(&want, lo, hi)
	for i := lo; i < hi; i++ {
		known += int(want.Answers[ShareAnswers-1][i])
	}
	bothEnds(t, func(p *pen) {
		got := NewSharesAt(n)
		for k := range got.Pos {
			got.Pos[k] = place(p, from.Pos[k])
			got.Verts[k] = place(p, from.Verts[k])
		}
		for k := range got.Rot {
			got.Rot[k] = place(p, from.Rot[k])
		}
		for k := range got.Bodies {
			got.Bodies[k] = place(p, from.Bodies[k])
		}
		for k := range got.At {
			got.At[k], got.Numbers[k] = place(p, from.At[k]), place(p, from.Numbers[k])
		}
		for k := range got.Answers {
			got.Answers[k] = output[float64](p, n)
			clear(got.Answers[k])
		}
		got.SetTables(place(p, fans), place(p, rims))
		of.share(got, lo, hi)
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

func TestSharesAtLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 30 {
			for seed := range uint64(3) {
				known += checkSharesAt(t, &source{data: noise(4*uint64(n)+seed, 9000)}, n)
			}
		}
		if known < 100 {
			t.Errorf("only %d rows of all are answered", known)
		}
	})
}

func FuzzSharesAt(f *testing.F) {
	addSeeds(f)
	f.Add(noise(1, 4000))
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkSharesAt(t, s, int(s.byte()%40))
		})
	})
}

func TestSharesAtPanic(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		corner, crossing := &shareAtTypes[0], &shareAtTypes[2]
		for name, k := range map[string]struct {
			of    *shareAtType
			spoil func(s *SharesAt)
		}{
			"turned":         {corner, func(s *SharesAt) { ShareCornersAt8(s, 3, 2) }},
			"range":          {corner, func(s *SharesAt) { ShareCornersAt4(s, 0, 21) }},
			"short answer":   {corner, func(s *SharesAt) { s.Answers[27] = s.Answers[27][:4] }},
			"short number":   {corner, func(s *SharesAt) { s.Numbers[5] = s.Numbers[5][:4] }},
			"short words":    {corner, func(s *SharesAt) { s.At[7] = s.At[7][:4] }},
			"short bodies":   {corner, func(s *SharesAt) { s.Bodies[1] = s.Bodies[1][:4] }},
			"short poses":    {corner, func(s *SharesAt) { s.Rot[3] = s.Rot[3][:4] }},
			"short fans":     {corner, func(s *SharesAt) { s.Fans[9] = s.Fans[9][:9] }},
			"short rims":     {corner, func(s *SharesAt) { s.Rims[1] = s.Rims[1][:9] }},
			"short vertices": {crossing, func(s *SharesAt) { s.Verts[1] = s.Verts[1][:2] }},
			"body V":         {corner, func(s *SharesAt) { s.Bodies[0][3] = 42 }},
			"body G":         {crossing, func(s *SharesAt) { s.Bodies[1][13] = 1 << 31 }},
			"fan":            {corner, func(s *SharesAt) { s.At[0][19] = fanRow + 1 }},
			"side":           {corner, func(s *SharesAt) { s.At[4][0] = 4*RimNumbers + 1 }},
			"vertex":         {crossing, func(s *SharesAt) { s.At[3][8] = 5 }},
			"rim":            {crossing, func(s *SharesAt) { s.At[7][9] = math.MaxUint32 }},
		} {
			if panics(func() {
				s, _, _ := k.of.lookedUp(20)
				k.spoil(s)
				k.of.share(s, 0, 20)
			}) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
