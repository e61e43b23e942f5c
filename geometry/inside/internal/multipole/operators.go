package multipole

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// An operator is a linear map of coefficients, a matrix with one row for each output. Coefficient 0
// of a multipole expansion is always 0, because the gradient of a constant is 0. So an operator's
// input has no place for it: its numbers are stored from row 1, in blocks of twelve, as
// asm.AddColumns requires.
type operator []asm.MatrixBlock

const columnsOfBlock = 12

// blocks returns the number of blocks of a vector up to degree p.
func blocks(p int) int { return (terms(p) - 1 + columnsOfBlock - 1) / columnsOfBlock }

// rowsOf returns the length of an operator's output: whole registers, the rest stays 0.
func rowsOf(p int) int { return (terms(p) + 7) &^ 7 }

func newOperator(p int) operator {
	n := rowsOf(p)
	all := make([]float64, blocks(p)*columnsOfBlock*n)
	o := make(operator, blocks(p))
	for b := range o {
		for k := range o[b].K {
			o[b].K[k], all = all[:n:n], all[n:]
		}
	}
	return o
}

// addTo adds the operator's product with x to y.
func (o operator) addTo(x []asm.Twelve, y []float64) {
	for b := range o {
		o[b].Y = y
		asm.AddColumns(&o[b], &x[b], 0, len(y))
	}
}

// set makes o the map from coefficients in_s^t to out_n^m = Σ k(n, m, s, t)·in_s^t over all orders
// t of degrees 1 to p, for real functions.
func (o operator) set(p int, k func(n, m, s, t int) complex128) {
	for s := 1; s <= p; s++ {
		for t := 0; t <= s; t++ {
			re := o.column(row(s, t))
			var im []float64
			if t > 0 {
				im = o.column(row(s, -t))
			}
			for n := 0; n <= p; n++ {
				for m := 0; m <= n; m++ {
					a := k(n, m, s, t)
					if t == 0 {
						re[row(n, m)] = real(a)
						if m > 0 {
							re[row(n, -m)] = imag(a)
						}
						continue
					}
					// in^-t is (-1)^t conj(in^t).
					b := k(n, m, s, -t)
					if t&1 == 1 {
						b = -b
					}
					sum, diff := a+b, a-b
					re[row(n, m)], im[row(n, m)] = real(sum), -imag(diff)
					if m > 0 {
						re[row(n, -m)], im[row(n, -m)] = imag(sum), real(diff)
					}
				}
			}
		}
	}
}

// column returns the column of element at of the input, counted from 1.
func (o operator) column(at int) []float64 {
	return o[(at-1)/columnsOfBlock].K[(at-1)%columnsOfBlock]
}

// toLocal sets o to equation (24), truncated at degree p. The local expansion is about a point D
// from the center of the multipole expansion.
func (o operator) toLocal(p int, d vec.Vec3, s []float64) {
	singular(2*p, d, s)
	o.set(p, func(n, m, k, t int) complex128 {
		v := at(s, n+k, m+t)
		if n&1 == 1 {
			return complex(-real(v), imag(v))
		}
		return complex(real(v), -imag(v))
	})
}

// toParent sets o to equation (23), for a child whose center is d from its parent's, in sides of
// the parent's cell. Each expansion is in sides of its own cell, so degree n of a child is scaled
// by 2^-(n+1): n-1 because of its gradient, and 2 because of the area.
func (o operator) toParent(p int, d vec.Vec3) {
	o.translate(p, d, func(n, m, s, t int) (degree, order, shift int) { return n - s, m - t, s + 1 })
}

// toChild sets o to equation (25), for a child whose center is d from its parent's, in sides of the
// parent's cell. Degree n is scaled by 2^-n. The input has no row 0: the caller adds row 0, which a
// translation does not change.
func (o operator) toChild(p int, d vec.Vec3) {
	o.translate(p, d, func(n, m, s, t int) (degree, order, shift int) { return s - n, t - m, n })
}

// translate makes o the map with the coefficients 2^-shift·R(d) of the degree and the order that of returns, 0 for
// those that R does not have.
func (o operator) translate(p int, d vec.Vec3, of func(n, m, s, t int) (degree, order, shift int)) {
	r := make([]float64, terms(p))
	regular(p, d, r)
	o.set(p, func(n, m, s, t int) complex128 {
		degree, order, shift := of(n, m, s, t)
		v, k := at(r, degree, order), math.Ldexp(1, -shift)
		return complex(float64(real(v)*k), float64(imag(v)*k))
	})
}
