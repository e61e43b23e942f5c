package multilevel

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

// Method is a neighbour search with multilevel grids. It must not be used by several goroutines at
// the same time.
//
// Source: one level for each factor of two in size and a counting sort as in Ericson 2005, ch. 7.
// Cost: linear in rows and pairs at bounded density, for any ratio of sizes. Memory: 24 bytes per
// row to sort it, 20 for its entry, 4 to 32 for the cells, and 20 per pair. It allocates only to
// grow.
type Method struct {
	kept broad.Candidates // stored candidates, if Rows.Margin is not 0

	grids  broad.Grids
	sorter broad.Sorter
	lists  broad.RowLists
	chunk  broad.Chunking
	work   []workspace
}

// workspace holds what one worker writes during a pass.
type workspace struct {
	count       [broad.SizeBins]uint32 // number of rows by size bin; 0 between searches
	least, most int                    // size bins
	all         broad.Bounds
	doubt       []uint32
	_           [64]byte // keeps the data of two workers in different cache lines
}

// New returns the method.
func New() *Method { return &Method{} }

// Search implements broad.Method. If r.Margin is not 0, Search stores candidates of boxes enlarged
// by r.Margin, and finds them anew when a row has left its enlarged box.
func (m *Method) Search(r *broad.Rows, p *broad.PairList) error {
	if r.Margin > 0 {
		return m.kept.Search(r, p, m.find)
	}
	m.kept.Forget() // the cells will be those of this search
	return m.find(r, p)
}

// find finds the pairs from the boxes alone.
func (m *Method) find(r *broad.Rows, p *broad.PairList) error {
	g := &m.grids
	g.Box, g.Pool = r.Box, r.Pool
	defer g.Release()
	// 1 Levels: reads boxes; writes the levels and their bounds.
	m.makeLevels()
	// 2 Enter: counting sort of the rows by cell.
	g.Enter()
	if g.OneDenseGrid {
		return m.scanRows(r, p)
	}
	// 3 Scan: compares each entry with runs of cells; writes the lists of the sorter.
	g.Scan(&m.sorter, r.Most)
	// 4 Sort: by A, then B.
	return m.sorter.Collect(p)
}

var _ broad.NearFinder = (*Method)(nil)

// Near implements broad.NearFinder.
func (m *Method) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	return m.grids.Near(box, runs)
}
