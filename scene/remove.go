package scene

import (
	"fmt"

	"github.com/scree-dem/scree/vec"
)

// remove is a checked [[remove]] table: a region whose bodies go.
type remove struct {
	count
	outside bool // of the box
	every   int64
}

// takes reports whether a body with its centre of mass at p goes.
func (m *remove) takes(p vec.Vec3) bool { return m.in(p) != m.outside }

// String returns the region, with all digits.
func (m *remove) String() string { return fmt.Sprint(m.count.String(), m.outside, m.every) }

// sourcePlaces is the number of places of a pour that are compared with the region of a remove.
const sourcePlaces = 1000

// checkRemoves reads the [[remove]] tables. It rejects one whose region holds places of a pour.
func (s *checks) checkRemoves(d *document) {
	for i := range d.Removes {
		t, m, key := &d.Removes[i], remove{every: d.Removes[i].Every}, fmt.Sprintf("remove[%d]", i)
		region := "box"
		switch {
		case t.Below != nil:
			region, m.plane, m.point, m.normal = "below", true, t.Below[0], t.Below[1]
			s.demand(key+".below", [][]float64{asList(m.point), asList(m.normal)}, m.normal != (vec.Vec3{}), "a normal that is not zero")
		case t.Box != nil:
			m.box = s.box(key+".box", t.Box)
			s.inPeriod(key+".box", m.box)
		default:
			region, m.outside = "outside", true
			m.box = s.box(key+".outside", t.Outside)
		}
		for k := range s.groups {
			if g := &s.groups[k]; g.kind == "pour" && s.first == nil && s.takesFrom(&m, g) {
				s.fault(key+"."+region, fmt.Sprintf("holds places of the pour %s, expected a region away from its %s: its bodies would go as they come", g.key, g.region.key))
			}
		}
		s.removes = append(s.removes, m)
	}
}

// takesFrom reports whether bodies of a pour would go as they come.
func (s *Scene) takesFrom(m *remove, g *bodyEntry) bool {
	for _, h := range g.shapes { // Of a box, all places are known.
		room, err := s.room(g, h)
		if err != nil || g.region.key != "box" {
			continue
		}
		switch {
		case m.plane:
			low := room.Min
			for axis, n := range asList(m.normal) {
				if n < 0 {
					*[3]*float64{&low.X, &low.Y, &low.Z}[axis] = asList(room.Max)[axis]
				}
			}
			if m.takes(low) {
				return true
			}
		case m.outside && (m.takes(room.Min) || m.takes(room.Max)), !m.outside && m.box.Overlaps(room):
			return true
		}
	}
	for k := range int64(sourcePlaces) {
		h := g.shapes[k%int64(len(g.shapes))]
		if c, ok := s.place(g, s.shapes[h].radius, drawn(g.seed, k)); ok && m.takes(c) {
			return true
		}
	}
	return false
}

// remove takes the bodies in a region out of the world.
func (r *runner) remove(i int) error {
	t, m, b := r.b.comings, &r.s.removes[i], r.w.Bodies()
	t.ids = t.ids[:0]
	for row := range b.Len() {
		if b.InvMass[row] > 0 && m.takes(r.w.InBox(b.Pos.At(row))) {
			t.ids = append(t.ids, b.ID[row])
			t.Removed[i].Bodies++
			t.Removed[i].Mass += b.Mass[row]
		}
	}
	for _, id := range t.ids {
		if err := r.w.RemoveBody(id); err != nil {
			return r.s.at.because(fmt.Sprintf("remove[%d]", i), err)
		}
	}
	if len(t.ids) > 0 {
		t.forget(r.w)
	}
	return nil
}
