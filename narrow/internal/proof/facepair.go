package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastFacing is the cosine of the largest angle between two faces that are proven as a pair; the
// sine of that angle is PairTilt. It is not a tolerance: at larger angles single facets, or an edge
// on a face, are proven instead.
// Another value: only speed.
const leastFacing = 0.995

// edgeTilt is the sine of the angle between two faces above which an edge that lies flatter is
// proven on a face instead.
// Another value: only speed.
const edgeTilt = 1.0 / (1 << 10)

// mostCrossed limits the number of edge pairs that are tested for two faces that are not parallel.
// A quarter of all edge pairs make facets of K, and each of these facets costs a support of both
// bodies. For faces of n corners the cost is n³, while GJK and EPA find the same answer with about
// ten supports. It is not a tolerance: a search answers if nothing is proven.
const mostCrossed = 1024

// sureTol is the relative amount by which the square of an edge pair's depth must exceed the square
// of the least depth for the pair to be skipped. The depth itself must exceed the least one by a
// few TieTol as well. sureTol is far more than the rounding of either.
// Smaller: a facet may be missed. Larger: needless supports.
const sureTol = 0x1p-30

// faces describes how two faces lie on each other; lengths are multiplied by Scale. n is the normal
// of A's face, or zero if there are no two faces. The heights along n are between least and most.
// The projection of the origin lies rho inside the part of K that the two faces make. capSine is
// the sine of the cap of both faces about n, tilt is the sine of the angle between the faces, and
// depth is the depth of their shallowest facet.
type faces struct {
	n                    vec.Vec3
	least, most, rho     float64
	capSine, tilt, depth float64
	QuadA, quadB         soa.Quad // 0 if the face does not have four corners
}

// FacePair is certificate C3 for two nearly parallel faces that lie on each other. It returns the
// shallowest facet that the two faces make, how the faces lie, and whether that facet is proven to
// be the one that a search finds. Near such faces K has many nearly coplanar facets. Single facets
// appear and vanish with every rounding, so none of them can be proven alone.
//
// The steps are those of Feature, where n is the normal of A's face. Three things differ:
//
//   - In the cap about n, the facets of K have as normal n, the normal of B's face, or the normal
//     of a crossing of an edge of one face with an edge of the other. All are evaluated as a search
//     evaluates them.
//   - The part of K that the two faces make has heights from q to t along n, not a single height.
//     The bound uses q up to a right angle from n, and t beyond.
//   - ρ is how far inside the difference of the two polygons, seen along n, the origin lies.
func (s *Prover) FacePair(id soa.FacetID) (facets.Shallowest, faces, bool) {
	if s.Off&TwoFaces != 0 {
		return facets.Shallowest{}, faces{}, false
	}
	none := facets.Shallowest{}
	f, g := s.facing(id)
	n, d := s.PlaneA(f)
	m, _ := s.PlaneB(g)
	facing := -n.Dot(m)
	tilt := n.Cross(m).Norm()
	if facing < leastFacing || s.ViewA.Caps[f] == 0 || s.ViewB.Caps[g] == 0 || tilt > edgeTilt && s.edgeFlatter(id, tilt) {
		return s.edgeOnFace(id)
	}
	// B's cap is about its own normal. About n it is smaller by the angle between the two normals.
	capB := s.ViewB.Caps[g]
	capSine := float64(capB*facing) - float64(math.Sqrt(max(1-float64(capB*capB), 0))*tilt)
	capSine = min(s.ViewA.Caps[f], capSine)
	if !(capSine > 0) {
		return none, faces{}, false
	}

	s.NearA, s.NearB = Corners(s.NearA[:0], s.ViewA, f), Corners(s.NearB[:0], s.ViewB, g)
	least, most := math.Inf(1), math.Inf(-1)
	for _, k := range s.NearB {
		h := d - n.Dot(s.HullB.At(int(k)))
		least, most = min(least, h), max(most, h)
	}
	two := faces{n: n, least: least, most: most, capSine: capSine, tilt: tilt, QuadA: s.ViewA.QuadOfFace[f], quadB: s.ViewB.QuadOfFace[g]}
	if two.quadB != 0 && s.Collapses(two.quadB) {
		two.quadB = 0
	}
	best, proven := s.shallowestAlone(f, g, &two)
	return best, two, proven
}

