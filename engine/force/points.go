package force

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// MaxPoints is how many points a contact has at most.
const MaxPoints = 8

// MaxMemory is how many values the row of a contact has at most for its history: of each point its name and what it remembers.
const MaxMemory = MaxPoints * (1 + MaxHistory)

// Point is one of the points in which two pieces touch. Two faces that meet touch in the corners of what they have in common, an edge
// on a face in two points, balls and other features in one.
type Point struct {
	Gap     float64  // m, along Contact.Normal; negative when penetrating. What relief forgives is Contact.Forgiven
	Arm     vec.Vec3 // m, from the location, world axes
	Feature uint64   // names the features that make the point, and is the same while they do; above 0, below 2⁵³

	// History is what the law remembers of the point, to be read and set: Needs().History values, all 0 when the point is new. A point is
	// the same as one of the last step if the contact lasts and Feature is the same.
	History []float64
}

// VelocityAt returns the velocity, m/s, of A's material at a point less that of B's.
func (c *Contact) VelocityAt(p *Point) vec.Vec3 { return c.Velocity.Add(c.Spin.Cross(p.Arm)) }

// MassAt returns the effective mass, kg, of both bodies against a force at a point along a unit vector.
func (c *Contact) MassAt(p *Point, n vec.Vec3) float64 {
	a, b := c.A, c.B
	a.Arm, b.Arm = a.Arm.Add(p.Arm), b.Arm.Add(p.Arm)
	return 1 / (a.along(n) + b.along(n))
}

// memory returns how many values the row of a contact has for its history. Of a law with points there are MaxPoints places, each
// the name of a point, or 0, and what that remembers.
func (n *Needs) memory() int {
	if n.Points && n.History > 0 {
		return MaxPoints * (1 + n.History)
	}
	return n.History
}

// points are those of a batch.
type points struct {
	all    []Point
	end    []int // by contact of single: where its points end
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

// applyPoints works out contact k, which is in s.contact but for the points. What points remember goes to the places of those of
// the same name, and what is left to friction.
func (s *single) applyPoints(k int, contacts *soa.Contacts, law Law, needs *Needs) {
	t, r, n := &s.touches[k], &s.results[k], needs.memory()
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

// remember gives point i of a contact its place in after, with what the place of its name in before has. Of size values.
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

// heldByPoints returns the energy, J, that the points of a contact hold, by the places of its row.
func heldByPoints(law Law, needs *Needs, places []float64) float64 {
	held, row := 0.0, 1+needs.History
	for places = places[:needs.memory()]; len(places) > 0; places = places[row:] {
		if places[0] != 0 {
			held += law.Held(places[1:row])
		}
	}
	return held
}

// checkPoints refuses places that no step leaves behind: of names that are none, or of one name.
func checkPoints(needs *Needs, history []float64) error {
	row, names := 1+needs.History, [MaxPoints]float64{}
	for i := range needs.memory() / row {
		place := history[i*row:][:row]
		name := place[0]
		switch {
		case !(name >= 0 && name < 1<<53) || name != float64(uint64(name)):
			return fmt.Errorf("has a point with the name %g, expected a whole number from 0 to 2⁵³", name)
		case name == 0 && slices.ContainsFunc(place, func(x float64) bool { return x != 0 }):
			return fmt.Errorf("remembers what belongs to no point, expected 0")
		case name != 0 && slices.Contains(names[:i], name):
			return fmt.Errorf("has two points with the name %g, expected one", name)
		}
		names[i] = name
	}
	return nil
}
