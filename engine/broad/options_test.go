package broad_test

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/broad/cells"
	"github.com/scree-dem/scree/engine/broad/lc"
	"github.com/scree-dem/scree/engine/broad/multilevel"
	"github.com/scree-dem/scree/engine/broad/vl"
	"github.com/scree-dem/scree/vec"
)

// TestExtremeOptions checks that methods with extreme options find the pairs of rows in a line, of
// which neighbours touch.
func TestExtremeOptions(t *testing.T) {
	for _, x := range []float64{1e150, math.MaxFloat64, math.Inf(1), math.NaN()} {
		methods := []broad.Method{lc.New(lc.Options{Cell: x})}
		if x <= math.MaxFloat64 { // vl refuses other radii
			methods = append(methods, vl.New(vl.Options{Radius: x}), vl.New(vl.Options{Radius: x, Build: cells.New()}),
				vl.New(vl.Options{Radius: x, Build: multilevel.New()}))
		}
		for k, m := range methods {
			for _, side := range []float64{0, 1} {
				var boxes []vec.Box
				for i := range 20 {
					boxes = append(boxes, vec.Box{Min: vec.V(float64(i)*side, 0, 0), Max: vec.V(float64(i+1)*side, 0, 0)})
				}
				want := 19
				if side == 0 {
					want = 190
				}
				var out broad.Found
				if err := broad.NewFinder(m).Find(&broad.Set{Box: boxes}, &out); err != nil || len(out.A) != want {
					t.Errorf("method %d with %g, side %g: %d pairs, expected %d; error %v", k, x, side, len(out.A), want, err)
				}
			}
		}
	}
}
