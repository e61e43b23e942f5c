package clusters

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestOrder checks that the order contains each point once, points that are not finite last, and
// neighbours close together: of the shuffled points of a grid, eight consecutive points fill a
// cube.
func TestOrder(t *testing.T) {
	const side = 16
	var points []vec.Vec3
	for k := range side * side * side {
		points = append(points, vec.V(float64(k%side), float64(k/side%side), float64(k/side/side)))
	}
	points = append(points, vec.V(math.NaN(), 0, 0), vec.V(0, math.Inf(1), 0), vec.V(0, 0, math.Inf(-1)))
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	var o Order
	rows, finite := o.Sort(points)
	if finite != len(points)-3 || len(rows) != len(points) {
		t.Fatalf("%d of %d rows are finite, expected %d", finite, len(rows), len(points)-3)
	}
	seen := make([]bool, len(points))
	for i, r := range rows {
		if seen[r.At] || points[r.At].Finite() != (i < finite) {
			t.Fatalf("row %d: point %d, %v, seen %v", i, r.At, points[r.At], seen[r.At])
		}
		seen[r.At] = true
	}
	for i := 0; i < finite; i += 8 {
		box := vec.EmptyBox()
		for _, r := range rows[i : i+8] {
			box = box.With(points[r.At])
		}
		if size := box.Size(); size.MaxAbs() != 1 {
			t.Fatalf("rows %d to %d: box %v, expected a cube of side 1", i, i+8, size)
		}
	}
	if n := testing.AllocsPerRun(3, func() { o.Sort(points[:100]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for _, few := range [][]vec.Vec3{nil, {{}}, {{X: math.NaN()}}, {{X: 1e308}, {X: -1e308}}, {{X: 3}, {X: 3}}} {
		if rows, _ := o.Sort(few); len(rows) != len(few) {
			t.Errorf("%v: %d rows", few, len(rows))
		}
	}
}
