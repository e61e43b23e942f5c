package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// separatingAxes is memory for the exhaustive search over the facets of K.
type separatingAxes struct {
	hA, hB   []float64     // h_K of each face of A along its normal, of each face of B against its
	mB       []vec.Vec3    // outward normals of B's faces, frame of A
	eB       []vec.Vec3    // edges of B, tail to head of the lower half-edge
	fB1, fB2 []soa.Face    // faces left and right of them
	besideB  [][2]vec.Vec3 // from their tails to the next vertices of these
	row      []float64     // one edge of A times each normal of B
	edges    []scored      // edge pairs within a tie of the best
}

type scored struct {
	h float64
	soa.FacetID
}

// shallowest is the outcome of a search over the facets of K.
type shallowest struct {
	h  float64     // least h_K over the facets: the depth, or minus the gap along the best axis
	id soa.FacetID // the lowest of the facets that tie
	n  vec.Vec3    // its normal, A to B
}

// separating returns the shallowest facet of K, by trying all of them: the separating axis test.
//
// Source: Gottschalk et al. 1996 for the axes; Gregorius 2013 for pruning edge pairs on the Gauss map. An
// edge pair makes a facet only if the normal cones of the two edges cross, which for the edge e between
// faces n1, n2 of A and f between m1, m2 of B is four signs: f·n1, −f·n2, e·m1, −e·m2 all the same.
// They hold for the edges of a facet, whose cone is a half circle, as well. Signs are taken with
// a tolerance, and h_K is evaluated by full support wherever it could matter, so every value is
// a valid upper bound of the depth. The search ends early when some h_K ≤ floor. Cost: faces × vertices
// both ways, edges of A × (faces + edges) of B. It always converges.
func (s *Search) separating(floor float64) shallowest {
	best := s.faceAxes()
	if best > floor {
		best = s.edgeAxes(best, floor)
	}
	return s.choose(best)
}

// faceAxes evaluates all faces of A and of B and returns the least h_K.
func (s *Search) faceAxes() float64 {
	best := math.Inf(1)
	s.hA, s.hB, s.mB = s.hA[:0], s.hB[:0], s.mB[:0]
	for f := range s.va.NFaces {
		n, d := s.planeA(f)
		_, low := s.b.lowest(n)
		h := d - low
		s.hA = append(s.hA, h)
		best = min(best, h)
	}
	for g := range s.vb.NFaces {
		m, d := s.planeB(g)
		_, low := s.a.lowest(m)
		h := d - low
		s.hB = append(s.hB, h)
		s.mB = append(s.mB, m)
		best = min(best, h)
	}
	return best
}

// edgeAxes lowers best by the edge pairs.
func (s *Search) edgeAxes(best, floor float64) float64 {
	s.edges, s.eB, s.fB1, s.fB2, s.besideB = s.edges[:0], s.eB[:0], s.fB1[:0], s.fB2[:0], s.besideB[:0]
	for _, h := range s.vb.Edge {
		s.besideB = append(s.besideB, body{s.vb, &s.b}.beside(h))
		p, q := s.b.at(int(s.vb.Tail[h])), s.b.at(int(s.vb.Head(h)))
		s.eB = append(s.eB, q.Sub(p))
		s.fB1 = append(s.fB1, s.vb.Face[h])
		s.fB2 = append(s.fB2, s.vb.Face[s.vb.Twin[h]])
	}
	tie := s.tol.tie
	flat := s.tol.arc
	for ea, h := range s.va.Edge {
		p, p1 := s.edgeA(ea)
		e := p1.Sub(p)
		n1, n2 := s.va.Normal(s.va.Face[h]), s.va.Normal(s.va.Face[s.va.Twin[h]])
		besideA, out := body{s.va, &s.a}.beside(h), n1.Add(n2)
		s.row = s.row[:0]
		for _, m := range s.mB {
			s.row = append(s.row, e.Dot(m))
		}
		row := s.row
		for eb, f := range s.eB {
			r1, r2 := row[s.fB1[eb]], row[s.fB2[eb]]
			plus, minus := r1 >= -flat && r2 <= flat, r1 <= flat && r2 >= -flat
			if !plus && !minus {
				continue
			}
			c1, c2 := f.Dot(n1), f.Dot(n2)
			plus = plus && c1 >= -flat && c2 <= flat
			minus = minus && c1 <= flat && c2 >= -flat
			if !plus && !minus {
				continue
			}
			if s.needless(e, f, p.Sub(s.b.at(int(s.vb.Tail[s.vb.Edge[eb]]))), out, &besideA, &s.besideB[eb], best+tie) {
				continue
			}
			if h, ok := s.edgePair(ea, eb, best+tie); ok {
				best = min(best, h)
				s.note(h, best+tie, soa.FacetID{A: uint16(ea), B: uint16(eb), Kind: soa.EdgeEdge})
				if best <= floor {
					return best
				}
			}
		}
	}
	return best
}

