package broad

import (
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// updates is the state of Update.
type updates struct {
	changedRows      // pieces
	judged      bool // few is valid
	few         bool // few bodies had used half of their skin when the first one exceeded its skin
	entered     bool // the cells are those of the last rebuild
}

// AppendLate appends to late the bodies lo ≤ i < hi whose odometers have advanced by more than
// their skins, and returns it. An odometer that is NaN counts as such. Before the first rebuild of
// these bodies AppendLate appends nothing.
func (c *CandidateSearch) AppendLate(b *soa.Bodies, lo, hi int, late []soa.Body) []soa.Body {
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

// Update updates the list for the bodies in late, which have exceeded their skins. It gives each of
// them a new skin. It returns all pairs of their pieces, as sorted keys A<<32 | B. Pairs of other
// pieces do not change. The keys are valid until the next call.
//
// Update returns false if it cannot update the list. For example, many bodies may be late, many may
// have changed since the last rebuild, or a late body may be prescribed. The caller must then call
// Rebuild, which overwrites whatever Update has changed.
//
// Cost: depends on the moving pieces and on what they meet. The exception is the first update after
// a rebuild by Config.Search, which enters all pieces in cells unless the method is a NearFinder.
func (c *CandidateSearch) Update(b *soa.Bodies, p *soa.Pieces, s *soa.Shapes, pool *sched.Pool, late []soa.Body) (keys []uint64, ok bool) {
	u := &c.updates
	if u.judged && !u.few || !c.Known(b) || c.stats.TooManyPairs || c.cfg.RebuildAll || p.Len() != c.nPieces || changedShare*len(late) > b.Len() {
		return nil, false
	}
	c.bodies, c.pieces, c.shapes, c.pool = b, p, s, pool
	defer func() {
		c.bodies, c.pieces, c.shapes, c.pool = nil, nil, nil, nil
		c.grids.Release()
	}()
	if c.skin == 0 && c.cfg.Skin == 0 && c.changed {
		return nil, false // There were no bodies to choose a skin by.
	}
	if !u.judged {
		u.judged, u.few = true, c.fewWorn()
	}
	if !u.few {
		return nil, false
	}
	look, own := c.cfg.Search.(NearFinder)
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
		if !c.updatePairs(piece, look, own) {
			return nil, false
		}
	}
	return u.pairs(), true
}

// loosen gives bodies new skins and their pieces new extents. It reports whether Update can look up
// all of the pieces.
func (c *CandidateSearch) loosen(late []soa.Body) bool {
	u, of := &c.updates, c.pieces
	u.begin(c.nPieces)
	for _, i := range late {
		if c.bodies.InvMass[i] == 0 {
			return false // A wall may have many pieces, and they are in the tree until the next rebuild.
		}
		c.setSkin(int(i))
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

// updatePairs lists the changed pairs of piece p: with pieces in the cells, with pieces that have
// changed since the rebuild, and with resting pieces. look searches the cells. rows tells that look
// returns rows of Config.Search instead of pieces. updatePairs returns false if p has too many
// cells to look into.
func (c *CandidateSearch) updatePairs(p soa.Piece, look NearFinder, rows bool) bool {
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

// meet lists pieces p and q if they are a pair.
func (c *CandidateSearch) meet(p, q soa.Piece) {
	kind := c.pieces.Kind
	if c.updates.mark[q] == isGone || !Overlap(&c.cellExtent[p], &c.cellExtent[q]) || !c.mayPair(p, q) {
		return
	}
	a, b := orderedPair(kind, p, q)
	c.updates.found = append(c.updates.found, keyOf(a, b))
}

// mayPair reports whether two pieces belong to different bodies that are not both prescribed, and
// are not both facets.
func (c *CandidateSearch) mayPair(p, q soa.Piece) bool {
	i, j := c.pieces.Body[p], c.pieces.Body[q]
	return i != j && c.state[i]&c.state[j]&prescribed == 0 && !(c.pieces.Kind[p].IsFlat() && c.pieces.Kind[q].IsFlat())
}

// orderedPair returns two pieces in the order in which a pair is stored: by kind, then by index.
func orderedPair(kind []soa.Kind, p, q soa.Piece) (a, b soa.Piece) {
	if kind[p] > kind[q] || kind[p] == kind[q] && p > q {
		return q, p
	}
	return p, q
}

// fewWorn reports whether few bodies have used half of their skin.
func (c *CandidateSearch) fewWorn() bool {
	c.work = Resize(c.work, max(WorkersOf(c.pool), len(c.work)))
	for i := range c.work {
		c.work[i].worn = 0
	}
	c.over(c.nBodies, (*wornPass)(c))
	worn := 0
	for i := range c.work {
		worn += c.work[i].worn
	}
	return changedShare*worn <= c.nBodies
}

// wornPass counts the bodies of its chunks that have used half of their skin.
type wornPass CandidateSearch

func (p *wornPass) Range(lo, hi, worker int) {
	c, worn := (*CandidateSearch)(p), 0
	first, last := c.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		if c.isWorn(i) {
			worn++
		}
	}
	c.work[worker].worn += worn
}

// isWorn reports whether body i has used half of its skin. The body got its skin when its pieces
// were enlarged by grow.
func (c *CandidateSearch) isWorn(i int) bool {
	skin := c.grow[i] - c.halfReach(i)
	return c.bodies.InvMass[i] != 0 && !(c.limit[i]-c.bodies.Odometer[i] >= 0.5*skin)
}

// Limits returns the column of what AppendLate reads of a body besides its odometer.
func (c *CandidateSearch) Limits(w *access.Walk) *access.Declared {
	return access.Of(w, "skins", c.limit)
}
