package overlap

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// sums are integrals over the common part of a block and a prism. They are sums over polygons of
// its surface, of powers of the depth h, in a unit, and of the position x.
//
// Let n be the normal of the facet's plane, so ∇h = -n. The field -n·f(h)·g(x) has the divergence
// f'·g - f·n·∇g. Therefore integrals over the volume are integrals of this field over the surface.
// The field contributes nothing on the facet's plane, where h = 0, and nothing on orthogonal sides,
// which contain the direction n:
//
//	∫h^k dV = 1/(k+1)·∮h^(k+1)·a,   ∫x·h^k dV = 1/(k+1)·(∮x·h^(k+1)·a + n·∫h^(k+1) dV)
//	∫x·xᵀ dV = ∮x·xᵀ·h·a + n·jᵀ + j·nᵀ,   a = -n·dS,   j = ∫x·h dV
//
// For a triangle with corners at the depths h₀, h₁, h₂ and area vector N, let H be the complete
// homogeneous symmetric polynomial of degree k. Then
//
//	∫h^k dS = 2|N|/((k+1)(k+2))·H(h₀,h₁,h₂),  ∫x·h^k dS = 2|N|/((k+1)(k+2)(k+3))·Σ xᵢ·H(h₀,h₁,h₂,hᵢ)
//
// Source: Lasserre and Avrachenkov 2001. All terms of H are positive.
type sums struct {
	power, volume, first, second float64  // ∫h^q dV, ∫dV, ∫h dV, ∫h² dV
	xh, xhh                      vec.Vec3 // ∮x·h·a, ∮x·h²·a
	xxh                          vec.Sym3 // ∮x·xᵀ·h·a
}

// uprightFace is the square of the sine of the angle between a face and the facet's normal. A face
// with at most this value adds nothing to volume, centroid and spread.
// Smaller: time. Larger: places of forces err.
const uprightFace = 0x1p-80

// sumUp returns the sums over parts, whose coordinates are relative to top. It returns false if the
// volume is not positive.
func (p *BackingClipper) sumUp(n vec.Vec3) (r BackingOverlap, ok bool) {
	g := &p.parts
	for k := range g.points {
		r.Deepest = max(r.Deepest, g.points[k].h)
	}
	_, r.Exp = math.Frexp(r.Deepest)
	scale := math.Ldexp(1, -r.Exp)
	if !(r.Deepest > 0) || !(scale < math.MaxFloat64) {
		return r, false
	}
	for k := range g.points {
		g.points[k].h *= scale
	}
	var s sums
	for f, isCap := range g.isCap {
		face := g.face(f)
		for k := 2; k < len(face); k++ {
			s.add(&r, &face[0], &face[k-1], &face[k], n, !isCap)
		}
	}
	unit := math.Ldexp(1, r.Exp)
	r.Power, r.Volume = s.power*unit, s.volume*unit
	if !(r.Volume > 0) || !(r.Power > 0) {
		return r, false
	}
	first, second := float64(float64(s.first*unit)*unit), float64(float64(float64(s.second*unit)*unit)*unit)
	j := s.xhh.Scale(0.5*float64(unit*unit)).AddScaled(0.5*second, n)
	r.First = s.xh.Scale(unit).AddScaled(first, n)
	r.Second = s.xxh.Scale(unit).Add(bothWays(n, j))
	r.about(p.top)
	return r, true
}

// add adds a triangle. If own, the triangle belongs to the block's surface and adds to the
// derivatives.
func (s *sums) add(r *BackingOverlap, p0, p1, p2 *depthPoint, n vec.Vec3, own bool) {
	const q = DepthPower
	x, y, z := p0.x, p1.x, p2.x
	h0, h1, h2 := p0.h, p1.h, p2.h
	if !(h0+h1+h2 > 0) {
		return
	}
	area := y.Sub(x).Cross(z.Sub(x)).Scale(0.5)
	a := -n.Dot(area)
	if float64(a*a) > float64(uprightFace*area.Norm2()) {
		s.addMoments(x, y, z, h0, h1, h2, a)
	}
	t := powersOf(h0, h1, h2)
	if s.power += float64(float64(a*t.more) * (2.0 / ((q + 1) * (q + 2) * (q + 3)))); !own {
		return
	}
	r.Gradient = r.Gradient.AddScaled(t.all*(2.0/((q+1)*(q+2))), area)
	r.Turn = r.Turn.Add(x.Scale(t.with[0]).AddScaled(t.with[1], y).AddScaled(t.with[2], z).Scale(2.0 / ((q + 1) * (q + 2) * (q + 3))).Cross(area))
}

