package surface

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSideChoice compares the chosen sides with all possible choices: for parts of any direction,
// and for the blades of a grate, which face two or four directions.
func TestSideChoice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var c sideChoice
	for n := range 400 {
		parts, bins := r.IntN(11), 1+r.IntN(8)
		c.begin(parts, bins)
		some := func(row []float64) {
			for k := range row {
				if r.IntN(3) > 0 {
					row[k] = math.Pow(10, -12*r.Float64())
				}
			}
		}
		if some(c.sure()); n%2 == 0 {
			clear(c.sure())
		}
		for k := range parts {
			if n%4 > 1 && bins > 3 { // blades
				x, way := math.Pow(10, -2*r.Float64()), 2*r.IntN(2)
				c.of(k, 0)[way], c.of(k, 1)[way+1] = x, x*(1+1e-3*r.Float64())
				continue
			}
			some(c.of(k, 0))
			some(c.of(k, 1))
		}
		c.choose()
		least, of := math.Inf(1), make([]float64, bins)
		stored := func(side func(k int) int) (sum float64) {
			copy(of, c.sure())
			for k := range parts {
				for j, x := range c.of(k, side(k)) {
					of[j] += x
				}
			}
			for _, x := range of {
				sum += math.Pow(x, 1.0/8)
			}
			return sum
		}
		for all := range 1 << parts {
			least = min(least, stored(func(k int) int { return all >> k & 1 }))
		}
		if got := stored(func(k int) int { return c.best[k] }); !(got <= least*(1+1e-12)) || c.left < 0 {
			t.Fatalf("%d parts, %d bins: the sides chosen store %g, the best %g; %d choices are left", parts, bins, got, least, c.left)
		}
	}
}

// TestSideChoiceOfAGrate chooses the sides of many parallel blades, and of as many parts for which
// no choice is clearly better. The number of choices is bounded.
func TestSideChoiceOfAGrate(t *testing.T) {
	var c sideChoice
	const parts = 60
	c.begin(parts, 2)
	for k := range parts {
		c.of(k, 0)[0], c.of(k, 1)[1] = 1+0.01*float64(k), 1.3+0.005*float64(k)
	}
	c.choose()
	for k := range parts {
		if c.best[k] != 0 {
			t.Errorf("blade %d is felt on another side than the first", k)
		}
	}
	if c.left < 0 {
		t.Error("the choice was cut off")
	}
	r := rand.New(rand.NewPCG(1, 1))
	c.begin(parts, 200)
	for k := range parts {
		for side := range 2 {
			for j := range c.of(k, side) {
				c.of(k, side)[j] = r.Float64()
			}
		}
	}
	if c.choose(); c.left < -4*parts || math.IsInf(c.stored, 1) {
		t.Errorf("%d choices are left", c.left)
	}
}
