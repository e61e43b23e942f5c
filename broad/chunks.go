package broad

import (
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

const (
	// minChunk is the least number of rows of a chunk. It amounts to about 20 µs of work, which
	// makes the cost of handing it out negligible.
	minChunk = 1024
	// maxChunks bounds the size of histograms, which have one row per chunk.
	maxChunks = 256
)

// Chunking divides rows into chunks of equal size. It depends on the number of rows only, so the
// output of a chunk is the same for any number of workers.
type Chunking struct{ Rows, Size, N int }

// ChunksOf returns the chunking of the given number of rows.
func ChunksOf(rows int) Chunking {
	size := max(minChunk, (rows+maxChunks-1)/maxChunks)
	return Chunking{Rows: rows, Size: size, N: (rows + size - 1) / size}
}

// Span returns the rows of a chunk: lo ≤ row < hi.
func (k Chunking) Span(chunk int) (lo, hi int) {
	lo = chunk * k.Size
	return lo, min(lo+k.Size, k.Rows)
}

// Spans returns the rows first ≤ row < last of the consecutive chunks lo ≤ k < hi.
func (k Chunking) Spans(lo, hi int) (first, last int) { return lo * k.Size, min(hi*k.Size, k.Rows) }

// over runs a pass over the chunks of the given number of rows.
func (c *CandidateSearch) over(rows int, pass sched.Ranger) {
	c.chunk = ChunksOf(rows)
	RunOn(c.pool, c.chunk.N, pass)
}

// overPieces runs a pass over the chunks of the given pieces.
func (c *CandidateSearch) overPieces(rows []soa.Piece, pass sched.Ranger) {
	c.rows = rows
	c.over(len(rows), pass)
}

// RunOn runs n tasks of a pass on a pool. The caller runs them itself if the pool is nil or n is 1.
func RunOn(pool *sched.Pool, n int, pass sched.Ranger) {
	switch {
	case n == 0:
	case n == 1 || pool == nil:
		pass.Range(0, n, 0)
	default:
		pool.For(n, 1, pass)
	}
}

// Histogram counts rows by chunk and bin. After Offsets, Of(chunk)[bin] is the index of the first
// row of that chunk and bin, if all rows are sorted by bin, then chunk. First[bin] is the index of
// the first row of a bin.
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

// Offsets turns counts into start indices and returns the number of rows.
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
