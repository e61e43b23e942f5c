package asm

// MotionColumns holds rigid bodies, one row a body. All columns have one length. The unit quaternion (W,
// X, Y, Z) turns the body frame into the world frame. The inverse inertia is in the body frame,
// everything else in the world frame. A row whose InvMass is 0 is not free, and kernels never
// change it.
type MotionColumns struct {
	PosX, PosY, PosZ                         []float64 // of the centre of mass
	RotW, RotX, RotY, RotZ                   []float64
	VelX, VelY, VelZ                         []float64
	AngMomX, AngMomY, AngMomZ                []float64 // angular momentum
	SpinX, SpinY, SpinZ                      []float64 // angular velocity
	ForceX, ForceY, ForceZ                   []float64
	TorqueX, TorqueY, TorqueZ                []float64
	InvXX, InvYY, InvZZ, InvXY, InvXZ, InvYZ []float64 // inverse inertia
	InvMass                                  []float64
	Odometer                                 []float64 // bounds the path of every point of the body, see Advance
	Radius                                   []float64 // bounding radius about the centre of mass
}

// Drift advances the free bodies lo ≤ i < next in place: velocity and angular momentum by half a
// time step, then pose, spin and odometer by a whole step. It stops at the first body that it must
// not move: a body that is not free, that would turn farther in one stage than the rotation formula
// allows, or whose turn is a NaN. Drift does not change that row. next is that row, or hi.
//
//	for i := lo; i < hi; i++ {
//		v += half·gravity + (half·InvMass)·Force, l += half·Torque, half = 0.5·dt
//		if InvMass == 0 || !((ω·ω·dt)·dt <= turn2) || !(Ω·Ω/4 < smallTurn) { return i }
//		Pos += dt·v, Rot = Rot turned by Ω(l), Spin = R·I⁻¹·Rᵀ·l
//		Odometer = Advance(Odometer, Radius, the pose before, the pose now)
//	}
//
//	all columns have one length; 0 <= lo <= hi <= that length
//
// turn2 is the square of the largest angle, rad, of a stage. ω is the spin in the body frame before
// the stage. Ω is the rotation vector to fourth order (Magnus 1954; Iserles et al. 2000); drift of
// asm/gen has its formula.
//
// Exact: each product is rounded. All columns share one system of units.
func Drift(m *MotionColumns, gx, gy, gz, dt, turn2 float64, lo, hi int) (next int) {
	half, h2 := 0.5*dt, float64(dt*dt)
	h3, h4 := float64(h2*dt), float64(h2*h2)
	u := driftUniforms{
		dt: dt, half: half, turn2: turn2,
		kickX: float64(half * gx), kickY: float64(half * gy), kickZ: float64(half * gz),
		first: h2 / 2, second: h3 / 6, third: h4 / 24, cross1: h3 / 12,
	}
	return drift(m, &u, lo, hi)
}

// driftUniforms holds the values that all bodies share in Drift.
type driftUniforms struct {
	dt, half            float64
	kickX, kickY, kickZ float64 // gravity times half a time step
	first               float64 // coefficients of the rotation vector
	second              float64
	third               float64
	cross1              float64
	turn2               float64
}

// Kick advances the free bodies lo ≤ i < next in place by the second half of a time step: velocity,
// angular momentum and spin. It stops at the first body that is not free, or whose motion is not
// finite afterwards. Kick does not change that row. next is that row, or hi.
//
//	for i := lo; i < hi; i++ {
//		v += half·gravity + (half·InvMass)·Force, l += half·Torque, s = R·I⁻¹·Rᵀ·l
//		if InvMass == 0 || v, l, Pos or s is not finite { return i }
//		Vel, AngMom, Spin = v, l, s
//	}
//
//	all columns have one length; 0 <= lo <= hi <= that length
//
// Finite means that the sum of all components is finite.
//
// Exact: each product is rounded. All columns share one system of units.
func Kick(m *MotionColumns, gx, gy, gz, half float64, lo, hi int) (next int) {
	u := kickUniforms{half, float64(half * gx), float64(half * gy), float64(half * gz)}
	return kick(m, &u, lo, hi)
}

// kickUniforms holds the values that all bodies share in Kick.
type kickUniforms struct {
	half                float64
	kickX, kickY, kickZ float64
}
