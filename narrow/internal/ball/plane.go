package ball

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// OnPlane answers a ball or a block and an infinite plane, which is the half-space z ≤ 0 of its
// frame. The answer has a closed form because only the facet of K that belongs to the plane's one
// face is within reach. Of several equally deep vertices, the one with the lowest index is the
// witness. Cost: one support evaluation.
func OnPlane(a *soa.View, pa vec.Pose, pb vec.Pose, out *pair.Answer) {
	*out = pair.Answer{AnsweredBy: pair.ByFeature}
	up := pb.Rot.Rotate(vec.Vec3{Z: 1})
	dx := pb.Pos.Sub(pa.Pos)
	if !dx.Finite() || !pair.IsRotation(pa.Rot) || !pair.IsRotation(pb.Rot) || !(a.Radius > 0) {
		out.Status = pair.Degenerate
		return
	}
	n := up.Neg()
	var vertex soa.Vertex
	if a.Kind.IsRound() {
		out.ArmA = n.Scale(a.Radius)
		out.SetGap(n.Dot(dx) - a.Radius)
	} else {
		h := pair.PosedHull{X: a.X[:a.NVerts], Y: a.Y[:a.NVerts], Z: a.Z[:a.NVerts]}
		axis := pa.Rot.RotateInv(n)
		k, reach := h.Highest(axis)
		vertex = soa.Vertex(k)
		out.ArmA = pa.Rot.Rotate(h.At(k))
		out.SetGap(n.Dot(dx) - reach)
	}
	out.Exact = true
	out.Normal = n
	out.ArmB = out.ArmA.AddScaled(out.Gap, n).Sub(dx)
	out.Facet = soa.FacetID{Kind: soa.VertexFace, A: uint16(vertex)}
}
