package force

import (
	"slices"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Batch applies the laws of a table to many contacts at once. It evaluates Thickness in
// vector lanes, one contact per lane, and any other law one contact at a time. The lanes return the
// same bits as Law.Apply for each contact, in every branch, with the velocities of the two bodies
// at the contact's location.
//
// To use a batch, call Clear, then Add for each contact, then Apply. Kernels that compute overlaps
// may write them directly into the batch: call Rows and AddWritten instead of Add. A batch must not be
// used by several goroutines at once. It allocates only while it grows beyond its largest size so
// far.
//
// docs/kernels.md has the cost. Adding and storing a contact costs about as much as its law, so a
// batch should fit in cache: up to a few hundred contacts.
type Batch struct {
	table     *Table
	thickness thicknessRows
	single    single
	present   LawContact // that Each yields
}

// LawContact is one active contact. Frame: world.
type LawContact struct {
	A, B soa.Body // the normal points from A to B
	Row  uint32   // of ContactRows: holds the history and receives the results
	Law  uint32   // Table.Row of the contact's materials

	Gap            float64  // m, as measured; relief is applied later, from soa.Forces.Relief
	Normal         vec.Vec3 // unit
	ArmA, ArmB     vec.Vec3 // m, from the centres of mass to the location
	SectionMoments vec.Sym3 // m², see Contact
	Overlap        Overlap  // set only for laws with Needs.Overlap
}

// WrittenContact is an active contact whose overlap is already in a row of the batch. Frame: world.
type WrittenContact struct {
	A, B     soa.Body // as in LawContact
	Row, Law uint32   // as in LawContact
	// The row holds the centroid relative to a reference point on A. FromA is the vector from A's
	// centre of mass to that point, m. Between is the vector from that point to a reference point
	// on B, and FromB from B's centre of mass to the point on B.
	FromA, Between, FromB vec.Vec3
}

// Reserve allocates space for n contacts of each law of a table, so that adding them allocates
// nothing.
func (b *Batch) Reserve(table *Table, n int) {
	if slices.Contains(table.lanes, true) {
		b.thickness.reserve(n, thicknessInputs)
	}
}

// Clear empties the batch and sets the table for the contacts that follow.
func (b *Batch) Clear(table *Table) {
	b.table = table
	b.thickness.n = 0
	b.single.clear()
}

// InLanes reports whether AddWritten may add contacts for a row of the table.
func (b *Batch) InLanes(law uint32) bool { return b.table.lanes[law] }

// Rows allocates space for n more contacts. It returns the columns to which a kernel may write
// overlaps, and the first free row. Both are valid until the next contact is added. The kernel must
// write the centroid, relative to any reference point on A, to the columns of A's arm. It must
// write the unit direction in which the variance grows fastest to the columns of the normal.
func (b *Batch) Rows(n int) (columns *[overlapColumns][]float64, first int) {
	b.thickness.extend(n, thicknessInputs)
	return (*[overlapColumns][]float64)(b.thickness.columns), b.thickness.n
}

// AddWritten makes the next free row a contact. The row must hold an overlap that a kernel has written.
// AddWritten returns the centroid and the variance of that overlap.
func (b *Batch) AddWritten(t *WrittenContact) (centroid vec.Vec3, variance float64) {
	return b.thickness.take(t)
}

// WrittenGradient returns the gradient of the variance of the contact that AddWritten added last.
func (b *Batch) WrittenGradient() vec.Vec3 {
	c, i := b.thickness.columns[varianceOf+1:], b.thickness.n-1
	return vec.Vec3{X: c[0][i], Y: c[1][i], Z: c[2][i]}
}

// AddPoint adds a point to the contact that the next Add appends. A contact may have at most
// MaxPoints points.
func (b *Batch) AddPoint(p Point) { b.single.all = append(b.single.all, p) }

// Add appends a contact.
func (b *Batch) Add(t *LawContact) {
	if b.table.lanes[t.Law] {
		b.thickness.add(t)
	} else {
		b.single.add(t)
	}
}

// ContactRows are the columns that laws read and write, one row for each row of soa.Contacts.
type ContactRows struct {
	Normal *soa.Vec3s // soa.Contacts.Normal
	*soa.Forces
}

// Step is the input and output of Batch.Apply.
type Step struct {
	Bodies *soa.Bodies // read: Vel, Spin and InvMass; for laws with overlaps or points also Rot and InvInertia
	// Constrained has the bodies and walls whose inverse mass depends on the direction, by their rows. It may be nil.
	Constrained map[soa.Body]*Constraint
	// ImageVelocity returns by how much, m/s, the material of B of a contact row moves faster than body B, because B is the
	// image of a body across the side of a cell that deforms. It is nil if no B does.
	ImageVelocity func(row uint32) vec.Vec3
	From          ContactRows // read: History, Normal and Relief
	// To receives the results and may be the same as From. Apply writes History (as many values as the
	// law stores), Normal, Force, TorqueA and TorqueB. If Accounted is set, it also writes Damping,
	// Moment, Friction, FrictionMoment and Shear, which only the energy ledger reads.
	To        ContactRows
	Dt        float64 // s
	Forgiven  float64 // 0 to 1: share of Relief that still applies
	Accounted bool
}

// Apply evaluates all contacts and stores the results. If To is From, no two contacts may have the
// same row; otherwise the last result stored in a row remains.
//
// Apply or Add panics if an index of a contact is out of range.
func (b *Batch) Apply(s *Step) {
	b.divert(s)
	b.thickness.apply(s, &b.table.thickness)
	b.single.apply(s, b.table)
}

// StoreNormals writes the normals of the contacts to their rows of a column, without applying any law. A
// program that computes no forces calls it in place of Apply.
func (b *Batch) StoreNormals(to *soa.Vec3s) {
	r := &b.thickness
	for i, row := range r.row[:r.n] {
		to.Set(int(row), vec.Vec3{X: r.columns[normalOf][i], Y: r.columns[normalOf+1][i], Z: r.columns[normalOf+2][i]})
	}
	for k := range b.single.contacts {
		to.Set(int(b.single.contacts[k].Row), b.single.contacts[k].Normal)
	}
}

// Energies is the energy in the springs of a contact.
type Energies struct {
	Stored, Shear float64 // J: in the normal spring, and in the friction springs
}

// Energies yields LawContact.Row and the spring energies of each contact after Apply. Contacts
// evaluated in the same manner (Thickness, then other laws) follow each other, in the
// order of Add and AddWritten.
func (b *Batch) Energies(yield func(row uint32, e Energies) bool) {
	r := &b.thickness.rows
	for i, row := range r.row[:r.n] {
		if !yield(row, Energies{r.stored[i], r.shear[i]}) {
			return
		}
	}
	for k := range b.single.contacts {
		if r := &b.single.results[k]; !yield(b.single.contacts[k].Row, Energies{r.Stored, r.Held}) {
			return
		}
	}
}

// Walk declares the accesses of a batch to which the contacts are added and then applied. Of each contact A, B, Row and
// Law are set.
func (b *Batch) Walk(w *access.Walk, s *Step, contacts []WrittenContact) {
	bodies, forces, n := access.Fields(w, "Bodies", s.Bodies), access.Fields(w, "Forces", s.To.Forces), s.To.Normal
	normal := access.Of(w, "Contacts.Normal", n.X, n.Y, n.Z)
	r, single := &b.thickness, &b.single
	inLanes := []*access.Declared{access.Local(w, r.columns...), access.Local(w, r.a, r.b, r.row, r.law)}
	oneByOne := []*access.Declared{access.Local(w, single.contacts[:cap(single.contacts)]), access.Local(w, single.results[:cap(single.results)])}
	buffers := func(law uint32) []*access.Declared {
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
func (b *Batch) history(w *access.Walk, s *Step, law uint32) *access.Declared {
	return access.Of(w, "Forces.History", s.To.History[:b.table.NeedsAt(law).memory()]...)
}
