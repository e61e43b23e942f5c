package force

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// single holds the contacts of a batch whose law is evaluated one contact at a time.
type single struct {
	contacts []LawContact
	results  []Result  // by contact
	history  []float64 // histories of the contacts one after the other; each has as many values as its law stores
	contact  Contact   // the present contact
	broken   []NotFinite
	points   // points of the contacts
}

func (s *single) clear() {
	s.contacts, s.results, s.broken = s.contacts[:0], s.results[:0], s.broken[:0]
	s.points.clear()
}

// NotFinite is what a law has stored for a contact, if it is not finite.
type NotFinite struct {
	Row  uint32 // LawContact.Row
	What string // name and value
}

// NotFinite returns the contacts for which a law has stored NaN or an infinity in Apply. Forces and
// moments are not checked. Laws in lanes store finite numbers if their forces are finite.
func (b *Batch) NotFinite() []NotFinite { return b.single.broken }

// check notes contact k if a number in its result or its history is not finite.
func (s *single) check(k int, history []float64) {
	r := &s.results[k]
	for i, v := range [...]vec.Vec3{{X: r.Stored, Y: r.Held, Z: r.HeldRise}, r.Normal, r.Damping, r.DampingMoment, r.Friction, r.FrictionMoment} {
		if !v.Finite() {
			names := [...]string{"Stored, Held and HeldRise", "Normal", "Damping", "DampingMoment", "Friction", "FrictionMoment"}
			s.broken = append(s.broken, NotFinite{s.contacts[k].Row, fmt.Sprintf("%s of %v", names[i], v)})
			return
		}
	}
	if slices.ContainsFunc(history, func(x float64) bool { return x-x != 0 }) {
		s.broken = append(s.broken, NotFinite{s.contacts[k].Row, fmt.Sprintf("a history of %v", history)})
	}
}

func (s *single) add(t *LawContact) {
	s.contacts, s.results = append(s.contacts, *t), append(s.results, Result{})
	s.end = append(s.end, len(s.all))
}

// apply evaluates the contacts one by one and stores the results.
func (s *single) apply(step *Step, table *Table) {
	bodies, contacts := step.Bodies, &step.From
	s.history = s.history[:0]
	for k := range s.contacts {
		t := &s.contacts[k]
		s.contact = contactOf(t, bodies, contacts, step.Dt, step.Forgiven)
		if step.ImageVelocity != nil {
			s.contact.Velocity = s.contact.Velocity.Sub(step.ImageVelocity(t.Row))
		}
		needs, law, r := &table.needs[t.Law], table.laws[t.Law], &s.results[k]
		if needs.Overlap {
			s.contact.Overlap = t.Overlap
		}
		if needs.Overlap || needs.Points {
			s.contact.A, s.contact.B = inertiaOf(bodies, int(t.A), t.ArmA), inertiaOf(bodies, int(t.B), t.ArmB)
		}
		s.constrain(t, step)
		if needs.Points {
			s.applyPoints(k, contacts, law, needs)
		} else {
			begin := len(s.history)
			for _, column := range contacts.History[:needs.History] {
				s.history = append(s.history, column[t.Row])
			}
			law.Apply(&s.contact, s.history[begin:], r)
		}
		if r.Normal == (vec.Vec3{}) { // the law has set none
			r.Normal = t.Normal
		}
	}
	s.store(&step.To, table.needs, step.Accounted)
}

// contactOf returns the input of a law for a contact, except for overlap, inertia and points.
func contactOf(t *LawContact, bodies *soa.Bodies, contacts *ContactRows, dt, share float64) Contact {
	i, j, row := int(t.A), int(t.B), int(t.Row)
	spinA, spinB := bodies.Spin.At(i), bodies.Spin.At(j)
	va := bodies.Vel.At(i).Add(spinA.Cross(t.ArmA))
	vb := bodies.Vel.At(j).Add(spinB.Cross(t.ArmB))
	return Contact{
		Gap: t.Gap, Forgiven: float64(contacts.Relief[row] * share), Normal: t.Normal, PreviousNormal: contacts.Normal.At(row),
		Velocity: va.Sub(vb), MeanSpin: spinA.Add(spinB).Scale(0.5), Twist: 0.5 * spinA.Add(spinB).Dot(t.Normal), Spin: spinA.Sub(spinB),
		SectionMoments: t.SectionMoments, Mass: 1 / (bodies.InvMass[i] + bodies.InvMass[j]), Dt: dt,
	}
}

// constrain gives the contact the inverse masses of its constrained bodies.
func (s *single) constrain(t *LawContact, step *Step) {
	a, b := step.Constrained[t.A], step.Constrained[t.B]
	if a == nil && b == nil {
		return
	}
	s.contact.A.Constraint, s.contact.B.Constraint = a, b
	inverse := 0.0
	for k, c := range [...]*Constraint{a, b} {
		if c != nil {
			inverse += c.along(t.Normal, vec.Vec3{})
		} else {
			inverse += step.Bodies.InvMass[[...]soa.Body{t.A, t.B}[k]]
		}
	}
	s.contact.Mass = s.contact.massOf(inverse)
}

// inertiaOf returns the inertia of body i for a force at the end of an arm.
func inertiaOf(bodies *soa.Bodies, i int, arm vec.Vec3) Inertia {
	return Inertia{InvMass: bodies.InvMass[i], Inverse: bodies.InvInertia.At(i), Rot: bodies.Rot.At(i), Arm: arm}
}

// store copies the results to the rows of contacts. laws is the needs of the laws in the table.
func (s *single) store(contacts *ContactRows, laws []Needs, accounted bool) {
	history := s.history
	for k := range s.contacts {
		t, r := &s.contacts[k], &s.results[k]
		row := int(t.Row)
		n := laws[t.Law].memory()
		s.check(k, history[:n])
		for i, v := range history[:n] {
			contacts.History[i][row] = v
		}
		history = history[n:]
		contacts.Normal.Set(row, r.Normal)
		contacts.Force.Set(row, r.Force)
		contacts.TorqueA.Set(row, t.ArmA.Cross(r.Force).Add(r.Moment))
		contacts.TorqueB.Set(row, t.ArmB.Cross(r.Force).Add(r.Moment).Neg())
		if accounted {
			contacts.Damping.Set(row, r.Damping)
			contacts.Moment.Set(row, r.DampingMoment)
			contacts.Friction.Set(row, r.Friction)
			contacts.FrictionMoment.Set(row, r.FrictionMoment)
			contacts.Shear[row] = r.HeldRise
		}
	}
}
