package auto

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

const (
	// budgetMotions is the motion budget in units of the motion from one search to the next. With
	// 10 to 30 a search of 8000 balls cost the same, for motions of 0.0005 to 0.02 sides and
	// sizes of 1 to 20; less asks for candidates too often, more makes too many.
	budgetMotions = 20
	// mostMotion, in mean sides of the boxes, is the motion above which each search starts from
	// nothing: there four motions of budget, a quarter of the searches from nothing and 1.7 times
	// the pairs, save nothing any more.
	mostMotion = 0.05
	// mostBudget and leastBudget, in mean sides: more makes candidates of most neighbours, less
	// serves nobody.
	mostBudget, leastBudget = 0.2, 0.002
	// leastServed is how many searches candidates must have served for a budget to stay: with
	// fewer they cost what they save.
	leastServed = 3
)

// Method chooses for each search. The choice depends on the boxes of the searches so far, never
// on time, and is made anew where candidates are: at the first search, where rows have left their
// enlarged boxes, and where rows come or go. It is for one goroutine.
//
// Cost: that of the grid, or of a pass over the candidates; 48 bytes read and written a row where
// a search starts from nothing.
type Method struct {
	// Fresh is how many searches started from nothing, Kept how many used candidates of one before.
	Fresh, Kept int

	grid   *multilevel.Method
	kept   broad.Candidates
	budget float64   // m; 0: each search starts from nothing
	served int       // searches by the present candidates
	last   []vec.Box // of the search before, if that started from nothing without a budget
	name   []uint64
	rows   broad.Rows // those of a search that is given no budget, with one
	known  bool       // last and name are of the search before
}

// New returns the method.
func New() *Method { return &Method{grid: multilevel.New()} }

// Budget returns the motion budget of the last search, m; 0 if it started from nothing and kept
// nothing.
func (m *Method) Budget() float64 { return m.budget }

// Search implements broad.Method. A budget of the rows' own counts before one that would be chosen.
func (m *Method) Search(r *broad.Rows, p *broad.Pairs) error {
	if r.Budget > 0 {
		m.known, m.budget = false, r.Budget
		return m.search(r, p)
	}
	if m.budget == 0 {
		m.budget = m.fitting(r)
		m.remember(r)
	}
	if m.budget == 0 {
		m.Fresh++
		return m.grid.Search(r, p)
	}
	m.known = false
	m.rows = *r
	m.rows.Budget = m.budget
	err := m.search(&m.rows, p)
	m.rows = broad.Rows{}
	return err
}

var _ broad.Looker = (*Method)(nil)

// Near implements broad.Looker with the grid. Of rows that have moved since the grid was made, the enlarged boxes are entered.
func (m *Method) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	return m.grid.Near(box, runs)
}

// search uses candidates, and drops a budget that has served too few searches.
func (m *Method) search(r *broad.Rows, p *broad.Pairs) error {
	made := m.kept.Made
	err := m.kept.Search(r, p, m.grid.Search)
	if m.kept.Made == made {
		m.served++
		m.Kept++
		return err
	}
	m.Fresh++
	if m.served < leastServed && made > 0 {
		m.budget = 0
		m.remember(r)
	}
	m.served = 0
	return err
}

// remember keeps the boxes, so that the next search knows how far they have moved.
func (m *Method) remember(r *broad.Rows) {
	m.last, m.name, m.known = append(m.last[:0], r.Box...), append(m.name[:0], r.Name...), true
}

// fitting returns the budget that fits the motion since the search before, 0 if that is unknown
// or too large.
func (m *Method) fitting(r *broad.Rows) float64 {
	if !m.known || len(r.Box) != len(m.last) || len(r.Box) == 0 || !slices.Equal(r.Name, m.name) {
		return 0
	}
	motion, side := 0.0, 0.0
	for i := range r.Box {
		a, b := &r.Box[i], &m.last[i]
		motion = max(motion, a.Min.Sub(b.Min).MaxAbs(), a.Max.Sub(b.Max).MaxAbs())
		size := a.Max.Sub(a.Min)
		side += max(size.X, size.Y, size.Z) / float64(len(r.Box))
	}
	if !(motion <= mostMotion*side) || !(side > 0 && side <= math.MaxFloat64) {
		return 0
	}
	return min(max(budgetMotions*motion, leastBudget*side), mostBudget*side)
}
