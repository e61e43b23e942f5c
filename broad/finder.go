package broad

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// cornerRounding is the margin by which a corner of a search box is moved outwards, relative to the
// sum of |coordinate| and growth: see roundedOut. With this margin, the boxes of every pair that
// the set's test accepts overlap. With a smaller margin, the method might miss such a pair.
//
// Proof. Let u = 2⁻⁵³, and consider one axis along which a lies before b. Their centres are ca and
// cb (for boxes: the sides that face each other). The boxes grow by ga and gb, and G = ga + gb.
//
// The test compares squares of floats. The squares of two neighbouring floats differ by more than
// one unit in the last place, so they round to different floats. Hence the rounded cb - ca is at
// most the rounded sum of radii and skin. Three roundings of these values, and one each of ga and
// gb, leave cb - ca ≤ (1+2u)²·G.
//
// The inner sides are p = ca + ga and q = cb - gb. Rounding changes them by at most u·|p| and
// u·|q|. So the rounded q exceeds the rounded p by at most 4u·G + u·|p| + u·|q|, up to terms in u².
// The last rounding, after the margin is added, is monotonic.
//
// The two margins sum to 4u·(|ca| + ga + |cb| + gb), where |ca| + ga ≥ max(2·ga - p, p) and |cb| +
// gb ≥ max(2·gb + q, -q). If q ≤ p, the margins cover the two roundings. Otherwise q - p is only a
// few u·G, so q may replace p in these bounds. The margins then exceed what is needed by at least
// 2u·G.
const cornerRounding = 0x1p-51

// boxesPerPair bounds the number of overlapping box pairs that a search may list before the set's
// test, if Set.MaxBoxPairs is 0. The bound is boxesPerPair for each pair allowed and for each row.
// For comparison: the boxes of equal balls that do not touch each other have at most about 20 pairs
// per ball.
const boxesPerPair = 32

// Finder finds the pairs of sets with one method. It checks the set, sorts the rows by name, and
// adds images across periodic borders. It makes boxes around balls and skins. From the pairs whose
// boxes overlap, it keeps those that the set's own test accepts. So every method returns the same
// pairs, to the bit.
//
//	Set ─► check ─► rows by name, images, boxes ─► Method ─► test, sort ─► Found
//
// A row of the search is a row that the method sees: first the rows of the set in the order of
// their names, then their images. The comments of this package distinguish a row of the set from a
// row of the search.
//
// A Finder must not be used by several goroutines at the same time.
type Finder struct {
	method Method
	order  []uint32   // row of the set, by row of the search; nil if both orders are the same
	boxes  []vec.Box  // the boxes that the method searches; unused if these are the set's own boxes
	names  []uint64   // name by row of the search; empty if row i has the name i
	exact  []vec.Box  // by row of the search: the box that the set's test uses; for a ball, its centre in Min
	source []uint32   // the original of each image, as a row of the search; the first image has index 0
	shifts []vec.Vec3 // displacement of each image from its original, m
	reach  vec.Box    // images are added only if their boxes overlap this box, m
	rows   Rows
	pairs  PairList
	row    []soa.Piece
	moved  changes

	// Set only during a pass.
	set   *Input
	chunk Chunking
	wrong atomic.Bool // some row cannot be searched
	kept  []int       // by chunk of pairs: how many pairs it keeps
}

// NewFinder returns a finder that uses method m. No other finder may use m from then on.
func NewFinder(m Method) *Finder { return &Finder{method: m} }

// Find writes the pairs of the set to out and reuses its slices. If a row cannot be searched, Find
// returns an error that names the row and wraps ErrSet; then nothing of the set is stored. The cost
// is that of the method. Balls, a skin or periods add one pass over rows and pairs.
func (f *Finder) Find(s *Input, out *Found) error {
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

// search writes the pairs of rows of the search to f.pairs. It returns ErrTooManyPairs if there are more
// than allowed.
func (f *Finder) search(s *Input, allowed int) error {
	f.moved.known = false
	if err := f.sortNames(s); err != nil {
		return err
	}
	if !f.prepare(s) {
		return s.firstWrong()
	}
	most := int64(allowed)
	f.rows = Rows{Box: f.boxes, Margin: s.Margin, Most: most, Pool: s.Pool}
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
			return ErrTooManyPairs
		}
	}
	f.moved.end(s)
	return nil
}

