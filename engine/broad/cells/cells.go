package cells

import "github.com/scree-dem/scree/engine/broad"

// Method enters the rows in cell spaces, one for each factor of two in size. Cost: linear in rows
// and pairs at bounded density, whatever the ratio of sizes.
type Method struct{ cells *broad.Cells }

// New returns the method.
func New() *Method { return &Method{cells: broad.New(broad.Config{})} }

// Search implements broad.Method.
func (m *Method) Search(r *broad.Rows, p *broad.Pairs) error { return m.cells.SearchRows(r, p) }
