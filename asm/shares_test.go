package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

type shareType struct {
	name           string
	share, generic func(s *Shares, lo, hi int)
	row            []float64
	answers        [ShareAnswers]float64
}

// shareTypes has each type with a row that is known, of which a checked overlap can be worked out
// by hand.
var shareTypes = []shareType{
	{"corner of 3", ShareCorners4, shareCorners4Generic, shareCornerRow(4, 3), shareCornerAnswers},
	{"corner of 3, padded to 8", ShareCorners8, shareCorners8Generic, shareCornerRow(8, 3), shareCornerAnswers},
	{"crossing", ShareCrossings, shareCrossingsGeneric, shareCrossingRow(), shareCrossingAnswers},
	{"prism of 4", SharePrisms4, sharePrisms4Generic, sharePrismRow(4), sharePrismAnswers},
	{"prism of 4, padded to 6", SharePrisms6, sharePrisms6Generic, sharePrismRow(6), sharePrismAnswers},
	{"prism of 4, padded to 8", SharePrisms8, sharePrisms8Generic, sharePrismRow(8), sharePrismAnswers},
}

// shareCornerRow is a corner at z = -0.5 of its body, 0.4 above the origin of another, whose face
// is z = 0 and 4 wide: 0.1 deep. Its edges are those of a cube along its axes, turned so that the
// three have one slope: the base's corners are 0.1·√2 away from the tip's foot.
func shareCornerRow(edges, n int) []float64 {
	row := []float64{0, 0, 0.4, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -0.5, 0, 0, 1, 0}
	for k := range 4 {
		c := [4]float64{1, 0, -1, 0}
		row = append(row, c[k], c[(k+3)%4], 0, -2)
	}
	row = append(row, 1, 0.5, 1e-12)
	for k := range edges {
		a := 2 * math.Pi * float64(min(k, n-1)) / float64(n)
		row = append(row, math.Sqrt2*math.Cos(a), math.Sqrt2*math.Sin(a), 1)
	}
	return row
}

// shareCornerAnswers: a regular pyramid of height H = 0.1 over a triangle of area a = 3√3/2·H² has
// the volume aH/3 and its centroid ¾H above the tip. B is an eighth of the square of the base's
// radius √2·H in both directions, so C is 0.15·H² there and 3/80·H² upright: λ = H²·(2/0.15² +
// (80/3)²)^(-1/2).
var shareCornerAnswers = func() (a [ShareAnswers]float64) {
	const h = 0.1
	area := 1.5 * math.Sqrt(3) * h * h
	a[0], a[3] = area*h/3, -0.5+0.75*h
	a[4], a[5], a[6] = 0.15*h*h, 0.15*h*h, 3.0/80*h*h
	a[10] = h * h / math.Sqrt(2/0.0225+6400.0/9)
	a[13] = -2 * a[10] / h // of a corner λ grows as the depth squared, and V moves up
	a[19] = -area
	a[23] = 1
	return a
}()

// shareCrossingRow is two roofs of slope 1 with their ridges along x and y, 0.1 deep.
func shareCrossingRow() []float64 {
	s := math.Sqrt(0.5)
	row := []float64{0, 0, 0, 1, 0, 0, 0, 0, 0, 1.9, 1, 0, 0, 0}
	row = append(row, -1, 0, 1, 1, 0, 1, 2, 0, s, -s, 0, 0, 1, 0, -s, -s, 0, 0, 1)
	row = append(row, 0, -1, -1, 0, 1, -1, 2, -s, 0, s, 0, 0, 1, s, 0, s, 0, 0, 1)
	return append(row, 1e-12)
}

