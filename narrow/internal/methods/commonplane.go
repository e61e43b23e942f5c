package methods

import (
	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/search"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// commonPlane is a plane between two bodies: its unit normal n from A to B, the vertices of A and
// of B nearest to the plane, and the gap between these vertices along n. The gap is −h_K(n),
// negative if the bodies overlap. No answer depends on the position of the plane, so it is not
// stored. Frame and scale of the search.
//
// A common plane (Cundall 1988) is a plane with the largest gap. Bodies apart have one common
// plane, perpendicular to the shortest line between them, and its gap is their distance. Bodies
// that overlap have several: every facet of K whose plane has the projection of the origin inside
// the facet is a local maximum of the gap. Which of them a method finds depends on where the method
// starts. The exact methods answer with the shallowest.
type commonPlane struct {
	n    vec.Vec3
	i, j uint16 // the lowest of several vertices equally near
	gap  float64
	id   soa.FacetID // the features that yield n, if known
}

// sureThickness is the volume of GJK's last tetrahedron over the product of three edge lengths.
// Above it, a tetrahedron that contains the origin proves the overlap. In a flatter one, for
// example for a body next to a facet 1e8 times larger, rounding may decide. Smaller: pairs apart
// may be reported as overlapping. Larger: more pairs are left to all facets.
const sureThickness = 1.0 / (1 << 24)

// facesTried bounds how often the exact test of an overlapping pair may yield a better plane to
// continue from. Random pairs need no second try. The gap grows with each try.
// Smaller: more exhaustive searches.
const facesTried = 4

// planeAlong evaluates the plane with normal n: one support on each side.
func (s *Methods) planeAlong(n vec.Vec3) commonPlane {
	s.Paper.Checks.Distance++
	i, hi := s.HullA.Highest(n)
	j, lo := s.HullB.Lowest(n)
	return commonPlane{n: n, i: uint16(i), j: uint16(j), gap: lo - hi}
}

// lastPlane returns the plane of the facet or axis stored in the last step, if there is one.
func (s *Methods) lastPlane(m *typing.ListMemory) (commonPlane, bool) {
	if n, ok := s.normalOf(m.Facet); ok {
		p := s.planeAlong(n)
		p.id = m.Facet
		return p, true
	}
	if m.Axis != (vec.Vec3{}) {
		return s.planeAlong(m.Axis), true
	}
	return commonPlane{}, false
}

// planeBetweenCentres returns the plane perpendicular to the line of centres.
func (s *Methods) planeBetweenCentres() commonPlane {
	n := s.MiddleB().Unit()
	if n == (vec.Vec3{}) {
		n = vec.Vec3{X: 1}
	}
	return s.planeAlong(n)
}

// settlePlane ends a search for the common plane of the loaded pair. It climbs from p to the plane
// of the features next to it, and answers by that plane. It returns true if the exhaustive search
// had to answer.
//
// A plane with a gap above far proves the pair apart; the gap is the answer, as a bound. A common
// plane with a positive gap determines the distance. A common plane with an overlap proves nothing,
// because another plane might separate the bodies. The exception is a facet with the certificate of
// Feature: it is the exact answer.
//
// Otherwise GJK decides. If GJK finds the pair apart, GJK's answer is used. If GJK finds an
// overlap, it may have tried an axis with a larger gap; settlePlane then climbs from that axis in
// turn. In the end the facet of the plane is the answer: a common plane, which is never shallower
// than the true depth. Answer.Exact is therefore false.
func (s *Methods) settlePlane(p commonPlane, far float64, out *pair.Answer) bool {
	warm := p.id.Kind != soa.NoFacet
	for range facesTried {
		found, end := s.climb(p, far)
		switch {
		case found.gap-s.Tol.Round > far:
			s.FarAnswer(found.n, found.gap-s.Tol.Round, out)
			return false
		case end && found.gap > s.Tol.Close:
			if s.Apart(found.n, found.gap, out); out.Status != pair.NotConverged {
				return false
			}
			*out = pair.Answer{AnsweredBy: pair.BySearch}
		case end && s.certain(found):
			if warm && found.id == p.id {
				out.AnsweredBy = pair.ByFeature
			} else if warm {
				out.AnsweredBy = pair.ByWalk
			}
			return s.byFacet(found, out)
		}
		switch s.GJK(far) {
		case search.GJKFar:
			s.FarAnswer(s.Axis, s.Lower, out)
			return false
		case search.GJKApart, search.GJKStalled:
			if s.Upper > s.Tol.Close {
				if s.AnswerApart(out); out.Status != pair.NotConverged {
					return false
				}
			}
			return s.byFacets(out)
		}
		if s.N == 4 && !s.Thicker(sureThickness) {
			return s.byFacets(out)
		}
		if !(s.Lower > found.gap+s.Tol.Tie) {
			if !end {
				return s.byFacets(out)
			}
			if s.byFacet(found, out) {
				return true
			}
			// Another facet may be shallower, but no facet is shallower than a depth of zero.
			out.Exact = out.Gap*s.Scale >= -s.Tol.Close
			return false
		}
		p, warm = s.planeAlong(s.Axis), false
		if !(p.gap > found.gap) {
			return s.byFacets(out)
		}
	}
	return s.byFacets(out)
}

// certain reports whether the facet of a plane is proven to be the shallowest of K, by the proof
// that Feature uses for a single facet.
func (s *Methods) certain(p commonPlane) bool {
	if p.id.Kind == soa.NoFacet || p.id.Kind > soa.EdgeEdge || p.gap > -4*s.Tol.Close {
		return false
	}
	capSine, inset := s.CapOf(p.id, p.n)
	return capSine > 0 && inset > -p.gap && s.AloneBetween(p.n, -p.gap, -p.gap, -p.gap, capSine, inset, 0)
}

// byFacet answers an overlapping pair, or one too close to call, by the facet of its plane. If
// edges are hardly longer than a rounding of the other body, Finalise may reverse the normal. The
// plane is then not that of the facet, and all facets answer.
func (s *Methods) byFacet(p commonPlane, out *pair.Answer) bool {
	if p.id.Kind == soa.NoFacet || p.id.Kind > soa.EdgeEdge {
		return s.byFacets(out)
	}
	if _, n, ok := s.Finalise(p.id); !ok || n.Dot(p.n) < 0 || !s.FacetsAnswer(facets.Shallowest{H: -p.gap, ID: p.id, N: p.n}, out) {
		return s.byFacets(out)
	}
	return false
}

// byFacets answers by all facets of K. It always returns true: the exhaustive search has answered.
func (s *Methods) byFacets(out *pair.Answer) bool {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	s.FacetOrDistance(s.Separating(pair.NegInf), out)
	return true
}
