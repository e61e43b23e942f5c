package broad

import (
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

const (
	// minChunk is the least number of rows of a chunk: some 20 µs of work, against which handing it out
	// costs nothing.
	minChunk = 1024
	// maxChunks bounds the histograms, which have one row a chunk.
	maxChunks = 256
)

// chunking divides rows into chunks of one size. It depends on the number of rows only, so what a
// chunk writes is the same for any number of workers.
type chunking struct{ rows, size, n int }

func chunksOf(rows int) chunking {
	size := max(minChunk, (rows+maxChunks-1)/maxChunks)
	return chunking{rows: rows, size: size, n: (rows + size - 1) / size}
}

// span returns the rows of chunk k: lo ≤ row < hi.
func (k chunking) span(chunk int) (lo, hi int) {
	lo = chunk * k.size
	return lo, min(lo+k.size, k.rows)
}

// over runs a pass over the chunks of the given number of rows.
func (c *Cells) over(rows int, pass sched.Ranger) {
	c.chunk = chunksOf(rows)
	c.run(c.chunk.n, pass)
}

// overPieces runs a pass over the chunks of some pieces.
func (c *Cells) overPieces(rows []soa.Piece, pass sched.Ranger) {
	c.rows = rows
	c.over(len(rows), pass)
}

// run runs n tasks of a pass, on the caller when there is nobody to share them with.
func (c *Cells) run(n int, pass sched.Ranger) { runOn(c.pool, n, pass) }

func runOn(pool *sched.Pool, n int, pass sched.Ranger) {
	switch {
	case n == 0:
	case n == 1 || pool == nil:
		pass.Range(0, n, 0)
	default:
		pool.For(n, 1, pass)
	}
}

// histogram counts rows by chunk and bin. After offsets, count holds where the rows of a chunk that
// belong to a bin start when all rows are ordered by bin, then chunk; first is where each bin starts.
type histogram struct {
	bins  int
	count []uint32
	first []uint32
}

func (h *histogram) reset(chunks, bins int) {
	h.bins = bins
	h.count = resize(h.count, chunks*bins)
	clear(h.count)
	h.first = resize(h.first, bins+1)
}

func (h *histogram) of(chunk int) []uint32 { return h.count[chunk*h.bins : (chunk+1)*h.bins] }

// offsets turns counts into starts and returns the number of rows.
func (h *histogram) offsets() int {
	at := uint32(0)
	for bin := range h.bins {
		h.first[bin] = at
		for k := bin; k < len(h.count); k += h.bins {
			n := h.count[k]
			h.count[k] = at
			at += n
		}
	}
	h.first[h.bins] = at
	return int(at)
}
