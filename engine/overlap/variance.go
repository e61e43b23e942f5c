package overlap

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// measure returns the moments of body, and how they change when the body that was cut moves. The place of the origin
// of body's coordinates is given relative to the position of A, world axes; toWorld turns body's axes to the world's.
//
// It works in a frame of its own: about a corner of the overlap, z along the normal of what was there of
// the body's own surface, x along the overlap's longest extent across it. So a thin overlap keeps its digits
// whichever way it lies.
func (c *Clipper) measure(origin, along vec.Vec3, toWorld vec.Quat) (Shared, bool) {
	b := &c.body
	if len(b.verts) < 4 {
		return Shared{}, false
	}
	first := b.verts[0]
	for k, x := range b.verts {
		b.verts[k] = x.Sub(first)
	}
	x, y, z := b.axes(along)
	for k, v := range b.verts {
		b.verts[k] = vec.Vec3{X: x.Dot(v), Y: y.Dot(v), Z: z.Dot(v)}
	}
	m, ok := b.moments()
	if !ok {
		return Shared{}, false
	}
	g, ok := m.gradient()
	if !ok {
		return Shared{}, false
	}
	r0, r1, r2 := toWorld.Rows()
	out := axes3{
		vec.Vec3{X: r0.Dot(x), Y: r0.Dot(y), Z: r0.Dot(z)}, vec.Vec3{X: r1.Dot(x), Y: r1.Dot(y), Z: r1.Dot(z)},
		vec.Vec3{X: r2.Dot(x), Y: r2.Dot(y), Z: r2.Dot(z)},
	}
	s := Shared{Volume: m.volume, Variance: g.variance, Spread: out.ofSpread(&m.spread)}
	s.Centroid = origin.Add(vec.Vec3{X: r0.Dot(first), Y: r1.Dot(first), Z: r2.Dot(first)}).Add(out.of(m.centroid))
	b.push(&m, &g, &s)
	s.VariancePush, s.VarianceTurn = out.of(s.VariancePush), out.of(s.VarianceTurn)
	s.VolumePush, s.VolumeTurn = out.of(s.VolumePush), out.of(s.VolumeTurn)
	return s, true
}

// axes3 is the rows of a rotation from the frame of measure to world axes.
type axes3 struct{ x, y, z vec.Vec3 }

func (o *axes3) of(v vec.Vec3) vec.Vec3 { return vec.Vec3{X: o.x.Dot(v), Y: o.y.Dot(v), Z: o.z.Dot(v)} }

func (o *axes3) ofSpread(s *vec.Sym3) vec.Sym3 {
	x, y, z := s.MulVec(o.x), s.MulVec(o.y), s.MulVec(o.z)
	return vec.Sym3{XX: x.Dot(o.x), YY: y.Dot(o.y), ZZ: z.Dot(o.z), XY: x.Dot(o.y), XZ: x.Dot(o.z), YZ: y.Dot(o.z)}
}

// axes returns the axes of the frame that measure works in.
func (s *solid) axes(along vec.Vec3) (x, y, z vec.Vec3) {
	area, all := vec.Vec3{}, 0.0
	first := 0
	for f, end := range s.end {
		loop := s.loop[first:end]
		if first = end; s.isCap[f] || len(loop) < 3 {
			continue
		}
		p := s.verts[loop[0]]
		q := s.verts[loop[1]].Sub(p)
		n := vec.Vec3{}
		for _, k := range loop[2:] {
			r := s.verts[k].Sub(p)
			n = n.Add(q.Cross(r))
			q = r
		}
		area = area.Add(n)
		all += n.Norm2()
	}
	z = along
	// A body that goes through the other has hardly any area in sum, and its overlap is thin no way in particular.
	if area.Norm2() > asm.ShareLevel*all {
		z = area.Unit()
	}
	x = z.Perpendicular()
	most := 0.0
	for _, v := range s.verts {
		v = v.AddScaled(-v.Dot(z), z)
		if d := v.Norm2(); d > most {
			x, most = v, d
		}
	}
	x = x.Unit()
	return x, z.Cross(x), z
}

// moments3 are the moments of an overlap in the frame of measure.
type moments3 struct {
	volume   float64
	centroid vec.Vec3
	spread   vec.Sym3
}

