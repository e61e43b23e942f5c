package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

func pushGeneric(l *LinearLaw, u *lawUniforms, lo, hi int) {
	for k := lo; k < hi; k++ {
		l.pushRow(k, u)
	}
}

// pushRow is what the kernels do in a lane, one branch where they pick.
func (l *LinearLaw) pushRow(k int, u *lawUniforms) {
	a, b, row, law := l.A[k], l.B[k], l.Row[k], l.Law[k]
	n := vec.Vec3{X: l.NormalX[k], Y: l.NormalY[k], Z: l.NormalZ[k]}
	armA := vec.Vec3{X: l.ArmAX[k], Y: l.ArmAY[k], Z: l.ArmAZ[k]}
	armB := vec.Vec3{X: l.ArmBX[k], Y: l.ArmBY[k], Z: l.ArmBZ[k]}
	spinA := vec.Vec3{X: l.SpinX[a], Y: l.SpinY[a], Z: l.SpinZ[a]}
	spinB := vec.Vec3{X: l.SpinX[b], Y: l.SpinY[b], Z: l.SpinZ[b]}
	velA := vec.Vec3{X: l.VelX[a], Y: l.VelY[a], Z: l.VelZ[a]}.Add(spinA.Cross(armA))
	velB := vec.Vec3{X: l.VelX[b], Y: l.VelY[b], Z: l.VelZ[b]}.Add(spinB.Cross(armB))
	velocity := velA.Sub(velB)
	oldSlip := vec.Vec3{X: l.OldSlipX[row], Y: l.OldSlipY[row], Z: l.OldSlipZ[row]}
	oldNormal := vec.Vec3{X: l.OldNormalX[row], Y: l.OldNormalY[row], Z: l.OldNormalZ[row]}
	kn, kt := l.Kn[law], l.Kt[law]

	closing := velocity.Dot(n)
	overlap := l.ReferenceGap[law] - (l.Gap[k] + float64(l.Relief[row]*u.share))
	held := float64(0.5 * float64(kt*oldSlip.Norm2()))
	if !(overlap > 0) {
		l.setSlip(k, vec.Vec3{})
		l.setForce(k, armA, armB, vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
		l.ShearRise[k], l.Stored[k], l.Shear[k] = -held, 0, 0
		return
	}

	spring := float64(kn * overlap)
	d := l.Dn[law]
	if ratio := l.Ratio[law]; ratio >= 0 {
		mass := 1 / (l.InvMass[a] + l.InvMass[b])
		d = 2 * float64(ratio*math.Sqrt(float64(kn*mass)))
	}
	dashpot := float64(d * closing)
	if spring+dashpot < l.LeastPush[law] {
		dashpot = -spring
	}
	push := max(spring+dashpot, 0)
	moment := spreadDashpot(n, spinA.Sub(spinB), l.width(k), d, push)

	slipping := u.dt
	if overlap < float64(closing*slipping) {
		slipping = overlap / closing
	}
	tangential := velocity.AddScaled(-closing, n)
	slip := vec.Vec3{}
	if kt > 0 {
		if oldNormal != (vec.Vec3{}) {
			twist := 0.5 * spinA.Add(spinB).Dot(n)
			slip = turnSlip(oldSlip, oldNormal, n, float64(twist*u.dt))
		}
		slip = slip.AddScaled(slipping, tangential)
		slip = slip.AddScaled(-slip.Dot(n), n)
	}
	limit := float64(l.Mu[law] * push)
	pull := float64(kt * slip.Norm())
	sliding := pull > limit
	if sliding {
		slip = slip.Scale(limit / pull)
	}
	friction := slip.Scale(-kt)
	drag := vec.Vec3{}
	if dt := l.Dt[law]; dt > 0 && !sliding {
		drag = cutDrag(friction, tangential.Scale(-dt), limit)
	}
	damping := drag.AddScaled(-dashpot, n)
	shear := float64(0.5 * float64(kt*slip.Norm2()))
	l.setSlip(k, slip)
	l.setForce(k, armA, armB, friction.AddScaled(-spring, n).Add(damping), damping, moment)
	l.ShearRise[k], l.Stored[k], l.Shear[k] = shear-held, 0.5*float64(spring*overlap), shear
}

func (l *LinearLaw) setSlip(k int, slip vec.Vec3) {
	l.SlipX[k], l.SlipY[k], l.SlipZ[k] = slip.X, slip.Y, slip.Z
}

// setForce stores a force on A, the dashpots' part of it, a moment on A, and the torques of force and moment.
func (l *LinearLaw) setForce(k int, armA, armB, force, damping, moment vec.Vec3) {
	onA := armA.Cross(force).Add(moment)
	onB := armB.Cross(force).Add(moment).Neg()
	l.ForceX[k], l.ForceY[k], l.ForceZ[k] = force.X, force.Y, force.Z
	l.TorqueAX[k], l.TorqueAY[k], l.TorqueAZ[k] = onA.X, onA.Y, onA.Z
	l.TorqueBX[k], l.TorqueBY[k], l.TorqueBZ[k] = onB.X, onB.Y, onB.Z
	l.DampingX[k], l.DampingY[k], l.DampingZ[k] = damping.X, damping.Y, damping.Z
	l.MomentX[k], l.MomentY[k], l.MomentZ[k] = moment.X, moment.Y, moment.Z
}

func (l *LinearLaw) width(k int) vec.Sym3 {
	return vec.Sym3{
		XX: l.WidthXX[k], YY: l.WidthYY[k], ZZ: l.WidthZZ[k], XY: l.WidthXY[k], XZ: l.WidthXZ[k], YZ: l.WidthYZ[k],
	}
}

// spreadDashpot returns the moment on A of a dashpot d spread over a section of second moments width, at most
// push times the width.
func spreadDashpot(n, spin vec.Vec3, width vec.Sym3, d, push float64) vec.Vec3 {
	if d == 0 || width == (vec.Sym3{}) {
		return vec.Vec3{}
	}
	m := width.MulVec(n.Cross(spin)).Cross(n).Scale(-d)
	most := float64(push * math.Sqrt(max(width.XX+width.YY+width.ZZ, 0)))
	if size := m.Norm(); size > most {
		return m.Scale(most / size)
	}
	return m
}

// turnSlip carries a slip from the plane of normal n0 to that of n1 and turns it by an angle about n1, its
// length kept.
func turnSlip(s, n0, n1 vec.Vec3, angle float64) vec.Vec3 {
	c := n0.Dot(n1)
	if c <= 0 {
		return vec.Vec3{}
	}
	length := s.Norm2()
	s = s.AddScaled(-s.Dot(n1)/(1+c), n0.Add(n1))
	s = s.AddScaled(angle, n1.Cross(s))
	if now := s.Norm2(); now > 0 {
		s = s.Scale(math.Sqrt(length / now))
	}
	return s
}

// cutDrag shortens drag until friction and drag together are not above a limit.
func cutDrag(friction, drag vec.Vec3, limit float64) vec.Vec3 {
	if friction.Add(drag).Norm2() <= float64(limit*limit) {
		return drag
	}
	d2 := drag.Norm2()
	if !(d2 > 0) {
		return vec.Vec3{}
	}
	half := friction.Dot(drag) / d2
	rest := (friction.Norm2() - float64(limit*limit)) / d2
	root := math.Sqrt(max(float64(half*half)-rest, 0)) - half
	return drag.Scale(min(max(root, 0), 1))
}
