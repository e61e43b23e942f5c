package clusters

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/winding"
	"github.com/scree-dem/scree/vec"
)

// PointWinding returns the winding number of a node about one point, by exact signs, and whether
// the point lies on a triangle. Such a triangle adds nothing. So for a closed surface the number is
// 1/2 on a face. On an edge or at a corner the number is the fraction of a small sphere that lies
// inside. x is a point of the surface's frame, not scaled. PointWinding handles a single point and
// is slow.
func (t *Octree) PointWinding(node int32, x vec.Vec3) (w float64, on bool) {
	angle, on := t.pointAngle(node, x)
	return angle * (0.5 / math.Pi), on
}

// pointAngle returns half the solid angle of a node.
func (t *Octree) pointAngle(node int32, x vec.Vec3) (angle float64, on bool) {
	n := &t.Nodes[node]
	near := n.Box.Enlarged(float64(rimMargin * n.Box.Size().Norm()))
	switch at := x.Scale(t.Scale); {
	case !near.Overlaps(vec.Box{Min: at, Max: at}):
		apex := n.Box.Center().Scale(1 / t.Scale)
		for _, e := range t.Rims[n.RimLo:n.RimHi] {
			half, _ := winding.Half(apex, t.plain[e[0]], t.plain[e[1]], x)
			angle += half
		}
	case n.NChild == 0:
		for _, k := range t.Tris[n.Lo:n.Hi] {
			half, here := winding.Half(t.plain[k[0]], t.plain[k[1]], t.plain[k[2]], x)
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

// doubtMargin is the distance from a leaf's box, as a fraction of its diagonal, within which a
// point may have had a triangle of the leaf left out. With a smaller value, such a triangle would
// be missing from the sum. With a larger one, more leaves are visited.
//
// Let the distance of the point be s times that of the farthest corner. The unit vectors to the
// corners then lie in a cap of height 1 - s. So 1 + cos ≥ 2s² for each two corners. The complex
// number of asm.FanAngles, over |a||b||c|, has the square 2(1+cos)(1+cos)(1+cos) ≥ 16s⁶. At s = 2⁻⁷
// that is 2⁻³⁸.
//
// asm.TriangleAngles leaves a triangle out in three cases (see Doubtful there). Two of them cannot
// occur for s ≥ 2⁻⁷. If the point is next to an edge, both parts of the number are at most
// doubtfulDen = 2⁻²⁰, so its square is at most 2⁻³⁹. If the triangle may hold the point, the
// imaginary part is within rounding and the real part at most 2⁻²⁰. A number left of the imaginary
// axis has an argument of at most π(1-s), so such a number is as small. In the third case, rounding
// exceeds doubtfulNum, and a corner is nearer than 2⁻⁹ edges.
const doubtMargin = 0x1p-6

// NextTo reports whether a triangle of the node may have been left out of the sum about x.
func (n *Node) NextTo(x vec.Vec3) bool {
	box := n.Box.Enlarged(float64(doubtMargin * n.Box.Size().Norm()))
	return box.Holds(x)
}

// LeftOut returns the winding number, by exact signs, of those triangles of a node that AddGroups
// left out of the sum about point i. on reports whether the point lies on one of them. plain is the
// point, not scaled. Cost: the triangles of the leaves whose boxes contain the point.
func (t *Octree) LeftOut(s *Sums, node int32, i int, plain vec.Vec3) (w float64, on bool) {
	x := vec.V(s.of.X[i], s.of.Y[i], s.of.Z[i])
	angle, on := t.leftOut(s.GroupOf(i), node, x, plain)
	return angle * (0.5 / math.Pi), on
}

func (t *Octree) leftOut(group *vec.Box, node int32, x, plain vec.Vec3) (angle float64, on bool) {
	n := &t.Nodes[node]
	if !n.NextTo(x) || !group.Overlaps(n.Box.Enlarged(float64(rimMargin*n.Box.Size().Norm()))) {
		return 0, false // far from the triangles, or summed by the rim
	}
	for c := n.Child; c < n.Child+n.NChild; c++ {
		part, here := t.leftOut(group, c, x, plain)
		angle, on = angle+part, on || here
	}
	for f := n.FourLo; f < n.FourHi; f++ {
		at := n.Lo + 4*(f-n.FourLo)
		for j := range min(n.Hi-at, 4) {
			if t.fours[f].Doubtful(int(j), x.X, x.Y, x.Z) {
				k := t.Tris[at+j]
				half, here := winding.Half(t.plain[k[0]], t.plain[k[1]], t.plain[k[2]], plain)
				angle, on = angle+half, on || here
			}
		}
	}
	return angle, on
}