// moments sums the tetrahedra between the first corner, which is the origin, and the triangles of the
// surface: with D six times the volume of one and S the sum of its three other corners,
//
//	∫1 = D/6,  ∫x = D/24 S,  ∫xxᵀ = D/120 (aaᵀ + bbᵀ + ccᵀ + SSᵀ)
//
// Faces through the origin make none.
func (s *solid) moments() (moments3, bool) {
	var six float64
	var first vec.Vec3
	var second vec.Sym3
	start := 0
	for _, end := range s.end {
		loop := s.loop[start:end]
		if start = end; slices.Contains(loop, 0) || len(loop) < 3 {
			continue
		}
		p, q := s.verts[loop[0]], s.verts[loop[1]]
		for _, k := range loop[2:] {
			r := s.verts[k]
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
			q = r
		}
	}
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
	j := inv.Scale(g.variance)
	g.by = times(times(j, j), j)
	return g, g.variance > 0 && !math.IsInf(g.variance, 0)
}

// times returns the product of symmetric matrices that commute.
func times(a, b vec.Sym3) vec.Sym3 {
	x, y, z := vec.Vec3{X: a.XX, Y: a.XY, Z: a.XZ}, vec.Vec3{X: a.XY, Y: a.YY, Z: a.YZ}, vec.Vec3{X: a.XZ, Y: a.YZ, Z: a.ZZ}
	u, v, w := vec.Vec3{X: b.XX, Y: b.XY, Z: b.XZ}, vec.Vec3{X: b.XY, Y: b.YY, Z: b.YZ}, vec.Vec3{X: b.XZ, Y: b.YZ, Z: b.ZZ}
	return vec.Sym3{XX: x.Dot(u), YY: y.Dot(v), ZZ: z.Dot(w), XY: x.Dot(v), XZ: x.Dot(w), YZ: y.Dot(w)}
}

// push integrates over the part of the overlap's surface that is one body's what its motion changes: where the surface
// moves outwards by u, the volume grows by ∫u dS and λ by ∫p·u dS, p = (xᵀGx - λ) / V with x from the centroid. The integrals
// over triangles are exact: with S = Σ x and Q = SᵀGS + Σ xᵀGx over the corners, the mean of p·V is Q/12 - λ, and that of
// p·V·x (S·Q + 2 Σ x(xᵀGS + xᵀGx))/60 - λS/3.
//
// It leaves the corners relative to the centroid.
func (s *solid) push(m *moments3, g *slope, to *Shared) {
	own, caps := s.count()
	useCaps := caps < own
	s.slopes = s.slopes[:0]
	for k, x := range s.verts {
		x = x.Sub(m.centroid)
		s.verts[k] = x
		gx := g.by.MulVec(x)
		s.slopes = append(s.slopes, atCorner{x, gx, x.Dot(gx)})
	}
	start := 0
	for f, end := range s.end {
		loop := s.loop[start:end]
		if start = end; s.isCap[f] != useCaps || len(loop) < 3 {
			continue
		}
		a, b := &s.slopes[loop[0]], &s.slopes[loop[1]]
		for _, k := range loop[2:] {
			c := &s.slopes[k]
			area := b.x.Sub(a.x).Cross(c.x.Sub(a.x)).Scale(0.5)
			sum, gSum := a.x.Add(b.x).Add(c.x), a.gx.Add(b.gx).Add(c.gx)
			whole := sum.Dot(gSum) + a.q + b.q + c.q
			moment := a.x.Scale(a.x.Dot(gSum)+a.q).AddScaled(b.x.Dot(gSum)+b.q, b.x).AddScaled(c.x.Dot(gSum)+c.q, c.x)
			third := sum.Scale(1.0 / 3)
			moment = sum.Scale(whole).AddScaled(2, moment).Scale(1.0/60).AddScaled(-g.variance, third)
			to.VariancePush = to.VariancePush.AddScaled(float64(whole*(1.0/12))-g.variance, area)
			to.VarianceTurn = to.VarianceTurn.Add(moment.Cross(area))
			to.VolumePush = to.VolumePush.Add(area)
			to.VolumeTurn = to.VolumeTurn.Add(third.Cross(area))
			b = c
		}
	}
	perVolume := 1 / m.volume
	if useCaps {
		perVolume = -perVolume
		to.VolumePush, to.VolumeTurn = to.VolumePush.Neg(), to.VolumeTurn.Neg()
	}
	to.VariancePush, to.VarianceTurn = to.VariancePush.Scale(perVolume), to.VarianceTurn.Scale(perVolume)
}

// atCorner is what push needs of a corner: x from the centroid, Gx, and xᵀGx.
type atCorner struct {
	x, gx vec.Vec3
	q     float64
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
