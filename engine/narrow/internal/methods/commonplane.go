package methods

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/search"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// commonPlane is a plane between two bodies as a normal n, unit, from A to B, with the vertices of A and of B that lie
// nearest to the plane from their own side, and how far these are apart along n: the gap −h_K(n), negative for an overlap.
// Its place between them, half-way, matters to no answer. Frame and scale of the search.
//
// A common plane (Cundall 1988) is one of the largest gap. Of bodies apart there is one, at right angles to the shortest way
// from one to the other, and its gap is their distance. Of bodies that overlap every facet of K whose plane
// holds the foot of the origin inside of the facet is one: no plane turned a little has a larger gap. Which of them a method
// finds depends on where it starts; the shallowest is the answer of the exact methods.
type commonPlane struct {
	n    vec.Vec3
	i, j uint16 // of several vertices equally near, the lowest
	gap  float64
	id   soa.FacetID // the features that give n, if known
}

// sureThickness is the volume of GJK's last tetrahedron, over the product of three edges, from which that it holds the origin proves
// the overlap: of flatter ones, as of a body next to a facet 1e8 times larger, rounding may say so. Smaller: such pairs may be
// said to overlap; larger: more are left to all facets.
const sureThickness = 1.0 / (1 << 24)

// facesTried is how often the exact test of a pair that overlaps may give a better plane to go on from. Random pairs
// need none, and the gap grows each time.
const facesTried = 4

// planeAlong measures a plane: one support on each side.
func (s *Methods) planeAlong(n vec.Vec3) commonPlane {
	i, hi := s.HullA.Highest(n)
	j, lo := s.HullB.Lowest(n)
	return commonPlane{n: n, i: uint16(i), j: uint16(j), gap: lo - hi}
}

// lastPlane is the plane that a search of a pair in motion starts from: that of its last facet or axis.
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

// planeBetweenCentres is the plane at right angles to the line of centres.
func (s *Methods) planeBetweenCentres() commonPlane {
	n := s.MiddleB().Unit()
	if n == (vec.Vec3{}) {
		n = vec.Vec3{X: 1}
	}
	return s.planeAlong(n)
}

// settlePlane ends a search for the common plane of the pair that is loaded: it climbs from p to the plane of the features
// next to it, and answers by that. It returns true where the exhaustive search had to answer.
//
// A plane whose gap exceeds far proves the pair apart, and its gap is the answer, as a bound. One whose gap is positive is
// the common plane of the pair, and gives the distance. One with an overlap proves nothing, unless its
// facet has the certificate of Feature, which makes it the exact answer: another plane might part the bodies. So GJK
// decides. Where it finds the pair apart, the answer is its own; where it finds it overlapping, an axis it
// tried that has a larger gap is climbed from in turn, and in the end the plane's facet is the answer: a common plane, and no
// shallower than the true depth, which Answer.Exact therefore does not claim it to be.
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
				if s.ApartFound(out); out.Status != pair.NotConverged {
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
			// Another facet may be shallower, but not shallower than none.
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

// certain reports whether the facet of a plane is certain to be the shallowest of K: the proof of Feature for one facet
// alone.
func (s *Methods) certain(p commonPlane) bool {
	if p.id.Kind == soa.NoFacet || p.id.Kind > soa.EdgeEdge || p.gap > -4*s.Tol.Close {
		return false
	}
	capSine, inset := s.CapOf(p.id, p.n)
	return capSine > 0 && inset > -p.gap && s.AloneBetween(p.n, -p.gap, -p.gap, -p.gap, capSine, inset, 0)
}

// byFacet answers a pair that overlaps, or is too close to call, by the facet of its plane. Of edges that are hardly longer than a
// rounding of the other body finalise may turn the normal round: then the plane is not the facet's.
func (s *Methods) byFacet(p commonPlane, out *pair.Answer) bool {
	if p.id.Kind == soa.NoFacet || p.id.Kind > soa.EdgeEdge {
		return s.byFacets(out)
	}
	if _, n, ok := s.Finalise(p.id); !ok || n.Dot(p.n) < 0 || !s.FacetsAnswer(facets.Shallowest{H: -p.gap, ID: p.id, N: p.n}, out) {
		return s.byFacets(out)
	}
	return false
}

// byFacets answers a pair of which no plane could be made sure, by all facets of K.
func (s *Methods) byFacets(out *pair.Answer) bool {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	if best := s.Separating(pair.NegInf); !s.FacetsAnswer(best, out) {
		s.Distance(best, out)
	}
	return true
}