// shallowestAlone returns the shallowest facet that the polygons NearA and NearB make, and whether
// all other facets of K are proven deeper. f or g is noFace if that polygon is an edge.
// shallowestAlone sets rho and depth of two.
func (s *Prover) shallowestAlone(f, g int, two *faces) (facets.Shallowest, bool) {
	two.rho = s.insetOfFaces(two.n)
	best := s.shallowestOfFaces(f, g, two.n, two.least)
	if best.ID.Kind == soa.NoFacet {
		return facets.Shallowest{}, false
	}
	two.depth = best.H
	return best, s.AloneBetween(two.n, best.H, two.least, two.most, two.capSine, two.rho, 0)
}

// noFace is the face index of a body that has an edge on the other's face.
const noFace = -1

// facing returns the faces of A and B next to the features of a facet of K whose normals are most
// nearly opposite.
func (s *Prover) facing(id soa.FacetID) (f, g int) {
	switch id.Kind {
	case soa.FaceVertex:
		n, _ := s.PlaneA(int(id.A))
		return int(id.A), s.FaceAround(s.ViewB, soa.Vertex(id.B), s.Rot.TMulVec(n.Neg()))
	case soa.VertexFace:
		m, _ := s.PlaneB(int(id.B))
		return s.FaceAround(s.ViewA, soa.Vertex(id.A), m.Neg()), int(id.B)
	}
	_, n, _ := s.Finalise(id)
	h, k := s.ViewA.Edge[id.A], s.ViewB.Edge[id.B]
	faceA, _ := steepestBeside(s.ViewA, h, n)
	faceB, _ := steepestBeside(s.ViewB, k, s.Rot.TMulVec(n.Neg()))
	return int(faceA), int(faceB)
}

// shallowestOfFaces returns the shallowest facet of K among those that two faces make. A search
// restricted to these facets returns the same one: it has the same values, and ties go to the
// lowest id. least is the lower end of the heights along n, where n is the normal of the face, A to
// B. f or g is noFace if an edge of that body lies on the other's face.
//
// It returns NoFacet in two cases. In the first the result depends on whether an edge pair is a
// facet of K: the pair is shallower than the faces by too little, or as shallow as another edge
// pair. A search skips edge pairs that are not facets. In the second the two faces have more than
// mostCrossed pairs of edges.
func (s *Prover) shallowestOfFaces(f, g int, n vec.Vec3, least float64) facets.Shallowest {
	tie, half, wide := float64(pair.TieTol*s.LengthScale), float64(pair.TieTol/2*s.LengthScale), float64(4*pair.TieTol*s.LengthScale)
	hA, hB := math.Inf(1), math.Inf(1)
	if f != noFace {
		n, d := s.PlaneA(f)
		_, low := s.HullB.Lowest(n)
		hA = d - low
	}
	// No facet in the cap is shallower than least, because the polygon of K lies above that height.
	if hA <= least+half {
		return s.OnFace(f, hA)
	}
	if g != noFace {
		m, d := s.PlaneB(g)
		_, low := s.HullA.Lowest(m)
		hB = d - low
	}
	best := min(hA, hB)
	if best > least+half {
		if len(s.NearA)*len(s.NearB) > mostCrossed {
			return facets.Shallowest{}
		}
		s.Edges = s.Edges[:0]
		edge := s.edgesOfFaces(best, least, n)
		switch {
		case edge.H+wide < best:
			for _, e := range s.Edges {
				if e.H <= edge.H+wide && e.FacetID != edge.FacetID {
					return facets.Shallowest{}
				}
			}
			_, n, _ := s.Finalise(edge.FacetID)
			return facets.Shallowest{H: edge.H, ID: edge.FacetID, N: n}
		case edge.H+tie < best:
			return facets.Shallowest{}
		case edge.H < best && hA <= best+tie && hA > edge.H+tie:
			// A's face ties only if a search does not accept the edge pair as a facet.
			return facets.Shallowest{}
		}
	}
	if hA <= best+tie {
		return s.OnFace(f, hA)
	}
	return s.OnFace(s.ViewA.NFaces+g, hB)
}

