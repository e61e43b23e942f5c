package geometry

import (
	"math"
	"strconv"
	"testing"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/vec"
)

// TestBoxMass checks that the inertia of a box is I = m(b²+c²)/12 and exactly diagonal, wherever
// the box lies (case V14).
func TestBoxMass(t *testing.T) {
	for _, s := range [][3]float64{{1, 1, 1}, {3, 2, 1}, {0.1, 0.7, 1.3}, {1e-3, 1, 1e3}, {1e-6, 1e-6, 2e-6}, {1e6, 1, 1}} {
		a, b, c := s[0], s[1], s[2]
		box := must[*Polyhedron](t)(Box(a, b, c))
		v := a * b * c
		for _, at := range []vec.Vec3{{}, {X: 0.1, Y: 0.2, Z: 0.3}, {X: 17, Y: -3, Z: 1}} {
			p := must[*Polyhedron](t)(box.Translated(at))
			m := p.Mass
			size := p.Box().Size() // a, b, c after rounding
			a, b, c := size.X, size.Y, size.Z
			w := a * b * c
			if at == (vec.Vec3{}) && !near(w, v, 1e-15, 0) {
				t.Errorf("box %v is %v", s, size)
			}
			want := vec.Sym3{XX: w * (b*b + c*c) / 12, YY: w * (a*a + c*c) / 12, ZZ: w * (a*a + b*b) / 12}
			if !near(m.Volume, w, 1e-15, 0) || !near(m.Inertia.XX, want.XX, 1e-15, 0) ||
				!near(m.Inertia.YY, want.YY, 1e-15, 0) || !near(m.Inertia.ZZ, want.ZZ, 1e-15, 0) {
				t.Errorf("box %v at %v: %v, want %v", s, at, m, want)
			}
			if m.Inertia.XY != 0 || m.Inertia.XZ != 0 || m.Inertia.YZ != 0 {
				t.Errorf("box %v at %v: products of inertia %v, want exactly 0", s, at, m.Inertia)
			}
			if d := m.Centroid.Sub(p.Box().Center()).MaxAbs(); d > 1e-15*(at.MaxAbs()+size.MaxAbs()) {
				t.Errorf("box %v at %v: centroid %v", s, at, m.Centroid)
			}
		}
	}
}

func normalsOf(verts []vec.Vec3, loops [][]int) (normals []vec.Vec3) {
	for _, loop := range loops {
		normals = append(normals, hull.AreaVector(verts, loop).Unit())
	}
	return normals
}

// TestMassFarAway moves a body whose vertices have few bits, so that the move is exact. The mass
// properties must not change by more than 1e-15.
func TestMassFarAway(t *testing.T) {
	verts := []vec.Vec3{vec.V(0, 0, 0), vec.V(1.5, 0.25, 0), vec.V(0.125, 1.75, -0.5), vec.V(0.375, 0.5, 1.25)}
	loops := [][]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}
	p := must[*Polyhedron](t)(assemble("tetra", verts, loops, normalsOf(verts, loops)))
	// A tetrahedron's inertia: ∫x xᵀ = V/20·(Σ v vᵀ + s sᵀ) about its first corner; its volume is
	// det/6.
	v := verts[1].Dot(verts[2].Cross(verts[3])) / 6
	c := verts[1].Add(verts[2]).Add(verts[3]).Scale(0.25)
	if !near(p.Mass.Volume, v, 1e-15, 0) || p.Mass.Centroid.Sub(c).MaxAbs() > 2e-16 {
		t.Fatalf("volume %g, centroid %v, want %g, %v", p.Mass.Volume, p.Mass.Centroid, v, c)
	}
	for _, far := range []vec.Vec3{{X: 1e6}, {X: -1e6, Y: 2e6, Z: 3e6}, {X: 1 << 40, Y: 1 << 40, Z: 1 << 40}} {
		q := must[*Polyhedron](t)(p.Translated(far))
		a, b := p.Mass.Inertia, q.Mass.Inertia
		for i, d := range []float64{a.XX - b.XX, a.YY - b.YY, a.ZZ - b.ZZ, a.XY - b.XY, a.XZ - b.XZ, a.YZ - b.YZ} {
			if math.Abs(d) > 1e-15*a.XX {
				t.Errorf("at %v: moment %d differs by %g", far, i, d)
			}
		}
		if !near(q.Mass.Volume, v, 1e-15, 0) {
			t.Errorf("at %v: volume %.17g, want %.17g", far, q.Mass.Volume, v)
		}
		if d := q.Mass.Centroid.Sub(far).Sub(c).MaxAbs(); d > far.MaxAbs()*0x1p-52 {
			t.Errorf("at %v: centroid off by %g", far, d)
		}
	}
}

