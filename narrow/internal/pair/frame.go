package pair

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Frame is a pair of polyhedra in the frame of A, with reusable memory. It stores nothing between
// pairs that could affect an answer.
type Frame struct {
	ViewA, ViewB *soa.View
	RotA         vec.Quat  // orientation of A; rotates answers to world axes
	HullA, HullB PosedHull // vertices in the frame of A, times Scale; those of B only once they have been transformed
	Relative     vec.Quat  // rotates from the frame of B to the frame of A
	Rot          rotation  // the same rotation as a matrix
	OriginB      vec.Vec3  // origin of B in the frame of A, times Scale
	LengthScale  float64   // the length that tolerances are multiples of, times Scale
	Tol          lengths
	Scale        float64 // power of two that makes LengthScale close to 1; 1 unless its exponent is extreme
	contactRegion
	nearFeatures

	colA, colB Coordinates
}

// PointB returns vertex k of B in the frame of A, with the same bits as Load.
func (s *Frame) PointB(k soa.Vertex) vec.Vec3 { return s.FromB(s.ViewB.Vert(k)) }

// FromB transforms a point from the frame of B to the frame of A.
func (s *Frame) FromB(p vec.Vec3) vec.Vec3 { return s.Rot.MulVec(p).Add(s.OriginB) }

// ToB transforms a point from the frame of A to the frame of B.
func (s *Frame) ToB(p vec.Vec3) vec.Vec3 { return s.Rot.TMulVec(p.Sub(s.OriginB)) }

// InsideFace returns how far inside face f the point p lies, seen along the outward normal n, or 0
// if p is outside.
func (s *Frame) InsideFace(v *soa.View, h *PosedHull, f soa.Face, p, n vec.Vec3) float64 {
	first, count := int(v.LoopFirst[f]), int(v.LoopLen[f])
	last := h.At(int(v.Tail[first+count-1]))
	least := math.Inf(1)
	for i := range count {
		next := h.At(int(v.Tail[first+i]))
		e := next.Sub(last)
		// n×e points into the face.
		in := n.Cross(e).Dot(p.Sub(last))
		if !(in > 0) {
			return 0
		}
		if l2 := e.Norm2(); float64(in*in) < float64(float64(least*least)*l2) {
			least = in / math.Sqrt(l2)
		}
		last = next
	}
	return least
}

// CentreOfB returns the centre of B, or a point that stands for it if B is a facet. If the
// projection of A's centre lies in the facet, CentreOfB returns that projection, so that a large
// facet is handled as well as a small one. Otherwise it returns the mean of the facet's first three
// corners.
func (s *Frame) CentreOfB() vec.Vec3 {
	if !s.ViewB.Kind.IsFlat() {
		return s.OriginB
	}
	m, d := s.PlaneB(0)
	if s.InsideFace(s.ViewB, &s.HullB, 0, vec.Vec3{}, m) > 0 {
		return m.Scale(d)
	}
	return s.HullB.At(0).Add(s.HullB.At(1)).Add(s.HullB.At(2)).Scale(1.0 / 3)
}

// MiddleB returns a point of B: its origin, or the centroid if B is a triangle.
func (s *Frame) MiddleB() vec.Vec3 {
	if s.ViewB.NVerts > 3 {
		return s.OriginB
	}
	return s.HullB.At(0).Add(s.HullB.At(1)).Add(s.HullB.At(2)).Scale(1.0 / 3)
}

// Supports returns the support vertex of A along n and the support vertex of B along −n. n is in
// the frame of A.
func (s *Frame) Supports(n vec.Vec3) (i, j soa.Vertex) {
	inB := s.Rot.TMulVec(n.Neg())
	if s.ViewA.NVerts < wideFrom {
		i = soa.Vertex(farthest(s.HullA.X, s.HullA.Y, s.HullA.Z, n))
	} else {
		k, _ := s.HullA.Highest(n)
		i = soa.Vertex(k)
	}
	if s.ViewB.NVerts < wideFrom {
		j = soa.Vertex(farthest(s.ViewB.X[:s.ViewB.NVerts], s.ViewB.Y, s.ViewB.Z, inB))
	} else {
		k, _ := asm.Support(s.ViewB.X, s.ViewB.Y, s.ViewB.Z, inB.X, inB.Y, inB.Z)
		j = soa.Vertex(k)
	}
	return i, j
}