// plain reports whether the method's pairs are already the set's pairs: boxes without skin or
// periods.
func (f *Finder) plain(s *Input) bool { return s.Box != nil && s.Skin == 0 && s.Periodic == [3]bool{} }

// sortNames computes f.order and f.names: the rows of the set sorted by name.
func (f *Finder) sortNames(s *Input) error {
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
		name := uint64(s.ID[f.rowOf(k)])
		if k > 0 && name == f.names[k-1] {
			return wrong("rows %d and %d are both named %d, expected each name once", f.rowOf(k-1), f.rowOf(k), name)
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

// rowOf returns the row of the set that is row k of the search.
func (f *Finder) rowOf(k int) int {
	if f.order == nil {
		return k
	}
	return int(f.order[k])
}

// prepare checks the rows and makes the boxes of the search, including images. It reports whether
// all rows can be searched.
func (f *Finder) prepare(s *Input) bool {
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
			f.boxes = append(f.boxes, s.Box[f.rowOf(k)])
		}
	}
	if f.plain(s) || f.plainBalls(s) {
		return true
	}
	f.exact = Resize(f.exact, n)
	for k := range n {
		f.exact[k] = f.exactOf(s, k)
		f.boxes[k] = s.around(&f.exact[k], f.rowOf(k))
	}
	if s.Periodic != [3]bool{} {
		f.addImages(s)
	}
	return true
}

// exactOf returns the box that the set's test uses for row k of the search, moved into the domain.
// For a ball, both corners are its centre.
func (f *Finder) exactOf(s *Input, k int) (exact vec.Box) {
	if i := f.rowOf(k); s.Box != nil {
		exact = s.Box[i]
	} else {
		exact = vec.Box{Min: s.Centre[i], Max: s.Centre[i]}
	}
	if s.Periodic != [3]bool{} {
		s.wrap(&exact)
	}
	return exact
}

// around returns the box that the method sees for row i of the set. e is the row's box or centre,
// as exactOf returns it.
func (s *Input) around(e *vec.Box, i int) (box vec.Box) {
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
func (s *Input) halfSkin() float64 {
	half := float64(0.5 * s.Skin)
	return max(half, s.Skin-half) // half of a subnormal skin may be rounded down
}

// roundedOut returns the ends of the interval [from, to] grown by grow at both ends, m. The ends
// lie far enough outside to cover rounding: see cornerRounding.
func roundedOut(from, to, grow float64) (low, high float64) {
	return from - grow - float64((math.Abs(from)+grow)*cornerRounding), to + grow + float64((math.Abs(to)+grow)*cornerRounding)
}

// choose keeps the pairs that the set's test accepts, and replaces images by their originals.
func (f *Finder) choose(s *Input) {
	if f.plainBalls(s) {
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
				// Of a row and the image of another row, only the image of the later row counts. So
				// the rounding of a shift affects each pair in one way only.
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

// near is the set's test for rows k and l of the search, whose boxes or centres are a and b.
func (f *Finder) near(s *Input, k, l soa.Piece, a, b *vec.Box) bool {
	if s.Box == nil {
		return ballsMeet(a.Min.Sub(b.Min), s.Radius[f.rowOf(int(k))]+s.Radius[f.rowOf(int(l))]+s.Skin)
	}
	return boxesMeet(a, b, s.Skin)
}

// ballsMeet is the test for balls. d is the difference of the centres, and r the sum of the radii
// and the skin, m.
func ballsMeet(d vec.Vec3, r float64) bool {
	return float64(d.X*d.X)+float64(d.Y*d.Y)+float64(d.Z*d.Z) <= float64(r*r)
}

// boxesMeet is the test for boxes.
func boxesMeet(a, b *vec.Box, skin float64) bool {
	return max(a.Min.X, b.Min.X)-min(a.Max.X, b.Max.X) <= skin &&
		max(a.Min.Y, b.Min.Y)-min(a.Max.Y, b.Max.Y) <= skin &&
		max(a.Min.Z, b.Min.Z)-min(a.Max.Z, b.Max.Z) <= skin
}

// name writes the pairs of the search to out, with names instead of rows. If the names are row
// numbers, no copy is needed: out and the finder swap their slices, and the next search reuses
// those of out.
func (f *Finder) name(s *Input, out *Found) {
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
