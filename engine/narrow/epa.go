package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// epa answers a pair whose K holds the origin, or nearly: the shallowest facet of K.
//
// Source: van den Bergen 2001. A polytope inside K grows by supports through its triangle nearest to the
// origin until no support moves that triangle. Departures: distances have a sign, so an origin on
// the surface or slightly outside is nothing special; the key of a triangle is a proven bound (see
// measure); expansion goes on until every triangle within a tie of the best is settled; and the result
// is not a triangle but the facet of K behind it, found by its features and evaluated by full support,
// so the answer does not depend on the path. The answer is proven when the least key comes within
// ProofTol of it. Cost: a support and about six triangles per expansion, 5 to 30 of them as a rule;
// at most maxCorners. Failure: NotConverged when the rim of an insertion breaks, the cap is reached,
// or the proof misses.
func (s *Search) epa(out *Answer) {
	high, low, ok := s.expand()
	s.settleAs(high, low, ok, out)
}

// settleAs answers a pair whose polytope has been expanded, with the bounds that expand found.
func (s *Search) settleAs(high, low float64, ok bool, out *Answer) {
	if !ok {
		out.Status = NotConverged
		return
	}
	best := s.settle(high, low)
	if best.id.Kind == soa.NoFacet || best.h-low > s.tol.proof {
		out.Status = NotConverged
		return
	}
	s.facetsAnswer(best, out)
}

// expand grows the polytope. high is the least h_K seen, low a lower bound of the depth.
func (s *Search) expand() (high, low float64, ok bool) {
	s.corners, s.tris, s.heap, s.done = s.corners[:0], s.tris[:0], s.heap[:0], s.done[:0]
	s.from = s.from[:0]
	if !s.tetrahedron() {
		return 0, 0, false
	}
	high, low = math.Inf(1), math.Inf(1)
	tie := s.tol.tie
	for {
		t := s.pop()
		if t < 0 {
			return high, low, true
		}
		key, dir := s.tris[t].key, s.tris[t].dir
		if key > high+2*tie {
			return high, min(low, key), true
		}
		ia, ha := s.a.highest(dir)
		ib, hb := s.b.lowest(dir)
		h := ha - hb
		high = min(high, h)
		if high < -s.tol.close {
			return high, high, true // apart after all
		}
		if h-key <= tie {
			low = min(low, key)
			s.done = append(s.done, t)
			continue
		}
		c := corner{s.a.at(ia).Sub(s.b.at(ib)), uint16(ia), uint16(ib)}
		seen := s.sees(c.p, t)
		if seen < 0 {
			low = min(low, key)
			s.done = append(s.done, t)
			continue
		}
		if len(s.corners) == maxCorners || !s.insert(c, seen) {
			return 0, 0, false
		}
		if seen != t && !s.tris[t].gone {
			s.push(t)
		}
	}
}

// sees returns a triangle that p lies above, t if it can be, or -1.
func (s *Search) sees(p vec.Vec3, t int32) int32 {
	visible := s.tol.visible
	if u := &s.tris[t]; u.n.Dot(p)-u.d > visible {
		return t
	}
	for i := range s.tris {
		if u := &s.tris[i]; !u.gone && u.n.Dot(p)-u.d > visible {
			return int32(i)
		}
	}
	return -1
}

// tetrahedron starts the polytope with GJK's simplex, or where that is flat or not complete with one
// spanned by supports. The origin may lie outside: negative keys bring it in.
func (s *Search) tetrahedron() bool {
	if s.n != 4 || !s.solid() {
		s.span()
		if !s.solid() {
			return false
		}
	}
	c := s.c
	if c[1].p.Sub(c[0].p).Cross(c[2].p.Sub(c[0].p)).Dot(c[3].p.Sub(c[0].p)) > 0 {
		c[1], c[2] = c[2], c[1] // corner 3 lies below the triangle 0 1 2
	}
	for _, k := range c {
		s.corners = append(s.corners, k)
		s.from = append(s.from, -1)
	}
	s.addTriangle(0, 1, 2)
	s.addTriangle(0, 2, 3)
	s.addTriangle(0, 3, 1)
	s.addTriangle(1, 3, 2)
	s.tris[0].other = [3]int32{2, 3, 1}
	s.tris[1].other = [3]int32{0, 3, 2}
	s.tris[2].other = [3]int32{1, 3, 0}
	s.tris[3].other = [3]int32{2, 1, 0}
	return true
}

// solid says whether the simplex is a tetrahedron whose faces have normals one can trust.
func (s *Search) solid() bool {
	const flat = 1.0 / (1 << 36)
	return s.n == 4 && s.thicker(flat)
}

// thicker says whether the volume of four corners exceeds a share of the product of three edges.
func (s *simplex) thicker(share float64) bool {
	e, f, g := s.c[1].p.Sub(s.c[0].p), s.c[2].p.Sub(s.c[0].p), s.c[3].p.Sub(s.c[0].p)
	v := e.Cross(f).Dot(g)
	return v*v > share*share*e.Norm2()*f.Norm2()*g.Norm2()
}

// span builds a tetrahedron of vertices of K that are far apart: the extremes along an axis, then
// at right angles to their line, then to their plane.
func (s *Search) span() {
	s.n = 2
	widest := -1.0
	for _, d := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		p, q := s.vertexAlong(d), s.vertexAlong(d.Neg())
		if w := p.p.Sub(q.p).Norm2(); w > widest {
			widest, s.c[0], s.c[1] = w, p, q
		}
	}
	line := s.c[1].p.Sub(s.c[0].p)
	u := line.Perpendicular()
	w := line.Cross(u).Unit()
	s.farthest(2, func(p vec.Vec3) float64 { return line.Cross(p.Sub(s.c[0].p)).Norm2() }, u, w)
	n := line.Cross(s.c[2].p.Sub(s.c[0].p)).Unit()
	s.farthest(3, func(p vec.Vec3) float64 { return math.Abs(n.Dot(p.Sub(s.c[0].p))) }, n)
	s.n = 4
}

