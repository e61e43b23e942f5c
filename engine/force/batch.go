package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Batch applies the laws of a table to many contacts at once: Linear in lanes, one contact a lane of a vector
// register, any other law one contact at a time. To the bit, and in every branch, lanes give what Linear.Apply
// gives each contact alone, with the velocities of its two bodies at the location.
//
// A batch is used in four steps: Resize, Set for each row, Apply, Store. It is not for several goroutines at
// once. Once it has been as large it allocates nothing. Cost: see docs/kernels.md; setting and storing a row
// cost about as much as its law, so a batch holds what is in cache: up to a few hundred rows.
type Batch struct {
	Overlaps []Overlap // that rows refer to, for laws that ask for them

	n      int
	c      asm.LinearLaw
	share  float64 // of the last Apply
	single single
	of     []uint32 // by row: Touch.Overlap
}

// Touch is one active contact. Frame: world; the normal points from A to B.
type Touch struct {
	A, B soa.Body
	Row  uint32 // of soa.Contacts: where the history is, and the results go
	Law  uint32 // Table.Row of the pair of materials

	Gap        float64  // m, as measured; what is forgiven of it comes from the history
	Normal     vec.Vec3 // unit
	ArmA, ArmB vec.Vec3 // m, from the centres of mass to the location
	Width      vec.Sym3 // m², see Contact
	Overlap    uint32   // of Batch.Overlaps, counted from 1; 0 for none
}

// Len returns the number of rows.
func (b *Batch) Len() int { return b.n }

// Resize sets the number of rows to n and keeps those there are. Rows added must be set.
func (b *Batch) Resize(n int) {
	if pad := soa.Pad(n); pad > len(b.c.Gap) {
		b.grow(max(pad, 2*len(b.c.Gap)))
	}
	if len(b.of) < n {
		b.of = append(b.of, make([]uint32, n-len(b.of))...)
	}
	b.n = n
}

// columns lists the columns of one row a contact: those Set writes, then those Apply writes.
func (b *Batch) columns() (read, written []*[]float64, indices []*[]uint32) {
	c := &b.c
	return []*[]float64{
			&c.Gap, &c.NormalX, &c.NormalY, &c.NormalZ, &c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.ArmBX, &c.ArmBY, &c.ArmBZ,
			&c.WidthXX, &c.WidthYY, &c.WidthZZ, &c.WidthXY, &c.WidthXZ, &c.WidthYZ,
		}, []*[]float64{
			&c.SlipX, &c.SlipY, &c.SlipZ, &c.ForceX, &c.ForceY, &c.ForceZ,
			&c.TorqueAX, &c.TorqueAY, &c.TorqueAZ, &c.TorqueBX, &c.TorqueBY, &c.TorqueBZ,
			&c.DampingX, &c.DampingY, &c.DampingZ, &c.MomentX, &c.MomentY, &c.MomentZ, &c.ShearRise, &c.Stored, &c.Shear,
		}, []*[]uint32{&c.A, &c.B, &c.Row, &c.Law}
}

// grow makes room for n rows, a multiple of soa.Lanes. Between two columns lies a cache line: were they a power
// of two apart, one row of all would compete for the same few places of the cache.
func (b *Batch) grow(n int) {
	read, written, indices := b.columns()
	stride := n + soa.Lanes
	numbers, rows := soa.Float64s(stride*(len(read)+len(written))), make([]uint32, n*len(indices))
	for _, c := range append(read, written...) {
		copy(numbers, (*c)[:min(b.n, len(*c))])
		*c, numbers = numbers[:n:n], numbers[stride:]
	}
	for _, c := range indices {
		copy(rows, (*c)[:min(b.n, len(*c))])
		*c, rows = rows[:n:n], rows[n:]
	}
}

// Set writes row k.
func (b *Batch) Set(k int, t *Touch) {
	c := &b.c
	if uint(k) >= uint(b.n) {
		panic("force: Batch: row outside the batch")
	}
	c.A[k], c.B[k], c.Row[k], c.Law[k] = uint32(t.A), uint32(t.B), t.Row, t.Law
	b.of[k] = t.Overlap
	c.Gap[k] = t.Gap
	c.NormalX[k], c.NormalY[k], c.NormalZ[k] = t.Normal.X, t.Normal.Y, t.Normal.Z
	c.ArmAX[k], c.ArmAY[k], c.ArmAZ[k] = t.ArmA.X, t.ArmA.Y, t.ArmA.Z
	c.ArmBX[k], c.ArmBY[k], c.ArmBZ[k] = t.ArmB.X, t.ArmB.Y, t.ArmB.Z
	w := &t.Width
	c.WidthXX[k], c.WidthYY[k], c.WidthZZ[k] = w.XX, w.YY, w.ZZ
	c.WidthXY[k], c.WidthXZ[k], c.WidthYZ[k] = w.XY, w.XZ, w.YZ
}

