package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// locateCornersGeneric does what methods onFace, corner, sum, holds and place of engine/overlap do, in their order; its
// constants are those of Locate and of LocateCrossings.
func locateCornersGeneric(c *Corners, lo, hi int) {
	for i := lo; i < hi; i++ {
		a, b, v, g := c.A[i], c.B[i], c.V[i], c.G[i]
		normal := vec.Vec3{X: c.NormalX[i], Y: c.NormalY[i], Z: c.NormalZ[i]}
		armA := vec.Vec3{X: c.ArmAX[i], Y: c.ArmAY[i], Z: c.ArmAZ[i]}
		armB := vec.Vec3{X: c.ArmBX[i], Y: c.ArmBY[i], Z: c.ArmBZ[i]}
		apart := c.pos(b).Sub(c.pos(a))
		mid := armA.AddScaled(0.5, apart.Add(armB).Sub(armA))
		posV, posG := vec.Vec3{}, apart
		if !(c.Sign[i] > 0) {
			posV, posG = apart, vec.Vec3{}
		}
		u, w := axes(normal)
		out := normal.Scale(c.Sign[i])
		at, on := c.rotation(v), c.rotation(g)
		aim := on.TMulVec(out).Add(vec.Vec3{X: c.FaceX[i], Y: c.FaceY[i], Z: c.FaceZ[i]})
		known := math.Abs(aim.X) <= crossingAim && math.Abs(aim.Y) <= crossingAim && math.Abs(aim.Z) <= crossingAim

		half := 0.5 * math.Abs(c.Gap[i])
		depth := greater(float64(locationDepth*c.RadiusV[i]), half)
		outline, reach2, leads := c.fan(c.Fan[i], at.TMulVec(out), at.TMulVec(u), at.TMulVec(w), depth)
		s, sized := outlineMoments(&outline, reach2)
		known = known && leads && sized

		tip := posV.Add(at.MulVec(c.way(c.Fan[i], 0)))
		depthG := greater(float64(locationDepth*c.RadiusG[i]), half)
		known = known && depthG <= c.Deepest[i]
		margin := float64(math.Sqrt(reach2)*depth) + float64(depthG*c.Cot[i])
		foot := on.TMulVec(tip.Sub(posG))
		for k := range c.Sides {
			rim := c.Sides[k][i]
			in := vec.Vec3{X: c.Rims[0][rim], Y: c.Rims[1][rim], Z: c.Rims[2][rim]}
			known = known && in.Dot(foot)-c.Rims[3][rim] >= margin
		}

		tip = tip.Sub(mid)
		x, y := u.Dot(tip)+float64(depth*s.mx), w.Dot(tip)+float64(depth*s.my)
		c.answer(i, mid.AddScaled(x, u).AddScaled(y, w), u, w, s, float64(depth*depth), known)
	}
}

func (c *Corners) pos(k uint32) vec.Vec3 { return vec.Vec3{X: c.PosX[k], Y: c.PosY[k], Z: c.PosZ[k]} }

func (c *Corners) rotation(k uint32) vec.Mat3 {
	return vec.Quat{W: c.RotW[k], X: c.RotX[k], Y: c.RotY[k], Z: c.RotZ[k]}.Mat3()
}

// way returns vector number j of a fan.
func (c *Corners) way(fan uint32, j int) vec.Vec3 {
	return vec.Vec3{X: c.Fans[3*j][fan], Y: c.Fans[3*j+1][fan], Z: c.Fans[3*j+2][fan]}
}

// fan returns the outline at depth 1 below the vertex, the square of its reach, and whether all edges lead to the
// depth and one twice as far.
func (c *Corners) fan(fan uint32, out, u, w vec.Vec3, depth float64) (q [FanEdges][2]float64, reach2 float64, known bool) {
	deepest := 0.0
	known = true
	for k := range q {
		e := c.way(fan, k+1)
		drop := -out.Dot(e)
		known = known && drop >= depth
		deepest = greater(drop, deepest)
		s := 1 / drop
		x, y := float64(u.Dot(e)*s), float64(w.Dot(e)*s)
		q[k] = [2]float64{x, y}
		reach2 = greater(float64(x*x)+float64(y*y), reach2)
	}
	return q, reach2, known && deepest >= 2*depth
}

// outlineMoments returns in mx, my the centroid of the outline and in xx, yy, xy its second moments about it over the
// area, and whether it is not slender.
func outlineMoments(q *[FanEdges][2]float64, reach2 float64) (m sectionSum, known bool) {
	var s sectionSum
	ox, oy := q[0][0], q[0][1]
	ax, ay := q[1][0]-ox, q[1][1]-oy
	for _, p := range q[2:] {
		bx, by := p[0]-ox, p[1]-oy
		s.add(ax, ay, bx, by)
		ax, ay = bx, by
	}
	third := 1 / float64(3*s.twice)
	x, y := float64(s.mx*third), float64(s.my*third)
	half := 0.5 * third
	m.mx, m.my = ox+x, oy+y
	m.xx = float64(s.xx*half) - float64(x*x)
	m.xy = float64(s.xy*half) - float64(x*y)
	m.yy = float64(s.yy*half) - float64(y*y)
	return m, math.Abs(s.twice) > float64(crossingSlender*reach2)
}

// answer writes row i; k is what the second moments are in units of.
func (c *Corners) answer(i int, at, u, w vec.Vec3, s sectionSum, k float64, known bool) {
	known = known && at.Finite()
	c.X[i], c.Y[i], c.Z[i] = at.X, at.Y, at.Z
	xx, yy := s.xx, s.yy
	if xx < 0 {
		xx = 0
	}
	if yy < 0 {
		yy = 0
	}
	xx, yy = float64(xx*k), float64(yy*k)
	xy := float64(s.xy * k)
	p := u.Scale(xx).AddScaled(xy, w)
	q := u.Scale(xy).AddScaled(yy, w)
	c.XX[i] = float64(p.X*u.X) + float64(q.X*w.X)
	c.YY[i] = float64(p.Y*u.Y) + float64(q.Y*w.Y)
	c.ZZ[i] = float64(p.Z*u.Z) + float64(q.Z*w.Z)
	c.XY[i] = float64(p.X*u.Y) + float64(q.X*w.Y)
	c.XZ[i] = float64(p.X*u.Z) + float64(q.X*w.Z)
	c.YZ[i] = float64(p.Y*u.Z) + float64(q.Y*w.Z)
	c.Known[i] = 0
	if known {
		c.Known[i] = 1
	}
}