// shareCrossingAnswers: both edges are cut to 2H, so the volume is H·(2H)²/6, and C is (2H)²/40 in
// both directions and H²/20.
var shareCrossingAnswers = func() (a [ShareAnswers]float64) {
	const h = 0.1
	a[0], a[3] = 4*h*h*h/6, 0.95
	a[4], a[5], a[6] = 0.1*h*h, 0.1*h*h, 0.05*h*h
	a[10] = h * h / math.Sqrt(2*100+400)
	a[13] = 2 * a[10] / h
	a[19] = 3 * a[0] / h
	a[23] = 1
	return a
}()

// sharePrismRow is two unit cubes, the second 0.3, 0.2 and 0.9 away: their overlap is a box of 0.7
// by 0.8 by 0.1.
func sharePrismRow(sides int) []float64 {
	row := []float64{0, 0, 0, 1, 0, 0, 0, 0.3, 0.2, 0.9, 1, 0, 0, 0, 1e-12}
	row = append(row, 0, 0, -1, 0.5, 1) // base: below G
	row = append(row, 0, 0, 1, 0.5, 0)  // top: above V
	row = append(row, 1, 0, 0, 0.5, 0, 0, -1, 0, 0.5, 1, -1, 0, 0, 0.5, 1, 0, 1, 0, 0.5, 0, 0)
	for range sides - 4 {
		row = append(row, 1, 0, 0, 0.5, 0, math.MaxFloat64)
	}
	row = append(row, 0, 0, -1, 0.5, 0, -1, 0, 0, 0.5, 0, 0, -1, 0, 0.5, 0) // V's others
	if sides == 4 {
		row = append(row, 0, 0, 1, 0.5, 1, 1, 0, 0, 0.5, 1, 0, 1, 0, 0.5, 1) // G's
	} else {
		row = append(row, 0, 0, 1, 0.5, 1, 1, 0, 0, 0.5, 1)
	}
	for len(row) < SharePrismNumbers(sides) {
		row = append(row, 0, 0, 0, math.MaxFloat64, 0)
	}
	return row[:SharePrismNumbers(sides)]
}

// sharePrismAnswers: λ = (Σ (12/a²)²)^(-1/2) of a box with sides a, and grows by 288·λ³/a⁵ with
// each, which V's motion along it draws out. No moment turns it.
var sharePrismAnswers = func() (a [ShareAnswers]float64) {
	side := [3]float64{0.7, 0.8, 0.1}
	a[0], a[1], a[2], a[3] = 0.7*0.8*0.1, 0.15, 0.1, 0.45
	sum := 0.0
	for k, s := range side {
		a[4+k] = s * s / 12
		sum += 144 / (s * s * s * s)
	}
	a[10] = 1 / math.Sqrt(sum)
	for k, s := range side {
		a[11+k] = 288 * a[10] * a[10] * a[10] / (s * s * s * s * s)
		a[17+k] = a[0] / s
	}
	a[23] = 1
	return a
}()

func sharesOf(rows int, row []float64) *Shares {
	s := NewShares(rows, len(row))
	for i := range rows {
		for k, x := range row {
			s.Cells[(ShareAnswers+k)*rows+i] = x
		}
	}
	return s
}

func TestSharesKnown(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, test := range shareTypes {
			const n = 19
			s := sharesOf(n, test.row)
			test.share(s, 1, n-1)
			for i := 1; i < n-1; i++ {
				for k, want := range test.answers {
					if got := s.Cells[k*n+i]; !(math.Abs(got-want) <= 1e-15) {
						t.Errorf("%s: answer %d of row %d is %v, want %v", test.name, k, i, got, want)
					}
				}
			}
			if s.Cells[0] != 0 || s.Cells[n-1] != 0 {
				t.Errorf("%s: a row outside the range was written", test.name)
			}
		}
	})
}

