package coplanar

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// checkShares solves for λ and checks the optimality conditions: no λ is negative, a contact with λ
// > 0 has depth K·λ, and all others have at most that depth. It also checks that the value does not
// depend on the order of the contacts.
func checkShares(t *testing.T, all []partHolder) {
	t.Helper()
	value := func(all []partHolder) (whole float64) {
		s := &potentialParts{all: all}
		s.solve()
		deepest := 0.0
		for _, c := range all {
			deepest = max(deepest, c.depth)
		}
		for i, c := range all {
			if !(c.share >= 0) {
				t.Fatalf("contact %d has a share of %g", i, c.share)
			}
			left := c.depth
			for _, d := range all {
				cosine := c.from.Dot(d.from)
				left -= 0.5 * cosine * cosine * (1 + cosine) * d.share
			}
			if left > 1e-8*deepest || c.share > 0 && left < -1e-8*deepest {
				t.Fatalf("contact %d of %d, %g deep: its share is %g, and %g of its depth is left", i, len(all), c.depth, c.share, left)
			}
			whole += c.share * c.depth
		}
		return whole
	}
	other := make([]partHolder, len(all))
	for i := range all {
		other[len(all)-1-i] = all[i]
	}
	if a, b := value(all), value(other); math.Abs(a-b) > 1e-7*a {
		t.Errorf("the contacts store %g, in another order %g", a, b)
	}
}

// TestShares checks the solver for contacts with arbitrary, nearly equal and equal directions.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		axis := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
		spread := math.Pow(10, 1-10*r.Float64())
		all := make([]partHolder, 1+r.IntN(40))
		for i := range all {
			from := axis.AddScaled(spread, vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())).Unit()
			if i > 0 && r.IntN(5) == 0 {
				from = all[r.IntN(i)].from
			}
			all[i] = partHolder{from: from, depth: math.Pow(10, -3*r.Float64())}
		}
		checkShares(t, all)
	}
}

// FuzzShares checks the solver for directions and depths on a coarse lattice, on which many tie.
func FuzzShares(f *testing.F) {
	f.Add([]byte{0, 0, 7, 9, 0, 7, 0, 9, 7, 0, 0, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		var all []partHolder
		for ; len(data) >= 4 && len(all) < 60; data = data[4:] {
			d := vec.V(float64(int8(data[0])), float64(int8(data[1])), float64(int8(data[2])))
			if d != (vec.Vec3{}) && data[3] > 0 {
				all = append(all, partHolder{from: d.Unit(), depth: float64(data[3]) / 256})
			}
		}
		if len(all) > 0 {
			checkShares(t, all)
		}
	})
}
