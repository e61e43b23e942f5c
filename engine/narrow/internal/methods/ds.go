package methods

import (
	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Direct answers two polyhedra by the direct search: all pairs of vertex and face, vertex and
// vertex, vertex and edge, and edge and edge, every time, whatever is found on the way. The gap is
// the distance or minus the depth, of any pair, and the list gets type and contacts of a pair
// within dtol, m, of each other.
//
// Source: the direct search that the fast direct search is compared with. It is written to be as
// fast as a search that skips nothing can be: columns of vertices against one plane, edges of B
// brought over once, and the normal of two edges only where the signs of eight products say that
// they make a facet of K. Where we depart: distances are signed and the shallowest facet of K
// wins, with ties to the lowest id, so that the answer is that of Exhaustive. Cost: 3 to 6 µs for
// two cubes; vertices × faces and edges × edges. It always converges.
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

// nearestAtAll answers a pair by its shallowest facet, or where that proves it apart by the nearest of that and all corners.
func (s *Methods) nearestAtAll(facet facets.Shallowest, out *pair.Answer) {
	if !s.FacetsAnswer(facet, out) {
		s.Distance(facet, out)
	}
}

// allEdges lowers the least h_K of the faces by all pairs of edges.
func (s *Methods) allEdges(face float64) float64 {
	s.bringEdges()
	best := face
	for e := range s.ViewA.Edge {
		best = s.edgeAgainst(e, s.Fronts.Edges, best, face)
	}
	return best
}

// bringEdges brings all edges of B over, and forgets the pairs of edges noted.
func (s *Methods) bringEdges() {
	s.NormalsOfB()
	s.Edges = s.Edges[:0]
	w := &s.Fronts
	w.Edges = w.Edges[:0]
	for e := range s.ViewB.Edge {
		w.Edges = append(w.Edges, s.edgeOfB(e))
	}
}
