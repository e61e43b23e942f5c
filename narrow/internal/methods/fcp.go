package methods

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// maxClimb bounds the planes that a climb passes, and maxTied the pairs of vertices that it tries
// at one plane. The gap grows from plane to plane. Rocks of 128 vertices need 5 planes. If a climb
// is cut short, the exact test answers the pair.
// Smaller: more exact tests.
const (
	maxClimb = 64
	maxTied  = 64
)

// climber is memory for a climb: the edges and faces at the nearest vertices, and the pairs of
// vertices tried.
type climber struct {
	atA, atB []outgoing
	pairs    []vertexPair
	asked    int // calls of supports
}

// vertexPair is a pair of vertices, i of A and j of B.
type vertexPair struct{ i, j uint16 }

// outgoing is an edge at a vertex, with the face to its left.
type outgoing struct {
	dir    vec.Vec3 // from the vertex to the other end
	normal vec.Vec3 // outward, of the face
	half   soa.HalfEdge
	face   soa.Face
}

// FastCommonPlane answers two polyhedra by the fast common plane method. The status is right. The
// gap of a pair apart is exact, or a positive lower bound above both reach and dtol, m. The gap of
// an overlapping pair is minus the depth along a common plane. That depth is never less than the
// exact depth and usually equal to it; Exact is set if that is proven. The list gets type and
// contacts.
//
// Source: Nezami et al. 2004. Let i and j be the vertices nearest to the plane. The paper has four
// types of candidates for the common plane: perpendicular to the line between i and j;
// perpendicular to the part of that line across an edge of either body there; parallel to a face
// there; parallel to an edge of each body there. The best candidate yields new nearest vertices,
// and so on until these stay the same. The search starts with the plane of the last step, which
// usually is the answer already.
//
// Departures:
//
//   - A candidate that the two vertices do not support is dropped by testing the edges there, not
//     by its gap over all vertices. Of the planes that two vertices support, the best is one of the
//     candidates.
//   - If vertices tie, all their pairs are tried.
//   - The first plane is the best of the plane across the line of centres and those of the faces in
//     front.
//   - settlePlane verifies status and depth.
//
// Cost: products of the edges at the two nearest vertices, and two supports per plane; usually one
// or two planes after the first.
func (s *Methods) FastCommonPlane(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	s.Paper.Checks = Checks{}
	return s.answerWithList((*Methods).climbed, a, pa, b, pb, reach, dtol, list, out)
}

// climbed answers a loaded pair for FastCommonPlane.
func (s *Methods) climbed(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	p, ok := s.lastPlane(kept)
	if !ok {
		p = s.frontPlane(far)
	}
	return s.settlePlane(p, far, out)
}

// frontPlane returns the first plane of a pair not seen before. Three planes are tried: the one
// across the line of centres, and for each body the face plane that the other's centre lies highest
// above. frontPlane returns the one with the largest gap. Bodies deep in each other, or long and
// flat, have common planes on several sides. This choice starts on the side where they are nearest
// to being apart.
func (s *Methods) frontPlane(far float64) commonPlane {
	p := s.planeBetweenCentres()
	if p.gap-s.Tol.Round > far {
		return p
	}
	c := s.MiddleB()
	front, height := 0, math.Inf(-1)
	for f := range s.ViewA.NFaces {
		if n, d := s.PlaneA(f); n.Dot(c)-d > height {
			front, height = f, n.Dot(c)-d
		}
	}
	n, _ := s.PlaneA(front)
	if q := s.planeAlong(n); q.gap > p.gap {
		p = q
	}
	// B's planes are evaluated in B's frame, so A's centre is transformed there.
	z := s.Rot.TMulVec(s.OriginB).Neg()
	front, height = 0, math.Inf(-1)
	for g := range s.ViewB.NFaces {
		if h := s.ViewB.Normal(soa.Face(g)).Dot(z) - float64(s.ViewB.D[g]*s.Scale); h > height {
			front, height = g, h
		}
	}
	m, _ := s.PlaneB(front)
	if q := s.planeAlong(m.Neg()); q.gap > p.gap {
		p = q
	}
	return p
}

