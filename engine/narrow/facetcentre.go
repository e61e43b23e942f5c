package narrow

import (
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
func (s *Search) blockFacetCentre(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	*out = Answer{Level: LevelSearch}
	if !s.load(a, pa, b, pb) {
		out.Status = Degenerate
		return
	}
	corners := s.b
	n := len(corners.x)
	var sum vec.Vec3
	for k := range n {
		sum = sum.Add(corners.at(k))
	}
	centre := sum.Scale(1 / float64(n))
	s.colCentre.resize(&s.b, n+1)
	copy(s.b.x, corners.x)
	copy(s.b.y, corners.y)
	copy(s.b.z, corners.z)
	s.b.x[n], s.b.y[n], s.b.z[n] = centre.X, centre.Y, centre.Z
	s.b.pad()
	how := s.gjk(reach * s.scale)
	if how != gjkOverlap {
		s.b = corners
		for i := range s.n {
			if int(s.c[i].b) == n {
				how = s.gjk(reach * s.scale)
				break
			}
		}
		s.answerAs(how, out)
		return
	}
	high, low, ok := s.expand()
	s.b = corners
	for i := range s.corners {
		if int(s.corners[i].b) == n {
			s.corners[i].b = 0
		}
	}
	s.settleAs(high, low, ok, out)
}
