package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// linearRows are the contacts of a batch whose law is Linear.
type linearRows struct {
	n     int
	c     asm.LinearLaw
	share float64 // of the last apply
}

func (r *linearRows) reserve(n int) {
	n = soa.Pad(n)
	if n <= len(r.c.Gap) {
		return
	}
	c := &r.c
	growRows(n, r.n, []*[]float64{
		&c.Gap, &c.NormalX, &c.NormalY, &c.NormalZ, &c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.ArmBX, &c.ArmBY, &c.ArmBZ,
		&c.WidthXX, &c.WidthYY, &c.WidthZZ, &c.WidthXY, &c.WidthXZ, &c.WidthYZ,
		&c.SlipX, &c.SlipY, &c.SlipZ, &c.ForceX, &c.ForceY, &c.ForceZ,
		&c.TorqueAX, &c.TorqueAY, &c.TorqueAZ, &c.TorqueBX, &c.TorqueBY, &c.TorqueBZ,
		&c.DampingX, &c.DampingY, &c.DampingZ, &c.MomentX, &c.MomentY, &c.MomentZ, &c.ShearRise, &c.Stored, &c.Shear,
	}, []*[]uint32{&c.A, &c.B, &c.Row, &c.Law})
}

func (r *linearRows) add(t *Touch) uint32 {
	k := r.n
	if k == len(r.c.Gap) {
		r.reserve(max(2*k, soa.Lanes))
	}
	r.n++
	c := &r.c
	c.A[k], c.B[k], c.Row[k], c.Law[k] = uint32(t.A), uint32(t.B), t.Row, t.Law
	c.Gap[k] = t.Gap
	c.NormalX[k], c.NormalY[k], c.NormalZ[k] = t.Normal.X, t.Normal.Y, t.Normal.Z
	c.ArmAX[k], c.ArmAY[k], c.ArmAZ[k] = t.ArmA.X, t.ArmA.Y, t.ArmA.Z
	c.ArmBX[k], c.ArmBY[k], c.ArmBZ[k] = t.ArmB.X, t.ArmB.Y, t.ArmB.Z
	w := &t.Width
	c.WidthXX[k], c.WidthYY[k], c.WidthZZ[k] = w.XX, w.YY, w.ZZ
	c.WidthXY[k], c.WidthXZ[k], c.WidthYZ[k] = w.XY, w.XZ, w.YZ
	return uint32(k)
}

func (r *linearRows) apply(bodies *soa.Bodies, contacts *soa.Contacts, l *linearColumns, dt, share float64) {
	if r.n == 0 {
		return
	}
	r.share = share
	c, slip := &r.c, slips(contacts)
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = slip.X, slip.Y, slip.Z
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	c.Kn, c.Kt, c.Mu, c.Ratio, c.Dn, c.Dt = l.kn, l.kt, l.mu, l.ratio, l.dn, l.dt
	c.ReferenceGap, c.LeastPush = l.referenceGap, l.leastPush
	asm.Push(c, dt, share, 0, padRows(r.n, c.A, c.B, c.Row, c.Law))
}

func (r *linearRows) store(contacts *soa.Contacts, accounted bool) {
	if r.n == 0 {
		return
	}
	rows, c, slip := r.c.Row[:r.n], &r.c, slips(contacts)
	scatter3(rows, &slip, c.SlipX, c.SlipY, c.SlipZ)
	scatter3(rows, &contacts.Normal, c.NormalX, c.NormalY, c.NormalZ)
	scatter3(rows, &contacts.Force, c.ForceX, c.ForceY, c.ForceZ)
	scatter3(rows, &contacts.TorqueA, c.TorqueAX, c.TorqueAY, c.TorqueAZ)
	scatter3(rows, &contacts.TorqueB, c.TorqueBX, c.TorqueBY, c.TorqueBZ)
	if !accounted {
		return
	}
	scatter3(rows, &contacts.Damping, c.DampingX, c.DampingY, c.DampingZ)
	scatter3(rows, &contacts.Moment, c.MomentX, c.MomentY, c.MomentZ)
	for k, row := range rows {
		contacts.Shear[row] = c.ShearRise[k]
		contacts.Friction.Set(int(row), r.frictionOf(k))
		contacts.FrictionMoment.Set(int(row), vec.Vec3{})
	}
}

// frictionOf returns the friction of a row: what is left of the force without dashpots and spring.
func (r *linearRows) frictionOf(k int) vec.Vec3 {
	c := &r.c
	law := c.Law[k]
	overlap := max(c.ReferenceGap[law]-c.Gap[k]-float64(c.Relief[c.Row[k]]*r.share), 0)
	spring := float64(c.Kn[law] * overlap)
	return vec.Vec3{
		X: c.ForceX[k] - c.DampingX[k] + float64(spring*c.NormalX[k]),
		Y: c.ForceY[k] - c.DampingY[k] + float64(spring*c.NormalY[k]),
		Z: c.ForceZ[k] - c.DampingZ[k] + float64(spring*c.NormalZ[k]),
	}
}
