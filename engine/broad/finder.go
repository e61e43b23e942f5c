package broad

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// cornerRounding is how far a corner of a box of the search is moved out, relative to what the corner is made of. Then a pair that the test of a
// set accepts has boxes that overlap; with less, such a pair may be missed.
//
// Proof, with u = 2⁻⁵³, along an axis on which a lies before b. Their centres, or faces, are ca and cb, they grow by ga and gb, and G = ga + gb.
// The test squares floats. Squares of two neighbouring floats differ by more than a unit in their last place, so none is rounded to another's. Hence the
// rounded cb - ca is at most the rounded sum of radii and skin. Three roundings of these, and one each of ga and gb, leave cb - ca ≤ (1+2u)²·G.
// The inner sides p = ca + ga and q = cb - gb are rounded by u·|p| and u·|q|, so they are at most 4u·G + u·|p| + u·|q| apart, and squares of u.
// The last rounding keeps order. The margins are 4u·(|ca| + ga + |cb| + gb), where |ca| + ga ≥ max(2·ga - p, p) and |cb| + gb ≥ max(2·gb + q, -q).
// If q ≤ p, they cover the two roundings. Otherwise q - p is a few u·G, so that q stands for p: the margins are at least 2u·G more than needed.
const cornerRounding = 0x1p-51

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
	order  []uint32   // row of the set, by row of the search; nil if they are in order
	boxes  []vec.Box  // what the method searches, where it is not the set's own
	names  []uint64   // by row of the search; none where row i is named i
	exact  []vec.Box  // by row of the search: what the test asks of a box or, of a ball, its centre in Min
	source []uint32   // of an image, by row of the search less the set's rows: its row
	shifts []vec.Vec3 // of images
	reach  vec.Box    // what images have to do with, m
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

// plain reports whether the method's pairs are the set's.
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

// prepare checks the rows and makes the boxes of the search, images included. It reports whether all rows can be searched.
func (f *Finder) prepare(s *Set) bool {
	n := s.Len()
	f.source, f.boxes, f.shifts = f.source[:0], f.boxes[:0], f.shifts[:0]
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
		f.exact[k] = f.exactOf(s, k)
		f.boxes[k] = s.around(&f.exact[k], f.of(k))
	}
	if s.Periodic != [3]bool{} {
		f.addImages(s)
	}
	return true
}

// exactOf returns what the test of the set asks of row k of the search, moved into the domain: its box or, of a ball, its centre.
func (f *Finder) exactOf(s *Set, k int) (exact vec.Box) {
	if i := f.of(k); s.Box != nil {
		exact = s.Box[i]
	} else {
		exact = vec.Box{Min: s.Centre[i], Max: s.Centre[i]}
	}
	if s.Periodic != [3]bool{} {
		s.wrap(&exact)
	}
	return exact
}

// around returns the box that the method sees of row i, whose box, or centre, is e.
func (s *Set) around(e *vec.Box, i int) (box vec.Box) {
	grow := s.halfSkin()
	if s.Box == nil {
		grow += s.Radius[i]
	}
	if grow == 0 {
		return *e
	}
	box.Min.X, box.Max.X = roundedOut(e.Min.X, e.Max.X, grow)
	box.Min.Y, box.Max.Y = roundedOut(e.Min.Y, e.Max.Y, grow)
	box.Min.Z, box.Max.Z = roundedOut(e.Min.Z, e.Max.Z, grow)
	return box
}

// halfSkin returns half of the skin, m, rounded up.
func (s *Set) halfSkin() float64 {
	half := float64(0.5 * s.Skin)
	return max(half, s.Skin-half) // half of a subnormal skin may have been rounded down
}

// roundedOut returns the ends of a side that grows, beyond what may have been rounded in them.
func roundedOut(from, to, grow float64) (low, high float64) {
	return from - grow - float64((math.Abs(from)+grow)*cornerRounding), to + grow + float64((math.Abs(to)+grow)*cornerRounding)
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
			if f.near(s, a, of, &f.exact[a], &f.exact[b]) {
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

// near is the test of the set, of rows k and l of the search at a and b.
func (f *Finder) near(s *Set, k, l soa.Piece, a, b *vec.Box) bool {
	if s.Box == nil {
		return ballsMeet(a.Min.Sub(b.Min), s.Radius[f.of(int(k))]+s.Radius[f.of(int(l))]+s.Skin)
	}
	return boxesMeet(a, b, s.Skin)
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
