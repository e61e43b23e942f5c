package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Constants of LocateCrossings; engine/overlap says what they mean.
const (
	crossingAim     = 0x1p-46 // tolAim
	crossingSlender = 0x1p-32 // tolSlender
)

// edgeStrip is the section of a body along an edge; see strip of engine/overlap.
type edgeStrip struct {
	along, tail vec.Vec3
	y, lo, hi   [2]float64
}

func locateCrossingsGeneric(c *Crossings, lo, hi int) {
	for i := lo; i < hi; i++ {
		a, b := c.A[i], c.B[i]
		normal := vec.Vec3{X: c.NormalX[i], Y: c.NormalY[i], Z: c.NormalZ[i]}
		armA := vec.Vec3{X: c.ArmAX[i], Y: c.ArmAY[i], Z: c.ArmAZ[i]}
		armB := vec.Vec3{X: c.ArmBX[i], Y: c.ArmBY[i], Z: c.ArmBZ[i]}
		apart := vec.Vec3{X: c.PosX[b] - c.PosX[a], Y: c.PosY[b] - c.PosY[a], Z: c.PosZ[b] - c.PosZ[a]}
		mid := armA.AddScaled(0.5, apart.Add(armB).Sub(armA))
		half := 0.5 * math.Abs(c.Gap[i])
		p, knownA := c.strip(a, c.TailA[i], c.HeadA[i], c.NearA[i], c.FarA[i], vec.Vec3{}, normal, -1, half, c.RadiusA[i])
		q, knownB := c.strip(b, c.TailB[i], c.HeadB[i], c.NearB[i], c.FarB[i], apart, normal, 1, half, c.RadiusB[i])
		c.cross(i, &p, &q, normal, mid, knownA && knownB)
	}
}

// strip returns the strip of an edge of a body at pos, and whether it is all there is of the body near it. out is -1 where
// the normal points out of the body, 1 where it points in.
func (c *Crossings) strip(
	body, tail, head, near, far uint32, pos, normal vec.Vec3, out, half, radius float64,
) (s edgeStrip, known bool) {
	m := vec.Quat{W: c.RotW[body], X: c.RotX[body], Y: c.RotY[body], Z: c.RotZ[body]}.Mat3()
	length, rise, riseFar := c.Rims[4][near], c.Rims[7][near], c.Rims[7][far]
	from := vec.Vec3{X: c.X[tail], Y: c.Y[tail], Z: c.Z[tail]}
	along := vec.Vec3{X: c.X[head], Y: c.Y[head], Z: c.Z[head]}.Sub(from).Scale(1 / length)
	n := m.TMulVec(normal)
	depth := greater(float64(locationDepth*radius), half) // half where it is no number
	in := vec.Vec3{X: c.Rims[0][near], Y: c.Rims[1][near], Z: c.Rims[2][near]}
	inFar := vec.Vec3{X: c.Rims[0][far], Y: c.Rims[1][far], Z: c.Rims[2][far]}
	t0, t1 := depth/float64(out*n.Dot(in)), depth/float64(out*n.Dot(inFar))
	known = math.Abs(n.Dot(along)) <= crossingAim && t0 > 0 && t1 > 0 && t0 <= rise && t1 <= riseFar &&
		(2*t0 <= rise || 2*t1 <= riseFar)
	across := n.Cross(along)
	s.y = [2]float64{float64(t0 * across.Dot(in)), float64(t1 * across.Dot(inFar))}
	s.lo = [2]float64{float64(t0 * c.Rims[5][near]), float64(-t1 * c.Rims[6][far])}
	s.hi = [2]float64{length + float64(t0*c.Rims[6][near]), length - float64(t1*c.Rims[5][far])}
	s.along = m.MulVec(along)
	s.tail = pos.Add(m.MulVec(from))
	return s, known
}

// cross writes row i from both strips.
func (c *Crossings) cross(i int, p, q *edgeStrip, normal, mid vec.Vec3, known bool) {
	leftA, leftB := normal.Cross(p.along), normal.Cross(q.along)
	slope := leftA.Dot(q.along)
	inverse := 1 / slope
	cosine := p.along.Dot(q.along)
	d := p.tail.Sub(q.tail)
	atA, atB := float64(d.Dot(leftB)*inverse), float64(d.Dot(leftA)*inverse)
	alpha := [2]float64{float64(-q.y[0] * inverse), float64(-q.y[1] * inverse)}
	beta := [2]float64{float64(p.y[0] * inverse), float64(p.y[1] * inverse)}
	known = known && p.spans(atA, cosine, beta, alpha) && q.spans(atB, cosine, alpha, beta)
	l, m := float64(0.5*math.Abs(alpha[1]-alpha[0])), float64(0.5*math.Abs(beta[1]-beta[0]))
	lm := float64(float64(l*m) * math.Abs(slope))
	known = known && lm > float64(float64(crossingSlender*(l+m))*(l+m))
	at := p.tail.AddScaled(atA+float64(0.5*(alpha[0]+alpha[1])), p.along).AddScaled(0.5*(beta[0]+beta[1]), q.along)
	at = at.AddScaled(normal.Dot(mid.Sub(at)), normal)
	known = known && at.Finite()
	c.LocationX[i], c.LocationY[i], c.LocationZ[i] = at.X, at.Y, at.Z

	u, w := p.along, q.along
	xx, yy := float64(float64(l*l)*(1.0/3)), float64(float64(m*m)*(1.0/3))
	g, h := u.Scale(xx).AddScaled(0, w), u.Scale(0).AddScaled(yy, w)
	c.XX[i] = float64(g.X*u.X) + float64(h.X*w.X)
	c.YY[i] = float64(g.Y*u.Y) + float64(h.Y*w.Y)
	c.ZZ[i] = float64(g.Z*u.Z) + float64(h.Z*w.Z)
	c.XY[i] = float64(g.X*u.Y) + float64(h.X*w.Y)
	c.XZ[i] = float64(g.X*u.Z) + float64(h.X*w.Z)
	c.YZ[i] = float64(g.Y*u.Z) + float64(h.Y*w.Z)
	c.Known[i] = 0
	if known {
		c.Known[i] = 1
	}
}

// spans says whether both lines of the strip hold their side of the parallelogram.
func (s *edgeStrip) spans(at, cosine float64, other, own [2]float64) bool {
	low, high := lesser(own[0], own[1]), greater(own[0], own[1])
	s0, s1 := at+float64(other[0]*cosine), at+float64(other[1]*cosine)
	return s0+low >= s.lo[0] && s0+high <= s.hi[0] && s1+low >= s.lo[1] && s1+high <= s.hi[1]
}
