package contact

import (
	"unsafe"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// tiles divides the rows of candidate pairs into runs whose working set fits a core's cache. Each
// worker starts with a contiguous run of tiles and steals others when it has none left. The results
// of a pair never depend on the division.
//
//	pairs     |a b c d e f - -|g h i j k l - -|m n o p …
//	tiles     |       0       |       1       |   2
//	active    |b d e - - - - -|g - - - - - - -|n …       the active contacts of each tile
//
// The last rows of a tile are vacant, so that a pair that comes or goes later moves only rows of
// its own tile.
//
// Pairs of one piece and one wall of several facets share a tile, because they are evaluated
// together.
type tiles struct {
	most  int // largest number of pairs in a tile that fits the cache
	size  int // largest number of rows in a tile
	pairs int // number of pairs in all tiles
	tileRows
	from   []int      // by tile, one more than there are tiles: its first pair in the list of the last rebuild
	costs  []float64  // by tile, for the scheduler
	active []uint32   // rows of contacts, with space for one per pair; the list of tile t starts at first[t]
	free   [][]uint32 // by tile: its free rows of contacts; the last one is taken first
	count  []int      // number of active contacts by tile
	worst  []float64  // m, by tile: the smallest gap, at most 0
}

// tileRows holds the rows and keys of the tiles.
type tileRows struct {
	first    []int    // by tile, one more than there are tiles: its first row
	last     []int    // by tile: the row after its last pair
	firstKey []uint64 // by tile, one more than there are tiles: the least key (KeyOf) of a pair that belongs to the tile or a later one
}

// tilePairs returns the number of pairs whose data fits a core's second-level cache. If the size of the cache is
// unknown, it is assumed to be large enough.
func (sp *Space) tilePairs() int {
	l2 := cpu.Describe().Caches.L2
	if l2 <= 0 {
		return fullPairs
	}
	return max(l2/sp.pairBytes(), leastPairs)
}

// pairBytes returns how many bytes a tile reads and writes for each pair of a heap: the rows of the pair; those of its
// contact, because half of the pairs touch; a skeleton for every fourth contact; and a third of those of its two bodies,
// because each body is in about six pairs. Columns of bodies that only gather and drift read are left out.
func (sp *Space) pairBytes() int {
	pair := soa.RowBytes[soa.Pairs]() + int(unsafe.Sizeof(tilePair{})+unsafe.Sizeof(sp.tiles.active[0]))
	contact := soa.RowBytes[soa.Contacts]() + 8*(len(sp.remembered)+len(sp.results))
	body := soa.RowBytes[soa.Bodies]("AngMom", "Force", "Torque", "Odometer", "Radius",
		"Mass", "Inertia", "Centre", "Name", "ID", "Gone", "FirstPiece") + int(unsafe.Sizeof(sp.pieceOdometer[0]))
	if sp.skeletons.on {
		contact += int(unsafe.Sizeof(skeletonPlace{}) + unsafe.Sizeof(keptSkeleton{})/4)
	}
	if sp.knownOverlaps {
		body += 8 * soa.PoseSize
	}
	return pair + contact/2 + 2*body/3
}

// Limits of the number of pairs in a tile. With more pairs, batches fill their registers better. A step of 64 000, 8000
// or 1000 cubes takes a tenth less time with 512 pairs than with 128, and 4 to 6 % less with 1024 than with 512; 2048 bring
// no further gain to 1000 and 8000 cubes. Several workers, however, wait for the last tile at the end of a loop. Therefore
// each worker gets at least workerTiles tiles, unless that makes tiles smaller than leastPairs.
const (
	fullPairs   = 1024
	leastPairs  = 128
	workerTiles = 16
)

// vacant returns the number of vacant rows in a new tile of n pairs. With fewer vacant rows, all
// tiles would be laid anew more often. Vacant rows cost memory but no time. Every tile starts at a
// full register.
func vacant(n int) int { return soa.Pad(n+n/8+2) - n }

// pairsOf returns the number of pairs per tile for n pairs.
func (t *tiles) pairsOf(n, workers int) int {
	size := fullPairs
	if workers > 1 {
		size = min(size, max(n/(workerTiles*workers), leastPairs))
	}
	return min(size, t.most)
}

// KeyOf returns the key of a pair. Keys rise in the order of pairs.
func KeyOf(a, b soa.Piece) uint64 { return uint64(a)<<32 | uint64(b) }

// PairOf returns the pair with a key.
func PairOf(key uint64) (a, b soa.Piece) { return soa.Piece(key >> 32), soa.Piece(uint32(key)) }

// layTiles lays tiles over a list of pairs, each with vacant rows. It sets the tiles' bounds and
// writes no row.
func (sp *Space) layTiles(list *soa.Pairs) {
	t, n := &sp.tiles, list.Len()
	size := t.pairsOf(n, sp.pool.DividedFor())
	count := (n + size - 1) / size
	t.first, t.last = grow(t.first, count+1), grow(t.last, count)
	t.firstKey, t.from = grow(t.firstKey, count+1), grow(t.from, count+1)
	t.costs, t.count, t.worst = grow(t.costs, count), grow(t.count, count), grow(t.worst, count)
	row, pair := 0, 0
	for k := range count {
		next := max(min((k+1)*size, n), pair)
		for next < n && next > 0 && sp.together(list, next-1, next) {
			next++
		}
		t.first[k], t.last[k], t.costs[k] = row, row+next-pair, float64(next-pair)
		switch t.from[k] = pair; {
		case k == 0:
			t.firstKey[k] = 0
		case pair < n:
			t.firstKey[k] = sp.leastTogether(list.A[pair], list.B[pair])
		default:
			t.firstKey[k] = NoPair
		}
		row += next - pair + vacant(next-pair)
		pair = next
	}
	t.first[count], t.firstKey[count], t.from[count] = row, NoPair, n
	t.settled()
}

// settled updates the totals and resets the lists after a change of tiles.
func (t *tiles) settled() {
	t.pairs, t.size = t.from[len(t.costs)], 0
	for k := range t.costs {
		t.size = max(t.size, t.first[k+1]-t.first[k])
	}
	t.active = grow(t.active, t.rows())
	clear(t.count)
	clear(t.worst)
}

// leastTogether returns the key of the first pair that must share a tile with this one.
func (sp *Space) leastTogether(a, b soa.Piece) uint64 {
	if body := sp.Pieces.Body[b]; sp.Groups.IsFacetWall(body) {
		b = sp.Bodies.FirstPiece[body]
	}
	return KeyOf(a, b)
}

// bounds returns the rows of a tile that hold pairs.
func (t *tiles) bounds(tile int) (lo, hi int) { return t.first[tile], t.last[tile] }

// rows returns the number of rows, vacant ones included.
func (t *tiles) rows() int {
	if len(t.first) == 0 {
		return 0
	}
	return t.first[len(t.costs)]
}

// list returns the active contacts of a tile.
func (t *tiles) list(tile int) []uint32 { return t.active[t.first[tile]:][:t.count[tile]] }

// grow returns s with length n. Its values are undefined.
func grow[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n, roomy(n))
	}
	return s[:n]
}
