package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// plainVec is a vector whose operations round once each.
type plainVec [3]float64

func plainSub(a, b plainVec) (c plainVec) {
	for k := range c {
		c[k] = sum(a[k], -b[k])
	}
	return c
}

func plainDot(a, b plainVec) float64 {
	return sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]))
}

// plainTurn multiplies one more number into the product of row i, and updates its turns.
func plainTurn(c *Angles, i int, num, den float64) {
	was := c.Im[i]
	re := sum(product(c.Re[i], den), -product(was, num))
	im := sum(product(c.Re[i], num), product(was, den))
	turn := 0.0
	switch {
	case !(was < 0) && !(num < 0) && im < 0:
		turn = 1
	case was < 0 && num < 0 && !(im < 0):
		turn = -1
	}
	c.Turns[i] = sum(c.Turns[i], turn)
	c.Re[i], c.Im[i] = re, im
}

func plainEnd(c *Angles, i int) {
	length := sum(math.Abs(c.Re[i]), math.Abs(c.Im[i]))
	if !(length > leastProduct) {
		length = 0
	}
	s := 1 / length
	c.Re[i], c.Im[i] = product(c.Re[i], s), product(c.Im[i], s)
}

func plainFan(c *Angles, u *FanRun, lo, hi int) {
	for i := lo; i < hi; i++ {
		x := plainVec{c.X[i], c.Y[i], c.Z[i]}
		q := plainSub(plainVec{u.ApexX, u.ApexY, u.ApexZ}, x)
		for j := range 4 {
			a := plainSub(plainVec{u.CX[j], u.CY[j], u.CZ[j]}, x)
			b := plainSub(plainVec{u.CX[j+1], u.CY[j+1], u.CZ[j+1]}, x)
			nq, na, nb := math.Sqrt(plainDot(q, q)), math.Sqrt(plainDot(a, a)), math.Sqrt(plainDot(b, b))
			num := plainDot(plainVec{u.NX[j], u.NY[j], u.NZ[j]}, q)
			den := sum(sum(product(product(nq, na), nb), product(plainDot(q, a), nb)),
				sum(product(plainDot(q, b), na), product(plainDot(a, b), nq)))
			plainTurn(c, i, num, den)
		}
		plainEnd(c, i)
	}
}

func plainTriangles(c *Angles, u *FourTriangles, lo, hi int) {
	for i := lo; i < hi; i++ {
		x := plainVec{c.X[i], c.Y[i], c.Z[i]}
		for j := range 4 {
			a := plainSub(plainVec{u.AX[j], u.AY[j], u.AZ[j]}, x)
			b := plainSub(plainVec{u.BX[j], u.BY[j], u.BZ[j]}, x)
			d := plainSub(plainVec{u.CX[j], u.CY[j], u.CZ[j]}, x)
			na, nb, nd := math.Sqrt(plainDot(a, a)), math.Sqrt(plainDot(b, b)), math.Sqrt(plainDot(d, d))
			num := plainDot(plainVec{u.NX[j], u.NY[j], u.NZ[j]}, a)
			all := product(product(na, nb), nd)
			den := sum(sum(all, product(plainDot(a, b), nd)), sum(product(plainDot(a, d), nb), product(plainDot(b, d), na)))
			rounding := product(u.Tol[j], na)
			doubt := 0.0 // added even if 0: -0 becomes 0, as for a turn by 1 + 0i
			if share := product(doubtfulDen, all); math.Abs(num) <= rounding && den <= share || math.Abs(num) <= share && math.Abs(den) <= share || product(doubtfulNum, all) < rounding {
				doubt, num, den = 1, 0, 1
			}
			plainTurn(c, i, num, den)
			c.Doubt[i] = sum(c.Doubt[i], doubt)
		}
		plainEnd(c, i)
	}
}

func anglesOf(s *source, n int) *Angles {
	return &Angles{X: s.floats(n), Y: s.floats(n), Z: s.floats(n), Re: s.floats(n), Im: s.floats(n), Turns: s.floats(n), Doubt: s.floats(n)}
}

func fill(s *source, to ...[]float64) {
	for _, v := range to {
		copy(v, s.floats(len(v)))
	}
}

