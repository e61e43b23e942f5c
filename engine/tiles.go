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
//	active    |b d e - - -|g - - - - -|n …       the active contacts of each tile, in order
type tiles struct {
	most   int       // pairs in a tile that fit the cache
	size   int       // pairs in a tile
	costs  []float64 // by tile
	active []uint32  // one place a pair; tile t's active contacts start at t·size
	count  []int     // active contacts by tile
	sums   []ledgerSum
}

// defaultTilePairs is used where the size of the caches is not known.
const defaultTilePairs = 2048

// tilePairs fits a tile to half of a core's second-level cache: a pair with its contact, and with a third of the
// two bodies it joins, for in a heap each body is in half a dozen pairs.
func tilePairs() int {
	const bytes = soa.PairBytes + soa.ContactBytes + 2*soa.BodyBytes/3
	l2 := cpu.Describe().Caches.L2
	if l2 <= 0 {
		return defaultTilePairs
	}
	return max(l2/2/bytes, leastPairs)
}

// leastTiles is how many tiles the pairs make at least, so that workers can share them evenly, unless the
// tiles would get smaller than leastPairs, of which the batches of each kind still fill a few registers. At the
// end of a loop workers wait for the last tile: with 64 tiles of 35 000 pairs two workers were idle for 1.5 % of
// the loop, and one of them went to sleep in two steps of three; with 256, for 0.6 %, and it stayed awake.
const (
	leastTiles = 256
	leastPairs = 128
)

// cut lays the tiles over n pairs. The cut does not depend on the number of workers.
func (t *tiles) cut(n int) {
	t.size = min(t.most, max(n/leastTiles, leastPairs))
	count := (n + t.size - 1) / t.size
	t.active = grow(t.active, n)
	t.costs = grow(t.costs, count)
	t.count = grow(t.count, count)
	t.sums = grow(t.sums, count)
	for i := range t.costs {
		t.costs[i] = float64(min(n-i*t.size, t.size))
	}
	clear(t.count)
}

func (t *tiles) bounds(tile, n int) (lo, hi int) { return tile * t.size, min((tile+1)*t.size, n) }

// list returns the active contacts of a tile.
func (t *tiles) list(tile int) []uint32 { return t.active[tile*t.size:][:t.count[tile]] }

// grow returns s with length n; its values are of no account.
func grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/2)
}
