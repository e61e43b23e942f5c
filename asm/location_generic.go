package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Constants of Locate; engine/overlap says what they mean.
const (
	locationDepth  = 0x1p-26 // tolSection
	locationBeside = 0x1p-42 // tolBeside
	locationLevel  = 0x1p-20 // tolLevel, squared
	locationClear  = 0x1p-44 // tolClear
	locationSmall  = 0x1p-12 // tolSmall
)

func locateGeneric(l *Locations, lo, hi int) {
	for i := lo; i < hi; i++ {
		a, b := l.A[i], l.B[i]
		normal := vec.Vec3{X: l.NormalX[i], Y: l.NormalY[i], Z: l.NormalZ[i]}
		armA := vec.Vec3{X: l.ArmAX[i], Y: l.ArmAY[i], Z: l.ArmAZ[i]}
		armB := vec.Vec3{X: l.ArmBX[i], Y: l.ArmBY[i], Z: l.ArmBZ[i]}
		apart := vec.Vec3{X: l.PosX[b] - l.PosX[a], Y: l.PosY[b] - l.PosY[a], Z: l.PosZ[b] - l.PosZ[a]}
		mid := armA.AddScaled(0.5, apart.Add(armB).Sub(armA))
		u, w := axes(normal)
		half := 0.5 * math.Abs(l.Gap[i])
		p, radiusA, knownA := l.section(a, l.CrownA[i], normal, u, w, vec.Vec3{}.Sub(mid), half)
		q, radiusB, knownB := l.section(b, l.CrownB[i], normal.Neg(), u, w, apart.Sub(mid), half)
		q[0], q[1], q[2], q[3] = q[3], q[2], q[1], q[0]
		size := radiusA + radiusB
		s, clear := commonSection(&p, &q, float64(float64(locationBeside*size)*size))
		l.answer(i, mid, u, w, s, knownA && knownB && clear)
	}
}

// axes returns two unit vectors that make a right-handed triad with n, which is unit (Duff et al. 2017).
func axes(n vec.Vec3) (u, w vec.Vec3) {
	sign := 1.0
	if n.Z < 0 {
		sign = -1
	}
	a := -1 / (sign + n.Z)
	b := float64(float64(n.X*n.Y) * a)
	u = vec.Vec3{X: 1 + float64(float64(sign*n.X)*float64(n.X*a)), Y: float64(sign * b), Z: float64(-sign * n.X)}
	w = vec.Vec3{X: b, Y: sign + float64(float64(n.Y*n.Y)*a), Z: -n.Y}
	return u, w
}

// section returns where the legs of a crown meet the plane, the body's radius, and whether all lead through it.
func (l *Locations) section(
	body, crown uint32, out, u, w, from vec.Vec3, half float64,
) (corners [4][2]float64, radius float64, ok bool) {
	m := vec.Quat{W: l.RotW[body], X: l.RotX[body], Y: l.RotY[body], Z: l.RotZ[body]}.Mat3()
	out = m.TMulVec(out)
	ub, wb := m.TMulVec(u), m.TMulVec(w)
	x0, y0 := u.Dot(from), w.Dot(from)
	radius = l.Crowns[24][crown]
	least, clear := float64(locationDepth*radius), float64(locationClear*radius)
	depth := greater(half, least)
	at := func(j int) vec.Vec3 {
		return vec.Vec3{X: l.Crowns[j][crown], Y: l.Crowns[j+1][crown], Z: l.Crowns[j+2][crown]}
	}
	best := math.Inf(-1)
	for k := range corners {
		best = greater(out.Dot(at(6*k)), best)
	}
	ok = true
	for k := range corners {
		tail, way := at(6*k), at(6*k+3)
		above := (out.Dot(tail) - best) + depth
		fall := out.Dot(way)
		ok = ok && above > clear && above+fall < -least
		t := -(above / fall)
		p := tail.AddScaled(t, way)
		corners[k] = [2]float64{x0 + ub.Dot(p), y0 + wb.Dot(p)}
	}
	return corners, radius, ok
}

// sectionSum is twice the area of a polygon, and six, twelve times what its moments are about the origin.
type sectionSum struct{ twice, mx, my, xx, yy, xy float64 }

