package bench

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// feature is a point inside a vertex, edge or face, a direction that only it supports, and one along it.
type feature struct{ at, out, along vec.Vec3 }

// featureOf draws a feature of a shape, in its frame: a vertex, an edge or a face as size is 1, 2 or 3.
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

// frameOf returns the orthonormal frame whose rows are the part of x across z, z×x, and z.
func frameOf(z, x vec.Vec3) vec.Mat3 {
	x = x.AddScaled(-x.Dot(z), z).Unit()
	return vec.Mat3{R0: x, R1: z.Cross(x), R2: z}
}

// meeting returns the pose of B, in A's frame, at which its feature meets A's from outside, with the directions along the
// features at an angle of spin.
func meeting(fa, fb feature, spin float64) vec.Pose {
	sin, cos := vec.Sincos(spin)
	a, b := frameOf(fa.out, fa.along), frameOf(fb.out.Neg(), fb.along)
	turned := vec.Mat3{R0: a.R0.Scale(cos).AddScaled(sin, a.R1), R1: a.R1.Scale(cos).AddScaled(-sin, a.R0), R2: a.R2}
	rot := turned.T().Mul(b).Quat()
	return vec.Pose{Rot: rot, Pos: fa.at.Sub(rot.Rotate(fb.at))}
}

// sizes is how many dimensions plus one the features of A and of B have in a contact of each type.
var sizes = [narrow.NTypes][2]int{
	narrow.TypeVertexVertex: {1, 1}, narrow.TypeVertexEdge: {1, 2}, narrow.TypeVertexFace: {1, 3},
	narrow.TypeEdgeVertex: {2, 1}, narrow.TypeFaceVertex: {3, 1}, narrow.TypeEdgeEdge: {2, 2}, narrow.TypeEdgeParallel: {2, 2},
	narrow.TypeEdgeFace: {2, 3}, narrow.TypeFaceEdge: {3, 2}, narrow.TypeFaceFace: {3, 3},
}

// placeTyped poses a pair so that it touches, to rounding, in a contact of the type, at features drawn at random, and
// returns a direction, unit, world axes, that parts the two. The position of A is near the origin.
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
