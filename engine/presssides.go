package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/vec"
)

// equallyNear is the ratio of squared distances up to which two facets are as near to a point: they
// share the corner or edge that is.
const equallyNear = 1 + 0x1p-30

// sideOf returns the side of a connected part of a wall that the block comes from: the one its
// centre is on, seen from the nearest of the facets whose material, on either side, it is in. Where
// an edge is nearest, the facet that the centre lies over most says. ok is false where it is in no
// material.
func (r *pressRun) sideOf(p *overlap.Presser, depth float64) (side int, ok bool) {
	front, back := false, false
	for _, j := range r.some {
		f := r.near[j].facet
		if f.normal.Dot(p.At().Sub(f.corners[0])) >= 0 {
			front = true
		} else {
			back = true
		}
	}
	if !front || !back {
		return sideIf(front), true
	}
	least, most := math.Inf(1), 0.0
	for _, nearest := range [2]bool{false, true} {
		for _, j := range r.some {
			f := r.near[j].facet
			foot := f.nearest(p.At())
			way := p.At().Sub(foot)
			d := way.Norm2()
			switch {
			case !nearest && d < least && f.pressed(p, depth):
				least, ok = d, true
			case nearest && ok && d <= float64(equallyNear*least):
				if h := f.normal.Dot(way); math.Abs(h) > most && f.pressed(p, depth) {
					most, side = math.Abs(h), sideIf(h >= 0)
				}
			}
		}
	}
	return side, ok
}

// sideIf returns the number of a part's side: the front's, or that of the back.
func sideIf(front bool) int {
	if front {
		return 0
	}
	return 1
}

// pressed says whether a block is in the material behind either side.
func (f *sidedFacet) pressed(p *overlap.Presser, depth float64) bool {
	for side := range f.side {
		s := &f.side[side]
		for k := range s.prisms {
			if _, ok := p.Press(&s.prisms[k], min(depth, s.room)); ok {
				return true
			}
		}
	}
	return false
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
