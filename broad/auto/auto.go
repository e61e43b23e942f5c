package auto

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

const (
	// marginMotions is the ratio of the margin to the motion from one search to the next. Measured
	// with 8000 balls, motions of 0.0005 to 0.02 sides and sizes of 1 to 20: ratios of 10 to 30
	// cost the same. A smaller ratio renews the candidates too often; a larger one makes too many.
	marginMotions = 20
	// mostMotion, in mean sides of the boxes, is the motion above which every search is a full
	// search. At this motion, mostMargin is four motions. Then a quarter of the searches find
	// candidates anew, there are 1.7 times as many candidates as pairs, and nothing is gained.
	mostMotion = 0.05
	// mostMargin and leastMargin, in mean sides, bound the margin. A larger margin makes candidates
	// of most neighbours; a smaller one is used up at once.
	mostMargin, leastMargin = 0.2, 0.002
	// leastServed is the least number of searches that candidates must serve for the margin to be
	// kept. With fewer, candidates cost as much as they save.
	leastServed = 3
)

// Method searches with the multilevel grid. It stores candidates of enlarged boxes if the rows move
// little. It chooses the margin of these boxes when candidates are made: at the first search, when
// a row has left its enlarged box, and when rows are added or removed. The choice depends on the
// boxes of the searches so far, never on time. A Method must not be used by several goroutines at
// the same time.
//
// Cost: that of the grid, or one pass over the candidates. A full search without margin also reads
// and writes 48 bytes per row.
type Method struct {
	// Fresh counts the searches that found pairs or candidates anew. Kept counts those that used
	// stored candidates.
	Fresh, Kept int

	grid   *multilevel.Method
	kept   broad.Candidates
	margin float64   // m; 0: each search is a full search
	served int       // number of searches by the present candidates
	last   []vec.Box // boxes of the last search, if it had no margin
	name   []uint64
	rows   broad.Rows // copy of the caller's rows, with the chosen margin
	known  bool       // last and name belong to the last search
}

// New returns the method.
func New() *Method { return &Method{grid: multilevel.New()} }

// Margin returns the margin of the last search, m. It is 0 if that search stored no candidates.
func (m *Method) Margin() float64 { return m.margin }

// Search implements broad.Method. If r.Margin is not 0, it is used.
func (m *Method) Search(r *broad.Rows, p *broad.PairList) error {
	if r.Margin > 0 {
		m.known, m.margin = false, r.Margin
		return m.search(r, p)
	}
	if m.margin == 0 {
		m.margin = m.fitting(r)
		m.remember(r)
	}
	if m.margin == 0 {
		m.Fresh++
		m.kept.Forget() // the cells will be those of this search
		return m.grid.Search(r, p)
	}
	m.known = false
	m.rows = *r
	m.rows.Margin = m.margin
	err := m.search(&m.rows, p)
	m.rows = broad.Rows{}
	return err
}

var _ broad.NearFinder = (*Method)(nil)

// Near implements broad.NearFinder with the grid. If the last search used candidates, the grid
// contains their enlarged boxes.
func (m *Method) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	return m.grid.Near(box, runs)
}

// search uses candidates. It drops the margin if the candidates have served too few searches.
func (m *Method) search(r *broad.Rows, p *broad.PairList) error {
	made := m.kept.Made
	err := m.kept.Search(r, p, m.grid.Search)
	if m.kept.Made == made {
		m.served++
		m.Kept++
		return err
	}
	m.Fresh++
	if m.served < leastServed && made > 0 {
		m.margin = 0
		m.remember(r)
	}
	m.served = 0
	return err
}

// remember stores the boxes, so that the next search can compute how far they have moved.
func (m *Method) remember(r *broad.Rows) {
	m.last, m.name, m.known = append(m.last[:0], r.Box...), append(m.name[:0], r.Name...), true
}

// fitting returns the margin that suits the motion since the last search, m. It returns 0 if the
// motion is unknown or too large.
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
	return min(max(marginMotions*motion, leastMargin*side), mostMargin*side)
}
