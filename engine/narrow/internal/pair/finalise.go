package pair

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Answers writes the answer if the features hold their own foot and are proven nearest. d is about
// their distance.
//
// The error of the gap does not depend on d. From below: the support along n parts the bodies by
// the gap less nearTol, ProofTol/8. From above: the feet lie no farther than projectionTol outside of the
// features, so points of the bodies are √(gap² + projectionTol²) apart at most, which for a gap above
// CloseTol is 0.06 ProofTol more. A gap of zero or less answers where d says that the true one is
// no more than CloseTol above it: other features may part the bodies there.
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

// Finalise returns the gap and the unit normal, A to B, of a pair of features, in the frame and scale of
// the search. It is a function of the features and the poses alone: whatever search or certificate
// found the features, the bits of the answer are the same. The sign of an edge pair's normal is that of
// the edges' normal cones, not that of the gap. ok is false where the features have no direction:
// parallel edges, coincident vertices.
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

// outwardness is positive when n points out of A at edge ea and into B at edge eb: the sum over the four
// faces of n's component along the outward perpendicular of the edge in the face. It holds for
// the edges of a facet too, whose two normals cancel.
func (s *Frame) outwardness(ea, eb int, e, f, n vec.Vec3) float64 {
	h := s.ViewA.Edge[ea]
	n1, _ := s.PlaneA(int(s.ViewA.Face[h]))
	n2, _ := s.PlaneA(int(s.ViewA.Face[s.ViewA.Twin[h]]))
	k := s.ViewB.Edge[eb]
	m1, _ := s.PlaneB(int(s.ViewB.Face[k]))
	m2, _ := s.PlaneB(int(s.ViewB.Face[s.ViewB.Twin[k]]))
	// e×n1 points out of face 1, n2×e out of face 2.
	outA := e.Cross(n1.Sub(n2))
	outB := f.Cross(m1.Sub(m2))
	return n.Dot(outA)/e.Norm() - n.Dot(outB)/f.Norm()
}

// between returns the vector from A to B between two vertices, or a vertex and the line of an edge, and
// for the latter where along the edge the foot is, from 0 at the tail to 1 at the head, and the edge.
//
// What is left of the vector along the edge after the first projection is rounding, of the size
// of the coordinates: for a small distance that would tilt the normal, so it is projected out again.
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

// Perpendicular returns the part of w at right angles to e, and t with w + t·e equal to it.
func Perpendicular(w, e vec.Vec3) (vec.Vec3, float64) {
	ee := e.Norm2()
	t := -w.Dot(e) / ee
	w = w.AddScaled(t, e)
	return w.AddScaled(-w.Dot(e)/ee, e), t
}

// CornerPoint is witness for two vertices, or a vertex and an edge.
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

// Write fills an answer from features whose witness point on A is wa.
func (s *Frame) Write(id soa.FacetID, gap float64, n, wa vec.Vec3, out *Answer) {
	if s.Fill(id, gap, n, wa, out); out.Status == Separated {
		_, h := s.HullA.Highest(n)
		out.Axis, out.AxisSupport = n, h/s.Scale
	}
}

// Fill is write without the axis.
func (s *Frame) Fill(id soa.FacetID, gap float64, n, wa vec.Vec3, out *Answer) {
	k := 1 / s.Scale
	out.SetGap(gap * k)
	out.Exact = true
	out.Facet = id
	out.Normal = s.RotA.Rotate(n)
	out.ArmA = s.RotA.Rotate(wa.Scale(k))
	out.ArmB = s.RotA.Rotate(wa.AddScaled(gap, n).Sub(s.OriginB).Scale(k))
}
