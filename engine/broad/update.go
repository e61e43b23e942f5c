package broad

import (
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// updates is what a list that is kept in parts needs.
type updates struct {
	looseRows      // pieces
	judged    bool // few says something
	few       bool // when the first body was late after the last rebuild, few had used half of their budget
	entered   bool // the cells are those of the last rebuild
}

// AppendLate appends the bodies lo ≤ i < hi to late whose odometers have advanced by more than their budgets, and returns
// it. An odometer that is NaN has. Before the first rebuild of these bodies it returns late.
func (c *Cells) AppendLate(b *soa.Bodies, lo, hi int, late []soa.Body) []soa.Body {
	if !c.Known(b) {
		return late
	}
	odometer, limit := b.Odometer[lo:hi], c.limit[lo:hi]
	limit = limit[:len(odometer)]
	for i, m := range odometer {
		if !(m <= limit[i]) {
			late = append(late, soa.Body(lo+i))
		}
	}
	return late
}

// Update brings the list in line for bodies that are late, if they are few and have been at the last rebuild: it gives each a new motion budget,
// and returns all pairs of their pieces, by keys A<<32 | B, sorted. Pairs of other pieces stay. It returns false where it
// cannot: then a rebuild is due, whatever it has changed. The keys are valid until the next call.
//
// Cost: by what moves and what it meets, but for the first update after a rebuild, which enters all pieces into
// cells where Config.Search has found the pairs.
func (c *Cells) Update(b *soa.Bodies, p *soa.Pieces, s *soa.Shapes, pool *sched.Pool, late []soa.Body) (keys []uint64, ok bool) {
	u := &c.updates
	if u.judged && !u.few || !c.Known(b) || c.stats.Crowded || c.cfg.Anew || p.Len() != c.nPieces || fewOf*len(late) > b.Len() {
		return nil, false
	}
	c.bodies, c.pieces, c.shapes, c.pool = b, p, s, pool
	defer func() {
		c.bodies, c.pieces, c.shapes, c.pool = nil, nil, nil, nil
		c.grids.Release()
	}()
	if !u.judged {
		u.judged, u.few = true, c.fewWorn()
	}
	if !u.few {
		return nil, false
	}
	look, own := c.cfg.Search.(Looker)
	if own = own && c.other; !own {
		look = &c.grids
		if !u.entered {
			c.makeSpaces()
			c.grids.Enter()
			u.entered = true
		}
	}
	if !c.loosen(late) {
		return nil, false
	}
	for _, piece := range u.now {
		if !c.lookUp(piece, look, own) {
			return nil, false
		}
	}
	return u.pairs(), true
}

// loosen gives bodies new budgets and their pieces new extents, and reports whether all can be looked up.
func (c *Cells) loosen(late []soa.Body) bool {
	u, of := &c.updates, c.pieces
	u.begin(c.nPieces)
	for _, i := range late {
		if c.bodies.InvMass[i] == 0 {
			return false // A wall may have many pieces, and is in the tree until it moves.
		}
		c.setBudget(int(i))
		first, last := int(c.bodies.FirstPiece[i]), int(c.bodies.FirstPiece[i+1])
		for first < last {
			end := c.tightBoxes(first, last)
			for k := first; k < end; k++ {
				c.cellExtent[k] = of.Extent.At(k).Enlarged(c.grow[i])
				if _, ok := SizeOf(&c.cellExtent[k]); !ok {
					return false
				}
				u.add(soa.Piece(k))
			}
			first = end
		}
	}
	return !u.many()
}

// lookUp lists the pairs of a piece that this update has changed: with what is in the cells, with what has changed, and with what
// rests. It returns false where that may be too many to look at.
func (c *Cells) lookUp(p soa.Piece, look Looker, rows bool) bool {
	u, box := &c.updates, &c.cellExtent[p]
	runs, ok := look.Near(box, u.runs[:0])
	if u.runs = runs; !ok {
		return false
	}
	for _, run := range runs {
		for _, q := range run {
			if rows {
				q = uint32(c.piece[q])
			}
			if u.mark[q] == inCells {
				c.meet(p, soa.Piece(q))
			}
		}
	}
	u.eachLoose(p, c.meet)
	if rest := &c.resting; len(rest.piece) > 0 {
		for k := rest.leaf(box, 0); k < rest.end(); k = rest.leaf(box, k+1) {
			for _, q := range rest.pieces(k) {
				c.meet(p, q)
			}
		}
	}
	return true
}

// meet lists two pieces if they are a pair.
func (c *Cells) meet(p, q soa.Piece) {
	kind := c.pieces.Kind
	if !Overlap(&c.cellExtent[p], &c.cellExtent[q]) || !c.mayPair(p, q) || kind[p] == soa.Facet && kind[q] == soa.Facet {
		return
	}
	a, b := asPair(kind, p, q)
	c.updates.found = append(c.updates.found, uint64(a)<<32|uint64(b))
}

// mayPair reports whether two pieces belong to different bodies, not both prescribed.
func (c *Cells) mayPair(p, q soa.Piece) bool {
	i, j := c.pieces.Body[p], c.pieces.Body[q]
	return i != j && c.state[i]&c.state[j]&prescribed == 0
}

// asPair returns two pieces as a pair is written: of two kinds A is the lower, of two pieces of one kind the one before.
func asPair(kind []soa.Kind, p, q soa.Piece) (a, b soa.Piece) {
	if kind[p] > kind[q] || kind[p] == kind[q] && p > q {
		return q, p
	}
	return p, q
}

// fewWorn reports whether few bodies have used half of their budget.
func (c *Cells) fewWorn() bool {
	for i := range c.work {
		c.work[i].worn = 0
	}
	c.over(c.nBodies, (*wornPass)(c))
	worn := 0
	for i := range c.work {
		worn += c.work[i].worn
	}
	return fewOf*worn <= c.nBodies
}

// wornPass counts the bodies of its chunks that have used half of their budget.
type wornPass Cells

func (p *wornPass) Range(lo, hi, worker int) {
	c, worn := (*Cells)(p), 0
	first, last := c.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		if c.isWorn(i) {
			worn++
		}
	}
	c.work[worker].worn += worn
}

// isWorn reports whether body i has used half of its budget since it got it, which is when its pieces were enlarged by grow.
func (c *Cells) isWorn(i int) bool {
	budget := c.grow[i] - c.halfReach(i)
	return c.bodies.InvMass[i] != 0 && !(c.limit[i]-c.bodies.Odometer[i] >= 0.5*budget)
}
