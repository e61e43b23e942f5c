package kernels

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func ExampleSweep() {
	var pairs soa.Pairs
	pairs.Resize(3)
	copy(pairs.A, []soa.Piece{0, 0, 1})
	copy(pairs.B, []soa.Piece{1, 2, 2})
	copy(pairs.Expiry, []float64{0.25, 0.5, soa.Expired})
	odometer := []float64{0, 0.25, 0.125} // by piece
	out := make([]uint32, 3)
	n := Sweep(&pairs, odometer, 0, 3, out)
	fmt.Println(out[:n])
	// Output: [0 2]
}

func TestSweepLooksAtBodies(t *testing.T) {
	shapes := mixed(t)
	pieces, bodies := crowd(shapes, 60, 5)
	r := newRandom(6)
	for i := range bodies.Odometer {
		bodies.Odometer[i] = float64(r.IntN(5))
	}
	bodies.Odometer[3] = math.NaN()
	var pairs soa.Pairs
	pairs.Resize(500)
	for i := range pairs.Len() {
		pairs.A[i], pairs.B[i] = soa.Piece(r.IntN(pieces.Len())), soa.Piece(r.IntN(pieces.Len()))
		pairs.Expiry[i] = float64(r.IntN(9))
		if i%50 == 0 {
			pairs.Expiry[i] = soa.Expired
		}
	}
	backends.Run(t, func(t *testing.T) {
		odometer := make([]float64, pieces.Len())
		half := pieces.Len() / 2
		GatherOdometers(pieces, bodies, half, pieces.Len(), odometer)
		GatherOdometers(pieces, bodies, 0, half, odometer)
		out := make([]uint32, pairs.Len())
		for lo := 0; lo < pairs.Len(); lo += 7 {
			hi := min(lo+lo%23, pairs.Len())
			var want []uint32
			for i := lo; i < hi; i++ {
				moved := bodies.Odometer[pieces.Body[pairs.A[i]]] + bodies.Odometer[pieces.Body[pairs.B[i]]]
				if math.IsNaN(moved) || moved >= pairs.Expiry[i] {
					want = append(want, uint32(i))
				}
			}
			if n := Sweep(&pairs, odometer, lo, hi, out); !slices.Equal(out[:n], want) {
				t.Errorf("pairs %d to %d: got %v, want %v", lo, hi, out[:n], want)
			}
		}
	})
}

func TestGatherOdometersRefusesAnotherLength(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	pieces, bodies := crowd(mixed(t), 5, 1)
	GatherOdometers(pieces, bodies, 0, 0, nil)
}

func TestNothingAllocates(t *testing.T) {
	shapes := mixed(t)
	pieces, bodies := crowd(shapes, 50, 7)
	n := pieces.Len()
	v := shapes.View(1)
	var boxes soa.Boxes
	boxes.Resize(n)
	var g AxisGaps
	g.Resize(n)
	var pairs soa.Pairs
	pairs.Resize(n)
	odometer, out := make([]float64, n), make([]uint32, n)
	var box vec.Box
	d := vec.V(1, 2, 3)
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(){
			"Interval":        func() { Interval(v, d) },
			"PlaneDistance":   func() { PlaneDistance(v, d) },
			"WorldBox":        func() { WorldBox(v, vec.IdentityPose, &box) },
			"WorldBoxes":      func() { WorldBoxes(shapes, pieces, bodies, 0, n, &boxes) },
			"GatherOdometers": func() { GatherOdometers(pieces, bodies, 0, n, odometer) },
			"Sweep":           func() { Sweep(&pairs, odometer, 0, n, out) },
			"AxisGaps.Set":    func() { g.Set(3, shapes, 1, d, 1, 1) },
			"AxisGaps.Solve":  func() { g.Solve(shapes, 0, n) },
			"Queries.Resize":  func() { g.Resize(n) },
		} {
			if allocs := testing.AllocsPerRun(20, f); allocs != 0 {
				t.Errorf("%s allocates %v times", name, allocs)
			}
		}
	})
}
