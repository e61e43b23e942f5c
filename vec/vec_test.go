package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b Vec3, tol float64) bool { return a.Sub(b).MaxAbs() <= tol }

func randomVec(r *rand.Rand) Vec3 { return Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

func randomQuat(r *rand.Rand) Quat {
	return Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalized()
}

func TestVec3Arithmetic(t *testing.T) {
	a, b := V(1, -2, 3), V(4, 5, -6)
	for _, c := range []struct {
		name      string
		got, want Vec3
	}{
		{"Add", a.Add(b), V(5, 3, -3)},
		{"Sub", a.Sub(b), V(-3, -7, 9)},
		{"Neg", a.Neg(), V(-1, 2, -3)},
		{"Scale", a.Scale(-2), V(-2, 4, -6)},
		{"AddScaled", a.AddScaled(2, b), V(9, 8, -9)},
		{"Mul", a.Mul(b), V(4, -10, -18)},
		{"Cross", a.Cross(b), V(-3, 18, 13)},
		{"Cross of axes", V(1, 0, 0).Cross(V(0, 1, 0)), V(0, 0, 1)},
		{"Min", a.Min(b), V(1, -2, -6)},
		{"Max", a.Max(b), V(4, 5, 3)},
		{"Abs", a.Abs(), V(1, 2, 3)},
		{"Unit", V(0, -3, 4).Unit(), V(0, -0.6, 0.8)},
		{"Unit of tiny", V(0, -3e-320, 4e-320).Unit(), V(0, -0.6, 0.8)},
		{"Unit of huge", V(0, -3e307, 4e307).Unit(), V(0, -0.6, 0.8)},
		{"Unit of zero", Vec3{}.Unit(), Vec3{}},
		{"Unit of Inf", V(math.Inf(1), 1, 1).Unit(), Vec3{}},
		{"Unit of NaN", V(math.NaN(), 1, 1).Unit(), Vec3{}},
	} {
		// Subnormals have few bits: 3e-320 is exact to 1e-4.
		if !near(c.got, c.want, 1e-4) || c.want.MaxAbs() >= 1 && c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	if a.Dot(b) != -24 || a.Norm2() != 14 || V(2, 3, 6).Norm() != 7 || a.MaxAbs() != 3 {
		t.Errorf("Dot %v, Norm2 %v, Norm %v, MaxAbs %v", a.Dot(b), a.Norm2(), V(2, 3, 6).Norm(), a.MaxAbs())
	}
}

func TestDotSumsInOrderWithoutFusing(t *testing.T) {
	// With a fused operation, the rounding of 0.1·10 would survive the subtraction.
	if d := V(0.1, 1, 0).Dot(V(10, -1, 0)); d != 0 {
		t.Errorf("Dot = %g, want 0", d)
	}
	if d := V(1e16, 1, -1e16).Dot(V(1, 1, 1)); d != 0 {
		t.Errorf("Dot = %g, want 0 in the order x, y, z", d)
	}
	if c := V(0.1, 1, 0).Cross(V(1, 10, 0)); c.Z != 0 {
		t.Errorf("Cross = %v, want 0", c)
	}
	if s := V(-1, 0, 0).AddScaled(0.1, V(10, 0, 0)); s.X != 0 {
		t.Errorf("AddScaled = %v, want 0", s)
	}
}

func TestFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, v := range []Vec3{{bad, 0, 0}, {0, bad, 0}, {0, 0, bad}} {
			if v.Finite() {
				t.Errorf("%v is not finite", v)
			}
		}
		for _, q := range []Quat{{bad, 0, 0, 0}, {0, bad, 0, 0}, {0, 0, bad, 0}, {0, 0, 0, bad}} {
			if q.Finite() {
				t.Errorf("%v is not finite", q)
			}
		}
	}
	const m = math.MaxFloat64
	if !V(m, -m, 5e-324).Finite() || !(Quat{m, m, -m, m}).Finite() {
		t.Error("the largest values are finite")
	}
}

func TestNormalizedKeepsDigits(t *testing.T) {
	want := Quat{0.5, -0.5, 0.5, 0.5}
	for _, e := range []int{-1073, -600, -500, -400, 0, 400, 520, 1024} {
		k := math.Ldexp(0.5, e)
		if q := (Quat{k, -k, k, k}).Normalized(); q != want {
			t.Errorf("components of %g: %v, want %v", k, q, want)
		}
	}
	if q := (Quat{}).Normalized(); q != (Quat{}) {
		t.Errorf("the zero quaternion became %v", q)
	}
}

func TestPerpendicular(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	vs := []Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 1e-300, 0}, {1e300, 1e300, 0}, {}}
	for range 100 {
		vs = append(vs, randomVec(r))
	}
	for _, v := range vs {
		p := v.Perpendicular()
		if math.Abs(p.Norm()-1) > 1e-15 || math.Abs(p.Dot(v.Unit())) > 1e-15 {
			t.Errorf("Perpendicular(%v) = %v", v, p)
		}
	}
}

