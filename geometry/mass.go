package geometry

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// MassProperties of a body of density 1.
type MassProperties struct {
	Volume   float64  // m³
	Centroid vec.Vec3 // m, frame of the shape
	Inertia  vec.Sym3 // m⁵, about the centroid, axes of the shape's frame
}

// massOf integrates 1, x and x·xᵀ over the solid that the loops enclose. verts are in m, any frame;
// each loop is split into a fan about its first vertex, so that a face need not be planar to the
// last bit.
//
// The integrals over the tetrahedra from a reference point to each triangle are polynomials of its
// corners: V = det/6, ∫x = det/24·(a+b+c), ∫x·xᵀ = det/120·(s·sᵀ + a·aᵀ + b·bᵀ + c·cᵀ), s = a+b+c
// (Tonon 2004, the canonical tetrahedron of Blow & Binstock 2004). The reference is the middle of
// the body's box, lengths are scaled by a power of two, and everything is twofold precision: the
// results are those of the vertices as given with a relative error of 1e-15, wherever the body lies
// and however thin it is, as long as the volume is above 1e-10 of its box. The centroid is rounded
// once to the frame's float64; Inertia is about the centroid before that rounding.
func massOf[V int | soa.Vertex](verts []vec.Vec3, nFaces int, loop func(f int) []V) MassProperties {
	box := boxOf(verts)
	ref := box.Center()
	size := box.Size()
	_, exp := math.Frexp(size.MaxAbs())
	// Corners are put into a unit box. Scaling by a power of two is exact.
	unit := make([]wideVec, len(verts))
	for k, v := range verts {
		d := diffVec(v, ref)
		unit[k] = wideVec{d.x.ldexp(-exp), d.y.ldexp(-exp), d.z.ldexp(-exp)}
	}
	var m moments
	for f := range nFaces {
		l := loop(f)
		for i := 2; i < len(l); i++ {
			m.addTetra(unit[l[0]], unit[l[i-1]], unit[l[i]])
		}
	}
	unitSize := vec.V(math.Ldexp(size.X, -exp), math.Ldexp(size.Y, -exp), math.Ldexp(size.Z, -exp))
	return m.properties(ref, unitSize, exp)
}

// ldexp returns a·2ᵉ, exact.
func (a wide) ldexp(e int) wide { return wide{math.Ldexp(a.hi, e), math.Ldexp(a.lo, e)} }

// moments are sums over tetrahedra: six times the volume, 24 times the first, 120 times the second
// moments.
type moments struct {
	vol                    wide
	first                  wideVec
	xx, yy, zz, xy, xz, yz wide
}

func (m *moments) addTetra(a, b, c wideVec) {
	det := a.dot(b.cross(c))
	s := a.add(b).add(c)
	m.vol = m.vol.add(det)
	m.first.x = m.first.x.add(det.mul(s.x))
	m.first.y = m.first.y.add(det.mul(s.y))
	m.first.z = m.first.z.add(det.mul(s.z))
	second := func(ai, bi, ci, si, aj, bj, cj, sj wide) wide {
		return det.mul(ai.mul(aj).add(bi.mul(bj)).add(ci.mul(cj)).add(si.mul(sj)))
	}
	m.xx = m.xx.add(second(a.x, b.x, c.x, s.x, a.x, b.x, c.x, s.x))
	m.yy = m.yy.add(second(a.y, b.y, c.y, s.y, a.y, b.y, c.y, s.y))
	m.zz = m.zz.add(second(a.z, b.z, c.z, s.z, a.z, b.z, c.z, s.z))
	m.xy = m.xy.add(second(a.x, b.x, c.x, s.x, a.y, b.y, c.y, s.y))
	m.xz = m.xz.add(second(a.x, b.x, c.x, s.x, a.z, b.z, c.z, s.z))
	m.yz = m.yz.add(second(a.y, b.y, c.y, s.y, a.z, b.z, c.z, s.z))
}

// properties turns the sums, in the unit box about ref, into volume, centroid and inertia.
func (m *moments) properties(ref, size vec.Vec3, exp int) MassProperties {
	vol := m.vol.div(wide{6, 0})
	if !(vol.float() != 0) {
		return MassProperties{Centroid: ref}
	}
	four := m.vol.mul(wide{4, 0})
	c := wideVec{m.first.x.div(four), m.first.y.div(four), m.first.z.div(four)}
	// About the centroid: ∫xᵢxⱼ - V·cᵢ·cⱼ.
	about := func(second, ci, cj wide) wide {
		return second.div(wide{120, 0}).sub(vol.mul(ci).mul(cj))
	}
	xx, yy, zz := about(m.xx, c.x, c.x), about(m.yy, c.y, c.y), about(m.zz, c.z, c.z)
	// A product of inertia below half a rounding of its largest possible value is a zero of the
	// sums above: what makes the inertia of an axis-aligned box exactly diagonal.
	product := func(second, ci, cj wide, ei, ej float64) float64 {
		p := about(second, ci, cj).float()
		if math.Abs(p) <= math.Ldexp(math.Abs(vol.float())*ei*ej, -56) {
			return 0
		}
		return -p
	}
	offset := func(ci wide, ei float64) float64 {
		if math.Abs(ci.float()) <= math.Ldexp(ei, -90) {
			return 0
		}
		return math.Ldexp(ci.float(), exp)
	}
	i5 := func(v float64) float64 { return math.Ldexp(v, 5*exp) }
	return MassProperties{
		Volume: math.Ldexp(vol.float(), 3*exp),
		Centroid: vec.Vec3{
			X: ref.X + offset(c.x, size.X), Y: ref.Y + offset(c.y, size.Y), Z: ref.Z + offset(c.z, size.Z),
		},
		Inertia: vec.Sym3{
			XX: i5(yy.add(zz).float()), YY: i5(xx.add(zz).float()), ZZ: i5(xx.add(yy).float()),
			XY: i5(product(m.xy, c.x, c.y, size.X, size.Y)),
			XZ: i5(product(m.xz, c.x, c.z, size.X, size.Z)),
			YZ: i5(product(m.yz, c.y, c.z, size.Y, size.Z)),
		},
	}
}
