package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Search is the workspace of one worker: B in the frame of A, simplex, polytope, candidate lists. It
// remembers nothing between pairs that an answer could depend on; it only keeps its memory,
// so that queries allocate nothing once the largest shapes have been seen. Not safe for use by
// several goroutines at once.
type Search struct {
	// FacetCentre adds to the points of a facet its centre, as PFC does, and asks GJK and EPA for every block and facet.
	// It changes no answer: a facet here is a dihedron, whose K with a block is a solid. It is there to compare.
	FacetCentre bool

	va, vb   *soa.View
	pa       vec.Quat // orientation of A, to bring answers to world axes
	a, b     hull     // frame of A, times scale
	relative vec.Quat // from the frame of B to that of A
	rot      rotation // the same
	t        vec.Vec3 // origin of B in the frame of A, times scale
	unit     float64  // the length tolerances are multiples of, times scale
	tol      lengths
	scale    float64 // power of two that brings unit near 1; 1 unless the exponent is extreme
	simplex
	polytope
	separatingAxes
	contactRegion
	nearFeatures
	cover   cover
	cone    cone
	shell   shell
	typing  typing
	fronts  fronts
	climber climber
	last    provenFacet
	alone   facesAlone

	colA, colB, colCentre column
}

// column is memory for the vertices of one hull.
type column struct{ x, y, z []float64 }

// resize makes h a hull of n vertices on the column, aligned and with room for its pads.
func (c *column) resize(h *hull, n int) {
	if m := soa.Pad(n); len(c.x) < m {
		c.x, c.y, c.z = soa.Float64s(m), soa.Float64s(m), soa.Float64s(m)
	}
	h.x, h.y, h.z = c.x[:n], c.y[:n], c.z[:n]
}

// rotation is a matrix whose products do not copy it, as inlined methods on values may.
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

// NewSearch returns an empty workspace.
func NewSearch() *Search { return &Search{} }

// Pair answers any pair of pieces. A's kind must not come after B's in the order ball, block, facet,
// plane, as in soa.Pairs; two facets, or a facet and a plane, have no contact and are Degenerate, as is a pose that is not
// finite or no rotation. A pose is that of the shape's own frame, whose origin is the centroid: of a shape that lay elsewhere
// in its file add Rot·soa.Shapes.Origin to the position. The gap matters only up to reach ≥ 0, m: a pair farther apart may be
// answered with a bound (Answer.Exact). It panics on nil.
func (s *Search) Pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.pair(a, pa, b, pb, coreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// pair is Pair for cores, as are resolve, exhaustive and feature for theirs.
func (s *Search) pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.forgetProof()
	switch {
	case a.Kind == soa.Ball && b.Kind == soa.Ball:
		BallBall(a, pa, b, pb, reach, out)
	case a.Kind == soa.Ball && b.Kind == soa.Block:
		s.BallBlock(a, pa, b, pb, reach, out)
	case a.Kind == soa.Ball && b.Kind == soa.Facet:
		s.BallFacet(a, pa, b, pb, reach, out)
	case a.Kind == soa.Block && b.Kind == soa.Block:
		s.BlockBlock(a, pa, b, pb, reach, out)
	case a.Kind == soa.Block && b.Kind == soa.Facet:
		s.BlockFacet(a, pa, b, pb, reach, out)
	case b.Kind == soa.Plane && (a.Kind == soa.Ball || a.Kind == soa.Block):
		OnPlane(a, pa, pb, out)
	default:
		*out = Answer{Status: Degenerate}
	}
}

