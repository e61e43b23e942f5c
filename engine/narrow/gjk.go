package narrow

import "github.com/scree-dem/scree/vec"

// gjkResult is how GJK ended.
type gjkResult uint8

const (
	gjkFar     gjkResult = iota // lower bound above reach: axis, lower
	gjkApart                    // nearest point of K known: axis, upper
	gjkOverlap                  // K holds the origin, or nearly: simplex
	gjkStalled                  // rounding lets it come no closer, or the cap was reached: upper, nearby
)

// gjk decides whether K holds the origin and finds the point of K nearest to it.
//
// Source: Gilbert et al. 1988 with the sub-distance of Montanari et al. 2017. It starts along the line
// of centres. Every support gives a proven lower bound of the gap along its axis, so a pair
// farther apart than reach usually ends after one or two supports. It departs from both in what ends it:
// the bounds meet (gjkTol), the support is a corner the simplex has, or the distance no longer falls; in
// the last two no rounding lets it get closer. A distance below closeTol counts as overlap, which the facets
// of K then judge with its sign. Cost: nA + nB products per iteration, 3 to 8 of them as a rule.
func (s *Search) gjk(reach float64) gjkResult {
	allowance := s.tol.round
	stop := s.tol.stop
	near := s.tol.close
	reach = max(reach, near)
	// From B's middle to A's origin; it only gives the first direction. The origin of a facet may be that
	// of a wall, far away.
	v := s.middleB().Neg()
	d := v.Norm()
	if !(d > near) {
		v, d = vec.Vec3{X: -1}, 1
	}
	s.n = 0
	s.lower, s.upper = -1, 0
	first := true
	for range maxGJK {
		n := v.Scale(-1 / d)
		ia, ha := s.a.highest(n)
		ib, hb := s.b.lowest(n)
		lower := hb - ha - allowance
		if first || lower > s.lower {
			s.lower, s.axis = lower, n
		}
		if lower > reach {
			return gjkFar
		}
		if s.n > 0 && d-(hb-ha) <= stop {
			return gjkApart
		}
		if s.has(uint16(ia), uint16(ib)) {
			return s.noNearer()
		}
		s.c[s.n] = corner{s.a.at(ia).Sub(s.b.at(ib)), uint16(ia), uint16(ib)}
		s.n++
		w, inside := s.closest()
		if inside {
			return gjkOverlap
		}
		e := w.Norm()
		if e <= near {
			s.upper, s.nearby = e, w
			return gjkOverlap
		}
		if !first && !(e < d) {
			return s.noNearer()
		}
		v, d = w, e
		s.upper, s.nearby = e, w
		first = false
	}
	return gjkStalled
}

// noNearer is how GJK ends where rounding lets the point come no closer.
func (s *Search) noNearer() gjkResult {
	if s.lower > 0 {
		return gjkApart
	}
	return gjkStalled
}

// middleB returns a point of B: its origin, or the centroid of a triangle.
func (s *Search) middleB() vec.Vec3 {
	if s.vb.NVerts > 3 {
		return s.t
	}
	return s.b.at(0).Add(s.b.at(1)).Add(s.b.at(2)).Scale(1.0 / 3)
}

// has says whether the simplex holds the corner of vertices a and b.
func (s *simplex) has(a, b uint16) bool {
	for i := range s.n {
		if s.c[i].a == a && s.c[i].b == b {
			return true
		}
	}
	return false
}
