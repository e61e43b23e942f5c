package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// thicknessRows are the contacts of a batch whose law is Thickness.
type thicknessRows struct {
	n      int
	c      asm.ThicknessLaw
	byArea bool // of the last apply: a law of the table has an area exponent
}

func (r *thicknessRows) reserve(n int) {
	n = soa.Pad(n)
	if n <= len(r.c.NormalX) {
		return
	}
	c := &r.c
	growRows(n, r.n, []*[]float64{
		&c.NormalX, &c.NormalY, &c.NormalZ, &c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.ArmBX, &c.ArmBY, &c.ArmBZ,
		&c.NewNormalX, &c.NewNormalY, &c.NewNormalZ, &c.SlipX, &c.SlipY, &c.SlipZ, &c.Angle, &c.Width, &c.Growth,
		&c.ForceX, &c.ForceY, &c.ForceZ, &c.TorqueAX, &c.TorqueAY, &c.TorqueAZ, &c.TorqueBX, &c.TorqueBY, &c.TorqueBZ,
		&c.DampingX, &c.DampingY, &c.DampingZ, &c.MomentX, &c.MomentY, &c.MomentZ,
		&c.RubX, &c.RubY, &c.RubZ, &c.RubMomentX, &c.RubMomentY, &c.RubMomentZ, &c.ShearRise, &c.Stored, &c.Shear,
	}, []*[]uint32{&c.A, &c.B, &c.Row, &c.Law, &c.Overlap})
}

func (r *thicknessRows) add(t *Touch) uint32 {
	k := r.n
	if k == len(r.c.NormalX) {
		r.reserve(max(2*k, soa.Lanes))
	}
	r.n++
	c := &r.c
	c.A[k], c.B[k], c.Row[k], c.Law[k], c.Overlap[k] = uint32(t.A), uint32(t.B), t.Row, t.Law, t.Overlap
	c.NormalX[k], c.NormalY[k], c.NormalZ[k] = t.Normal.X, t.Normal.Y, t.Normal.Z
	c.ArmAX[k], c.ArmAY[k], c.ArmAZ[k] = t.ArmA.X, t.ArmA.Y, t.ArmA.Z
	c.ArmBX[k], c.ArmBY[k], c.ArmBZ[k] = t.ArmB.X, t.ArmB.Y, t.ArmB.Z
	return uint32(k)
}

func (r *thicknessRows) apply(bodies *soa.Bodies, contacts *soa.Contacts, l *thicknessColumns, o *overlaps, dt, share float64) {
	if r.n == 0 {
		return
	}
	c, slip := &r.c, slips(contacts)
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	inverse := &bodies.InvInertia
	c.InverseXX, c.InverseYY, c.InverseZZ = inverse.XX, inverse.YY, inverse.ZZ
	c.InverseXY, c.InverseXZ, c.InverseYZ = inverse.XY, inverse.XZ, inverse.YZ
	c.RotW, c.RotX, c.RotY, c.RotZ = bodies.Rot.W, bodies.Rot.X, bodies.Rot.Y, bodies.Rot.Z
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = slip.X, slip.Y, slip.Z
	c.OldAngle, c.OldWidth = contacts.History[twistAngle], contacts.History[twistWidth]
	r.byArea, c.OldGrowth = l.byArea > 0, c.OldWidth // not read without area exponents
	if r.byArea {
		c.OldGrowth = contacts.History[slipGrowth]
	}
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	c.Stiffness, c.Tangential, c.Friction, c.Zeta, c.AreaExponent = l.stiffness, l.tangential, l.friction, l.zeta, l.areaExponent
	o.lookUp(c)
	end := padRows(r.n, c.A, c.B, c.Row, c.Law, c.Overlap)
	if r.byArea {
		asm.PushThicknessByArea(c, dt, share, 0, end)
	} else {
		asm.PushThickness(c, dt, share, 0, end)
	}
}

func (r *thicknessRows) store(contacts *soa.Contacts, accounted bool) {
	if r.n == 0 {
		return
	}
	rows, c, slip := r.c.Row[:r.n], &r.c, slips(contacts)
	scatter3(rows, &slip, c.SlipX, c.SlipY, c.SlipZ)
	scatter(rows, contacts.History[twistAngle], c.Angle)
	scatter(rows, contacts.History[twistWidth], c.Width)
	if r.byArea {
		scatter(rows, contacts.History[slipGrowth], c.Growth)
	}
	scatter3(rows, &contacts.Normal, c.NewNormalX, c.NewNormalY, c.NewNormalZ)
	scatter3(rows, &contacts.Force, c.ForceX, c.ForceY, c.ForceZ)
	scatter3(rows, &contacts.TorqueA, c.TorqueAX, c.TorqueAY, c.TorqueAZ)
	scatter3(rows, &contacts.TorqueB, c.TorqueBX, c.TorqueBY, c.TorqueBZ)
	if !accounted {
		return
	}
	scatter3(rows, &contacts.Damping, c.DampingX, c.DampingY, c.DampingZ)
	scatter3(rows, &contacts.Moment, c.MomentX, c.MomentY, c.MomentZ)
	scatter3(rows, &contacts.Friction, c.RubX, c.RubY, c.RubZ)
	scatter3(rows, &contacts.FrictionMoment, c.RubMomentX, c.RubMomentY, c.RubMomentZ)
	scatter(rows, contacts.Shear, c.ShearRise)
}
