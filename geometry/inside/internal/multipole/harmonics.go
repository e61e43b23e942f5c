package multipole

import "github.com/scree-dem/scree/vec"

// These are the solid harmonics R and S of Muth et al. (2006, equations (14) and (15)), for orders
// m ≥ 0. Negative orders follow from R_n^-m = (-1)^m conj(R_n^m), and likewise for S. With this
// sign the sums (23) to (25) hold:
//
//	R_n^m(a+b) = Σ R_s^t(a)·R_(n-s)^(m-t)(b)
//	S_n^m(a+b) = Σ (-1)^s conj(R_s^t(a))·S_(n+s)^(m+t)(b),  |a| < |b|
//
// A function whose coefficients obey the same sign rule is real. Its (p+1)² numbers are stored at
// row(n, m): the real part for m ≥ 0, and the imaginary part of order |m| for m < 0.

// row returns the index of degree n and order m.
func row(n, m int) int { return n*n + n + m }

// at returns the coefficient of degree n and order m, of either sign, from rows. It returns 0 if
// |m| > n.
func at(rows []float64, n, m int) complex128 {
	switch {
	case n < 0 || m > n || -m > n:
		return 0
	case m == 0:
		return complex(rows[row(n, 0)], 0)
	case m > 0:
		return complex(rows[row(n, m)], rows[row(n, -m)])
	}
	re, im := rows[row(n, -m)], -rows[row(n, m)]
	if m&1 != 0 {
		return complex(-re, -im)
	}
	return complex(re, im)
}

// terms returns the number of coefficients up to degree p.
func terms(p int) int { return (p + 1) * (p + 1) }

// regular stores R_n^m(x) up to degree p in the rows r.
//
//	R_m^m = (x+iy)/(2m)·R_(m-1)^(m-1)
//	(n+m)(n-m)·R_n^m = (2n-1)·z·R_(n-1)^m - |x|²·R_(n-2)^m
func regular(p int, x vec.Vec3, r []float64) {
	r2 := x.Norm2()
	r[0] = 1
	re, im := 1.0, 0.0
	for m := 0; m <= p; m++ {
		if m > 0 {
			k := 1 / float64(2*m)
			re, im = float64((float64(re*x.X)-float64(im*x.Y))*k), float64((float64(re*x.Y)+float64(im*x.X))*k)
		}
		// One column of orders ±m: degrees m, m+1, … from the two preceding ones.
		a, b, before, b0 := re, im, 0.0, 0.0
		for n := m; ; {
			r[row(n, m)] = a
			if m > 0 {
				r[row(n, -m)] = b
			}
			if n++; n > p {
				break
			}
			z, q := float64(2*n-1)*x.Z, 1/float64((n+m)*(n-m))
			a, before = float64((float64(z*a)-float64(r2*before))*q), a
			b, b0 = float64((float64(z*b)-float64(r2*b0))*q), b
		}
	}
}

// singular stores S_n^m(x) up to degree p in the rows s. x must not be 0.
//
//	S_m^m = (2m-1)·(x+iy)/|x|²·S_(m-1)^(m-1)
//	|x|²·S_n^m = (2n-1)·z·S_(n-1)^m - ((n-1)²-m²)·S_(n-2)^m
func singular(p int, x vec.Vec3, s []float64) {
	w := 1 / x.Norm2()
	re, im := 1/x.Norm(), 0.0
	for m := 0; m <= p; m++ {
		if m > 0 {
			k := float64(2*m-1) * w
			re, im = float64((float64(re*x.X)-float64(im*x.Y))*k), float64((float64(re*x.Y)+float64(im*x.X))*k)
		}
		a, b, before, b0 := re, im, 0.0, 0.0
		for n := m; ; {
			s[row(n, m)] = a
			if m > 0 {
				s[row(n, -m)] = b
			}
			if n++; n > p {
				break
			}
			z, q := float64(2*n-1)*x.Z, float64((n-1)*(n-1)-m*m)
			a, before = float64((float64(z*a)-float64(q*before))*w), a
			b, b0 = float64((float64(z*b)-float64(q*b0))*w), b
		}
	}
}

// sumRegular returns Σ L_n^m·R_n^m(x) over all orders, for the rows l of a real function.
func sumRegular(p int, x vec.Vec3, l []float64) float64 {
	r2 := x.Norm2()
	re, im := 1.0, 0.0
	sum := 0.0
	for m := 0; m <= p; m++ {
		if m > 0 {
			k := inverse[2*m]
			re, im = float64((float64(re*x.X)-float64(im*x.Y))*k), float64((float64(re*x.Y)+float64(im*x.X))*k)
		}
		// R_n^m is R_m^m times a factor that depends only on the column.
		f, before := 1.0, 0.0
		sumRe, sumIm := 0.0, 0.0
		for n := m; ; {
			sumRe += float64(f * l[row(n, m)])
			sumIm += float64(f * l[row(n, -m)])
			if n++; n > p {
				break
			}
			f, before = float64((float64(float64(float64(2*n-1)*x.Z)*f)-float64(r2*before))*inverse[(n+m)*(n-m)]), f
		}
		if m == 0 {
			sum = sumRe
			continue
		}
		term := float64(re*sumRe) - float64(im*sumIm)
		sum += term + term
	}
	return sum
}

// inverse[k] is 1/k.
var inverse = func() (v [MaxDegree*MaxDegree + 1]float64) {
	for k := 1; k < len(v); k++ {
		v[k] = 1 / float64(k)
	}
	return v
}()
