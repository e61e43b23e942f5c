package clusters

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/winding"
	"github.com/scree-dem/scree/vec"
)

// PointWinding returns the winding number of a node about one point, by exact signs, and whether
// the point lies on a triangle. Such a triangle counts nothing: of a closed surface the number is
// then 1/2 on a face, and on an edge or at a corner the share of the sphere that the surface
// holds there. It is slow: for the few points that Sums leaves.
func (t *Tree) PointWinding(node int32, x vec.Vec3) (w float64, on bool) {
	if len(t.Tris) == 0 {
		return 0, false
	}
	angle, on := t.pointAngle(node, x)
	return angle * (0.5 / math.Pi), on
}

// pointAngle returns half the solid angle of a node.
func (t *Tree) pointAngle(node int32, x vec.Vec3) (angle float64, on bool) {
	n := &t.Nodes[node]
	near := n.Box.Enlarged(float64(rimMargin * n.Box.Size().Norm()))
	switch {
	case !near.Overlaps(vec.Box{Min: x, Max: x}):
		apex := n.Box.Center()
		for _, e := range t.Rims[n.RimLo:n.RimHi] {
			half, _ := winding.Half(apex, t.Verts[e[0]], t.Verts[e[1]], x)
			angle += half
		}
	case n.NChild == 0:
		for _, k := range t.Tris[n.Lo:n.Hi] {
			half, here := winding.Half(t.Verts[k[0]], t.Verts[k[1]], t.Verts[k[2]], x)
			angle, on = angle+half, on || here
		}
	default:
		for c := n.Child; c < n.Child+n.NChild; c++ {
			part, here := t.pointAngle(c, x)
			angle, on = angle+part, on || here
		}
	}
	return angle, on
}
