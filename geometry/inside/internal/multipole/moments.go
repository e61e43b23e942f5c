package multipole

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// edges integrates panel coefficients (22) over sets of triangles, exactly up to rounding. The
// gradient F of R_n^m is homogeneous of degree n-1 and has neither curl nor divergence, so F =
// -curl(y×F)/(n+1). By Stokes's theorem
//
//	∫ n·∇R_n^m dA = -1/(n+1) Σ (e×a)·∫ ∇R_n^m(a + τe) dτ, τ from 0 to 1
//
// over the edges e = b - a of the set's rim, because e×y is constant along an edge. Each component
// of the gradient is R of degree n-1,
//
//	∂x R_n^m = (R_(n-1)^(m-1) - R_(n-1)^(m+1))/2
//	∂y R_n^m = i(R_(n-1)^(m-1) + R_(n-1)^(m+1))/2
//	∂z R_n^m = R_(n-1)^m
//
// and ⌈p/2⌉ points of Gauss's rule integrate a polynomial of degree p-1.
type edges struct {
	p           int
	at, weight  []float64 // points and weights of the rule on [0, 1]
	values, sum []float64
}

func newEdges(p int) *edges {
	at, weight := gauss((p + 1) / 2)
	return &edges{p: p, at: at, weight: weight, values: make([]float64, terms(p-1)), sum: make([]float64, terms(p-1))}
}

// add adds the part of the edge from a to b to the moments m, stored in blocks from row 1.
func (e *edges) add(a, b vec.Vec3, m []asm.Twelve) {
	along := b.Sub(a)
	w := along.Cross(a)
	clear(e.sum)
	for i, t := range e.at {
		regular(e.p-1, a.AddScaled(t, along), e.values)
		for k, v := range e.values {
			e.sum[k] += float64(e.weight[i] * v)
		}
	}
	for n := 1; n <= e.p; n++ {
		k := -inverse[n+1]
		for o := 0; o <= n; o++ {
			below, above, same := at(e.sum, n-1, o-1), at(e.sum, n-1, o+1), at(e.sum, n-1, o)
			// w·∇R = wx(below-above)/2 + i·wy(below+above)/2 + wz·same
			less, sum := below-above, below+above
			re := float64(0.5*(float64(w.X*real(less))-float64(w.Y*imag(sum)))) + float64(w.Z*real(same))
			im := float64(0.5*(float64(w.X*imag(less))+float64(w.Y*real(sum)))) + float64(w.Z*imag(same))
			addRow(m, row(n, o), float64(k*re))
			if o > 0 {
				addRow(m, row(n, -o), float64(k*im))
			}
		}
	}
}

func addRow(m []asm.Twelve, row int, v float64) {
	m[(row-1)/columnsOfBlock].X[(row-1)%columnsOfBlock] += v
}

// gauss returns the Gauss-Legendre rule of n points on [0, 1], by Newton's method for the roots of
// P_n.
func gauss(n int) (at, weight []float64) {
	at, weight = make([]float64, n), make([]float64, n)
	for i := range n {
		_, x := vec.Sincos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
		slope := 0.0
		for range 12 {
			// P_k by its recurrence, and P_n' = n(x·P_n - P_(n-1))/(x²-1).
			now, before := x, 1.0
			for k := 2; k <= n; k++ {
				now, before = (float64(float64(float64(2*k-1)*x)*now)-float64(float64(k-1)*before))/float64(k), now
			}
			slope = float64(n) * (float64(x*now) - before) / (float64(x*x) - 1)
			x -= now / slope
		}
		at[i] = 0.5 - float64(0.5*x)
		weight[i] = 1 / ((1 - float64(x*x)) * float64(slope*slope))
	}
	return at, weight
}
