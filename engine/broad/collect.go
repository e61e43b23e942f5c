package broad

// findPairs runs the scan, and lists what it finds.
func (c *Cells) findPairs() {
	c.sorter.Begin(c.nPieces, ChunksOf(len(c.piece)).N, c.most, c.pool)
	c.over(len(c.piece), (*scanPass)(c))
}

// collect writes the pairs that were found, sorted.
func (c *Cells) collect() {
	c.out.A, c.out.B = c.sorter.Collect(c.out.A, c.out.B)
}

// crowded says whether more pairs were found than the list may have.
func (c *Cells) crowded() bool { return c.sorter.Full() }
