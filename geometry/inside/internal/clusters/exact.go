package clusters

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// PointWinding returns the winding number of a node about one point, by exact signs. A triangle that the point
// lies on counts nothing: of a closed surface the number is then 1/2 on a face, and on an edge or at a corner the share of
// the sphere that the surface holds there.
func (t *Tree) PointWinding(node int32, x vec.Vec3) float64 {
	if len(t.Tris) == 0 {
		return 0
	}
	return t.pointAngle(node, x) * (0.5 / math.Pi)
}

// pointAngle returns half the solid angle of a node.
func (t *Tree) pointAngle(node int32, x vec.Vec3) (angle float64) {
	n := &t.Nodes[node]
	near := n.Box.Enlarged(rimMargin * n.Box.Size().Norm())
	if !near.Overlaps(vec.Box{Min: x, Max: x}) {
		apex := n.Box.Center()
		for _, e := range t.Rims[n.RimLo:n.RimHi] {
			angle += halfAngle(x, apex, t.Verts[e[0]], t.Verts[e[1]])
		}
		return angle
	}
	if n.NChild == 0 {
		for _, k := range t.Tris[n.Lo:n.Hi] {
			angle += halfAngle(x, t.Verts[k[0]], t.Verts[k[1]], t.Verts[k[2]])
		}
		return angle
	}
	for c := n.Child; c < n.Child+n.NChild; c++ {
		angle += t.pointAngle(c, x)
	}
	return angle
}

// halfAngle returns half the solid angle of a triangle about x (van Oosterom and Strackee 1983), whose sign is exact. It is
// positive where x sees the corners run clockwise: from within a surface whose triangles run counter-clockwise seen from outside.
func halfAngle(x, a, b, c vec.Vec3) float64 {
	side := vec.Orient3D(a, b, c, x)
	if side == 0 {
		return 0
	}
	a, b, c = a.Sub(x), b.Sub(x), c.Sub(x)
	na, nb, nc := a.Norm(), b.Norm(), c.Norm()
	num := math.Abs(b.Sub(a).Cross(c.Sub(a)).Dot(a))
	den := (float64(float64(na*nb)*nc) + float64(a.Dot(b)*nc)) + (float64(a.Dot(c)*nb) + float64(b.Dot(c)*na))
	return -float64(side) * vec.Atan2(num, den)
}
