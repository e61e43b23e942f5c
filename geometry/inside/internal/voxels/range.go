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
	rank  [groupPoints]uint32
	list  [groupPoints][2]uint32 // its first entry and that of the next, as in Cells.lists
	entry [groupPoints]uint32    // the first of the list
	left  [groupPoints]uint32    // points that planes do not decide, by place in the above

	// touched gets a sum of what the next pass will read. Nobody reads it: those loads wait for
	// nothing, and the next pass finds its lines of memory on their way. Of shuffled points, the
	// foam of half a million faces takes four fifths of the time so.
	touched float32
}

// Range answers points: places gets where they lie and values, if not nil, 0, 1 or 0.5. Cost: a
// cell look-up, and for a point in a cell that the surface enters the planes of its list.
// Segments are crossed with triangles where planes do not decide.
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
		if !c.box.Holds(*p) {
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

// part finds the places of points in entered cells: those of a reference point that no plane
// parts from the point.
func (c *Cells) part(g *group, points []vec.Vec3, places []tri.Place) {
	for j, cell := range g.cell[:g.n] {
		r := c.bricks[cell>>6].rankOf(uint(cell & 63))
		g.rank[j], g.list[j] = uint32(r), [2]uint32{c.lists[r], c.lists[r+1]}
	}
	for j, list := range g.list[:g.n] {
		g.entry[j] = c.entries[list[0]>>references]
		g.touched += float32(c.entries[list[1]>>references-1])
	}
	for _, e := range g.entry[:g.n] {
		g.touched += c.planes[e>>references].d
	}
	left := 0
	for j, i := range g.point[:g.n] {
		p, list := &points[i], g.list[j]
		if list[1]>>references-list[0]>>references > longList {
			w := c.crossLong(*p, g.rank[j])
			places[i] = w.place()
			continue
		}
		const all = 1<<references - 1
		at := c.short(p)
		parted, unsure := uint32(0), false
		for _, e := range c.entries[list[0]>>references : list[1]>>references] {
			s := c.planes[e>>references].at(at)
			// All ones if the point lies on the outer side.
			outer := uint32(int32(math.Float32bits(s))>>31) ^ all
			parted |= e ^ outer
			unsure = unsure || !sure(s)
		}
		if parted &= all; parted != all && !unsure {
			places[i] = tri.Place(list[0] >> bits.TrailingZeros32(^parted) & 1)
			continue
		}
		g.left[left] = uint32(j)
		left++
	}
	for _, j := range g.left[:left] {
		for _, e := range c.entries[g.list[j][0]>>references : g.list[j][1]>>references] {
			p, q, r := c.surface.Corners(int(e >> references))
			g.touched += float32(p.X) + float32(q.X) + float32(r.X)
		}
	}
	for _, j := range g.left[:left] {
		i := g.point[j]
		places[i] = c.cross(points[i], g.list[j])
	}
}

// cross returns the place of a point of an entered cell. Of its reference points it takes the one
// that the fewest planes part from the point, and counts the triangles that the segment passes, by
// the side from which it comes.
func (c *Cells) cross(p vec.Vec3, list [2]uint32) tri.Place {
	entries := c.entries[list[0]>>references : list[1]>>references]
	at := c.short(&p)
	var parting [references]int
	for _, e := range entries {
		outer := c.planes[e>>references].at(at) > 0
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
	w := segment{p: p, at: at, r: r, number: int(list[0] >> r & 1)}
	w.q = c.grid.referencePoint(c.grid.cell(0, p.X), c.grid.cell(1, p.Y), c.grid.cell(2, p.Z), r)
	for _, e := range entries {
		if c.meet(&w, e); w.on {
			break
		}
	}
	return w.place()
}

// segment runs from a point to a reference point.
type segment struct {
	p, q   vec.Vec3
	at     shortPoint // p
	r      uint       // number of the reference point
	number int        // winding number: of q, changed by each crossing on the way to p
	on     bool       // p is known to lie on the surface
}

// place returns where p lies once all crossings are counted. Where parts of the surface overlap in
// less than a cell, the winding number may be other than 0 and 1, and p lies inside.
func (w *segment) place() tri.Place {
	switch {
	case w.on:
		return tri.On
	case w.number != 0:
		return tri.Inside
	}
	return tri.Outside
}

// meet asks whether a segment passes the triangle of an entry, or begins on it.
func (c *Cells) meet(w *segment, e uint32) {
	t := e >> references
	s := c.planes[t].at(w.at)
	decided := sure(s)
	from := e>>w.r&1 == 1 // q lies on the outer side
	if decided && (s > 0) == from {
		return
	}
	k, l, m := c.surface.Corners(int(t))
	if !decided {
		side := vec.Orient3D(k, l, m, w.p)
		if side == 0 && tri.InPlane(k, l, m, w.p) {
			w.on = true
		}
		if side == 0 || (side > 0) == from {
			return
		}
	}
	switch {
	case !tri.SegmentPasses(k, l, m, w.p, w.q):
	case from:
		w.number++
	default:
		w.number--
	}
}
