package search

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// gjkResult is how GJK ended.
type gjkResult uint8

const (
	GJKFar     gjkResult = iota // lower bound above reach: axis, lower
	GJKApart                    // nearest point of K known: axis, upper
	GJKOverlap                  // K holds the origin, or nearly: simplex
	GJKStalled                  // rounding lets it come no closer, or the cap was reached: upper, nearby
)

// GJK decides whether K holds the origin and finds the point of K nearest to it.
//
// Source: Gilbert et al. 1988 with the sub-distance of Montanari et al. 2017. It starts along the line
// of centres. Every support gives a proven lower bound of the gap along its axis, so a pair
// farther apart than reach usually ends after one or two supports. It departs from both in what ends it:
// the bounds meet (gjkTol), the support is a corner the simplex has, or the distance no longer falls; in
// the last two no rounding lets it get closer. A distance below CloseTol counts as overlap, which the facets
// of K then judge with its sign. Cost: nA + nB products per iteration, 3 to 8 of them as a rule.
func (s *Finder) GJK(reach float64) gjkResult {
	allowance := s.Tol.Round
	stop := s.Tol.Stop
	near := s.Tol.Close
	reach = max(reach, near)
	// From B's middle to A's origin; it only gives the first direction. The origin of a facet may be that
	// of a wall, far away.
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

// noNearer is how GJK ends where rounding lets the point come no closer.
func (s *Finder) noNearer() gjkResult {
	if s.Lower > 0 {
		return GJKApart
	}
	return GJKStalled
}
