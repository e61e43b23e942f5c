package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/asm"
)

// shareCornerRow is a corner of three or more edges, one below the face z = 0 of a body;
// shareCrossingRow two roofs whose ridges cross.
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

// sharePrismRow has two cubes, of which one stands on the other, turned by little.
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

// shares returns n rows of a type, in which now and then a number is anything.
func (r *numbers) shares(n, numbers int, row func() []float64) *asm.Shares {
	s := asm.NewShares(n, numbers)
	for i := range n {
		for k, x := range row() {
			if r.IntN(300) == 0 {
				x = r.float()
			}
			s.Cells[(asm.ShareAnswers+k)*n+i] = x
		}
	}
	return s
}

// checkShare compares a kernel with the Go loop.
func checkShare(t *testing.T, k *kernel, s *asm.Shares, r *numbers, loop func(s *asm.Shares, lo, hi int)) {
	n := s.Rows
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	next := lo + k.whole(hi-lo)
	want := asm.NewShares(n, s.Columns-asm.ShareAnswers)
	copy(want.Cells, s.Cells)
	loop(want, lo, next)
	var passed structure
	for c := range s.Columns {
		if column := s.Cells[c*n:][:n:n]; c < asm.ShareAnswers {
			passed.columns = append(passed.columns, output{column})
		} else {
			passed.columns = append(passed.columns, column)
		}
	}
	if got := k.call(t, 1, passed, array{}, lo, hi); got[0] != uint64(next) {
		t.Errorf("%d to %d: stopped at %d, want %d", lo, hi, got[0], next)
	}
	for c, v := range s.Cells {
		if !same(v, want.Cells[c]) {
			t.Errorf("%d to %d: column %d of row %d: got %v, want %v", lo, hi, c/n, c%n, v, want.Cells[c])
		}
	}
}

func checkSharePrisms(sides int, loop func(s *asm.Shares, lo, hi int)) func(t *testing.T, k *kernel, r *numbers, n int) {
	return func(t *testing.T, k *kernel, r *numbers, n int) {
		if n > 9 && n%8 != 7 {
			return // ten thousand operations a register take the interpreter long
		}
		s := r.shares(n, asm.SharePrismNumbers(sides), func() []float64 { return r.sharePrismRow(sides) })
		checkShare(t, k, s, r, loop)
	}
}

// TestShareConstants: the programs have the constants that package asm explains.
func TestShareConstants(t *testing.T) {
	for _, c := range [][2]float64{
		{shareSlender, asm.ShareSlender}, {shareSine2, asm.ShareSine2}, {shareNarrow, asm.ShareNarrow},
		{shareLevel, asm.ShareLevel}, {shareFlat, asm.ShareFlat}, {shareTurn2, asm.ShareTurn2}, {shareFlush, asm.ShareFlush},
	} {
		if c[0] != c[1] {
			t.Errorf("%g here, %g in asm", c[0], c[1])
		}
	}
}

// TestSharesOccur: the rows of the checks are answered as a rule.
func TestSharesOccur(t *testing.T) {
	r := newNumbers(9)
	for name, test := range map[string]struct {
		s    *asm.Shares
		loop func(s *asm.Shares, lo, hi int)
	}{
		"corners of 4": {r.shares(400, asm.ShareCornerNumbers+12, func() []float64 { return r.shareCornerRow(4) }), asm.ShareCorners4},
		"corners of 8": {r.shares(400, asm.ShareCornerNumbers+24, func() []float64 { return r.shareCornerRow(8) }), asm.ShareCorners8},
		"prisms of 4":  {r.shares(400, asm.SharePrismNumbers(4), func() []float64 { return r.sharePrismRow(4) }), asm.SharePrisms4},
		"prisms of 8":  {r.shares(400, asm.SharePrismNumbers(8), func() []float64 { return r.sharePrismRow(8) }), asm.SharePrisms8},
		"crossings":    {r.shares(400, asm.ShareCrossingNumbers, r.shareCrossingRow), asm.ShareCrossings},
	} {
		test.loop(test.s, 0, 400)
		known := 0
		for _, x := range test.s.Cells[(asm.ShareAnswers-1)*400:][:400] {
			known += int(x)
		}
		if known < 100 || known == 400 {
			t.Errorf("%s: %d of 400 are known", name, known)
		}
	}
}

// TestCommittedGo fails if a committed Go loop is not what the programs print.
func TestCommittedGo(t *testing.T) {
	for _, s := range goSources {
		got, err := os.ReadFile(filepath.Join("..", s.name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := goText(&s.form, s.programs()...)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("asm/%s is not what is generated: run go generate (%v)", s.name, err)
		}
	}
}

// TestGoTextRefuses: what the Go loops have no statement for is not left out.
func TestGoTextRefuses(t *testing.T) {
	for name, build := range map[string]func(p *program){
		"a test":    func(p *program) { p.require(p.compare(uint8(less), p.load(0), p.load(1))) },
		"a uniform": func(p *program) { p.store(2, p.uniform(0)) },
	} {
		p := newProgram("refused")
		build(p)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s goes into Go", name)
				}
			}()
			goText(&goForm{structure: "Shares", column: shareColumn}, p)
		}()
	}
}
