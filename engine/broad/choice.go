package broad

import "github.com/scree-dem/scree/soa"

// mixed reports whether some overlapping boxes of what moves are no pairs: of two pieces of one
// body, or of two walls, or of two facets; or whether there are several kinds, whose pairs are
// turned round. Then the pairs of a method have to be looked at and sorted again, while the cell
// spaces never find the former. It reads what the extents pass has counted.
//
// It is the choice of Config.Choose, by what was measured: of 4000 balls beside a wall that moves
// with 288 facets a rebuild costs 369 ns a body by the grid and 297 by the cell spaces, with 16
// 200 facets 1842 and 838; of balls alone 236 by the grid and 305 by the cell spaces (512), 235
// and 348 (1000), 953 and 1111 (64 000). The sizes of the pieces make no such difference.
func (c *Cells) mixed() bool {
	kinds := 0
	for k := range c.kinds {
		if all := &c.kinds[k]; all.N > 0 {
			if kinds++; kinds > 1 || all.fixed || all.clumped || soa.Kind(k) == soa.Facet {
				return true
			}
		}
	}
	return false
}

// gatherKinds puts together what the workers have found of each kind.
func (c *Cells) gatherKinds() {
	for k := range c.kinds {
		all := &c.kinds[k]
		*all = kindBounds{Bounds: NoBounds}
		clear(c.binsUsed[k][:])
		for i := range c.work {
			of := &c.work[i].kinds[k]
			all.Merge(&of.Bounds)
			all.fixed, all.clumped = all.fixed || of.fixed, all.clumped || of.clumped
			for j, word := range c.work[i].bins[k] {
				c.binsUsed[k][j] |= word
			}
		}
	}
}

// wayOf returns how pieces of two kinds make pairs, where those of the first look for the others: of two kinds A is the lower.
func (c *Cells) wayOf(k, l soa.Kind) way {
	a, b := &c.kinds[k], &c.kinds[l]
	return way{check: a.fixed && b.fixed || a.clumped && b.clumped, turned: int(k) - int(l)}
}
