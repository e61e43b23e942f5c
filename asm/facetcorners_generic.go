package asm

import "github.com/scree-dem/scree/vec"

func vertexVertexGeneric(f *Facets, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, rot, t := f.relative(i)
		a, b := f.point(f.P[i]), rot.MulVec(f.point(f.Q[i])).Add(t)
		d := b.Sub(a)
		l := d.Norm()
		f.answer(i, rotA, l, over(d, l), a, t)
	}
}

func vertexEdgeGeneric(f *Facets, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, rot, t := f.relative(i)
		q, q1 := rot.MulVec(f.point(f.Q[i])).Add(t), rot.MulVec(f.point(f.Q1[i])).Add(t)
		a := f.point(f.P[i])
		d, _ := perpendicular(q.Sub(a), q1.Sub(q))
		l := d.Norm()
		f.answer(i, rotA, l, over(d, l), a, t)
	}
}

func edgeVertexGeneric(f *Facets, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, rot, t := f.relative(i)
		a, a1 := f.point(f.P[i]), f.point(f.P1[i])
		b := rot.MulVec(f.point(f.Q[i])).Add(t)
		e := a1.Sub(a)
		d, at := perpendicular(a.Sub(b), e)
		l := d.Norm()
		if !(at > 0) {
			at = 0
		}
		if !(at < 1) {
			at = 1
		}
		f.answer(i, rotA, l, over(d, l).Neg(), a.AddScaled(at, e), t)
	}
}

// over is v over l, as Unit divides.
func over(v vec.Vec3, l float64) vec.Vec3 { return vec.Vec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l} }

// perpendicular returns the part of w at right angles to e, and t with w + t·e equal to it.
func perpendicular(w, e vec.Vec3) (vec.Vec3, float64) {
	ee := e.Dot(e)
	t := -w.Dot(e) / ee
	w = w.AddScaled(t, e)
	return w.AddScaled(-w.Dot(e)/ee, e), t
}
