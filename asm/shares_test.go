package asm

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// shareType is a type of overlap with a row: the poses of V and G, then the numbers of its
// features.
type shareType struct {
	name           string
	share, generic func(s *TypedOverlaps, lo, hi int)
	row            []float64
	answers        [ShareThickness]float64
	kind           shareKind
	most           int // largest number of edges of a corner, or of sides of a prism
}

type shareKind uint8

const (
	cornerKind shareKind = iota
	crossingKind
	prismKind
)

// shareTypes lists all types. Each has a known row, and a checked overlap that can be computed by
// hand.
var shareTypes = []shareType{
	{"corner of 3", ShareCorners4, shareCorners4Generic, shareCornerRow(4, 3), shareCornerAnswers, cornerKind, 4},
	{"corner of 3, padded to 8", ShareCorners8, shareCorners8Generic, shareCornerRow(8, 3), shareCornerAnswers, cornerKind, 8},
	{"crossing", ShareCrossings, shareCrossingsGeneric, shareCrossingRow(), shareCrossingAnswers, crossingKind, 0},
	{"prism of 4", SharePrisms4, sharePrisms4Generic, sharePrismRow(4), sharePrismAnswers, prismKind, 4},
	{"prism of 4, padded to 6", SharePrisms6, sharePrisms6Generic, sharePrismRow(6), sharePrismAnswers, prismKind, 6},
	{"prism of 4, padded to 8", SharePrisms8, sharePrisms8Generic, sharePrismRow(8), sharePrismAnswers, prismKind, 8},
	{"held prism of 4", SharePrismsHeld4, sharePrismsHeld4Generic, sharePrismRow(4), sharePrismAnswers, prismKind, 4},
	{"held prism of 4, padded to 6", SharePrismsHeld6, sharePrismsHeld6Generic, sharePrismRow(6), sharePrismAnswers, prismKind, 6},
	{"held prism of 4, padded to 8", SharePrismsHeld8, sharePrismsHeld8Generic, sharePrismRow(8), sharePrismAnswers, prismKind, 8},
	{"held prism of 4 with coplanar planes", SharePrismsCoplanar4, sharePrismsCoplanar4Generic, sharePrismRow(4), sharePrismAnswers, prismKind, 4},
}

// shareCornerRow is a corner at z = -0.5 of its body, 0.4 above the origin of another body whose
// face is z = 0 and 4 wide: the corner is 0.1 deep. Its edges are those of a cube, turned so that
// all three have one slope. The corners of the base are 0.1·√2 from the projection of the tip.
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
// the volume aH/3, and its centroid ¾H above the tip. B is an eighth of the square of the base's
// radius √2·H in both directions. So C is 0.15·H² there and 3/80·H² upright, and λ = H²·(2/0.15² +
// (80/3)²)^(-1/2).
var shareCornerAnswers = func() (a [ShareThickness]float64) {
	const h = 0.1
	area := 1.5 * math.Sqrt(3) * h * h
	a[0], a[3] = area*h/3, -0.5+0.75*h
	a[4], a[5], a[6] = 0.15*h*h, 0.15*h*h, 3.0/80*h*h
	a[10] = h * h / math.Sqrt(2/0.0225+6400.0/9)
	a[13] = -2 * a[10] / h // for a corner λ is proportional to the squared depth, and V moves up
	a[19] = -area
	a[23] = 1
	return a
}()

// shareCrossingRow is two roofs of slope 1 with ridges along x and y, 0.1 deep.
func shareCrossingRow() []float64 {
	s := math.Sqrt(0.5)
	row := []float64{0, 0, 0, 1, 0, 0, 0, 0, 0, 1.9, 1, 0, 0, 0}
	row = append(row, -1, 0, 1, 1, 0, 1, 2, 0, s, -s, 0, 0, 1, 0, -s, -s, 0, 0, 1)
	row = append(row, 0, -1, -1, 0, 1, -1, 2, -s, 0, s, 0, 0, 1, s, 0, s, 0, 0, 1)
	return append(row, 1e-12)
}

