package engine

import (
	"math"

	"github.com/scree-dem/scree/soa"
)

const (
	// normalCells is how many cells of normals make a unit: a facet whose normal is off by more than one of them is so thin
	// that it belongs to no sheet.
	normalCells = 32
	// fineCells is that for facets which know their normal well, and offsetCells how many cells of a plane's distance from the
	// origin make the largest coordinate of the wall. A sheet of such a facet has a normal within a quarter of a fine cell,
	// and so a distance within √3/4·2⁻²² of that coordinate. Facets of a nearly level ground are told apart.
	fineCells   = 1 << 22
	offsetCells = 1 << 20
	// flatRounding of the largest coordinate bounds the rounding of the height of a corner over a plane.
	flatRounding = 0x1p-48
)

// planeCell is a cell of planes: those of nearly one normal, and of nearly one distance from the origin if it is fine.
type planeCell struct {
	material   soa.Material
	round      float64
	fine       bool
	x, y, z, d int
}

// levelGroups divides facets into groups that are level. Each facet joins the first group whose first facet it is level
// with, and begins one if there is none. It also returns how many groups were looked at. Cost: a look at 32 cells for each
// facet, and at the groups in these. A facet that does not know its normal looks at all groups within a coarse cell.
func levelGroups(facets []levelFacet, extent float64) (members [][]int, looks int) {
	tol := float64(sheetRel * extent)
	groups := make(map[planeCell][]int)
	for i := range facets {
		f, to := &facets[i], -1
		fine := f.tilt(tol, extent) <= 0.25/fineCells
		for corner := range 32 {
			at, ok := f.cell(fine, extent, corner)
			if !ok {
				continue
			}
			for _, g := range groups[at] {
				if to >= 0 && g >= to {
					break
				}
				if looks++; f.level(&facets[members[g][0]], tol) {
					to = g
				}
			}
		}
		if to >= 0 {
			members[to] = append(members[to], i)
			continue
		}
		for _, fine := range []bool{false, true} {
			at := f.home(fine, extent)
			groups[at] = append(groups[at], len(members))
		}
		members = append(members, []int{i})
	}
	return members, looks
}

// place returns a facet's plane in units of cells.
func (f *levelFacet) place(fine bool, extent float64) (x, y, z, d float64) {
	if !fine {
		n := f.normal.Scale(normalCells)
		return n.X, n.Y, n.Z, 0
	}
	n := f.normal.Scale(fineCells)
	return n.X, n.Y, n.Z, f.normal.Dot(f.middle) / extent * offsetCells
}

// home returns the cell that a group is in, by its first facet.
func (f *levelFacet) home(fine bool, extent float64) planeCell {
	x, y, z, d := f.place(fine, extent)
	round := func(v float64) int { return int(math.Floor(v + 0.5)) }
	return planeCell{f.material, f.round, fine, round(x), round(y), round(z), round(d)}
}

// cell returns one of the 32 cells that hold the planes within half a cell of a facet's, whichever side is its front. Coarse
// cells do not tell distances apart, and are half as many.
func (f *levelFacet) cell(fine bool, extent float64, corner int) (at planeCell, ok bool) {
	x, y, z, d := f.place(fine, extent)
	if corner&1 != 0 {
		x, y, z, d = -x, -y, -z, -d
	}
	below := func(v float64, bit int) int { return int(math.Floor(v)) + corner>>bit&1 }
	at = planeCell{f.material, f.round, fine, below(x, 1), below(y, 2), below(z, 3), 0}
	if fine {
		at.d = below(d, 4)
	}
	return at, fine || corner < 16
}

// tilt bounds the sine of the angle between a facet's normal and that of a plane from which none of its corners is more than
// tol away. Along the slope of the plane the corners spread by the facet's width or more, and their heights by 2·tol and by
// how far they are off the facet's own plane. The width is that of the widest triangle of a fan.
func (f *levelFacet) tilt(tol, extent float64) float64 {
	room, width := tol+float64(flatRounding*extent), 0.0
	off := 0.0
	for k, v := range f.corners {
		off = max(off, math.Abs(f.normal.Dot(v.Sub(f.middle))))
		if k < 2 {
			continue
		}
		a, b := f.corners[k-1].Sub(f.corners[0]), v.Sub(f.corners[0])
		longest := max(a.Norm(), b.Norm(), b.Sub(a).Norm())
		width = max(width, a.Cross(b).Norm()/longest)
	}
	return 2 * (room + off) / width
}
