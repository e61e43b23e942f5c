package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/vec"
)

const (
	// sureShare is a factor that allows for rounding. A side certainly stores more than the felt
	// prisms if it stores sureShare times as much.
	// Smaller: rounding may decide. Larger: both sides are evaluated more often.
	sureShare = 2
	// ballNear is the depth of the centre of a test ball, as a multiple of the thickness that the
	// ball must store. The ball may prove that a side stores more.
	// Another value: time.
	ballNear = 4
	// ballDepth is the other depth that is tried, as a share of the largest depth that the block
	// feels.
	// Another value: time.
	ballDepth = 0.75
)

// pressPart is a connected part of a wall near the block, with the side on which it is felt.
type pressPart struct {
	part int // index of the part
	side int
}

// pressedBlock is the current block in the wall's frame. p is a workspace that has loaded it, inner
// the radius of the inscribed ball about its position, sink the largest depth that it feels, and
// area the area of its largest face. shares is the shares of the directions of facets.
type pressedBlock struct {
	p                 *overlap.BackingClipper
	inner, sink, area float64 // m, m, m²
	shares            []BinWeights
}

// pressParts computes the overlaps of the block with the material of the near parts. It determines
// on which side each part is felt: the sides that store the least energy together. It sets the sums
// of the felt prisms. What a wall stores is therefore a continuous function of the pose. A block
// that was driven through a thin wall leaves it on the other side.
//
// Usually the side that contains the block's centre is proven to be the felt side: the block
// contains a ball of the material behind the other side, and that ball alone stores more. Only if
// no such ball is found, all the material behind the other side is evaluated.
func (r *Press) pressParts(b *pressedBlock) {
	r.unsure = r.unsure[:0]
	for k := range r.near {
		r.near[k].part = r.partOf(r.near[k].facet.Part)
	}
	for k := range r.parts {
		r.parts[k].side = r.sideOfCentre(k, b.p.At())
		r.press(k, r.parts[k].side, b)
	}
	if len(r.pressed) == 0 {
		return
	}
	thickness2 := r.fillSums(b.area, b.shares)
	for k := range r.parts {
		pressed, deeper := false, false
		for j := range r.pressed {
			if p := &r.pressed[j]; p.part == k && !deeper {
				pressed, deeper = true, p.isDeeper(1-p.back, float64(sureShare*thickness2), b)
			}
		}
		if !pressed || deeper {
			continue // no other side stores less than nothing
		}
		r.unsure = append(r.unsure, k)
		r.press(k, 1-r.parts[k].side, b)
	}
	if len(r.unsure) > 0 {
		r.chooseSides(b)
	}
}

// partOf returns the index in r.parts of a part of the wall, and appends it if needed.
func (r *Press) partOf(part int) int {
	if k := slices.IndexFunc(r.parts, func(p pressPart) bool { return p.part == part }); k >= 0 {
		return k
	}
	r.parts = append(r.parts, pressPart{part: part})
	return len(r.parts) - 1
}

// sideOfCentre returns the side of a part on which the block's centre lies, by the nearest facet.
func (r *Press) sideOfCentre(part int, centre vec.Vec3) (side int) {
	on := [2]bool{}
	for k := range r.near {
		if f := r.near[k].facet; r.near[k].part == part {
			on[sideIf(f.Normal.Dot(centre.Sub(f.Corners[0])) >= 0)] = true
		}
	}
	if !on[0] || !on[1] {
		return sideIf(on[0])
	}
	least := math.Inf(1)
	for k := range r.near {
		if f := r.near[k].facet; r.near[k].part == part {
			way := centre.Sub(f.Nearest(centre))
			if d := way.Norm2(); d < least {
				least, side = d, sideIf(f.Normal.Dot(way) >= 0)
			}
		}
	}
	return side
}

// sideIf returns 0, the front side, if front is set, else 1, the back.
func sideIf(front bool) int {
	if front {
		return 0
	}
	return 1
}

// press appends the overlaps of the block with the material behind a side of a part.
func (r *Press) press(part, side int, b *pressedBlock) {
	for k := range r.near {
		near := &r.near[k]
		if near.part != part || near.clear(side) {
			continue
		}
		s := &near.facet.Side[side]
		for p := range s.Prisms {
			depth := min(b.sink, s.DepthLimit)
			pressed, ok := b.p.Overlap(&s.Prisms[p], depth)
			if !ok {
				continue
			}
			found := pressedBacking{row: near.row, part: part, back: side, facet: near.facet, side: s, out: near.facet.Outward(side), shareIndex: s.ShareIndex, BackingOverlap: pressed}
			all := &s.Prisms[p]
			if len(s.Own) == 0 {
				r.pressParted(found, all, b.p.InPart(all), depth, b)
				continue
			}
			own := &s.Own[p]
			if b.p.InPart(own) {
				r.pressed = append(r.pressed, found)
				continue
			}
			found.shareIndex = s.CommonShareIndex
			r.pressParted(found, all, b.p.InPart(all), depth, b)
			found.shareIndex, found.own = s.OwnShareIndex, true
			r.pressParted(found, own, false, depth, b)
		}
	}
}

