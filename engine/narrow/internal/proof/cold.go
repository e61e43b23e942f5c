package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// clearGap is the distance, in units, from which two bodies are so far apart that every search finds them so.
const clearGap = 1.0 / (1 << 28)

// sureSine is the least d·sin², in units, of a pair a distance d apart: see nearestProven.
const sureSine = 1.0 / (1 << 36)

// Cold answers a pair of which nothing is known, by going down to the facet of K that is next to the line of centres
// and asking for its certificate. It returns false where that proves nothing, or where the pair is out of
// reach; then B is not in A's frame and a search is due. Where it returns true the answer is the search's, to the bit.
//
// Cost: the support along the line of centres, and the edges about the two to six features passed.
func (s *Prover) Cold(reach float64, out *pair.Answer) bool {
	if s.Scale != 1 || s.Off&Descents != 0 || s.AtOnePlace() {
		return false
	}
	i, j, ok := s.LineOfCentres(reach)
	if !ok {
		return false
	}
	start := s.nearestFace(i, j)
	return s.provenBelow(start, nil, reach, out) || s.coplanarCold(&start, reach, out)
}

// coplanarCold answers where the vertex in front of the face that a descent began with is level with others: on its way from there
// the descent may have followed nothing but rounding.
func (s *Prover) coplanarCold(at *pair.FeaturePair, reach float64, out *pair.Answer) bool {
	if at.Kind == soa.FaceVertex {
		at.VertexB = pair.Climb(s.ViewB, at.VertexB, s.Rot.TMulVec(s.ViewA.Normal(at.FaceA).Neg()))
	} else {
		at.VertexA = pair.Climb(s.ViewA, at.VertexA, s.Rot.MulVec(s.ViewB.Normal(at.FaceB)).Neg())
	}
	on := s.Evaluate(at)
	return on.CapSine == 0 && s.coplanarHere(&on, reach, out)
}

// openAllRound reports whether bodies with many edges overlap by so much that a facet no deeper than p may be in any direction: the cone of
// InCone is the whole sphere, and EPA comes there sooner.
func (s *Prover) openAllRound(p float64) bool {
	return len(s.ViewA.Edge)*len(s.ViewB.Edge) > fewCrossings && p-s.ViewA.Inner-s.ViewB.Inner >= s.CentreOfB().Norm()
}

// nearestFace is where the first descent starts: the face, of those next to the support vertices along the line of
// centres, in front of which the other body's centre lies farthest, with that vertex. A body's inscribed ball stands for its width.
func (s *Prover) nearestFace(i, j soa.Vertex) pair.FeaturePair {
	c := s.OriginB
	if s.ViewB.Kind == soa.Facet {
		c = s.MiddleB()
	}
	f, inFront := pair.FaceBefore(s.ViewA, i, c)
	g, other := pair.FaceBefore(s.ViewB, j, s.Rot.TMulVec(s.OriginB.Neg()))
	if other-s.ViewA.Inner > inFront-s.ViewB.Inner {
		return pair.OnVertexFace(i, g)
	}
	return pair.OnFaceVertex(f, j)
}

// coneHere answers by the facet that is shallowest of all in the cone about the line of centres, if it is alone.
func (s *Prover) coneHere(on *evaluated, out *pair.Answer) bool {
	if s.Off&Cones != 0 {
		return false
	}
	s.AllToFrameA()
	best, alone := s.InCone(on.ID, -on.Gap, on.N)
	return alone && best.H > 4*s.Tol.Close && s.FacetsAnswer(best, out)
}

// LineOfCentres returns the support vertices along the line of centres, where GJK starts. ok is false where they prove the pair
// out of reach.
func (s *Prover) LineOfCentres(reach float64) (i, j soa.Vertex, ok bool) {
	v := s.OriginB
	if s.ViewB.Kind == soa.Facet {
		s.AllToFrameA()
		v = s.MiddleB()
	}
	d := v.Norm()
	if !(d > s.Tol.Close) {
		v, d = vec.Vec3{X: 1}, 1
	}
	n := v.Scale(1 / d)
	i, j = s.Supports(n)
	inB := s.Rot.TMulVec(n.Neg())
	gap := n.Dot(s.OriginB) - s.ViewB.Vert(j).Dot(inB) - s.ViewA.Vert(i).Dot(n)
	return i, j, !(gap > max(reach, s.Tol.Close))
}

// CapSineOf returns the sine of the radius of the cap about n within which a feature pair's features are the only supports, 0 if
// there is none.
func (s *Prover) CapSineOf(at *pair.FeaturePair, n vec.Vec3) float64 {
	a, b := s.ViewA, s.ViewB
	inB := s.Rot.TMulVec(n)
	rise := 4 * provenBy * s.LengthScale
	switch at.Kind {
	case soa.FaceVertex:
		return min(a.Caps[at.FaceA], pair.CapSineAt(b, at.VertexB, pair.NoVertex, inB, rise))
	case soa.VertexFace:
		return min(b.Caps[at.FaceB], pair.CapSineAt(a, at.VertexA, pair.NoVertex, n.Neg(), rise))
	}
	capSine := 1.0
	switch at.Kind {
	case soa.VertexVertex, soa.VertexEdge:
		capSine = pair.CapSineAt(a, at.VertexA, pair.NoVertex, n.Neg(), rise)
	default:
		p, p1 := a.Tail[at.HalfA], a.Head(at.HalfA)
		capSine = min(pair.CapSineAt(a, p, p1, n.Neg(), rise), pair.CapSineAt(a, p1, p, n.Neg(), rise))
	}
	switch at.Kind {
	case soa.VertexVertex, soa.EdgeVertex:
		return min(capSine, pair.CapSineAt(b, at.VertexB, pair.NoVertex, inB, rise))
	}
	q, q1 := b.Tail[at.HalfB], b.Head(at.HalfB)
	return min(capSine, pair.CapSineAt(b, q, q1, inB, rise), pair.CapSineAt(b, q1, q, inB, rise))
}

// WriteProven fills the answer from a feature pair whose features alone are the support along n and hold their foot inside: what
// witness and write do, without looking at other features.
func (s *Prover) WriteProven(at *pair.FeaturePair, id soa.FacetID, gap float64, n vec.Vec3, out *pair.Answer) {
	var wa vec.Vec3
	switch at.Kind {
	case soa.FaceVertex:
		wa = s.HullB.At(int(at.VertexB)).Add(n.Scale(-gap))
	case soa.VertexFace:
		wa = s.HullA.At(int(at.VertexA))
	case soa.EdgeEdge:
		wa, _ = s.CrossingPoint(id, gap, n)
	default:
		wa, _ = s.CornerPoint(id, s.Tol.Projection)
	}
	if s.Fill(id, gap, n, wa, out); out.Status == pair.Separated {
		out.Axis, out.AxisSupport = n, s.supportOf(at, n)
	}
}

// supportOf is the height of A's support along n from a feature pair's own features, which lie above all other vertices by far more
// than rounding. Of a face its cap says so, which is an angle: there all vertices are asked.
func (s *Prover) supportOf(at *pair.FeaturePair, n vec.Vec3) float64 {
	switch at.Kind {
	case soa.FaceVertex:
		_, h := s.HullA.Highest(n)
		return h
	case soa.EdgeEdge, soa.EdgeVertex:
		return max(n.Dot(s.ViewA.Vert(s.ViewA.Tail[at.HalfA])), n.Dot(s.ViewA.Vert(s.ViewA.Head(at.HalfA))))
	}
	return n.Dot(s.ViewA.Vert(at.VertexA))
}
