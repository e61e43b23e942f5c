package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/soa"
)

const (
	// normalCells is the number of coarse cells per unit along each component of a normal. A facet
	// whose normal may be off by more than one cell is too thin for any group.
	normalCells = 32
	// offsetShare is the ratio of the cells of normals to the cells of a plane's distance from the
	// origin, relative to the wall's largest coordinate. If a facet's normal is accurate to a
	// quarter of a cell, each component differs from the group's normal by at most a quarter of a
	// cell. The distances of the two planes then differ by at most tol plus √3/4 of a cell of
	// normals times that coordinate.
	offsetShare = 4
	// heightRounding, times the largest coordinate, bounds the rounding of a corner's height over a
	// plane.
	// Smaller: a thin facet may miss its group test.
	heightRounding = 0x1p-48
)

// fineCells are numbers of cells per unit along each component of a normal, for facets with
// accurate normals: the more accurate the normal, the finer the cells. They distinguish the facets
// of nearly flat ground. The finest cell is still 32 tolerances wide. Level usualFine is always in
// use; another level is used once looks exceed about crowded per facet.
var fineCells = [...]float64{1 << 10, 1 << 16, 1 << 22, 1 << 26, 1 << 30, 1 << 33, 1 << 35}

const (
	usualFine = 2
	crowded   = 64
)

// planeCell is a cell of the space of planes: planes with nearly the same normal and, for fine
// cells, nearly the same distance from the origin.
type planeCell struct {
	material   soa.Material
	round      float64
	fine       int // index in fineCells, or coarse
	x, y, z, d int
}

// coarse marks cells that do not distinguish distances.
const coarse = -1

// byPlane divides facets into coplanar groups. Each facet joins the first group with whose first
// facet it is coplanar, or starts a new group. byPlane also returns the number of groups it has
// compared, and stops once this number exceeds most. Cost per facet: a look-up of 32 cells and a
// comparison with the groups in them. A facet with an inaccurate normal is compared with all groups
// in a coarse cell.
func byPlane(facets []surface.WallFacet, extent float64, most int) (members [][]int, looks int) {
	tol := float64(planeRel * extent)
	groups := make(map[planeCell][]int)
	used := []int{coarse, usualFine} // levels in use, ascending
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

// poseRowOf returns the normal and distance of a facet's plane in units of cells.
func poseRowOf(f *surface.WallFacet, fine int, extent float64) (x, y, z, d float64) {
	if fine == coarse {
		n := f.Normal.Scale(normalCells)
		return n.X, n.Y, n.Z, 0
	}
	n := f.Normal.Scale(fineCells[fine])
	return n.X, n.Y, n.Z, f.Normal.Dot(f.Middle) / extent * (fineCells[fine] / offsetShare)
}

// homeOf returns the cell of a group whose first facet is f.
func homeOf(f *surface.WallFacet, fine int, extent float64) planeCell {
	x, y, z, d := poseRowOf(f, fine, extent)
	round := func(v float64) int { return int(math.Floor(v + 0.5)) }
	return planeCell{f.Material, f.Round, fine, round(x), round(y), round(z), round(d)}
}

// cellOf returns one of the 32 cells that contain planes within half a cell of the facet's plane,
// for either orientation. corner selects the cell. Coarse cells do not distinguish distances, so
// there are only 16 of them.
func cellOf(f *surface.WallFacet, fine int, extent float64, corner int) (at planeCell, ok bool) {
	x, y, z, d := poseRowOf(f, fine, extent)
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

// tiltOf returns an upper bound on the sine of the angle between a facet's normal and the normal of
// a plane from which all its corners are within tol. Along the slope of the plane, the corners
// spread by at least the facet's width. Their heights spread by at most 2·tol plus twice their
// deviation from the facet's own plane. The width is that of the widest triangle in the fan around
// the first corner.
func tiltOf(f *surface.WallFacet, tol, extent float64) float64 {
	slack, width := tol+float64(heightRounding*extent), 0.0
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
	return 2 * (slack + off) / width
}
