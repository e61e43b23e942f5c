package engine

import (
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// tiles cuts the rows of candidate pairs into runs whose working set fits a core's cache. A worker owns a
// contiguous run of tiles; others are stolen. What a pair does never depends on the cut.
//
//	pairs     |a b c d e f - -|g h i j k l - -|m n o p …
//	tiles     |       0       |       1       |   2
//	active    |b d e - - - - -|g - - - - - - -|n …       the active contacts of each tile
//
// The last rows of a tile are vacant. A pair that comes or goes later moves rows of its own tile alone.
//
// Pairs of one piece and one wall of several facets, which are answered together, share a tile.
type tiles struct {
	most  int // pairs in a tile that fit the cache
	size  int // rows of a tile, the most
	pairs int // in all tiles
	tileRows
	from   []int     // by tile, one more than there are tiles: its first pair in the list of the last rebuild
	costs  []float64 // by tile
	active []uint32  // one place a row; those of tile t start at first[t]
	count  []int     // active contacts by tile
	sums   []ledgerSum
}

// tileRows is where tiles are.
type tileRows struct {
	first []int    // by tile, one more than there are tiles: its first row
	last  []int    // by tile: the row after its last pair
	bound []uint64 // by tile, one more than there are tiles: the least pair, by keyOf, that belongs there and not to the tile before
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

// vacant returns how many vacant rows a new tile of n pairs has. With fewer, tiles are cut anew more often; the
// rows take memory, and no time. All tiles start where a full register does.
func vacant(n int) int { return soa.Pad(n+n/8+2) - n }

// pairsOf returns how many of n pairs a tile holds.
func (t *tiles) pairsOf(n, workers int) int {
	size := fullPairs
	if workers > 1 {
		size = min(size, max(n/(workerTiles*workers), leastPairs))
	}
	return min(size, t.most)
}

// keyOf returns the place of a pair in the order of pairs.
func keyOf(a, b soa.Piece) uint64 { return uint64(a)<<32 | uint64(b) }

// pairOf returns the pair of a key.
func pairOf(key uint64) (a, b soa.Piece) { return soa.Piece(key >> 32), soa.Piece(uint32(key)) }

// layTiles lays tiles over a list of pairs, each with vacant rows. It writes no row.
func (w *World) layTiles(list *soa.Pairs) {
	t, n := &w.tiles, list.Len()
	size := t.pairsOf(n, w.pool.Workers())
	count := (n + size - 1) / size
	t.first, t.last = grow(t.first, count+1), grow(t.last, count)
	t.bound, t.from = grow(t.bound, count+1), grow(t.from, count+1)
	t.costs, t.count, t.sums = grow(t.costs, count), grow(t.count, count), grow(t.sums, count)
	row, pair := 0, 0
	for k := range count {
		next := max(min((k+1)*size, n), pair)
		for next < n && next > 0 && w.together(list, next-1, next) {
			next++
		}
		t.first[k], t.last[k], t.costs[k] = row, row+next-pair, float64(next-pair)
		switch t.from[k] = pair; {
		case k == 0:
			t.bound[k] = 0
		case pair < n:
			t.bound[k] = w.leastTogether(list.A[pair], list.B[pair])
		default:
			t.bound[k] = afterAll
		}
		row += next - pair + vacant(next-pair)
		pair = next
	}
	t.first[count], t.bound[count], t.from[count] = row, afterAll, n
	t.settled()
}

// afterAll is the key of no pair, for pieces are fewer.
const afterAll = ^uint64(0)

// settled ends a change of the tiles.
func (t *tiles) settled() {
	t.pairs, t.size = t.from[len(t.costs)], 0
	for k := range t.costs {
		t.size = max(t.size, t.first[k+1]-t.first[k])
	}
	t.active = grow(t.active, t.rows())
	clear(t.count)
	clear(t.sums)
}

// leastTogether returns the key of the first pair that would be together with this one.
func (w *World) leastTogether(a, b soa.Piece) uint64 {
	if body := w.pieces.Body[b]; w.groups.Several(body) {
		b = w.bodies.FirstPiece[body]
	}
	return keyOf(a, b)
}

// bounds returns the rows of a tile that hold pairs.
func (t *tiles) bounds(tile int) (lo, hi int) { return t.first[tile], t.last[tile] }

// rows returns how many rows there are, vacant ones among them.
func (t *tiles) rows() int {
	if len(t.first) == 0 {
		return 0
	}
	return t.first[len(t.costs)]
}

// list returns the active contacts of a tile.
func (t *tiles) list(tile int) []uint32 { return t.active[t.first[tile]:][:t.count[tile]] }

// grow returns s with length n; its values are undefined.
func grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/2)
}