func TestQuatTurns(t *testing.T) {
	h := math.Sqrt(0.5)
	for _, c := range []struct {
		name     string
		rotation Vec3
		q        Quat
		in, out  Vec3
	}{
		{"quarter about x", V(math.Pi/2, 0, 0), Quat{h, h, 0, 0}, V(0, 1, 0), V(0, 0, 1)},
		{"quarter about y", V(0, math.Pi/2, 0), Quat{h, 0, h, 0}, V(0, 0, 1), V(1, 0, 0)},
		{"quarter about z", V(0, 0, math.Pi/2), Quat{h, 0, 0, h}, V(1, 0, 0), V(0, 1, 0)},
		{"half about z", V(0, 0, math.Pi), Quat{0, 0, 0, 1}, V(1, 2, 3), V(-1, -2, 3)},
		{"third about 111", V(1, 1, 1).Unit().Scale(2 * math.Pi / 3), Quat{0.5, 0.5, 0.5, 0.5}, V(1, 2, 3), V(3, 1, 2)},
		{"none", Vec3{}, Identity, V(1, 2, 3), V(1, 2, 3)},
		{"tiny", V(0, 0, 1e-9), Quat{1, 0, 0, 5e-10}, V(1, 0, 0), V(1, 1e-9, 0)},
	} {
		q := FromRotationVector(c.rotation)
		if d := (Quat{q.W - c.q.W, q.X - c.q.X, q.Y - c.q.Y, q.Z - c.q.Z}); d.Norm() > 4e-16 {
			t.Errorf("%s: quaternion %v, want %v", c.name, q, c.q)
		}
		if v := q.Rotate(c.in); !near(v, c.out, 2e-15) {
			t.Errorf("%s: %v turns into %v, want %v", c.name, c.in, v, c.out)
		}
	}
	// Both branches of FromRotationVector meet here.
	a, b := FromRotationVector(V(0, 0, 0.9999999e-8)), FromRotationVector(V(0, 0, 1.0000001e-8))
	if d := b.Z - a.Z; math.Abs(d-1e-15) > 1e-20 {
		t.Errorf("a step of 2e-15 in the angle moves z by %g", d)
	}
}

// TestRotationsAgree compares quaternions, matrices and poses with each other.
func TestRotationsAgree(t *testing.T) {
	const tol = 3e-15
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		p, q, v := randomQuat(r), randomQuat(r), randomVec(r)
		want := q.Rotate(v)
		m := q.Mat3()
		scale := v.Norm()
		switch {
		case math.Abs(want.Norm()-scale) > tol*scale:
			t.Fatalf("%v does not keep the length of %v", q, v)
		case !near(m.MulVec(v), want, tol*scale), !near(m.T().TMulVec(v), want, tol*scale):
			t.Fatalf("matrix and quaternion %v differ", q)
		case !near(m.TMulVec(want), v, tol*scale), !near(q.RotateInv(want), v, tol*scale):
			t.Fatalf("the inverse of %v does not undo it", q)
		case !near(p.Mul(q).Rotate(v), p.Rotate(want), tol*scale):
			t.Fatalf("%v after %v is not their product", p, q)
		case !near(p.Mat3().Mul(m).MulVec(v), p.Rotate(want), tol*scale):
			t.Fatalf("the product of the matrices of %v and %v is not their product's", p, q)
		case math.Abs(m.Det()-1) > tol:
			t.Fatalf("determinant %v", m.Det())
		case math.Abs(math.Abs(m.Quat().Dot(q))-1) > tol:
			t.Fatalf("%v comes back from its matrix as %v", q, m.Quat())
		}
		a, b := Pose{randomVec(r), p}, Pose{randomVec(r), q}
		size := 10 * (1 + scale)
		switch {
		case !near(a.Mul(b).Point(v), a.Point(b.Point(v)), tol*size):
			t.Fatalf("poses %v and %v do not compose", a, b)
		case !near(a.PointInv(a.Point(v)), v, tol*size), !near(a.Inv().Point(a.Point(v)), v, tol*size):
			t.Fatalf("the inverse of pose %v does not undo it", a)
		}
	}
	if IdentityPose.Point(V(1, 2, 3)) != V(1, 2, 3) {
		t.Error("the identity moves points")
	}
}

// TestQuatOfHalfTurns reaches each of Shepperd's branches at its extreme.
func TestQuatOfHalfTurns(t *testing.T) {
	for _, q := range []Quat{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0.6, 0.8, 0}, {0, 0, 0.6, 0.8}, {0, 0.8, 0, 0.6}} {
		if got := q.Mat3().Quat(); math.Abs(math.Abs(got.Dot(q))-1) > 1e-15 {
			t.Errorf("%v comes back as %v", q, got)
		}
	}
}

