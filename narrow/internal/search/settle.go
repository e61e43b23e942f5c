package search

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// nearTriangle is a triangle of the polytope whose distance from the origin is within the limit of
// settle. dir is the direction of its nearest point, in the frame of A and, reversed, in the frame
// of B. The triangle is within the limit only along directions whose cosine with dir is at least
// cosine.
type nearTriangle struct {
	dir    [2]vec.Vec3
	cosine float64
}

// settle returns the shallowest facet of K, with ties to the lowest id. high and low are the bounds
// of its h_K that Expand returned. settle returns the zero Shallowest if it finds no facet within
// the bounds.
//
// All faces are candidates. One product bounds the h_K of a face from below and drops nearly all of
// them: with a vertex of the polytope, or with the directions of the triangles near the origin. The
// remaining faces get full supports. Ties between faces are therefore decided exactly as in
// Separating. Edge pairs matter only if no face comes within a tie of low. They are drawn from the
// corners of the settled triangles.
func (s *Searcher) settle(high, low float64) facets.Shallowest {
	limit := high + s.Tol.Proof
	best := s.FacesWithin(limit)
	s.Edges = s.Edges[:0]
	if best > low+s.Tol.Tie {
		if best = s.edgesWithin(best, limit); best > limit {
			best = s.edgesNear(best, limit)
		}
	}
	if best > limit {
		return facets.Shallowest{}
	}
	found := s.Choose(best)
	if found.ID.Kind == soa.EdgeEdge && s.edgesBeside(found, limit) {
		found = s.Choose(best)
	}
	return found
}

// edgesBeside notes the edge pairs with a lower id that tie with found. Their ends need not be
// corners of a triangle: they belong to edges coplanar with the facet found. edgesBeside returns
// false if there are no other edges next to the plane.
func (s *Searcher) edgesBeside(found facets.Shallowest, limit float64) bool {
	s.Near(found.N, s.Band(max(found.H, s.Tol.Tie)))
	if len(s.EdgesA)+len(s.EdgesB) <= 2 {
		return false
	}
	for _, ea := range s.EdgesA {
		for _, eb := range s.EdgesB {
			id := soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge}
			if !id.Before(found.ID) {
				break
			}
			if h, ok := s.EdgePair(int(ea), int(eb), min(found.H+s.Tol.Tie, limit)); ok {
				s.Note(h, found.H+s.Tol.Tie, id)
			}
		}
	}
	s.sortEdges()
	return true
}

// FacesWithin fills H as FaceAxes does, with +Inf for faces whose h_K exceeds limit. It returns the
// least h_K, or +Inf.
func (s *Searcher) FacesWithin(limit float64) float64 {
	best := math.Inf(1)
	s.H = s.H[:0]
	k := &s.Corners[0]
	if len(s.settled) > 0 {
		k = &s.Corners[s.Tris[s.settled[0]].V[0]]
	}
	// h_K(n) ≥ n·k for every corner k, and max n·a over A is known from the plane of the face.
	a, b := s.HullA.At(int(k.A)), s.HullB.At(int(k.B))
	slack := limit + s.Tol.Round
	near := s.NearTriangles(limit)
	for f := range s.ViewA.NFaces {
		m, d := s.ViewA.Normal(soa.Face(f)), float64(s.ViewA.D[f]*s.Scale)
		best = min(best, s.faceWithin(f, d-m.Dot(b) <= slack && Within(near, 0, m), limit))
	}
	inB := s.ToB(a)
	for g := range s.ViewB.NFaces {
		m, d := s.ViewB.Normal(soa.Face(g)), float64(s.ViewB.D[g]*s.Scale)
		best = min(best, s.faceWithin(s.ViewA.NFaces+g, d-m.Dot(inB) <= slack && Within(near, 1, m), limit))
	}
	return best
}

// faceWithin appends the h_K of face k of the pair to H, or +Inf if it exceeds limit. If possible
// is false, h_K is known to exceed limit and is not evaluated.
func (s *Searcher) faceWithin(k int, possible bool, limit float64) float64 {
	h := math.Inf(1)
	if possible {
		m, d, other := s.Face(k)
		if h = d - other.Bottom(m); h > limit {
			h = math.Inf(1)
		}
	}
	s.H = append(s.H, h)
	return h
}

