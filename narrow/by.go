package narrow

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/methods"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// listingMethods holds the methods that fill a ContactList.
var listingMethods = [NMethods]methods.Method{
	SAT:      (*methods.Methods).SeparatingAxes,
	DS:       (*methods.Methods).Direct,
	FDS:      (*methods.Methods).FastDirect,
	FDSPaper: (*methods.Methods).FastDirectPaper,
	CP:       (*methods.Methods).CommonPlane,
	FCP:      (*methods.Methods).FastCommonPlane,
	SLM:      (*methods.Methods).ShortestLink,
}

// Available reports whether this release implements the method.
func (m Method) Available() bool { return m < NMethods }

// Methods returns all methods of this release, in order.
func Methods() []Method {
	var list []Method
	for m := range NMethods {
		list = append(list, m)
	}
	return list
}

// Measures reports whether the method returns the exact distance of a pair apart if reach is
// infinite. Other methods may return a positive lower bound.
func (m Method) Measures() bool { return m == Auto || m == GJKEPA || m == DS }

// Deepens reports whether the method returns the exact depth of an overlapping pair. The other
// methods return the depth along a common plane. That depth is at least the exact one and usually
// equal to it; Answer.Exact is true if they are known to be equal. FDSPaper returns that of its
// deepest contact.
func (m Method) Deepens() bool {
	return m < NMethods && m != FDSPaper && m != CP && m != FCP && m != SLM
}

// Lists reports whether the method fills Memory.List with type and contacts. After any other method
// call Search.Contacts.
func (m Method) Lists() bool { return m < NMethods && m != Auto && m != GJKEPA }

// Memory is what By stores for a pair between calls: the certificates of Auto, and the contact list
// of other methods. A Memory belongs to one method and to one pair of shapes in one order. Reset it
// before any other use: By does not check, and may panic or answer wrongly otherwise. The zero
// value, or a Memory after Reset, stands for a new pair. The answers of FDSPaper depend on the list,
// as published. Of an exact answer, the stored data affect
// only the cost and AnsweredBy.
type Memory struct {
	List ContactList // type and basic contacts, from methods that list them

	// Certificates. gap, m, is a lower bound of the gap at the poses pa and pb, or 0 if none is
	// known. axis and support are those of the last answer of a pair apart. facet holds the
	// features of the last answer of a pair within reach, and proof the motion for which they are
	// proven.
	pa, pb  vec.Pose
	gap     float64
	axis    vec.Vec3 // unit, frame of A; zero if there is none
	support float64  // m, support of A along axis
	facet   soa.FacetID
	proof   Proof

	nearest soa.FacetID // features of the last call of Measure

	cores ContactList // for rounded pieces, the list that the method keeps for their cores
}

// Reset clears all stored data and keeps the allocated memory of the lists.
func (m *Memory) Reset() {
	m.List.Reset()
	m.cores.Reset()
	*m = Memory{List: m.List, cores: m.cores}
}

