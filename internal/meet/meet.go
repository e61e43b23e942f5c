// Package meet poses two blocks so that chosen features of them touch: a vertex, an edge or a face of each.
//
// It owns the choice of a point and of directions in a feature, and the pose at which two features meet. Which contact
// types the features make is for the caller. Only tests and package bench may import it.
//
// Frame: features are in the frame of their shape, and a pose of B is in the frame of A. Units: m, rad.
package meet

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Feature is a vertex, edge or face. At is a point inside it, Out is a direction that only this feature supports, and
// Along is a direction along it.
type Feature struct{ At, Out, Along vec.Vec3 }

// Of returns feature k of a shape, counted modulo their number. size is 1 for a vertex, 2 for an edge, 3 for a face.
// draw returns a random number of a range, and chooses the point inside the feature.
func Of(v *soa.View, size int, k uint64, draw func(lo, hi float64) float64) Feature {
	switch size {
	case 1:
		u := k % uint64(v.NVerts)
		f := Feature{At: v.Vert(soa.Vertex(u))}
		for _, h := range v.Ring[v.RingFirst[u]:][:v.RingLen[u]] {
			f.Out = f.Out.Add(v.Normal(v.Face[h]))
		}
		f.Out = f.Out.Unit()
		f.Along = f.Out.Perpendicular()
		return f
	case 2:
		h := v.Edge[k%uint64(len(v.Edge))]
		p := v.Vert(v.Tail[h])
		along := v.Vert(v.Head(h)).Sub(p)
		return Feature{
			At: p.AddScaled(draw(0.35, 0.65), along), Along: along.Unit(),
			Out: v.Normal(v.Face[h]).Add(v.Normal(v.Face[v.Twin[h]])).Unit(),
		}
	}
	f := k % uint64(v.NFaces)
	loop := v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]]
	var at vec.Vec3
	sum := 0.0
	for _, u := range loop {
		w := draw(0.5, 1.5)
		at, sum = at.AddScaled(w, v.Vert(u)), sum+w
	}
	return Feature{At: at.Scale(1 / sum), Out: v.Normal(soa.Face(f)), Along: v.Vert(loop[1]).Sub(v.Vert(loop[0])).Unit()}
}

// frame returns the orthonormal frame with the rows x (its component orthogonal to z), z×x, and z.
func frame(z, x vec.Vec3) vec.Mat3 {
	x = x.AddScaled(-x.Dot(z), z).Unit()
	return vec.Mat3{R0: x, R1: z.Cross(x), R2: z}
}

// Pose returns the pose of B at which its feature touches that of A from outside. spin is the angle between the
// directions along the features.
func Pose(a, b Feature, spin float64) vec.Pose {
	sin, cos := vec.Sincos(spin)
	f, g := frame(a.Out, a.Along), frame(b.Out.Neg(), b.Along)
	turned := vec.Mat3{R0: f.R0.Scale(cos).AddScaled(sin, f.R1), R1: f.R1.Scale(cos).AddScaled(-sin, f.R0), R2: f.R2}
	rot := turned.T().Mul(g).Quat()
	return vec.Pose{Rot: rot, Pos: a.At.Sub(rot.Rotate(b.At))}
}
