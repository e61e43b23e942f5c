package engine

import (
	"math"

	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxTurn is the largest angle, rad, that one stage of the rotation integrator turns; faster bodies
// take several. Its error per stage is of the order maxTurn⁵/100.
const maxTurn = 0.02

// maxStages bounds the work on a body that turns absurdly fast: one that needs more turns by several radians
// in a step, and is a fault.
const maxStages = 256

type kickDriftStage stepContext

// kickDrift advances poses by a step, and velocities to its middle.
func (w *World) kickDrift() {
	w.pool.For(w.bodies.Len(), 0, w.moves.drift)
	w.moves.stride = w.ctx.dt
}

// Range moves bodies lo to hi: those the kernel stops at one by one. Prescribed ones are moved elsewhere.
func (c *kickDriftStage) Range(lo, hi, worker int) {
	b := &c.w.bodies
	for i := lo; i < hi; {
		from := i
		i = kernels.Drift(b, c.w.gravity, c.dt, maxTurn*maxTurn, from, hi)
		for stop := stopBehind(from, i, hi); i < stop; i++ {
			if b.InvMass[i] != 0 {
				c.driftBody(i, worker)
			}
		}
	}
	c.w.noteLate(lo, hi, worker)
}

// stopBehind returns up to where bodies go one by one after a kernel that was asked for from to hi stopped at i. That
// is the one body, unless the kernel has moved none: then several, for where all bodies need several
// stages, asking for each would cost more than it saves.
func stopBehind(from, i, hi int) int {
	const several = 8
	if i == from {
		return min(i+several, hi)
	}
	return min(i+1, hi)
}

// driftBody moves a free body, with as many stages of rotation as it needs. Where that is one, the bits are
// the kernel's.
func (c *kickDriftStage) driftBody(i, worker int) {
	b, dt := &c.w.bodies, c.dt
	v, l := c.w.halfKick(i, 0.5*dt)
	q, turned := rotate(b.Rot.At(i), l, b.InvInertia.At(i), dt)
	if !(turned <= maxTurn*maxStages) {
		c.w.work[worker].fault(i)
	}
	kernels.Move(b, soa.Body(i), vec.Pose{Pos: b.Pos.At(i).AddScaled(dt, v), Rot: q})
	b.Spin.Set(i, spinOf(q, l, b.InvInertia.At(i)))
}

// spinOf returns the angular velocity, world frame, of angular momentum l.
func spinOf(q vec.Quat, l vec.Vec3, invInertia vec.Sym3) vec.Vec3 {
	r := q.Mat3()
	return r.MulVec(invInertia.MulVec(r.TMulVec(l)))
}

// rotate turns a free body of angular momentum l, world frame, by a time dt, and returns its new
// orientation and the angle it turned.
//
// The angular momentum is constant in the world frame, and is the state; so it is conserved to the
// last bit, and with it the orientation gives the spin. The orientation obeys R' = R·[ω]×, ω in the body
// frame, whose derivatives follow from Euler's equations ℓ' = ℓ×ω, ω = I⁻¹ℓ. The rotation vector is their
// Magnus expansion to fourth order (Magnus 1954; Iserles et al. 2000, with the sign for R' = R·A):
//
//	Ω = h·ω + h²/2·ω' + h³/6·ω'' + h⁴/24·ω''' + h³/12·ω×ω' + h⁴/24·ω×ω''
//
// No principal axes are needed. Cost: about 300 flops, one square root. It does not fail.
func rotate(q vec.Quat, l vec.Vec3, invInertia vec.Sym3, dt float64) (vec.Quat, float64) {
	l0 := q.RotateInv(l)
	w0 := invInertia.MulVec(l0)
	stages, h := 1, dt
	if w2 := w0.Norm2(); float64(w2*dt)*dt > maxTurn*maxTurn {
		stages = int(min(math.Ceil(math.Sqrt(w2)*dt/maxTurn), maxStages))
		h = dt / float64(stages)
	}
	turned := 0.0
	for stage := range stages {
		if stage > 0 {
			l0 = q.RotateInv(l)
			w0 = invInertia.MulVec(l0)
		}
		l1 := l0.Cross(w0)
		w1 := invInertia.MulVec(l1)
		l2 := l1.Cross(w0).Add(l0.Cross(w1))
		w2 := invInertia.MulVec(l2)
		l3 := l2.Cross(w0).AddScaled(2, l1.Cross(w1)).Add(l0.Cross(w2))
		w3 := invInertia.MulVec(l3)
		h2 := float64(h * h)
		h3, h4 := float64(h2*h), float64(h2*h2)
		turn := w0.Scale(h).AddScaled(h2/2, w1).AddScaled(h3/6, w2).AddScaled(h4/24, w3).
			AddScaled(h3/12, w0.Cross(w1)).AddScaled(h4/24, w0.Cross(w2))
		q = compose(q, turn)
		turned += turn.Norm()
	}
	return q, turned
}

// compose turns q by the rotation vector r of its own frame and renews its norm.
func compose(q vec.Quat, r vec.Vec3) vec.Quat {
	x := 0.25 * r.Norm2() // square of half the angle
	var s, c float64      // sin(√x)/√x / 2 and cos(√x)
	if x < smallTurn {
		s = 0.5 - float64(x*(1.0/12-float64(x*(1.0/240-float64(x*(1.0/10080))))))
		c = 1 - float64(x*(0.5-float64(x*(1.0/24-float64(x*(1.0/720-float64(x*(1.0/40320))))))))
	} else {
		a := math.Sqrt(x)
		s, c = vec.Sincos(a)
		s = 0.5 * s / a
	}
	q = q.Mul(vec.Quat{W: c, X: float64(s * r.X), Y: float64(s * r.Y), Z: float64(s * r.Z)})
	// One step of Newton for the norm, which is off by rounding alone.
	k := 1.5 - float64(0.5*q.Dot(q))
	return vec.Quat{W: float64(q.W * k), X: float64(q.X * k), Y: float64(q.Y * k), Z: float64(q.Z * k)}
}

// smallTurn is the square of half an angle below which the series of compose are exact: the first
// term left out, x⁴/725760 of the sine's, is under 2⁻⁵³ up to x = 0.003.
const smallTurn = 1e-3
