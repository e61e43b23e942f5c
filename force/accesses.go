package force

import (
	"github.com/scree-dem/scree/internal/access"
)

// Walk declares the accesses of a batch to which the contacts are added and then applied. Of each contact A, B, Row and
// Law are set.
func (b *Batch) Walk(w *access.Walk, s *Step, contacts []WrittenContact) {
	bodies, forces, n := access.Fields(w, "Bodies", s.Bodies), access.Fields(w, "Forces", s.To.Forces), s.To.Normal
	normal := access.Of(w, "Contacts.Normal", n.X, n.Y, n.Z)
	r, single := &b.thickness, &b.single
	inLanes := []*access.Column{access.Local(w, r.columns...), access.Local(w, r.a, r.b, r.row, r.law)}
	oneByOne := []*access.Column{access.Local(w, single.contacts[:cap(single.contacts)]), access.Local(w, single.results[:cap(single.results)])}
	buffers := func(law uint32) []*access.Column {
		if b.table.lanes[law] {
			return inLanes
		}
		return oneByOne
	}
	results := []string{"Force", "TorqueA", "TorqueB"}
	if s.Accounted {
		results = append(results, "Damping", "Moment", "Friction", "FrictionMoment", "Shear")
	}
	for k := range contacts {
		for _, c := range buffers(contacts[k].Law) {
			c.Write(k)
		}
	}
	for lo := 0; lo < len(contacts); lo += blockRows {
		end := min(lo+blockRows, len(contacts))
		for k := lo; k < end; k++ {
			t := &contacts[k]
			for _, c := range buffers(t.Law) {
				c.Read(k)
			}
			names := []string{"Vel", "Spin", "InvMass"}
			if needs := b.table.NeedsAt(t.Law); needs.Overlap || needs.Points {
				names = append(names, "Rot", "InvInertia")
			}
			for _, name := range names {
				bodies[name].Read(int(t.A))
				bodies[name].Read(int(t.B))
			}
			history := b.history(w, s, t.Law)
			history.Read(int(t.Row))
			normal.Read(int(t.Row))
			forces["Relief"].Read(int(t.Row))
		}
		for k := lo; k < end; k++ {
			row := int(contacts[k].Row)
			history := b.history(w, s, contacts[k].Law)
			history.Write(row)
			normal.Write(row)
			for _, name := range results {
				forces[name].Write(row)
			}
		}
	}
}

// history returns the columns of history that a law reads and writes.
func (b *Batch) history(w *access.Walk, s *Step, law uint32) *access.Column {
	return access.Of(w, "Forces.History", s.To.History[:b.table.NeedsAt(law).memory()]...)
}

