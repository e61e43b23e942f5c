package engine

import (
	"math"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxTurn is the largest angle, rad, of one stage of the rotation integrator; faster bodies take
// several stages. The error per stage is of the order maxTurn⁵/100.
// Smaller: more stages. Larger: spinning bodies gain or lose energy.
const maxTurn = 0.02

// maxStages bounds the stages per step. A body that needs more turns by several radians in a step;
// that is a fault.
// Smaller: fast bodies turn less exactly.
const maxStages = 256

type kickDriftStage stepContext

// kickDrift advances velocities to the middle of the step and poses by a whole step.
func (w *World) kickDrift() {
	w.pool.For(w.bodies.Len(), 0, w.moves.drift)
	w.moves.stride = w.ctx.dt
}

// Range moves bodies lo to hi; bodies at which the kernel stops are moved one by one. moveWalls
// moves prescribed bodies.
func (c *kickDriftStage) Range(lo, hi, worker int) {
	b := &c.w.bodies
	for i := lo; i < hi; {
		from := i
		held, end := c.w.nextHeld(from, hi)
		i = kernels.Drift(b, c.w.gravity, c.dt, maxTurn*maxTurn, from, end)
		for stop := stopBehind(from, i, end); i < stop; i++ {
			if b.InvMass[i] != 0 {
				c.driftBody(i, worker)
			}
		}
		if held != nil && i == end {
			c.driftHeld(held, worker)
			i++
		}
	}
	c.w.space.NoteLate(lo, hi, worker)
}

// stopBehind returns the end of the bodies to process one by one after a kernel, called for from to
// hi, stopped at body i. If the kernel moved any body, the end is i+1. Otherwise stopBehind returns
// a run of several bodies, because a kernel call for each body costs more than it saves if all
// bodies need several stages.
func stopBehind(from, i, hi int) int {
	const several = 8
	if i == from {
		return min(i+several, hi)
	}
	return min(i+1, hi)
}

// driftBody moves a free body, with as many stages of rotation as it needs. With one stage the bits
// equal those of the kernel.
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

// spinOf returns the angular velocity, world frame, for angular momentum l, world frame, at
// orientation q.
func spinOf(q vec.Quat, l vec.Vec3, invInertia vec.Sym3) vec.Vec3 {
	r := q.Mat3()
	return r.MulVec(invInertia.MulVec(r.TMulVec(l)))
}

// rotate turns a free body of angular momentum l, world frame, for a time dt. It returns the new
// orientation and the angle turned.
//
// The angular momentum is the state variable and is constant in the world frame, so it is conserved
// to the last bit; spin follows from it and the orientation. The orientation obeys R' = R·[ω]×,
// with ω in the body frame. The derivatives of ω follow from Euler's equations ℓ' = ℓ×ω, ω = I⁻¹ℓ.
// The rotation vector is the Magnus expansion to fourth order (Magnus 1954; Iserles et al. 2000,
// with the sign for R' = R·A):
//
//	Ω = h·ω + h²/2·ω' + h³/6·ω'' + h⁴/24·ω''' + h³/12·ω×ω' + h⁴/24·ω×ω''
//
// No principal axes are needed. Cost: about 300 flops and one square root. rotate does not fail.
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

// compose turns q by the rotation vector r, given in q's own frame, and renormalises the product.
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
	// One Newton step for the norm, which deviates from 1 by rounding only.
	k := 1.5 - float64(0.5*q.Dot(q))
	return vec.Quat{W: float64(q.W * k), X: float64(q.X * k), Y: float64(q.Y * k), Z: float64(q.Z * k)}
}

// smallTurn is the value of x, the square of half the angle, below which the series of compose are
// exact. The first omitted term, x⁴/725760 of the sine's series, is below 2⁻⁵³ up to x = 0.003.
// Larger: the quaternion errs.
const smallTurn = 1e-3

// walk declares the accesses of Range.
func (c *kickDriftStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	read := w.columnsOf(a, "Force", "Torque", "InvMass", "InvInertia", "Radius", "Odometer", "Vel", "AngMom", "Pos", "Rot")
	access.Sweep(lo, hi, read, w.columnsOf(a, "Vel", "AngMom", "Pos", "Rot", "Spin", "Odometer"))
	access.Sweep(lo, hi, append(w.columnsOf(a, "Odometer"), w.space.Broad().Limits(a)), nil)
}
