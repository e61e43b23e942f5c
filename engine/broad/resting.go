package broad

import "github.com/scree-dem/scree/soa"

// settle marks body i settled if its pieces can be in the tree of what rests: if it is prescribed and
// their cell extents are, to the bit, those of the last rebuild, when they were enlarged by grew. Before
// anything is known, it is settled if it is prescribed and has no motion budget.
func (c *Cells) settle(i int, grew float64) {
	still := c.state[i]&resting != 0 && c.grow[i] == grew
	if !c.known {
		still = c.state[i]&prescribed != 0 && c.limit[i] == c.bodies.Odometer[i]
	}
	if still && !c.cfg.Anew {
		c.state[i] |= settled
	}
}

// split divides the pieces into those of settled bodies and the others, where that has changed since the
// last rebuild. What rests is entered once, in a tree; every other pass goes over the others alone. When
// a wall begins to move, the tree is built anew of the others, whose extents are known.
// Cost when nothing has changed: one look a worker.
func (c *Cells) split() {
	changed := !c.known
	for i := range c.work {
		changed = changed || c.work[i].changed
	}
	if !changed {
		return
	}
	rest := &c.resting
	c.moving, rest.piece = c.moving[:0], rest.piece[:0]
	for i, body := range c.pieces.Body {
		if c.state[body]&settled != 0 {
			rest.piece = append(rest.piece, soa.Piece(i))
		} else {
			c.moving = append(c.moving, soa.Piece(i))
		}
	}
	if !c.known {
		c.overPieces(rest.piece, (*extentPass)(c))
	}
	rest.build(c.cellExtent)
	c.entered += len(rest.piece)
}

// amongResting lists the pairs of entered pieces with those at rest.
func (c *Cells) amongResting(to *list, pieces []uint32) {
	rest := &c.resting
	if len(rest.piece) == 0 {
		return
	}
	kind, root := c.pieces.Kind, &rest.nodes[0].box
	for _, n := range pieces {
		if to.full {
			return
		}
		p := soa.Piece(n)
		box := &c.cellExtent[p]
		// What rests is prescribed, and pairs with no other that is.
		if !Overlap(box, root) || c.state[c.pieces.Body[p]]&prescribed != 0 {
			continue
		}
		for k := rest.leaf(box, 0); k < rest.end(); k = rest.leaf(box, k+1) {
			for _, q := range rest.pieces(k) {
				if Overlap(box, &c.cellExtent[q]) && !(kind[p] == soa.Facet && kind[q] == soa.Facet) {
					a, b := asPair(kind, p, q)
					to.add(uint32(a), uint32(b))
				}
			}
		}
	}
}
