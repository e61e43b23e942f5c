package multipole

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

func somewhere(r *rand.Rand, length float64) vec.Vec3 {
	for {
		v := vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
		if n := v.Norm(); n > 0.1 && n < 1 {
			return v.Scale(length / n)
		}
	}
}

// TestHarmonicsByHand compares the first harmonics with their polynomials.
func TestHarmonicsByHand(t *testing.T) {
	r := make([]float64, terms(3))
	x, y, z := 0.3, -0.7, 1.1
	regular(3, vec.V(x, y, z), r)
	for at, want := range map[[2]int]float64{
		{0, 0}: 1, {1, 0}: z, {1, 1}: x / 2, {1, -1}: y / 2,
		{2, 0}: (2*z*z - x*x - y*y) / 4, {2, 1}: x * z / 2, {2, -1}: y * z / 2, {2, 2}: (x*x - y*y) / 8, {2, -2}: 2 * x * y / 8,
		{3, 0}: z * (2*z*z - 3*x*x - 3*y*y) / 12,
	} {
		if got := r[row(at[0], at[1])]; math.Abs(got-want) > 1e-15 {
			t.Errorf("R_%d^%d is %v, want %v", at[0], at[1], got, want)
		}
	}
}

// TestHarmonicsInLargeNumbers repeats the recurrences with 300 bits.
func TestHarmonicsInLargeNumbers(t *testing.T) {
	const p = MaxDegree
	rng := rand.New(rand.NewPCG(1, 1))
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	mul := func(a, b *big.Float) *big.Float { return num(0).Mul(a, b) }
	sub := func(a, b *big.Float) *big.Float { return num(0).Sub(a, b) }
	add := func(a, b *big.Float) *big.Float { return num(0).Add(a, b) }
	for range 4 {
		x := somewhere(rng, 0.9)
		got := make([]float64, terms(p))
		regular(p, x, got)
		bx, by, bz := num(x.X), num(x.Y), num(x.Z)
		r2 := add(add(mul(bx, bx), mul(by, by)), mul(bz, bz))
		re, im := num(1), num(0)
		for m := 0; m <= p; m++ {
			if m > 0 {
				k := num(float64(2 * m))
				re, im = num(0).Quo(sub(mul(re, bx), mul(im, by)), k), num(0).Quo(add(mul(re, by), mul(im, bx)), k)
			}
			a, b, a0, b0 := re, im, num(0), num(0)
			for n := m; n <= p; {
				// The largest |R_n^m| on the sphere scales the error.
				scale := math.Pow(0.9, float64(n))
				for k := 2; k <= n+m; k++ {
					scale /= math.Sqrt(float64(k))
				}
				for k := 2; k <= n-m; k++ {
					scale /= math.Sqrt(float64(k))
				}
				wa, _ := a.Float64()
				wb, _ := b.Float64()
				if e := math.Abs(got[row(n, m)] - wa); e > 1e-14*scale {
					t.Errorf("R_%d^%d off by %g of %g", n, m, e, scale)
				}
				if m > 0 && math.Abs(got[row(n, -m)]-wb) > 1e-14*scale {
					t.Errorf("R_%d^%d, imaginary, off", n, m)
				}
				n++
				z, q := mul(num(float64(2*n-1)), bz), num(float64((n+m)*(n-m)))
				if n > p {
					break
				}
				a, a0 = num(0).Quo(sub(mul(z, a), mul(r2, a0)), q), a
				b, b0 = num(0).Quo(sub(mul(z, b), mul(r2, b0)), q), b
			}
		}
	}
}

// TestKernel checks equation (13): 1/|x-y| as a sum of products.
func TestKernel(t *testing.T) {
	const p = MaxDegree
	rng := rand.New(rand.NewPCG(2, 1))
	for range 20 {
		x, y := somewhere(rng, 0.15), somewhere(rng, 1)
		r, s := make([]float64, terms(p)), make([]float64, terms(p))
		regular(p, x, r)
		got := sumSingular(p, y, r, s)
		if want := 1 / x.Sub(y).Norm(); math.Abs(got-want) > 1e-11 {
			t.Errorf("1/|x-y| is %v, want %v", got, want)
		}
	}
}

// charges is a few point charges near the origin. Their multipole expansion is Σ q·R; its row 0 is
// their sum, here 0.
type charges struct {
	at []vec.Vec3
	q  []float64
}

func newCharges(rng *rand.Rand, n int, size float64) *charges {
	c, sum := &charges{}, 0.0
	for i := range n {
		q := rng.Float64() - 0.5
		if i == n-1 {
			q = -sum
		}
		sum += q
		c.at, c.q = append(c.at, somewhere(rng, size*rng.Float64())), append(c.q, q)
	}
	return c
}

func (c *charges) multipole(p int, center vec.Vec3, scale float64) []float64 {
	m, r := make([]float64, terms(p)), make([]float64, terms(p))
	for i, x := range c.at {
		regular(p, x.Sub(center).Scale(scale), r)
		for k, v := range r {
			m[k] += c.q[i] * v
		}
	}
	return m
}

