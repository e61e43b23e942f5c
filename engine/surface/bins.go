package surface

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

const (
	// groupCosine is the cosine of 14.3°. A direction within this angle of a group's centre starts
	// no new group. No regular prism has sides at exactly this angle, so rounding does not decide.
	// Another value: only damping and friction.
	groupCosine = 0.969
	// halfGroupCosine is slightly more than the cosine of half that angle.
	halfGroupCosine = 0.9923
	// convexRate is the rate, m/m, up to which an edge does not count as a valley. Facets cut from
	// one plane and rounded to single precision have such rates.
	// Smaller: convex walls from files are binned. Larger: curved hollows pass for convex.
	convexRate = 0x1p-18
	// directionCells is the number of cells per unit in which directions are collected.
	directionCells = 16
	// coverTie is the relative difference of areas up to which two directions cover equally much.
	// Smaller: rounding chooses a contact's facets.
	coverTie = 0x1p-20
)

// contactBundle is the sides of facets whose directions nearly agree: one contact. direction is their
// centre.
type contactBundle struct {
	id        int
	direction vec.Vec3
	material  soa.Material
}

// binned is a direction of facets and the first of its bins.
type binned struct {
	direction vec.Vec3
	first     int
}

// middles are the directions of the bins.
var middles = binMiddles()

// addBins assigns bins and groups to the sides of the facets of a flat piece, all. If the wall is one
// part, its facets have several directions, and a side has no valley, then that side is a single bin: a
// convex body meets it in one contact. Other sides have bins by direction, so that parts side by
// side act as one surface.
func (s *WallBackings) addBins(p *backingMaker, flat *flatPiece, all []BackedFacet) {
	for k, i := range flat.facets {
		for side := range all[k].Side {
			at := &all[k].Side[side]
			at.ShareIndex = s.shareOf(p, i, side)
			if p.convex[2*p.Part(i)+side] {
				at.Group = -1 - s.Shares[at.ShareIndex].First
				continue
			}
			most := -1.0
			for _, g := range p.groups {
				if d := g.direction.Dot(all[k].Outward(side)); g.material == p.Material(i) && d > most {
					most, at.Group = d, g.id
				}
			}
		}
	}
}

// shareOf returns the index of the shares of a side of facet i.
func (s *WallBackings) shareOf(p *backingMaker, i, side int) (share int) {
	material := p.Material(i)
	if p.convex[2*p.Part(i)+side] {
		key := [3]int{p.Part(i), side, int(material)}
		share, ok := p.whole[key]
		if !ok {
			share = s.addShares(BinWeights{First: s.Bins, Weights: []float64{1}, Whole: true})
			p.whole[key] = share
			s.Bins++
		}
		return share
	}
	first, ok := p.bins[material]
	if !ok {
		first = s.Bins
		p.bins[material] = first
		s.Bins += nBins
	}
	of := binned{p.Outward(i, side), first}
	if share, ok = p.shares[of]; !ok {
		share = s.addShares(BinWeights{First: first, Weights: weightsOf(of.direction, &middles), Whole: true})
		p.shares[of] = share
	}
	return share
}

// isBent reports whether the directions of two facets of a wall of one part are farther from each
// other than a direction of a group from its centre.
func (p *backingMaker) isBent() bool {
	around := vec.EmptyBox()
	for i := range p.Len() {
		around = around.With(p.Outward(i, 0))
	}
	middle := around.Min.Add(around.Max).Unit() // Any direction is right; this one leaves few pairs to compare.
	for i := range p.Len() {
		n := p.Outward(i, 0)
		if middle.Dot(n) > halfGroupCosine {
			continue // Two directions this near to middle are near to each other, too.
		}
		for k := range p.Len() {
			if n.Dot(p.Outward(k, 0)) < groupCosine {
				return true
			}
		}
	}
	return false
}

// heading is the sides whose directions are in one cell.
type heading struct {
	direction vec.Vec3
	area      float64
	covers    float64 // m², area of all sides that a group centred here would cover
	covered   bool
	material  soa.Material
}

// centres returns groups that cover the directions of all sides with bins by direction, beginning with
// the one that covers most area. If several cover equally much, for example the sides of a drum, the
// one farthest along Nowhere is first. Neither the order of the facets nor rounding then decides.
func (s *WallBackings) centres(p *backingMaker) (groups []contactBundle) {
	at := make(map[[4]int]int)
	var all []heading
	for i := range p.Len() {
		material, n := p.Material(i), p.Outward(i, 0)
		_, area := p.Middle(i)
		for side := range 2 {
			if p.convex[2*p.Part(i)+side] {
				continue
			}
			direction := n
			if side == 1 {
				direction = n.Neg()
			}
			d := direction.Scale(directionCells)
			key := [4]int{int(math.Round(d.X)), int(math.Round(d.Y)), int(math.Round(d.Z)), int(material)}
			k, ok := at[key]
			if !ok {
				k = len(all)
				at[key] = k
				all = append(all, heading{material: material})
			}
			all[k].direction = all[k].direction.AddScaled(area, direction)
			all[k].area += area
		}
	}
	for k := range all {
		all[k].direction = all[k].direction.Unit()
	}
	for i := range all {
		for k := range all {
			if all[k].material == all[i].material && all[i].direction.Dot(all[k].direction) >= groupCosine {
				all[i].covers += all[k].area
			}
		}
	}
	slices.SortStableFunc(all, func(a, b heading) int {
		return cmp.Compare(b.direction.Dot(mesh.Nowhere), a.direction.Dot(mesh.Nowhere))
	})
	for {
		best := -1
		for k := range all {
			if h := &all[k]; !h.covered && (best < 0 || h.covers > all[best].covers*(1+coverTie)) {
				best = k
			}
		}
		if best < 0 {
			return groups
		}
		centre := contactBundle{s.groups, all[best].direction, all[best].material}
		s.groups++
		groups = append(groups, centre)
		for k := range all {
			h := &all[k]
			h.covered = h.covered || h.material == centre.material && h.direction.Dot(centre.direction) >= groupCosine
		}
	}
}
