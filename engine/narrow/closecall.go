package narrow

// closeCall answers a pair that is too close to call: GJK says whether it is apart, and if not, the facet of a spot, or what it is
// part of, stands for EPA where it is proven. Always true.
func (s *Search) closeCall(at *spot, on *standing, reach float64, out *Answer) bool {
	s.bringAll()
	how := s.gjk(reach)
	found := s.simplex
	if how == gjkOverlap {
		// Of what is apart, by however little, EPA does not always find the facet that separates most, nor converge.
		best, proven := s.closeFacet(at, on)
		if proven && -best.h <= min(0.5*s.tol.tie, reach+s.tol.round) && s.facetsAnswer(best, out) {
			return true
		}
	}
	s.simplex = found
	s.answerAs(how, out)
	return true
}

// closeFacet returns the facet of a spot, or the shallowest of what it is part of, and whether it is proven.
func (s *Search) closeFacet(at *spot, on *standing) (shallowest, bool) {
	if on.lean > 0 {
		p := -on.gap
		return s.asSearched(at, on.id, on.n, p), s.aloneBetween(on.n, p, p, p, on.lean, at.foot, 0)
	}
	best, _, proven := s.facePair(on.id)
	return best, proven
}