func TestNormalizedZero(t *testing.T) {
	if q := (Quat{}).Normalized(); q != (Quat{}) {
		t.Errorf("%v", q)
	}
	if q := (Quat{0, 3, 0, -4}).Normalized(); q != (Quat{0, 0.6, 0, -0.8}) {
		t.Errorf("%v", q)
	}
}

func TestSym3(t *testing.T) {
	s := Sym3{XX: 4, YY: 5, ZZ: 6, XY: 1, XZ: -2, YZ: 0.5}
	v := V(1, -2, 3)
	if got, want := s.MulVec(v), s.Mat3().MulVec(v); got != want || got != V(-4, -7.5, 15) {
		t.Errorf("MulVec = %v, as a matrix %v", got, want)
	}
	if s.Add(s) != s.Scale(2) {
		t.Errorf("s + s = %v, 2s = %v", s.Add(s), s.Scale(2))
	}
	if got, want := v.Outer(), (Sym3{XX: 1, YY: 4, ZZ: 9, XY: -2, XZ: 3, YZ: -6}); got != want {
		t.Errorf("v·vᵀ = %v, expected %v", got, want)
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		// BᵀB plus the identity is positive definite and well conditioned.
		b := Mat3{randomVec(r), randomVec(r), randomVec(r)}
		m := b.T().Mul(b)
		s := Sym3{m.R0.X + 1, m.R1.Y + 1, m.R2.Z + 1, m.R0.Y, m.R0.Z, m.R1.Z}
		v, q := randomVec(r), randomQuat(r).Mat3()
		inv, ok := s.Inverse()
		if !ok || !near(inv.MulVec(s.MulVec(v)), v, 1e-12) {
			t.Fatalf("inverse of %v is %v, %v", s, inv, ok)
		}
		if !near(s.Rotated(q).MulVec(v), q.MulVec(s.MulVec(q.TMulVec(v))), 1e-12) {
			t.Fatalf("%v rotated by %v", s, q)
		}
	}
	nan := math.NaN()
	for _, bad := range []Sym3{{}, {XX: -1, YY: 1, ZZ: 1}, {XX: 1, YY: 1, ZZ: -1}, {XX: 1, YY: 1, ZZ: 1, XY: 1},
		{XX: 1, YY: 1, ZZ: 1, YZ: 2}, {XX: nan, YY: 1, ZZ: 1}, {XX: 1, YY: 1, ZZ: 1, XZ: nan}, {XX: 1e-310, YY: 1, ZZ: 1}} {
		if inv, ok := bad.Inverse(); ok || inv != (Sym3{}) {
			t.Errorf("Inverse(%v) = %v, %v", bad, inv, ok)
		}
	}
}

func TestBox(t *testing.T) {
	b := EmptyBox().With(V(1, 2, 3)).With(V(-1, 4, 3))
	if b != (Box{V(-1, 2, 3), V(1, 4, 3)}) || b.Union(EmptyBox()) != b || EmptyBox().Union(b) != b {
		t.Errorf("box %v", b)
	}
	if b.Center() != V(0, 3, 3) || b.Size() != V(2, 2, 0) {
		t.Errorf("centre %v, size %v", b.Center(), b.Size())
	}
	if b.Enlarged(1) != (Box{V(-2, 1, 2), V(2, 5, 4)}) {
		t.Errorf("enlarged %v", b.Enlarged(1))
	}
	unit := Box{Vec3{}, V(1, 1, 1)}
	for _, c := range []struct {
		name string
		at   Vec3
		want bool
	}{
		{"same", Vec3{}, true}, {"face", V(1, 0, 0), true}, {"edge", V(0, 1, -1), true}, {"corner", V(-1, -1, -1), true},
		{"beside x", V(1.001, 0, 0), false}, {"beside y", V(0, -1.001, 0), false}, {"beside z", V(0, 0, 1.001), false},
	} {
		o := Box{unit.Min.Add(c.at), unit.Max.Add(c.at)}
		if unit.Overlaps(o) != c.want || o.Overlaps(unit) != c.want {
			t.Errorf("%s: overlap is not %v", c.name, c.want)
		}
	}
	if unit.Overlaps(EmptyBox()) || EmptyBox().Overlaps(unit) {
		t.Error("the empty box overlaps something")
	}
}

func TestValuesAllocateNothing(t *testing.T) {
	p := Pose{V(1, 2, 3), FromRotationVector(V(0.1, 0.2, 0.3))}
	s := Sym3{XX: 4, YY: 5, ZZ: 6}
	sum := 0.0
	n := testing.AllocsPerRun(100, func() {
		v := p.Mul(p.Inv()).Point(V(1, 1, 1))
		inv, _ := s.Rotated(p.Rot.Mat3()).Inverse()
		a, b := Sincos(v.X)
		sum += inv.XX + a + b + Exp(v.Y) + Log(2+v.Z) + Pow(2, v.X) + Atan2(v.Y, v.X) + Acos(a)
	})
	if n != 0 || sum != sum {
		t.Errorf("%v allocations, sum %v", n, sum)
	}
}