// beside returns the way from the tail of a half-edge to the vertex behind its head, and to that
// behind the head of its twin.
func (b body) beside(h soa.HalfEdge) (to [2]vec.Vec3) {
	from := b.h.at(int(b.v.Tail[h]))
	for i, k := range [2]soa.HalfEdge{h, b.v.Twin[h]} {
		first := b.v.LoopFirst[b.v.Face[k]]
		next := first + (k-first+2)%soa.HalfEdge(b.v.LoopLen[b.v.Face[k]])
		to[i] = b.h.at(int(b.v.Tail[next])).Sub(from)
	}
	return to
}

// clearSide is the cosine to the sum of the normals beside an edge from which the side that a
// normal points to is beyond doubt. It is not a tolerance.
const clearSide = 1.0 / (1 << 10)

// needless says whether edgePair would find two edges, e of A and f of B, no facet of K, or one
// deeper than limit. Their arcs of normals cross to arcTol, which of bodies turned next to nothing
// against each other hundreds do.
//
// Of edges next to parallel it asks the vertices beside them: they are no support either way where
// some lie beyond by more than a tie. The product errs by a rounding over the sine there, and
// edgePair takes it in twofold precision. Of others it asks the depth, which is that of edgePair to
// rounding. w is from f to e, out the sum of the normals beside e.
func (s *Search) needless(e, f, w, out vec.Vec3, besideA, besideB *[2]vec.Vec3, limit float64) bool {
	c := e.Cross(f)
	cc, ef := c.Norm2(), e.Norm2()*f.Norm2()
	l := math.Sqrt(cc)
	if cc >= wideSine*wideSine*ef {
		side, depth := c.Dot(out), c.Dot(w)
		if side < 0 {
			side, depth = -side, -depth
		}
		return side > float64(clearSide*l)*out.Norm() && depth > float64((limit+float64(4*s.tol.round))*l)
	}
	if !(cc > minSine*minSine*ef) {
		return false
	}
	err := float64(0x1p-50 * math.Sqrt(ef)) // of the product; it times a length bounds that of a height
	up, down := true, true
	beyond := func(v vec.Vec3, sign float64) {
		high, slack := float64(sign*c.Dot(v)), float64(err*v.Norm())+float64(2*s.tol.tie*l)
		up, down = up && high <= slack, down && high >= -slack
	}
	beyond(besideA[0], 1)
	beyond(besideA[1], 1)
	beyond(besideB[0], -1)
	beyond(besideB[1], -1)
	return !up && !down
}

// edgePair returns h_K along the normal of two edges, by full support, if it is a facet of K no deeper
// than limit.
func (s *Search) edgePair(ea, eb int, limit float64) (float64, bool) {
	gap, n, ok := s.finalise(soa.FacetID{A: uint16(ea), B: uint16(eb), Kind: soa.EdgeEdge})
	if !ok || -gap > limit || s.surpassed(ea, eb, gap, n, limit) {
		return 0, false
	}
	_, high := s.a.highest(n)
	if _, low := s.b.lowest(n); high-low <= limit {
		return high - low, high-low+gap <= s.tol.tie
	}
	return 0, false
}

// fewSupported is up to how many vertices of both bodies a support of all is as soon done as a
// look at some. It is no tolerance.
const fewSupported = 128

// surpassed says whether vertices of the faces beside two edges show that edgePair would find no
// facet, or one deeper than limit: the next but one, and the one across, where a face of many
// corners rises most. The supports are no lower, so it is never wrong. Cost: constant, where
// bodies with n vertices would take n for each of up to n² pairs that lie near the plane of two
// faces.
func (s *Search) surpassed(ea, eb int, gap float64, n vec.Vec3, limit float64) bool {
	if s.va.NVerts+s.vb.NVerts <= fewSupported {
		return false
	}
	high := body{s.va, &s.a}.besideAlong(s.va.Edge[ea], n)
	low := -body{s.vb, &s.b}.besideAlong(s.vb.Edge[eb], n.Neg())
	return high-low > limit || high-low+gap > s.tol.tie
}

// besideAlong returns the height along d of the highest of some vertices of the faces beside an
// edge.
func (b body) besideAlong(h soa.HalfEdge, d vec.Vec3) float64 {
	high := d.Dot(b.h.at(int(b.v.Tail[h])))
	for _, k := range [2]soa.HalfEdge{h, b.v.Twin[h]} {
		first, count := b.v.LoopFirst[b.v.Face[k]], soa.HalfEdge(b.v.LoopLen[b.v.Face[k]])
		for _, on := range [2]soa.HalfEdge{2, count / 2} {
			high = max(high, d.Dot(b.h.at(int(b.v.Tail[first+(k-first+on)%count]))))
		}
	}
	return high
}

