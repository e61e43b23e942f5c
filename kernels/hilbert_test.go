package kernels

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func TestHilbertKeysCells(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	// Cells of 0.5 m from -1 to 1, so 4 a side. The curve of four a side starts at the lowest corner.
	origin, per := vec.V(-1, -1, -1), 2.0
	same := []struct {
		name string
		a, b vec.Vec3
	}{
		{"in one cell", vec.V(-0.9, 0.1, 0.6), vec.V(-0.6, 0.4, 0.9)},
		{"at its lower corner", vec.V(0, 0.5, -0.5), vec.V(0.1, 0.6, -0.4)},
		{"below", vec.V(-7, 0.1, 0.1), vec.V(-0.9, 0.1, 0.1)},
		{"above", vec.V(0.1, 1, 1e300), vec.V(0.1, 0.9, 0.9)},
		{"infinitely far", vec.V(inf, -inf, 0.1), vec.V(0.9, -0.9, 0.1)},
		{"not a number", vec.V(nan, 0.1, 0.1), vec.V(-0.9, 0.1, 0.1)},
	}
	backends.Run(t, func(t *testing.T) {
		var points soa.Vec3s
		points.Resize(2*len(same) + 1)
		for i, s := range same {
			points.Set(2*i, s.a)
			points.Set(2*i+1, s.b)
		}
		points.Set(2*len(same), vec.V(-1, -1, -1))
		keys := make([]uint64, points.Len())
		HilbertKeys(&points, origin, per, 2, 0, points.Len(), keys)
		for i, s := range same {
			if keys[2*i] != keys[2*i+1] {
				t.Errorf("%s: keys %d and %d", s.name, keys[2*i], keys[2*i+1])
			}
		}
		if k := keys[2*len(same)]; k != 0 {
			t.Errorf("the first cell has key %d", k)
		}
	})
}

// TestHilbertOrderIsNear sorts points and measures how far one is from the next: about the distance of neighbours,
// where an order by chance goes through half the cube each time.
func TestHilbertOrderIsNear(t *testing.T) {
	const n = 5000
	backends.Run(t, func(t *testing.T) {
		r := newRandom(31)
		var points soa.Vec3s
		points.Resize(n)
		order := make([]int, n)
		for i := range n {
			points.Set(i, vec.V(r.Float64(), r.Float64(), r.Float64()))
			order[i] = i
		}
		keys := slices.Repeat([]uint64{^uint64(0)}, n+1)
		HilbertKeys(&points, vec.Vec3{}, 1<<10, 10, 0, 70, keys)
		if keys[70] != ^uint64(0) {
			t.Fatal("a key outside the range was written")
		}
		HilbertKeys(&points, vec.Vec3{}, 1<<10, 10, 70, n, keys)
		slices.SortFunc(order, func(i, j int) int { return int(int64(keys[i]) - int64(keys[j])) })
		way := 0.0
		for k := 1; k < n; k++ {
			way += points.At(order[k]).Sub(points.At(order[k-1])).Norm()
		}
		// A point has a share of n^(-1/3) along each axis.
		if mean, share := way/n, math.Pow(n, -1.0/3); mean > 1.2*share {
			t.Errorf("points are %.3f apart along the curve, their share of space is %.3f", mean, share)
		}
	})
}

func TestHilbertKeysAllocateNothing(t *testing.T) {
	var points soa.Vec3s
	points.Resize(200)
	keys := make([]uint64, 200)
	if n := testing.AllocsPerRun(100, func() { HilbertKeys(&points, vec.Vec3{}, 1, 10, 0, 200, keys) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