// shareCrossingAnswers: both edges have parts of length 2H, so the volume is H·(2H)²/6, and C is
// (2H)²/40 in both directions and H²/20 upright.
var shareCrossingAnswers = func() (a [ShareThickness]float64) {
	const h = 0.1
	a[0], a[3] = 4*h*h*h/6, 0.95
	a[4], a[5], a[6] = 0.1*h*h, 0.1*h*h, 0.05*h*h
	a[10] = h * h / math.Sqrt(2*100+400)
	a[13] = 2 * a[10] / h
	a[19] = 3 * a[0] / h
	a[23] = 1
	return a
}()

// sharePrismRow is two unit cubes, offset by (0.3, 0.2, 0.9): their overlap is a box of 0.7 by 0.8
// by 0.1.
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
	for len(row) < sharePrismNumbers(sides) {
		row = append(row, 0, 0, 0, math.MaxFloat64, 0)
	}
	return row[:sharePrismNumbers(sides)]
}

// sharePrismAnswers: a box with sides a has λ = (Σ (12/a²)²)^(-1/2). λ grows by 288·λ³/a⁵ with each
// side, and V's motion along a side lengthens that side. The box does not turn.
var sharePrismAnswers = func() (a [ShareThickness]float64) {
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

// sharePrismNumbers is the number of numbers in the row of a prism.
func sharePrismNumbers(sides int) int { return 15 + 5*SharePlanes + sides - 3 }

// shareTables is the tables of a Shares: for each row a corner, four rims, four vertices and
// SharePlanes planes.
type shareTables = OverlapTables

const cornerRow = 3 + 3*CornerEdges

// newShares returns n rows of zeros. Row i indexes its own features, and the bodies 2i and 2i+1.
func newShares(n int) (s *TypedOverlaps, t shareTables) {
	s = NewShares(n)
	t = shareTables{
		make([]float64, PoseNumbers*2*n), make([]float64, cornerRow*(n+1)), make([]float64, 4*RimNumbers*(n+1)),
		make([]float64, 4*4*n), make([]float64, 4*SharePlanes*n),
	}
	s.SetTables(t)
	return s, t
}

// put writes row i from the numbers of a type.
func (of *shareType) put(s *TypedOverlaps, t shareTables, i int, row []float64) {
	for body := range 2 {
		s.Bodies[body][i] = uint32(PoseNumbers * (2*i + body))
		copy(t.Poses[PoseNumbers*(2*i+body):], row[7*body:][:7])
	}
	row = row[14:]
	at, number := func(k, to int) { s.At[k][i] = uint32(to) }, func(k int, x float64) { s.Numbers[k][i] = x }
	rim := func(k int, numbers ...float64) int {
		copy(t.Rims[(4*i+k)*RimNumbers:], numbers)
		return (4*i + k) * RimNumbers
	}
	switch of.kind {
	case cornerKind:
		copy(t.Corners[cornerRow*i:], row[:3])
		copy(t.Corners[cornerRow*i+3:], row[26:])
		at(0, cornerRow*i)
		for k := range 4 {
			at(1+k, rim(k, row[7+4*k:][:4]...))
			number(ShareFace+k, row[3+k])
		}
		number(ShareFace+4, row[23])
		number(ShareFace+5, row[24])
		number(ShareClear, row[25])
		number(ShareSign, 1)
	case crossingKind:
		for e := range 2 {
			edge := row[19*e:]
			for end := range 2 {
				start := 4 * (4*i + 2*e + end)
				copy(t.Verts[start:], edge[3*end:][:3])
				at(2*e+end, start)
			}
			for f := range 2 {
				face := edge[7+6*f:]
				at(4+2*e+f, rim(2*e+f, face[0], face[1], face[2], 0, edge[6], face[3], face[4], face[5]))
			}
		}
		number(ShareClear, row[38])
	case prismKind:
		number(ShareClear, row[0])
		row = row[1:]
		for k := range SharePlanes {
			start := 4 * (SharePlanes*i + k)
			copy(t.Planes[start:], row[:4])
			at(k, start)
			number(ShareOfG+k, row[4])
			if row = row[5:]; k >= 5 && k < 2+of.most {
				number(ShareAbsent+k-5, row[0])
				row = row[1:]
			}
		}
	}
}

// rows returns n rows of one type.
func (of *shareType) rows(n int, row []float64) *TypedOverlaps {
	s, t := newShares(n)
	for i := range n {
		of.put(s, t, i, row)
	}
	return s
}

func TestSharesKnown(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, test := range shareTypes {
			const n = 19
			s := test.rows(n, test.row)
			test.share(s, 1, n-1)
			for i := 1; i < n-1; i++ {
				for k, want := range test.answers {
					if got := s.Answers[k][i]; !(math.Abs(got-want) <= 1e-15) {
						t.Errorf("%s: answer %d of row %d is %v, want %v", test.name, k, i, got, want)
					}
				}
				thick := math.Sqrt(12 * test.answers[ShareVariance])
				if got := s.Answers[ShareThickness][i]; !(math.Abs(got-thick) <= 1e-15) {
					t.Errorf("%s: thickness of row %d is %v, want %v", test.name, i, got, thick)
				}
				gradient := test.answers[ShareVarianceGradient:]
				slope := math.Sqrt(gradient[0]*gradient[0] + gradient[1]*gradient[1] + gradient[2]*gradient[2])
				for k := range 3 {
					if got := s.Answers[ShareAlong+k][i]; !(math.Abs(got-gradient[k]/slope) <= 1e-12) {
						t.Errorf("%s: row %d grows along %v in axis %d, want %v", test.name, i, got, k, gradient[k]/slope)
					}
				}
			}
			if s.Answers[0][0] != 0 || s.Answers[0][n-1] != 0 {
				t.Errorf("%s: a row outside the range was written", test.name)
			}
		}
	})
}

