package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/vec"
)

// leastPower is the least value of (q+1)/A·S that counts (see sumUp), in units of the deepest
// depth. A bin below it is ignored: its potential is 2⁻⁷⁵ of the total, and its slope might
// overflow.
// Smaller: slopes may overflow. Larger: light contacts are lost.
const leastPower = 0x1p-600

// BlockContact is a contact of a block and a wall, with all facets of one group. It is in the wall's
// axes, with lengths relative to the block's position.
type BlockContact struct {
	Group   int
	Row     int     // of the facet that contributes most
	Deepest float64 // m, largest depth of the block under a facet

	most             float64 // m², largest contribution of one prism to λ
	out              vec.Vec3
	variance, volume float64
	gradient, turn   vec.Vec3
	first            vec.Vec3
	second           vec.Sym3
}

// sumUp computes the contacts from the felt prisms, whose sums by index of shares must be set.
//
// For each bin, let S be the sum of weight·∫h^q dV over the prisms. Let e = 2/(q+1), and A the area
// of the block's largest face. The bin's λ is ((q+1)/A·S)^e/12. A face of area A at depth δ on a
// flat wall then has λ = δ²/12, however the wall is cut into facets.
//
// The total λ is the sum over all bins. It is divided among the contacts by the contribution of
// each prism to S: λ·(weight·∫h^q dV)/S. The same holds for its slopes.
func (r *Press) sumUp() {
	for k := range r.pressed {
		if p := &r.pressed[k]; r.felt(p) {
			r.group(p.side.Group).add(p, r.shareSums[p.shareIndex].Slope*p.power)
		}
	}
	r.clearSums()
}

// felt reports whether a prism is on the side on which its part is felt.
func (r *Press) felt(p *pressedBacking) bool { return p.back == r.parts[p.part].side }

// fillSums sums the felt prisms by index of shares and by bin, and computes the slopes. area, m², is that of
// the block's largest face. fillSums returns 12·λ of all prisms, m².
func (r *Press) fillSums(area float64, shares []BinWeights) (thickness2 float64) {
	const q = overlap.DepthPower
	exp := r.largestExp(r.felt)
	r.sumByShares(exp, r.felt)
	unit := math.Ldexp(1, exp)
	rise := func(b *BinSum) {
		power := (q + 1) * b.Sum / float64(area*unit)
		if power > leastPower {
			share := float64(float64(unit*unit) * root(power))
			thickness2 += share
			b.Slope = share / 12 * (2.0 / (q + 1)) / b.Sum
		}
	}
	if len(r.usedShares) == 1 && shares[r.usedShares[0]].Whole {
		rise(&r.shareSums[r.usedShares[0]])
		return thickness2
	}
	r.sumBins(shares)
	for _, used := range r.usedBins {
		for k := used[0]; k < used[1]; k++ {
			rise(&r.bins[k])
		}
	}
	for _, k := range r.usedShares {
		r.shareSums[k].Slope = shares[k].Slope(r.binsOf(&shares[k]))
	}
	return thickness2
}

// largestExp returns the largest exponent of the units of depth of the prisms for which of returns
// true.
func (r *Press) largestExp(of func(p *pressedBacking) bool) (exp int) {
	exp = -1 << 12 // smaller than any exponent
	for k := range r.pressed {
		if p := &r.pressed[k]; of(p) {
			exp = max(exp, p.Exp)
		}
	}
	return exp
}

// sumByShares sums by index of shares the prisms for which of returns true, in units of depth of 2^exp m.
func (r *Press) sumByShares(exp int, of func(p *pressedBacking) bool) {
	for k := range r.pressed {
		p := &r.pressed[k]
		if !of(p) {
			continue
		}
		p.power = math.Ldexp(1, overlap.DepthPower*(p.Exp-exp))
		at := &r.shareSums[p.shareIndex]
		if at.Sum == 0 {
			r.usedShares = append(r.usedShares, p.shareIndex)
		}
		at.Sum += float64(p.Power * p.power)
	}
}

// sumBins adds the sums by index of shares to the bins.
func (r *Press) sumBins(shares []BinWeights) {
	for _, k := range r.usedShares {
		shares[k].AddTo(r.binsOf(&shares[k]), r.shareSums[k].Sum)
	}
}

// binsOf returns the bins of some shares, and marks them as used.
func (r *Press) binsOf(s *BinWeights) []BinSum {
	used := [2]int{s.First, s.First + len(s.Weights)}
	if !slices.Contains(r.usedBins, used) {
		r.usedBins = append(r.usedBins, used)
	}
	return r.bins[used[0]:used[1]]
}

// clearSums sets the used sums to zero.
func (r *Press) clearSums() {
	for _, k := range r.usedShares {
		r.shareSums[k] = BinSum{}
	}
	for _, used := range r.usedBins {
		clear(r.bins[used[0]:used[1]])
	}
	r.usedShares, r.usedBins = r.usedShares[:0], r.usedBins[:0]
}

// group returns the contact of group id, and appends it if needed.
func (r *Press) group(id int) *BlockContact {
	for k := range r.Contacts {
		if r.Contacts[k].Group == id {
			return &r.Contacts[k]
		}
	}
	r.Contacts = append(r.Contacts, BlockContact{Group: id})
	return &r.Contacts[len(r.Contacts)-1]
}

// add adds a prism to the contact. slope is the increase of λ per increase of the prism's integral.
func (g *BlockContact) add(p *pressedBacking, slope float64) {
	share := float64(float64(slope*p.Power) * ((overlap.DepthPower + 1) / 2))
	if share > g.most {
		g.most, g.Row, g.out = share, p.row, p.out
	}
	g.Deepest = max(g.Deepest, p.Deepest)
	g.variance += share
	g.gradient, g.turn = g.gradient.AddScaled(slope, p.Gradient), g.turn.AddScaled(slope, p.Turn)
	if !p.own {
		g.volume += p.Volume
		g.first, g.second = g.first.Add(p.First), g.second.Add(p.Second)
	}
}

// edgeFactor is force.Overlap.EdgeFactor of a wedge whose depth h grows evenly from 0 at its thin
// edge. Its centroid, weighted by h, lies at 2/3 of its width, with the variance 1/18. The force,
// weighted by h^q, acts at (q+1)/(q+2).
const (
	edgeFactor = 2.0 / 18 / ((lever - 2.0/3) * (lever - 2.0/3))
	lever      = (overlap.DepthPower + 1.0) / (overlap.DepthPower + 2.0)
)

// Overlap returns the overlap of contact k, its normal (into the wall), and the point at which it
// acts, relative to the block's position. All are in the world's axes.
func (r *Press) Overlap(k int) (o force.Overlap, normal, at vec.Vec3) {
	g := &r.Contacts[k]
	centre := g.first.Scale(1 / g.volume)
	o = force.Overlap{
		Volume: g.volume, Spread: g.second.Scale(1 / g.volume).Add(centre.Outer().Scale(-1)).Rotated(r.wall.Mat3()),
		Variance: g.variance, VarianceGradient: r.wall.Rotate(g.gradient), VarianceTurn: r.wall.Rotate(g.turn.Sub(centre.Cross(g.gradient))),
		EdgeFactor: edgeFactor,
	}
	if normal = r.wall.Rotate(g.out.Neg()); o.VarianceGradient != (vec.Vec3{}) {
		normal = o.VarianceGradient.Unit()
	}
	return o, normal, r.wall.Rotate(centre)
}
