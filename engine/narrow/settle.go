package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// nearTriangle is a triangle of the polytope that comes within the limit of settle: the direction of its point nearest to the
// origin, in the frames of both bodies, and the least cosine to it at which the triangle is within the limit.
type nearTriangle struct {
	dir, inB vec.Vec3
	cosine   float64
}

// settle returns the shallowest facet of K, given the bounds of its h_K, with ties to the lowest id.
//
// All faces are candidates: one product with a vertex of the polytope, or with the directions of the triangles that come near
// to the origin, bounds the h_K of a face from below and drops nearly all; the rest get full support. So ties between faces are settled
// exactly as separating does. Edge pairs matter only if no face comes within a tie of low; they are drawn
// from the corners of the settled triangles.
func (s *Search) settle(high, low float64) shallowest {
	limit := high + s.tol.proof
	best := s.facesWithin(limit)
	s.edges = s.edges[:0]
	if best > low+s.tol.tie {
		if best = s.edgesWithin(best, limit); best > limit {
			best = s.edgesNear(best, limit)
		}
	}
	if best > limit {
		return shallowest{}
	}
	found := s.choose(best)
	if found.id.Kind == soa.EdgeEdge && s.edgesBeside(found, limit) {
		found = s.choose(best)
	}
	return found
}

// edgesBeside notes the lower pairs of edges that tie with the one found, which the corners of triangles need not be the ends of: edges
// level with it. It says false where there are no other edges next to the plane.
func (s *Search) edgesBeside(found shallowest, limit float64) bool {
	s.near(found.n, s.band(max(found.h, s.tol.tie)))
	if len(s.edgesA)+len(s.edgesB) <= 2 {
		return false
	}
	for _, ea := range s.edgesA {
		for _, eb := range s.edgesB {
			id := soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge}
			if !id.Before(found.id) {
				break
			}
			if h, ok := s.edgePair(int(ea), int(eb), min(found.h+s.tol.tie, limit)); ok {
				s.note(h, found.h+s.tol.tie, id)
			}
		}
	}
	s.sortEdges()
	return true
}

// facesWithin fills hA and hB as faceAxes does, with +Inf where h_K is above limit.
func (s *Search) facesWithin(limit float64) float64 {
	best := math.Inf(1)
	s.hA, s.hB = s.hA[:0], s.hB[:0]
	k := &s.corners[0]
	if len(s.done) > 0 {
		k = &s.corners[s.tris[s.done[0]].v[0]]
	}
	// h_K(n) ≥ n·k for every corner k; the plane gives max n·a.
	a, b := s.a.at(int(k.a)), s.b.at(int(k.b))
	slack := limit + s.tol.round
	near := s.nearTriangles(limit)
	for f := range s.va.NFaces {
		h := math.Inf(1)
		m := s.va.Normal(soa.Face(f))
		if d := float64(s.va.D[f] * s.scale); d-m.Dot(b) <= slack && within(near, m) {
			_, low := s.b.lowest(m)
			if h = d - low; h > limit {
				h = math.Inf(1)
			}
		}
		s.hA = append(s.hA, h)
		best = min(best, h)
	}
	inB := s.toB(a)
	for g := range s.vb.NFaces {
		h := math.Inf(1)
		m := s.vb.Normal(soa.Face(g))
		if float64(s.vb.D[g]*s.scale)-m.Dot(inB) <= slack && withinB(near, m) {
			m, d := s.planeB(g)
			_, low := s.a.lowest(m)
			if h = d - low; h > limit {
				h = math.Inf(1)
			}
		}
		s.hB = append(s.hB, h)
		best = min(best, h)
	}
	return best
}

// nearTriangles lists the triangles that come within limit of the origin, or nil where the polytope does not enclose the origin
// for certain: then any direction may be that of a shallow facet.
//
// A closed surface encloses the origin if that lies behind the plane of every triangle. Which side of a thin triangle is the outer
// one is a matter of rounding, so there must be none. The ray along a direction m then meets the surface at a point r·m of some triangle, which
// is a point of K, so h_K(m) ≥ r. If that is no more than limit, the triangle is one of these, and for its nearest point, key·dir,
// key ≤ r·m·dir: the cosine of m and dir is key/limit at least. So it is where key and dir are those of its plane, for then r·m·dir is key.
// ProofTol is allowed for the rounding of both.
func (s *Search) nearTriangles(limit float64) []nearTriangle {
	s.nearTris = s.nearTris[:0]
	for i := range s.tris {
		t := &s.tris[i]
		switch {
		case t.gone:
		case t.thin || !(t.d > 2*s.tol.proof):
			return nil
		case t.key <= limit:
			s.nearTris = append(s.nearTris, nearTriangle{t.dir, s.rot.TMulVec(t.dir).Neg(), (t.key - s.tol.proof) / limit})
		}
	}
	if len(s.nearTris) == 0 {
		return nil
	}
	return s.nearTris
}

// within says whether a direction may be that of a facet within the limit: always, where no triangles are given.
func within(near []nearTriangle, m vec.Vec3) bool {
	for i := range near {
		if m.Dot(near[i].dir) >= near[i].cosine {
			return true
		}
	}
	return near == nil
}

// withinB is within for a direction of B's frame that points out of B.
func withinB(near []nearTriangle, m vec.Vec3) bool {
	for i := range near {
		if m.Dot(near[i].inB) >= near[i].cosine {
			return true
		}
	}
	return near == nil
}

// edgesWithin evaluates the edge pairs between the corners of the settled triangles near the best.
func (s *Search) edgesWithin(best, limit float64) float64 {
	for _, t := range s.done {
		if s.tris[t].key > limit {
			continue
		}
		s.nearA, s.nearB = s.nearA[:0], s.nearB[:0]
		for _, v := range s.tris[t].v {
			s.nearA = appendNew(s.nearA, s.corners[v].a)
			s.nearB = appendNew(s.nearB, s.corners[v].b)
		}
		s.edgesA = s.edgesAmong(s.edgesA[:0], s.va, s.nearA)
		s.edgesB = s.edgesAmong(s.edgesB[:0], s.vb, s.nearB)
		best = s.noteEdges(best, limit)
	}
	s.sortEdges()
	return best
}

// edgesNear is edgesWithin for the edges next to the planes of the settled triangles: where facets of K lean by next to nothing from each
// other, a triangle may have corners of several, and none of its edges makes one.
func (s *Search) edgesNear(best, limit float64) float64 {
	for _, t := range s.done {
		if s.tris[t].key > limit {
			continue
		}
		s.near(s.tris[t].dir, s.band(max(s.tris[t].key, s.tol.tie)))
		best = s.noteEdges(best, limit)
	}
	s.sortEdges()
	return best
}

// noteEdges evaluates the pairs of the edges at hand, notes those near the best, and returns the best.
func (s *Search) noteEdges(best, limit float64) float64 {
	for _, ea := range s.edgesA {
		for _, eb := range s.edgesB {
			if h, ok := s.edgePair(int(ea), int(eb), min(best+s.tol.tie, limit)); ok {
				best = min(best, h)
				s.note(h, best+s.tol.tie, soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge})
			}
		}
	}
	return best
}

func appendNew(to []uint16, k uint16) []uint16 {
	for _, x := range to {
		if x == k {
			return to
		}
	}
	return append(to, k)
}

// sortEdges puts the edge pairs in the order of their ids, which is what choose expects.
func (s *Search) sortEdges() {
	e := s.edges
	for i := 1; i < len(e); i++ {
		for j := i; j > 0 && e[j].Before(e[j-1].FacetID); j-- {
			e[j], e[j-1] = e[j-1], e[j]
		}
	}
}
