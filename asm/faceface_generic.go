package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

func faceFaceGeneric(f *FaceFaces, lo, hi int) {
	for i := lo; i < hi; i++ {
		f.one(i)
	}
}

// one answers row i.
func (f *FaceFaces) one(i int) {
	ia, ib, qa, qb := f.A[i], f.B[i], f.QuadA[i], f.QuadB[i]
	rotA := vec.Quat{W: f.RotW[ia], X: f.RotX[ia], Y: f.RotY[ia], Z: f.RotZ[ia]}
	rotB := vec.Quat{W: f.RotW[ib], X: f.RotX[ib], Y: f.RotY[ib], Z: f.RotZ[ib]}
	dx := vec.Vec3{X: f.PosX[ib] - f.PosX[ia], Y: f.PosY[ib] - f.PosY[ia], Z: f.PosZ[ib] - f.PosZ[ia]}
	rot, t := rotA.Conj().Mul(rotB).Mat3(), rotA.RotateInv(dx)
	n, d := f.at(quadNormal, qa), f.Quads[quadOffset][qa]
	u, v := f.at(quadU, qa), f.at(quadV, qa)
	m := rot.MulVec(f.at(quadNormal, qb))
	e := f.Quads[quadOffset][qb] + m.Dot(t)

	// Heights of the corners over the other's face.
	var a, b [4]vec.Vec3
	var overA, overB [4]float64
	for k := range 4 {
		a[k] = f.at(quadCorner+3*k, qa)
		b[k] = rot.MulVec(f.at(quadCorner+3*k, qb)).Add(t)
		overA[k], overB[k] = n.Dot(b[k]), m.Dot(a[k])
	}
	lowA, lowB, highA, highB := overA[0], overB[0], overA[0], overB[0]
	for k := 1; k < 4; k++ {
		lowA, lowB = lesser(overA[k], lowA), lesser(overB[k], lowB)
		highA, highB = greater(overA[k], highA), greater(overB[k], highB)
	}
	unit := greater(f.Quads[quadRadius][qa], f.Quads[quadRadius][qb])
	unit = greater(greater(math.Abs(t.X), greater(math.Abs(t.Y), math.Abs(t.Z))), unit)
	level, tie := float64(unit*faceLevel), float64(unit*faceTie)
	depthA, depthB := d-lowA, e-lowB
	over := depthA - depthB
	ofB := over > tie*faceSurely
	known := over <= tie || ofB

	// The first of the corners that tie, and those that are level with it, of which two across are
	// all.
	low, limit, spread := lowA, d-depthA+tie, highA-lowA
	if ofB {
		low, limit, spread = lowB, e-depthB+tie, highB-lowB
	}
	first, height, tip := 0.0, 0.0, vec.Vec3{}
	var above [4]float64
	for k := range 4 {
		index, p := f.Quads[quadVertex+k][qb], b[k]
		above[k] = overA[k]
		if ofB {
			index, above[k], p = f.Quads[quadVertex+k][qa], overB[k], a[k]
		}
		if !(above[k] <= limit) {
			index += never
		}
		if k == 0 || index < first {
			first, height, tip = index, above[k], p
		}
	}
	use, strict := levelCorners(&above, height+float64(2*tie)), levelCorners(&above, low+level)
	gap, out := height-d, n
	if ofB {
		gap, out = height-e, m.Neg()
	}

	// What they have in common, on the axes of A's face; B's face is moved into the plane of A's corners.
	down := out.Scale(-gap)
	ux, vx := 0.0, 0.0
	if ofB {
		ux, vx = u.Dot(down), v.Dot(down)
	}
	q := FlatQuads{SlopeX: m.Dot(u), SlopeY: m.Dot(v), Unit: unit}
	for k := range 4 {
		q.AX[k], q.AY[k] = f.Quads[quadFlat+2*k][qa], f.Quads[quadFlat+2*k+1][qa]
		q.BX[k], q.BY[k] = u.Dot(b[k])+ux, v.Dot(b[k])+vx
		q.LengthA[k], q.LengthB[k] = f.Quads[quadLength+k][qa], f.Quads[quadLength+k][qb]
	}
	s, all := q.sides(), [4]float64{1, 1, 1, 1}
	play, least := playing(all, use), playing(all, strict)
	if ofB {
		play, least = playing(use, all), playing(strict, all)
	}
	c := q.common(&s, &play, ofB)
	x, y, meets := c.meet(unit)
	w := Lifted(x, y, u, v, n, m, d, height, ofB)
	if use[0]+use[1]+use[2]+use[3] == 1 && c.count > 0 {
		if w = tip; !ofB {
			w = tip.Add(down)
		}
	}
	known = known && meets && q.proven(&s, &least, -gap, spread, c.higher)

	f.Gap[i] = gap + 0
	normal, armA, armB := rotA.Rotate(out), rotA.Rotate(w), rotA.Rotate(w.AddScaled(gap, out).Sub(t))
	f.NormalX[i], f.NormalY[i], f.NormalZ[i] = normal.X, normal.Y, normal.Z
	f.ArmAX[i], f.ArmAY[i], f.ArmAZ[i] = armA.X, armA.Y, armA.Z
	f.ArmBX[i], f.ArmBY[i], f.ArmBZ[i] = armB.X, armB.Y, armB.Z
	f.Vertex[i], f.OfB[i], f.Known[i] = first, 0, 0
	if ofB {
		f.OfB[i] = 1
	}
	if known {
		f.Known[i] = 1
	}
}

// levelCorners is 1 for the corners that are no higher than a limit, and for all if two across are:
// then they are level but for twice what those are.
func levelCorners(above *[4]float64, limit float64) (use [4]float64) {
	for k, h := range above {
		if h <= limit {
			use[k] = 1
		}
	}
	across := greater(use[0]*use[2], use[1]*use[3])
	for k := range use {
		use[k] = greater(use[k], across)
	}
	return use
}

// at looks up three numbers of a quad.
func (f *FaceFaces) at(j int, row uint32) vec.Vec3 {
	return vec.Vec3{X: f.Quads[j][row], Y: f.Quads[j+1][row], Z: f.Quads[j+2][row]}
}

// Lifted returns the point with coordinates x and y on the axes u and v of A's face, whose plane is n·p = d, that lies in
// that plane, or if ofB in the plane m·p = height, which is nearly parallel to it.
//
// Exact.
func Lifted(x, y float64, u, v, n, m vec.Vec3, d, height float64, ofB bool) vec.Vec3 {
	z := d
	if ofB {
		z = (height - float64(x*m.Dot(u)) - float64(y*m.Dot(v))) / m.Dot(n)
	}
	return u.Scale(x).AddScaled(y, v).AddScaled(z, n)
}
