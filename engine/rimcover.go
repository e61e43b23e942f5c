package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// rimWork counts what finding the rims of a sheet looks at. Facets that lie on each other may make as many as the square of their
// number, and so may rims that meet in one point, in every step that a body is there.
type rimWork struct {
	looks, most int64
	meet        int // rims that end in one point, at most
}

const (
	// freeLooks is how many looks any sheet has: 20 000 edges that all share some x; a second or two.
	freeLooks = 1 << 28
	// looksEach is how many more it has for each edge and the root of the number of edges: a sieve looks at four.
	looksEach = 32
	// withinLooks is how many looks one at a polygon is.
	withinLooks = 8
	// maxMeeting is how many rims may end in one point. Each pair of them that turns in is asked for a part of the sheet.
	maxMeeting = 32
)

// newRimWork returns the bound for a number of edges.
func newRimWork(edges int) *rimWork {
	n := float64(edges)
	return &rimWork{most: freeLooks + int64(looksEach*n*math.Sqrt(n))}
}

// look counts n looks and says whether there may be more.
func (w *rimWork) look(n int64) bool {
	w.looks += n
	return w.looks <= w.most
}

// meeting notes how many of the rims end in one point, at most, within two seams or less. Cost: nine look-ups for each.
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
		w.meet = max(w.meet, n)
	}
}

// refusal is the error of a sheet of some facets whose rims take too much.
func (w *rimWork) refusal(facets int) error {
	if w.meet > maxMeeting {
		return fmt.Errorf("of %d facets in one plane more than %d parts meet in one point only, expected at most as many: close the gaps between them, or let them end short of the point: %w",
			facets, maxMeeting, ErrBody)
	}
	return fmt.Errorf("%d facets in one plane overlap, or meet in one point, so that their outline takes more than %d comparisons, expected at most as many: leave out those that others cover, and close gaps that nothing fits into: %w",
		facets, w.most, ErrBody)
}
