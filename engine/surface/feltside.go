package surface

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/vec"
)

const (
	// sureShare is how many times as much as all that is felt another side has to store, for it to
	// store more in spite of rounding.
	sureShare = 2
	// ballNear is how deep the middle of a ball is that may prove a side to store more, over the
	// thickness that it has to store.
	ballNear = 4
	// ballDepth is how deep it is otherwise, as a share of how deep the block is felt.
	ballDepth = 0.75
)

// pressPart is a connected part of a wall that the block is near, and the side that it is felt on.
type pressPart struct {
	part int // of the wall
	side int
}

// pressedBlock is the block at hand: a workspace that has it, in the wall's frame, the radius of
// the ball inside it about its position, how deep it is felt, and the area of its largest face.
// Ways are the bins of the directions of facets.
type pressedBlock struct {
	p                 *overlap.Presser
	inner, sink, area float64 // m, m, m²
	ways              []Shares
}

// pressParts finds what the block has in common with the material of the parts that it is near,
// and which side each part is felt on: those that store least together. It fills in their sums.
// So what a wall stores is a continuous function of the pose, and a block that was driven through
// a thin wall leaves it on the other side.
//
// Mostly the side that the block's centre is on is proven to be the one: the block holds a ball of
// what is behind the other side, which stores more alone. Only where none is found is all that is
// behind the other side looked at.
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
	thickness2 := r.fillSums(b.area, b.ways)
	for k := range r.parts {
		pressed, deeper := false, false
		for j := range r.pressed {
			if p := &r.pressed[j]; p.part == k && !deeper {
				pressed, deeper = true, p.isDeeper(1-p.back, float64(sureShare*thickness2), b)
			}
		}
		if !pressed || deeper {
			continue // Nothing is less than nothing.
		}
		r.unsure = append(r.unsure, k)
		r.press(k, 1-r.parts[k].side, b)
	}
	if len(r.unsure) > 0 {
		r.chooseSides(b)
	}
}

// partOf returns the place among parts of a part of the wall.
func (r *Press) partOf(part int) int {
	if k := slices.IndexFunc(r.parts, func(p pressPart) bool { return p.part == part }); k >= 0 {
		return k
	}
	r.parts = append(r.parts, pressPart{part: part})
	return len(r.parts) - 1
}

// sideOfCentre returns the side of a part that a block's centre is on, seen from the nearest
// facet.
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

// sideIf returns the number of a part's side: the front's, or that of the back.
func sideIf(front bool) int {
	if front {
		return 0
	}
	return 1
}

// press adds what the block has in common with what is behind a side of a part.
func (r *Press) press(part, side int, b *pressedBlock) {
	for k := range r.near {
		near := &r.near[k]
		if near.part != part || near.clear(side) {
			continue
		}
		s := &near.facet.Side[side]
		for p := range s.Prisms {
			depth := min(b.sink, s.Room)
			pressed, ok := b.p.Press(&s.Prisms[p], depth)
			if !ok {
				continue
			}
			found := pressedSide{row: near.row, part: part, back: side, facet: near.facet, side: s, out: near.facet.Outward(side), way: s.Way, Pressed: pressed}
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
			found.way = s.CommonWay
			r.pressParted(found, all, b.p.InPart(all), depth, b)
			found.way, found.own = s.OwnWay, true
			r.pressParted(found, own, false, depth, b)
		}
	}
}

// pressParted adds what the block has in common with a prism, or with each of its parts, if it is
// not all in the one under the facet.
func (r *Press) pressParted(found pressedSide, of *overlap.Prism, under bool, depth float64, b *pressedBlock) {
	if under {
		r.pressed = append(r.pressed, found)
		return
	}
	for k := overlap.UnderFacet; k < len(of.Sides); k++ {
		if k != overlap.UnderFacet && !of.Sides[k].Begins {
			continue
		}
		if pressed, ok := b.p.PressPart(of, k, depth); ok {
			found.Pressed = pressed
			r.pressed = append(r.pressed, found)
		}
	}
}

