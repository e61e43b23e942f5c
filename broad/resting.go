package broad

import "github.com/scree-dem/scree/soa"

// settle marks body i as settled if its pieces can be in the tree of resting pieces. This is so if
// the body is prescribed and the cell extents of its pieces are, to the bit, those of the last
// rebuild. grew is the value of grow at that rebuild. Before the first rebuild, a prescribed body
// without skin is settled.
func (c *CandidateSearch) settle(i int, grew float64) {
	still := c.state[i]&resting != 0 && c.grow[i] == grew
	if !c.known {
		still = c.state[i]&prescribed != 0 && c.limit[i] == c.bodies.Odometer[i]
	}
	if still && !c.cfg.RebuildAll {
		c.state[i] |= settled
	}
}

// split divides the pieces into those of settled bodies and all others, if this division has
// changed since the last rebuild. Resting pieces are entered once, in a tree; all other passes
// process only the moving pieces. When a wall begins to move, split rebuilds the tree from the
// remaining resting pieces, whose extents are known. If nothing has changed, the cost is one check
// per worker.
func (c *CandidateSearch) split() {
	changed := !c.known || c.resplit
	c.resplit = false
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

// searchResting lists the pairs of entered pieces with resting pieces.
func (c *CandidateSearch) searchResting(to *List, pieces []uint32) {
	rest := &c.resting
	if len(rest.piece) == 0 {
		return
	}
	kind, root := c.pieces.Kind, &rest.nodes[0].box
	for _, n := range pieces {
		if to.Full {
			return
		}
		p := soa.Piece(n)
		box := &c.cellExtent[p]
		// Resting pieces are prescribed, so they never pair with prescribed pieces.
		if !Overlap(box, root) || c.state[c.pieces.Body[p]]&prescribed != 0 {
			continue
		}
		for k := rest.leaf(box, 0); k < rest.end(); k = rest.leaf(box, k+1) {
			for _, q := range rest.pieces(k) {
				if Overlap(box, &c.cellExtent[q]) && c.mayPair(p, q) {
					a, b := orderedPair(kind, p, q)
					to.Add(uint32(a), uint32(b))
				}
			}
		}
	}
}
