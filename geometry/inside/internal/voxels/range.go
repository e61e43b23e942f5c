package voxels

import (
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// Range answers points: places gets where they lie and values, if not nil, 0, 1 or 0.5. Cost: a cell
// look-up, and for a point in a cell that the surface enters the triangles of its list.
func (c *Cells) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	g := &c.grid
	places = places[:len(points)]
	for i, p := range points {
		place := tri.Outside
		if p.X >= c.box.Min.X && p.X <= c.box.Max.X && p.Y >= c.box.Min.Y && p.Y <= c.box.Max.Y && p.Z >= c.box.Min.Z && p.Z <= c.box.Max.Z {
			x, y, z := g.cells(p)
			b, bit := g.brick(x, y, z)
			k := &c.bricks[b]
			place = tri.Place(k.inside >> bit & 1)
			if k.entered>>bit&1 != 0 {
				r := k.rankOf(bit)
				place = c.cross(c.entries[c.first[r]:c.first[r+1]], p, x, y, z, place)
			}
		}
		places[i] = place
	}
	if values != nil {
		setValues(places, values)
	}
}

// valueOf is by place.
var valueOf = [3]float64{tri.Outside: 0, tri.Inside: 1, tri.On: 0.5}

func setValues(places []tri.Place, values []float64) {
	values = values[:len(places)]
	for i, p := range places {
		values[i] = valueOf[p]
	}
}

// cross returns the place of a point of a cell, of which the list and the place of the reference point
// are given: each triangle that parts the two changes sides.
func (c *Cells) cross(list []uint32, p vec.Vec3, x, y, z int, place tri.Place) tri.Place {
	for _, e := range list {
		s := c.planes[e>>1].at(p)
		if e&1 == 1 {
			s = -s
		}
		// s < 0 on the side of the reference point.
		if s < -1 {
			continue
		}
		k, l, m := c.surface.Corners(int(e >> 1))
		if s <= 1 {
			side := vec.Orient3D(k, l, m, p)
			if side == 0 {
				if tri.InPlane(k, l, m, p) {
					return tri.On
				}
				continue
			}
			if (side > 0) == (e&1 == 1) {
				continue
			}
		}
		if tri.SegmentPasses(k, l, m, p, c.grid.reference(x, y, z)) {
			place ^= 1
		}
	}
	return place
}