// By answers a pair by a method. Kinds, poses and reach are as for Pair, but each quaternion must be
// a unit one, to a thousandth. Otherwise out.Status is Degenerate, and By resets mem. dtol, m, is
// the distance from the contact plane within which a feature takes part in a contact; Dtol returns a
// good value. By reports whether the exhaustive search answered because the method could not prove
// its answer, so that the caller can count such pairs.
//
// Methods other than Auto and GJKEPA are for blocks; a pair with a ball is answered by the closed
// forms. If Auto proves the pair apart by the odometers alone, Answer.Normal and Answer.Axis are
// zero. A zero rotation is the identity, with every method. FDSPaper answers facets, rounded blocks,
// and blocks with Label as Resolve and Contacts do: the paper does not know them.
//
// mem may be nil for Auto and GJKEPA, if the pair is queried only once. By then spends no time on
// proofs for a next call. By panics if a, b or out is nil, and if mem is nil for another method.
// For two polyhedra By panics on a method of NMethods or more. Cost: that of the method.
func (s *Search) By(
	m Method, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, mem *Memory, out *Answer,
) (exhaustive bool) {
	orIdentity(&pa, &pb)
	if !pair.IsRotation(pa.Rot) || !pair.IsRotation(pb.Rot) {
		// The stored data might answer, because they do not see the norms.
		if mem != nil {
			mem.Reset()
		}
		*out = Answer{Status: Degenerate}
		return false
	}
	switch {
	case m == Auto:
		return s.auto(a, pa, b, pb, reach, mem, out)
	case m == GJKEPA:
		return s.Iterate(a, pa, b, pb, reach, out)
	case !pair.Polyhedra(a, b):
		mem.List.Reset()
		s.Resolve(a, pa, b, pb, reach, out)
		return false
	case m == FDSPaper && !published(a, b):
		s.Resolve(a, pa, b, pb, max(reach, dtol), out)
		s.Contacts(a, pa, b, pb, dtol, out, &mem.List)
		return false
	case a.Round+b.Round == 0:
		return listingMethods[m](&s.in, a, pa, b, pb, reach, dtol, &mem.List, out)
	}
	// The method lists contacts of the cores, which may be apart although the pieces touch.
	exhaustive = listingMethods[m](&s.in, a, pa, b, pb, pair.CoreReach(a, b, max(reach, dtol)), dtol, &mem.cores, out)
	out.Grow(a.Round, b.Round)
	s.Contacts(a, pa, b, pb, dtol, out, &mem.List)
	return exhaustive
}

// published reports whether the published fast direct search knows the pieces: two blocks with plane
// faces, not rounded.
func published(a, b *soa.View) bool {
	return b.Kind.IsPolyhedron() && a.Round+b.Round == 0 && len(a.Label)+len(b.Label) == 0
}

// search answers a pair without stored data. It reports whether the exhaustive search answered.
func (s *Search) search(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) bool {
	s.Pair(a, pa, b, pb, reach, out)
	if out.Status == NotConverged {
		s.Exhaustive(a, pa, b, pb, reach, out)
		return true
	}
	return false
}

// auto tries the stored data from cheap to expensive, then searches. The order is: the motion since
// the pair was last known to be apart (C1), the last separating axis (C2), the stored features by
// their motion budget, then by a new proof of these or of neighbouring features (C3, C4), and a
// walk to another axis.
func (s *Search) auto(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, mem *Memory, out *Answer) bool {
	if mem == nil || b.Kind.IsEndless() {
		// A plane has a closed form, and no radius bounds how far a rotation moves it.
		return s.search(a, pa, b, pb, reach, out)
	}
	if mem.apartByMotion(a, pa, b, pb, reach, out) || mem.apartByAxis(a, pa, b, pb, reach, out) {
		return false
	}
	if mem.provenByPose(a, pa, b, pb) && s.fromBudget(a, pa, b, pb, reach, mem, out) {
		return false
	}
	exhaustive := false
	if !s.Feature(a, pa, b, pb, reach, mem.facet, out) && !s.WalkAxis(a, pa, b, pb, reach, mem.axis, out) {
		exhaustive = s.search(a, pa, b, pb, reach, out)
	}
	mem.keep(a, pa, b, pb, reach, out)
	if mem.proof = (Proof{}); out.Status == Penetrating || out.Exact && !(out.Gap > reach) {
		mem.proof = s.in.Budget(1 / min(a.Radius, b.Radius))
	}
	return exhaustive
}

// provenByPose reports whether the relative pose of the bodies is still within the bounds for which
// the stored features are proven.
func (m *Memory) provenByPose(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	_, ok := proof.MotionLeft(&m.proof.PoseBound, pa, pb, 1/min(a.Radius, b.Radius))
	return ok
}

// fromBudget answers a pair by features that are still within their motion budget. It returns false
// if the pair has come too close to a decision to be answered this way.
func (s *Search) fromBudget(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, mem *Memory, out *Answer,
) bool {
	s.in.ForgetProof()
	if mem.proof.QuadA != 0 {
		if !s.in.FacesInBudget(a, pa, b, pb, &mem.proof, out) {
			return false
		}
		mem.facet = out.Facet
		out.Grow(a.Round, b.Round)
		return true
	}
	*out = Answer{AnsweredBy: ByFeature}
	id := mem.facet
	if !s.in.Place(a, pa, b, pb) {
		return false
	}
	at := s.in.FeaturePairOf(id)
	s.in.FeaturesToFrameA(&at)
	gap, n, ok := s.in.FinaliseFeatures(&at, id)
	dx := pb.Pos.Sub(pa.Pos)
	if !ok || mem.proof.Apart && !proof.ClearApart(gap, reach, a, b, dx) || !mem.proof.Apart && !proof.Clear(gap, false, a.Radius, b.Radius) {
		return false
	}
	s.in.WriteProven(&at, id, gap, n, out)
	out.Grow(a.Round, b.Round)
	return true
}

