package geometry

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// MassProperties has the mass properties of a body of density 1.
type MassProperties struct {
	Volume   float64  // m³
	Centroid vec.Vec3 // m, frame of the shape
	Inertia  vec.Sym3 // m⁵, about the centroid, axes of the shape's frame
}

// massOf integrates 1, x and x·xᵀ over the solid that the loops enclose. verts are in m, in any
// frame. Each loop is split into a fan about its first vertex, so a face need not be planar to the
// last bit.
//
// The integrals over the tetrahedron from a reference point to a triangle are polynomials of its
// corners a, b, c: V = det/6, ∫x = det/24·(a+b+c), ∫x·xᵀ = det/120·(s·sᵀ + a·aᵀ + b·bᵀ + c·cᵀ) with
// s = a+b+c (Tonon 2004; the canonical tetrahedron of Blow & Binstock 2004). The reference point is
// the centre of the body's box, lengths are scaled by a power of two, and all sums have twofold
// precision.
//
// So the results have a relative error of 1e-15 for the vertices as given, if the volume of the
// body is above 1e-10 of its box. The body may be thin, and far from the origin. The centroid is
// rounded once to float64 in the frame of verts. Inertia is about the centroid before that
// rounding.
func massOf[V int | soa.Vertex](verts []vec.Vec3, nFaces int, loop func(f int) []V) MassProperties {
	box := vec.BoxAround(verts)
	ref := box.Center()
	size := box.Size()
	_, exp := math.Frexp(size.MaxAbs())
	// Scaling the corners into a unit box by a power of two is exact.
	unit := make([]vec.Twofold3, len(verts))
	for k, v := range verts {
		unit[k] = vec.Difference(v, ref).Ldexp(-exp)
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

// moments are sums over tetrahedra: 6 times the volume, 24 times the first moments, 120 times the
// second moments.
type moments struct {
	vol                    vec.Twofold
	first                  vec.Twofold3
	xx, yy, zz, xy, xz, yz vec.Twofold
}

func (m *moments) addTetra(a, b, c vec.Twofold3) {
	det := a.Dot(b.Cross(c))
	s := a.Add(b).Add(c)
	m.vol = m.vol.Add(det)
	m.first = m.first.Add(s.Scale(det))
	x, y, z := [4]vec.Twofold{a.X, b.X, c.X, s.X}, [4]vec.Twofold{a.Y, b.Y, c.Y, s.Y}, [4]vec.Twofold{a.Z, b.Z, c.Z, s.Z}
	add := func(to *vec.Twofold, u, v *[4]vec.Twofold) {
		sum := u[0].Mul(v[0]).Add(u[1].Mul(v[1])).Add(u[2].Mul(v[2])).Add(u[3].Mul(v[3]))
		*to = to.Add(det.Mul(sum))
	}
	add(&m.xx, &x, &x)
	add(&m.yy, &y, &y)
	add(&m.zz, &z, &z)
	add(&m.xy, &x, &y)
	add(&m.xz, &x, &z)
	add(&m.yz, &y, &z)
}

// properties converts the sums, which are in the unit box about ref, into volume, centroid and
// inertia.
func (m *moments) properties(ref, size vec.Vec3, exp int) MassProperties {
	vol := m.vol.Div(vec.Twofold{Hi: 6})
	if !(vol.Float() != 0) {
		return MassProperties{Centroid: ref}
	}
	four := m.vol.Mul(vec.Twofold{Hi: 4})
	c := vec.Twofold3{X: m.first.X.Div(four), Y: m.first.Y.Div(four), Z: m.first.Z.Div(four)}
	// The integral about the centroid is ∫xᵢxⱼ - V·cᵢ·cⱼ.
	about := func(second, ci, cj vec.Twofold) vec.Twofold {
		return second.Div(vec.Twofold{Hi: 120}).Sub(vol.Mul(ci).Mul(cj))
	}
	xx, yy, zz := about(m.xx, c.X, c.X), about(m.yy, c.Y, c.Y), about(m.zz, c.Z, c.Z)
	// A product of inertia below half a rounding of its largest possible value counts as zero. So
	// the inertia of an axis-aligned box is exactly diagonal.
	product := func(second, ci, cj vec.Twofold, ei, ej float64) float64 {
		p := about(second, ci, cj).Float()
		if math.Abs(p) <= math.Ldexp(math.Abs(vol.Float())*ei*ej, -56) {
			return 0
		}
		return -p
	}
	offset := func(ci vec.Twofold, ei float64) float64 {
		if math.Abs(ci.Float()) <= math.Ldexp(ei, -90) {
			return 0
		}
		return math.Ldexp(ci.Float(), exp)
	}
	i5 := func(v float64) float64 { return math.Ldexp(v, 5*exp) }
	return MassProperties{
		Volume: math.Ldexp(vol.Float(), 3*exp),
		Centroid: vec.Vec3{
			X: ref.X + offset(c.X, size.X), Y: ref.Y + offset(c.Y, size.Y), Z: ref.Z + offset(c.Z, size.Z),
		},
		Inertia: vec.Sym3{
			XX: i5(yy.Add(zz).Float()), YY: i5(xx.Add(zz).Float()), ZZ: i5(xx.Add(yy).Float()),
			XY: i5(product(m.xy, c.X, c.Y, size.X, size.Y)),
			XZ: i5(product(m.xz, c.X, c.Z, size.X, size.Z)),
			YZ: i5(product(m.yz, c.Y, c.Z, size.Y, size.Z)),
		},
	}
}
