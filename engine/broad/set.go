package broad

import (
	"errors"
	"fmt"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Set is what a Finder searches: closed boxes or balls, one a row.
type Set struct {
	// Box is the boxes, m. Leave it nil where the rows are balls.
	Box []vec.Box
	// Centre and Radius, m, are the balls. A radius is 1e-140 m to 1e140 m.
	Centre []vec.Vec3
	Radius []float64
	// ID names the rows, each name once; nil names row i by i. Pairs are told by name. Rows may be
	// inserted, removed and change places between two calls: a method that keeps something of a
	// row finds it again by its name.
	ID []uint32
	// Skin, m: a pair is two rows at most this far apart. Of boxes max(minA, minB) - min(maxA,
	// maxB) ≤ Skin along each axis, of balls (dx·dx + dy·dy) + dz·dz ≤ (ra + rb + Skin)², in
	// float64.
	Skin float64
	// Budget, m: how far sides or centres may move before a method that keeps its candidates has
	// to find them anew. It changes how long a search takes, not what it finds.
	Budget float64
	// Domain is where rows are expected, m; the zero value is all of space. Rows outside are found
	// like others, and told in Found.Outside.
	Domain vec.Box
	// Periodic says along which axes the domain repeats. Rows are moved into it by whole periods
	// then; a pair is two rows whose nearest images are a pair. A row is no pair with its own
	// image. A moved row is rounded once, and beyond 2²⁰ periods by 2⁻⁵¹·(|Min| + 2 periods + its
	// side) at most.
	Periodic [3]bool
	// MaxPairs is the most pairs that may be found; 0 stands for the constant MaxPairs. Of balls, or
	// with a skin or periods, the boxes around rows may have more: MaxBoxPairs bounds these, and with
	// them memory; 0 stands for 32 times as many and 32 more a row.
	MaxPairs, MaxBoxPairs int
	// Pool shares the work; nil runs all of it on the caller. The pairs are the same.
	Pool *sched.Pool
}

// Found is what a Finder found: pairs of names A < B, sorted by A, then B, each once.
type Found struct {
	A, B []uint32
	// Outside is the rows whose centre lies outside the domain along an axis that is not periodic,
	// in rising order.
	Outside []int
}

// Errors of a search.
var (
	ErrSet     = errors.New("broad: a set that cannot be searched")
	ErrCrowded = errors.New("broad: more pairs than a list may have")
	ErrLate    = errors.New("broad: a list made too late")
)

// Len returns the number of rows.
func (s *Set) Len() int {
	if s.Box != nil {
		return len(s.Box)
	}
	return len(s.Centre)
}

// most returns the most pairs that may be found.
func (s *Set) most() int {
	if s.MaxPairs == 0 {
		return MaxPairs
	}
	return s.MaxPairs
}

// wrong returns an ErrSet that says what was found.
func wrong(format string, args ...any) error {
	return fmt.Errorf("broad: "+format+": %w", append(args, ErrSet)...)
}

// check returns an error that names what cannot be searched of a set, rows aside: Finder.prepare looks at these.
func (s *Set) check() error {
	n := s.Len()
	switch {
	case s.Box != nil && (s.Centre != nil || s.Radius != nil):
		return wrong("%d boxes and %d balls, expected one of both", len(s.Box), len(s.Centre))
	case len(s.Radius) != len(s.Centre):
		return wrong("%d centres and %d radii, expected as many", len(s.Centre), len(s.Radius))
	case s.ID != nil && len(s.ID) != n:
		return wrong("%d names for %d rows, expected as many", len(s.ID), n)
	case !(s.Skin >= 0 && s.Skin <= maxPlace):
		return wrong("skin %g m, expected 0 to %g", s.Skin, maxPlace)
	case !(s.Budget >= 0 && s.Budget <= maxPlace):
		return wrong("motion budget %g m, expected 0 to %g", s.Budget, maxPlace)
	case s.MaxPairs < 0 || s.MaxPairs > MaxPairs:
		return wrong("at most %d pairs, expected 0 to %d", s.MaxPairs, MaxPairs)
	case s.MaxBoxPairs < 0 || s.MaxBoxPairs > MaxPairs:
		return wrong("at most %d pairs of boxes, expected 0 to %d", s.MaxBoxPairs, MaxPairs)
	case int64(n) > maxRows:
		return wrong("%d rows, expected at most %d", n, int64(maxRows))
	}
	return s.checkDomain()
}

// firstWrong returns the error of the first row that cannot be searched.
func (s *Set) firstWrong() error {
	for i := range s.Len() {
		if !s.inOrder(i) {
			return s.wrongRow(i)
		}
	}
	return nil
}

// wrongRow returns the error of row i, which cannot be searched.
func (s *Set) wrongRow(i int) error {
	switch {
	case s.Box != nil:
		b := &s.Box[i]
		return wrong("row %d has the box %g to %g, expected finite corners, the first not above the second, within %g m", i, b.Min, b.Max, maxPlace)
	case !(s.Centre[i].MaxAbs() <= maxPlace):
		return wrong("row %d has the centre %g, expected finite numbers within %g m", i, s.Centre[i], maxPlace)
	default:
		return wrong("row %d has the radius %g m, expected %g to %g", i, s.Radius[i], minRadius, maxPlace)
	}
}

// inOrder reports whether row i can be searched.
func (s *Set) inOrder(i int) bool {
	if s.Box != nil {
		return inOrder(&s.Box[i])
	}
	return s.Centre[i].MaxAbs() <= maxPlace && s.Radius[i] >= minRadius && s.Radius[i] <= maxPlace
}

const (
	// maxRows is the most rows of a set: those and their images are counted in 32 bits.
	maxRows = 1 << 30
	// maxPlace, m, bounds the coordinates and lengths of a set. No side of a box, with its skin
	// and an image, comes near maxExtent then.
	maxPlace = 1e140
	// minRadius, m, of a ball: squares of smaller ones may underflow, and then the test of balls accepts some that lie apart.
	minRadius = 1e-140
)

// inOrder reports whether a box can be searched.
func inOrder(b *vec.Box) bool {
	return b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z &&
		-maxPlace <= b.Min.X && -maxPlace <= b.Min.Y && -maxPlace <= b.Min.Z &&
		b.Max.X <= maxPlace && b.Max.Y <= maxPlace && b.Max.Z <= maxPlace
}

func (s *Set) checkDomain() error {
	if s.Domain == (vec.Box{}) {
		if s.Periodic != [3]bool{} {
			return wrong("a periodic set without a domain, expected Domain")
		}
		return nil
	}
	if !inOrder(&s.Domain) {
		return wrong("the domain is %g to %g, expected finite corners, the first not above the second", s.Domain.Min, s.Domain.Max)
	}
	size := s.Domain.Max.Sub(s.Domain.Min)
	for axis, length := range [3]float64{size.X, size.Y, size.Z} {
		if s.Periodic[axis] && !(length > 0) {
			return wrong("the domain is %g m long along periodic axis %c, expected more than 0", length, "xyz"[axis])
		}
	}
	return nil
}

// Rows is what a Method searches: boxes that were checked, with what stands for images among them.
type Rows struct {
	Box []vec.Box
	// Name is rising, and names a row from call to call. nil: row i is the row i of the last call,
	// and new if that had fewer.
	Name   []uint64
	Budget float64 // m, as in Set
	Most   int64   // pairs that may be found
	Pool   *sched.Pool
}

// Pairs is pairs of rows A < B, sorted by A, then B, each once.
type Pairs struct{ A, B []soa.Piece }

// Len returns the number of pairs.
func (p *Pairs) Len() int { return len(p.A) }

// Method is a way to search. Search writes to p all pairs of rows whose boxes share a point; a
// face, an edge or a corner is enough. What it finds depends on the boxes alone, not on the calls
// before or the number of workers. It returns ErrCrowded, wrapped or not, where there are more
// pairs than r.Most.
type Method interface {
	Search(r *Rows, p *Pairs) error
}