// addMoments adds a triangle's contribution to volume, centroid and spread.
func (s *sums) addMoments(x, y, z vec.Vec3, h0, h1, h2, a float64) {
	all, sum := x.Add(y).Add(z), h0+h1+h2
	squares := float64(h0*h0) + float64(h1*h1) + float64(h2*h2) + float64(h0*h1) + float64(h1*h2) + float64(h2*h0)
	cubes := float64(h0*squares) + float64((h1+h2)*(float64(h1*h1)+float64(h2*h2)))
	xh := x.Scale(h0).AddScaled(h1, y).AddScaled(h2, z)
	s.volume += float64(a*sum) / 3
	s.first += float64(a*squares) / 12
	s.second += float64(a*cubes) / 30
	s.xh = s.xh.AddScaled(a/12, xh.AddScaled(sum, all))
	c0, c1, c2 := squares+float64(h0*(sum+h0)), squares+float64(h1*(sum+h1)), squares+float64(h2*(sum+h2))
	s.xhh = s.xhh.AddScaled(a/30, x.Scale(c0).AddScaled(c1, y).AddScaled(c2, z))
	// sum·all·allᵀ + all·xhᵀ + xh·allᵀ + Σ (sum + 2hᵢ)·xᵢ·xᵢᵀ
	f, d0, d1, d2 := a/60, sum+float64(2*h0), sum+float64(2*h1), sum+float64(2*h2)
	u := all.Scale(0.5 * sum).Add(xh)
	entry := func(ai, aj, ui, uj, xi, xj, yi, yj, zi, zj float64) float64 {
		return float64(f * (float64(ai*uj) + float64(ui*aj) + float64(d0*float64(xi*xj)) + float64(d1*float64(yi*yj)) + float64(d2*float64(zi*zj))))
	}
	s.xxh.XX += entry(all.X, all.X, u.X, u.X, x.X, x.X, y.X, y.X, z.X, z.X)
	s.xxh.YY += entry(all.Y, all.Y, u.Y, u.Y, x.Y, x.Y, y.Y, y.Y, z.Y, z.Y)
	s.xxh.ZZ += entry(all.Z, all.Z, u.Z, u.Z, x.Z, x.Z, y.Z, y.Z, z.Z, z.Z)
	s.xxh.XY += entry(all.X, all.Y, u.X, u.Y, x.X, x.Y, y.X, y.Y, z.X, z.Y)
	s.xxh.XZ += entry(all.X, all.Z, u.X, u.Z, x.X, x.Z, y.X, y.Z, z.X, z.Z)
	s.xxh.YZ += entry(all.Y, all.Z, u.Y, u.Z, x.Y, x.Z, y.Y, y.Z, z.Y, z.Z)
}

// powers are complete homogeneous symmetric polynomials of three depths: all is that of degree q,
// more that of degree q+1. with[i] is that of degree q in four variables: the depths and depth i
// again.
type powers struct {
	all, more float64
	with      [3]float64
}

// powersOf returns the polynomials of three depths. For each variable a, in ascending order of the
// degree i, it updates tᵢ += a·tᵢ₋₁.
func powersOf(a, b, c float64) (p powers) {
	t1, t2, t3 := 1.0, 1.0, 1.0
	ua, ub, uc := 1.0, 1.0, 1.0
	for range DepthPower {
		t1 = float64(a * t1)
		t2 = t1 + float64(b*t2)
		t3 = t2 + float64(c*t3)
		ua, ub, uc = t3+float64(a*ua), t3+float64(b*ub), t3+float64(c*uc)
	}
	p.all, p.with = t3, [3]float64{ua, ub, uc}
	t1 = float64(a * t1)
	t2 = t1 + float64(b*t2)
	p.more = t2 + float64(c*t3)
	return p
}

// bothWays returns x·yᵀ + y·xᵀ.
func bothWays(x, y vec.Vec3) vec.Sym3 {
	return vec.Sym3{
		XX: float64(2 * x.X * y.X), YY: float64(2 * x.Y * y.Y), ZZ: float64(2 * x.Z * y.Z),
		XY: float64(x.X*y.Y) + float64(x.Y*y.X), XZ: float64(x.X*y.Z) + float64(x.Z*y.X), YZ: float64(x.Y*y.Z) + float64(x.Z*y.Y),
	}
}

// about converts sums about a point to sums about the block's position. at is the point, relative
// to the block's position.
func (r *BackingOverlap) about(at vec.Vec3) {
	r.Turn = r.Turn.Add(at.Cross(r.Gradient))
	first := r.First
	r.First = first.AddScaled(r.Volume, at)
	r.Second = r.Second.Add(at.Outer().Scale(r.Volume)).Add(bothWays(first, at))
}
