package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// spans is what of an edge is covered: parts of it, from and to, m along it. It holds no more of them than there are gaps between,
// but for a few.
type spans struct {
	parts  [][2]float64
	merged int // parts there were after the last merger
	full   bool
}

// fewSpans is how many parts are kept before they are merged.
const fewSpans = 16

// add adds a part of an edge of some length. What is not covered and no longer than tol is no gap.
func (s *spans) add(part [2]float64, length, tol float64) {
	if s.full {
		return
	}
	s.parts = append(s.parts, part)
	if len(s.parts) >= max(fewSpans, 2*s.merged) {
		s.merge(length, tol)
	}
}

// merge makes parts that overlap, or are no farther apart than tol, one.
func (s *spans) merge(length, tol float64) {
	slices.SortFunc(s.parts, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := s.parts[:1]
	for _, p := range s.parts[1:] {
		if last := &out[len(out)-1]; p[0]-last[1] <= tol {
			last[1] = max(last[1], p[1])
		} else {
			out = append(out, p)
		}
	}
	s.parts, s.merged = out, len(out)
	s.full = len(out) == 1 && out[0][0] <= tol && length-out[0][1] <= tol
}

// rimWork counts what finding the sheets of a wall and their rims looks at, and stops it at the
// first bound that is passed. Facets that lie on each other may make as many looks as the square
// of their number, and so may rims that meet in one point, in every step that a body is there.
type rimWork struct {
	looks, paired int64 // at edges, and at pairs of facets
	most          int64 // of each of the two
	overlaps      int   // pairs of facets that overlap
	mostOverlaps  int
	mostPieces    int
	tangle        string // what is too much, "" for nothing
	at            flat   // where, in the plane of the sheet
	found         bool   // whether at was found
}

const (
	// freeLooks is how many looks any wall has: 20 000 edges that all share some x; a second or
	// two.
	freeLooks = 1 << 28
	// looksEach is how many more it has for each edge and the root of the number of edges: a sieve looks at four.
	looksEach = 32
	// withinLooks is how many looks one at a polygon is.
	withinLooks = 8
	// maxOverlaps is how many pairs of facets of one wall may overlap: those of 2896 facets that
	// all do. A body on these is compared with each of them in each step.
	maxOverlaps = 1 << 22
	// freePieces is how many pieces the rims of any sheet may have before straight ones are
	// joined, as of 128 bars across 128 others; piecesEach is how many more for each edge. Facets
	// that cross each other make as many as the square of their number.
	freePieces, piecesEach = 1 << 16, 8
	// freeLevelLooks and levelLooksEach are how many groups of facets in one plane may be looked
	// at, for any wall and for each facet: slivers, which do not know their normal, look at all
	// groups of nearly their normal.
	freeLevelLooks, levelLooksEach = 1 << 24, 1 << 10
	// maxMeeting is how many rims may end in one point. Each pair of them that turns in is asked for a part of the sheet.
	maxMeeting = 32
)

// newRimWork returns the bounds for a number of edges.
func newRimWork(edges int) *rimWork {
	n := float64(edges)
	return &rimWork{
		most:         freeLooks + int64(looksEach*n*math.Sqrt(n)),
		mostOverlaps: maxOverlaps,
		mostPieces:   freePieces + piecesEach*edges,
	}
}

// look counts n looks and says whether there may be more.
func (w *rimWork) look(n int64) bool {
	if w.looks += n; w.looks > w.most && w.tangle == "" {
		w.tangle = fmt.Sprintf("their outline takes more than %d comparisons", w.most)
	}
	return w.tangle == ""
}

// pieces says whether rims may be of so many pieces.
func (w *rimWork) pieces(n int) bool {
	if n > w.mostPieces && w.tangle == "" {
		w.tangle = fmt.Sprintf("they cross so often that their outline is of more than %d pieces", w.mostPieces)
	}
	return w.tangle == ""
}

// meeting refuses rims of which too many end in one point, within two seams or less. Cost: nine
// look-ups for each.
func (w *rimWork) meeting(rims []rim, seam float64) {
	type cell struct{ x, y int64 }
	in := make(map[cell]int)
	at := func(p flat) cell { return cell{int64(math.Floor(p.x / seam)), int64(math.Floor(p.y / seam))} }
	for i := range rims {
		in[at(rims[i].b)]++
	}
	for i := range rims {
		c, n := at(rims[i].b), 0
		for k := range int64(9) {
			n += in[cell{c.x + k%3 - 1, c.y + k/3 - 1}]
		}
		if n > maxMeeting && w.tangle == "" {
			w.tangle = fmt.Sprintf("%d corners of their outline meet in that point only, expected at most %d", n, maxMeeting)
			w.at, w.found = rims[i].b, true
		}
	}
}

// refusal is the error of a sheet of some facets, or of facets that nearly lie in one plane, that
// take too much. at is a place in the frame of the wall.
func (w *rimWork) refusal(facets int, at vec.Vec3) error {
	return mark.Errorf(ErrBody, "%d facets in one plane are too tangled about (%.6g, %.6g, %.6g) m of the wall's frame: %s; "+
		"leave out facets that others cover, cut those that cross, and close gaps that nothing fits into",
		facets, at.X, at.Y, at.Z, w.tangle)
}
