package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// leastFacing is the cosine of the largest angle between two faces that are proven as a pair, of a
// sine of PairTilt. It is not a tolerance: what leans more is a matter of single facets, or of an
// edge on a face.
const leastFacing = 0.995

// edgeTilt is the sine of the angle between two faces from which an edge that lies flatter is
// proven on a face instead.
const edgeTilt = 1.0 / (1 << 10)

// mostCrossed bounds the pairs of edges that are asked of two faces that lean from each other. A
// quarter of all make facets of K, and each of those costs a support of both bodies: of n corners
// n³, where GJK and EPA come to the same answer over some ten. It is no tolerance: what is not
// proven is searched for.
const mostCrossed = 1024

// sureTol is by how much, relative, the square of an edge pair's depth must exceed that of the
// shallowest, besides some TieTol of the depth itself, for the pair to be left out unseen: far
// more than the rounding of either.
const sureTol = 0x1p-30

// faces is how two faces lie on each other, lengths times scale: the heights along n, the normal
// of A's, are from least to most, and the origin's foot lies rho inside the part of K that they
// make. capSine is the sine of the cap of both about n, tilt that of the angle between the two, depth
// that of the shallowest facet. n is zero for no two faces.
type faces struct {
	n                    vec.Vec3
	least, most, rho     float64
	capSine, tilt, depth float64
	QuadA, quadB         soa.Quad // 0 for a face that has none
}

// FacePair is certificate C3 for a pair of faces that lie on each other, nearly parallel: there K
// has many facets that are almost coplanar, of which single ones come and go with every rounding,
// so that none of them can be proven alone. It returns the shallowest facet, and whether it is
// proven to be the one that a search finds, and how the two faces lie.
//
// The steps are those of Feature, with n the normal of A's face and G_A, G_B the two faces; see
// the design there. The differences: in the cap about n the facets of K are n itself, the normal
// of B's face, and crossings of an edge of one face with an edge of the other, and all are
// evaluated as the search does; the part of K that the two faces make has heights from q to t, not
// one, so q stands in the bound up to a right angle and t beyond it; and ρ is how far inside the
// difference of the two polygons, seen along n, the origin lies.
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
	// B's cap is about its own normal: what it is about n is less by the angle between the two.
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
	best, proven := s.shallowestAlone(f, g, &two)
	return best, two, proven
}

// shallowestAlone returns the shallowest facet of what the polygons NearA and NearB make, and
// whether all other facets are proven deeper. f or g is noFace where that polygon is an edge. It
// fills the inset and the depth of the two.
func (s *Prover) shallowestAlone(f, g int, two *faces) (facets.Shallowest, bool) {
	two.rho = s.insetOfFaces(two.n)
	best := s.shallowestOfFaces(f, g, two.n, two.least)
	if best.ID.Kind == soa.NoFacet {
		return facets.Shallowest{}, false
	}
	two.depth = best.H
	return best, s.AloneBetween(two.n, best.H, two.least, two.most, two.capSine, two.rho, 0)
}

// noFace stands for the face of a body of which an edge lies on the other's face.
const noFace = -1

// facing returns the two faces next to the features of a facet of K that face each other most.
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

// shallowestOfFaces returns the shallowest facet of K among those that two faces make, as a
// search that knew no others would: by the same values, with ties to the lowest id. least is the
// lower end of the heights. It returns none where it matters whether an edge pair that is
// shallower than the faces by so little, or by as much as another, is a facet: the search leaves
// out those that are not. It returns none where more pairs of edges than mostCrossed would have
// to be asked, too.
//
// f or g is noFace where it is an edge of that body that lies on the other's face; n is the normal
// of the face, A to B.
func (s *Prover) shallowestOfFaces(f, g int, n vec.Vec3, least float64) facets.Shallowest {
	tie, half, wide := float64(pair.TieTol*s.LengthScale), float64(pair.TieTol/2*s.LengthScale), float64(4*pair.TieTol*s.LengthScale)
	hA, hB := math.Inf(1), math.Inf(1)
	if f != noFace {
		n, d := s.PlaneA(f)
		_, low := s.HullB.Lowest(n)
		hA = d - low
	}
	// No facet in the cap is shallower than the lower end, for the polygon of K lies above it.
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
			// Whether A's face ties depends on whether the search takes the edges for a facet.
			return facets.Shallowest{}
		}
	}
	if hA <= best+tie {
		return s.OnFace(f, hA)
	}
	return s.OnFace(s.ViewA.NFaces+g, hB)
}

// edgesOfFaces returns the shallowest crossing of an edge of one face with an edge of the other,
// if it is shallower than limit, and leaves all such in edges. n is the normal of A's face. What
// is shallower than least by more than a tie is no facet in the cap of the faces, and if it is one
// elsewhere, nothing is proven of these.
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
				continue // no facet, see crossing
			}
			w := p.Sub(q)
			depth := c.Dot(w)
			if cc > pair.WideSine*pair.WideSine*ef {
				// Seen along n: the facets in its cap are those whose normals go its way.
				if c.Dot(n) < 0 {
					depth = -depth
				}
				d2 := float64(depth * depth)
				if depth > 0 && d2 > float64(above*cc) || cut > 0 && (depth < 0 || d2 < float64(below*cc)) {
					continue
				}
			} else if cut > 0 && float64(depth*depth) > float64(8*above*cc)+float64(float64(0x1p-94*ef)*w.Norm2()) {
				// Next to parallel the product errs by 2⁻⁵⁰ of the sides' lengths. A facet as far on the other side would part the bodies.
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

// AloneBetween is steps 3 and 4 of Feature: it reports whether all facets of K but those within the
// cap are deeper than p by provenBy. The features have heights from q to t along n, and the
// shallowest facet of theirs has depth p; capSine is the sine of the cap, rho how far inside the
// features' part of K the foot lies, and shift as in deepBeyond.
func (s *Prover) AloneBetween(n vec.Vec3, p, q, t, capSine, rho, shift float64) bool {
	round := float64(4 * pair.RoundTol * s.LengthScale)
	q, t, rho = q-round, t-round, rho-round
	deep := p + float64(provenBy*s.LengthScale)
	r2 := float64(q*q) + float64(rho*rho)
	w2 := r2 - float64(deep*deep)
	if !(w2 > 0) || !(rho > 0) || !(t >= q) {
		return false
	}
	// Numerators of the sines and cosines, over r2.
	w := math.Sqrt(w2)
	sin0, cos0 := float64(rho*deep)-float64(q*w), float64(q*deep)+float64(rho*w)
	if !(sin0 <= float64((capSine-1e-15)*r2)) || !(cos0 > 0) {
		return false
	}
	cos1, sin1 := float64(q*deep)-float64(rho*w), float64(rho*deep)+float64(q*w)
	if cos1 <= 0 {
		// From a right angle on it is the upper end of the heights that counts.
		r2 = float64(t*t) + float64(rho*rho)
		w = math.Sqrt(r2 - float64(deep*deep))
		if cos1, sin1 = float64(t*deep)-float64(rho*w), float64(rho*deep)+float64(t*w); sin1 <= 0 {
			return true // up to a half turn
		}
	}
	return s.deepBeyond(n, cos1/r2, sin1/r2, deep+round, shift)
}
