package engine

import (
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// tiles cuts the list of candidate pairs into runs whose working set fits a core's cache. A worker owns a
// contiguous run of tiles; others are stolen. What a pair does never depends on the cut.
//
//	pairs     |a b c d e f|g h i j k l|m n o p …
//	tiles     |     0     |     1     |   2
//	active    |b d e - - -|g - - - - -|n …       the active contacts of each tile
//
// Pairs of one piece and one wall of several facets, which are answered together, share a tile.
type tiles struct {
	most   int       // pairs in a tile that fit the cache
	size   int       // pairs in a tile, the largest
	first  []int     // by tile, one more than there are tiles: its first pair
	costs  []float64 // by tile
	active []uint32  // one place a pair; those of tile t start at first[t]
	count  []int     // active contacts by tile
	sums   []ledgerSum
}

// tilePairs fits a tile to half of a core's second-level cache: a pair with its contact, and with
// a third of the two bodies it joins, for in a heap each body is in half a dozen pairs. A cache of
// unknown size is taken to be large enough.
func tilePairs() int {
	const bytes = soa.PairBytes + soa.ContactBytes + 2*soa.BodyBytes/3
	l2 := cpu.Describe().Caches.L2
	if l2 <= 0 {
		return fullPairs
	}
	return max(l2/2/bytes, leastPairs)
}

// The more pairs a tile has, the fuller are the registers of its batches: with 512 a step of 1000
// cubes takes a tenth less than with 128, with 1024 it takes no less. Several workers wait at the
// end of a loop for the last tile. So each gets workerTiles of them at least, unless the tiles
// would get smaller than leastPairs.
const (
	fullPairs   = 512
	leastPairs  = 128
	workerTiles = 16
)

// pairsOf returns how many of n pairs a tile holds.
func (t *tiles) pairsOf(n, workers int) int {
	size := fullPairs
	if workers > 1 {
		size = min(size, max(n/(workerTiles*workers), leastPairs))
	}
	return min(size, t.most)
}

// cutTiles lays the tiles over the pairs.
func (w *World) cutTiles() {
	t, n := &w.tiles, w.pairs.Len()
	size := t.pairsOf(n, w.pool.Workers())
	count := (n + size - 1) / size
	t.active = grow(t.active, n)
	t.costs = grow(t.costs, count)
	t.count = grow(t.count, count)
	t.sums = grow(t.sums, count)
	t.first = grow(t.first, count+1)
	t.first[0], t.size = 0, 0
	for i := range t.costs {
		next := max(min((i+1)*size, n), t.first[i])
		for next < n && next > 0 && w.together(next-1, next) {
			next++
		}
		t.first[i+1] = next
		t.costs[i] = float64(next - t.first[i])
		t.size = max(t.size, next-t.first[i])
	}
	clear(t.count)
	clear(t.sums)
}

func (t *tiles) bounds(tile int) (lo, hi int) { return t.first[tile], t.first[tile+1] }

// list returns the active contacts of a tile.
func (t *tiles) list(tile int) []uint32 { return t.active[t.first[tile]:][:t.count[tile]] }

// grow returns s with length n; its values are of no account.
func grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/2)
}
