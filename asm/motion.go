package asm

// Motion is the columns of rigid bodies that move freely: one row a body, all of one length. The rotation (W, X,
// Y, Z) brings the body frame to the world frame and is unit; the inverse inertia is in the body frame, all
// else in the world frame. A row whose InvMass is 0 is not free and is never touched.
type Motion struct {
	PosX, PosY, PosZ                         []float64 // of the centre of mass
	RotW, RotX, RotY, RotZ                   []float64
	VelX, VelY, VelZ                         []float64
	AngMomX, AngMomY, AngMomZ                []float64 // angular momentum
	SpinX, SpinY, SpinZ                      []float64 // angular velocity
	ForceX, ForceY, ForceZ                   []float64
	TorqueX, TorqueY, TorqueZ                []float64
	InvXX, InvYY, InvZZ, InvXY, InvXZ, InvYZ []float64 // inverse inertia
	InvMass                                  []float64
	Odometer                                 []float64 // bound of the path of any point of the body, see Advance
	Radius                                   []float64 // of the body about its centre of mass
}

// Drift advances free bodies lo ≤ i < next in place: velocity and angular momentum by half a time step, then
// pose, spin and odometer by a whole one. It stops at the first body that it must not move, or hi: one
// that is not free, one that would turn farther in a stage than the rotation formula is good for, one
// that has a turn that is not a number. That row is as it was.
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
// turn2 is the square of the largest angle, rad, of a stage. Ω is the rotation vector of the fourth order
// that drift of asm/gen writes out (Magnus 1954; Iserles et al. 2000), ω the spin in the body frame before it.
//
// Exact, each product rounded. Unit: whatever the columns share.
func Drift(m *Motion, gx, gy, gz, dt, turn2 float64, lo, hi int) (next int) {
	half, h2 := 0.5*dt, float64(dt*dt)
	h3, h4 := float64(h2*dt), float64(h2*h2)
	u := driftUniforms{
		dt: dt, half: half, turn2: turn2,
		kickX: float64(half * gx), kickY: float64(half * gy), kickZ: float64(half * gz),
		first: h2 / 2, second: h3 / 6, third: h4 / 24, cross1: h3 / 12,
	}
	return drift(m, &u, lo, hi)
}

// driftUniforms is what all bodies share in Drift.
type driftUniforms struct {
	dt, half            float64
	kickX, kickY, kickZ float64 // what gravity adds to a velocity
	first               float64 // factors of the rotation vector
	second              float64
	third               float64
	cross1              float64
	turn2               float64
}

// Kick advances free bodies lo ≤ i < next in place by the second half of a time step: velocity, angular momentum
// and spin. It stops at the first body that is not free, or whose motion is not finite afterwards, or hi. That
// row is as it was.
//
//	for i := lo; i < hi; i++ {
//		v += half·gravity + (half·InvMass)·Force, l += half·Torque, s = R·I⁻¹·Rᵀ·l
//		if InvMass == 0 || v, l, Pos or s is not finite { return i }
//		Vel, AngMom, Spin = v, l, s
//	}
//
//	all columns have one length; 0 <= lo <= hi <= that length
//
// Finite means that the sum of all components is.
//
// Exact, each product rounded. Unit: whatever the columns share.
func Kick(m *Motion, gx, gy, gz, half float64, lo, hi int) (next int) {
	u := kickUniforms{half, float64(half * gx), float64(half * gy), float64(half * gz)}
	return kick(m, &u, lo, hi)
}

// kickUniforms is what all bodies share in Kick.
type kickUniforms struct {
	half                float64
	kickX, kickY, kickZ float64
}
