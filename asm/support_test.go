package asm

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

var negZero = math.Copysign(0, -1)

func ExampleSupport() {
	x, y, z := []float64{0, 3, 0, 3}, []float64{0, 0, 4, 4}, []float64{0, 0, 0, 0}
	fmt.Println(Support(x, y, z, 1, 1, 0))
	fmt.Println(Support(x, y, z, 1, 0, 0)) // two points tie
	// Output:
	// 3 7
	// 1 3
}

func TestSupport(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	const tiny = 5e-324
	tests := []struct {
		name       string
		x, y, z    []float64
		dx, dy, dz float64
		k          int
		max        float64
	}{
		{"no points", nil, nil, nil, 1, 2, 3, 0, -inf},
		{"one point", []float64{2}, []float64{3}, []float64{5}, 1, 10, 100, 0, 532},
		{"second wins", []float64{1, 2}, []float64{0, 0}, []float64{0, 0}, 1, 0, 0, 1, 2},
		{"last of five wins", []float64{1, 2, 3, 4, 5}, make([]float64, 5), make([]float64, 5), 1, 0, 0, 4, 5},
		{"tie goes to the lowest", []float64{1, 7, 7, 7, 2, 7, 7, 7, 7}, make([]float64, 9), make([]float64, 9), 1, 0, 0, 1, 7},
		{"zero direction ties all", []float64{3, 2, 1}, []float64{0, 1, 2}, []float64{0, 0, 0}, 0, 0, 0, 0, 0},
		{"negative zero first keeps its sign", []float64{negZero, 0, negZero, 0}, []float64{negZero, 0, 0, 0},
			[]float64{negZero, 0, 0, 0}, 1, 1, 1, 0, negZero},
		{"positive zero first keeps its sign", []float64{0, negZero}, []float64{0, negZero}, []float64{0, negZero}, 1, 1, 1, 0, 0},
		{"denormals count", []float64{0, tiny, 2 * tiny}, make([]float64, 3), make([]float64, 3), 1, 1, 1, 2, 2 * tiny},
		{"NaN never wins", []float64{nan, 1, nan}, make([]float64, 3), make([]float64, 3), 1, 0, 0, 1, 1},
		{"only NaN", []float64{nan, nan}, make([]float64, 2), make([]float64, 2), 1, 0, 0, 0, -inf},
		{"overflow wins", []float64{1, math.MaxFloat64, math.MaxFloat64}, make([]float64, 3), make([]float64, 3), 2, 0, 0, 1, inf},
		// (1+2⁻³⁰)² = 1+2⁻²⁹+2⁻⁶⁰ rounds to 1+2⁻²⁹. With a fused product, the difference would be
		// 2⁻⁶⁰ or -2⁻⁶⁰. Rounded products leave 0, and the first point wins.
		{"products are rounded before the sum",
			[]float64{0, 1 + 0x1p-30, -1 - 0x1p-29}, []float64{0, -1 - 0x1p-29, 1 + 0x1p-30}, make([]float64, 3),
			1 + 0x1p-30, 1, 0, 0, 0},
		// (2⁵³ + 1) - 2⁵³ is 0 in the order x, y, z. Any other order gives 1.
		{"sum runs x, y, z", []float64{0x1p53}, []float64{1}, []float64{-0x1p53}, 1, 1, 1, 0, 0},
	}
	backends.Run(t, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				k, max := Support(test.x, test.y, test.z, test.dx, test.dy, test.dz)
				if k != test.k || !sameBits(max, test.max) {
					t.Errorf("got %d, %v; want %d, %v", k, max, test.k, test.max)
				}
			})
		}
	})
}

// checkSupport compares Support and SupportPairs with brute force.
func checkSupport(t *testing.T, s *source, n, queries int) {
	t.Helper()
	x, y, z := s.points(n)
	dx, dy, dz := s.floats(queries), s.floats(queries), s.floats(queries)
	first, count := make([]uint32, queries), make([]uint32, queries)
	for q := range first {
		first[q] = uint32(s.byte()) % uint32(n+1)
		count[q] = uint32(s.byte()) % (uint32(n) - first[q] + 1)
	}
	bothEnds(t, func(p *pen) {
		px, py, pz := place(p, x), place(p, y), place(p, z)
		pdx, pdy, pdz := place(p, dx), place(p, dy), place(p, dz)
		pfirst, pcount := place(p, first), place(p, count)
		pairIndex, pairValue := output[uint32](p, queries), output[float64](p, queries)
		SupportPairs(px, py, pz, pfirst, pcount, pdx, pdy, pdz, pairIndex, pairValue)
		for q := range dx {
			want, wantMax := highest(heights(x, y, z, dx[q], dy[q], dz[q]))
			if k, max := Support(px, py, pz, dx[q], dy[q], dz[q]); k != want || !sameBits(max, wantMax) {
				t.Errorf("Support of %d points: got %d, %v; want %d, %v", n, k, max, want, wantMax)
			}
			lo, hi := first[q], first[q]+count[q]
			want, wantMax = highest(heights(x[lo:hi], y[lo:hi], z[lo:hi], dx[q], dy[q], dz[q]))
			if int(pairIndex[q]) != want || !sameBits(pairValue[q], wantMax) {
				t.Errorf("SupportPairs of points %d to %d: got %d, %v; want %d, %v",
					lo, hi, pairIndex[q], pairValue[q], want, wantMax)
			}
		}
	})
}

func TestSupportLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 67 {
			checkSupport(t, &source{data: noise(uint64(n), 2000)}, n, 1+n%19)
		}
	})
}

func FuzzSupport(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkSupport(t, s, int(s.byte()%70), int(s.byte()%20))
		})
	})
}

func TestSupportRefusesUnequalColumns(t *testing.T) {
	two, three := make([]float64, 2), make([]float64, 3)
	words := make([]uint32, 2)
	for name, f := range map[string]func(){
		"Support":              func() { Support(three, two, three, 1, 0, 0) },
		"Support z":            func() { Support(two, two, three[:2:3][:1], 1, 0, 0) },
		"SupportPairs points":  func() { SupportPairs(two, three, two, words, words, two, two, two, words, two) },
		"SupportPairs queries": func() { SupportPairs(two, two, two, words[:1], words, two, two, two, words, two) },
		"Interval":             func() { Interval(two, two, three, 1, 0, 0) },
		"PlaneDistance":        func() { PlaneDistance(two, two, two, three, 1, 0, 0) },
		"PosedBoxes":           func() { PosedBoxes(two, two, three, nil, nil, &BoxPoses{}, &BoxColumns{}) },
		"PosedBoxes poses":     func() { PosedBoxes(two, two, two, words, words, &BoxPoses{}, &BoxColumns{}) },
		"OdometerSweep":        func() { OdometerSweep(words, words, three, two, 0, 2, words) },
		"OdometerSweep range":  func() { OdometerSweep(words, words, two, two, 1, 3, words) },
		"OdometerSweep out":    func() { OdometerSweep(words, words, two, two, 0, 2, words[:1]) },
	} {
		want := "asm: " + strings.Fields(name)[0] + ": "
		if got := panics(f); !strings.HasPrefix(got, want) {
			t.Errorf("%s: panic %q, want one that starts with %q", name, got, want)
		}
	}
}
