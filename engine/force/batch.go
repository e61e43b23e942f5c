package force

import (
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Batch applies the laws of a table to many contacts at once: Linear and Thickness in lanes, one
// contact a lane of a vector register, any other law one contact at a time. To the bit, and in
// every branch, lanes give what Law.Apply gives each contact alone, with the velocities of its
// two bodies at the location.
//
// A batch is used in three steps: Clear, AddOverlap or AddPoint and Add for each contact, Apply. It is
// not for several goroutines at once. Once it has been as large it allocates nothing. Cost: see
// docs/kernels.md; adding and storing a contact cost about as much as its law, so a batch holds
// what is in cache: up to a few hundred contacts.
type Batch struct {
	table     *Table
	places    []place // of contacts, in the order of Add
	overlaps  overlaps
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

// place is where a contact is: in a row of those that are worked out in the same way.
type place struct {
	way     way
	row     uint32
	contact uint32 // Touch.Row
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
	Overlap    uint32   // its number, by AddOverlap or OverlapRows; 0 for none
}

// Reserve makes room for n contacts of any law of a table, so that they are added without
// allocations.
func (b *Batch) Reserve(table *Table, n int) {
	b.places = slices.Grow(b.places, max(n-len(b.places), 0))
	for _, w := range table.ways {
		switch w {
		case linearLanes:
			b.linear.reserve(n)
		case thicknessLanes:
			b.thickness.reserve(n)
		}
	}
	if table.Overlaps() {
		b.overlaps.reserve(n)
	}
}

// Clear empties the batch, for contacts of the laws of a table.
func (b *Batch) Clear(table *Table) {
	b.table, b.places = table, b.places[:0]
	b.overlaps.clear()
	b.linear.n, b.thickness.n = 0, 0
	b.single.clear()
}

// AddOverlap keeps an overlap for a contact, and returns what its Touch refers to it by.
func (b *Batch) AddOverlap(o *Overlap) uint32 { return b.overlaps.add(o) }

// OverlapRows takes n overlaps, which others write: that number first+k to row first+k of the columns,
// which are the numbers of an Overlap in the order of its fields. The columns have room for as many
// rows as room, and are valid until the next overlap is taken or added.
func (b *Batch) OverlapRows(n, room int) (columns *[OverlapNumbers][]float64, first int) {
	first = b.overlaps.rows(n, room)
	return &b.overlaps.columns, first
}

// AddPoint keeps a point for the contact that is added next. A contact has at most MaxPoints.
func (b *Batch) AddPoint(p Point) { b.single.all = append(b.single.all, p) }

// Variance returns Overlap.Variance of an overlap by its number.
func (b *Batch) Variance(overlap uint32) float64 { return b.overlaps.variance(overlap) }

// Add appends a contact.
func (b *Batch) Add(t *Touch) {
	p := place{way: b.table.ways[t.Law], contact: t.Row}
	switch p.way {
	case linearLanes:
		p.row = uint32(b.linear.n)
		b.linear.add(t)
	case thicknessLanes:
		p.row = uint32(b.thickness.n)
		b.thickness.add(t)
	case alone:
		p.row = b.single.add(t)
	}
	b.places = append(b.places, p)
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
	b.thickness.apply(s, &b.table.thickness, &b.overlaps)
	b.single.apply(s, b.table, &b.overlaps)
}

// Len returns the number of contacts.
func (b *Batch) Len() int { return len(b.places) }

// Energies returns Row of contact k, counted in the order of Add, and what its normal and its
// tangential spring hold, J.
func (b *Batch) Energies(k int) (row uint32, stored, shear float64) {
	p := b.places[k]
	switch p.way {
	case linearLanes:
		stored, shear = b.linear.energies(int(p.row))
	case thicknessLanes:
		stored, shear = b.thickness.energies(int(p.row))
	case alone:
		r := &b.single.results[p.row]
		stored, shear = r.Stored, r.Held
	}
	return p.contact, stored, shear
}
