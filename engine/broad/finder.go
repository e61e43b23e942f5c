package broad

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Rounding of a box of the search, relative to what it is made of: a pair that the test of a set
// accepts has boxes that overlap. Each rounds a few sums of products and one sum; smaller, and
// such a pair may be missed.
const (
	sideRounding   = 0x1p-49
	cornerRounding = 0x1p-52
)

// boxesPerPair bounds the pairs of boxes that a search may list before the test of the set, where the
// set has no bound: so many for each pair that may be found, and for each row. The boxes of equal balls that do not touch have
// some 20 pairs a ball at most.
const boxesPerPair = 32

// Finder finds the pairs of sets with one method. It checks the set, orders its rows by name, adds
// images across periodic borders, makes boxes around balls and skins, and keeps of the pairs whose
// boxes overlap those that the set's own test accepts. So every method answers the same questions,
// to the bit.
//
//	Set ─► check ─► rows by name, images, boxes ─► Method ─► test, sort ─► Found
//
// A Finder is for one goroutine.
type Finder struct {
	method Method
	order  []uint32  // row of the set, by row of the search; nil if they are in order
	boxes  []vec.Box // what the method searches, where it is not the set's own
	names  []uint64  // by row of the search; none where row i is named i
	exact  []vec.Box // by row of the search: what the test asks of a box or, of a ball, its centre in Min
	source []uint32  // of an image, by row of the search less the set's rows: its row
	rows   Rows
	pairs  Pairs
	row    []soa.Piece
	moved  changes

	// Only during a pass.
	set   *Set
	chunk Chunking
	wrong atomic.Bool // a row that cannot be searched
	kept  []int       // by chunk of pairs
}

// NewFinder returns a finder that uses the method, and no other finder may use it from then on.
func NewFinder(m Method) *Finder { return &Finder{method: m} }

// Find writes the pairs of the set to out, whose slices it reuses. An error that wraps ErrSet
// names the row that cannot be searched; nothing is kept of such a set. Cost: that of the method,
// and a pass over rows and pairs where balls, a skin or periods ask for it.
func (f *Finder) Find(s *Set, out *Found) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := f.search(s, s.most()); err != nil {
		return err
	}
	f.name(s, out)
	f.findOutside(s, out)
	return nil
}

// search finds the pairs of rows of the search, of which there may be so many.
func (f *Finder) search(s *Set, allowed int) error {
	f.moved.known = false
	if err := f.sortNames(s); err != nil {
		return err
	}
	if !f.prepare(s) {
		return s.firstWrong()
	}
	most := int64(allowed)
	f.rows = Rows{Box: f.boxes, Budget: s.Budget, Most: most, Pool: s.Pool}
	if len(f.names) > 0 {
		f.rows.Name = f.names
	}
	if f.plain(s) && f.order == nil {
		f.rows.Box = s.Box
	}
	if !f.plain(s) {
		f.rows.Most = int64(s.MaxBoxPairs)
		if s.MaxBoxPairs == 0 {
			f.rows.Most = min(boxesPerPair*(most+int64(len(f.boxes))), MaxPairs)
		}
	}
	err := f.method.Search(&f.rows, &f.pairs)
	f.rows = Rows{}
	if err != nil {
		return err
	}
	if !f.plain(s) {
		if f.choose(s); int64(f.pairs.Len()) > most {
			return ErrCrowded
		}
	}
	f.moved.end(s)
	return nil
}

// plain says whether the method's pairs are the set's.
func (f *Finder) plain(s *Set) bool { return s.Box != nil && s.Skin == 0 && s.Periodic == [3]bool{} }

// sortNames finds the order of the rows by name.
func (f *Finder) sortNames(s *Set) error {
	f.order, f.names = f.order[:0], f.names[:0]
	if s.ID == nil {
		f.order = nil
		return nil
	}
	if rising(s.ID) {
		f.order = nil
	} else {
		for i := range s.ID {
			f.order = append(f.order, uint32(i))
		}
		slices.SortFunc(f.order, func(i, j uint32) int { return cmp.Or(cmp.Compare(s.ID[i], s.ID[j]), cmp.Compare(i, j)) })
	}
	for k := range s.ID {
		name := uint64(s.ID[f.of(k)])
		if k > 0 && name == f.names[k-1] {
			return wrong("rows %d and %d are both named %d, expected each name once", f.of(k-1), f.of(k), name)
		}
		f.names = append(f.names, name)
	}
	return nil
}

func rising(id []uint32) bool {
	for i := 1; i < len(id); i++ {
		if id[i] <= id[i-1] {
			return false
		}
	}
	return true
}

// of returns the row of the set that is row k of the search.
func (f *Finder) of(k int) int {
	if f.order == nil {
		return k
	}
	return int(f.order[k])
}

