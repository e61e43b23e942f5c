package search

import (
	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// gjkResult tells how GJK ended.
type gjkResult uint8

const (
	GJKFar     gjkResult = iota // the lower bound exceeds reach: Axis, Lower
	GJKApart                    // the nearest point of K is known: Axis, Upper
	GJKOverlap                  // K contains the origin, or nearly so: simplex
	GJKStalled                  // rounding prevents progress, or MaxGJK is reached: Upper, Nearby
)

// GJK decides whether K contains the origin, and otherwise finds the point of K nearest to the
// origin. reach is in the scale of the search.
//
// Source: Gilbert et al. 1988 with the sub-distance algorithm of Montanari et al. 2017. The first
// direction is the line of centres. Every support yields a proven lower bound of the gap along its
// axis, so a pair farther apart than reach usually ends after one or two supports.
//
// Departures: GJK ends if the two bounds meet (gjkTol), if the support is already a corner of the
// simplex, or if the distance no longer falls. In the last two cases rounding prevents further
// progress. A distance below CloseTol counts as overlap: the facets of K then decide its sign.
//
// Cost: nA + nB products per iteration, usually 3 to 8 iterations.
func (s *Searcher) GJK(reach float64) gjkResult {
	allowance := s.Tol.Round
	stop := s.Tol.Stop
	near := s.Tol.Close
	reach = max(reach, near)
	// The vector from B's middle to A's origin, used only as the first direction. B's origin does
	// not serve: a facet's origin may be that of its wall, far away.
	v := s.MiddleB().Neg()
	d := v.Norm()
	if !(d > near) {
		v, d = vec.Vec3{X: -1}, 1
	}
	s.N = 0
	s.Lower, s.Upper = -1, 0
	first := true
	for range pair.MaxGJK {
		n := v.Scale(-1 / d)
		ia, ha := s.HullA.Highest(n)
		ib, hb := s.HullB.Lowest(n)
		lower := hb - ha - allowance
		if first || lower > s.Lower {
			s.Lower, s.Axis = lower, n
		}
		if lower > reach {
			return GJKFar
		}
		if s.N > 0 && d-(hb-ha) <= stop {
			return GJKApart
		}
		if s.Has(uint16(ia), uint16(ib)) {
			return s.noNearer()
		}
		s.C[s.N] = facets.Corner{P: s.HullA.At(ia).Sub(s.HullB.At(ib)), A: uint16(ia), B: uint16(ib)}
		s.N++
		w, inside := s.Closest()
		if inside {
			return GJKOverlap
		}
		e := w.Norm()
		if e <= near {
			s.Upper, s.Nearby = e, w
			return GJKOverlap
		}
		if !first && !(e < d) {
			return s.noNearer()
		}
		v, d = w, e
		s.Upper, s.Nearby = e, w
		first = false
	}
	return GJKStalled
}

// noNearer returns how GJK ended if rounding prevents it from getting closer.
func (s *Searcher) noNearer() gjkResult {
	if s.Lower > 0 {
		return GJKApart
	}
	return GJKStalled
}