// Coordinates is memory for the vertices of one hull.
type Coordinates struct{ x, y, z []float64 }

// Resize makes h a hull of n vertices stored in c, aligned and with space for padding.
func (c *Coordinates) Resize(h *PosedHull, n int) {
	if m := soa.Pad(n); len(c.x) < m {
		c.x, c.y, c.z = soa.Float64s(m), soa.Float64s(m), soa.Float64s(m)
	}
	h.X, h.Y, h.Z = c.x[:n], c.y[:n], c.z[:n]
}

// rotation is a rotation matrix. Its methods have a pointer receiver because inlined methods on
// values may copy the matrix.
type rotation vec.Mat3

// MulVec returns m·v.
func (m *rotation) MulVec(v vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: m.R0.Dot(v), Y: m.R1.Dot(v), Z: m.R2.Dot(v)}
}

// TMulVec returns mᵀ·v.
func (m *rotation) TMulVec(v vec.Vec3) vec.Vec3 {
	return vec.Vec3{
		X: float64(m.R0.X*v.X) + float64(m.R1.X*v.Y) + float64(m.R2.X*v.Z),
		Y: float64(m.R0.Y*v.X) + float64(m.R1.Y*v.Y) + float64(m.R2.Y*v.Z),
		Z: float64(m.R0.Z*v.X) + float64(m.R1.Z*v.Y) + float64(m.R2.Z*v.Z),
	}
}

// Load stores a pair and transforms all vertices of B to the frame of A. It returns false if the
// pair has no answer: a pose is not finite, or a size is not a positive number between 2⁻¹⁰⁰⁰ and
// 2¹⁰⁰⁰.
func (s *Frame) Load(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	if !s.Place(a, pa, b, pb) {
		return false
	}
	s.AllToFrameA()
	return true
}

// unitTol is how far the square of a quaternion's norm may differ from 1 for the quaternion to
// count as a rotation: a norm that differs by about a thousandth. Within it, the difference costs
// accuracy.
// Smaller: poses of few digits have no result. Larger: wrong results instead of none.
const unitTol = 1.0 / (1 << 9)

// IsRotation reports whether q is finite and a unit quaternion, within unitTol.
func IsRotation(q vec.Quat) bool { return math.Abs(q.Dot(q)-1) <= unitTol }

// Place is Load without the vertices of B.
func (s *Frame) Place(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	dx := pb.Pos.Sub(pa.Pos)
	// For equal orientations the vector part of this product is exactly zero.
	q := pa.Rot.Conj().Mul(pb.Rot) // its norm is the product of both norms
	if !dx.Finite() || !IsRotation(q) {
		return false
	}
	s.ViewA, s.ViewB, s.RotA, s.Relative = a, b, pa.Rot, q
	s.Rot.R0, s.Rot.R1, s.Rot.R2 = q.Rows()
	s.OriginB = pa.Rot.RotateInv(dx)
	s.LengthScale = max(a.Radius, b.Radius, s.OriginB.MaxAbs())
	if !(s.LengthScale >= 0x1p-1000 && s.LengthScale <= 0x1p1000) || a.NVerts < 3 || b.NVerts < 3 {
		return false
	}
	s.Scale = 1
	s.HullA.X, s.HullA.Y, s.HullA.Z = a.X[:a.NVerts], a.Y[:a.NVerts], a.Z[:a.NVerts]
	if e := int(math.Float64bits(s.LengthScale)>>52) - 1022; e > exponentRange || e < -exponentRange {
		s.rescale(-e)
	}
	s.Tol.Set(s.LengthScale)
	s.colB.Resize(&s.HullB, b.NVerts)
	return true
}

// AllToFrameA transforms all vertices of B to the frame of A.
func (s *Frame) AllToFrameA() {
	v, k, t := s.ViewB, s.Scale, s.OriginB
	r0, r1, r2 := s.Rot.R0, s.Rot.R1, s.Rot.R2
	bx, by, bz := s.HullB.X, s.HullB.Y[:len(s.HullB.X)], s.HullB.Z[:len(s.HullB.X)]
	vx, vy, vz := v.X[:len(bx)], v.Y[:len(bx)], v.Z[:len(bx)]
	for i := range bx {
		x, y, z := vx[i], vy[i], vz[i]
		if k != 1 {
			x, y, z = x*k, y*k, z*k
		}
		bx[i] = float64(r0.X*x) + float64(r0.Y*y) + float64(r0.Z*z) + t.X
		by[i] = float64(r1.X*x) + float64(r1.Y*y) + float64(r1.Z*z) + t.Y
		bz[i] = float64(r2.X*x) + float64(r2.Y*y) + float64(r2.Z*z) + t.Z
	}
	s.HullB.Pad()
}