// climb moves from a plane to a common plane, by candidates. It ends early at a gap above far. end
// reports whether the result is a common plane whose features contain the projection of the origin.
// These features are then in at.id.
func (s *Methods) climb(p commonPlane, far float64) (at commonPlane, end bool) {
	if p.gap-s.Tol.Round > far || s.holdsProjection(&p) {
		return p, true
	}
	first := true
	for range maxClimb {
		next, ok := s.bestAround(p.i, p.j)
		s.climber.pairs = append(s.climber.pairs[:0], vertexPair{p.i, p.j})
		for k := 0; !ok || !first && !(next.gap > p.gap+s.Tol.Tie); k++ {
			if k == len(s.climber.pairs) || k == maxTied {
				return p, false
			}
			s.tiedWith(s.climber.pairs[k], p.n)
			if k+1 == len(s.climber.pairs) {
				return p, false
			}
			next, ok = s.bestAround(s.climber.pairs[k+1].i, s.climber.pairs[k+1].j)
		}
		id := next.id
		next = s.planeAlong(next.n)
		next.id = id
		if next.gap-s.Tol.Round > far || s.holdsProjection(&next) {
			return next, true
		}
		p, first = next, false
	}
	return p, false
}

// holdsProjection reports whether the features of a plane support it and contain the projection of
// the origin. No small turn of the plane then increases the gap.
func (s *Methods) holdsProjection(p *commonPlane) bool {
	if p.id.Kind == soa.NoFacet {
		return false
	}
	gap, n, ok := s.Finalise(p.id)
	if !ok || !(math.Abs(gap-p.gap) <= s.Tol.Tie) || p.id.Kind > soa.EdgeEdge && gap <= s.Tol.Close {
		return false
	}
	_, inside := s.Witness(p.id, gap, n)
	return inside
}

// tiedWith appends to the pairs of vertices the neighbours of a pair that are as near to the plane
// with normal n, unless they are listed already.
func (s *Methods) tiedWith(of vertexPair, n vec.Vec3) {
	c := &s.climber
	flat := 2 * s.Tol.Tie
	p := s.HullA.At(int(of.i))
	for _, h := range pair.RingOf(s.ViewA, of.i) {
		k := s.ViewA.Head(h)
		if n.Dot(s.HullA.At(int(k)).Sub(p)) >= -flat {
			c.pairs = pair.AppendNew(c.pairs, vertexPair{uint16(k), of.j})
		}
	}
	q := s.HullB.At(int(of.j))
	for _, h := range pair.RingOf(s.ViewB, of.j) {
		k := s.ViewB.Head(h)
		if n.Dot(s.HullB.At(int(k)).Sub(q)) <= flat {
			c.pairs = pair.AppendNew(c.pairs, vertexPair{of.i, uint16(k)})
		}
	}
}

// bestAround returns the plane with the largest gap among those whose nearest vertices are i and j.
// Over the directions that the two vertices support, the gap is n·w, with w the vector between
// them. Its maximum lies in the interior, on a side or at a corner of that set, so it is one of the
// candidates. ok is false if the two vertices support no common direction.
func (s *Methods) bestAround(i, j uint16) (best commonPlane, ok bool) {
	c := &s.climber
	p, q := s.HullA.At(int(i)), s.HullB.At(int(j))
	w := q.Sub(p)
	c.atA, c.atB = c.atA[:0], c.atB[:0]
	for _, h := range pair.RingOf(s.ViewA, i) {
		k := s.ViewA.Head(h)
		c.atA = append(c.atA, outgoing{s.HullA.At(int(k)).Sub(p), s.ViewA.Normal(s.ViewA.Face[h]), h, s.ViewA.Face[h]})
	}
	for _, h := range pair.RingOf(s.ViewB, j) {
		k := s.ViewB.Head(h)
		c.atB = append(c.atB, outgoing{s.HullB.At(int(k)).Sub(q), s.Rot.MulVec(s.ViewB.Normal(s.ViewB.Face[h])), h, s.ViewB.Face[h]})
	}
	best = commonPlane{i: i, j: j, gap: pair.NegInf}
	checks := &s.Paper.Checks
	defer func() { checks.Entrance, c.asked = checks.Entrance+c.asked, 0 }()
	if s.acrossLine(w, &best) {
		return best, true
	}
	s.alongFaces(w, &best)
	s.alongEdges(w, &best)
	checks.FaceVertex, checks.VertexFace = checks.FaceVertex+len(c.atA), checks.VertexFace+len(c.atB)
	checks.EdgeEdge += len(c.atA) * len(c.atB)
	return best, best.gap > pair.NegInf
}

// take makes a candidate the best if its gap is larger by more than a tie.
func (p *commonPlane) take(n vec.Vec3, gap, tie float64, id soa.FacetID) {
	if gap > p.gap+tie {
		p.n, p.gap, p.id = n, gap, id
	}
}

