package surface

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/vec"
)

// TestPressSharesAreApart compares what two facets store together, for a block equally deep in
// both, with what one facet stores alone. Facets whose directions are 90° apart are separate
// contacts; facets a thousandth of a radian apart are one.
func TestPressSharesAreApart(t *testing.T) {
	middles := binMiddles()
	r := rand.New(rand.NewPCG(4, 7))
	for range 300 {
		a := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
		b := a.Cross(vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())).Unit()
		for _, c := range []struct{ angle, low, high float64 }{
			{math.Pi / 2, 1.96, 2},
			{1e-3, math.Pow(2, 1.0/8), math.Pow(2, 1.0/8) + 1e-4},
		} {
			sin, cos := math.Sincos(c.angle)
			x, y := weightsOf(a, &middles), weightsOf(a.Scale(cos).AddScaled(sin, b), &middles)
			sum := 0.0
			for k := range x {
				sum += math.Pow(x[k]+y[k], 2.0/(overlap.DepthPower+1))
			}
			if sum < c.low-1e-12 || sum > c.high {
				t.Fatalf("%v and %v, %g rad apart, store %g of what one does, expected %g to %g", a, b, c.angle, sum, c.low, c.high)
			}
		}
	}
}