// isDeeper reports whether what is behind the other side of a facet stores more than a square of a
// thickness, m², for certain. It looks for a ball that lies in the block and in one prism, as
// near to the facet as may be enough or deep.
func (s *pressedSide) isDeeper(other int, thickness2 float64, b *pressedBlock) bool {
	side := &s.facet.Side[other]
	depth := min(b.sink, side.Room)
	near, deep := float64(ballNear*math.Sqrt(thickness2)), float64(ballDepth*depth)
	for n := range side.Prisms {
		p := &side.Prisms[n]
		if len(side.Own) > 0 {
			p = &side.Own[n] // where all shares count
		}
		if near < deep && s.hasBall(p, near, depth, thickness2, b) || s.hasBall(p, deep, depth, thickness2, b) {
			return true
		}
	}
	return false
}

// hasBall is isDeeper for balls in a prism whose middle is h deep: about a point on the way from
// the centroid of what is pressed to the block's middle, or straight under that.
func (s *pressedSide) hasBall(p *overlap.Prism, h, depth, thickness2 float64, b *pressedBlock) bool {
	from, middle := s.First.Scale(1/s.Volume), b.p.At().Sub(p.Corner)
	under := -p.Normal.Dot(middle)
	if share := (under - h) / p.Normal.Dot(from); share >= 0 {
		room := min(float64((1-share)*b.inner), h, depth-h)
		if storesMore(b.area, h, p.Room(middle.AddScaled(share, from), room), thickness2) {
			return true
		}
	}
	room := min(b.inner-math.Abs(under-h), h, depth-h)
	return storesMore(b.area, h, p.Room(middle.AddScaled(under-h, p.Normal), room), thickness2)
}

// storesMore reports whether a ball of a radius whose middle is h deep stores more than a square of a
// thickness. With V its volume, ∫h^q dV ≥ V·h^q.
func storesMore(area, h, radius, thickness2 float64) bool {
	if !(radius > 0) {
		return false
	}
	const q = overlap.DepthPower
	volume := (4.0 / 3) * math.Pi * float64(float64(radius*radius)*radius)
	return (q+1)*volume >= float64(float64(area*h)*eighth(thickness2/float64(h*h)))
}

// chooseSides chooses the sides of the parts of which that is not sure: those with which all that
// is felt stores least.
func (r *Press) chooseSides(b *pressedBlock) {
	r.clearSums()
	bins := 0
	for k := range r.pressed {
		r.binsOf(&b.ways[r.pressed[k].way])
	}
	for _, used := range r.usedBins {
		bins += used[1] - used[0]
	}
	ranges := append(r.ranges[:0], r.usedBins...)
	r.ranges = ranges
	c := &r.choice
	c.begin(len(r.unsure), bins)
	exp := r.largestExp(func(*pressedSide) bool { return true })
	row := func(row []float64, felt func(p *pressedSide) bool) {
		r.sumWays(exp, felt)
		r.sumBins(b.ways)
		for _, used := range ranges {
			for k := used[0]; k < used[1]; k++ {
				row[0] = r.bins[k].Sum
				row = row[1:]
			}
		}
		r.clearSums()
	}
	row(c.sure(), func(p *pressedSide) bool { return !slices.Contains(r.unsure, p.part) && r.felt(p) })
	for k, part := range r.unsure {
		for side := range 2 {
			row(c.of(k, side), func(p *pressedSide) bool { return p.part == part && p.back == side })
		}
	}
	c.choose()
	for k, part := range r.unsure {
		r.parts[part].side = c.best[k]
	}
	r.fillSums(b.area, b.ways)
}

// eighth returns the eighth power.
func eighth(x float64) float64 {
	x = float64(x * x)
	x = float64(x * x)
	return float64(x * x)
}
