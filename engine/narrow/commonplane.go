package narrow

import (
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
func (s *Search) planeAlong(n vec.Vec3) commonPlane {
	i, hi := s.a.highest(n)
	j, lo := s.b.lowest(n)
	return commonPlane{n: n, i: uint16(i), j: uint16(j), gap: lo - hi}
}

// lastPlane is the plane that a search of a pair in motion starts from: that of its last facet or axis.
func (s *Search) lastPlane(m *listMemory) (commonPlane, bool) {
	if n, ok := s.normalOf(m.facet); ok {
		p := s.planeAlong(n)
		p.id = m.facet
		return p, true
	}
	if m.axis != (vec.Vec3{}) {
		return s.planeAlong(m.axis), true
	}
	return commonPlane{}, false
}

// planeBetweenCentres is the plane at right angles to the line of centres.
func (s *Search) planeBetweenCentres() commonPlane {
	n := s.middleB().Unit()
	if n == (vec.Vec3{}) {
		n = vec.Vec3{X: 1}
	}
	return s.planeAlong(n)
}

// settlePlane ends a search for the common plane of the pair that is loaded: it climbs from p to the plane of the features
// next to it, and answers by that. It says true where the exhaustive search had to answer.
//
// A plane whose gap exceeds far proves the pair apart, and its gap is the answer, as a bound. One whose gap is positive is
// the common plane of the pair, and gives the distance. One with an overlap proves nothing, unless its
// facet has the certificate of Feature, which makes it the exact answer: another plane might part the bodies. So GJK
// decides. Where it finds the pair apart, the answer is its own; where it finds it overlapping, an axis it
// tried that has a larger gap is climbed from in turn, and in the end the plane's facet is the answer: a common plane, and no
// shallower than the true depth, which Answer.Exact therefore does not claim it to be.
func (s *Search) settlePlane(p commonPlane, far float64, out *Answer) bool {
	warm := p.id.Kind != soa.NoFacet
	for range facesTried {
		found, end := s.climb(p, far)
		switch {
		case found.gap-s.tol.round > far:
			s.farAnswer(found.n, found.gap-s.tol.round, out)
			return false
		case end && found.gap > s.tol.close:
			if s.apart(found.n, found.gap, out); out.Status != NotConverged {
				return false
			}
			*out = Answer{Level: LevelSearch}
		case end && s.certain(found):
			if warm && found.id == p.id {
				out.Level = LevelFeature
			} else if warm {
				out.Level = LevelWalk
			}
			return s.byFacet(found, out)
		}
		switch s.gjk(far) {
		case gjkFar:
			s.farAnswer(s.axis, s.lower, out)
			return false
		case gjkApart, gjkStalled:
			if s.upper > s.tol.close {
				if s.apartFound(out); out.Status != NotConverged {
					return false
				}
			}
			return s.byFacets(out)
		}
		if s.n == 4 && !s.thicker(sureThickness) {
			return s.byFacets(out)
		}
		if !(s.lower > found.gap+s.tol.tie) {
			if !end {
				return s.byFacets(out)
			}
			if s.byFacet(found, out) {
				return true
			}
			// Another facet may be shallower, but not shallower than none.
			out.Exact = out.Gap*s.scale >= -s.tol.close
			return false
		}
		p, warm = s.planeAlong(s.axis), false
		if !(p.gap > found.gap) {
			return s.byFacets(out)
		}
	}
	return s.byFacets(out)
}

// certain says whether the facet of a plane is certain to be the shallowest of K: the proof of Feature for one facet
// alone.
func (s *Search) certain(p commonPlane) bool {
	if p.id.Kind == soa.NoFacet || p.id.Kind > soa.EdgeEdge || p.gap > -4*s.tol.close {
		return false
	}
	lean, foot := s.capOf(p.id, p.n)
	return lean > 0 && foot > -p.gap && s.aloneBetween(p.n, -p.gap, -p.gap, -p.gap, lean, foot, 0)
}

// byFacet answers a pair that overlaps, or is too close to call, by the facet of its plane. Of edges that are hardly longer than a
// rounding of the other body finalise may turn the normal round: then the plane is not the facet's.
func (s *Search) byFacet(p commonPlane, out *Answer) bool {
	if p.id.Kind == soa.NoFacet || p.id.Kind > soa.EdgeEdge {
		return s.byFacets(out)
	}
	if _, n, ok := s.finalise(p.id); !ok || n.Dot(p.n) < 0 || !s.facetsAnswer(shallowest{-p.gap, p.id, p.n}, out) {
		return s.byFacets(out)
	}
	return false
}

// byFacets answers a pair of which no plane could be made sure, by all facets of K.
func (s *Search) byFacets(out *Answer) bool {
	*out = Answer{Level: LevelSearch}
	if best := s.separating(negInf); !s.facetsAnswer(best, out) {
		s.distance(best, out)
	}
	return true
}