// TestSharesRefuse changes one thing so that the overlap is of another type, or cannot be told.
func TestSharesRefuse(t *testing.T) {
	corner, crossing, prism := &shareTypes[0], &shareTypes[2], &shareTypes[3]
	at := func(k int, x float64) map[int]float64 { return map[int]float64{k: x} }
	backends.Run(t, func(t *testing.T) {
		for _, test := range []struct {
			name   string
			of     *shareType
			change map[int]float64
		}{
			{"apart", corner, at(2, 0.6)},
			{"beyond a side", corner, at(0, 1.9)},
			{"too deep", corner, at(2, -0.2)},
			{"an edge ends inside", corner, at(42, 0.05)},
			{"an edge leads down", corner, at(42, -1)},
			{"slender", corner, map[int]float64{40: 1, 41: 0, 43: 0.5, 44: 0.002, 46: -1, 47: 0, 49: -1, 50: 0}},
			{"not a number", corner, at(5, math.NaN())},
			{"apart", crossing, at(9, 2.1)},
			{"parallel", crossing, map[int]float64{10: math.Sqrt(0.5), 13: math.Sqrt(0.5)}},
			{"beyond an end", crossing, at(7, 0.95)},
			{"beyond the next edge", crossing, at(26, 0.05)},
			{"next to a slanting edge", crossing, at(24, 30)},
			{"a face that rises", crossing, at(23, 0.7)},
			{"not a number", crossing, at(5, math.NaN())},
			{"apart", prism, at(9, 1.1)},
			{"a side that bounds nothing", prism, at(7, -0.1)},
			{"sides out of order", prism, map[int]float64{25: 0, 26: -1, 29: 1, 30: 1, 31: 0, 34: 0}},
			{"cut by another face", prism, at(69, 0.1)},
			{"not a number", prism, at(5, math.NaN())},
		} {
			s := sharesOf(9, test.of.row)
			for i := range 9 {
				for k, x := range test.change {
					s.Cells[(ShareAnswers+k)*9+i] = x
				}
			}
			test.of.share(s, 0, 9)
			if s.Cells[(ShareAnswers-1)*9+3] != 0 {
				t.Errorf("%s, %s: known", test.of.name, test.name)
			}
		}
	})
}

func checkShares(t *testing.T, s *source, n int) (known int) {
	t.Helper()
	test := &shareTypes[int(s.byte())%len(shareTypes)]
	from := sharesOf(n, test.row)
	for k := range test.row {
		for i := range n {
			x := &from.Cells[(ShareAnswers+k)*n+i]
			if *x += float64(s.byte())/8192 - 0.015; s.byte() < 1 {
				*x = s.float()
			}
		}
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := NewShares(n, len(test.row))
	copy(want.Cells, from.Cells)
	test.generic(want, lo, hi)
	for i := lo; i < hi; i++ {
		known += int(want.Cells[(ShareAnswers-1)*n+i])
	}
	bothEnds(t, func(p *pen) {
		got := NewShares(n, len(test.row))
		for k := range got.columns[:got.Columns] {
			if column := from.Cells[k*n:][:n]; k < ShareAnswers {
				got.columns[k] = output[float64](p, n)
				clear(got.columns[k])
			} else {
				got.columns[k] = place(p, column)
			}
		}
		test.share(got, lo, hi)
		for k, column := range got.columns[:ShareAnswers] {
			for i, x := range column {
				if y := want.Cells[k*n+i]; !sameBits(x, y) {
					t.Errorf("%s, %d to %d: answer %d of row %d: got %v, want %v", test.name, lo, hi, k, i, x, y)
				}
			}
		}
	})
	return known
}

func TestSharesLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		known := 0
		for n := range 40 {
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
			checkShares(t, s, int(s.byte()%40))
		})
	})
}

func TestSharesPanic(t *testing.T) {
	for name, f := range map[string]func(s *Shares){
		"range":        func(s *Shares) { ShareCorners4(s, 0, 10) },
		"turned":       func(s *Shares) { ShareCorners4(s, 3, 2) },
		"another type": func(s *Shares) { ShareCorners8(s, 0, 9) },
	} {
		if panics(func() { f(sharesOf(9, shareCornerRow(4, 3))) }) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}
