package asm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// square returns a rectangle about a point, turned by an angle, counter-clockwise.
func square(x, y, hx, hy, angle float64) (px, py, length [4]float64) {
	s, c := math.Sincos(angle)
	for k, at := range [4][2]float64{{-hx, -hy}, {hx, -hy}, {hx, hy}, {-hx, hy}} {
		px[k], py[k] = x+c*at[0]-s*at[1], y+s*at[0]+c*at[1]
	}
	return px, py, [4]float64{2 * hx, 2 * hy, 2 * hx, 2 * hy}
}

func reversed(c [4]float64) [4]float64 { return [4]float64{c[0], c[3], c[2], c[1]} }

func ones() [4]float64 { return [4]float64{1, 1, 1, 1} }

// pairOf returns two rectangles. The second runs clockwise.
func pairOf(a, b [5]float64) *FlatQuads {
	q := &FlatQuads{UseA: ones(), UseB: ones(), LengthScale: 1}
	q.AX, q.AY, q.LengthA = square(a[0], a[1], a[2], a[3], a[4])
	x, y, l := square(b[0], b[1], b[2], b[3], b[4])
	q.BX, q.BY = reversed(x), reversed(y)
	q.LengthB = [4]float64{l[3], l[2], l[1], l[0]}
	return q
}

// mean returns the mean of the corners that count, and their number.
func (q *FlatQuads) mean() (x, y, count float64) {
	s, p := q.sides(), playing(q.UseA, q.UseB)
	c := q.common(&s, &p, false)
	x, y, _ = c.meet(0)
	return x, y, c.count
}

func TestFlatQuads(t *testing.T) {
	edge := [4]float64{0, 0, 1, 1}
	tests := []struct {
		name  string
		a, b  [5]float64
		useB  [4]float64
		x, y  float64
		count float64
	}{
		{"the same", [5]float64{0, 0, 1, 1, 0}, [5]float64{0, 0, 1, 1, 0}, ones(), 0, 0, 8},
		{"half over", [5]float64{0, 0, 1, 0.5, 0}, [5]float64{1, 0, 1, 0.5, 0}, ones(), 0.5, 0, 4},
		{"aside", [5]float64{0, 0, 1, 1, 0}, [5]float64{1, 1, 1, 1, 0}, ones(), 0.5, 0.5, 4},
		{"inside", [5]float64{0, 0, 1, 1, 0}, [5]float64{0.25, 0.5, 0.25, 0.25, 0.3}, ones(), 0.25, 0.5, 4},
		{"eight corners", [5]float64{0, 0, 1, 1, 0}, [5]float64{0, 0, 1, 1, math.Pi / 4}, ones(), 0, 0, 8},
		{"a cross", [5]float64{0, 0, 2, 0.5, 0}, [5]float64{0, 0, 0.5, 2, 0}, ones(), 0, 0, 4},
		{"an edge inside", [5]float64{0, 0, 1, 1, 0}, [5]float64{1, 0, 0.5, 0.25, 0}, edge, 0.5, 0, 0},
		{"beside", [5]float64{0, 0, 1, 1, 0}, [5]float64{3, 0, 1, 1, 0}, ones(), 0, 0, 0},
	}
	for _, test := range tests {
		q := pairOf(test.a, test.b)
		if q.UseB = test.useB; test.useB == edge {
			// The corners of B are (0.5,-0.25), (0.5,0.25), (1.5,0.25), (1.5,-0.25). Only its first
			// side counts.
			q.UseB, test.count = [4]float64{1, 1, 0, 0}, 2
		}
		x, y, count := q.mean()
		if count != test.count {
			t.Errorf("%s: %v corners, want %v", test.name, count, test.count)
		}
		if count > 0 && math.Hypot(x-test.x, y-test.y) > 1e-15 {
			t.Errorf("%s: (%v, %v), want (%v, %v)", test.name, x, y, test.x, test.y)
		}
	}
}

// outside returns how far a point lies outside of a convex polygon, by the distances from the lines
// of its sides. sense is 1 for counter-clockwise.
func outside(px, py [4]float64, x, y, sense float64) float64 {
	worst := math.Inf(-1)
	for k := range 4 {
		n := (k + 1) % 4
		ex, ey := px[n]-px[k], py[n]-py[k]
		worst = max(worst, -sense*(ex*(y-py[k])-ey*(x-px[k]))/math.Hypot(ex, ey))
	}
	return worst
}

