package vec

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// ratOrient3D returns the sign of the determinant in rational arithmetic.
func ratOrient3D(a, b, c, d Vec3) int {
	sub := func(p, q Vec3) [3]*big.Rat {
		return [3]*big.Rat{
			new(big.Rat).Sub(rat(p.X), rat(q.X)), new(big.Rat).Sub(rat(p.Y), rat(q.Y)),
			new(big.Rat).Sub(rat(p.Z), rat(q.Z)),
		}
	}
	u, v, w := sub(b, a), sub(c, a), sub(d, a)
	det := new(big.Rat)
	for _, t := range [][4]int{{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {0, 2, 1, -1}, {1, 0, 2, -1}, {2, 1, 0, -1}} {
		p := new(big.Rat).Mul(u[t[0]], v[t[1]])
		p.Mul(p, w[t[2]])
		if t[3] < 0 {
			p.Neg(p)
		}
		det.Add(det, p)
	}
	return det.Sign()
}

func ratOrient2D(ax, ay, bx, by, cx, cy float64) int {
	l := new(big.Rat).Mul(new(big.Rat).Sub(rat(bx), rat(ax)), new(big.Rat).Sub(rat(cy), rat(ay)))
	r := new(big.Rat).Mul(new(big.Rat).Sub(rat(by), rat(ay)), new(big.Rat).Sub(rat(cx), rat(ax)))
	return l.Cmp(r)
}

// checkOrient3D compares all orders of the four points with the oracle.
func checkOrient3D(t *testing.T, p [4]Vec3) int {
	t.Helper()
	want := ratOrient3D(p[0], p[1], p[2], p[3])
	for _, o := range [][5]int{{0, 1, 2, 3, 1}, {1, 0, 2, 3, -1}, {1, 2, 0, 3, 1}, {0, 1, 3, 2, -1}, {3, 2, 1, 0, 1}, {2, 3, 0, 1, 1}} {
		a, b, c, d := p[o[0]], p[o[1]], p[o[2]], p[o[3]]
		if got := Orient3D(a, b, c, d); got != o[4]*want {
			t.Fatalf("Orient3D(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, o[4]*want)
		}
		if got := orient3DExact(a, b, c, d); got != o[4]*want {
			t.Fatalf("orient3DExact(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, o[4]*want)
		}
		if got := orient3DWide(a, b, c, d); got != o[4]*want {
			t.Fatalf("orient3DWide(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, o[4]*want)
		}
	}
	return want
}

func checkOrient2D(t *testing.T, p [3][2]float64) int {
	t.Helper()
	want := ratOrient2D(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
	for _, o := range [][4]int{{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {1, 0, 2, -1}} {
		a, b, c := p[o[0]], p[o[1]], p[o[2]]
		if got := Orient2D(a[0], a[1], b[0], b[1], c[0], c[1]); got != o[3]*want {
			t.Fatalf("Orient2D(%v, %v, %v) = %d, want %d", a, b, c, got, o[3]*want)
		}
		if got := orient2DExact(a[0], a[1], b[0], b[1], c[0], c[1]); got != o[3]*want {
			t.Fatalf("orient2DExact(%v, %v, %v) = %d, want %d", a, b, c, got, o[3]*want)
		}
		if got := orient2DWide(a[0], a[1], b[0], b[1], c[0], c[1]); got != o[3]*want {
			t.Fatalf("orient2DWide(%v, %v, %v) = %d, want %d", a, b, c, got, o[3]*want)
		}
	}
	return want
}

func TestOrient3DKnown(t *testing.T) {
	big, tiny := math.MaxFloat64, 5e-324
	cases := []struct {
		name string
		p    [4]Vec3
		want int
	}{
		{"above", [4]Vec3{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1},
		{"below", [4]Vec3{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, -1},
		{"in plane", [4]Vec3{{}, {1, 0, 0}, {0, 1, 0}, {3, 4, 0}}, 0},
		{"one ulp above", [4]Vec3{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0.3, 0.3, 1 + 0x1p-52}}, 1},
		{"smallest height", [4]Vec3{{}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.5, tiny}}, 1},
		{"all smallest", [4]Vec3{{}, {tiny, 0, 0}, {0, tiny, 0}, {0, 0, -tiny}}, -1},
		{"all largest", [4]Vec3{{-big, -big, -big}, {big, 0, 0}, {0, big, 0}, {0, 0, big}}, 1},
		{"smallest and largest", [4]Vec3{{}, {big, 0, 0}, {0, tiny, 0}, {big, tiny, tiny}}, 1},
		{"product underflows, factor huge", [4]Vec3{{}, {0, 1e-200, 0}, {0, 0, 1e-200}, {1e300, 0, 0}}, 1},
		{"coincident", [4]Vec3{{1, 2, 3}, {1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := checkOrient3D(t, c.p); got != c.want {
				t.Errorf("sign %d, want %d", got, c.want)
			}
		})
	}
}

func TestOrient2DKnown(t *testing.T) {
	big, tiny := math.MaxFloat64, 5e-324
	cases := []struct {
		name string
		p    [3][2]float64
		want int
	}{
		{"left", [3][2]float64{{0, 0}, {1, 0}, {0, 1}}, 1},
		{"right", [3][2]float64{{0, 0}, {1, 0}, {0, -1}}, -1},
		{"line", [3][2]float64{{0, 0}, {1, 1}, {3, 3}}, 0},
		{"one ulp off the diagonal", [3][2]float64{{0.5, 0.5}, {12, 12}, {24, 24 + 0x1p-48}}, 1},
		{"smallest", [3][2]float64{{0, 0}, {tiny, 0}, {0, tiny}}, 1},
		{"largest", [3][2]float64{{-big, -big}, {big, -big}, {big, big}}, 1},
		{"mixed", [3][2]float64{{0, 0}, {big, tiny}, {-big, -tiny}}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := checkOrient2D(t, c.p); got != c.want {
				t.Errorf("sign %d, want %d", got, c.want)
			}
		})
	}
}

// TestOrientNearDegenerate rounds points of a plane, so the signs depend on the last bits.
func TestOrientNearDegenerate(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	counts := map[int]int{}
	for range 4000 {
		o := Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(math.Ldexp(1, r.IntN(30)))
		u := Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		v := Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		var p [4]Vec3
		for i := range p {
			p[i] = o.AddScaled(r.NormFloat64(), u).AddScaled(r.NormFloat64(), v)
		}
		counts[checkOrient3D(t, p)]++
		// On a grid of few bits, many points are exactly coplanar.
		for i := range p {
			p[i] = Vec3{float64(r.IntN(4)) * 0.1, float64(r.IntN(4)) * 0.1, float64(r.IntN(4)) * 0.1}
		}
		counts[checkOrient3D(t, p)]++
		checkOrient2D(t, [3][2]float64{{p[0].X, p[0].Y}, {p[1].X, p[1].Y}, {p[2].X, p[2].Y}})
		a, b := r.NormFloat64(), r.NormFloat64()
		k, l := r.NormFloat64(), r.NormFloat64()
		checkOrient2D(t, [3][2]float64{{a, b}, {a * k, b * k}, {a * l, b * l}})
	}
	if counts[0] < 100 || counts[1] < 100 || counts[-1] < 100 {
		t.Errorf("signs are one-sided: %v", counts)
	}
}

func TestOrientScales(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 300 {
		var p [4]Vec3
		for i := range p {
			p[i] = Vec3{spread(r, -1074, 1023), spread(r, -1074, 1023), spread(r, -1074, 1023)}
		}
		checkOrient3D(t, p)
		checkOrient2D(t, [3][2]float64{{p[0].X, p[0].Y}, {p[1].X, p[1].Y}, {p[2].X, p[2].Y}})
		e := r.IntN(1900) - 1000
		for i := range p {
			p[i] = Vec3{spread(r, e, e+100), spread(r, e, e+100), spread(r, e, e+100)}
		}
		checkOrient3D(t, p)
	}
}

func TestOrientAllocatesNothing(t *testing.T) {
	a, b, c := Vec3{0.1, 0.2, 0.3}, Vec3{1.1, 0.2, 0.3}, Vec3{0.1, 1.2, 0.3}
	d := Vec3{0.7, 0.9, 0.3}
	n := testing.AllocsPerRun(100, func() {
		if Orient3D(a, b, c, d) != 0 || Orient2D(a.X, a.Y, b.X, b.Y, b.X+1, b.Y) != 0 {
			t.Fatal("the points are degenerate by construction")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzOrient3D(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint8(0))
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), uint8(1))
	f.Add([]byte{255, 127, 4, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x80}, uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		var x [12]float64
		for i := range x {
			switch {
			case kind%2 == 0 && i < len(data):
				// Few values cause many ties and exact zeros.
				x[i] = float64(int8(data[i])) * 0.1
			case 8*i+8 <= len(data):
				v := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
				if v-v == 0 {
					x[i] = v
				}
			}
		}
		checkOrient3D(t, [4]Vec3{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]}})
		checkOrient2D(t, [3][2]float64{{x[0], x[1]}, {x[2], x[3]}, {x[4], x[5]}})
	})
}

func BenchmarkOrient3D(b *testing.B) {
	p := [4]Vec3{{0.1, 0.2, 0.3}, {1.1, 0.25, 0.3}, {0.1, 1.2, 0.3}, {0.7, 0.9, 0.3}}
	for _, c := range []struct {
		name string
		z    float64
	}{{"filter", 0.4}, {"exact", 0.3}} {
		b.Run("path="+c.name, func(b *testing.B) {
			p[3].Z = c.z
			sum := 0
			for b.Loop() {
				sum += Orient3D(p[0], p[1], p[2], p[3])
			}
			b.ReportMetric(float64(sum)/float64(b.N), "checksum")
		})
	}
}