// Resolve is Pair followed, where it does not converge, by Exhaustive: it always ends with an answer or
// with Degenerate. It panics on nil. The engine calls the two apart, to count.
func (s *Search) Resolve(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.resolve(a, pa, b, pb, coreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

func (s *Search) resolve(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.pair(a, pa, b, pb, reach, out)
	if out.Status == NotConverged {
		s.exhaustive(a, pa, b, pb, reach, out)
	}
}

// BlockBlock answers two blocks: by the facet of K that a descent from the line of centres finds, if that is proven (see
// cold), and otherwise by GJK, and where they overlap EPA; blocks with few edges that are nearly at
// one place by all facets.
func (s *Search) BlockBlock(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	*out = Answer{}
	out.Level = LevelSearch
	if !s.place(a, pa, b, pb) {
		out.Status = Degenerate
		return
	}
	if s.askAllFacets() {
		s.bringAll()
		s.facetsAnswer(s.separating(negInf), out)
		return
	}
	if s.cold(reach, out) {
		return
	}
	s.bringAll()
	if s.n = 0; s.atOnePlace() {
		s.epa(out)
		return
	}
	s.searchLoaded(reach, out)
}

// Iterate answers any pair as Pair does, but two polyhedra by GJK, and where they overlap EPA, and nothing else: no descent
// and no certificate. Where these do not converge the exhaustive search answers, and Iterate says so.
func (s *Search) Iterate(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer,
) (exhaustive bool) {
	if !polyhedra(a, b) {
		s.Pair(a, pa, b, pb, reach, out)
		return false
	}
	*out = Answer{Level: LevelSearch}
	s.forgetProof()
	if !s.load(a, pa, b, pb) {
		out.Status = Degenerate
		return false
	}
	s.searchLoaded(coreReach(a, b, reach), out)
	if exhaustive = out.Status == NotConverged; exhaustive {
		s.exhaustive(a, pa, b, pb, coreReach(a, b, reach), out)
	}
	out.Grow(a.Round, b.Round)
	return exhaustive
}

// searchLoaded is GJK and EPA of a pair that is loaded.
func (s *Search) searchLoaded(reach float64, out *Answer) {
	s.answerAs(s.gjk(reach*s.scale), out)
}

// answerAs answers a pair for which GJK ended in a way.
func (s *Search) answerAs(how gjkResult, out *Answer) {
	switch how {
	case gjkFar:
		s.farAnswer(s.axis, s.lower, out)
	case gjkApart:
		s.apartFound(out)
	case gjkOverlap:
		s.epa(out)
	default:
		s.stalled(out)
	}
}

// apartFound answers a pair of which GJK has found a point v of K and a bound of the gap. Along m the gap is −h_K(m) ≤ −m·v, and the
// largest is no less than the bound: there the cosine of m and −v is lower/upper or more.
func (s *Search) apartFound(out *Answer) {
	s.apartNear(s.nearby.Scale(-1/s.upper), s.upper, (s.lower-s.tol.proof)/s.upper, out)
}

// stalled answers a pair that GJK has neither parted nor found to overlap.
//
// That is so next to touching. A point of K at a distance d from the origin has a direction that is off by a rounding over d, and where
// facets of K lean from each other by next to nothing, the support along it may be far from the nearest. Such a pair is tried as one apart,
// and where nothing is proven, as one that overlaps.
func (s *Search) stalled(out *Answer) {
	if s.upper > s.tol.close {
		if s.apartFound(out); out.Status != NotConverged {
			return
		}
	}
	s.n = 0 // the witness has used the simplex
	*out = Answer{Level: out.Level}
	s.epa(out)
}

// BlockFacet answers a block and a facet. A facet is a dihedron (two faces, back to back), so K is
// full-dimensional and nothing is special; the point PFC adds at the facet's centre is not needed, but see FacetCentre.
func (s *Search) BlockFacet(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	if s.FacetCentre {
		s.blockFacetCentre(a, pa, b, pb, reach, out)
		return
	}
	s.BlockBlock(a, pa, b, pb, reach, out)
}

// load brings the pair into the workspace. It says false for a pair that has no answer: a pose that
// is not finite, or a size that is not a positive number within 2^±1000.
func (s *Search) load(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	if !s.place(a, pa, b, pb) {
		return false
	}
	s.bringAll()
	return true
}

// place is load but for the vertices of B.
func (s *Search) place(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	dx := pb.Pos.Sub(pa.Pos)
	// The product keeps equal orientations exactly aligned: its vector part is then zero to the bit.
	q := pa.Rot.Conj().Mul(pb.Rot)
	if !dx.Finite() || !q.Finite() || !(q.Dot(q) > 0.5) {
		return false
	}
	s.va, s.vb, s.pa, s.relative = a, b, pa.Rot, q
	s.rot.R0, s.rot.R1, s.rot.R2 = q.Rows()
	s.t = pa.Rot.RotateInv(dx)
	s.unit = max(a.Radius, b.Radius, s.t.MaxAbs())
	if !(s.unit >= 0x1p-1000 && s.unit <= 0x1p1000) || a.NVerts < 3 || b.NVerts < 3 {
		return false
	}
	s.scale = 1
	s.a.x, s.a.y, s.a.z = a.X[:a.NVerts], a.Y[:a.NVerts], a.Z[:a.NVerts]
	if e := int(math.Float64bits(s.unit)>>52) - 1022; e > exponentRange || e < -exponentRange {
		s.rescale(-e)
	}
	s.tol.set(s.unit)
	s.colB.resize(&s.b, b.NVerts)
	return true
}

// bringAll brings the vertices of B into A's frame.
func (s *Search) bringAll() {
	v, k, t := s.vb, s.scale, s.t
	r0, r1, r2 := s.rot.R0, s.rot.R1, s.rot.R2
	bx, by, bz := s.b.x, s.b.y[:len(s.b.x)], s.b.z[:len(s.b.x)]
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
	s.b.pad()
}

// rescale multiplies all lengths by 2^e, which is exact.
func (s *Search) rescale(e int) {
	s.scale = math.Ldexp(1, e)
	s.unit *= s.scale
	s.t = s.t.Scale(s.scale)
	from := s.a
	s.colA.resize(&s.a, len(from.x))
	for i := range from.x {
		s.a.x[i], s.a.y[i], s.a.z[i] = from.x[i]*s.scale, from.y[i]*s.scale, from.z[i]*s.scale
	}
	s.a.pad()
}

// planeA returns face f of A as a plane n·p = d, outward.
func (s *Search) planeA(f int) (n vec.Vec3, d float64) {
	return s.va.Normal(soa.Face(f)), float64(s.va.D[f] * s.scale)
}

// planeB returns face g of B as a plane n·p = d, outward, in the frame of A.
func (s *Search) planeB(g int) (n vec.Vec3, d float64) {
	n = s.rot.MulVec(s.vb.Normal(soa.Face(g)))
	return n, float64(s.vb.D[g]*s.scale) + n.Dot(s.t)
}

// edgeA returns the ends of edge e of A, from tail to head of its lower half-edge.
func (s *Search) edgeA(e int) (p, q vec.Vec3) {
	h := s.va.Edge[e]
	return s.a.at(int(s.va.Tail[h])), s.a.at(int(s.va.Head(h)))
}

// edgeB returns the ends of edge e of B, from tail to head of its lower half-edge.
func (s *Search) edgeB(e int) (p, q vec.Vec3) {
	h := s.vb.Edge[e]
	return s.b.at(int(s.vb.Tail[h])), s.b.at(int(s.vb.Head(h)))
}

// farAnswer reports a pair proven farther apart than its reach.
func (s *Search) farAnswer(axis vec.Vec3, lower float64, out *Answer) {
	out.Status = Separated
	out.Gap = lower / s.scale
	out.Normal = s.pa.Rotate(axis)
	_, h := s.a.highest(axis)
	out.Axis, out.AxisSupport = axis, h/s.scale
}
