package surface

import (
	"math"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/vec"
)

const (
	// nBins is how many bins of directions there are, evenly over all. The sum over them stands for
	// an integral over directions, which turns with the wall: with 256 what blocks feel on rough
	// ground changes by 2 % of stiffness and depth at most as the ground is turned.
	nBins = 256
	// blend is κ: a direction's share in a bin goes as exp(κ·cos) of the angle to the bin's
	// middle.
	blend = 10
)

// Shares is what the sides of facets that look one way count in the bins from first on. A
// weight is (share)^((q+1)/2), which an integral over a facet is multiplied by in the bin: so the
// shares of potentials sum to 1, if they are whole.
type Shares struct {
	First   int
	Weights []float64
	// Beyond is the weights of neighbours beyond ridges, if the shares are not whole. Those that
	// they have in common are the least of all weights; the rest is the facet's own.
	Beyond [][]float64
	Own    bool
	Whole  bool
}

// at returns the weight in the k-th bin.
func (s *Shares) at(k int) float64 {
	weight := s.Weights[k]
	common := weight
	for _, other := range s.Beyond {
		common = min(common, other[k])
	}
	if s.Own {
		return weight - common
	}
	return common
}

// BinSum is the integral over all prisms that look one way, or in a bin, in the unit of depths,
// and what that makes of each: λ grows by slope times its growth.
type BinSum struct {
	Sum, Slope float64
}

// AddTo adds a sum over facets to the bins.
func (s *Shares) AddTo(bins []BinSum, sum float64) {
	for k := range s.Weights {
		bins[k].Sum += float64(s.at(k) * sum)
	}
}

// Slope returns how λ grows with a sum over facets, given how it grows with the bins.
func (s *Shares) Slope(bins []BinSum) (slope float64) {
	for k := range s.Weights {
		slope += float64(s.at(k) * bins[k].Slope)
	}
	return slope
}

// binMiddles returns directions evenly over all, on a spiral (Swinbank and Purser 2006).
func binMiddles() (middles [nBins]vec.Vec3) {
	const golden = 2.399963229728653 // the golden angle, rad
	for k := range middles {
		z := (float64(2*k) + 1 - nBins) / nBins
		sin, cos := vec.Sincos(float64(golden * float64(k)))
		r := math.Sqrt(1 - float64(z*z))
		middles[k] = vec.Vec3{X: r * cos, Y: r * sin, Z: z}
	}
	return middles
}

// weightsOf returns the weights of a direction in all bins. No share is 0, and those of directions
// a small angle apart have nearly the same ratio in every bin, at most exp(κ·angle): so a block
// that comes over a slight ridge is met by no force that starts with an infinite slope.
func weightsOf(direction vec.Vec3, middles *[nBins]vec.Vec3) []float64 {
	weights, sum := make([]float64, nBins), 0.0
	for k, middle := range middles {
		weights[k] = vec.Exp(blend * (middle.Dot(direction) - 1))
		sum += weights[k]
	}
	for k := range weights {
		share := weights[k] / sum
		weights[k] = 1
		for range (overlap.DepthPower + 1) / 2 {
			weights[k] *= share
		}
	}
	return weights
}

// addWay adds the shares of a direction, and returns their place.
func (s *Sides) addWay(shares Shares) int {
	s.Ways = append(s.Ways, shares)
	return len(s.Ways) - 1
}
