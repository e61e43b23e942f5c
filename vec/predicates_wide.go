package vec

import (
	"math"
	"math/big"
)

// If coordinates of one determinant range from 1e-308 to 1e308, expansions do not suffice. Such
// coordinates do not occur in practice. The determinant is then computed with integers of any
// length. Only this file of the package allocates.

// wideInts returns x·2^k as integers, with the same k for all of x.
func wideInts(x ...float64) []*big.Int {
	least := math.MaxInt
	for _, v := range x {
		if v != 0 {
			_, e := math.Frexp(v)
			least = min(least, e)
		}
	}
	out := make([]*big.Int, len(x))
	for i, v := range x {
		out[i] = new(big.Int)
		if v != 0 {
			m, e := math.Frexp(v)
			out[i].SetInt64(int64(math.Ldexp(m, 53)))
			out[i].Lsh(out[i], uint(e-least))
		}
	}
	return out
}

func wideMinor(a, d, b, c *big.Int) *big.Int {
	l, r := new(big.Int).Mul(a, d), new(big.Int).Mul(b, c)
	return l.Sub(l, r)
}

func orient3DWide(a, b, c, d Vec3) int {
	p := wideInts(a.X, a.Y, a.Z, b.X, b.Y, b.Z, c.X, c.Y, c.Z, d.X, d.Y, d.Z)
	for i := 3; i < 12; i++ {
		p[i].Sub(p[i], p[i%3])
	}
	u, v, w := p[3:6], p[6:9], p[9:12]
	det := new(big.Int)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		m := wideMinor(u[i], v[j], u[j], v[i])
		det.Add(det, m.Mul(m, w[k]))
	}
	return det.Sign()
}

func orient2DWide(ax, ay, bx, by, cx, cy float64) int {
	p := wideInts(ax, ay, bx, by, cx, cy)
	for i := 2; i < 6; i++ {
		p[i].Sub(p[i], p[i%2])
	}
	return wideMinor(p[2], p[5], p[3], p[4]).Sign()
}
