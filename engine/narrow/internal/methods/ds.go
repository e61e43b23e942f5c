package methods

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
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
	best := s.allEdges(s.FaceAxes())
	s.nearestAtAll(s.Choose(best), out)
	s.end(dtol, typing.UpdateNone, list, out)
	return false
}

// nearestAtAll answers a pair by its shallowest facet. If the facet proves the pair apart, the
// nearer of the facet and all corners answers.
func (s *Methods) nearestAtAll(facet facets.Shallowest, out *pair.Answer) {
	if !s.FacetsAnswer(facet, out) {
		s.Distance(facet, out)
	}
}

// allEdges returns the least h_K of all pairs of edges and of the faces, whose least h_K is face.
func (s *Methods) allEdges(face float64) float64 {
	s.bringEdges()
	best := face
	for e := range s.ViewA.Edge {
		best = s.edgeAgainst(e, s.Fronts.Edges, best, face)
	}
	return best
}

// bringEdges transforms all edges of B into the frame of A and clears the noted edge pairs.
func (s *Methods) bringEdges() {
	s.NormalsOfB()
	s.Edges = s.Edges[:0]
	w := &s.Fronts
	w.Edges = w.Edges[:0]
	for e := range s.ViewB.Edge {
		w.Edges = append(w.Edges, s.edgeOfB(e))
	}
}