// TestSharesBudget: the prism is 0.1 high, and its planes are at right angles, so κ is 1. The turn
// of the bodies limits the budget only for small bodies.
func TestSharesBudget(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, test := range shareTypes[3:] {
			for _, radius := range []float64{1, 0.5} {
				s := test.rows(9, test.row)
				for i := range s.Budget {
					s.Budget[i], s.Numbers[ShareRadius][i] = -7, radius
				}
				test.share(s, 0, 9)
				want := min(0.1-ShareHeldMargin*3*1e-12, ShareHeldTurn*radius) / (1 + ShareHeldSlope)
				if strings.HasPrefix(test.name, "held") {
					want = -7 // unchanged
				}
				if got := s.Budget[5]; !(math.Abs(got-want) <= 1e-15) {
					t.Errorf("%s, radius %g: budget %v, want %v", test.name, radius, got, want)
				}
			}
		}
	})
}

// TestSharesSeenFromG: with the other sign, the results of the same overlap are relative to G, and
// derivatives by G's motion.
func TestSharesSeenFromG(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for _, test := range shareTypes[:2] {
			const n = 9
			s, g := test.rows(n, test.row), test.rows(n, test.row)
			for i := range n {
				g.Numbers[ShareSign][i] = -1
			}
			test.share(s, 0, n)
			test.share(g, 0, n)
			for k := range s.Answers {
				want := s.Answers[k][4]
				switch {
				case k >= ShareCentroid && k < ShareSpread:
					want += test.row[k-ShareCentroid] - test.row[7+k-ShareCentroid]
				case k >= ShareVarianceGradient && k < ShareKnown, k >= ShareAlong:
					want = -want
				}
				if got := g.Answers[k][4]; got != want {
					t.Errorf("%s: answer %d is %v, want %v", test.name, k, got, want)
				}
			}
		}
	})
}

// TestSharesRefuse changes one thing, so that the overlap has another type or is not certain.
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
			row := slices.Clone(test.of.row)
			for k, x := range test.change {
				row[k] = x
			}
			s := test.of.rows(9, row)
			test.of.share(s, 0, 9)
			if s.Answers[ShareKnown][3] != 0 {
				t.Errorf("%s, %s: known", test.of.name, test.name)
			}
		}
	})
}
