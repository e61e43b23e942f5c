package force

import (
	"slices"

	"github.com/scree-dem/scree/vec"
)

// MaxPoints is the largest number of points of a contact.
const MaxPoints = 8

// MaxMemory is the largest number of history values in the row of a contact: for each point its
// Feature and its history.
const MaxMemory = MaxPoints * (1 + MaxHistory)

// Point is a point at which two pieces touch. Two faces touch at the corners of their common area,
// an edge on a face touches at two points, and balls and other features touch at one.
type Point struct {
	Gap     float64  // m, along Contact.Normal; negative when penetrating; it does not include Contact.Forgiven
	Arm     vec.Vec3 // m, from the location to the point, world axes
	Feature uint64   // identifies the features that make the point, and stays the same while they do; from 1 to 2⁵³−1

	// History is what the law stores for the point; Apply reads and updates it. It has
	// Needs().History values, all 0 for a new point. A point continues a point of the last step if
	// the contact lasts and Feature is the same.
	History []float64
}

// VelocityAt returns the velocity, m/s, of A's material at a point minus that of B's.
func (c *Contact) VelocityAt(p *Point) vec.Vec3 { return c.Velocity.Add(c.Spin.Cross(p.Arm)) }

// MassAt returns the effective mass, kg, of both bodies together against a force at a point along a
// unit vector.
func (c *Contact) MassAt(p *Point, n vec.Vec3) float64 {
	a, b := c.A, c.B
	a.Arm, b.Arm = a.Arm.Add(p.Arm), b.Arm.Add(p.Arm)
	return c.massOf(a.along(n, vec.Vec3{}) + b.along(n, vec.Vec3{}))
}

// memory returns the number of history values in the row of a contact. For a law with points the
// row has MaxPoints slots. A slot holds the Feature of a point, or 0 if the slot is free, and the
// point's history.
func (n *Needs) memory() int {
	if n.Points && n.History > 0 {
		return MaxPoints * (1 + n.History)
	}
	return n.History
}

// points holds the points of a batch.
type points struct {
	all    []Point
	end    []int // by contact of single: end of its points in all
	before [MaxMemory]float64
}

func (p *points) clear() { p.all, p.end = p.all[:0], p.end[:0] }

// of returns the points of contact k.
func (p *points) of(k int) []Point {
	first := 0
	if k > 0 {
		first = p.end[k-1]
	}
	return p.all[first:p.end[k]]
}

// applyPoints evaluates contact k. s.contact must be set except for Points. The history of a point
// moves to the slot of the point with the same Feature. The energy of points that ended is in
// HeldRise, which the ledger books as friction.
func (s *single) applyPoints(k int, contacts *ContactRows, law Law, needs *Needs) {
	t, r, n := &s.contacts[k], &s.results[k], needs.memory()
	begin, before := len(s.history), s.before[:n]
	s.history = slices.Grow(s.history, n)[:begin+n]
	after := s.history[begin:]
	clear(after)
	for i, column := range contacts.History[:n] {
		before[i] = column[t.Row]
	}
	s.contact.Points = s.of(k)
	for i := range s.contact.Points {
		s.contact.Points[i].remember(i, needs.History, before, after)
	}
	law.Apply(&s.contact, nil, r)
	r.Held = heldByPoints(law, needs, after)
	r.HeldRise = r.Held - heldByPoints(law, needs, before)
}

// remember gives point i of a contact its slot in after, filled from the slot of before with the
// same Feature. size is the number of history values per point.
func (p *Point) remember(i, size int, before, after []float64) {
	if size == 0 {
		p.History = nil
		return
	}
	row := 1 + size
	to := after[i*row:][:row:row]
	p.History = to[1:]
	to[0] = float64(p.Feature)
	for ; len(before) > 0; before = before[row:] {
		if before[0] == to[0] {
			copy(to, before[:row])
			return
		}
	}
}

// heldByPoints returns the energy, J, in the friction springs of all points of a contact. places is
// the slots of its row.
func heldByPoints(law Law, needs *Needs, places []float64) float64 {
	held, row := 0.0, 1+needs.History
	for places = places[:needs.memory()]; len(places) > 0; places = places[row:] {
		if places[0] != 0 {
			held += law.Held(places[1:row])
		}
	}
	return held
}
