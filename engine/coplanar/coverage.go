package coplanar

import (
	"cmp"
	"slices"
)

// coverage is what of an edge is covered: parts of it, from and to, m along it. It holds no more
// of them than there are gaps between, but for a few.
type coverage struct {
	intervals [][2]float64
	merged    int // intervals there were after the last merger
	full      bool
}

// fewIntervals is how many parts are kept before they are merged.
const fewIntervals = 16

// add adds a part of an edge of some length. What is not covered and no longer than tol is no
// gap.
func (s *coverage) add(part [2]float64, length, tol float64) {
	if s.full {
		return
	}
	s.intervals = append(s.intervals, part)
	if len(s.intervals) >= max(fewIntervals, 2*s.merged) {
		s.merge(length, tol)
	}
}

// merge makes parts that overlap, or are no farther apart than tol, one.
func (s *coverage) merge(length, tol float64) {
	slices.SortStableFunc(s.intervals, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := s.intervals[:1]
	for _, p := range s.intervals[1:] {
		if last := &out[len(out)-1]; p[0]-last[1] <= tol {
			last[1] = max(last[1], p[1])
		} else {
			out = append(out, p)
		}
	}
	s.intervals, s.merged = out, len(out)
	s.full = len(out) == 1 && out[0][0] <= tol && length-out[0][1] <= tol
}
