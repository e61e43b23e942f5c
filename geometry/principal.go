package geometry

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// isotropicRel times the largest moment is the largest product of inertia that counts as zero. So a
// body without preferred axes has the identity as its frame, not a rotation that rounding
// determines.
// Smaller: rounding decides the principal frame of a cube.
const isotropicRel = 4e-15

// Principal returns the principal moments, m⁵, and the frame of the principal axes. frame maps the
// principal axes to the axes of Inertia: Inertia = R·diag(moments)·Rᵀ with R = frame.Mat3(). The
// frame is right-handed, and is the identity if Inertia is diagonal. The moments are not sorted.
// Their error is a few 1e-16 of the largest moment.
//
// The method is cyclic Jacobi rotation by the smaller angle (Jacobi 1846, in the form of
// Rutishauser 1966).
func (m MassProperties) Principal() (moments vec.Vec3, frame vec.Quat) {
	s := m.Inertia
	a := [3][3]float64{{s.XX, s.XY, s.XZ}, {s.XY, s.YY, s.YZ}, {s.XZ, s.YZ, s.ZZ}}
	r := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	zero := isotropicRel * max(math.Abs(s.XX), math.Abs(s.YY), math.Abs(s.ZZ))
	turned := false
	// Convergence is quadratic: 6 sweeps reach rounding from any matrix. Denormals may take more.
	for range 16 {
		quiet := true
		for p := 0; p < 2; p++ {
			for q := p + 1; q < 3; q++ {
				if !(math.Abs(a[p][q]) > zero) {
					continue
				}
				jacobi(&a, &r, p, q)
				quiet, turned = false, true
			}
		}
		if quiet {
			break
		}
	}
	moments = vec.V(a[0][0], a[1][1], a[2][2])
	if !turned {
		return moments, vec.Identity
	}
	frame = vec.Mat3{
		R0: vec.V(r[0][0], r[0][1], r[0][2]),
		R1: vec.V(r[1][0], r[1][1], r[1][2]),
		R2: vec.V(r[2][0], r[2][1], r[2][2]),
	}.Quat()
	if frame.W < 0 {
		frame = vec.Quat{W: -frame.W, X: -frame.X, Y: -frame.Y, Z: -frame.Z}
	}
	return moments, frame
}

// jacobi rotates a and r in the plane of p and q by the angle that makes a[p][q] zero.
func jacobi(a, r *[3][3]float64, p, q int) {
	// t is the tangent of the smaller angle: t² + 2θt - 1 = 0.
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(1+float64(theta*theta)))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+float64(t*t))
	s := float64(t * c)
	off := a[p][q]
	a[p][p] -= float64(t * off)
	a[q][q] += float64(t * off)
	a[p][q], a[q][p] = 0, 0
	k := 3 - p - q
	akp, akq := a[k][p], a[k][q]
	a[k][p] = float64(c*akp) - float64(s*akq)
	a[k][q] = float64(s*akp) + float64(c*akq)
	a[p][k], a[q][k] = a[k][p], a[k][q]
	for i := range r {
		rp, rq := r[i][p], r[i][q]
		r[i][p] = float64(c*rp) - float64(s*rq)
		r[i][q] = float64(s*rp) + float64(c*rq)
	}
}
