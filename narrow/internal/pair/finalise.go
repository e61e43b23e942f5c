package pair

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Answers writes the answer to out and returns true if the features id contain their own projection
// and are proven to be the nearest. d is an estimate of their distance.
//
// The error of the gap does not depend on d. From below: the support along n separates the bodies
// by the gap less nearTol, which is ProofTol/8. From above: the projections lie at most
// projectionTol outside the features, so points of the bodies are at most √(gap² + projectionTol²)
// apart. For a gap above CloseTol that is 0.06·ProofTol more than the gap. A gap of zero or less is
// accepted only if, by d, the true gap is at most CloseTol larger: other features may separate the
// bodies then.
func (s *Frame) Answers(id soa.FacetID, d float64, out *Answer) bool {
	gap, n, ok := s.Finalise(id)
	if !ok || !(gap > 0) && !(d <= s.Tol.Close && d-gap <= s.Tol.Close) {
		return false
	}
	_, hi := s.HullA.Highest(n)
	if _, lo := s.HullB.Lowest(n); !(math.Abs(gap-(lo-hi)) <= s.Tol.near) {
		return false
	}
	wa, inside := s.Witness(id, gap, n)
	if !inside {
		return false
	}
	s.Write(id, gap, n, wa, out)
	return true
}

// Finalise returns the gap and the unit normal, from A to B, of a pair of features, in the frame
// and scale of s. The result depends on the features and the poses alone. Whatever search or
// certificate found the features, the answer has the same bits. The normal of two edges is oriented
// by their normal cones, not by the sign of the gap. ok is false if the features define no
// direction: parallel edges, or coincident vertices.
func (s *Frame) Finalise(id soa.FacetID) (gap float64, n vec.Vec3, ok bool) {
	switch id.Kind {
	case soa.FaceVertex:
		n, d := s.PlaneA(int(id.A))
		return n.Dot(s.HullB.At(int(id.B))) - d, n, true
	case soa.VertexFace:
		m, d := s.PlaneB(int(id.B))
		return m.Dot(s.HullA.At(int(id.A))) - d, m.Neg(), true
	case soa.EdgeEdge:
		p, p1 := s.EdgeA(int(id.A))
		q, q1 := s.EdgeB(int(id.B))
		n, ok := Crossing(p, p1, q, q1)
		if !ok {
			return 0, vec.Vec3{}, false
		}
		if s.outwardness(int(id.A), int(id.B), p1.Sub(p), q1.Sub(q), n) < 0 {
			n = n.Neg()
		}
		return n.Dot(q.Sub(p)), n, true
	}
	d, _, _ := s.between(id)
	gap = d.Norm()
	if n = d.Unit(); n == (vec.Vec3{}) {
		return 0, n, false
	}
	return gap, n, true
}

// outwardness is positive if n points out of A at edge ea and into B at edge eb. It adds, over the
// four adjacent faces, the component of n along the outward perpendicular of the edge within the
// face. The sum is also valid for the edges of a facet B, whose two normals cancel.
func (s *Frame) outwardness(ea, eb int, e, f, n vec.Vec3) float64 {
	h := s.ViewA.Edge[ea]
	n1, _ := s.PlaneA(int(s.ViewA.Face[h]))
	n2, _ := s.PlaneA(int(s.ViewA.Face[s.ViewA.Twin[h]]))
	k := s.ViewB.Edge[eb]
	m1, _ := s.PlaneB(int(s.ViewB.Face[k]))
	m2, _ := s.PlaneB(int(s.ViewB.Face[s.ViewB.Twin[k]]))
	// e×n1 points out of face 1, and n2×e out of face 2.
	outA := e.Cross(n1.Sub(n2))
	outB := f.Cross(m1.Sub(m2))
	return n.Dot(outA)/e.Norm() - n.Dot(outB)/f.Norm()
}

// between returns the vector from A to B between two vertices, or between a vertex and the line of
// an edge. For an edge it also returns the edge vector, and the position of the vertex's projection
// along the edge: 0 at the tail, 1 at the head.
//
// After one projection the vector keeps a component along the edge, due to rounding, that is
// proportional to the coordinates. At a small distance that component would tilt the normal.
// Perpendicular therefore projects twice.
func (s *Frame) between(id soa.FacetID) (d vec.Vec3, along float64, edge vec.Vec3) {
	switch id.Kind {
	case soa.VertexVertex:
		return s.HullB.At(int(id.B)).Sub(s.HullA.At(int(id.A))), 0, vec.Vec3{}
	case soa.VertexEdge:
		p := s.HullA.At(int(id.A))
		q, q1 := s.EdgeB(int(id.B))
		d, along = Perpendicular(q.Sub(p), q1.Sub(q))
		return d, along, q1.Sub(q)
	}
	q := s.HullB.At(int(id.B))
	p, p1 := s.EdgeA(int(id.A))
	d, along = Perpendicular(p.Sub(q), p1.Sub(p))
	return d.Neg(), along, p1.Sub(p)
}

// Perpendicular returns the part of w perpendicular to e, and t such that the part is w + t·e.
func Perpendicular(w, e vec.Vec3) (vec.Vec3, float64) {
	ee := e.Norm2()
	t := -w.Dot(e) / ee
	w = w.AddScaled(t, e)
	return w.AddScaled(-w.Dot(e)/ee, e), t
}

// CornerPoint is Witness for two vertices, or for a vertex and an edge. tol is how far beyond the
// ends of the edge the projection may lie.
func (s *Frame) CornerPoint(id soa.FacetID, tol float64) (wa vec.Vec3, inside bool) {
	if id.Kind == soa.VertexVertex {
		return s.HullA.At(int(id.A)), true
	}
	_, t, e := s.between(id)
	slack := tol / e.Norm()
	inside = t >= -slack && t <= 1+slack
	if id.Kind == soa.VertexEdge {
		return s.HullA.At(int(id.A)), inside
	}
	p, _ := s.EdgeA(int(id.A))
	return p.AddScaled(min(max(t, 0), 1), e), inside
}

// Write fills an answer from features with gap, normal n and witness point wa on A.
func (s *Frame) Write(id soa.FacetID, gap float64, n, wa vec.Vec3, out *Answer) {
	if s.Fill(id, gap, n, wa, out); out.Status == Separated {
		_, h := s.HullA.Highest(n)
		out.Axis, out.AxisSupport = n, h/s.Scale
	}
}

// Fill is Write without the axis.
func (s *Frame) Fill(id soa.FacetID, gap float64, n, wa vec.Vec3, out *Answer) {
	k := 1 / s.Scale
	out.SetGap(gap * k)
	out.Exact = true
	out.Facet = id
	out.Normal = s.RotA.Rotate(n)
	out.ArmA = s.RotA.Rotate(wa.Scale(k))
	out.ArmB = s.RotA.Rotate(wa.AddScaled(gap, n).Sub(s.OriginB).Scale(k))
}
