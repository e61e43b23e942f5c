package overlap

import "github.com/scree-dem/scree/vec"

// depthPoint is a point and its depth under a facet's plane, m.
type depthPoint struct {
	x vec.Vec3
	h float64
}

// polygons are flat parts of a surface, one after the other, each counter-clockwise seen from
// outside.
type polygons struct {
	points []depthPoint
	end    []int
	isCap  []bool // by polygon: not part of the block's own surface
}

func (g *polygons) reset() { g.points, g.end, g.isCap = g.points[:0], g.end[:0], g.isCap[:0] }

// close ends the polygon whose points were appended.
func (g *polygons) close(isCap bool) {
	g.end, g.isCap = append(g.end, len(g.points)), append(g.isCap, isCap)
}

// face returns the points of a polygon.
func (g *polygons) face(k int) []depthPoint {
	first := 0
	if k > 0 {
		first = g.end[k-1]
	}
	return g.points[first:g.end[k]]
}

// appendFaces appends the faces of a solid, except caps without a face number. Coordinates of the
// solid are relative to a point that is deep under the plane with normal n.
func (g *polygons) appendFaces(b *polyhedron, deep float64, n vec.Vec3) {
	first := 0
	for f, end := range b.end {
		if !b.isCap[f] || b.of[f] != noFace {
			for _, v := range b.loop[first:end] {
				x := b.verts[v]
				g.points = append(g.points, depthPoint{x, max(deep-n.Dot(x), 0)})
			}
			g.close(b.isCap[f])
		}
		first = end
	}
}
