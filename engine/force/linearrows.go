package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// blockRows is the number of contacts that are evaluated and stored together. Inputs and results of
// that many contacts stay in the first-level cache.
const blockRows = 64

// block holds up to blockRows contacts of a batch whose law is Linear: the kernel's inputs as
// columns. A cache line separates adjacent columns. If columns were a power of two apart, the same
// row of all columns would map to the same few cache sets.
type block struct {
	a, b, row, law     [blockRows]uint32
	normal, armA, armB [3][blockRows + soa.Lanes]float64
	gap                [blockRows + soa.Lanes]float64
	width              [6][blockRows + soa.Lanes]float64
	stored, shear      [blockRows]float64 // J, of the last Apply
}

// linearRows holds the contacts of a batch whose law is Linear. The last block in use may be partly
// empty.
type linearRows struct {
	n   int
	all []block
	c   asm.LinearLaw // inputs and outputs of the kernel for the present block
}

// reserve allocates space for n contacts.
func (r *linearRows) reserve(n int) {
	if need := (n + blockRows - 1) / blockRows; need > len(r.all) {
		r.all = append(r.all, make([]block, need-len(r.all))...)
	}
}

// add appends a contact.
func (r *linearRows) add(t *ActiveContact) {
	if r.n == len(r.all)*blockRows {
		r.reserve(max(2*r.n, 1))
	}
	c, i, w := &r.all[r.n/blockRows], r.n%blockRows, &t.Width
	r.n++
	c.a[i], c.b[i], c.row[i], c.law[i] = uint32(t.A), uint32(t.B), t.Row, t.Law
	c.normal[0][i], c.normal[1][i], c.normal[2][i] = t.Normal.X, t.Normal.Y, t.Normal.Z
	c.armA[0][i], c.armA[1][i], c.armA[2][i] = t.ArmA.X, t.ArmA.Y, t.ArmA.Z
	c.armB[0][i], c.armB[1][i], c.armB[2][i] = t.ArmB.X, t.ArmB.Y, t.ArmB.Z
	c.gap[i] = t.Gap
	c.width[0][i], c.width[1][i], c.width[2][i] = w.XX, w.YY, w.ZZ
	c.width[3][i], c.width[4][i], c.width[5][i] = w.XY, w.XZ, w.YZ
}

// each yields the blocks in use and the number of contacts in each.
func (r *linearRows) each(yield func(c *block, n int) bool) {
	for first := 0; first < r.n; first += blockRows {
		if !yield(&r.all[first/blockRows], min(r.n-first, blockRows)) {
			return
		}
	}
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

// take sets the kernel's input columns to those of a block.
func (r *linearRows) take(b *block) {
	c, w := &r.c, &b.width
	c.A, c.B, c.Row, c.Law = b.a[:], b.b[:], b.row[:], b.law[:]
	c.Gap = b.gap[:blockRows]
	c.NormalX, c.NormalY, c.NormalZ = b.normal[0][:blockRows], b.normal[1][:blockRows], b.normal[2][:blockRows]
	c.ArmAX, c.ArmAY, c.ArmAZ = b.armA[0][:blockRows], b.armA[1][:blockRows], b.armA[2][:blockRows]
	c.ArmBX, c.ArmBY, c.ArmBZ = b.armB[0][:blockRows], b.armB[1][:blockRows], b.armB[2][:blockRows]
	c.WidthXX, c.WidthYY, c.WidthZZ = w[0][:blockRows], w[1][:blockRows], w[2][:blockRows]
	c.WidthXY, c.WidthXZ, c.WidthYZ = w[3][:blockRows], w[4][:blockRows], w[5][:blockRows]
	c.Stored, c.Shear = b.stored[:], b.shear[:]
}

// apply evaluates the contacts and stores the results, one block at a time.
func (r *linearRows) apply(s *Step, l *linearColumns) {
	if r.n == 0 {
		return
	}
	r.open()
	c, bodies, contacts, slip := &r.c, s.Bodies, s.Contacts, slips(s.Contacts)
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = slip.X, slip.Y, slip.Z
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	c.Kn, c.Kt, c.Mu, c.Ratio, c.Dn, c.Dt = l.kn, l.kt, l.mu, l.ratio, l.dn, l.dt
	c.ReferenceGap, c.LeastNormal = l.referenceGap, l.leastNormal
	for b, n := range r.each {
		r.take(b)
		asm.ApplyLinear(c, s.Dt, s.Forgiven, 0, padRows(n, c.A, c.B, c.Row, c.Law))
		r.store(c.Row[:n], s)
	}
}

// store copies the results of the present block to the rows of contacts.
func (r *linearRows) store(rows []uint32, s *Step) {
	c, contacts, slip := &r.c, s.To, slips(s.To)
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

// frictionOf returns the friction force of row k of the present block: the force minus dashpots and
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
