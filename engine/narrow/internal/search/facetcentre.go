package search

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// blockFacetCentre is BlockFacet where FacetCentre is set: GJK and EPA from nothing on the facet's corners and its
// centre (Itasca, PFC, rigid block contacts with wall facets).
//
// The centre lies in the convex hull of the corners, so it adds nothing to K and no answer can depend on it: of equal
// supports the lowest index wins, which is a corner's. It stands behind the corners while GJK and EPA look for
// supports. Where rounding makes it one all the same, what needs the features of a support goes without: GJK starts
// again, and EPA takes another vertex for the bound that it needs one for.
func (s *Finder) blockFacetCentre(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *pair.Answer) {
	*out = pair.Answer{Level: pair.LevelSearch}
	if !s.Load(a, pa, b, pb) {
		out.Status = pair.Degenerate
		return
	}
	corners := s.HullB
	n := len(corners.X)
	var sum vec.Vec3
	for k := range n {
		sum = sum.Add(corners.At(k))
	}
	centre := sum.Scale(1 / float64(n))
	s.colCentre.Resize(&s.HullB, n+1)
	copy(s.HullB.X, corners.X)
	copy(s.HullB.Y, corners.Y)
	copy(s.HullB.Z, corners.Z)
	s.HullB.X[n], s.HullB.Y[n], s.HullB.Z[n] = centre.X, centre.Y, centre.Z
	s.HullB.Pad()
	how := s.GJK(reach * s.Scale)
	if how != GJKOverlap {
		s.HullB = corners
		for i := range s.N {
			if int(s.C[i].B) == n {
				how = s.GJK(reach * s.Scale)
				break
			}
		}
		s.answerAs(how, out)
		return
	}
	high, low, ok := s.Expand()
	s.HullB = corners
	for i := range s.Corners {
		if int(s.Corners[i].B) == n {
			s.Corners[i].B = 0
		}
	}
	s.settleAs(high, low, ok, out)
}
