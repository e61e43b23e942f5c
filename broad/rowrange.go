package broad

import "github.com/scree-dem/scree/vec"

// SearchRows is Method.Search with the cell spaces. It must not be called on the cells of a world:
// make others with New.
func (c *CandidateSearch) SearchRows(r *Rows, p *PairList) error {
	c.cellExtent, c.pool = r.Box, r.Pool
	c.beginWork()
	c.over(len(r.Box), (*rowPass)(c))
	c.gatherKinds()
	g := &c.grids
	g.Box, g.Pool, g.Levels = r.Box, r.Pool, g.Levels[:0]
	c.divide(0)
	g.ChooseGrids(float64(sharedPerPiece * len(r.Box)))
	g.Enter()
	g.Scan(&c.sorter, r.Most)
	err := c.sorter.Collect(p)
	c.pool, c.cellExtent = nil, nil
	g.Release()
	return err
}

// NearRows is NearFinder.Near for the rows of the last SearchRows.
func (c *CandidateSearch) NearRows(box *vec.Box, runs [][]uint32) (all [][]uint32, ok bool) {
	return c.grids.Near(box, runs)
}

// rowPass gathers the sizes of the rows of its chunks.
type rowPass CandidateSearch

func (p *rowPass) Range(lo, hi, worker int) {
	c, w := (*CandidateSearch)(p), &p.work[worker]
	first, last := c.chunk.Spans(lo, hi)
	for i := first; i < last; i++ {
		size, _ := SizeOf(&c.cellExtent[i])
		w.bins[0].add(SizeBin(size))
	}
}
