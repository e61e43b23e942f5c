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

// Chunking divides rows into chunks of one size. It depends on the number of rows only, so what a
// chunk writes is the same for any number of workers.
type Chunking struct{ Rows, Size, N int }

// ChunksOf returns how rows are divided.
func ChunksOf(rows int) Chunking {
	size := max(minChunk, (rows+maxChunks-1)/maxChunks)
	return Chunking{Rows: rows, Size: size, N: (rows + size - 1) / size}
}

// Span returns the rows of chunk k: lo ≤ row < hi.
func (k Chunking) Span(chunk int) (lo, hi int) {
	lo = chunk * k.Size
	return lo, min(lo+k.Size, k.Rows)
}

// Spans returns the rows of the chunks lo ≤ k < hi, which lie next to each other.
func (k Chunking) Spans(lo, hi int) (first, last int) { return lo * k.Size, min(hi*k.Size, k.Rows) }

// over runs a pass over the chunks of the given number of rows.
func (c *Cells) over(rows int, pass sched.Ranger) {
	c.chunk = ChunksOf(rows)
	RunOn(c.pool, c.chunk.N, pass)
}

// overPieces runs a pass over the chunks of some pieces.
func (c *Cells) overPieces(rows []soa.Piece, pass sched.Ranger) {
	c.rows = rows
	c.over(len(rows), pass)
}

// RunOn runs n tasks of a pass on a pool, or on the caller where the pool is nil or there is one task.
func RunOn(pool *sched.Pool, n int, pass sched.Ranger) {
	switch {
	case n == 0:
	case n == 1 || pool == nil:
		pass.Range(0, n, 0)
	default:
		pool.For(n, 1, pass)
	}
}

// Histogram counts rows by chunk and bin. After Offsets, Of(chunk)[bin] is where the rows of a chunk that
// belong to a bin start when all rows are ordered by bin, then chunk; First is where each bin starts.
type Histogram struct {
	Bins  int
	First []uint32
	count []uint32
}

// Reset sets all counts to 0.
func (h *Histogram) Reset(chunks, bins int) {
	h.Bins = bins
	h.count = Resize(h.count, chunks*bins)
	clear(h.count)
	h.First = Resize(h.First, bins+1)
}

// Of returns the counts of a chunk, by bin.
func (h *Histogram) Of(chunk int) []uint32 { return h.count[chunk*h.Bins : (chunk+1)*h.Bins] }

// Offsets turns counts into starts and returns the number of rows.
func (h *Histogram) Offsets() int {
	at := uint32(0)
	for bin := range h.Bins {
		h.First[bin] = at
		for k := bin; k < len(h.count); k += h.Bins {
			n := h.count[k]
			h.count[k] = at
			at += n
		}
	}
	h.First[h.Bins] = at
	return int(at)
}