// note remembers an edge pair. Pairs come in the order of their ids, so when the list is full of ties
// those that are dropped would lose anyway.
func (s *Search) note(h, limit float64, id soa.FacetID) {
	const most = 64
	if len(s.edges) == most {
		kept := s.edges[:0]
		for _, e := range s.edges {
			if e.h <= limit {
				kept = append(kept, e)
			}
		}
		s.edges = kept
	}
	if len(s.edges) < most {
		s.edges = append(s.edges, scored{h, id})
	}
}

// choose returns the lowest facet id among those that tie with best.
func (s *Search) choose(best float64) shallowest {
	limit := best + s.tol.tie
	for f, h := range s.hA {
		if h <= limit {
			return s.faceOfA(f, h)
		}
	}
	for g, h := range s.hB {
		if h <= limit {
			return s.faceOfB(g, h)
		}
	}
	for _, e := range s.edges {
		if e.h <= limit {
			_, n, _ := s.finalise(e.FacetID)
			return shallowest{e.h, e.FacetID, n}
		}
	}
	return shallowest{h: best}
}

// faceOfA is the facet of face f of A, whose h_K is h, with the lowest vertex of B that ties.
func (s *Search) faceOfA(f int, h float64) shallowest {
	n, d := s.planeA(f)
	j := s.b.firstBelow(n, d-h+s.tol.tie)
	return shallowest{h, soa.FacetID{A: uint16(f), B: uint16(j), Kind: soa.FaceVertex}, n}
}

// faceOfB is the facet of face g of B, whose h_K is h, with the lowest vertex of A that ties.
func (s *Search) faceOfB(g int, h float64) shallowest {
	m, d := s.planeB(g)
	i := s.a.firstBelow(m, d-h+s.tol.tie)
	return shallowest{h, soa.FacetID{A: uint16(i), B: uint16(g), Kind: soa.VertexFace}, m.Neg()}
}

// facetsAnswer ends a search over facets: overlap or a gap too small to tell. It says false, and leaves
// the answer, where the best axis proves a gap beyond that: the distance of such a pair is
// not a matter of facets alone.
func (s *Search) facetsAnswer(best shallowest, out *Answer) bool {
	if best.id.Kind == soa.NoFacet || -best.h > s.tol.close {
		out.Status = NotConverged
		return false
	}
	// Bodies that miss each other by most are farther apart than the facet says by no more than that.
	return s.writeFacet(best.id, s.tol.close, out)
}

// writeFacet answers by a facet whose gap is known to be that of the pair. Its foot may lie outside of it, where facets tie:
// moved together along its normal, the bodies touch somewhere else. Where not even that is so to footTol, it is not, or not
// alone, the shallowest, for facets at an angle θ to each other tie with feet up to depth·θ apart: then all facets are
// tried, and the lowest of the tie for which it is so answers. writeFacet says false where the bodies are apart, or overlap by
// rounding alone, and miss each other by more than most: then the nearest are corners beside the facets, whose distance may be
// anything.
func (s *Search) writeFacet(id soa.FacetID, most float64, out *Answer) bool {
	out.Status = NotConverged
	gap, n, ok := s.finalise(id)
	if !ok {
		return false
	}
	wa, miss := s.touch(id, gap, n)
	if miss > s.tol.foot {
		id = s.touching()
		gap, n, _ = s.finalise(id)
		if wa, miss = s.touch(id, gap, n); gap > -s.tol.close && miss > most {
			return false
		}
	}
	s.write(id, gap, n, wa, out)
	return true
}

// touch returns the point of A that touches B once B is moved by −gap·n, and by how much the two miss each other there; by 0
// where that is known to be less than footTol.
func (s *Search) touch(id soa.FacetID, gap float64, n vec.Vec3) (wa vec.Vec3, miss float64) {
	wa, ok := s.witness(id, gap, n)
	if !ok {
		x := n.Scale(-gap)
		if wa, ok = s.split(x); !ok {
			return s.meet(x, n)
		}
	}
	return wa, 0
}

// touching returns the lowest facet of K that ties with the shallowest and along whose normal the bodies touch, or if there is
// none the shallowest. Cost: that of all facets.
func (s *Search) touching() soa.FacetID {
	best := s.separating(negInf)
	limit := best.h + s.tol.tie
	touches := func(id soa.FacetID) bool {
		gap, n, _ := s.finalise(id)
		_, miss := s.touch(id, gap, n)
		return miss <= s.tol.foot
	}
	for f, h := range s.hA {
		if id := s.faceOfA(f, h).id; h <= limit && touches(id) {
			return id
		}
	}
	for g, h := range s.hB {
		if id := s.faceOfB(g, h).id; h <= limit && touches(id) {
			return id
		}
	}
	for _, e := range s.edges {
		if e.h <= limit && touches(e.FacetID) {
			return e.FacetID
		}
	}
	return best.id
}