// Apply works out all rows for a step of dt, s. Of the overlap that a contact's history forgives, share, 0 to
// 1, is still forgiven. It reads Vel, Spin and InvMass of the bodies, and History, Normal and Relief of the
// contacts; it writes the batch only.
//
// A row of which an index is out of range panics.
func (b *Batch) Apply(bodies *soa.Bodies, contacts *soa.Contacts, table *Table, dt, share float64) {
	b.share = share
	b.single.clear()
	if b.n == 0 {
		return
	}
	if table.others < len(table.laws) {
		b.applyLanes(bodies, contacts, table, dt, share)
	}
	b.applySingle(bodies, contacts, table, dt, share)
}

// applyLanes works out all rows in lanes. What it makes of those whose law is not Linear is replaced.
func (b *Batch) applyLanes(bodies *soa.Bodies, contacts *soa.Contacts, table *Table, dt, share float64) {
	c := &b.c
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = contacts.History[0], contacts.History[1], contacts.History[2]
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	l := &table.columns
	c.Kn, c.Kt, c.Mu, c.Ratio, c.Dn, c.Dt = l.kn, l.kt, l.mu, l.ratio, l.dn, l.dt
	c.ReferenceGap, c.LeastPush = l.referenceGap, l.leastPush

	// Full registers throughout: rows behind the last look up what it does, and nobody reads them.
	hi, last := soa.Pad(b.n), b.n-1
	for k := b.n; k < hi; k++ {
		c.A[k], c.B[k], c.Row[k], c.Law[k] = c.A[last], c.B[last], c.Row[last], c.Law[last]
	}
	asm.Push(c, dt, share, 0, hi)
}

// Store writes the results of Apply to the contacts: History and Normal, Force, TorqueA and TorqueB; and Damping,
// Moment, Friction, FrictionMoment and Shear, which only the account of energies reads, if accounted is set. Of two rows of the same
// contact the last stays.
func (b *Batch) Store(contacts *soa.Contacts, accounted bool) {
	rows, c := b.c.Row[:b.n], &b.c
	lanes := len(b.single.rows) < b.n
	if lanes {
		slip := soa.Vec3s{X: contacts.History[0], Y: contacts.History[1], Z: contacts.History[2]}
		scatter3(rows, &slip, c.SlipX, c.SlipY, c.SlipZ)
	}
	scatter3(rows, &contacts.Normal, c.NormalX, c.NormalY, c.NormalZ)
	scatter3(rows, &contacts.Force, c.ForceX, c.ForceY, c.ForceZ)
	scatter3(rows, &contacts.TorqueA, c.TorqueAX, c.TorqueAY, c.TorqueAZ)
	scatter3(rows, &contacts.TorqueB, c.TorqueBX, c.TorqueBY, c.TorqueBZ)
	if accounted {
		scatter3(rows, &contacts.Damping, c.DampingX, c.DampingY, c.DampingZ)
		scatter3(rows, &contacts.Moment, c.MomentX, c.MomentY, c.MomentZ)
		for k, row := range rows {
			contacts.Shear[row] = c.ShearRise[k]
			if lanes {
				contacts.Friction.Set(int(row), b.frictionOf(k))
				contacts.FrictionMoment.Set(int(row), vec.Vec3{})
			}
		}
	}
	b.storeSingle(contacts, accounted)
}

func scatter3(rows []uint32, to *soa.Vec3s, x, y, z []float64) {
	n := len(to.X)
	x, y, z = x[:len(rows)], y[:len(rows)], z[:len(rows)]
	toX, toY, toZ := to.X, to.Y[:n], to.Z[:n]
	for k, row := range rows {
		toX[row], toY[row], toZ[row] = x[k], y[k], z[k]
	}
}

// Energies returns what the normal and the tangential spring of row k hold, J.
func (b *Batch) Energies(k int) (stored, shear float64) { return b.c.Stored[k], b.c.Shear[k] }