// prepare checks the rows and makes the boxes of the search, images included. It says whether all rows can be searched.
func (f *Finder) prepare(s *Set) bool {
	n := s.Len()
	f.source, f.boxes = f.source[:0], f.boxes[:0]
	if !f.plain(s) {
		f.boxes = Resize(f.boxes, n)
	}
	f.set, f.chunk = s, ChunksOf(n)
	f.wrong.Store(false)
	RunOn(s.Pool, f.chunk.N, (*checkPass)(f))
	f.set = nil
	if f.wrong.Load() {
		return false
	}
	if f.plain(s) && f.order != nil {
		for k := range n {
			f.boxes = append(f.boxes, s.Box[f.of(k)])
		}
	}
	if f.plain(s) || f.bare(s) {
		return true
	}
	f.exact = Resize(f.exact, n)
	for k := range n {
		i := f.of(k)
		if s.Box != nil {
			f.exact[k] = s.Box[i]
		} else {
			f.exact[k] = vec.Box{Min: s.Centre[i], Max: s.Centre[i]}
		}
		s.wrap(&f.exact[k])
		f.boxes[k] = s.around(&f.exact[k], i)
	}
	if s.Periodic != [3]bool{} {
		f.addImages(s)
	}
	return true
}

// around returns the box that the method sees of row i, whose box, or centre, is e.
func (s *Set) around(e *vec.Box, i int) (box vec.Box) {
	grow := float64(0.5 * s.Skin)
	if s.Box == nil {
		grow += s.Radius[i]
	}
	if grow == 0 {
		return *e
	}
	grow += float64(grow * sideRounding)
	box.Min.X, box.Max.X = roundedOut(e.Min.X-grow, e.Max.X+grow)
	box.Min.Y, box.Max.Y = roundedOut(e.Min.Y-grow, e.Max.Y+grow)
	box.Min.Z, box.Max.Z = roundedOut(e.Min.Z-grow, e.Max.Z+grow)
	return box
}

// roundedOut returns two ends of a side beyond what may have been rounded in them.
func roundedOut(from, to float64) (low, high float64) {
	return from - float64(math.Abs(from)*cornerRounding), to + float64(math.Abs(to)*cornerRounding)
}

// choose keeps the pairs that the test of the set accepts, with images replaced by their rows.
func (f *Finder) choose(s *Set) {
	if f.bare(s) {
		f.chooseBalls(s)
		return
	}
	p := &f.pairs
	n := soa.Piece(s.Len())
	kept := 0
	for first := 0; first < p.Len(); {
		a, last := p.A[first], first
		f.row = f.row[:0]
		for ; last < p.Len() && p.A[last] == a; last++ {
			b := p.B[last]
			of := b
			if b >= n {
				// Of two rows the image of the later counts, so that rounding has one way.
				if of = soa.Piece(f.source[b-n]); of <= a {
					continue
				}
			}
			if f.near(s, a, b, of) {
				f.row = append(f.row, of)
			}
		}
		first = last
		if a >= n {
			break
		}
		if len(f.source) > 0 {
			slices.Sort(f.row)
			f.row = slices.Compact(f.row)
		}
		for _, b := range f.row {
			p.A[kept], p.B[kept] = a, b
			kept++
		}
	}
	p.A, p.B = p.A[:kept], p.B[:kept]
}

// near is the test of the set, of rows k and l of the search; l is an image of row of, or that row.
func (f *Finder) near(s *Set, k, l, of soa.Piece) bool {
	if s.Box == nil {
		d, r := f.exact[k].Min.Sub(f.exact[l].Min), s.Radius[f.of(int(k))]+s.Radius[f.of(int(of))]+s.Skin
		return ballsMeet(d, r)
	}
	return boxesMeet(&f.exact[k], &f.exact[l], s.Skin)
}

// ballsMeet is the test of balls whose centres lie d apart, and whose radii and skin are r, m.
func ballsMeet(d vec.Vec3, r float64) bool {
	return float64(d.X*d.X)+float64(d.Y*d.Y)+float64(d.Z*d.Z) <= float64(r*r)
}

// boxesMeet is the test of boxes.
func boxesMeet(a, b *vec.Box, skin float64) bool {
	return max(a.Min.X, b.Min.X)-min(a.Max.X, b.Max.X) <= skin &&
		max(a.Min.Y, b.Min.Y)-min(a.Max.Y, b.Max.Y) <= skin &&
		max(a.Min.Z, b.Min.Z)-min(a.Max.Z, b.Max.Z) <= skin
}

// name writes the pairs to out by name. Where names are row numbers, the pairs are those of the
// search: lists change hands, and out's serve the next search.
func (f *Finder) name(s *Set, out *Found) {
	p := &f.pairs
	if s.ID == nil {
		out.A, p.A = namesOf(p.A), piecesOf(out.A)
		out.B, p.B = namesOf(p.B), piecesOf(out.B)
		return
	}
	out.A, out.B = Resize(out.A, p.Len()), Resize(out.B, p.Len())
	for k, a := range p.A {
		out.A[k], out.B[k] = uint32(f.names[a]), uint32(f.names[p.B[k]])
	}
}
