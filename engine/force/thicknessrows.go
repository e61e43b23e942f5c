package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// thicknessRows are the contacts of a batch whose law is Thickness.
type thicknessRows struct {
	blocks
	c asm.ThicknessLaw // of the block at hand; what the kernel writes stays here until it is stored
}

func (r *thicknessRows) add(t *Touch) { r.blocks.add(t) }

// open makes room for what the kernel writes, if there is none.
func (r *thicknessRows) open() {
	if c := &r.c; c.ForceX == nil {
		growRows(blockRows, 0, []*[]float64{
			&c.NewNormalX, &c.NewNormalY, &c.NewNormalZ, &c.SlipX, &c.SlipY, &c.SlipZ, &c.Angle, &c.Width, &c.Growth,
			&c.ForceX, &c.ForceY, &c.ForceZ, &c.TorqueAX, &c.TorqueAY, &c.TorqueAZ, &c.TorqueBX, &c.TorqueBY, &c.TorqueBZ,
			&c.DampingX, &c.DampingY, &c.DampingZ, &c.MomentX, &c.MomentY, &c.MomentZ,
			&c.RubX, &c.RubY, &c.RubZ, &c.RubMomentX, &c.RubMomentY, &c.RubMomentZ, &c.ShearRise,
		})
	}
}

// take makes the columns of a block those that the kernel reads.
func (r *thicknessRows) take(b *block) {
	c := &r.c
	c.A, c.B, c.Row, c.Law, c.Overlap = b.a[:], b.b[:], b.row[:], b.law[:], b.overlap[:]
	c.NormalX, c.NormalY, c.NormalZ = b.normal[0][:blockRows], b.normal[1][:blockRows], b.normal[2][:blockRows]
	c.ArmAX, c.ArmAY, c.ArmAZ = b.armA[0][:blockRows], b.armA[1][:blockRows], b.armA[2][:blockRows]
	c.ArmBX, c.ArmBY, c.ArmBZ = b.armB[0][:blockRows], b.armB[1][:blockRows], b.armB[2][:blockRows]
	c.Stored, c.Shear = b.stored[:], b.shear[:]
}

// apply works out the contacts and stores what comes of them, a block at a time.
func (r *thicknessRows) apply(s *Step, l *thicknessColumns, o *overlaps) {
	if r.n == 0 {
		return
	}
	r.open()
	c, bodies, contacts, slip := &r.c, s.Bodies, s.Contacts, slips(s.Contacts)
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	inverse := &bodies.InvInertia
	c.InverseXX, c.InverseYY, c.InverseZZ = inverse.XX, inverse.YY, inverse.ZZ
	c.InverseXY, c.InverseXZ, c.InverseYZ = inverse.XY, inverse.XZ, inverse.YZ
	c.RotW, c.RotX, c.RotY, c.RotZ = bodies.Rot.W, bodies.Rot.X, bodies.Rot.Y, bodies.Rot.Z
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = slip.X, slip.Y, slip.Z
	c.OldAngle, c.OldWidth = contacts.History[twistAngle], contacts.History[twistWidth]
	byArea := l.byArea > 0
	c.OldGrowth = c.OldWidth // not read without area exponents
	if byArea {
		c.OldGrowth = contacts.History[slipGrowth]
	}
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	c.Stiffness, c.Tangential, c.Friction, c.Zeta, c.AreaExponent = l.stiffness, l.tangential, l.friction, l.zeta, l.areaExponent
	o.lookUp(c)
	for b, n := range r.each {
		r.take(b)
		if end := padRows(n, c.A, c.B, c.Row, c.Law, c.Overlap); byArea {
			asm.PushThicknessByArea(c, s.Dt, s.Forgiven, 0, end)
		} else {
			asm.PushThickness(c, s.Dt, s.Forgiven, 0, end)
		}
		r.store(c.Row[:n], s.To, byArea, s.Accounted)
	}
}

// store writes what has come of the block at hand to rows of contacts.
func (r *thicknessRows) store(rows []uint32, contacts *soa.Contacts, byArea, accounted bool) {
	c, slip := &r.c, slips(contacts)
	scatter3(rows, &slip, c.SlipX, c.SlipY, c.SlipZ)
	scatter(rows, contacts.History[twistAngle], c.Angle)
	scatter(rows, contacts.History[twistWidth], c.Width)
	if byArea {
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
