package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// linearInputs is the number of columns of linearRows: the normal, both arms, the gap, and the width.
const linearInputs = 16

// linearRows holds the contacts of a batch whose law is Linear.
type linearRows struct {
	rows
	c asm.LinearLaw // inputs and outputs of the kernel for blockRows contacts
}

// add appends a contact.
func (r *linearRows) add(t *ActiveContact) {
	r.extend(1, linearInputs)
	i, c, w := r.next(t.A, t.B, t.Row, t.Law), (*[linearInputs][]float64)(r.columns), &t.Width
	c[0][i], c[1][i], c[2][i] = t.Normal.X, t.Normal.Y, t.Normal.Z
	c[3][i], c[4][i], c[5][i] = t.ArmA.X, t.ArmA.Y, t.ArmA.Z
	c[6][i], c[7][i], c[8][i] = t.ArmB.X, t.ArmB.Y, t.ArmB.Z
	c[9][i] = t.Gap
	c[10][i], c[11][i], c[12][i], c[13][i], c[14][i], c[15][i] = w.XX, w.YY, w.ZZ, w.XY, w.XZ, w.YZ
}

// open allocates the kernel's output columns on the first call.
func (r *linearRows) open() {
	if c := &r.c; c.ForceX == nil {
		growRows(blockRows, 0, []*[]float64{
			&c.SlipX, &c.SlipY, &c.SlipZ, &c.ForceX, &c.ForceY, &c.ForceZ,
			&c.TorqueAX, &c.TorqueAY, &c.TorqueAZ, &c.TorqueBX, &c.TorqueBY, &c.TorqueBZ,
			&c.DampingX, &c.DampingY, &c.DampingZ, &c.MomentX, &c.MomentY, &c.MomentZ, &c.ShearRise,
		})
	}
}

// read sets the kernel's input columns to the rows from lo on.
func (r *linearRows) read(lo int) {
	c, end := &r.c, lo+blockRows
	c.A, c.B, c.Row, c.Law = r.a[lo:end], r.b[lo:end], r.row[lo:end], r.law[lo:end]
	for k, column := range [linearInputs]*[]float64{
		&c.NormalX, &c.NormalY, &c.NormalZ, &c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.ArmBX, &c.ArmBY, &c.ArmBZ, &c.Gap,
		&c.WidthXX, &c.WidthYY, &c.WidthZZ, &c.WidthXY, &c.WidthXZ, &c.WidthYZ,
	} {
		*column = r.columns[k][lo:end]
	}
	c.Stored, c.Shear = r.stored[lo:end], r.shear[lo:end]
}

// apply evaluates the contacts and stores the results, blockRows at a time.
func (r *linearRows) apply(s *Step, l *linearColumns) {
	if r.n == 0 {
		return
	}
	r.open()
	c, bodies, contacts, slip := &r.c, s.Bodies, s.Contacts, vectors(s.Contacts, slipX)
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = slip.X, slip.Y, slip.Z
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	c.Kn, c.Kt, c.Mu, c.Ratio, c.Dn, c.Dt = l.kn, l.kt, l.mu, l.ratio, l.dn, l.dt
	c.ReferenceGap, c.LeastNormal = l.referenceGap, l.leastNormal
	end := r.pad()
	for lo := 0; lo < end; lo += blockRows {
		r.read(lo)
		asm.ApplyLinear(c, s.Dt, s.Forgiven, 0, min(end-lo, blockRows))
		r.store(c.Row[:min(r.n-lo, blockRows)], s)
	}
}

// store copies the results of the present rows to the rows of contacts.
func (r *linearRows) store(rows []uint32, s *Step) {
	c, contacts, slip := &r.c, s.To, vectors(s.To, slipX)
	scatter3(rows, &slip, c.SlipX, c.SlipY, c.SlipZ)
	scatter3(rows, &contacts.Normal, c.NormalX, c.NormalY, c.NormalZ)
	scatter3(rows, &contacts.Force, c.ForceX, c.ForceY, c.ForceZ)
	scatter3(rows, &contacts.TorqueA, c.TorqueAX, c.TorqueAY, c.TorqueAZ)
	scatter3(rows, &contacts.TorqueB, c.TorqueBX, c.TorqueBY, c.TorqueBZ)
	if !s.Accounted {
		return
	}
	scatter3(rows, &contacts.Damping, c.DampingX, c.DampingY, c.DampingZ)
	scatter3(rows, &contacts.Moment, c.MomentX, c.MomentY, c.MomentZ)
	for k, row := range rows {
		contacts.Shear[row] = c.ShearRise[k]
		contacts.Friction.Set(int(row), r.frictionOf(k, s.Forgiven))
		contacts.FrictionMoment.Set(int(row), vec.Vec3{})
	}
}

// frictionOf returns the friction force of row k of the present rows: the force minus dashpots and
// normal spring. share is the share of relief that still applies.
func (r *linearRows) frictionOf(k int, share float64) vec.Vec3 {
	c := &r.c
	law := c.Law[k]
	overlap := max(c.ReferenceGap[law]-c.Gap[k]-float64(c.Relief[c.Row[k]]*share), 0)
	spring := float64(c.Kn[law] * overlap)
	return vec.Vec3{
		X: c.ForceX[k] - c.DampingX[k] + float64(spring*c.NormalX[k]),
		Y: c.ForceY[k] - c.DampingY[k] + float64(spring*c.NormalY[k]),
		Z: c.ForceZ[k] - c.DampingZ[k] + float64(spring*c.NormalZ[k]),
	}
}
