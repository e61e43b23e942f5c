package scene

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// facet is a facet of a wall, or a plane: its corners or a point on it and its normal.
type facet struct {
	box     vec.Box
	corners []vec.Vec3
}

// lookAround notes the bounding balls of all bodies, and the planes and facets of walls, that come near the region of
// an entry, which is a pour.
func (r *runner) lookAround(g *bodyEntry, p *poured) {
	t, b, pieces, shapes := r.b.comings, r.w.Bodies(), r.w.Pieces(), r.w.Shapes()
	largest := r.s.shapes[r.s.largestOf(g)].radius
	for row, inverse := range b.InvMass {
		if inverse > 0 {
			largest = max(largest, b.Radius[row])
		}
	}
	if p.near == nil || p.near.width < 2*largest {
		p.near = newBalls(g.region.box, largest)
	}
	p.near.begin()
	t.facets, t.planes = t.facets[:0], t.planes[:0]
	for row := range b.Len() {
		switch {
		case b.Gone[row]:
			continue
		case b.InvMass[row] > 0:
			for _, at := range r.w.Places(b.Pos.At(row)) {
				p.near.add(at, b.Radius[row])
			}
			continue
		}
		for k := b.FirstPiece[row]; k < b.FirstPiece[row+1]; k++ {
			h, pose := pieces.Shape[k], pieces.Pose(b, k)
			if b.Radius[row] == 0 { // a plane
				t.planes = append(t.planes, facet{corners: []vec.Vec3{pose.Pos, pose.Rot.Rotate(vec.V(0, 0, 1))}})
				continue
			}
			if !r.s.isPeriodic() && !g.region.box.Overlaps(vec.Box{Min: pose.Pos, Max: pose.Pos}.Enlarged(shapes.Radius[h])) {
				continue
			}
			f := facet{box: vec.EmptyBox(), corners: shapes.AppendCorners(nil, h)}
			for k, c := range f.corners {
				f.corners[k] = pose.Point(c)
				f.box = f.box.With(f.corners[k])
			}
			t.facets = append(t.facets, f)
		}
	}
}

// clear reports whether a ball meets no facet of a wall, and lies on the outer side of all planes.
func (r *runner) clear(c vec.Vec3, radius float64) bool {
	return !slices.ContainsFunc(r.w.Places(c), func(at vec.Vec3) bool { return !r.b.comings.clear(at, radius) })
}

// clear is runner.clear for one of the images of the ball.
func (t *comings) clear(c vec.Vec3, radius float64) bool {
	for i := range t.planes {
		if p := t.planes[i].corners; c.Sub(p[0]).Dot(p[1]) < radius {
			return false
		}
	}
	around := vec.Box{Min: c, Max: c}.Enlarged(radius)
	for i := range t.facets {
		if f := &t.facets[i]; f.box.Overlaps(around) && f.distance(c) < radius {
			return false
		}
	}
	return true
}

// distance returns the distance of a point from a convex facet.
func (f *facet) distance(p vec.Vec3) float64 {
	n := vec.Vec3{}
	for k := 2; k < len(f.corners); k++ {
		n = n.Add(f.corners[k-1].Sub(f.corners[0]).Cross(f.corners[k].Sub(f.corners[0])))
	}
	above, least := n != vec.Vec3{}, math.Inf(1)
	for k, a := range f.corners {
		along, d := f.corners[(k+1)%len(f.corners)].Sub(a), p.Sub(a)
		above = above && n.Cross(along).Dot(d) >= 0
		share := 0.0
		if l2 := along.Norm2(); l2 > 0 {
			share = min(max(d.Dot(along)/l2, 0), 1)
		}
		least = min(least, d.AddScaled(-share, along).Norm())
	}
	if above {
		return math.Abs(p.Sub(f.corners[0]).Dot(n)) / n.Norm()
	}
	return least
}
