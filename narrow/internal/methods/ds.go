package methods

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Direct answers two polyhedra by the direct search: it always tries all pairs of vertex and face,
// vertex and vertex, vertex and edge, and edge and edge. The gap is the distance or minus the
// depth, for any pair. The list gets the type and contacts of a pair within dtol, m, of each other.
//
// Source: the direct search with which the papers compare the fast direct search. The code is as
// fast as possible for a search that skips nothing. Columns of vertices are compared with one
// plane, and the edges of B are transformed once. The normal of two edges is only computed if the
// signs of eight products show that they make a facet of K. Departures: distances are signed, and
// the shallowest facet of K wins, with ties to the lowest id. The answer is therefore that of
// Exhaustive.
//
// Cost: vertices × faces and edges × edges; 3 to 6 µs for two cubes. Direct always converges.
func (s *Methods) Direct(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, _, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	if !s.begin(a, pa, b, pb, list, out) {
		return false
	}
	vf, fv := s.ViewA.NVerts*s.ViewB.NFaces, s.ViewA.NFaces*s.ViewB.NVerts
	s.Paper.Checks, s.Fronts.valid = Checks{VertexFace: vf, FaceVertex: fv, Distance: vf + fv}, 0
	face := s.FaceAxes(pair.NegInf)
	s.FacetOrDistance(s.Choose(s.allEdges(face, face, pair.NegInf)), out)
	c := &s.Paper.Checks
	c.Entrance, c.Distance = c.EdgeEdge, c.Distance+s.Fronts.valid
	s.end(dtol, false, list, out)
	return false
}

// allEdges returns the least of best and the h_K of all pairs of edges, and notes in s.Edges the
// pairs that may be the answer. face is the least h_K of the faces. allEdges stops below limit.
func (s *Methods) allEdges(best, face, limit float64) float64 {
	s.NormalsOfB()
	s.Edges = s.Edges[:0]
	w := &s.Fronts
	w.Edges = w.Edges[:0]
	for e := range s.ViewB.Edge {
		w.Edges = append(w.Edges, s.edgeOfB(e))
	}
	for e := 0; e < len(s.ViewA.Edge) && !(best < limit); e++ {
		best = s.edgeAgainst(e, w.Edges, best, face)
	}
	return best
}