// TestFlatQuadsMean: the mean lies in both quadrangles. It is the same to rounding if they change
// places. There is a mean whenever a point of a fine grid lies well inside of both.
func TestFlatQuadsMean(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 2))
	found, missing := 0, 0
	for range 4000 {
		a := [5]float64{0, 0, 0.2 + r.Float64(), 0.2 + r.Float64(), 0}
		b := [5]float64{3*r.Float64() - 1.5, 3*r.Float64() - 1.5, 0.2 + r.Float64(), 0.2 + r.Float64(), 0}
		switch r.IntN(3) {
		case 0:
			b[4] = 6 * r.Float64()
		case 1:
			b[4] = (r.Float64() - 0.5) * math.Pow(10, -17*r.Float64())
		case 2:
			b[1], b[3] = 0, a[3] // in line, as bricks are
		}
		q := pairOf(a, b)
		x, y, count := q.mean()
		common := false
		for i := range 400 {
			px, py := 2.4*(float64(i%20)/20-0.475), 2.4*(float64(i/20)/20-0.475)
			common = common || outside(q.AX, q.AY, px, py, 1) < -1e-9 && outside(q.BX, q.BY, px, py, -1) < -1e-9
		}
		if common && count == 0 {
			t.Fatalf("nothing in common of %v and %v", a, b)
		}
		if count == 0 {
			missing++
			continue
		}
		found++
		if d := max(outside(q.AX, q.AY, x, y, 1), outside(q.BX, q.BY, x, y, -1)); d > 2*flatTol {
			t.Errorf("%v and %v: (%v, %v) lies %g outside", a, b, x, y, d)
		}
		// The plane seen from the other side: B runs counter-clockwise, A clockwise.
		flip := &FlatQuads{
			AX: q.BX, AY: neg4(q.BY), BX: q.AX, BY: neg4(q.AY),
			LengthA: q.LengthB, LengthB: q.LengthA, UseA: ones(), UseB: ones(), LengthScale: 1,
		}
		x2, y2, count2 := flip.mean()
		if count2 != count || math.Hypot(x2-x, -y2-y) > 1e-9 {
			t.Errorf("%v and %v: (%v, %v) of %v, changed over (%v, %v) of %v", a, b, x, y, count, x2, -y2, count2)
		}
	}
	if found < 1000 || missing < 100 {
		t.Errorf("%d have something in common, %d have not: not enough to prove either", found, missing)
	}
}

// TestFlatQuadsBeside: if B's lowest corner lies slightly beside A, Meet returns a point of both
// that is hardly higher. If the point had to be much higher, ok is false.
func TestFlatQuadsBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 4))
	beside, missed := 0, 0
	for range 4000 {
		hair := math.Pow(10, -4-8*r.Float64())
		b := [5]float64{0, 0, 0.2 + r.Float64(), 0.2 + r.Float64(), hair * r.NormFloat64()}
		a := [5]float64{0, 0, b[2], b[3], 0}
		same := r.IntN(3) > 0
		if !same {
			a[2], a[3] = 0.2+r.Float64(), 0.2+r.Float64()
			b[0], b[1] = math.Copysign(a[2]-b[2], r.Float64()-0.5), math.Copysign(a[3]-b[3], r.Float64()-0.5)
		}
		b[0], b[1] = b[0]+hair*r.NormFloat64(), b[1]+hair*r.NormFloat64()
		q := pairOf(a, b)
		slope := math.Pow(10, -4-8*r.Float64())
		q.SlopeX, q.SlopeY = slope*r.NormFloat64(), slope*r.NormFloat64()
		lowest := 0
		for k := range 4 {
			if q.height(q.BX[k], q.BY[k]) < q.height(q.BX[lowest], q.BY[lowest]) {
				lowest = k
			}
		}
		q.UseB = [4]float64{}
		q.UseB[lowest] = 1
		low := q.height(q.BX[lowest], q.BY[lowest])
		x, y, mean, ok := q.Meet(false)
		switch d := max(outside(q.AX, q.AY, x, y, 1), outside(q.BX, q.BY, x, y, -1)); {
		case !ok && same && 64*slope*hair < flatMiss:
			t.Errorf("%v and %v, slope %g: nothing in common", a, b, slope)
		case !ok:
			missed++
		case d > 4*flatTol:
			t.Errorf("%v and %v: (%v, %v) lies %g outside", a, b, x, y, d)
		case mean && (x != q.BX[lowest] || y != q.BY[lowest]):
			t.Errorf("%v and %v: (%v, %v) is not the lowest corner", a, b, x, y)
		case q.height(x, y)-low > flatMiss:
			t.Errorf("%v and %v: (%v, %v) is %g higher", a, b, x, y, q.height(x, y)-low)
		case !mean:
			beside++
		}
	}
	if beside < 1000 || missed < 300 {
		t.Errorf("%d meet beside the lowest corner, %d do not: not enough to prove either", beside, missed)
	}
}

func neg4(c [4]float64) [4]float64 { return [4]float64{-c[0], -c[1], -c[2], -c[3]} }
