package asm

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

func plainSquare(q []float64, r plainVec) float64 {
	x, y, z := r[0], r[1], r[2]
	first := product(x, sum(sum(product(q[0], x), product(q[1], y)), product(q[2], z)))
	return sum(first, sum(product(y, sum(product(q[3], y), product(q[4], z))), product(q[5], product(z, z))))
}

func plainDipoles(c *Dipoles, u *DipoleCluster, lo, hi int) {
	for i := lo; i < hi; i++ {
		r := plainSub(plainVec{u.CX, u.CY, u.CZ}, plainVec{c.X[i], c.Y[i], c.Z[i]})
		y, z, t := r[1], r[2], u.T
		w := 1 / plainDot(r, r)
		rest := sum(product(y, sum(product(t[6], y), product(t[7], z))), product(t[8], product(z, z)))
		cube := sum(product(r[0], plainSquare(t[:6], r)), sum(product(y, rest), product(t[9], product(z, product(z, z)))))
		inner := sum(plainDot(u.N, r), product(w, sum(plainSquare(u.Q[:], r), product(w, cube))))
		c.Sum[i] = sum(c.Sum[i], product(product(w, math.Sqrt(w)), inner))
	}
}

func checkDipoles(t *testing.T, s *source, n int) {
	c := &Dipoles{X: s.floats(n), Y: s.floats(n), Z: s.floats(n), Sum: s.floats(n)}
	u := DipoleCluster{CX: s.float(), CY: s.float(), CZ: s.float()}
	fill(s, u.N[:], u.Q[:], u.T[:])
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	checkBits(t, c, func(c *Dipoles) { plainDipoles(c, &u, lo, hi) }, func(c *Dipoles) { DipoleAngles(c, &u, lo, hi) })
}

func TestDipolesLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			checkDipoles(t, &source{data: noise(uint64(n), 4000)}, n)
		}
	})
}

func FuzzDipoles(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkDipoles(t, s, int(s.byte()%40))
		})
	})
}
