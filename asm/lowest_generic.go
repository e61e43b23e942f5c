package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

func faceLowestGeneric(f *Lowest, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, q, t := f.relative(i)
		n, d := f.plane(f.P[i])
		v := f.vertices(i, f.Q[i])
		var b [4]vec.Vec3
		var over [4]float64
		for k := range v {
			b[k] = q.MulVec(v[k]).Add(t)
			over[k] = n.Dot(b[k])
		}
		k := f.choose(i, &v, &over, t)
		gap := over[k] - d
		f.answer(i, rotA, gap, n, b[k].Add(n.Scale(-gap)), t)
	}
}

func lowestFaceGeneric(f *Lowest, lo, hi int) {
	for i := lo; i < hi; i++ {
		rotA, q, t := f.relative(i)
		m, d := f.plane(f.Q[i])
		m = q.MulVec(m)
		v := f.vertices(i, f.P[i])
		var over [4]float64
		for k := range v {
			over[k] = m.Dot(v[k])
		}
		k := f.choose(i, &v, &over, t)
		gap := over[k] - (d + m.Dot(t))
		f.answer(i, rotA, gap, m.Neg(), v[k], t)
	}
}

// vertices returns the points to choose from.
func (f *Lowest) vertices(i int, first uint32) [4]vec.Vec3 {
	return [4]vec.Vec3{f.point(first), f.point(f.Others[0][i]), f.point(f.Others[1][i]), f.point(f.Others[2][i])}
}

// choose writes which vertex of row i is the lowest and whether that is known, and returns it. t is from A to B.
func (f *Lowest) choose(i int, v *[4]vec.Vec3, over *[4]float64, t vec.Vec3) int {
	at := 0
	for k := 1; k < 4; k++ {
		if over[k] < over[at] {
			at = k
		}
	}
	unit := greater(greater(math.Abs(t.X), greater(math.Abs(t.Y), math.Abs(t.Z))), f.Radius[i])
	clear := unit * lowestClear
	f.Vertex[i], f.Known[i] = float64(at), 1
	for k := range v {
		if !(over[k]-over[at] > clear || v[k] == v[at]) {
			f.Known[i] = 0
		}
	}
	return at
}
