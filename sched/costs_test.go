package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestPrefixCosts(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	cases := []struct {
		name        string
		costs, want []float64
	}{
		{"plain", []float64{1, 2, 3}, []float64{0, 1, 3, 6}},
		{"bad ones are nothing", []float64{nan, -1, -inf, 2, math.Copysign(0, -1)}, []float64{0, 0, 0, 0, 2, 2}},
		{"denormal", []float64{5e-324, 5e-324}, []float64{0, 5e-324, 1e-323}},
		{"huge is cut", []float64{inf, 1, math.MaxFloat64, 0}, []float64{0,
			math.MaxFloat64 / 16, math.MaxFloat64 / 16, math.MaxFloat64 / 8, math.MaxFloat64 / 8}},
	}
	for _, c := range cases {
		if got := prefixCosts(nil, c.costs); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	dst := make([]float64, 3, 4)
	if got := prefixCosts(dst, []float64{1, 1, 1}); &got[0] != &dst[0] || len(got) != 4 {
		t.Error("room for four sums was not used")
	}
}

func TestRunsShareTheCost(t *testing.T) {
	cases := []struct {
		name    string
		costs   []float64
		workers int
		want    string
	}{
		{"equal", []float64{1, 1, 1, 1, 1, 1, 1, 1}, 4, "[2 4 6 8]"},
		{"heavy first", []float64{6, 1, 1, 1, 1, 1, 1}, 2, "[1 7]"},
		{"heavy last", []float64{1, 1, 1, 1, 1, 1, 6}, 2, "[6 7]"},
		{"nearest boundary", []float64{3, 3, 3}, 2, "[1 3]"},
		{"no cost", []float64{0, 0, 0, 0, 0, 0}, 3, "[2 4 6]"},
		{"more workers than tasks", []float64{1, 1}, 4, "[0 1 1 2]"},
		{"one task has it all", []float64{0, 0, 9, 0}, 3, "[2 3 4]"},
	}
	for _, c := range cases {
		prefix := prefixCosts(nil, c.costs)
		var ends []int
		for i, lo := 0, 0; i < c.workers; i++ {
			lo = runEnd(prefix, lo, i, c.workers)
			ends = append(ends, lo)
		}
		if fmt.Sprint(ends) != c.want {
			t.Errorf("%s: runs end at %v, want %s", c.name, ends, c.want)
		}
	}
}

// TestRunsWithinOneTask checks for random costs that the runs are in order and cover all tasks. No
// run may exceed its fair share by more than the largest task.
func TestRunsWithinOneTask(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 500 {
		costs := make([]float64, rng.IntN(300)+1)
		largest := 0.0
		for i := range costs {
			costs[i] = rng.ExpFloat64()
			largest = max(largest, costs[i])
		}
		prefix := prefixCosts(nil, costs)
		workers := rng.IntN(20) + 1
		share := prefix[len(costs)] / float64(workers)
		lo := 0
		for i := range workers {
			hi := runEnd(prefix, lo, i, workers)
			if hi < lo || hi > len(costs) {
				t.Fatalf("run %d is [%d, %d) of %d", i, lo, hi, len(costs))
			}
			if got := prefix[hi] - prefix[lo]; got > (share+largest)*(1+1e-12) {
				t.Fatalf("run %d costs %g, the share is %g, the largest task %g", i, got, share, largest)
			}
			lo = hi
		}
		if lo != len(costs) {
			t.Fatalf("runs end at %d of %d", lo, len(costs))
		}
	}
}

func FuzzSplitTasks(f *testing.F) {
	f.Add([]byte{1, 1, 1, 1})
	f.Add([]byte{0, 0, 0, 0, 0, 255})
	f.Add([]byte{255, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 2 {
			return
		}
		costs := make([]float64, len(raw))
		for i, b := range raw {
			// Spread over the whole range of exponents, with some zeros.
			if b%8 != 0 {
				costs[i] = math.Ldexp(1, (int(b)-128)*8)
			}
		}
		prefix := prefixCosts(nil, costs)
		lo, hi := uint32(0), uint32(len(costs))
		for depth := 0; hi-lo > 1; depth++ {
			mid := splitTasks(prefix, lo, hi)
			if mid <= lo || mid >= hi || 4*(mid-lo) > 3*(hi-lo)+3 {
				t.Fatalf("[%d, %d) cut at %d", lo, hi, mid)
			}
			if depth > dequeSize {
				t.Fatalf("depth %d", depth)
			}
			// The owner continues with the near part. An odd byte selects the far part, as a thief
			// would.
			if raw[mid]%2 == 0 {
				hi = mid
			} else {
				lo = mid
			}
		}
	})
}
