package force

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Batch applies the laws of a table to many contacts at once: Linear and Thickness in lanes, one
// contact a lane of a vector register, any other law one contact at a time. To the bit, and in
// every branch, lanes give what Law.Apply gives each contact alone, with the velocities of its
// two bodies at the location.
//
// A batch is used in three steps: Clear, Add for each contact (or Rows and Take, where kernels write what they find of contacts to the batch), Apply. It is
// not for several goroutines at once. Once it has been as large it allocates nothing. Cost: see
// docs/kernels.md; adding and storing a contact cost about as much as its law, so a batch holds
// what is in cache: up to a few hundred contacts.
type Batch struct {
	table     *Table
	linear    linearRows
	thickness thicknessRows
	single    single
}

// way is how a batch works out a law.
type way uint8

const (
	alone way = iota // one contact at a time
	linearLanes
	thicknessLanes
)

// ActiveContact is one active contact. Frame: world; the normal points from A to B.
type ActiveContact struct {
	A, B soa.Body
	Row  uint32 // of soa.Contacts: where the history is, and the results go
	Law  uint32 // Table.Row of the pair of materials

	Gap        float64  // m, as measured; what is forgiven of it comes from the history
	Normal     vec.Vec3 // unit
	ArmA, ArmB vec.Vec3 // m, from the centres of mass to the location
	Width      vec.Sym3 // m², see Contact
	Overlap    Overlap  // for laws whose Needs ask for it; others do not read it
}

// Taken is an active contact whose overlap is in a row of the batch. Frame: world.
type Taken struct {
	A, B     soa.Body // as in ActiveContact
	Row, Law uint32   // as in ActiveContact
	// The centroid is relative to a place on A. FromA is where this is from A's centre of mass, and Between how far it is to a place on B, which is
	// FromB from B's; m.
	FromA, Between, FromB vec.Vec3
}

// Reserve makes room for n contacts of any law of a table, so that they are added without
// allocations.
func (b *Batch) Reserve(table *Table, n int) {
	for _, w := range table.ways {
		switch w {
		case linearLanes:
			b.linear.reserve(n)
		case thicknessLanes:
			b.thickness.reserve(n)
		}
	}
}

// Clear empties the batch, for contacts of the laws of a table.
func (b *Batch) Clear(table *Table) {
	b.table = table
	b.linear.n, b.thickness.n = 0, 0
	b.single.clear()
}

// InLanes reports whether contacts of a row of the table with an overlap may be taken.
func (b *Batch) InLanes(law uint32) bool { return b.table.ways[law] == thicknessLanes }

// Rows makes room for n contacts more, and returns the columns and the first of their rows that others may write overlaps to. They are valid
// until the next contact is added. The centroid, relative to any place on A, is written where the arm of A is, and the way in which the variance
// grows, unit, where the normal is.
func (b *Batch) Rows(n int) (columns *[OverlapColumns][]float64, first int) {
	b.thickness.room(n)
	return &b.thickness.columns, b.thickness.n
}

// Take makes the next of the rows of Rows a contact. It returns the centroid and the variance that were written there.
func (b *Batch) Take(t *Taken) (centroid vec.Vec3, variance float64) { return b.thickness.take(t) }

// AddPoint keeps a point for the contact that is added next. A contact has at most MaxPoints.
func (b *Batch) AddPoint(p Point) { b.single.all = append(b.single.all, p) }

// Add appends a contact.
func (b *Batch) Add(t *ActiveContact) {
	switch b.table.ways[t.Law] {
	case linearLanes:
		b.linear.add(t)
	case thicknessLanes:
		b.thickness.add(t)
	case alone:
		b.single.add(t)
	}
}

// Step is what the laws of a batch are applied to.
type Step struct {
	Bodies   *soa.Bodies   // read: Vel, Spin and InvMass, with overlaps or points Rot and InvInertia, too
	Contacts *soa.Contacts // read: History, Normal and Relief
	// To is written, and may be Contacts: History, as much of it as the contact's law remembers, Normal, Force, TorqueA and TorqueB;
	// and Damping, Moment, Friction, FrictionMoment and Shear, which only the account of energies reads, if Accounted is set.
	To        *soa.Contacts
	Dt        float64 // s
	Forgiven  float64 // 0 to 1: the share of Relief that is still forgiven
	Accounted bool
}

// Apply works out all contacts and stores what comes of them. No two contacts may have the same row where To is Contacts; otherwise what
// is stored last stays.
//
// A contact of which an index is out of range panics, here or in Add.
func (b *Batch) Apply(s *Step) {
	b.linear.apply(s, &b.table.linear)
	b.thickness.apply(s, &b.table.thickness)
	b.single.apply(s, b.table)
}

// Energies is what springs of a contact hold, J.
type Energies struct {
	Stored, Shear float64 // J
}

// Energies yields, of each contact, ActiveContact.Row and what the springs hold: the contacts of one way of working a law out after those of another, and of
// one way in the order of Add and Take.
func (b *Batch) Energies(yield func(row uint32, e Energies) bool) {
	for c, n := range b.linear.each {
		for i := range n {
			if !yield(c.row[i], Energies{c.stored[i], c.shear[i]}) {
				return
			}
		}
	}
	r := &b.thickness
	for i, row := range r.row[:r.n] {
		if !yield(row, Energies{r.stored[i], r.shear[i]}) {
			return
		}
	}
	for k := range b.single.touches {
		if r := &b.single.results[k]; !yield(b.single.touches[k].Row, Energies{r.Stored, r.Held}) {
			return
		}
	}
}
