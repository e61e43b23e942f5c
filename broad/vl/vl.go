package vl

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// paperRadius times half the longest side of a row is the radius in the paper.
	paperRadius = 5
	// listRounding of the radius and of the coordinates covers the rounding of centres, distances
	// and displacements: about ten operations each. With a smaller value, a pair at the very end of
	// a list's life might be missed.
	listRounding = 0x1p-44
	// listUnderflow, m, exceeds the part of a length or displacement that can be lost when its
	// square underflows.
	// Smaller: as listRounding, for rows below 1e-162 m.
	listUnderflow = 0x1p-500
	// leastReach times the longest diagonal is the least radius. A smaller radius would make a list
	// that is outdated by the least motion.
	leastReach = 1.25
	// mostReach, m, bounds Options.Radius. No two rows of a set are so far apart, so such lists have
	// all pairs. With a larger radius the boxes of the lists would overflow.
	mostReach = 1e145
)

// Options tell how lists are made. The zero value makes lists with the paper's radius, and remakes
// them when rows have moved too far.
type Options struct {
	// Radius, m, is the radius of the lists about a centre. 0 stands for five times half the
	// longest side. A radius below 1.25 times the longest diagonal is raised to that. The lists
	// reach farther by 2⁻⁴² of the largest coordinate plus 2⁻⁴⁹⁸ m, to cover rounding.
	Radius float64
	// Every, if not 0, makes the lists anew every so many searches. At other times they are made
	// only if rows are added or removed. A search whose lists may lack a pair then returns
	// broad.ErrLate.
	Every int
	// Build finds the rows of the lists. If it is nil, all rows are compared, as in the paper.
	Build broad.Method
}

// ErrOption marks an invalid option: a radius that is negative or not finite, or a negative number
// of searches.
var ErrOption = errors.New("vl: an option that cannot be used")

// Method is a neighbour search with Verlet lists. A search costs one comparison per list entry.
// Making the lists costs n(n-1)/2 distances, or the cost of Options.Build. Memory: 24 bytes per
// row, and 8 per list entry.
type Method struct {
	// Made is how many times the lists were made.
	Made int

	o      Options
	radius float64 // m, of the lists
	age    int     // number of searches since the lists were made
	known  bool
	centre []vec.Vec3 // centres when the lists were made
	name   []uint64
	list   broad.PairList
	around []vec.Box
}

// New returns the method with options o. Search reports invalid options.
func New(o Options) *Method { return &Method{o: o} }

// Search implements broad.Method.
func (m *Method) Search(r *broad.Rows, p *broad.PairList) error {
	long, diagonal := 0.0, 0.0
	for i := range r.Box {
		s := r.Box[i].Max.Sub(r.Box[i].Min)
		long, diagonal = max(long, s.X, s.Y, s.Z), max(diagonal, s.Norm())
	}
	if err := m.checkOptions(); err != nil {
		return err
	}
	m.age++
	if !m.known || !slices.Equal(m.name, r.Name) || len(m.centre) != len(r.Box) ||
		m.o.Every > 0 && m.age >= m.o.Every || m.o.Every == 0 && m.late(r, diagonal) {
		if err := m.build(r, long, diagonal); errors.Is(err, broad.ErrTooManyPairs) {
			return m.searchAlone(r, p) // The rows themselves may have fewer pairs.
		} else if err != nil {
			return err
		}
	}
	if m.late(r, diagonal) {
		m.known = false
		return fmt.Errorf("vl: the lists of radius %g m are %d searches old, rows have moved %g m and have diagonals of %g m: %w",
			m.radius, m.age, m.moved(r), diagonal, broad.ErrLate)
	}
	p.A, p.B = p.A[:0], p.B[:0]
	for k, a := range m.list.A {
		if b := m.list.B[k]; r.Box[a].Overlaps(r.Box[b]) && !add(p, a, b, r.Most) {
			return broad.ErrTooManyPairs
		}
	}
	return nil
}

// add appends a pair to p. If p has most pairs already, add empties p and returns false.
func add(p *broad.PairList, a, b soa.Piece, most int64) bool {
	if int64(len(p.A)) >= most {
		p.A, p.B = p.A[:0], p.B[:0]
		return false
	}
	p.A, p.B = append(p.A, a), append(p.B, b)
	return true
}

