package multipole

import "math"

// MaxDegree is the largest degree of expansions.
const MaxDegree = 16

// conversionRounding bounds the rounding of a conversion and of its use, as a fraction of
// 1/(D-a-b)². There are sums of up to 2·(MaxDegree+1)² products, whose absolute values add up to at
// most eight times that. With a smaller value, the bound fails if degree and distance leave only
// rounding errors. With a larger one, the bound is loose there.
const conversionRounding = 0x1p-40

// A conversion to degree p omits terms. Let u be the position of a point x relative to its cell's
// center. Let v be the position of a point y of a triangle relative to its node's center. Let D be
// the vector between the centers. Expand 1/|x-y| = 1/|D+u-v| in parts T_ns that are homogeneous of
// degree n in u and s in v: T_ns is (u·∇)^n(-v·∇)^s 1/|D| over n!·s!. Along a unit vector w,
// (w·∇)^k 1/|D| is at most k!/D^(k+1), by the Legendre polynomials. A symmetric form of several
// vectors is largest if all are equal (Banach 1938). So
//
//	|T_ns| ≤ C(n+s, n)·|u|^n·|v|^s/D^(n+s+1),  |∇_v T_ns| ≤ s·C(n+s, n)·|u|^n·|v|^(s-1)/D^(n+s+1)
//
// A conversion has the terms with n ≤ p and s ≤ p. Translations omit nothing: they map polynomials
// of degree p to polynomials of degree p. Let a be the radius of the node and b the radius of the
// cell. The omitted terms have two parts.
//
// High part: s > p and any n. Let K be the integral of |v|^p over the triangles of the node. Then
// |v|^(s-1) integrates to at most K·a^(s-1-p). For a unit of area at the distance a, all terms of
// any n and s add up to 1/(D-a-b)². Subtract the terms with s ≤ p, each summed over n: Σ C(n+s,
// n)·(b/D)^n = (1-b/D)^-(s+1).
//
// Low part: s ≤ p and n > p. T_ns is harmonic in v, and at most C(n+s, n)·b^n/D^(n+s+1) on the unit
// sphere. So its integral over the node is at most that times the norm of the node's moments of
// degree s (see momentNorm).
//
//	|J - J~| ≤ 1/(4π) Σ over conversions of (K/a^p)·high(D, a, b) + Σ_s norm_s·low_s(D, b)

// high returns a bound of a node's terms of degrees above p, for a unit of area at the distance a.
func high(p int, D, a, b float64) float64 {
	whole := 1 / ((D - a - b) * (D - a - b))
	kept, inner := 0.0, 1/(1-b/D)
	power := inner * inner / (D * D) // a^(s-1)/D^(s+1)·(1-b/D)^-(s+1)
	for s := 1; s <= p; s++ {
		kept += float64(float64(s) * power)
		power *= float64(inner*a) / D
	}
	return max(whole-kept, 0) + float64(conversionRounding*whole)
}

// low returns a bound of a node's terms of degree s and of a cell's terms of degrees above p, for
// moments of norm 1.
func low(p, s int, D, b float64) float64 {
	whole := 1.0
	for range s + 1 {
		whole /= D - b
	}
	kept, term := 0.0, 1.0
	for range s + 1 {
		term /= D
	}
	for n := 0; n <= p; n++ {
		kept += term
		term *= float64(float64(n+1+s)/float64(n+1)) * (b / D)
	}
	return max(whole-kept, 0) + float64(conversionRounding*whole)
}

// momentNorm returns a bound of Σ c_m·M_s^m, where c are the coefficients of a solid harmonic of
// degree s that is at most 1 on the unit sphere. Its mean square on the sphere is Σ
// |c_m|²/((2s+1)(s+m)!(s-m)!), which is at most 1. The bound then follows from the Cauchy-Schwarz
// inequality.
func momentNorm(s int, at func(row int) float64) float64 {
	sum := 0.0
	for m := 0; m <= s; m++ {
		square := float64(at(row(s, m)) * at(row(s, m)))
		if m > 0 {
			square = 2 * (square + float64(at(row(s, -m))*at(row(s, -m))))
		}
		sum += float64(square * float64(factorial[s+m]*factorial[s-m]))
	}
	return math.Sqrt(float64(2*s+1) * sum)
}

var factorial = func() (f [2*MaxDegree + 1]float64) {
	f[0] = 1
	for k := 1; k < len(f); k++ {
		f[k] = f[k-1] * float64(k)
	}
	return f
}()

// The radii of clusters are rounded up to fractions of the cell's side, so that a table can have
// all bounds.
const (
	radiusSteps = 16 // of a side
	maxRadius   = 4  // sides
)

// cornerRadius is the radius of a cell about its center, in sides: √3/2, rounded up.
const cornerRadius = 0x1.bb67ae8584cabp-1

// cuts has tables of high and low. The first index is the square of the distance between cells of
// one level, in sides.
type cuts struct {
	high [][radiusSteps*maxRadius + 1]float64 // second index: radius in steps
	low  [][]float64                          // second index: degree - 1
}

func newCuts(p int, most int32) *cuts {
	n := 3*most*most + 1
	c := &cuts{make([][radiusSteps*maxRadius + 1]float64, n), make([][]float64, n)}
	for square := range n {
		D := math.Sqrt(float64(square))
		for step := range c.high[square] {
			a := float64(float64(step) / radiusSteps)
			c.high[square][step] = math.Inf(1)
			if D > a+cornerRadius {
				c.high[square][step] = high(p, D, a, cornerRadius)
			}
		}
		for s := 1; s <= p && D > cornerRadius; s++ {
			c.low[square] = append(c.low[square], low(p, s, D, cornerRadius))
		}
	}
	return c
}

// reach has the data of a node that the bounds need, in sides of its cell.
type reach struct {
	near float64 // squared distance up to which cells are near
	far  float64 // K/a^p over 4π
	step uint8   // radius in steps of cuts
}

// bound returns the bound of a conversion, over 4π. norms are the norms of the node's moments over
// 4π, from degree 1.
func (c *cuts) bound(square int32, r *reach, norms []float64) float64 {
	sum := float64(r.far * c.high[square][r.step])
	for s, v := range c.low[square] {
		sum += float64(v * norms[s])
	}
	return sum
}
