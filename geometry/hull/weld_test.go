package hull

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// weldingRow returns positions along x. With a tolerance of 1, each round of welding would remove
// every other position. Without maxWeld, the last would be welded, through others, into the first
// after all rounds.
func weldingRow(rounds int) []float64 {
	const step = 0.98
	row := []float64{0, step}
	for k := 2; k <= rounds; k++ {
		var before []float64
		for i, x := range row {
			before = append(before, x)
			if i+1 < len(row) {
				before = append(before, 0.5*(x+row[i+1]))
			}
		}
		row = append(before, step*float64(k))
	}
	return row
}

// TestWeldingDoesNotAddUp checks rows of points that each round of welding makes shorter. No point
// may be welded farther than maxWeld tolerances, so none lies farther outside the hull than Compute
// guarantees.
func TestWeldingDoesNotAddUp(t *testing.T) {
	for rounds := 1; rounds <= 8; rounds++ {
		row := weldingRow(rounds)
		end := row[len(row)-1]
		pts := []vec.Vec3{vec.V(-3, 100, -50), vec.V(-3, 100, 50), vec.V(end+3, 100, -50), vec.V(end+3, 100, 50)}
		for _, x := range row {
			pts = append(pts, vec.V(x, 1e-3*x*(x-end), 0))
		}
		for range 2 {
			h := must(t, pts, Options{Merge: 0.01}) // 1 % of 100
			// must checks the planes. The tip itself is also near a vertex of the row.
			tip := vec.V(end, 0, 0)
			if !slices.ContainsFunc(h.Verts, func(v int) bool { return pts[v].Sub(tip).Norm() <= maxWeld }) {
				t.Errorf("%d rounds: no vertex within %d tolerances of the tip", rounds, maxWeld)
			}
			slices.Reverse(pts)
		}
	}
}
