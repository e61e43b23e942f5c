package broad

import "github.com/scree-dem/scree/soa"

// findPairs runs the scan, and lists what it finds.
func (c *Cells) findPairs() {
	c.sorter.Begin(c.nPieces, ChunksOf(len(c.piece)).N, c.most, c.pool)
	c.over(len(c.piece), (*scanPass)(c))
}

// collect writes the pairs that were found, sorted.
func (c *Cells) collect() {
	c.out.A, c.out.B = c.sorter.Collect(c.out.A, c.out.B)
	c.expire()
}

// expire marks all pairs as not proven apart.
func (c *Cells) expire() {
	c.out.Expiry = Resize(c.out.Expiry, len(c.out.A))
	for i := range c.out.Expiry {
		c.out.Expiry[i] = soa.Expired
	}
}

// crowded says whether more pairs were found than the list may have.
func (c *Cells) crowded() bool { return c.sorter.Full() }
