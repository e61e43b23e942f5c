package surface

import (
	"math"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/vec"
)

const (
	// nBins is the number of bins, whose directions are evenly spread over the sphere. The sum over
	// them approximates an integral over directions, which would rotate with the wall. With 256
	// bins, the force on rough ground changes by at most 2 % of stiffness times depth as the ground
	// is rotated.
	nBins = 256
	// blend is κ: a direction's share in a bin is proportional to exp(κ·cos) of its angle to the
	// bin's direction.
	// Smaller: sides of a right angle act less than each alone. Larger: stiffness in a hollow
	// varies more with the edges.
	blend = 10
)

// BinWeights is the weights of one direction of facets in the bins from First on. The integral over a
// facet is multiplied by the weight (share)^((q+1)/2) in each bin. The shares of potentials of a
// whole direction therefore sum to 1.
type BinWeights struct {
	First   int
	Weights []float64
	// Beyond is the weights of the neighbours beyond ridges, if the shares are not whole. In each
	// bin the common weight is the least of all weights. The remainder is the facet's own weight.
	Beyond [][]float64
	Own    bool
	Whole  bool
}

// at returns the weight in the k-th bin.
func (s *BinWeights) at(k int) float64 {
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

// BinSum is a sum of integrals over prisms, over facets of the same shares or of one bin, in the unit of depths. Slope is
// the increase of λ per increase of Sum.
type BinSum struct {
	Sum, Slope float64
}

// AddTo adds sum, an integral over facets of these shares, to the bins.
func (s *BinWeights) AddTo(bins []BinSum, sum float64) {
	for k := range s.Weights {
		bins[k].Sum += float64(s.at(k) * sum)
	}
}

// Slope returns the increase of λ per increase of an integral over facets of these shares. The
// slopes of the bins must be set.
func (s *BinWeights) Slope(bins []BinSum) (slope float64) {
	for k := range s.Weights {
		slope += float64(s.at(k) * bins[k].Slope)
	}
	return slope
}

// binMiddles returns the directions of the bins, evenly spread on a spiral (Swinbank and Purser
// 2006).
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

// weightsOf returns the weights of a direction in all bins. No share is 0. In every bin, the shares
// of two directions have a ratio of at most exp(κ·angle). A block that slides over a slight ridge
// therefore meets no force that starts with an infinite slope.
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

// addShares appends shares to s.Shares and returns their index.
func (s *WallBackings) addShares(shares BinWeights) int {
	s.Shares = append(s.Shares, shares)
	return len(s.Shares) - 1
}
