package broad

import "github.com/scree-dem/scree/soa"

// mixed says whether some overlapping boxes of what moves are no pairs: of two pieces of one
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
	for k := range c.work[0].kinds {
		all := noBounds
		for i := range c.work {
			all.merge(&c.work[i].kinds[k])
		}
		if all.n == 0 {
			continue
		}
		kinds++
		if kinds > 1 || all.fixed || all.clumped || soa.Kind(k) == soa.Facet {
			return true
		}
	}
	return false
}