// TestMassMonteCarlo compares with counts of random points. With N points in the box of volume B,
// the standard error of an integral of g over the body is B·σ(g)/√N. Chance exceeds five standard
// errors once in two million.
func TestMassMonteCarlo(t *testing.T) {
	const n = 200000
	for _, spec := range []string{"rock:1,20,1", "rock:2,4,1", "prism:3,1,2", "dodeca:1", "rock:3,60,1"} {
		t.Run(spec, func(t *testing.T) {
			p := must[Builtin](t)(ParseBuiltin(spec)).Poly
			p = must[*Polyhedron](t)(p.Translated(vec.V(0.5, -0.25, 0.125)))
			box := p.Box()
			r := NewRand(42)
			var sum, square [10]float64
			for range n {
				v := box.Min.Add(box.Size().Mul(vec.V(r.Float64(), r.Float64(), r.Float64())))
				if !p.Contains(v) {
					continue
				}
				d := v.Sub(p.Mass.Centroid)
				g := [10]float64{1, d.X, d.Y, d.Z, d.Y*d.Y + d.Z*d.Z, d.X*d.X + d.Z*d.Z, d.X*d.X + d.Y*d.Y, -d.X * d.Y, -d.X * d.Z, -d.Y * d.Z}
				for i, v := range g {
					sum[i] += v
					square[i] += v * v
				}
			}
			i := p.Mass.Inertia
			want := [10]float64{p.Mass.Volume, 0, 0, 0, i.XX, i.YY, i.ZZ, i.XY, i.XZ, i.YZ}
			b := box.Size().X * box.Size().Y * box.Size().Z
			for k := range sum {
				mean := sum[k] / n
				sigma := b * math.Sqrt((square[k]/n-mean*mean)/n)
				if d := math.Abs(b*mean - want[k]); d > 5*sigma {
					t.Errorf("moment %d: %g by counting, %g by integration: %g sigma", k, b*mean, want[k], d/sigma)
				}
			}
		})
	}
}

func TestPrincipal(t *testing.T) {
	r := NewRand(7)
	for n := range 200 {
		want := vec.V(1+r.Float64(), 1+r.Float64(), 1+r.Float64())
		if n%4 == 0 {
			want.Y = want.X
		}
		if n%50 == 1 {
			want = vec.V(1, 1e-8, 1e-8)
		}
		turn := r.Rotation().Mat3()
		m := MassProperties{Volume: 1, Inertia: vec.Sym3{XX: want.X, YY: want.Y, ZZ: want.Z}.Rotated(turn)}
		moments, frame := m.Principal()
		back := vec.Sym3{XX: moments.X, YY: moments.Y, ZZ: moments.Z}.Rotated(frame.Mat3()).Add(m.Inertia.Scale(-1))
		for _, d := range []float64{back.XX, back.YY, back.ZZ, back.XY, back.XZ, back.YZ} {
			if math.Abs(d) > 2e-14 {
				t.Fatalf("case %d: R·diag·Rᵀ is off by %g", n, d)
			}
		}
		if math.Abs(frame.Norm()-1) > 1e-15 || math.Abs(frame.Mat3().Det()-1) > 1e-14 || frame.W < 0 {
			t.Fatalf("case %d: frame %v", n, frame)
		}
	}
	for _, spec := range []string{"box:1x2x3", "box:3x2x1", "tetra:1", "octa:2", "dodeca:0.1", "icosa:1e6", "prism:6,1,1"} {
		p := must[Builtin](t)(ParseBuiltin(spec)).Poly
		if _, frame := p.Mass.Principal(); frame != vec.Identity {
			t.Errorf("%s: frame %v, want the identity", spec, frame)
		}
	}
}

// TestMassScales compares mass properties under similarities. Powers of two must be exact. A
// rotation rounds each vertex by 2e-16 of the radius; moments, fifth powers, are off by at least
// five times that.
func TestMassScales(t *testing.T) {
	p := must[*Polyhedron](t)(Prism(7, 1.1, 0.9))
	q := must[*Polyhedron](t)(p.Scaled(0x1p-20))
	if q.Mass.Volume != math.Ldexp(p.Mass.Volume, -60) || q.Mass.Inertia != p.Mass.Inertia.Scale(0x1p-100) {
		t.Errorf("scaled by 2^-20: %v, from %v", q.Mass, p.Mass)
	}
	turn := NewRand(3).Rotation()
	r := must[*Polyhedron](t)(p.Rotated(turn))
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	want := p.Mass.Inertia.Rotated(turn.Mat3())
	d := r.Mass.Inertia.Add(want.Scale(-1))
	if !near(r.Mass.Volume, p.Mass.Volume, 1e-14, 0) || max(math.Abs(d.XX), math.Abs(d.XY), math.Abs(d.YZ)) > 1e-14*p.Mass.Inertia.XX {
		t.Errorf("rotated: volume %g, inertia off by %v", r.Mass.Volume, d)
	}
}

func BenchmarkMass(b *testing.B) {
	for _, n := range []int{8, 32, 128} {
		b.Run("op=mass/verts="+strconv.Itoa(n), func(b *testing.B) {
			p := must[*Polyhedron](b)(Prism(n/2, 1, 1))
			var m MassProperties
			for b.Loop() {
				m = massOf(p.Verts, p.NFaces(), p.Loop)
			}
			b.ReportMetric(m.Volume, "checksum")
		})
	}
}
