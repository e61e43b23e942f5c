// Package cells searches with the cell spaces of package broad.
//
// It owns nothing but the spaces of one finder. Pieces, budgets and what rests are of the engine's own list, broad.Cells;
// here all rows are of one kind, and every pair of them counts. Frame and units are those of package broad; this file is
// all there is to read.
package cells

import "github.com/scree-dem/scree/engine/broad"

// Method enters the rows in cell spaces, one for each factor of two in size. Cost: linear in rows and pairs at
// bounded density, whatever the ratio of sizes.
type Method struct{ cells *broad.Cells }

// New returns the method.
func New() *Method { return &Method{cells: broad.New(broad.Config{})} }

// Search implements broad.Method.
func (m *Method) Search(r *broad.Rows, p *broad.Pairs) error { return m.cells.SearchRows(r, p) }
