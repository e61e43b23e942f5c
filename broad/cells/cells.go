package cells

import (
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

var _ broad.NearFinder = (*Method)(nil)

// Method enters the rows in cell spaces, one for each factor of two in size. Cost: linear in rows
// and pairs at bounded density, for any ratio of sizes.
type Method struct{ cells *broad.CandidateSearch }

// New returns the method.
func New() *Method { return &Method{cells: broad.New(broad.Config{})} }

// Search implements broad.Method.
func (m *Method) Search(r *broad.Rows, p *broad.PairList) error { return m.cells.SearchRows(r, p) }

// Near implements broad.NearFinder. Cost: the cells that the box reaches into, in every space.
func (m *Method) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	return m.cells.NearRows(box, runs)
}
