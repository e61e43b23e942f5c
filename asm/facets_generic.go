package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

func faceVertexGeneric(f *Facets, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, q, t := f.relative(i)
		n, d := f.plane(f.P[i])
		b := q.MulVec(f.point(f.Q[i])).Add(t)
		gap := n.Dot(b) - d
		f.answer(i, rotA, gap, n, b.Add(n.Scale(-gap)), t)
	}
}

func vertexFaceGeneric(f *Facets, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, q, t := f.relative(i)
		a := f.point(f.P[i])
		m, d := f.plane(f.Q[i])
		m = q.MulVec(m)
		gap := m.Dot(a) - (d + m.Dot(t))
		f.answer(i, rotA, gap, m.Neg(), a, t)
	}
}

func edgeEdgeGeneric(f *Facets, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, rot, t := f.relative(i)
		p, p1 := f.point(f.P[i]), f.point(f.P1[i])
		q, q1 := rot.MulVec(f.point(f.Q[i])).Add(t), rot.MulVec(f.point(f.Q1[i])).Add(t)
		e, g, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
		c := e.Cross(g)
		cc := c.Norm2()
		l := math.Sqrt(cc)
		n := vec.Vec3{X: c.X / l, Y: c.Y / l, Z: c.Z / l}.Scale(f.Sign[i])
		at := w.Cross(g).Dot(c) / cc
		if !(at > 0) {
			at = 0
		}
		if !(at < 1) {
			at = 1
		}
		f.answer(i, rotA, n.Dot(w), n, p.AddScaled(at, e), t)
	}
}

// relative returns the orientation of A, and the pose of B in the frame of A.
func (f *Facets) relative(i int) (rotA vec.Quat, rot vec.Mat3, t vec.Vec3) {
	a, b := f.A[i], f.B[i]
	rotA = vec.Quat{W: f.RotW[a], X: f.RotX[a], Y: f.RotY[a], Z: f.RotZ[a]}
	rotB := vec.Quat{W: f.RotW[b], X: f.RotX[b], Y: f.RotY[b], Z: f.RotZ[b]}
	dx := vec.Vec3{X: f.PosX[b] - f.PosX[a], Y: f.PosY[b] - f.PosY[a], Z: f.PosZ[b] - f.PosZ[a]}
	return rotA, rotA.Conj().Mul(rotB).Mat3(), rotA.RotateInv(dx)
}

func (f *Facets) point(k uint32) vec.Vec3 { return vec.Vec3{X: f.X[k], Y: f.Y[k], Z: f.Z[k]} }

func (f *Facets) plane(k uint32) (n vec.Vec3, d float64) {
	return vec.Vec3{X: f.NX[k], Y: f.NY[k], Z: f.NZ[k]}, f.D[k]
}

// answer writes row i from gap, normal and witness on A, in the frame of A.
func (f *Facets) answer(i int, rotA vec.Quat, gap float64, n, w, t vec.Vec3) {
	f.Gap[i] = gap + 0
	normal, a, b := rotA.Rotate(n), rotA.Rotate(w), rotA.Rotate(w.AddScaled(gap, n).Sub(t))
	f.NormalX[i], f.NormalY[i], f.NormalZ[i] = normal.X, normal.Y, normal.Z
	f.ArmAX[i], f.ArmAY[i], f.ArmAZ[i] = a.X, a.Y, a.Z
	f.ArmBX[i], f.ArmBY[i], f.ArmBZ[i] = b.X, b.Y, b.Z
}