// Measure answers a pair with an infinite reach. It starts from the features that the last call of
// Measure stored in mem, and searches if these are not proven. Measure changes no certificate of
// By. It reports whether the exhaustive search answered.
func (s *Search) Measure(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, mem *Memory, out *Answer,
) (exhaustive bool) {
	orIdentity(&pa, &pb)
	if !s.Feature(a, pa, b, pb, math.Inf(1), mem.nearest, out) {
		exhaustive = s.search(a, pa, b, pb, math.Inf(1), out)
	}
	mem.nearest = out.Facet
	return exhaustive
}

// apartByMotion is certificate C1: it returns true, with a bound of the gap, if the motion since
// the stored gap cannot have brought the pair within reach.
func (m *Memory) apartByMotion(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer,
) bool {
	if !(m.gap > reach) {
		return false
	}
	gap := m.gap - approach(a.Radius, m.pa, pa, b.Radius, m.pb, pb)
	if !(gap > reach) {
		return false
	}
	*out = Answer{Status: Separated, AnsweredBy: ByOdometer, Gap: gap}
	return true
}

// apartByAxis is certificate C2: it returns true, with a bound of the gap, if the last axis still
// separates the pair by more than reach. It then renews the stored gap of C1.
func (m *Memory) apartByAxis(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer,
) bool {
	gap := pair.AxisGap(pa, b, pb, m.axis, m.support)
	sure := pair.AxisMargin(pb.Pos.Sub(pa.Pos), a.Radius, b.Radius)
	if !(gap > reach+sure) {
		return false
	}
	m.gap, m.pa, m.pb = gap-sure, pa, pb
	*out = Answer{
		Status: Separated, AnsweredBy: ByAxis, Gap: gap, Normal: pa.Rot.Rotate(m.axis), Axis: m.axis, AxisSupport: m.support,
	}
	return true
}

// keep stores the data of an answer that may prove the next one.
func (m *Memory) keep(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	m.gap, m.axis, m.support, m.facet = 0, vec.Vec3{}, 0, soa.FacetID{}
	switch {
	case out.Status == Degenerate || out.Status == NotConverged:
	case out.Gap > reach:
		m.gap = LowerGap(out.Gap, pb.Pos.Sub(pa.Pos), a.Radius, b.Radius)
		m.pa, m.pb, m.axis, m.support = pa, pb, out.Axis, out.AxisSupport
	default:
		m.facet = out.Facet
	}
}

// approach returns a bound, m, of how much the gap of two pieces changed from one pair of poses to
// another. The bound adds the motion of B's origin relative to A's and the longest chord of a point
// of either body, due to its rotation. A translation common to both pieces does not count. The last
// term covers rounding: that of the positions, and four times that of a support value for the
// products of the rotations.
func approach(ra float64, pa0, pa vec.Pose, rb float64, pb0, pb vec.Pose) float64 {
	move := pb.Pos.Sub(pa.Pos).Sub(pb0.Pos.Sub(pa0.Pos)).Norm()
	move += float64(ra*chord(pa0.Rot, pa.Rot)) + float64(rb*chord(pb0.Rot, pb.Rot))
	far := max(pa0.Pos.MaxAbs(), pb0.Pos.MaxAbs(), pa.Pos.MaxAbs(), pb.Pos.MaxAbs())
	return move + float64(4*pair.RoundTol*(far+ra+rb+move))
}

// chord returns how far a point at distance 1 from the axis moves between two orientations:
// 2·sin(angle/2).
func chord(from, to vec.Quat) float64 {
	q := to.Mul(from.Conj())
	return 2 * vec.Vec3{X: q.X, Y: q.Y, Z: q.Z}.Norm()
}
