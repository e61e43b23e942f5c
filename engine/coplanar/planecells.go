package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
)

const (
	// normalCells is how many cells of normals make a unit: a facet whose normal is off by more
	// than one of them is so thin that it belongs to no group.
	normalCells = 32
	// offsetShare is how many cells of normals make one of a plane's distance from the origin, in
	// units of the largest coordinate of the wall. A group of a facet that knows its normal
	// within a quarter of a cell has a normal as near, and so a distance within √3/4 of the
	// cell's share of that coordinate, and tol.
	offsetShare = 4
	// heightRounding of the largest coordinate bounds the rounding of the height of a corner over
	// a plane.
	heightRounding = 0x1p-48
)

// fineCells is how many cells of normals make a unit for facets which know their normal well, the
// better the more: so facets of nearly level grounds are told apart. The finest is still 32
// tolerances wide. usualFine is in use from the start, the others once there are crowded looks
// for each facet.
var fineCells = [...]float64{1 << 10, 1 << 16, 1 << 22, 1 << 26, 1 << 30, 1 << 33, 1 << 35}

const (
	usualFine = 2
	crowded   = 64
)

// planeCell is a cell of planes: those of nearly one normal, and of nearly one distance from the
// origin if it is fine.
type planeCell struct {
	material   soa.Material
	round      float64
	fine       int // of fineCells, or coarse
	x, y, z, d int
}

// coarse is a cell that tells no distances apart.
const coarse = -1

// byPlane divides facets into groups that are level. Each facet joins the first group whose first
// facet it is level with, and begins one if there is none. It also returns how many groups were
// looked at, and stops where these are more than most. Cost: a look at 32 cells for each facet,
// and at the groups in these. A facet that does not know its normal looks at all groups within a
// coarse cell.
func byPlane(facets []surface.Facet, extent float64, most int) (members [][]int, looks int) {
	tol := float64(planeRel * extent)
	groups := make(map[planeCell][]int)
	used := []int{coarse, usualFine} // ascending
	enter := func(g, fine int) {
		at := homeOf(&facets[members[g][0]], fine, extent)
		groups[at] = append(groups[at], g)
	}
	for i := range facets {
		f, to := &facets[i], -1
		best, tilt := coarse, tiltOf(f, tol, extent)
		for best+1 < len(fineCells) && tilt <= 0.25/fineCells[best+1] {
			best++
		}
		if at, ok := slices.BinarySearch(used, best); !ok && looks > crowded*(i+crowded) {
			used = slices.Insert(used, at, best)
			for g := range members {
				enter(g, best)
			}
		}
		fine := coarse
		for _, k := range used {
			if k <= best {
				fine = k
			}
		}
		for corner := range 32 {
			at, ok := cellOf(f, fine, extent, corner)
			if !ok {
				continue
			}
			for _, g := range groups[at] {
				if to >= 0 && g >= to {
					break
				}
				if looks++; onPlaneOf(f, &facets[members[g][0]], tol) {
					to = g
				}
			}
		}
		if looks > most {
			return members, looks
		}
		if to >= 0 {
			members[to] = append(members[to], i)
			continue
		}
		members = append(members, []int{i})
		for _, k := range used {
			enter(len(members)-1, k)
		}
	}
	return members, looks
}

// placeOf returns a facet's plane in units of cells.
func placeOf(f *surface.Facet, fine int, extent float64) (x, y, z, d float64) {
	if fine == coarse {
		n := f.Normal.Scale(normalCells)
		return n.X, n.Y, n.Z, 0
	}
	n := f.Normal.Scale(fineCells[fine])
	return n.X, n.Y, n.Z, f.Normal.Dot(f.Middle) / extent * (fineCells[fine] / offsetShare)
}

// homeOf returns the cell that a group is in, by its first facet.
func homeOf(f *surface.Facet, fine int, extent float64) planeCell {
	x, y, z, d := placeOf(f, fine, extent)
	round := func(v float64) int { return int(math.Floor(v + 0.5)) }
	return planeCell{f.Material, f.Round, fine, round(x), round(y), round(z), round(d)}
}

// cellOf returns one of the 32 cells that hold the planes within half a cell of a facet's,
// whichever side is its front. Coarse cells do not tell distances apart, and are half as many.
func cellOf(f *surface.Facet, fine int, extent float64, corner int) (at planeCell, ok bool) {
	x, y, z, d := placeOf(f, fine, extent)
	if corner&1 != 0 {
		x, y, z, d = -x, -y, -z, -d
	}
	below := func(v float64, bit int) int { return int(math.Floor(v)) + corner>>bit&1 }
	at = planeCell{f.Material, f.Round, fine, below(x, 1), below(y, 2), below(z, 3), 0}
	if fine != coarse {
		at.d = below(d, 4)
	}
	return at, fine != coarse || corner < 16
}

// tiltOf bounds the sine of the angle between a facet's normal and that of a plane from which
// none of its corners is more than tol away. Along the slope of the plane the corners spread by
// the facet's width or more, and their heights by 2·tol and by how far they are off the facet's
// own plane. The width is that of the widest triangle that fans out from its first corner.
func tiltOf(f *surface.Facet, tol, extent float64) float64 {
	room, width := tol+float64(heightRounding*extent), 0.0
	off := 0.0
	for k, v := range f.Corners {
		off = max(off, math.Abs(f.Normal.Dot(v.Sub(f.Middle))))
		if k < 2 {
			continue
		}
		a, b := f.Corners[k-1].Sub(f.Corners[0]), v.Sub(f.Corners[0])
		longest := max(a.Norm(), b.Norm(), b.Sub(a).Norm())
		width = max(width, a.Cross(b).Norm()/longest)
	}
	return 2 * (room + off) / width
}
