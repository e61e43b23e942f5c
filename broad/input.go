package broad

import (
	"errors"
	"fmt"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Input is the input of a Finder: closed boxes or balls, one per row.
type Input struct {
	// Box holds the boxes, m. It must be nil if the rows are balls.
	Box []vec.Box
	// Centre and Radius hold the balls, m. A radius must be 1e-140 m to 1e140 m.
	Centre []vec.Vec3
	Radius []float64
	// ID names the rows; each name must be unique. If ID is nil, row i has the name i. Found lists
	// pairs by name. Between two calls rows may be inserted, removed and reordered. A method that
	// stores something about a row finds it again by its name.
	ID []uint32
	// Skin, m: two rows are a pair if they are at most this far apart. For boxes the test is
	// max(minA, minB) - min(maxA, maxB) ≤ Skin along each axis. For balls it is (dx·dx + dy·dy) +
	// dz·dz ≤ (ra + rb + Skin)². Both are computed in float64.
	Skin float64
	// Margin, m: a method that stores candidates may enlarge boxes by this length. It then finds
	// the candidates anew only when a side or centre has moved farther than the margin. Margin
	// changes the time of a search, not its pairs.
	Margin float64
	// Domain, m, is where rows are expected. The zero value means all of space. Rows outside the
	// domain are searched like others, and listed in Found.Outside.
	Domain vec.Box
	// Periodic tells along which axes the domain repeats. Find moves each row into the domain by
	// whole periods. Two rows are a pair if their nearest images pass the test. A row never pairs
	// with its own image. Moving rounds each coordinate once; beyond 2²⁰ periods the error is at
	// most 2⁻⁵¹·(|Min| + 2 periods + the row's side).
	Periodic [3]bool
	// MaxPairs is the largest number of pairs that may be found; 0 stands for the constant
	// MaxPairs. Sets of balls, and sets with a skin or periods, may have more overlapping boxes
	// than pairs. MaxBoxPairs bounds these and thereby the memory; 0 stands for 32 per pair and 32
	// per row.
	MaxPairs, MaxBoxPairs int
	// Pool shares the work between its workers. If it is nil, the caller does all of it. The pairs
	// are the same.
	Pool *sched.Pool
}

// Found is the output of a Finder: pairs of names A < B, sorted by A, then B, without repetition.
type Found struct {
	A, B []uint32
	// Outside lists the rows whose centre lies outside the domain along an axis that is not
	// periodic, in ascending order.
	Outside []int
}

// Errors that a search wraps.
var (
	ErrSet          = errors.New("broad: a set that cannot be searched")
	ErrTooManyPairs = errors.New("broad: more pairs than a list may have")
	ErrLate         = errors.New("broad: a list made too late")
)

// Len returns the number of rows.
func (s *Input) Len() int {
	if s.Box != nil {
		return len(s.Box)
	}
	return len(s.Centre)
}

// most returns the largest number of pairs that may be found.
func (s *Input) most() int {
	if s.MaxPairs == 0 {
		return MaxPairs
	}
	return s.MaxPairs
}

// wrong returns an error that wraps ErrSet and describes the problem.
func wrong(format string, args ...any) error {
	return fmt.Errorf("broad: "+format+": %w", append(args, ErrSet)...)
}

// check returns an error if the set cannot be searched. It does not check the rows: Finder.prepare
// does.
func (s *Input) check() error {
	n := s.Len()
	switch {
	case s.Box != nil && (s.Centre != nil || s.Radius != nil):
		return wrong("%d boxes and %d balls, expected only one of the two", len(s.Box), len(s.Centre))
	case len(s.Radius) != len(s.Centre):
		return wrong("%d centres and %d radii, expected equal numbers", len(s.Centre), len(s.Radius))
	case s.ID != nil && len(s.ID) != n:
		return wrong("%d names for %d rows, expected one per row", len(s.ID), n)
	case !(s.Skin >= 0 && s.Skin <= maxPlace):
		return wrong("skin %g m, expected 0 to %g", s.Skin, maxPlace)
	case !(s.Margin >= 0 && s.Margin <= maxPlace):
		return wrong("margin %g m, expected 0 to %g", s.Margin, maxPlace)
	case s.MaxPairs < 0 || s.MaxPairs > MaxPairs:
		return wrong("at most %d pairs, expected 0 to %d", s.MaxPairs, MaxPairs)
	case s.MaxBoxPairs < 0 || s.MaxBoxPairs > MaxPairs:
		return wrong("at most %d pairs of boxes, expected 0 to %d", s.MaxBoxPairs, MaxPairs)
	case int64(n) > maxRows:
		return wrong("%d rows, expected at most %d", n, int64(maxRows))
	}
	return s.checkDomain()
}

// firstWrong returns the error of the first row that cannot be searched, or nil.
func (s *Input) firstWrong() error {
	for i := range s.Len() {
		if !s.searchable(i) {
			return s.wrongRow(i)
		}
	}
	return nil
}

// wrongRow returns the error of row i, which cannot be searched.
func (s *Input) wrongRow(i int) error {
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

// searchable reports whether row i can be searched.
func (s *Input) searchable(i int) bool {
	if s.Box != nil {
		return searchable(&s.Box[i])
	}
	return s.Centre[i].MaxAbs() <= maxPlace && s.Radius[i] >= minRadius && s.Radius[i] <= maxPlace
}

const (
	// maxRows is the largest number of rows of a set. Rows and their images must be countable in 32
	// bits.
	maxRows = 1 << 30
	// maxPlace, m, bounds the coordinates and lengths of a set. With it, no side of a box,
	// including skin and image, comes near maxExtent.
	// Larger: a row may be omitted.
	maxPlace = 1e140
	// minRadius, m, is the least radius of a ball. Squares of smaller radii may underflow, and the
	// test would then accept balls that are apart.
	// Smaller: separate balls may pass the test.
	minRadius = 1e-140
)

// searchable reports whether a box can be searched.
func searchable(b *vec.Box) bool {
	return b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z &&
		-maxPlace <= b.Min.X && -maxPlace <= b.Min.Y && -maxPlace <= b.Min.Z &&
		b.Max.X <= maxPlace && b.Max.Y <= maxPlace && b.Max.Z <= maxPlace
}

func (s *Input) checkDomain() error {
	if s.Domain == (vec.Box{}) {
		if s.Periodic != [3]bool{} {
			return wrong("a periodic set without a domain, expected Domain")
		}
		return nil
	}
	if !searchable(&s.Domain) {
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

// Rows is the input of a Method: checked boxes, including those of images.
type Rows struct {
	Box []vec.Box
	// Name identifies a row from call to call. Names must be strictly ascending. If Name is nil,
	// row i is row i of the last call, or a new row if the last call had fewer rows.
	Name   []uint64
	Margin float64 // m, as in Set
	Most   int64   // largest number of pairs that may be found
	Pool   *sched.Pool
}

// MostStored returns how many pairs a search may store if some of them are not pairs of rows that
// overlap: candidates of enlarged boxes, lists, and pairs that a world drops. A search that would
// store more does without, and finds the pairs of the rows alone. So memory is bounded by Most.
func (r *Rows) MostStored() int64 { return min(r.Most+64*int64(len(r.Box)), MaxPairs) }

// PairList is a list of pairs of rows A < B, sorted by A, then B, without repetition.
type PairList struct{ A, B []soa.Piece }

// Len returns the number of pairs.
func (p *PairList) Len() int { return len(p.A) }

// Method is a neighbour search. Search writes to p all pairs of rows whose closed boxes overlap:
// sharing a face, an edge or a corner is enough. The pairs depend on the boxes alone, not on
// earlier calls or on the number of workers. Search returns ErrTooManyPairs, wrapped or not, if there
// are more pairs than r.Most.
type Method interface {
	Search(r *Rows, p *PairList) error
}
