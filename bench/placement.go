package bench

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// feature is a vertex, edge or face. at is a point inside the feature, out is a direction that only
// this feature supports, and along is a direction along the feature.
type feature struct{ at, out, along vec.Vec3 }

// featureOf draws a random feature of a shape, in the shape's frame. size is 1 for a vertex, 2 for
// an edge, 3 for a face.
func featureOf(v *soa.View, size int, r *geometry.Rand) feature {
	switch size {
	case 1:
		u := below(r, v.NVerts)
		f := feature{at: v.Vert(soa.Vertex(u))}
		first := v.RingFirst[u]
		for _, h := range v.Ring[first : first+v.RingLen[u]] {
			f.out = f.out.Add(v.Normal(v.Face[h]))
		}
		f.out = f.out.Unit()
		f.along = f.out.Perpendicular()
		return f
	case 2:
		h := v.Edge[below(r, len(v.Edge))]
		p := v.Vert(v.Tail[h])
		along := v.Vert(v.Head(h)).Sub(p)
		return feature{
			at: p.AddScaled(r.Range(0.35, 0.65), along), along: along.Unit(),
			out: v.Normal(v.Face[h]).Add(v.Normal(v.Face[v.Twin[h]])).Unit(),
		}
	}
	f := below(r, v.NFaces)
	loop := v.Tail[v.LoopFirst[f] : v.LoopFirst[f]+v.LoopLen[f]]
	var at vec.Vec3
	sum := 0.0
	for _, k := range loop {
		w := r.Range(0.5, 1.5)
		at, sum = at.AddScaled(w, v.Vert(k)), sum+w
	}
	return feature{at: at.Scale(1 / sum), out: v.Normal(soa.Face(f)), along: v.Vert(loop[1]).Sub(v.Vert(loop[0])).Unit()}
}

// frameOf returns the orthonormal frame with the rows x (its component orthogonal to z), z×x, and
// z.
func frameOf(z, x vec.Vec3) vec.Mat3 {
	x = x.AddScaled(-x.Dot(z), z).Unit()
	return vec.Mat3{R0: x, R1: z.Cross(x), R2: z}
}

// meeting returns the pose of B, in A's frame, in which the feature of B touches the feature of A
// from outside. spin is the angle between the directions along the features.
func meeting(fa, fb feature, spin float64) vec.Pose {
	sin, cos := vec.Sincos(spin)
	a, b := frameOf(fa.out, fa.along), frameOf(fb.out.Neg(), fb.along)
	turned := vec.Mat3{R0: a.R0.Scale(cos).AddScaled(sin, a.R1), R1: a.R1.Scale(cos).AddScaled(-sin, a.R0), R2: a.R2}
	rot := turned.T().Mul(b).Quat()
	return vec.Pose{Rot: rot, Pos: fa.at.Sub(rot.Rotate(fb.at))}
}

// sizes has, for each contact type, the sizes of the features of A and B: their dimensions plus
// one.
var sizes = [narrow.NTypes][2]int{
	narrow.TypeVertexVertex: {1, 1}, narrow.TypeVertexEdge: {1, 2}, narrow.TypeVertexFace: {1, 3},
	narrow.TypeEdgeVertex: {2, 1}, narrow.TypeFaceVertex: {3, 1}, narrow.TypeEdgeEdge: {2, 2}, narrow.TypeEdgeParallel: {2, 2},
	narrow.TypeEdgeFace: {2, 3}, narrow.TypeFaceEdge: {3, 2}, narrow.TypeFaceFace: {3, 3},
}

// placeTyped poses a pair so that it touches, up to rounding, in a contact of the given type, at
// random features. It returns a unit vector, world axes, along which B separates from A. The
// position of A is near the origin.
func placeTyped(r *geometry.Rand, want narrow.Type, p *blockPair) vec.Vec3 {
	fa, fb := featureOf(p.a, sizes[want][0], r), featureOf(p.b, sizes[want][1], r)
	spin := r.Range(0, 2*math.Pi)
	switch want {
	case narrow.TypeEdgeEdge:
		spin = r.Range(0.3, 1.5)
	case narrow.TypeEdgeParallel:
		spin = math.Pi * float64(below(r, 2))
	}
	pb := meeting(fa, fb, spin)
	q := r.Rotation()
	p.pa = vec.Pose{Rot: q}
	p.pb = vec.Pose{Rot: q.Mul(pb.Rot).Normalized(), Pos: q.Rotate(pb.Pos)}
	return q.Rotate(fa.out)
}
