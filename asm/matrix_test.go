package asm

import (
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

func checkMatrix(t *testing.T, s *source, n int) {
	c := &MatrixBlock{Y: s.floats(n)}
	for k := range c.K {
		c.K[k] = s.floats(n)
	}
	var u Twelve
	fill(s, u.X[:])
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	checkBits(t, c, func(c *MatrixBlock) {
		for i := lo; i < hi; i++ {
			var s [4]float64
			for j := range s {
				term := func(k int) float64 { return product(c.K[k][i], u.X[k]) }
				s[j] = sum(sum(term(j), term(j+4)), term(j+8))
			}
			total := sum(sum(s[0], s[1]), sum(s[2], s[3]))
			c.Y[i] = sum(c.Y[i], total)
		}
	}, func(c *MatrixBlock) { AddColumns(c, &u, lo, hi) })
}

func TestMatrixLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			checkMatrix(t, &source{data: noise(uint64(n), 6000)}, n)
		}
	})
}

func FuzzMatrix(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkMatrix(t, s, int(s.byte()%40))
		})
	})
}