// farthest sets corner k to the support along ±dirs with the largest measure.
func (s *Search) farthest(k int, measure func(vec.Vec3) float64, dirs ...vec.Vec3) {
	best := -1.0
	for _, d := range dirs {
		for _, c := range [2]corner{s.vertexAlong(d), s.vertexAlong(d.Neg())} {
			if m := measure(c.p); m > best {
				best, s.c[k] = m, c
			}
		}
	}
}

// vertexAlong returns the vertex of K farthest along d.
func (s *Search) vertexAlong(d vec.Vec3) corner {
	ia, _ := s.a.highest(d)
	ib, _ := s.b.lowest(d)
	return corner{s.a.at(ia).Sub(s.b.at(ib)), uint16(ia), uint16(ib)}
}

// settle returns the shallowest facet of K, given the bounds of its h_K, with ties to the lowest id.
//
// All faces are candidates: one product with a vertex of the polytope bounds the h_K of a face from
// below and drops nearly all, the rest get full support. So ties between faces are settled
// exactly as separating does. Edge pairs matter only if no face comes within a tie of low; they are drawn
// from the corners of the settled triangles.
func (s *Search) settle(high, low float64) shallowest {
	limit := high + s.tol.proof
	best := s.facesWithin(limit)
	s.edges = s.edges[:0]
	if best > low+s.tol.tie {
		best = s.edgesWithin(best, limit)
	}
	if best > limit {
		return shallowest{}
	}
	found := s.choose(best)
	if found.id.Kind == soa.EdgeEdge && s.edgesBeside(found, limit) {
		found = s.choose(best)
	}
	return found
}

// edgesBeside notes the lower pairs of edges that tie with the one found, which the corners of triangles need not be the ends of: edges
// level with it. It says false where there are no other edges next to the plane.
func (s *Search) edgesBeside(found shallowest, limit float64) bool {
	s.near(found.n, s.band(max(found.h, s.tol.tie)))
	if len(s.edgesA)+len(s.edgesB) <= 2 {
		return false
	}
	for _, ea := range s.edgesA {
		for _, eb := range s.edgesB {
			id := soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge}
			if !id.Before(found.id) {
				break
			}
			if h, ok := s.edgePair(int(ea), int(eb), min(found.h+s.tol.tie, limit)); ok {
				s.note(h, found.h+s.tol.tie, id)
			}
		}
	}
	s.sortEdges()
	return true
}

// facesWithin fills hA and hB as faceAxes does, with +Inf where h_K is above limit.
func (s *Search) facesWithin(limit float64) float64 {
	best := math.Inf(1)
	s.hA, s.hB = s.hA[:0], s.hB[:0]
	k := &s.corners[0]
	if len(s.done) > 0 {
		k = &s.corners[s.tris[s.done[0]].v[0]]
	}
	// h_K(n) ≥ n·k for every corner k; the plane gives max n·a.
	a, b := s.a.at(int(k.a)), s.b.at(int(k.b))
	slack := limit + s.tol.round
	for f := range s.va.NFaces {
		h := math.Inf(1)
		if n, d := s.planeA(f); d-n.Dot(b) <= slack {
			_, low := s.b.lowest(n)
			if h = d - low; h > limit {
				h = math.Inf(1)
			}
		}
		s.hA = append(s.hA, h)
		best = min(best, h)
	}
	inB := s.toB(a)
	for g := range s.vb.NFaces {
		h := math.Inf(1)
		if float64(s.vb.D[g]*s.scale)-s.vb.Normal(soa.Face(g)).Dot(inB) <= slack {
			m, d := s.planeB(g)
			_, low := s.a.lowest(m)
			if h = d - low; h > limit {
				h = math.Inf(1)
			}
		}
		s.hB = append(s.hB, h)
		best = min(best, h)
	}
	return best
}

// edgesWithin evaluates the edge pairs between the corners of the settled triangles near the best.
func (s *Search) edgesWithin(best, limit float64) float64 {
	for _, t := range s.done {
		if s.tris[t].key > limit {
			continue
		}
		s.nearA, s.nearB = s.nearA[:0], s.nearB[:0]
		for _, v := range s.tris[t].v {
			s.nearA = appendNew(s.nearA, s.corners[v].a)
			s.nearB = appendNew(s.nearB, s.corners[v].b)
		}
		s.edgesA = s.edgesAmong(s.edgesA[:0], s.va, s.nearA)
		s.edgesB = s.edgesAmong(s.edgesB[:0], s.vb, s.nearB)
		for _, ea := range s.edgesA {
			for _, eb := range s.edgesB {
				if h, ok := s.edgePair(int(ea), int(eb), min(best+s.tol.tie, limit)); ok {
					best = min(best, h)
					s.note(h, best+s.tol.tie, soa.FacetID{A: ea, B: eb, Kind: soa.EdgeEdge})
				}
			}
		}
	}
	s.sortEdges()
	return best
}

func appendNew(to []uint16, k uint16) []uint16 {
	for _, x := range to {
		if x == k {
			return to
		}
	}
	return append(to, k)
}

// sortEdges puts the edge pairs in the order of their ids, which is what choose expects.
func (s *Search) sortEdges() {
	e := s.edges
	for i := 1; i < len(e); i++ {
		for j := i; j > 0 && e[j].Before(e[j-1].FacetID); j-- {
			e[j], e[j-1] = e[j-1], e[j]
		}
	}
}
