package voxels

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// groupPoints is how many points are answered together, in passes: each is a short loop with few
// branches, so that the loads of many points are under way at once.
const groupPoints = 256

// group is the state of a group of points between passes: those in entered cells.
type group struct {
	n     int
	point [groupPoints]uint32
	cell  [groupPoints]uint32
	list  [groupPoints][2]uint32
}

// Range answers points: places gets where they lie and values, if not nil, 0, 1 or 0.5. Cost: a cell
// look-up, and for a point in a cell that the surface enters the planes of its list. Segments are
// crossed with triangles where planes do not decide.
func (c *Cells) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	var g group
	for len(points) > 0 {
		n := min(groupPoints, len(points))
		c.lookUp(&g, points[:n], places[:n])
		c.part(&g, points[:n], places[:n])
		if values != nil {
			setValues(places[:n], values)
			values = values[n:]
		}
		points, places = points[n:], places[n:]
	}
}

// valueOf is by place.
var valueOf = [4]float64{tri.Outside: 0, tri.Inside: 1, tri.On: 0.5}

func setValues(places []tri.Place, values []float64) {
	values = values[:len(places)]
	for i, p := range places {
		values[i] = valueOf[p&3]
	}
}

// lookUp finds the cells of points, and the places of those whose cell is not entered.
func (c *Cells) lookUp(g *group, points []vec.Vec3, places []tri.Place) {
	places = places[:len(points)]
	n := 0
	for i := range points {
		p := &points[i]
		places[i] = tri.Outside
		if !holds(&c.box, *p) {
			continue
		}
		cell := c.grid.address(c.grid.cell(0, p.X), c.grid.cell(1, p.Y), c.grid.cell(2, p.Z))
		k, bit := &c.bricks[cell>>6], uint(cell&63)
		places[i] = tri.Place(k.inside >> bit & 1)
		g.point[n&(groupPoints-1)], g.cell[n&(groupPoints-1)] = uint32(i), cell
		n += int(k.entered >> bit & 1)
	}
	g.n = n
}

// part finds the places of points in entered cells: those of a reference point that no plane parts from
// the point.
func (c *Cells) part(g *group, points []vec.Vec3, places []tri.Place) {
	for j, cell := range g.cell[:g.n] {
		r := c.bricks[cell>>6].rankOf(uint(cell & 63))
		g.list[j] = [2]uint32{c.lists[r], c.lists[r+1]}
	}
	const all = 1<<references - 1
	for j, i := range g.point[:g.n] {
		p, list := &points[i], g.list[j]
		parted, unsure := uint32(0), false
		for _, e := range c.entries[list[0]>>references : list[1]>>references] {
			s := c.planes[e>>references].at(*p)
			// All ones if the point lies on the outer side.
			outer := uint32(int64(math.Float64bits(s))>>63) ^ all
			parted |= e ^ outer
			unsure = unsure || !(math.Abs(s) > 1)
		}
		if parted &= all; parted != all && !unsure {
			places[i] = tri.Place(list[0] >> bits.TrailingZeros32(^parted) & 1)
			continue
		}
		places[i] = c.cross(*p, list)
	}
}

// cross returns the place of a point of an entered cell. Of its reference points it takes the one that
// the fewest planes part from the point, and changes sides for each triangle that the segment passes.
func (c *Cells) cross(p vec.Vec3, list [2]uint32) tri.Place {
	entries := c.entries[list[0]>>references : list[1]>>references]
	var parting [references]int
	for _, e := range entries {
		outer := c.planes[e>>references].at(p) > 0
		for r := range parting {
			if (e>>r&1 == 1) != outer {
				parting[r]++
			}
		}
	}
	r := uint(0)
	for k, n := range parting {
		if n < parting[r] {
			r = uint(k)
		}
	}
	place := tri.Place(list[0] >> r & 1)
	q := c.grid.referencePoint(c.grid.cell(0, p.X), c.grid.cell(1, p.Y), c.grid.cell(2, p.Z), r)
	for _, e := range entries {
		t := e >> references
		s := c.planes[t].at(p)
		outer := s > 0
		sure := math.Abs(s) > 1
		if sure && outer == (e>>r&1 == 1) {
			continue
		}
		k, l, m := c.surface.Corners(int(t))
		if !sure {
			side := vec.Orient3D(k, l, m, p)
			if side == 0 && tri.InPlane(k, l, m, p) {
				return tri.On
			}
			if side == 0 || (side > 0) == (e>>r&1 == 1) {
				continue
			}
		}
		if tri.SegmentPasses(k, l, m, p, q) {
			place ^= 1
		}
	}
	return place
}