func checkAngles(t *testing.T, s *source, n int) {
	c := anglesOf(s, n)
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	var fan FanRun
	fan.ApexX, fan.ApexY, fan.ApexZ = s.float(), s.float(), s.float()
	fill(s, fan.CX[:], fan.CY[:], fan.CZ[:], fan.NX[:], fan.NY[:], fan.NZ[:])
	checkBits(t, c, func(c *Angles) { plainFan(c, &fan, lo, hi) }, func(c *Angles) { FanAngles(c, &fan, lo, hi) })
	var four FourTriangles
	fill(s, four.AX[:], four.AY[:], four.AZ[:], four.BX[:], four.BY[:], four.BZ[:], four.CX[:], four.CY[:], four.CZ[:],
		four.NX[:], four.NY[:], four.NZ[:], four.Tol[:])
	checkBits(t, c, func(c *Angles) { plainTriangles(c, &four, lo, hi) }, func(c *Angles) { TriangleAngles(c, &four, lo, hi) })
	for i := lo; i < hi; i++ {
		n := 0.0
		for j := range 4 {
			if four.Doubtful(j, c.X[i], c.Y[i], c.Z[i]) {
				n++
			}
		}
		clean := &Angles{X: c.X[i : i+1], Y: c.Y[i : i+1], Z: c.Z[i : i+1], Re: []float64{1}, Im: []float64{0}, Turns: []float64{0}, Doubt: []float64{0}}
		if TriangleAngles(clean, &four, 0, 1); clean.Doubt[0] != n {
			t.Errorf("point %d: %v triangles left out, Doubtful says %v", i, clean.Doubt[0], n)
		}
	}
}

func TestAnglesLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			checkAngles(t, &source{data: noise(uint64(n), 4000)}, n)
		}
	})
}

func FuzzAngles(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkAngles(t, s, int(s.byte()%40))
		})
	})
}

// TestAngles has a tetrahedron around a point, with the solid angle 4π: as four triangles, and as a
// fan of three with one triangle beside it. For a point outside the angle is 0. A point on a face
// is in doubt.
func TestAngles(t *testing.T) {
	v := [4]plainVec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	faces := [4][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}
	var four FourTriangles
	for j, f := range faces {
		a, b, c := v[f[0]], v[f[1]], v[f[2]]
		n := plainCross(plainSub(b, a), plainSub(c, a))
		four.AX[j], four.AY[j], four.AZ[j] = a[0], a[1], a[2]
		four.BX[j], four.BY[j], four.BZ[j] = b[0], b[1], b[2]
		four.CX[j], four.CY[j], four.CZ[j] = c[0], c[1], c[2]
		four.NX[j], four.NY[j], four.NZ[j], four.Tol[j] = n[0], n[1], n[2], 1e-15
	}
	// Corner 0 is the apex. The rim 1, 3, 2, 1 gives the three faces at the apex.
	var fan FanRun
	for j, k := range []int{1, 3, 2, 1, 1} {
		fan.CX[j], fan.CY[j], fan.CZ[j] = v[k][0], v[k][1], v[k][2]
		if j > 0 {
			n := plainCross(plainVec{fan.CX[j-1], fan.CY[j-1], fan.CZ[j-1]}, v[k])
			fan.NX[j-1], fan.NY[j-1], fan.NZ[j-1] = n[0], n[1], n[2]
		}
	}
	points := []plainVec{{0.1, 0.1, 0.1}, {1, 1, 1}, {0.25, 0.25, 0}, {-3, 0.1, 0.1}, {0.01, 0.9, 0.01}, {0.1, 0.1, -1e-9}}
	inside := []float64{1, 0, 0, 0, 1, 0}
	backends.Run(t, func(t *testing.T) {
		for pass, only := range []*FourTriangles{&four, {AX: four.AX, AY: four.AY, AZ: four.AZ}} {
			c := new(Angles)
			for _, x := range points {
				c.X, c.Y, c.Z = append(c.X, x[0]), append(c.Y, x[1]), append(c.Z, x[2])
				c.Re, c.Im = append(c.Re, 1), append(c.Im, 0)
			}
			c.Turns, c.Doubt = make([]float64, len(points)), make([]float64, len(points))
			if pass == 1 {
				// Three triangles without area, and the face opposite the apex.
				only.BX, only.BY, only.BZ, only.CX, only.CY, only.CZ = only.AX, only.AY, only.AZ, only.AX, only.AY, only.AZ
				only.AX[3], only.BX[3], only.BY[3], only.CZ[3], only.CX[3], only.CY[3] = 1, 0, 1, 1, 0, 0
				only.AY[3], only.AZ[3], only.BZ[3] = 0, 0, 0
				only.NX[3], only.NY[3], only.NZ[3] = 1, 1, 1
				FanAngles(c, &fan, 0, len(points))
			}
			TriangleAngles(c, only, 0, len(points))
			for i := range points {
				doubtful := pass == 0 && i == 2
				if (c.Doubt[i] != 0) != doubtful {
					t.Errorf("pass %d, point %v: doubt %v", pass, points[i], c.Doubt[i])
				}
				if got := c.Turns[i] + math.Atan2(c.Im[i], c.Re[i])/(2*math.Pi); i != 2 && math.Abs(got-inside[i]) > 1e-14 {
					t.Errorf("pass %d, point %v: winding number %v, want %v", pass, points[i], got, inside[i])
				}
			}
		}
	})
}

func plainCross(a, b plainVec) plainVec {
	return plainVec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
