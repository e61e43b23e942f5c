package lc

import (
	"errors"
	"fmt"
	"math"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

const (
	// slack makes cells longer than any row by more than rounding.
	// Smaller: a pair may be missed.
	slack = 1 + 0x1p-20
	// cellsPerRow bounds the number of cells per row. If there would be more, the cells are made
	// longer, which is correct but slower.
	cellsPerRow = 8
	// leastCell, m, keeps the reciprocal of the cell size finite.
	leastCell = 1e-150
	// maxAxis bounds the number of cells along an axis.
	maxAxis = 1 << 20
)

// Method is a neighbour search with linked cells. Cost: linear in rows at bounded density and
// similar sizes. Memory: 8 bytes per row, 4 per cell, and 20 per pair.
type Method struct {
	// Checked is the number of pairs of rows that the last search compared.
	Checked int64

	times   float64 // Options.Cell, at least 1
	width   float64 // m, Options.Width
	head    []int32 // by cell: its first row, or -1
	next    []int32 // by row: the next row of its cell, or -1
	cell    []int32 // by row
	stencil [][3]int
	sorter  broad.Sorter
}

// Options tell how long cells are. The zero value makes cells as long as the longest row.
type Options struct {
	// Cell is the length of a cell divided by that of the longest row; values below 1 and NaN count
	// as 1.
	// The published method uses up to 2: fewer cells to search, with more rows each.
	Cell float64
	// Width, m, is the length of a cell if it is not 0; Cell then has no effect. If it is negative,
	// not finite or less than the longest side of a row, Search returns an error that wraps ErrOption.
	Width float64
}

// ErrOption marks a width of cells that does not suit the rows: the half stencil would miss pairs.
var ErrOption = errors.New("lc: an option that cannot be used")

// New returns the method.
func New(o Options) *Method {
	times := 1.0
	if o.Cell > 1 {
		times = min(o.Cell, math.MaxFloat64)
	}
	return &Method{times: times, width: o.Width}
}

// grid is the lattice of a search.
type grid struct {
	from       vec.Vec3
	perMetre   float64
	nx, ny, nz int
}

// Search implements broad.Method.
func (m *Method) Search(r *broad.Rows, p *broad.PairList) error {
	m.Checked = 0
	g, err := m.gridOf(r.Box)
	if err != nil {
		return err
	}
	m.fill(&g, r.Box)
	m.sorter.Begin(len(r.Box), 1, r.Most, nil)
	list := broad.NewList(&m.sorter)
	list.Begin(0)
	m.makeStencil(&g)
	for i := 0; i < len(r.Box) && !list.Full; i++ {
		box := &r.Box[i]
		meet := func(j int32) {
			for ; j >= 0; j = m.next[j] {
				m.Checked++
				if box.Overlaps(r.Box[j]) {
					list.Add(uint32(min(i, int(j))), uint32(max(i, int(j))))
				}
			}
		}
		meet(m.next[i])
		at := int(m.cell[i])
		x, y, z := at%g.nx, at/g.nx%g.ny, at/(g.nx*g.ny)
		for _, d := range m.stencil {
			x, y, z := x+d[0], y+d[1], z+d[2]
			if x >= 0 && x < g.nx && y >= 0 && y < g.ny && z < g.nz {
				meet(m.head[(z*g.ny+y)*g.nx+x])
			}
		}
	}
	list.End(0)
	return m.sorter.Collect(p)
}

// makeStencil lists the offsets of those neighbouring cells that come after a cell: 4 if all rows
// are in one layer, else 13.
func (m *Method) makeStencil(g *grid) {
	m.stencil = m.stencil[:0]
	for z := 0; z <= 1 && z < g.nz; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				if z > 0 || y > 0 || y == 0 && x > 0 {
					m.stencil = append(m.stencil, [3]int{x, y, z})
				}
			}
		}
	}
}

// gridOf returns the lattice around the centres. Its cells have the width of the options, or are at
// least times as long as the longest row.
func (m *Method) gridOf(boxes []vec.Box) (grid, error) {
	if len(boxes) == 0 {
		return grid{nx: 1, ny: 1, nz: 1}, nil
	}
	longest := 0.0
	from := boxes[0].Center()
	to := from
	for i := range boxes {
		c, s := boxes[i].Center(), boxes[i].Max.Sub(boxes[i].Min)
		from, to = from.Min(c), to.Max(c)
		longest = max(longest, s.X, s.Y, s.Z)
	}
	span := to.Sub(from)
	length := m.times * longest
	if m.width != 0 {
		// The boxes of balls as wide as a cell are longer than a cell, by less than slack.
		if length = max(m.width, longest); !(m.width*slack >= longest && m.width <= math.MaxFloat64) {
			return grid{}, fmt.Errorf("lc: Options.Width is %g m, expected at least %.8g m, the longest side of a row: %w", m.width, longest, ErrOption)
		}
	}
	// Centres are rounded in proportion to their distance from the origin.
	cell := max(float64(length*slack)+float64(0x1p-48*max(from.MaxAbs(), to.MaxAbs())), leastCell)
	for ; ; cell *= 2 {
		x, y, z := math.Floor(span.X/cell)+1, math.Floor(span.Y/cell)+1, math.Floor(span.Z/cell)+1
		if x <= maxAxis && y <= maxAxis && z <= maxAxis && x*y*z <= float64(cellsPerRow*len(boxes)+64) {
			return grid{from: from, perMetre: 1 / cell, nx: int(x), ny: int(y), nz: int(z)}, nil
		}
	}
}

// fill lists the rows of each cell in ascending order.
func (m *Method) fill(g *grid, boxes []vec.Box) {
	m.head = broad.Resize(m.head, g.nx*g.ny*g.nz)
	m.next, m.cell = broad.Resize(m.next, len(boxes)), broad.Resize(m.cell, len(boxes))
	for k := range m.head {
		m.head[k] = -1
	}
	axis := func(x, from float64, n int) int { return min(int((x-from)*g.perMetre), n-1) }
	for i := len(boxes) - 1; i >= 0; i-- {
		c := boxes[i].Center()
		k := (axis(c.Z, g.from.Z, g.nz)*g.ny+axis(c.Y, g.from.Y, g.ny))*g.nx + axis(c.X, g.from.X, g.nx)
		m.cell[i], m.next[i], m.head[k] = int32(k), m.head[k], int32(i)
	}
}
