package overlap

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// measure returns the moments of body, and how they change when the body that was cut moves. The place of the origin
// of body's coordinates is given relative to the position of A.
//
// It works in a frame of its own: about a point amid the overlap, z along the normal of what was there of
// the body's own surface, x along the overlap's longest extent across it. So a thin overlap keeps its digits
// whichever way it lies.
func (c *Clipper) measure(origin, along vec.Vec3) (Shared, bool) {
	b := &c.body
	if len(b.verts) < 4 {
		return Shared{}, false
	}
	mid := vec.Vec3{}
	for _, x := range b.verts {
		mid = mid.Add(x)
	}
	mid = mid.Scale(1 / float64(len(b.verts)))
	frame := b.axes(mid, along)
	for k, x := range b.verts {
		b.verts[k] = frame.MulVec(x.Sub(mid))
	}
	m, ok := b.moments()
	if !ok {
		return Shared{}, false
	}
	g, ok := m.gradient()
	if !ok {
		return Shared{}, false
	}
	s := Shared{Volume: m.volume, Variance: g.variance, Spread: m.spread.Rotated(frame.T())}
	s.Centroid = origin.Add(mid).Add(frame.TMulVec(m.centroid))
	b.push(&m, &g, &s)
	for _, v := range []*vec.Vec3{&s.VariancePush, &s.VarianceTurn, &s.VolumePush, &s.VolumeTurn} {
		*v = frame.TMulVec(*v)
	}
	return s, true
}

// axes returns the rows of the frame that measure works in.
func (s *solid) axes(mid, along vec.Vec3) vec.Mat3 {
	area, all := vec.Vec3{}, 0.0
	s.triangles(false, func(p, q, r vec.Vec3) {
		n := q.Sub(p).Cross(r.Sub(p))
		area = area.Add(n)
		all += n.Norm()
	})
	z := along
	// A body that goes through the other has hardly any area in sum, and its overlap is thin no way in particular.
	if area.Norm() > 0x1p-10*all {
		z = area.Unit()
	}
	x, most := z.Perpendicular(), 0.0
	for _, v := range s.verts {
		v = v.Sub(mid)
		v = v.AddScaled(-v.Dot(z), z)
		if d := v.Norm2(); d > most {
			x, most = v, d
		}
	}
	x = x.Unit()
	return vec.Mat3{R0: x, R1: z.Cross(x), R2: z}
}

// triangles calls do for a fan of triangles over each face: the caps or the others.
func (s *solid) triangles(caps bool, do func(p, q, r vec.Vec3)) {
	first := 0
	for f, end := range s.end {
		if s.isCap[f] == caps {
			p := s.verts[s.loop[first]]
			for k := first + 2; k < end; k++ {
				do(p, s.verts[s.loop[k-1]], s.verts[s.loop[k]])
			}
		}
		first = end
	}
}

// moments3 are the moments of an overlap in the frame of measure.
type moments3 struct {
	volume   float64
	centroid vec.Vec3
	spread   vec.Sym3
}

// moments sums the tetrahedra between the origin and the triangles of the surface: with D six times the volume of
// one and S the sum of its three other corners,
//
//	∫1 = D/6,  ∫x = D/24 S,  ∫xxᵀ = D/120 (aaᵀ + bbᵀ + ccᵀ + SSᵀ)
func (s *solid) moments() (moments3, bool) {
	var six float64
	var first vec.Vec3
	var second vec.Sym3
	add := func(p, q, r vec.Vec3) {
		d := p.Dot(q.Cross(r))
		sum := p.Add(q).Add(r)
		six += d
		first = first.AddScaled(d, sum)
		second.XX += float64(d * (float64(p.X*p.X) + float64(q.X*q.X) + float64(r.X*r.X) + float64(sum.X*sum.X)))
		second.YY += float64(d * (float64(p.Y*p.Y) + float64(q.Y*q.Y) + float64(r.Y*r.Y) + float64(sum.Y*sum.Y)))
		second.ZZ += float64(d * (float64(p.Z*p.Z) + float64(q.Z*q.Z) + float64(r.Z*r.Z) + float64(sum.Z*sum.Z)))
		second.XY += float64(d * (float64(p.X*p.Y) + float64(q.X*q.Y) + float64(r.X*r.Y) + float64(sum.X*sum.Y)))
		second.XZ += float64(d * (float64(p.X*p.Z) + float64(q.X*q.Z) + float64(r.X*r.Z) + float64(sum.X*sum.Z)))
		second.YZ += float64(d * (float64(p.Y*p.Z) + float64(q.Y*q.Z) + float64(r.Y*r.Z) + float64(sum.Y*sum.Z)))
	}
	s.triangles(false, add)
	s.triangles(true, add)
	if !(six > 0) {
		return moments3{}, false
	}
	m := moments3{volume: six / 6, centroid: first.Scale(0.25 / six)}
	x := m.centroid
	m.spread = second.Scale(0.05 / six).Add(vec.Sym3{
		XX: -float64(x.X * x.X), YY: -float64(x.Y * x.Y), ZZ: -float64(x.Z * x.Z),
		XY: -float64(x.X * x.Y), XZ: -float64(x.X * x.Z), YZ: -float64(x.Y * x.Z),
	})
	return m, true
}

