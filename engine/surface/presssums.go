package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/vec"
)

// leastPower is the power of a depth, of the deepest depth of all, up to which a bin counts for
// nothing: its potential is 2⁻⁷⁵ of theirs, and its slope might overflow.
const leastPower = 0x1p-600

// Contact is a contact of a block and a wall, with all facets of one group. Axes are the wall's,
// lengths relative to the block's position.
type Contact struct {
	Group   int
	Row     int     // of the facet that gives most to it
	Deepest float64 // m, that the block is under a facet

	most             float64 // m², of λ that one prism gives
	out              vec.Vec3
	variance, volume float64
	gradient, turn   vec.Vec3
	first            vec.Vec3
	second           vec.Sym3
}

// sumUp makes contacts of what is felt, whose sums are filled in.
//
// With S the sum of weight·∫h^q dV over a bin, e = 2/(q+1) and A the area of the block's largest
// face, the bin's λ is ((q+1)/A·S)^e/12: a face as large that lies on a flat wall has λ = δ²/12
// whatever the wall is cut into. λ of all bins is the sum, and goes to the contacts by what each
// prism gives to S: λ·(weight·∫h^q dV)/S. Likewise its slopes.
func (r *Press) sumUp() {
	for k := range r.pressed {
		if p := &r.pressed[k]; r.felt(p) {
			r.group(p.side.Group).add(p, r.ways[p.way].Slope*p.power)
		}
	}
	r.clearSums()
}

// felt reports whether a prism is on the side that its part is felt on.
func (r *Press) felt(p *pressedSide) bool { return p.back == r.parts[p.part].side }

// fillSums sums up the bins of what is felt, for a block with a largest face of an area, m², and
// returns 12·λ of all, m².
func (r *Press) fillSums(area float64, ways []Shares) (thickness2 float64) {
	const q = overlap.DepthPower
	exp := r.largestExp(r.felt)
	r.sumWays(exp, r.felt)
	unit := math.Ldexp(1, exp)
	rise := func(b *BinSum) {
		power := (q + 1) * b.Sum / float64(area*unit)
		if power > leastPower {
			share := float64(float64(unit*unit) * root(power))
			thickness2 += share
			b.Slope = share / 12 * (2.0 / (q + 1)) / b.Sum
		}
	}
	if len(r.usedWays) == 1 && ways[r.usedWays[0]].Whole {
		rise(&r.ways[r.usedWays[0]])
		return thickness2
	}
	r.sumBins(ways)
	for _, used := range r.usedBins {
		for k := used[0]; k < used[1]; k++ {
			rise(&r.bins[k])
		}
	}
	for _, k := range r.usedWays {
		r.ways[k].Slope = ways[k].Slope(r.binsOf(&ways[k]))
	}
	return thickness2
}

// largestExp returns the exponent of the unit of depths that holds those of some prisms.
func (r *Press) largestExp(of func(p *pressedSide) bool) (exp int) {
	exp = -1 << 12 // less than any
	for k := range r.pressed {
		if p := &r.pressed[k]; of(p) {
			exp = max(exp, p.Exp)
		}
	}
	return exp
}

// sumWays sums up some prisms by way, in units of 2^exp.
func (r *Press) sumWays(exp int, of func(p *pressedSide) bool) {
	for k := range r.pressed {
		p := &r.pressed[k]
		if !of(p) {
			continue
		}
		p.power = math.Ldexp(1, overlap.DepthPower*(p.Exp-exp))
		at := &r.ways[p.way]
		if at.Sum == 0 {
			r.usedWays = append(r.usedWays, p.way)
		}
		at.Sum += float64(p.Power * p.power)
	}
}

// sumBins adds the sums by way to the bins.
func (r *Press) sumBins(ways []Shares) {
	for _, k := range r.usedWays {
		ways[k].AddTo(r.binsOf(&ways[k]), r.ways[k].Sum)
	}
}

// binsOf returns the bins that shares are in, and notes that they are used.
func (r *Press) binsOf(s *Shares) []BinSum {
	used := [2]int{s.First, s.First + len(s.Weights)}
	if !slices.Contains(r.usedBins, used) {
		r.usedBins = append(r.usedBins, used)
	}
	return r.bins[used[0]:used[1]]
}

// clearSums empties ways and bins for the next sums.
func (r *Press) clearSums() {
	for _, k := range r.usedWays {
		r.ways[k] = BinSum{}
	}
	for _, used := range r.usedBins {
		clear(r.bins[used[0]:used[1]])
	}
	r.usedWays, r.usedBins = r.usedWays[:0], r.usedBins[:0]
}

// group returns the contact of a group.
func (r *Press) group(id int) *Contact {
	for k := range r.Contacts {
		if r.Contacts[k].Group == id {
			return &r.Contacts[k]
		}
	}
	r.Contacts = append(r.Contacts, Contact{Group: id})
	return &r.Contacts[len(r.Contacts)-1]
}

// add adds a prism, to the integral over which λ grows by a slope.
func (g *Contact) add(p *pressedSide, slope float64) {
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

// Overlap returns the overlap of contact k, its normal, into the wall, and where it acts relative
// to the block's position, in the world's axes.
func (r *Press) Overlap(k int) (o force.Overlap, normal, at vec.Vec3) {
	g := &r.Contacts[k]
	centre := g.first.Scale(1 / g.volume)
	o = force.Overlap{
		Volume: g.volume, Spread: g.second.Scale(1 / g.volume).Add(centre.Outer().Scale(-1)).Rotated(r.wall.Mat3()),
		Variance: g.variance, VarianceGradient: r.wall.Rotate(g.gradient), VarianceTurn: r.wall.Rotate(g.turn.Sub(centre.Cross(g.gradient))),
	}
	if normal = r.wall.Rotate(g.out.Neg()); o.VarianceGradient != (vec.Vec3{}) {
		normal = o.VarianceGradient.Unit()
	}
	return o, normal, r.wall.Rotate(centre)
}
