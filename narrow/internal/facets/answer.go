package facets

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FacetsAnswer computes the answer from best, the shallowest facet of K. The bodies must overlap,
// or their gap must be too small to tell its sign (at most CloseTol). Otherwise, or if best names
// no facet, FacetsAnswer returns false with status NotConverged: facets alone do not determine the
// distance of a pair apart.
func (s *Facets) FacetsAnswer(best Shallowest, out *pair.Answer) bool {
	if best.ID.Kind == soa.NoFacet || -best.H > s.Tol.Close {
		out.Status = pair.NotConverged
		return false
	}
	// If the bodies miss each other by at most CloseTol, their distance exceeds that of the facet
	// by no more than CloseTol.
	return s.WriteFacet(best.ID, s.Tol.Close, out)
}

// WriteFacet answers by a facet whose gap is known to be that of the pair.
//
// If facets tie, the projection of the origin may lie outside facet id. The bodies, moved together
// along its normal, then touch somewhere else. They may also miss each other by more than projectionTol.
// The facet is then not the shallowest, or not the only one: facets at an angle θ to each other tie
// although their projections lie up to depth·θ apart. In this case WriteFacet tries all facets and
// uses the lowest one in the tie along whose normal the bodies touch.
//
// WriteFacet returns false if the bodies are apart, or overlap only by rounding, and miss each
// other by more than most. The nearest features are then corners beside the facets, at any
// distance.
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

// touch returns the point of A that touches B once B is moved by −gap·n. miss is the distance
// between the two bodies there, or 0 if it is known to be less than projectionTol.
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

// touching returns the lowest facet of K that ties with the shallowest and along whose normal the
// bodies touch. If there is none, touching returns the shallowest. Cost: that of all facets.
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