// slope is λ and its gradient ∂λ/∂C = λ³ C⁻³.
type slope struct {
	variance float64
	by       vec.Sym3
}

// gradient inverts the covariance by its correlations, which are of order one whatever the extents are.
func (m *moments3) gradient() (slope, bool) {
	c := m.spread
	if !(c.XX > 0 && c.YY > 0 && c.ZZ > 0) {
		return slope{}, false
	}
	sx, sy, sz := 1/math.Sqrt(c.XX), 1/math.Sqrt(c.YY), 1/math.Sqrt(c.ZZ)
	inv, ok := vec.Sym3{
		XX: 1, YY: 1, ZZ: 1,
		XY: float64(c.XY*sx) * sy, XZ: float64(c.XZ*sx) * sz, YZ: float64(c.YZ*sy) * sz,
	}.Inverse()
	if !ok {
		return slope{}, false
	}
	inv.XX, inv.YY, inv.ZZ = float64(inv.XX*sx)*sx, float64(inv.YY*sy)*sy, float64(inv.ZZ*sz)*sz
	inv.XY, inv.XZ, inv.YZ = float64(inv.XY*sx)*sy, float64(inv.XZ*sx)*sz, float64(inv.YZ*sy)*sz
	norm2 := float64(inv.XX*inv.XX) + float64(inv.YY*inv.YY) + float64(inv.ZZ*inv.ZZ) +
		float64(2*(float64(inv.XY*inv.XY)+float64(inv.XZ*inv.XZ)+float64(inv.YZ*inv.YZ)))
	g := slope{variance: 1 / math.Sqrt(norm2)}
	// λ³C⁻³ = λC⁻¹·λC⁻¹·λC⁻¹: factors of order one and more.
	one := inv.Scale(g.variance).Mat3()
	cube := one.Mul(one).Mul(one)
	g.by = vec.Sym3{XX: cube.R0.X, YY: cube.R1.Y, ZZ: cube.R2.Z, XY: cube.R0.Y, XZ: cube.R0.Z, YZ: cube.R1.Z}
	return g, g.variance > 0 && !math.IsInf(g.variance, 0)
}

// push integrates over the part of the overlap's surface that is one body's what its motion changes: where the surface
// moves outwards by u, the volume grows by ∫u dS and λ by ∫p·u dS, p = ((x-c)ᵀ G (x-c) - λ) / V. The integrals
// over triangles are exact: with corners u about a triangle's centre and y from the centroid to that,
// q = uᵀGu, the mean of p·V is Σq/12 + yᵀGy - λ.
func (s *solid) push(m *moments3, g *slope, to *Shared) {
	own, caps := s.count()
	useCaps := caps < own
	perVolume := 1 / m.volume
	s.triangles(useCaps, func(a, b, c vec.Vec3) {
		area := b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
		mid := a.Add(b).Add(c).Scale(1.0 / 3)
		y := mid.Sub(m.centroid)
		gy := g.by.MulVec(y)
		sum, moment := 0.0, vec.Vec3{}
		for _, x := range [3]vec.Vec3{a, b, c} {
			u := x.Sub(mid)
			q := u.Dot(g.by.MulVec(u))
			sum += q
			moment = moment.AddScaled(u.Dot(gy)/6+q/30, u)
		}
		mean := sum/12 + y.Dot(gy) - g.variance
		moment = moment.AddScaled(mean, y)
		to.VariancePush = to.VariancePush.AddScaled(float64(mean*perVolume), area)
		to.VarianceTurn = to.VarianceTurn.AddScaled(perVolume, moment.Cross(area))
		to.VolumePush = to.VolumePush.Add(area)
		to.VolumeTurn = to.VolumeTurn.Add(y.Cross(area))
	})
	if useCaps {
		to.VariancePush, to.VarianceTurn = to.VariancePush.Neg(), to.VarianceTurn.Neg()
		to.VolumePush, to.VolumeTurn = to.VolumePush.Neg(), to.VolumeTurn.Neg()
	}
}

// count returns how many triangles the body's own faces make, and the caps.
func (s *solid) count() (own, caps int) {
	first := 0
	for f, end := range s.end {
		if n := end - first - 2; s.isCap[f] {
			caps += n
		} else {
			own += n
		}
		first = end
	}
	return own, caps
}
