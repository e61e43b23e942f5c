package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/vec"
)

const (
	// mostUnsure is how many parts of a wall are tried on both sides at most, in 2^mostUnsure ways
	// together. Others are felt on the side that the block's centre is on.
	mostUnsure = 6
	// sureShare is how often what a side stores at least has to hold what the other stores, for that
	// to be certain in spite of rounding.
	sureShare = 2
	// ballDepth is how deep the middle of a ball is that proves a side to store more, as a share of
	// how deep the block is felt.
	ballDepth = 0.75
)

// pressPart is a connected part of a wall that the block is near, and the side that it is felt on.
type pressPart struct {
	part int // of the wall
	side int
}

// pressedBlock is the block at hand: a workspace that has it, in the wall's frame, the radius of the
// ball inside it about its position, how deep it is felt, and the area of its largest face.
type pressedBlock struct {
	p                 *overlap.Presser
	inner, sink, area float64 // m, m, m²
}

// pressParts finds what the block has in common with the material of the parts that it is near, and
// which side each part is felt on: those that store least together. So what a wall stores is a
// continuous function of the pose, and a block that has gone through a thin wall leaves it on the
// other side.
//
// Mostly the side that the block's centre is on is proven to be the one: the block holds so much of
// what is behind the other that this stores more alone. What is behind the other side is only looked
// at where it is not.
func (r *pressRun) pressParts(b *pressedBlock) {
	r.parts, r.pressed, r.unsure = r.parts[:0], r.pressed[:0], r.unsure[:0]
	for k := range r.near {
		r.near[k].part = r.partOf(r.near[k].facet.part)
	}
	for k := range r.parts {
		r.parts[k].side = r.sideOfCentre(k, b.p.At())
		r.press(k, r.parts[k].side, b)
	}
	thickness2 := r.fillBins(b.area)
	r.clearBins()
	if len(r.pressed) == 0 {
		return
	}
	for k := range r.parts {
		first := slices.IndexFunc(r.pressed, func(p pressedSide) bool { return p.part == k })
		if first < 0 || len(r.unsure) == mostUnsure || r.isDeeper(k, 1-r.parts[k].side, r.pressed[first].Top, float64(sureShare*thickness2), b) {
			continue // Nothing is less than nothing.
		}
		r.unsure = append(r.unsure, k)
		r.press(k, 1-r.parts[k].side, b)
	}
	if len(r.unsure) > 0 {
		r.chooseSides(b.area)
	}
}

// partOf returns the place among parts of a part of the wall.
func (r *pressRun) partOf(part int) int {
	for k := range r.parts {
		if r.parts[k].part == part {
			return k
		}
	}
	r.parts = append(r.parts, pressPart{part: part})
	return len(r.parts) - 1
}

// sideOfCentre returns the side of a part that a block's centre is on, seen from the nearest facet.
func (r *pressRun) sideOfCentre(part int, centre vec.Vec3) (side int) {
	least := math.Inf(1)
	for k := range r.near {
		if f := r.near[k].facet; r.near[k].part == part {
			way := centre.Sub(f.nearest(centre))
			if d := way.Norm2(); d < least {
				least, side = d, 0
				if f.normal.Dot(way) < 0 {
					side = 1
				}
			}
		}
	}
	return side
}

// nearest returns the point of a facet that is nearest to x.
func (f *sidedFacet) nearest(x vec.Vec3) (foot vec.Vec3) {
	inside, least := true, math.Inf(1)
	around := f.around()
	for k, a := range f.corners {
		b := f.corners[(k+1)%len(f.corners)]
		e, d := b.Sub(a), x.Sub(a)
		if around.Dot(e.Cross(d)) < 0 {
			inside = false
		}
		at := a.AddScaled(min(max(e.Dot(d)/e.Norm2(), 0), 1), e)
		if d2 := x.Sub(at).Norm2(); d2 < least {
			least, foot = d2, at
		}
	}
	if inside {
		return x.AddScaled(-f.normal.Dot(x.Sub(f.corners[0])), f.normal)
	}
	return foot
}

// around returns the normal that the corners go around counter-clockwise.
func (f *sidedFacet) around() vec.Vec3 {
	if f.flip {
		return f.normal.Neg()
	}
	return f.normal
}

// press adds what the block has in common with what is behind a side of a part.
func (r *pressRun) press(part, side int, b *pressedBlock) {
	for k := range r.near {
		near := &r.near[k]
		if near.part != part {
			continue
		}
		s := &near.facet.side[side]
		for p := range s.prisms {
			if pressed, ok := b.p.Press(&s.prisms[p], min(b.sink, s.room)); ok {
				r.pressed = append(r.pressed, pressedSide{row: near.row, part: part, back: side, side: s, out: near.facet.outward(side), Pressed: pressed})
			}
		}
	}
}

// isDeeper says whether what is behind a side of a part stores more than a square of a thickness, m²,
// for certain. It looks for a ball that lies in the block and in one prism: about a point on the way
// from a corner of the block, given relative to its position, to the block's middle, or straight
// under that.
func (r *pressRun) isDeeper(part, side int, corner vec.Vec3, thickness2 float64, b *pressedBlock) bool {
	for k := range r.near {
		if r.near[k].part != part {
			continue
		}
		s := &r.near[k].facet.side[side]
		depth := min(b.sink, s.room)
		h := float64(ballDepth * depth)
		for n := range s.prisms {
			p := &s.prisms[n]
			middle := b.p.At().Sub(p.Corner)
			under := -p.Normal.Dot(middle)
			if share := (under - h) / p.Normal.Dot(corner); share >= 0 {
				room := min(float64((1-share)*b.inner), depth-h)
				if storesMore(b.area, h, p.Room(middle.AddScaled(share, corner), room), thickness2) {
					return true
				}
			}
			room := min(b.inner-math.Abs(under-h), depth-h)
			if storesMore(b.area, h, p.Room(middle.AddScaled(under-h, p.Normal), room), thickness2) {
				return true
			}
		}
	}
	return false
}

// storesMore says whether a ball of a radius whose middle is h deep stores more than a square of a
// thickness. With V its volume, ∫h^q dV ≥ V·h^q.
func storesMore(area, h, radius, thickness2 float64) bool {
	if !(radius > 0) {
		return false
	}
	const q = overlap.DepthPower
	volume := (4.0 / 3) * math.Pi * float64(float64(radius*radius)*radius)
	return (q+1)*volume >= float64(float64(area*h)*eighth(thickness2/float64(h*h)))
}

// chooseSides chooses the sides of the parts of which that is not sure: those with which all that is
// felt stores least, of as little the first.
func (r *pressRun) chooseSides(area float64) {
	turn := func(sides int) {
		for k, part := range r.unsure {
			r.parts[part].side = sides >> k & 1
		}
	}
	least, best := math.Inf(1), 0
	for sides := range 1 << len(r.unsure) {
		turn(sides)
		if stored := r.fillBins(area); stored < least {
			least, best = stored, sides
		}
		r.clearBins()
	}
	turn(best)
}

// eighth returns the eighth power.
func eighth(x float64) float64 {
	x = float64(x * x)
	x = float64(x * x)
	return float64(x * x)
}
