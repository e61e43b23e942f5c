package curve

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// lattice returns the sites of a cube with n sites along a side, x fastest.
func lattice(n int) (x, y, z []float64) {
	for i := range n * n * n {
		x, y, z = append(x, float64(i%n)), append(y, float64(i/n%n)), append(z, float64(i/(n*n)))
	}
	return x, y, z
}

func ExampleOrder() {
	x, y, z := lattice(2)
	for _, name := range Names {
		fmt.Println(name, Order(name, x, y, z))
	}
	// Output:
	// none [0 1 2 3 4 5 6 7]
	// random [3 5 7 4 1 2 6 0]
	// morton [0 4 2 6 1 5 3 7]
	// hilbert [0 4 6 2 3 7 5 1]
}

// TestHilbertTouches: from each site of a cubic lattice the curve goes to one beside it.
func TestHilbertTouches(t *testing.T) {
	for _, n := range []int{2, 4, 8, 32} {
		x, y, z := lattice(n)
		order := Order(Hilbert, x, y, z)
		for k := 1; k < len(order); k++ {
			i, j := order[k-1], order[k]
			if d := math.Abs(x[i]-x[j]) + math.Abs(y[i]-y[j]) + math.Abs(z[i]-z[j]); d != 1 {
				t.Fatalf("%d sites a side: steps %d and %d of the curve are %g sites apart, expected 1", n, k-1, k, d)
			}
		}
	}
}

// TestOrders: every order has each point once, is the same for points moved and scaled by powers of 2, and does not
// depend on infinite or undefined coordinates of others.
func TestOrders(t *testing.T) {
	x, y, z := lattice(7)
	change := func(c []float64, scale, by float64) (to []float64) {
		for _, v := range c {
			to = append(to, v*scale+by)
		}
		return to
	}
	for _, name := range Names {
		want := Order(name, x, y, z)
		sorted := slices.Clone(want)
		slices.Sort(sorted)
		for i, k := range sorted {
			if int(k) != i {
				t.Fatalf("%s: point %d is missing or there twice", name, i)
			}
		}
		for _, scale := range []float64{0x1p-1000, 0x1p-20, 1, 0x1p30, 0x1p1010} {
			for _, by := range []float64{0, -3 * scale, 64 * scale} {
				if got := Order(name, change(x, scale, by), change(y, scale, 0), change(z, scale, by)); !slices.Equal(got, want) {
					t.Errorf("%s: another order after scaling by %g and moving by %g", name, scale, by)
				}
			}
		}
	}
	bad := Order(Hilbert, []float64{0, math.NaN(), 1, math.Inf(1)}, []float64{0, 0, 0, math.Inf(-1)}, make([]float64, 4))
	if len(bad) != 4 || len(Order(Hilbert, nil, nil, nil)) != 0 {
		t.Errorf("got %v of four points, two without place", bad)
	}
	same := Order(Hilbert, make([]float64, 3), make([]float64, 3), make([]float64, 3))
	if !slices.Equal(same, []uint32{0, 1, 2}) {
		t.Errorf("points in one place: %v, expected their order", same)
	}
}
