package coplanar

import (
	"cmp"
	"slices"
)

// coverage is the covered part of an edge, as intervals, m along the edge. Apart from a few
// unmerged ones, it stores no more intervals than there are gaps between them.
type coverage struct {
	intervals [][2]float64
	merged    int // number of intervals after the last merge
	full      bool
}

// fewIntervals is the number of intervals that are stored before they are merged.
const fewIntervals = 16

// add adds a covered interval of an edge of the given length. Uncovered parts no longer than tol do
// not count as gaps.
func (s *coverage) add(part [2]float64, length, tol float64) {
	if s.full {
		return
	}
	s.intervals = append(s.intervals, part)
	if len(s.intervals) >= max(fewIntervals, 2*s.merged) {
		s.merge(length, tol)
	}
}

// merge joins intervals that overlap or are at most tol apart.
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