// pressParted appends the overlap of the block with prism of. under reports whether all of the
// overlap lies in the prism's part under the facet. If not, pressParted appends the overlap with
// each part of the prism.
func (r *Press) pressParted(found pressedBacking, of *overlap.Backing, under bool, depth float64, b *pressedBlock) {
	if under {
		r.pressed = append(r.pressed, found)
		return
	}
	for k := overlap.UnderFacet; k < len(of.Sides); k++ {
		if k != overlap.UnderFacet && !of.Sides[k].IsEntry {
			continue
		}
		if pressed, ok := b.p.OverlapPart(of, k, depth); ok {
			found.BackingOverlap = pressed
			r.pressed = append(r.pressed, found)
		}
	}
}

// isDeeper reports whether the material behind side other of the facet certainly stores more than a
// square of a thickness, m². It searches for a ball that lies in both the block and one prism, with
// its centre at the depth near or deep.
func (s *pressedBacking) isDeeper(other int, thickness2 float64, b *pressedBlock) bool {
	side := &s.facet.Side[other]
	depth := min(b.sink, side.DepthLimit)
	near, deep := float64(ballNear*math.Sqrt(thickness2)), float64(ballDepth*depth)
	for n := range side.Prisms {
		p := &side.Prisms[n]
		if len(side.Own) > 0 {
			p = &side.Own[n] // all shares count only in the narrower prism
		}
		if near < deep && s.hasBall(p, near, depth, thickness2, b) || s.hasBall(p, deep, depth, thickness2, b) {
			return true
		}
	}
	return false
}

// hasBall is isDeeper for balls in prism p whose centre is at depth h. It tries two centres: on the
// line from the centroid of the pressed volume to the block's centre, and below or above the
// block's centre along the facet's normal.
func (s *pressedBacking) hasBall(p *overlap.Backing, h, depth, thickness2 float64, b *pressedBlock) bool {
	from, middle := s.First.Scale(1/s.Volume), b.p.At().Sub(p.Corner)
	under := -p.Normal.Dot(middle)
	if share := (under - h) / p.Normal.Dot(from); share >= 0 {
		room := min(float64((1-share)*b.inner), h, depth-h)
		if storesMore(b.area, h, p.InnerRadius(middle.AddScaled(share, from), room), thickness2) {
			return true
		}
	}
	room := min(b.inner-math.Abs(under-h), h, depth-h)
	return storesMore(b.area, h, p.InnerRadius(middle.AddScaled(under-h, p.Normal), room), thickness2)
}

// storesMore reports whether a ball of the given radius, with its centre at depth h, stores more
// than a square of a thickness. With V the volume of the ball, ∫h^q dV ≥ V·h^q.
func storesMore(area, h, radius, thickness2 float64) bool {
	if !(radius > 0) {
		return false
	}
	const q = overlap.DepthPower
	volume := (4.0 / 3) * math.Pi * float64(float64(radius*radius)*radius)
	return (q+1)*volume >= float64(float64(area*h)*eighth(thickness2/float64(h*h)))
}

// chooseSides chooses the sides of the unsure parts such that all felt prisms store the least
// energy.
func (r *Press) chooseSides(b *pressedBlock) {
	r.clearSums()
	bins := 0
	for k := range r.pressed {
		r.binsOf(&b.shares[r.pressed[k].shareIndex])
	}
	for _, used := range r.usedBins {
		bins += used[1] - used[0]
	}
	ranges := append(r.ranges[:0], r.usedBins...)
	r.ranges = ranges
	c := &r.choice
	c.begin(len(r.unsure), bins)
	exp := r.largestExp(func(*pressedBacking) bool { return true })
	row := func(row []float64, felt func(p *pressedBacking) bool) {
		r.sumByShares(exp, felt)
		r.sumBins(b.shares)
		for _, used := range ranges {
			for k := used[0]; k < used[1]; k++ {
				row[0] = r.bins[k].Sum
				row = row[1:]
			}
		}
		r.clearSums()
	}
	row(c.sure(), func(p *pressedBacking) bool { return !slices.Contains(r.unsure, p.part) && r.felt(p) })
	for k, part := range r.unsure {
		for side := range 2 {
			row(c.of(k, side), func(p *pressedBacking) bool { return p.part == part && p.back == side })
		}
	}
	c.choose()
	for k, part := range r.unsure {
		r.parts[part].side = c.best[k]
	}
	r.fillSums(b.area, b.shares)
}

// eighth returns the eighth power of x.
func eighth(x float64) float64 {
	x = float64(x * x)
	x = float64(x * x)
	return float64(x * x)
}
