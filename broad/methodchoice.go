package broad

import "github.com/scree-dem/scree/soa"

// mixed reports whether the pairs of overlapping boxes of moving pieces need filtering or sorting.
// This is so if there may be two pieces of one body, of two walls, or two facets. It is also so if
// there are several kinds, because some pairs must then be swapped. The pairs of a method must then
// be checked and sorted again, whereas the cell spaces never find invalid pairs. mixed reads the
// counts of extentPass.
//
// Config.SearchIfUnmixed decides by mixed. The measurements behind it, in ns per body and rebuild,
// grid against cell spaces: 369 and 297 for 4000 balls beside a moving wall of 288 facets; 1842 and
// 838 with 16 200 facets. For balls alone: 236 and 305 (512 balls), 235 and 348 (1000), 953 and
// 1111 (64 000). The sizes of the pieces make no such difference.
func (c *CandidateSearch) mixed() bool {
	kinds := 0
	for k := range c.kinds {
		if all := &c.kinds[k]; all.N > 0 {
			if kinds++; kinds > 1 || all.fixed || all.clumped || soa.Kind(k).IsFlat() {
				return true
			}
		}
	}
	return false
}

// gatherKinds merges what the workers have found about each kind.
func (c *CandidateSearch) gatherKinds() {
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

// pairingOf returns how pieces of kinds k and l pair, if those of kind k search for the others. Of
// two kinds, A is the lower.
func (c *CandidateSearch) pairingOf(k, l soa.Kind) pairing {
	a, b := &c.kinds[k], &c.kinds[l]
	return pairing{check: a.fixed && b.fixed || a.clumped && b.clumped, pieceOrder: int(k) - int(l)}
}
