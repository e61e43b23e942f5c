package broad

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// alone is the pieces that stand for rows: of one kind, each of a body of its own.
type alone struct {
	pieces soa.Pieces
	out    soa.Pairs
}

// SearchRows is Method.Search with the cell spaces. Cells that a world uses cannot search rows:
// see New.
func (c *Cells) SearchRows(r *Rows, p *Pairs) error {
	if c.alone == nil {
		c.alone = &alone{}
	}
	a, n := c.alone, len(r.Box)
	for i := len(a.pieces.Kind); i < n; i++ {
		a.pieces.Kind = append(a.pieces.Kind, soa.Ball)
		a.pieces.Body = append(a.pieces.Body, soa.Body(i))
		c.moving = append(c.moving, soa.Piece(i))
		c.state = append(c.state, 0)
	}
	c.pieces, c.pool, c.out = &a.pieces, r.Pool, &a.out
	c.nPieces, c.most = n, r.Most
	c.cellExtent = r.Box
	c.beginWork(n)
	all := c.moving
	c.moving = all[:n]
	c.overPieces(c.moving, (*rowPass)(c))
	c.makeSpaces()
	c.enter()
	c.findPairs()
	full := c.crowded()
	p.A, p.B = c.sorter.Collect(p.A, p.B)
	c.moving = all
	c.pieces, c.pool, c.out, c.rows, c.cellExtent = nil, nil, nil, nil, nil
	if full {
		return ErrCrowded
	}
	return nil
}

// NearRows is Looker.Near of the rows that SearchRows searched last.
func (c *Cells) NearRows(box *vec.Box, runs [][]uint32) (all [][]uint32, ok bool) {
	return (*cellLooker)(c).Near(box, runs)
}

// rowPass gathers the sizes and bounds of the rows of its chunks.
type rowPass Cells

func (p *rowPass) Range(lo, hi, worker int) {
	c := (*Cells)(p)
	w := &c.work[worker]
	for k := lo; k < hi; k++ {
		first, last := c.chunk.Span(k)
		for _, i := range c.rows[first:last] {
			box := &c.cellExtent[i]
			if size, ok := sizeOf(box); ok {
				w.bins[soa.Ball].add(binOf(size))
				w.kinds[soa.Ball].add(box, false, false)
			}
		}
	}
}