// searchAlone finds the pairs of rows without lists.
func (m *Method) searchAlone(r *broad.Rows, p *broad.PairList) error {
	if m.o.Build != nil {
		return m.o.Build.Search(&broad.Rows{Box: r.Box, Name: r.Name, Most: r.Most, Pool: r.Pool}, p)
	}
	p.A, p.B = p.A[:0], p.B[:0]
	for i := range r.Box {
		for j := i + 1; j < len(r.Box); j++ {
			if r.Box[i].Overlaps(r.Box[j]) && !add(p, soa.Piece(i), soa.Piece(j), r.Most) {
				return broad.ErrTooManyPairs
			}
		}
	}
	return nil
}

func (m *Method) checkOptions() error {
	if !(m.o.Radius >= 0 && m.o.Radius <= math.MaxFloat64) {
		return fmt.Errorf("vl: Options.Radius is %g m, expected a finite length, or 0 for one that fits: %w", m.o.Radius, ErrOption)
	}
	if m.o.Every < 0 {
		return fmt.Errorf("vl: Options.Every is %d, expected 0 or more searches: %w", m.o.Every, ErrOption)
	}
	return nil
}

// moved returns the largest distance of a centre from its place when the lists were made, m.
func (m *Method) moved(r *broad.Rows) float64 {
	most := 0.0
	for i := range r.Box {
		most = max(most, r.Box[i].Center().Sub(m.centre[i]).Norm2())
	}
	return math.Sqrt(most)
}

// late reports whether two rows may overlap that are not in a list. The centres of overlapping
// boxes are at most two half diagonals apart. When the lists were made, they were at most that plus
// both displacements apart.
func (m *Method) late(r *broad.Rows, diagonal float64) bool {
	if len(r.Box) == 0 {
		return false
	}
	far := 0.0
	for i := range m.centre {
		far = max(far, m.centre[i].MaxAbs())
	}
	need := diagonal + 2*m.moved(r)
	return !(need+float64(listRounding*(need+far))+listUnderflow <= m.radius)
}

// Reach returns the radius of lists, m, for the value radius of Options.Radius and for rows with
// the given longest side and longest diagonal. It does not include the addition for rounding.
func Reach(radius, long, diagonal float64) float64 {
	if radius == 0 {
		radius = paperRadius * 0.5 * long
	}
	return max(radius, leastReach*diagonal)
}

// build makes the lists.
func (m *Method) build(r *broad.Rows, long, diagonal float64) error {
	m.Made++
	m.age, m.known = 0, false
	m.radius = Reach(min(m.o.Radius, mostReach), long, diagonal)
	m.centre = broad.Resize(m.centre, len(r.Box))
	far := 0.0
	for i := range r.Box {
		m.centre[i] = r.Box[i].Center()
		far = max(far, m.centre[i].MaxAbs())
	}
	// Far from the origin, or for rows without extent, rounding alone would outdate the lists at
	// once.
	m.radius += float64(4*listRounding*far) + 4*listUnderflow
	m.name = append(m.name[:0], r.Name...)
	within := float64(m.radius * m.radius)
	m.list.A, m.list.B = m.list.A[:0], m.list.B[:0]
	if m.o.Build == nil {
		for i, c := range m.centre {
			for j := i + 1; j < len(m.centre); j++ {
				if m.centre[j].Sub(c).Norm2() <= within && !add(&m.list, soa.Piece(i), soa.Piece(j), r.MostStored()) {
					return broad.ErrTooManyPairs
				}
			}
		}
		m.known = true
		return nil
	}
	m.around = broad.Resize(m.around, len(r.Box))
	half := float64(0.5*m.radius) + float64(listRounding*(m.radius+far))
	for i, c := range m.centre {
		m.around[i] = vec.Box{Min: c, Max: c}.Enlarged(half)
	}
	rows := broad.Rows{Box: m.around, Name: r.Name, Most: r.MostStored(), Pool: r.Pool}
	if err := m.o.Build.Search(&rows, &m.list); err != nil {
		return err
	}
	n := 0
	for k, a := range m.list.A {
		if b := m.list.B[k]; m.centre[a].Sub(m.centre[b]).Norm2() <= within {
			m.list.A[n], m.list.B[n] = a, b
			n++
		}
	}
	m.list.A, m.list.B = m.list.A[:n], m.list.B[:n]
	m.known = true
	return nil
}
