package facets

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FacetsAnswer ends a search over facets: overlap or a gap too small to tell. It returns false, and leaves
// the answer, where the best axis proves a gap beyond that: the distance of such a pair is
// not a matter of facets alone.
func (s *Facets) FacetsAnswer(best Shallowest, out *pair.Answer) bool {
	if best.ID.Kind == soa.NoFacet || -best.H > s.Tol.Close {
		out.Status = pair.NotConverged
		return false
	}
	// Bodies that miss each other by most are farther apart than the facet says by no more than that.
	return s.WriteFacet(best.ID, s.Tol.Close, out)
}

// WriteFacet answers by a facet whose gap is known to be that of the pair. Its foot may lie outside of it, where facets tie:
// moved together along its normal, the bodies touch somewhere else. Where not even that is so to projectionTol, it is not, or not
// alone, the shallowest, for facets at an angle θ to each other tie with feet up to depth·θ apart: then all facets are
// tried, and the lowest of the tie for which it is so answers. WriteFacet returns false where the bodies are apart, or overlap by
// rounding alone, and miss each other by more than most: then the nearest are corners beside the facets, whose distance may be
// anything.
func (s *Facets) WriteFacet(id soa.FacetID, most float64, out *pair.Answer) bool {
	out.Status = pair.NotConverged
	gap, n, ok := s.Finalise(id)
	if !ok {
		return false
	}
	wa, miss := s.touch(id, gap, n)
	if miss > s.Tol.Projection {
		id = s.touching()
		gap, n, _ = s.Finalise(id)
		if wa, miss = s.touch(id, gap, n); gap > -s.Tol.Close && miss > most {
			return false
		}
	}
	s.Write(id, gap, n, wa, out)
	return true
}

// touch returns the point of A that touches B once B is moved by −gap·n, and by how much the two miss each other there; by 0
// where that is known to be less than projectionTol.
func (s *Facets) touch(id soa.FacetID, gap float64, n vec.Vec3) (wa vec.Vec3, miss float64) {
	wa, ok := s.Witness(id, gap, n)
	if !ok {
		x := n.Scale(-gap)
		if wa, ok = s.split(x); !ok {
			return s.Meet(x, n)
		}
	}
	return wa, 0
}

// touching returns the lowest facet of K that ties with the shallowest and along whose normal the bodies touch, or if there is
// none the shallowest. Cost: that of all facets.
func (s *Facets) touching() soa.FacetID {
	best := s.Separating(pair.NegInf)
	limit := best.H + s.Tol.Tie
	touches := func(id soa.FacetID) bool {
		gap, n, _ := s.Finalise(id)
		_, miss := s.touch(id, gap, n)
		return miss <= s.Tol.Projection
	}
	for k, h := range s.H {
		if id := s.OnFace(k, h).ID; h <= limit && touches(id) {
			return id
		}
	}
	for _, e := range s.Edges {
		if e.H <= limit && touches(e.FacetID) {
			return e.FacetID
		}
	}
	return best.ID
}
