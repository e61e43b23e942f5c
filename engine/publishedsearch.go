package engine

import (
	"iter"
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// publishedSearch is what a run by narrow.FDSPaper derives its contact tolerance from.
type publishedSearch struct {
	on    bool
	edge  float64 // m, the shortest edge of the blocks (d_small)
	moved float64 // m, the longest way of a vertex in a step so far (d_max)
}

// edgeShare is the largest dtol, in multiples of the shortest edge. Larger: the region of a vertex
// reaches that of the next one.
const edgeShare = 0.1

// prepare gives the candidate pairs their lists, and sets dtol for a step of dt seconds,
// in which the bodies have moved with their velocities. Two bodies approach by at most 2·d_max in a
// step, so dtol is 2·d_max, with a margin for rounding. It returns an error if that is more than
// edgeShare allows: a contact could then be missed.
func (p *publishedSearch) prepare(w *World, dt float64) error {
	if p.edge == 0 {
		p.edge = shortestEdge(&w.space.Shapes)
	}
	for i := range w.bodies.Len() {
		way := float64((w.bodies.Vel.At(i).Norm() + float64(w.bodies.Spin.At(i).Norm()*w.bodies.Radius[i])) * dt)
		if p.moved = max(p.moved, way); !(2*way <= edgeShare*p.edge) {
			return mark.Errorf(ErrTimeStep, "engine: step %d: method fds-paper: the vertices of %s move by up to %.3g m in a step of %g s, expected at "+
				"most %g m, a twentieth of the shortest edge; expected a shorter step", w.step, w.nameOf(soa.Body(i)), way, dt, 0.5*edgeShare*p.edge)
		}
	}
	w.space.SetTolerance(min(2*p.moved*(1+0x1p-20), edgeShare*p.edge))
	return nil
}

// shortestEdge returns the length of the shortest edge of all blocks, m.
func shortestEdge(shapes *soa.Shapes) float64 {
	least := math.Inf(1)
	for k := range shapes.Len() {
		if shapes.Kind[k].IsPolyhedron() {
			v := shapes.View(soa.Shape(k))
			for _, h := range v.Edge {
				least = min(least, v.Vert(v.Tail[h]).Sub(v.Vert(v.Head(h))).Norm())
			}
		}
	}
	return least
}

// checkPublished returns an error if the configuration asks the published search for more than it
// answers.
func (c *Config) checkPublished() error {
	if c.Method == narrow.FDSPaper && (c.Law.Overlaps() || c.Law.Reach() > 0) {
		return mark.Errorf(ErrConfig, "engine: method fds-paper with a law that reads overlaps or has an interaction distance of %g m, "+
			"expected laws that read gaps of bodies that touch, such as force.Linear", c.Law.Reach())
	}
	return nil
}

// BasicContacts yields the basic contacts of the active contacts of two blocks, with their bodies,
// in the order of the pairs. The order is the same on any number of workers. The mode of each is
// what the law made of the contact of its pair: open if the points are apart, else stick or slide.
// With narrow.FDSPaper the contacts are those of the published search. Otherwise BasicContacts finds
// them, with narrow.Dtol. The caller must not step or change the world inside the loop.
func (w *World) BasicContacts() iter.Seq2[ActiveContact, narrow.BasicContact] {
	return func(yield func(ActiveContact, narrow.BasicContact) bool) {
		var own narrow.ContactList
		for c := range w.ActiveContacts() {
			list := w.space.BasicContacts(c.Row, &own)
			for i := range list.Basic {
				b := &list.Basic[i]
				switch {
				case b.Distance > 0:
					b.Mode = narrow.Open
				case c.Sliding:
					b.Mode = narrow.Slide
				default:
					b.Mode = narrow.Stick
				}
				if !yield(c, *b) {
					return
				}
			}
		}
	}
}
