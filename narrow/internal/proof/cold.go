package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// clearGap is the distance, in length scales, from which every search finds two bodies apart.
// Smaller: too close to call for a search. Larger: more searches.
const clearGap = 1.0 / (1 << 28)

// certainSine is the least d·sin², in length scales, for a proof of a pair at distance d, where sin is
// the sine of the cap: see nearestProven.
// Smaller: other features at a tie. Larger: more searches.
const certainSine = 1.0 / (1 << 36)

// Cold answers a pair about which nothing is known. It descends from the line of centres to a facet
// of K and proves the facet. The answer has the same bits as that of a search. Cold returns false
// if it proves nothing, or if the pair is out of reach. The caller must then search, and must not
// rely on the vertices of B in A's frame.
//
// Cost: the supports along the line of centres, and the edges about the two to six features passed.
func (s *Prover) Cold(reach float64, out *pair.Answer) bool {
	if s.Scale != 1 || s.Off&Descents != 0 || s.NearlyConcentric() {
		return false
	}
	i, j, ok := s.LineOfCentres(reach)
	if !ok {
		return false
	}
	start := s.nearestFace(i, j)
	return s.descendAndProve(start, nil, reach, out) || s.coplanarCold(&start, reach, out)
}

// coplanarCold answers a pair whose descent started at a face in front of several coplanar
// vertices. Rounding noise alone may have led the descent away from that face.
func (s *Prover) coplanarCold(at *pair.FeaturePair, reach float64, out *pair.Answer) bool {
	if at.Kind == soa.FaceVertex {
		at.VertexB = pair.Climb(s.ViewB, at.VertexB, s.Rot.TMulVec(s.ViewA.Normal(at.FaceA).Neg()))
	} else {
		at.VertexA = pair.Climb(s.ViewA, at.VertexA, s.Rot.MulVec(s.ViewB.Normal(at.FaceB)).Neg())
	}
	on := s.Evaluate(at)
	return on.CapSine == 0 && s.proveCoplanar(&on, reach, out)
}

// openAllRound reports whether bodies with many edges overlap so deeply that a facet of depth p or
// less may have any normal. EPA then finds the answer sooner.
func (s *Prover) openAllRound(p float64) bool {
	return len(s.ViewA.Edge)*len(s.ViewB.Edge) > fewCrossings && p-s.ViewA.Inner-s.ViewB.Inner >= s.CentreOfB().Norm()
}

// nearestFace returns the start of the first descent. Among the faces at the support vertices i and
// j along the line of centres, it selects the face in front of which the other body's centre lies
// farthest, less the radius of that body's inscribed ball. The start is this face with the other
// body's support vertex.
func (s *Prover) nearestFace(i, j soa.Vertex) pair.FeaturePair {
	f, inFront := pair.FaceBefore(s.ViewA, i, s.MiddleB())
	g, other := pair.FaceBefore(s.ViewB, j, s.Rot.TMulVec(s.OriginB.Neg()))
	if other-s.ViewA.Inner > inFront-s.ViewB.Inner {
		return pair.OnVertexFace(i, g)
	}
	return pair.OnFaceVertex(f, j)
}

// LineOfCentres returns the support vertices along the line of centres, from which GJK starts too.
// ok is false if these supports prove the pair out of reach.
func (s *Prover) LineOfCentres(reach float64) (i, j soa.Vertex, ok bool) {
	if s.ViewB.Kind.IsFlat() {
		s.AllToFrameA()
	}
	v := s.MiddleB()
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

// leastRise is how far the edges at a vertex of a cap must rise, in the scale of the views. One
// provenBy of it remains once a motion budget has used up three quarters of the cap's sine.
func (s *Prover) leastRise() float64 { return 4 * provenBy * s.LengthScale / s.Scale }

// CapSineOf returns the sine of the angular radius of the cap about n in which the features of at
// are the only supports. It returns 0 if there is no such cap.
func (s *Prover) CapSineOf(at *pair.FeaturePair, n vec.Vec3) float64 {
	a, b := s.ViewA, s.ViewB
	inB := s.Rot.TMulVec(n)
	rise := s.leastRise()
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

// WriteProven writes the answer for a feature pair whose features alone are the support along n and
// contain their projection. The result equals that of Witness and Write, without a test of other
// features.
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

// supportOf returns the height of A's support along n from the features of at alone. Of a vertex or
// an edge, these lie above all other vertices by far more than rounding. Of a face, the cap ensures
// only an angle, so all vertices are tested.
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