// edgesOfFaces returns the shallowest crossing of an edge of one face with an edge of the other
// that is shallower than limit. It appends all such crossings to s.Edges. n is the normal of A's
// face. An edge pair that is shallower than least by more than a tie is no facet in the cap of the
// faces. If it is a facet elsewhere, the proof of the faces fails in any case.
func (s *Prover) edgesOfFaces(limit, least float64, n vec.Vec3) facets.Scored {
	best := facets.Scored{H: math.Inf(1)}
	s.EdgesA = s.EdgesAmong(s.EdgesA[:0], s.ViewA, s.NearA)
	s.EdgesB = s.EdgesAmong(s.EdgesB[:0], s.ViewB, s.NearB)
	sure := limit + float64(4*pair.TieTol*s.LengthScale)
	above := float64(sure*sure) * (1 + sureTol)
	cut := max(least-float64(4*pair.TieTol*s.LengthScale), 0)
	below := float64(cut*cut) * (1 - sureTol)
	for _, ea := range s.EdgesA {
		p, p1 := s.EdgeA(int(ea))
		e := p1.Sub(p)
		for _, eb := range s.EdgesB {
			q, q1 := s.EdgeB(int(eb))
			f := q1.Sub(q)
			c := e.Cross(f)
			cc, ef := c.Norm2(), e.Norm2()*f.Norm2()
			if !(cc > pair.MinSine*pair.MinSine*ef) {
				continue // no facet, see pair.Crossing
			}
			w := p.Sub(q)
			depth := c.Dot(w)
			if cc > pair.WideSine*pair.WideSine*ef {
				// Orient the depth along n: the facets in the cap of n have normals with a positive
				// component along n.
				if c.Dot(n) < 0 {
					depth = -depth
				}
				d2 := float64(depth * depth)
				if depth > 0 && d2 > float64(above*cc) || cut > 0 && (depth < 0 || d2 < float64(below*cc)) {
					continue
				}
			} else if cut > 0 && float64(depth*depth) > float64(8*above*cc)+float64(float64(0x1p-94*ef)*w.Norm2()) {
				// For nearly parallel edges the product errs by 2⁻⁵⁰ of the lengths of the sides. A
				// facet at that height on the other side would separate the bodies.
				continue
			}
			h, ok := s.EdgePair(int(ea), int(eb), limit)
			if !ok {
				continue
			}
			e := facets.Scored{H: h, FacetID: soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge}}
			s.Edges = append(s.Edges, e)
			if h < best.H {
				best = e
			}
		}
	}
	return best
}

// AloneBetween reports whether all facets of K outside the cap are deeper than p by provenBy (steps
// 3 and 4 of Feature). The features have heights from q to t along n, and their shallowest facet
// has depth p. capSine is the sine of the cap. rho is how far inside the features' part of K the
// projection lies. shift is as in deepBeyond.
func (s *Prover) AloneBetween(n vec.Vec3, p, q, t, capSine, rho, shift float64) bool {
	round := float64(4 * pair.RoundTol * s.LengthScale)
	q, t, rho = q-round, t-round, rho-round
	deep := p + float64(provenBy*s.LengthScale)
	r2 := float64(q*q) + float64(rho*rho)
	w2 := r2 - float64(deep*deep)
	if !(w2 > 0) || !(rho > 0) || !(t >= q) {
		return false
	}
	// Numerators of the sines and cosines of α₀ and α₁, over the denominator r2.
	w := math.Sqrt(w2)
	sin0, cos0 := float64(rho*deep)-float64(q*w), float64(q*deep)+float64(rho*w)
	if !(sin0 <= float64((capSine-1e-15)*r2)) || !(cos0 > 0) {
		return false
	}
	cos1, sin1 := float64(q*deep)-float64(rho*w), float64(rho*deep)+float64(q*w)
	if cos1 <= 0 {
		// Beyond a right angle the upper end of the heights determines the bound.
		r2 = float64(t*t) + float64(rho*rho)
		w = math.Sqrt(r2 - float64(deep*deep))
		if cos1, sin1 = float64(t*deep)-float64(rho*w), float64(rho*deep)+float64(t*w); sin1 <= 0 {
			return true // the bound holds up to α = π
		}
	}
	return s.deepBeyond(n, cos1/r2, sin1/r2, deep+round, shift)
}