func inBlocks(p int, m []float64) []asm.Twelve {
	x := make([]asm.Twelve, blocks(p))
	for k := 1; k < terms(p); k++ {
		addRow(x, k, m[k])
	}
	return x
}

func near(a, b []float64, tol float64) bool {
	for k := range b {
		if !(math.Abs(a[k]-b[k]) <= tol) {
			return false
		}
	}
	return true
}

// TestOperators compares each translation with brute force.
func TestOperators(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, p := range []int{1, 2, 4, 5, 8, 12} {
		// To the parent: the charges' own expansion about the parent's center, in sides of its
		// cell. Charges have no factor of length and area, unlike panels, for which toParent is
		// made. The factor 2^(1+1) corrects that.
		c := newCharges(rng, 5, 0.4)
		d := vec.V(0.25, -0.25, 0.25)
		o := newOperator(p)
		o.toParent(p, d)
		y := make([]float64, rowsOf(p))
		o.addTo(inBlocks(p, c.multipole(p, vec.Vec3{}, 1)), y)
		want := c.multipole(p, d.Scale(-2), 0.5)
		for k := range y {
			y[k] *= 2
		}
		if !near(y, want, 1e-14) {
			t.Errorf("degree %d: to the parent %v, want %v", p, y, want)
		}

		// To the child: the same function about two centers at the same points.
		l := make([]float64, terms(p))
		for k := range l {
			l[k] = rng.Float64() - 0.5
		}
		o = newOperator(p)
		o.toChild(p, d)
		y = make([]float64, rowsOf(p))
		o.addTo(inBlocks(p, l), y)
		y[0] += l[0]
		for range 10 {
			u := somewhere(rng, 0.5)
			a, b := sumRegular(p, u, y), sumRegular(p, d.Add(u.Scale(0.5)), l)
			if math.Abs(a-b) > 1e-13 {
				t.Errorf("degree %d: at %v of the child %v, of the parent %v", p, u, a, b)
			}
		}
	}
	// To local: the error of the charges' potential falls with the bound of two geometric series.
	for _, p := range []int{3, 6, 12} {
		c := newCharges(rng, 6, 0.6)
		d := vec.V(2, 2, 1)
		o := newOperator(p)
		s := make([]float64, terms(2*p))
		o.toLocal(p, d, s)
		y := make([]float64, rowsOf(p))
		o.addTo(inBlocks(p, c.multipole(p, vec.Vec3{}, 1)), y)
		charge := 0.0
		for _, q := range c.q {
			charge += math.Abs(q)
		}
		for range 20 {
			u := somewhere(rng, 0.6*rng.Float64())
			want := 0.0
			for i, at := range c.at {
				want += c.q[i] / d.Add(u).Sub(at).Norm()
			}
			got := sumRegular(p, u, y)
			bound := charge * math.Pow(1.2/3, float64(p+1)) / (3 - 1.2)
			if math.Abs(got-want) > bound {
				t.Errorf("degree %d: potential %v, want %v: off by %g, bound %g", p, got, want, got-want, bound)
			}
		}
	}
}

// TestPanels compares the moments of a triangle by its edges with Gauss points inside it.
func TestPanels(t *testing.T) {
	const p = 7
	rng := rand.New(rand.NewPCG(4, 1))
	at, weight := gauss(8)
	for range 5 {
		a, b, c := somewhere(rng, 0.8), somewhere(rng, 0.7), somewhere(rng, 0.9)
		got, e := make([]asm.Twelve, blocks(p)), newEdges(p)
		e.add(a, b, got)
		e.add(b, c, got)
		e.add(c, a, got)
		normal := b.Sub(a).Cross(c.Sub(a))
		want := make([]float64, terms(p))
		const h = 1e-5
		for i, u := range at {
			for j, v := range at {
				// A square folded to the triangle.
				y := a.AddScaled(u, b.Sub(a)).AddScaled(u*v, c.Sub(b))
				lo, hi := make([]float64, terms(p)), make([]float64, terms(p))
				regular(p, y.AddScaled(-h, normal), lo)
				regular(p, y.AddScaled(h, normal), hi)
				for k := range want {
					want[k] += weight[i] * weight[j] * u * (hi[k] - lo[k]) / (2 * h)
				}
			}
		}
		for k := 1; k < terms(p); k++ {
			if v := got[(k-1)/12].X[(k-1)%12]; math.Abs(v-want[k]) > 1e-9 {
				t.Errorf("row %d: %v, want %v", k, v, want[k])
			}
		}
	}
}

// sumSingular returns Σ conj(S_n^m(x))·M_n^m over all orders, for the rows m of a real function.
func sumSingular(p int, x vec.Vec3, moments, s []float64) (sum float64) {
	singular(p, x, s)
	for n := 0; n <= p; n++ {
		for m := 0; m <= n; m++ {
			v := at(s, n, m)
			term := float64(real(v) * moments[row(n, m)])
			if m > 0 {
				term += float64(imag(v) * moments[row(n, -m)])
				term += term
			}
			sum += term
		}
	}
	return sum
}
