package asm

import "github.com/scree-dem/scree/vec"

// smallTurn is the square of half an angle below which the series of driftGeneric are exact: the first
// term left out, x⁴/725760 of the sine's, is under 2⁻⁵³ up to x = 0.003.
const smallTurn = 1e-3

// driftGeneric is one stage of the Magnus expansion to fourth order, with the derivatives of ω that follow from
// Euler's equations ℓ' = ℓ×ω, ω = I⁻¹ℓ in the body frame:
//
//	Ω = h·ω + h²/2·ω' + h³/6·ω'' + h⁴/24·ω''' + h³/12·ω×ω' + h⁴/24·ω×ω''
func driftGeneric(m *Motion, u *driftUniforms, lo, hi int) int {
	for i := lo; i < hi; i++ {
		if m.InvMass[i] == 0 {
			return i
		}
		v, l := m.kicked(i, u.half, vec.Vec3{X: u.kickX, Y: u.kickY, Z: u.kickZ})
		q, inv := m.rot(i), m.inverse(i)

		l0 := q.RotateInv(l)
		w0 := inv.MulVec(l0)
		if !(float64(w0.Norm2()*u.dt)*u.dt <= u.turn2) {
			return i
		}
		l1 := l0.Cross(w0)
		w1 := inv.MulVec(l1)
		l2 := l1.Cross(w0).Add(l0.Cross(w1))
		w2 := inv.MulVec(l2)
		l3 := l2.Cross(w0).AddScaled(2, l1.Cross(w1)).Add(l0.Cross(w2))
		w3 := inv.MulVec(l3)
		turn := w0.Scale(u.dt).AddScaled(u.first, w1).AddScaled(u.second, w2).AddScaled(u.third, w3).
			AddScaled(u.cross1, w0.Cross(w1)).AddScaled(u.third, w0.Cross(w2))

		x := 0.25 * turn.Norm2() // square of half the angle
		if !(x < smallTurn) {
			return i
		}
		// sin(√x)/√x / 2 and cos(√x).
		s := 0.5 - float64(x*(1.0/12-float64(x*(1.0/240-float64(x*(1.0/10080))))))
		c := 1 - float64(x*(0.5-float64(x*(1.0/24-float64(x*(1.0/720-float64(x*(1.0/40320))))))))
		q = q.Mul(vec.Quat{W: c, X: float64(s * turn.X), Y: float64(s * turn.Y), Z: float64(s * turn.Z)})
		// One step of Newton for the norm, which is off by rounding alone.
		k := 1.5 - float64(0.5*q.Dot(q))
		q = vec.Quat{W: float64(q.W * k), X: float64(q.X * k), Y: float64(q.Y * k), Z: float64(q.Z * k)}

		m.setVelocities(i, v, l, spun(q, l, inv))
		from := m.pose(i)
		to := vec.Pose{Pos: from.Pos.AddScaled(u.dt, v), Rot: q}
		m.PosX[i], m.PosY[i], m.PosZ[i] = to.Pos.X, to.Pos.Y, to.Pos.Z
		m.RotW[i], m.RotX[i], m.RotY[i], m.RotZ[i] = q.W, q.X, q.Y, q.Z
		m.Odometer[i] = Advance(m.Odometer[i], m.Radius[i], from, to)
	}
	return hi
}

func kickGeneric(m *Motion, u *kickUniforms, lo, hi int) int {
	for i := lo; i < hi; i++ {
		if m.InvMass[i] == 0 {
			return i
		}
		v, l := m.kicked(i, u.half, vec.Vec3{X: u.kickX, Y: u.kickY, Z: u.kickZ})
		s := spun(m.rot(i), l, m.inverse(i))
		x := (v.X + v.Y + v.Z) + (l.X + l.Y + l.Z) + (m.PosX[i] + m.PosY[i] + m.PosZ[i]) + (s.X + s.Y + s.Z)
		if x-x != 0 {
			return i
		}
		m.setVelocities(i, v, l, s)
	}
	return hi
}

// kicked returns velocity and angular momentum of body i after half a step; gravity adds g.
func (m *Motion) kicked(i int, half float64, g vec.Vec3) (v, l vec.Vec3) {
	v = vec.Vec3{X: m.VelX[i], Y: m.VelY[i], Z: m.VelZ[i]}.Add(g).
		AddScaled(float64(half*m.InvMass[i]), vec.Vec3{X: m.ForceX[i], Y: m.ForceY[i], Z: m.ForceZ[i]})
	l = vec.Vec3{X: m.AngMomX[i], Y: m.AngMomY[i], Z: m.AngMomZ[i]}.
		AddScaled(half, vec.Vec3{X: m.TorqueX[i], Y: m.TorqueY[i], Z: m.TorqueZ[i]})
	return v, l
}

func (m *Motion) pose(i int) vec.Pose {
	return vec.Pose{Pos: vec.Vec3{X: m.PosX[i], Y: m.PosY[i], Z: m.PosZ[i]}, Rot: m.rot(i)}
}

func (m *Motion) rot(i int) vec.Quat {
	return vec.Quat{W: m.RotW[i], X: m.RotX[i], Y: m.RotY[i], Z: m.RotZ[i]}
}

func (m *Motion) inverse(i int) vec.Sym3 {
	return vec.Sym3{XX: m.InvXX[i], YY: m.InvYY[i], ZZ: m.InvZZ[i], XY: m.InvXY[i], XZ: m.InvXZ[i], YZ: m.InvYZ[i]}
}

func (m *Motion) setVelocities(i int, v, l, s vec.Vec3) {
	m.VelX[i], m.VelY[i], m.VelZ[i] = v.X, v.Y, v.Z
	m.AngMomX[i], m.AngMomY[i], m.AngMomZ[i] = l.X, l.Y, l.Z
	m.SpinX[i], m.SpinY[i], m.SpinZ[i] = s.X, s.Y, s.Z
}

// spun returns the angular velocity, world frame, of angular momentum l.
func spun(q vec.Quat, l vec.Vec3, inv vec.Sym3) vec.Vec3 {
	r := q.Mat3()
	return r.MulVec(inv.MulVec(r.TMulVec(l)))
}
