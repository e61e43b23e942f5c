package surface

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
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

// addBins assigns bins and groups to the sides of a wall's facets. If the wall is one part, its
// facets have several directions, and a side has no valley, then that side is a single bin: a
// convex body meets it in one contact. Other sides have bins by direction, so that parts side by
// side act as one surface.
func (s *WallBackings) addBins(m *backingMaker, all []BackedFacet) {
	own := make(map[[3]int]int) // by part, side and material: index of its shares
	var rest []facing
	for i := range all {
		f := &m.facets[i]
		for side := range all[i].Side {
			if !m.convex[2*f.part+side] {
				rest = append(rest, facing{i, side, all[i].Outward(side), f.Area, f.Material})
				continue
			}
			key := [3]int{f.part, side, int(f.Material)}
			share, ok := own[key]
			if !ok {
				share = s.addShares(BinWeights{First: s.Bins, Weights: []float64{1}, Whole: true})
				own[key] = share
				s.Bins++
			}
			all[i].Side[side].ShareIndex, all[i].Side[side].Group = share, -1-s.Shares[share].First
		}
	}
	groups := s.centres(rest)
	bins := make(map[soa.Material]int) // the first bin of each material
	type seen struct {
		direction vec.Vec3
		first     int
	}
	shares := make(map[seen]int)
	middles := binMiddles()
	for _, r := range rest {
		first, ok := bins[r.material]
		if !ok {
			first = s.Bins
			bins[r.material] = first
			s.Bins += nBins
		}
		side, of := &all[r.facet].Side[r.side], seen{r.direction, first}
		if known, ok := shares[of]; ok {
			side.ShareIndex = known
		} else {
			side.ShareIndex = s.addShares(BinWeights{First: first, Weights: weightsOf(r.direction, &middles), Whole: true})
			shares[of] = side.ShareIndex
		}
		most := -1.0
		for _, g := range groups {
			if d := g.direction.Dot(r.direction); g.material == r.material && d > most {
				most, side.Group = d, g.id
			}
		}
	}
}

// convexSides reports, by part and side, whether that side is a single bin: the part is the whole
// wall, the side has no valley, and its facets have directions of more than one group.
func (p *backingMaker) convexSides() []bool {
	parts := 0
	for i := range p.facets {
		parts = max(parts, p.facets[i].part+1)
	}
	convex := make([]bool, 2*parts)
	if parts != 1 {
		return convex
	}
	valley := [2]bool{}
	for i := range p.edges {
		for _, e := range p.edges[i] {
			valley[0], valley[1] = valley[0] || e.rate > convexRate, valley[1] || e.rate < -convexRate
		}
	}
	if valley != [2]bool{true, true} && p.isBent() {
		convex[0], convex[1] = !valley[0], !valley[1]
	}
	return convex
}

// isBent reports whether the directions of two facets of a wall of one part are farther from each
// other than a direction of a group from its centre.
func (p *backingMaker) isBent() bool {
	around := vec.EmptyBox()
	for i := range p.facets {
		around = around.With(p.facets[i].outward(0))
	}
	middle := around.Min.Add(around.Max).Unit() // Any direction is right; this one leaves few pairs to compare.
	for i := range p.facets {
		n := p.facets[i].outward(0)
		if middle.Dot(n) > halfGroupCosine {
			continue // Two directions this near to middle are near to each other, too.
		}
		for k := range p.facets {
			if n.Dot(p.facets[k].outward(0)) < groupCosine {
				return true
			}
		}
	}
	return false
}

// facing is a side of a facet that gets its bins by direction.
type facing struct {
	facet, side int
	direction   vec.Vec3
	area        float64
	material    soa.Material
}

// heading is the sides whose directions are in one cell.
type heading struct {
	direction vec.Vec3
	area      float64
	covers    float64 // m², area of all sides that a group centred here would cover
	covered   bool
	material  soa.Material
}

// centres returns groups that cover all directions, beginning with the one that covers most area.
// If several cover equally much, for example the sides of a drum, the one farthest along Nowhere is
// first. Neither the order of the facets nor rounding then decides.
func (s *WallBackings) centres(sides []facing) (groups []contactBundle) {
	at := make(map[[4]int]int)
	var all []heading
	for _, w := range sides {
		d := w.direction.Scale(directionCells)
		key := [4]int{int(math.Round(d.X)), int(math.Round(d.Y)), int(math.Round(d.Z)), int(w.material)}
		k, ok := at[key]
		if !ok {
			k = len(all)
			at[key] = k
			all = append(all, heading{material: w.material})
		}
		all[k].direction = all[k].direction.AddScaled(w.area, w.direction)
		all[k].area += w.area
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
		return cmp.Compare(b.direction.Dot(Nowhere), a.direction.Dot(Nowhere))
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