// NearTriangles lists the triangles that come within limit of the origin. It returns nil if the
// polytope does not certainly enclose the origin: a shallow facet may then have any direction.
//
// A closed surface encloses the origin if the origin lies behind the plane of every triangle.
// Rounding decides which side of a thin triangle is the outer one, so there must be no thin
// triangle.
//
// The ray along a direction m then meets the surface at a point r·m of some triangle. That point is
// in K, so h_K(m) ≥ r. If h_K(m) ≤ limit, then r ≤ limit, and NearTriangles lists this triangle.
// Its nearest point is key·dir, so key ≤ r·m·dir. Therefore the cosine of the angle between m and
// dir is at least key/limit. The same holds if key and dir are those of the triangle's plane,
// because r·m·dir is then equal to key. ProofTol allows for the rounding of both.
func (s *Searcher) NearTriangles(limit float64) []nearTriangle {
	s.nearTris = s.nearTris[:0]
	for i := range s.Tris {
		t := &s.Tris[i]
		switch {
		case t.Gone:
		case t.thin || !(t.D > 2*s.Tol.Proof):
			return nil
		case t.Key <= limit:
			s.nearTris = append(s.nearTris, nearTriangle{[2]vec.Vec3{t.dir, s.Rot.TMulVec(t.dir).Neg()}, (t.Key - s.Tol.Proof) / limit})
		}
	}
	if len(s.nearTris) == 0 {
		return nil
	}
	return s.nearTris
}

// Within reports whether a facet within the limit may have the normal m of a face: of A if body is
// 0, of B if it is 1, in the frame of that body. It always returns true if near is nil.
func Within(near []nearTriangle, body int, m vec.Vec3) bool {
	for i := range near {
		if m.Dot(near[i].dir[body]) >= near[i].cosine {
			return true
		}
	}
	return near == nil
}

// edgesWithin evaluates the edge pairs between the corners of the settled triangles within limit,
// notes those that tie with the best, and returns the best h_K.
func (s *Searcher) edgesWithin(best, limit float64) float64 {
	return s.noteEdgesOf(best, limit, func(t *Triangle) {
		s.NearA, s.NearB = s.NearA[:0], s.NearB[:0]
		for _, v := range t.V {
			s.NearA = pair.AppendNew(s.NearA, s.Corners[v].A)
			s.NearB = pair.AppendNew(s.NearB, s.Corners[v].B)
		}
		s.EdgesA = s.EdgesAmong(s.EdgesA[:0], s.ViewA, s.NearA)
		s.EdgesB = s.EdgesAmong(s.EdgesB[:0], s.ViewB, s.NearB)
	})
}

// edgesNear is edgesWithin for the edges next to the planes of the settled triangles. If facets of
// K are nearly coplanar, a triangle may have corners of several facets, and then no edge pair
// between its corners makes a facet.
func (s *Searcher) edgesNear(best, limit float64) float64 {
	return s.noteEdgesOf(best, limit, func(t *Triangle) { s.Near(t.dir, s.Band(max(t.Key, s.Tol.Tie))) })
}

// noteEdgesOf evaluates, for each settled triangle within limit, the pairs of EdgesA and EdgesB,
// which pick has filled. It notes the pairs that tie with the best, and returns the best h_K.
func (s *Searcher) noteEdgesOf(best, limit float64, pick func(t *Triangle)) float64 {
	for _, t := range s.settled {
		if s.Tris[t].Key > limit {
			continue
		}
		pick(&s.Tris[t])
		for _, ea := range s.EdgesA {
			for _, eb := range s.EdgesB {
				if h, ok := s.EdgePair(int(ea), int(eb), min(best+s.Tol.Tie, limit)); ok {
					best = min(best, h)
					s.Note(h, best+s.Tol.Tie, soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge})
				}
			}
		}
	}
	s.sortEdges()
	return best
}

// sortEdges sorts the noted edge pairs by id, the order that Choose requires.
func (s *Searcher) sortEdges() {
	e := s.Edges
	for i := 1; i < len(e); i++ {
		for j := i; j > 0 && e[j].Before(e[j-1].FacetID); j-- {
			e[j], e[j-1] = e[j-1], e[j]
		}
	}
}