// rescale multiplies all lengths by 2^e, which is exact.
func (s *Frame) rescale(e int) {
	s.Scale = math.Ldexp(1, e)
	s.LengthScale *= s.Scale
	s.OriginB = s.OriginB.Scale(s.Scale)
	from := s.HullA
	s.colA.Resize(&s.HullA, len(from.X))
	for i := range from.X {
		s.HullA.X[i], s.HullA.Y[i], s.HullA.Z[i] = from.X[i]*s.Scale, from.Y[i]*s.Scale, from.Z[i]*s.Scale
	}
	s.HullA.Pad()
}

// PlaneA returns the plane n·p = d of face f of A, with outward normal n.
func (s *Frame) PlaneA(f int) (n vec.Vec3, d float64) {
	return s.ViewA.Normal(soa.Face(f)), float64(s.ViewA.D[f] * s.Scale)
}

// PlaneB returns the plane n·p = d of face g of B in the frame of A, with outward normal n.
func (s *Frame) PlaneB(g int) (n vec.Vec3, d float64) {
	n = s.Rot.MulVec(s.ViewB.Normal(soa.Face(g)))
	return n, float64(s.ViewB.D[g]*s.Scale) + n.Dot(s.OriginB)
}

// NFaces returns the number of faces of the pair. The faces of A come first, then those of B.
func (s *Frame) NFaces() int { return s.ViewA.NFaces + s.ViewB.NFaces }

// Face returns the plane n·p = d of face k of the pair, with outward normal n, in the frame of A,
// and the hull of the body that does not own the face.
func (s *Frame) Face(k int) (n vec.Vec3, d float64, other *PosedHull) {
	if k < s.ViewA.NFaces {
		n, d = s.PlaneA(k)
		return n, d, &s.HullB
	}
	n, d = s.PlaneB(k - s.ViewA.NFaces)
	return n, d, &s.HullA
}

// FaceNumber returns the index, among the faces of the pair, of the face that makes a facet of K,
// or −1 if no face does.
func (s *Frame) FaceNumber(id soa.FacetID) int {
	switch id.Kind {
	case soa.FaceVertex:
		return int(id.A)
	case soa.VertexFace:
		return s.ViewA.NFaces + int(id.B)
	}
	return -1
}

// FaceToward returns the dot product of the outward normal of face k of the pair with the direction
// to the other body: toB, frame of A, for a face of A, and toA, frame of B, for a face of B.
func (s *Frame) FaceToward(k int, toB, toA vec.Vec3) float64 {
	if k < s.ViewA.NFaces {
		return s.ViewA.Normal(soa.Face(k)).Dot(toB)
	}
	return s.ViewB.Normal(soa.Face(k - s.ViewA.NFaces)).Dot(toA)
}

// EdgeA returns the ends of edge e of A: tail and head of its lower half-edge.
func (s *Frame) EdgeA(e int) (p, q vec.Vec3) {
	h := s.ViewA.Edge[e]
	return s.HullA.At(int(s.ViewA.Tail[h])), s.HullA.At(int(s.ViewA.Head(h)))
}

// EdgeB returns the ends of edge e of B: tail and head of its lower half-edge.
func (s *Frame) EdgeB(e int) (p, q vec.Vec3) {
	h := s.ViewB.Edge[e]
	return s.HullB.At(int(s.ViewB.Tail[h])), s.HullB.At(int(s.ViewB.Head(h)))
}

// FarAnswer writes the answer for a pair that an axis proves farther apart than its reach. lower is
// a bound of the gap.
func (s *Frame) FarAnswer(axis vec.Vec3, lower float64, out *Answer) {
	out.Status = Separated
	out.Gap = lower / s.Scale
	out.Normal = s.RotA.Rotate(axis)
	_, h := s.HullA.Highest(axis)
	out.Axis, out.AxisSupport = axis, h/s.Scale
}

// Polyhedra reports whether a and b are two blocks, or a block and a facet, in the order that Pair
// requires.
func Polyhedra(a, b *soa.View) bool {
	return soa.KindPairOf(a.Kind, b.Kind).Gap == soa.FacesAndFaces
}