// acrossLine tries the planes perpendicular to w, and to the parts of w across an edge. It returns
// true if the first plane is supported, because no other plane then has a gap as large.
func (s *Methods) acrossLine(w vec.Vec3, best *commonPlane) bool {
	c := &s.climber
	d := w.Norm()
	if !(d > s.Tol.Close) {
		return false
	}
	n := w.Scale(1 / d)
	if c.supports(n, s.Tol.Tie) {
		best.take(n, d, 0, soa.FacetID{Kind: soa.VertexVertex, A: best.i, B: best.j})
		return true
	}
	for k := range c.atA {
		e := &c.atA[k]
		if n, d := acrossEdge(w, e.dir); d > s.Tol.Close && d > best.gap && c.supports(n, s.Tol.Tie) {
			best.take(n, d, 0, soa.FacetID{Kind: soa.EdgeVertex, A: pair.EdgeNumber(s.ViewA, e.half), B: best.j})
		}
	}
	for k := range c.atB {
		f := &c.atB[k]
		if n, d := acrossEdge(w, f.dir); d > s.Tol.Close && d > best.gap && c.supports(n, s.Tol.Tie) {
			best.take(n, d, 0, soa.FacetID{Kind: soa.VertexEdge, A: best.i, B: pair.EdgeNumber(s.ViewB, f.half)})
		}
	}
	return false
}

// acrossEdge returns the direction and length of the part of w perpendicular to an edge.
func acrossEdge(w, e vec.Vec3) (vec.Vec3, float64) {
	w, _ = pair.Perpendicular(w, e)
	d := w.Norm()
	return w.Unit(), d
}

// alongFaces tries the planes parallel to a face at either vertex.
func (s *Methods) alongFaces(w vec.Vec3, best *commonPlane) {
	c := &s.climber
	for k := range c.atA {
		e := &c.atA[k]
		if gap := e.normal.Dot(w); gap > best.gap && below(c.atB, e.normal.Neg(), s.Tol.Tie) {
			best.take(e.normal, gap, s.Tol.Tie, soa.FacetID{Kind: soa.FaceVertex, A: uint16(e.face), B: best.j})
		}
	}
	for k := range c.atB {
		f := &c.atB[k]
		if gap := -f.normal.Dot(w); gap > best.gap && below(c.atA, f.normal.Neg(), s.Tol.Tie) {
			best.take(f.normal.Neg(), gap, s.Tol.Tie, soa.FacetID{Kind: soa.VertexFace, A: best.i, B: uint16(f.face)})
		}
	}
}

// alongEdges tries the planes parallel to an edge at each vertex.
func (s *Methods) alongEdges(w vec.Vec3, best *commonPlane) {
	c := &s.climber
	for k := range c.atA {
		for l := range c.atB {
			e, f := &c.atA[k], &c.atB[l]
			n := e.dir.Cross(f.dir)
			nn := n.Norm2()
			if !(nn > pair.MinSine*pair.MinSine*e.dir.Norm2()*f.dir.Norm2()) {
				continue
			}
			n = n.Scale(1 / math.Sqrt(nn))
			// The edge next to e tells which of the two directions A may support, unless that edge
			// lies in the plane as well.
			ways := 1
			if next := n.Dot(c.atA[(k+1)%len(c.atA)].dir); next > s.Tol.Tie {
				n = n.Neg()
			} else if next >= -s.Tol.Tie {
				ways = 2
			}
			for range ways {
				if gap := n.Dot(w); gap > best.gap && c.supports(n, s.Tol.Tie) {
					best.take(n, gap, s.Tol.Tie, soa.FacetID{Kind: soa.EdgeEdge, A: pair.EdgeNumber(s.ViewA, e.half), B: pair.EdgeNumber(s.ViewB, f.half)})
				}
				n = n.Neg()
			}
		}
	}
}

// supports reports whether the two vertices are the support along n: none of the edges of A rises
// along n, and none of the edges of B falls.
func (c *climber) supports(n vec.Vec3, flat float64) bool {
	c.asked++
	return below(c.atA, n, flat) && below(c.atB, n.Neg(), flat)
}

// below reports whether none of the edges at a vertex rises along n.
func below(at []outgoing, n vec.Vec3, flat float64) bool {
	for k := range at {
		if at[k].dir.Dot(n) > flat {
			return false
		}
	}
	return true
}
