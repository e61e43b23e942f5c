package force

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// single is what laws that are not worked out in lanes make of the rows of a batch, beyond the columns that it shares with
// lanes.
type single struct {
	rows    []int     // of the batch
	history []float64 // MaxHistory values a row of rows
	result  []Result  // by row of rows
	contact Contact   // the one at hand
}

func (s *single) clear() { s.rows, s.history, s.result = s.rows[:0], s.history[:0], s.result[:0] }

// applySingle works out the rows whose law is not Linear, one by one, and puts forces and energies where lanes put theirs.
func (b *Batch) applySingle(bodies *soa.Bodies, contacts *soa.Contacts, table *Table, dt, share float64) {
	s := &b.single
	if table.others == 0 {
		return
	}
	for k := range b.n {
		law := table.laws[b.c.Law[k]]
		if _, ok := law.(*Linear); ok {
			continue
		}
		n := len(s.rows)
		s.rows = append(s.rows, k)
		s.history = append(s.history, noHistory[:]...)
		s.result = append(s.result, Result{})
		r := &s.result[n]
		s.contact = b.contact(k, bodies, contacts, dt, share)
		if of := b.of[k]; of > 0 {
			s.contact.Overlap = b.Overlaps[of-1]
			s.contact.A, s.contact.B = b.inertia(bodies, k)
		}
		history := s.history[n*MaxHistory:][:table.needs[b.c.Law[k]].History]
		for i := range history {
			history[i] = contacts.History[i][b.c.Row[k]]
		}
		law.Apply(&s.contact, history, r)
		b.put(k, r)
	}
}

var noHistory [MaxHistory]float64

// contact returns what a law sees of row k.
func (b *Batch) contact(k int, bodies *soa.Bodies, contacts *soa.Contacts, dt, share float64) Contact {
	c, row := &b.c, int(b.c.Row[k])
	i, j := int(c.A[k]), int(c.B[k])
	n := vec.Vec3{X: c.NormalX[k], Y: c.NormalY[k], Z: c.NormalZ[k]}
	armA, armB := vec.Vec3{X: c.ArmAX[k], Y: c.ArmAY[k], Z: c.ArmAZ[k]}, vec.Vec3{X: c.ArmBX[k], Y: c.ArmBY[k], Z: c.ArmBZ[k]}
	spinA, spinB := bodies.Spin.At(i), bodies.Spin.At(j)
	va := bodies.Vel.At(i).Add(spinA.Cross(armA))
	vb := bodies.Vel.At(j).Add(spinB.Cross(armB))
	return Contact{
		Gap: c.Gap[k], Forgiven: float64(contacts.Relief[row] * share), Normal: n, Before: contacts.Normal.At(row),
		Velocity: va.Sub(vb), Mean: spinA.Add(spinB).Scale(0.5), Twist: 0.5 * spinA.Add(spinB).Dot(n), Spin: spinA.Sub(spinB),
		Width: vec.Sym3{XX: c.WidthXX[k], YY: c.WidthYY[k], ZZ: c.WidthZZ[k], XY: c.WidthXY[k], XZ: c.WidthXZ[k], YZ: c.WidthYZ[k]},
		Mass:  1 / (bodies.InvMass[i] + bodies.InvMass[j]), Dt: dt,
	}
}

// inertia returns what the bodies of row k put against a force at the location.
func (b *Batch) inertia(bodies *soa.Bodies, k int) (onA, onB Inertia) {
	c := &b.c
	i, j := int(c.A[k]), int(c.B[k])
	armA, armB := vec.Vec3{X: c.ArmAX[k], Y: c.ArmAY[k], Z: c.ArmAZ[k]}, vec.Vec3{X: c.ArmBX[k], Y: c.ArmBY[k], Z: c.ArmBZ[k]}
	return Inertia{bodies.InvMass[i], bodies.InvInertia.At(i), bodies.Rot.At(i), armA},
		Inertia{bodies.InvMass[j], bodies.InvInertia.At(j), bodies.Rot.At(j), armB}
}

// put writes what a law made of row k.
func (b *Batch) put(k int, r *Result) {
	c := &b.c
	armA, armB := vec.Vec3{X: c.ArmAX[k], Y: c.ArmAY[k], Z: c.ArmAZ[k]}, vec.Vec3{X: c.ArmBX[k], Y: c.ArmBY[k], Z: c.ArmBZ[k]}
	onA := armA.Cross(r.Force).Add(r.Moment)
	onB := armB.Cross(r.Force).Add(r.Moment).Neg()
	c.ForceX[k], c.ForceY[k], c.ForceZ[k] = r.Force.X, r.Force.Y, r.Force.Z
	c.TorqueAX[k], c.TorqueAY[k], c.TorqueAZ[k] = onA.X, onA.Y, onA.Z
	c.TorqueBX[k], c.TorqueBY[k], c.TorqueBZ[k] = onB.X, onB.Y, onB.Z
	c.DampingX[k], c.DampingY[k], c.DampingZ[k] = r.Damping.X, r.Damping.Y, r.Damping.Z
	if n := r.Normal; n != (vec.Vec3{}) {
		c.NormalX[k], c.NormalY[k], c.NormalZ[k] = n.X, n.Y, n.Z
	}
	m := r.DampingMoment
	c.MomentX[k], c.MomentY[k], c.MomentZ[k] = m.X, m.Y, m.Z
	c.Stored[k], c.Shear[k], c.ShearRise[k] = r.Stored, r.Held, r.HeldRise
}

// storeSingle writes what lanes know nothing of.
func (b *Batch) storeSingle(contacts *soa.Contacts, accounted bool) {
	s := &b.single
	for n, k := range s.rows {
		row := int(b.c.Row[k])
		for i := range contacts.History {
			contacts.History[i][row] = s.history[n*MaxHistory+i]
		}
		if accounted {
			contacts.Friction.Set(row, s.result[n].Friction)
			contacts.FrictionMoment.Set(row, s.result[n].FrictionMoment)
		}
	}
}

// frictionOf returns the friction of a row worked out in lanes: what is left of the force without dashpots and spring.
func (b *Batch) frictionOf(k int) vec.Vec3 {
	c := &b.c
	law := c.Law[k]
	overlap := max(c.ReferenceGap[law]-c.Gap[k]-float64(c.Relief[c.Row[k]]*b.share), 0)
	spring := float64(c.Kn[law] * overlap)
	return vec.Vec3{
		X: c.ForceX[k] - c.DampingX[k] + float64(spring*c.NormalX[k]),
		Y: c.ForceY[k] - c.DampingY[k] + float64(spring*c.NormalY[k]),
		Z: c.ForceZ[k] - c.DampingZ[k] + float64(spring*c.NormalZ[k]),
	}
}