// commonSection sums up the common part of two quadrangles; clear says that no two sides are nearly parallel and no corner
// near a side's line.
func commonSection(p, q *[4][2]float64, margin float64) (s sectionSum, clear bool) {
	var e, f [4][2]float64
	for k := range e {
		n := (k + 1) % 4
		e[k] = [2]float64{p[n][0] - p[k][0], p[n][1] - p[k][1]}
		f[k] = [2]float64{q[n][0] - q[k][0], q[n][1] - q[k][1]}
	}
	// The part of each side: p's, then q's.
	from, to := [8]float64{}, [8]float64{1, 1, 1, 1, 1, 1, 1, 1}
	clear = true
	for i := range p {
		ee := float64(e[i][0]*e[i][0]) + float64(e[i][1]*e[i][1])
		for j := range q {
			ff := float64(f[j][0]*f[j][0]) + float64(f[j][1]*f[j][1])
			wx, wy := p[i][0]-q[j][0], p[i][1]-q[j][1]
			inQ := float64(f[j][0]*wy) - float64(f[j][1]*wx)
			inP := float64(e[i][1]*wx) - float64(e[i][0]*wy)
			clear = clear && math.Abs(inQ) > margin && math.Abs(inP) > margin
			c := float64(f[j][0]*e[i][1]) - float64(f[j][1]*e[i][0])
			clear = clear && float64(c*c) > float64(float64(locationLevel*ee)*ff)
			r := 1 / c
			t, u := -float64(inQ*r), float64(inP*r)
			if c > 0 { // p goes into q there, and q out of p
				from[i], to[4+j] = greater(t, from[i]), lesser(u, to[4+j])
			} else {
				to[i], from[4+j] = lesser(t, to[i]), greater(u, from[4+j])
			}
		}
	}
	for k := range from {
		at, way := p, &e
		if k >= 4 {
			at, way = q, &f
		}
		t0, t1 := from[k], to[k]
		if !(t0 < t1) {
			t0, t1 = 0, 0
		}
		a, v := at[k%4], way[k%4]
		s.add(a[0]+float64(t0*v[0]), a[1]+float64(t0*v[1]), a[0]+float64(t1*v[0]), a[1]+float64(t1*v[1]))
	}
	return s, clear
}

func (s *sectionSum) add(ax, ay, bx, by float64) {
	t := float64(ax*by) - float64(ay*bx)
	sx, sy := ax+bx, ay+by
	s.twice += t
	s.mx += float64(t * sx)
	s.my += float64(t * sy)
	s.xx += float64(t * (float64(sx*sx) - float64(ax*bx)))
	s.yy += float64(t * (float64(sy*sy) - float64(ay*by)))
	s.xy += float64(t * (float64(sx*sy) - float64(0.5*(float64(ax*by)+float64(ay*bx)))))
}

// answer writes row i.
func (l *Locations) answer(i int, mid, u, w vec.Vec3, s sectionSum, known bool) {
	third := 1 / float64(3*s.twice)
	x, y := float64(s.mx*third), float64(s.my*third)
	half := 0.5 * third
	xx2, yy2 := float64(x*x), float64(y*y)
	xx, yy := float64(s.xx*half)-xx2, float64(s.yy*half)-yy2
	xy := float64(s.xy*half) - float64(x*y)
	known = known && s.twice > float64(locationSmall*(((xx+yy)+xx2)+yy2))
	at := mid.AddScaled(x, u).AddScaled(y, w)
	l.X[i], l.Y[i], l.Z[i] = at.X, at.Y, at.Z
	if xx < 0 {
		xx = 0
	}
	if yy < 0 {
		yy = 0
	}
	p := u.Scale(xx).AddScaled(xy, w)
	q := u.Scale(xy).AddScaled(yy, w)
	l.XX[i] = float64(p.X*u.X) + float64(q.X*w.X)
	l.YY[i] = float64(p.Y*u.Y) + float64(q.Y*w.Y)
	l.ZZ[i] = float64(p.Z*u.Z) + float64(q.Z*w.Z)
	l.XY[i] = float64(p.X*u.Y) + float64(q.X*w.Y)
	l.XZ[i] = float64(p.X*u.Z) + float64(q.X*w.Z)
	l.YZ[i] = float64(p.Y*u.Z) + float64(q.Y*w.Z)
	l.Known[i] = 0
	if known {
		l.Known[i] = 1
	}
}

// lesser returns a where it is less than b, else b.
func lesser(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// greater returns a where it is greater than b, else b.
func greater(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}
