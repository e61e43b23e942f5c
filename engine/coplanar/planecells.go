package coplanar

import (
	"math"
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
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

// coarse is the level of cells that do not distinguish distances.
const coarse = -1

// planeFinder divides facets into coplanar groups.
type planeFinder struct {
	mesh *mesh.WallMesh
	tol  float64
	// By group: its first facet, which defines the plane.
	first []int32
	// A list has, in rising order, the groups whose planes are in one cell of the space of planes:
	// planes with nearly the same normal and, for fine cells, nearly the same distance from the
	// origin. Cells with one hash share a list.
	lists   map[uint64]list
	entries []entry
	seen    []uint64 // bits: a cell that is not in it has no list
}

// list is the first and the last entry of a list.
type list struct{ first, last int32 }

// entry is a group in a list, and the entry after it or -1.
type entry struct{ group, next int32 }

// byPlane divides facets into coplanar groups. Each facet, in the given order, joins the first group
// with whose first facet it is coplanar, or starts a new group. byPlane returns the groups of several
// facets, and the number of groups it has compared; it stops once this number exceeds most. Cost per
// facet: a look-up of 32 cells and a comparison with the groups in them. A facet with an inaccurate
// normal is compared with all groups in a coarse cell.
func byPlane(m *mesh.WallMesh, order []int32, most int) (members [][]int, looks int) {
	c := planeFinder{mesh: m, tol: float64(planeRel * m.Extent()), lists: map[uint64]list{}, seen: make([]uint64, 1<<bits.Len(uint(len(order)/4)))}
	group := make([]int32, m.Len())
	count := make([]int32, 0, 64)
	used := []int{coarse, usualFine} // levels in use, ascending
	var f planarFacet
	for n, k := range order {
		f.load(m, int(k))
		to := int32(-1)
		best, tilt := coarse, tiltOf(&f, c.tol, m.Extent())
		for best+1 < len(fineCells) && tilt <= 0.25/fineCells[best+1] {
			best++
		}
		if at, ok := slices.BinarySearch(used, best); !ok && looks > crowded*(n+crowded) {
			used = slices.Insert(used, at, best)
			for g := range c.first {
				c.enter(int32(g), best)
			}
		}
		fine := coarse
		for _, level := range used {
			if level <= best {
				fine = level
			}
		}
		for corner := range 32 {
			cell, ok := c.cellOf(&f, fine, corner)
			if !ok || c.seen[cell>>6&uint64(len(c.seen)-1)]&(1<<(cell&63)) == 0 {
				continue
			}
			l, ok := c.lists[cell]
			for at := l.first; ok && at >= 0; at = c.entries[at].next {
				g := c.entries[at].group
				if to >= 0 && g >= to {
					break
				}
				if looks++; c.holds(g, &f) {
					to = g
				}
			}
		}
		if looks > most {
			return nil, looks
		}
		if to < 0 {
			to = int32(len(c.first))
			c.first, count = append(c.first, k), append(count, 0)
			for _, level := range used {
				c.enter(to, level)
			}
		}
		group[k] = to
		count[to]++
	}
	row := make(map[int32]int) // by group of several facets
	for _, k := range order {
		g := group[k]
		if count[g] < 2 {
			continue
		}
		at, ok := row[g]
		if !ok {
			at = len(members)
			row[g], members = at, append(members, nil)
		}
		members[at] = append(members[at], int(k))
	}
	return members, looks
}

// planarFacet is what decides in which plane a facet lies.
type planarFacet struct {
	corners        []vec.Vec3
	normal, middle vec.Vec3
	material       soa.Material
	round          float64
}

func (f *planarFacet) load(m *mesh.WallMesh, k int) {
	f.corners = m.Corners(f.corners[:0], k)
	f.loadPlane(m, k)
}

// loadPlane loads all but the corners.
func (f *planarFacet) loadPlane(m *mesh.WallMesh, k int) {
	f.normal = m.OwnNormal(k)
	f.middle, _ = m.Middle(k)
	f.material, f.round = m.Kind(k)
}

// enter adds a group to the list of its cell at a level.
func (c *planeFinder) enter(g int32, fine int) {
	var f planarFacet
	f.loadPlane(c.mesh, int(c.first[g]))
	x, y, z, d := c.place(&f, fine)
	round := func(v float64) int64 { return int64(math.Floor(v + 0.5)) }
	cell := hashOf(&f, fine, round(x), round(y), round(z), round(d))
	n := int32(len(c.entries))
	l, ok := c.lists[cell]
	if !ok {
		l.first = n
	} else {
		c.entries[l.last].next = n
	}
	l.last = n
	c.lists[cell], c.entries = l, append(c.entries, entry{g, -1})
	c.seen[cell>>6&uint64(len(c.seen)-1)] |= 1 << (cell & 63)
}

// holds reports whether a facet lies in the plane of a group, and has its material and rounding radius.
func (c *planeFinder) holds(g int32, f *planarFacet) bool {
	k := int(c.first[g])
	normal := c.mesh.OwnNormal(k)
	middle, _ := c.mesh.Middle(k)
	for _, v := range f.corners {
		if !(math.Abs(normal.Dot(v.Sub(middle))) <= c.tol) {
			return false
		}
	}
	material, round := c.mesh.Kind(k)
	return material == f.material && round == f.round
}

// place returns the normal and distance of a facet's plane in units of cells.
func (c *planeFinder) place(f *planarFacet, fine int) (x, y, z, d float64) {
	if fine == coarse {
		n := f.normal.Scale(normalCells)
		return n.X, n.Y, n.Z, 0
	}
	n := f.normal.Scale(fineCells[fine])
	return n.X, n.Y, n.Z, f.normal.Dot(f.middle) / c.mesh.Extent() * (fineCells[fine] / offsetShare)
}

// hashOf returns the hash of a cell.
func hashOf(f *planarFacet, fine int, x, y, z, d int64) uint64 {
	h := uint64(f.material)<<8 ^ uint64(fine+1) ^ math.Float64bits(f.round)
	for _, v := range [4]int64{x, y, z, d} {
		h = (h ^ uint64(v)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// cellOf returns the hash of one of the 32 cells that contain planes within half a cell of the facet's
// plane, for either orientation. corner selects the cell. Coarse cells do not distinguish distances, so
// there are only 16 of them.
func (c *planeFinder) cellOf(f *planarFacet, fine, corner int) (cell uint64, ok bool) {
	x, y, z, d := c.place(f, fine)
	if corner&1 != 0 {
		x, y, z, d = -x, -y, -z, -d
	}
	below := func(v float64, bit int) int64 { return int64(math.Floor(v)) + int64(corner>>bit&1) }
	last := int64(0)
	if fine != coarse {
		last = below(d, 4)
	}
	return hashOf(f, fine, below(x, 1), below(y, 2), below(z, 3), last), fine != coarse || corner < 16
}

// tiltOf returns an upper bound on the sine of the angle between a facet's normal and the normal of
// a plane from which all its corners are within tol. Along the slope of the plane, the corners
// spread by at least the facet's width. Their heights spread by at most 2·tol plus twice their
// deviation from the facet's own plane. The width is that of the widest triangle in the fan around
// the first corner.
func tiltOf(f *planarFacet, tol, extent float64) float64 {
	slack, width := tol+float64(heightRounding*extent), 0.0
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
	return 2 * (slack + off) / width
}
