package overlap

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// alone returns the table that computes single overlaps of a type. Its only row reads features from
// an arena, and poses from the rows of the Clipper.
func (c *Clipper) alone(s shape, arena *soa.Shapes) *typed {
	if c.one[s] == nil {
		of := newTyped(s)
		c.one[s] = &of
	}
	c.one[s].lookUp(arena, c.poses[:])
	return c.one[s]
}

// setPoses writes the poses of A and B to the rows that ofType and ofPrism read.
func (c *Clipper) setPoses(a, b *vec.Pose) {
	for k, p := range [2]*vec.Pose{a, b} {
		to := (*[asm.PoseNumbers]float64)(c.poses[k*asm.PoseNumbers:])
		to[0], to[1], to[2] = p.Pos.X, p.Pos.Y, p.Pos.Z
		to[3], to[4], to[5], to[6] = p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z
	}
}

// clearOf returns clearOf for A and B.
func (c *Clipper) clearOf(va, vb *soa.View) float64 { return clearOf(va, vb, c.poses[:], 0, 1) }

// answer writes the overlap of the first row to s, and reports whether the overlap is proven to be
// of the type. Corners and crossings have machine code for one row. For the other types, the
// narrowest register of lanes is faster than the Go loop with one row, and with a prism no slower
// than machine code for one row would be. These types are computed together with rows that nobody
// reads.
func (t *typed) answer(s *Moments) bool {
	rows := asm.MinLanes()
	if t.shape < prism4 {
		rows = asm.SingleRows()
	}
	t.solve(0, rows)
	return t.get(0, s)
}

// ofType writes the overlap to s if it is proven to be the one that the features of a facet make,
// and reports whether it is.
func (c *Clipper) ofType(va, vb *soa.View, id soa.FacetID, s *Moments) bool {
	of := shapeOf(va, vb, id)
	if of == clipped {
		return false
	}
	t := c.alone(of, va.Arena)
	t.facet(0, 0, 1, va, vb, id, c.clearOf(va, vb))
	if !t.answer(s) {
		return false
	}
	c.found = id
	return true
}

// ofPrism writes the overlap to s if it is proven to be the prism between the faces of p, and
// reports whether it is.
func (c *Clipper) ofPrism(va, vb *soa.View, p *soa.Prism, s *Moments) bool {
	of := prismShape(va, vb, p)
	if of == clipped {
		return false
	}
	t := c.alone(of, va.Arena)
	t.prism(0, 0, 1, va, vb, p, c.clearOf(va, vb), 0)
	if !t.answer(s) {
		return false
	}
	c.prism = *p
	return true
}
