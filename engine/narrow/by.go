package narrow

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/methods"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// listingMethods is the methods that keep a list.
var listingMethods = [NMethods]methods.Method{
	SAT:      (*methods.Methods).SeparatingAxes,
	DS:       (*methods.Methods).Direct,
	FDS:      (*methods.Methods).FastDirect,
	FDSPaper: (*methods.Methods).FastDirectByCount,
	CP:       (*methods.Methods).CommonPlane,
	FCP:      (*methods.Methods).FastCommonPlane,
	SLM:      (*methods.Methods).ShortestLink,
}

// Available reports whether this release has the method.
func (m Method) Available() bool { return m < NMethods }

// Methods returns the methods of this release, in order.
func Methods() []Method {
	var list []Method
	for m := range NMethods {
		list = append(list, m)
	}
	return list
}

// Measures reports whether the method, asked with an infinite reach, gives the exact distance of a pair apart. The
// others may give a positive lower bound of it.
func (m Method) Measures() bool { return m == Auto || m == GJKEPA || m == DS }

// Deepens reports whether the depth of a pair that overlaps is exact. The others give that along a common plane, which is no
// less and mostly the same; Answer.Exact says where it is known to be.
func (m Method) Deepens() bool { return m < NMethods && m != CP && m != FCP && m != SLM }

// Lists reports whether the method fills Memory.List with type and contacts. After the others Contacts does.
func (m Method) Lists() bool { return m < NMethods && m != Auto && m != GJKEPA }

// Memory is what a pair in motion keeps from one question to the next, for By: the certificates of Auto, and the
// contact list of other methods. It belongs to one method and one pair of shapes, in one order: with others it has to be
// Reset, which By does not check; it may panic or answer wrongly otherwise. The zero value, or one that is Reset, is a pair
// not seen before. What it holds alters how soon an answer is found and its AnsweredBy, and nothing else of an exact answer.
type Memory struct {
	List ContactList // type and basic contacts, of methods that list them

	// Certificates. gap is a lower bound of the gap at the poses pa and pb, m; 0 where there is none. Of a pair that overlaps, or
	// is within reach, they are where its features were proven, for the motion of proof.
	pa, pb  vec.Pose
	gap     float64
	axis    vec.Vec3 // unit, frame of A; zero where there is none
	support float64  // m, of A along axis
	facet   soa.FacetID
	proof   Proof

	nearest soa.FacetID // the features of the last distance measured

	cores ContactList // of rounded pieces, what the method keeps of their cores
}

// Reset forgets the pair and keeps the memory of the list.
func (m *Memory) Reset() {
	m.List.Reset()
	m.cores.Reset()
	*m = Memory{List: m.List, cores: m.cores}
}

// By answers a pair by a method. Kinds, poses and reach are as for Pair; dtol, m, is the distance from the contact plane within
// which a feature takes part in a contact (Dtol is a good one). Other methods than Auto and GJKEPA are for blocks: pairs with a
// ball go to the closed forms. It panics on nil for a, b, mem or out, and for two polyhedra on a method of NMethods or more. But
// Auto and GJKEPA take nil for mem, of a pair that is asked for once: then no time goes into proofs for a next question. A zero
// rotation is the identity, with every method.
//
// Where Auto knows by the odometer alone that the pair is apart, Answer.Normal and Axis are zero. Of a pair that a
// method does not prove the exhaustive search gives the answer, and By says so for the caller to count. Cost: that
// of the method.
func (s *Search) By(
	m Method, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, mem *Memory, out *Answer,
) (exhaustive bool) {
	orIdentity(&pa, &pb)
	switch {
	case m == Auto:
		return s.auto(a, pa, b, pb, reach, mem, out)
	case m == GJKEPA:
		return s.Iterate(a, pa, b, pb, reach, out)
	case !pair.Polyhedra(a, b):
		mem.List.Reset()
		s.Resolve(a, pa, b, pb, reach, out)
		return false
	case a.Round+b.Round == 0:
		return listingMethods[m](&s.in, a, pa, b, pb, reach, dtol, &mem.List, out)
	}
	// The method keeps a list of the cores, which may be apart where the pieces touch.
	exhaustive = listingMethods[m](&s.in, a, pa, b, pb, pair.CoreReach(a, b, max(reach, dtol)), dtol, &mem.cores, out)
	out.Grow(a.Round, b.Round)
	s.Contacts(a, pa, b, pb, dtol, out, &mem.List)
	return exhaustive
}

// search is a search from nothing. It reports whether the exhaustive one had to answer.
func (s *Search) search(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) bool {
	s.Pair(a, pa, b, pb, reach, out)
	if out.Status == NotConverged {
		s.Exhaustive(a, pa, b, pb, reach, out)
		return true
	}
	return false
}

// auto tries what the pair kept, from cheap to dear: the motion since it was last known to be apart (C1), the axis
// that separated it (C2), the facet that was the shallowest (C3), by its budget or anew, or one next to it, another axis
// near the last. Then it searches.
func (s *Search) auto(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, mem *Memory, out *Answer) bool {
	if mem == nil || b.Kind == soa.Plane {
		// A plane has a closed form, and no radius bounds how far a turn moves it.
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

// provenByPose reports whether the facet of a pair that overlapped, or the nearest features of one that was within reach, are still proven by
// how the bodies lie to each other.
func (m *Memory) provenByPose(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) bool {
	_, ok := proof.MotionLeft(&m.proof.PoseBound, pa, pb, 1/min(a.Radius, b.Radius))
	return ok
}

// fromBudget answers a pair by features that a budget proves, and returns false where the pair has come too close to call.
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
	if !ok || mem.proof.Apart && !proof.ClearApart(gap, reach, a, b, dx) || !mem.proof.Apart && !Clear(gap, false, a.Radius, b.Radius) {
		return false
	}
	s.in.WriteProven(&at, id, gap, n, out)
	out.Grow(a.Round, b.Round)
	return true
}

// Measure answers a pair however far apart it is: from the features that were the nearest when it was last measured, or by a
// search. It alters no certificate of By. It reports whether the exhaustive search had to answer.
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

// apartByMotion is certificate C1: the pair cannot have come within reach since its gap was known.
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

// apartByAxis is certificate C2: the last axis still separates the pair. It renews the gap of C1.
func (m *Memory) apartByAxis(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer,
) bool {
	gap := pair.AxisGap(pa, b, pb, m.axis, m.support)
	sure := pair.AxisSure(pb.Pos.Sub(pa.Pos), a.Radius, b.Radius)
	if !(gap > reach+sure) {
		return false
	}
	m.gap, m.pa, m.pb = gap-sure, pa, pb
	*out = Answer{
		Status: Separated, AnsweredBy: ByAxis, Gap: gap, Normal: pa.Rot.Rotate(m.axis), Axis: m.axis, AxisSupport: m.support,
	}
	return true
}

// keep takes from an answer what may prove the next one.
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

// approach returns, m, by how much the gap of two pieces may have changed from one pair of poses to another: the motion
// of B's origin as seen from A's, and the longest chord that a point of either body went along in turning. What
// moves both alike does not count. Rounding is allowed for: that of positions, and four times that of a support
// for the products of the rotations.
func approach(ra float64, pa0, pa vec.Pose, rb float64, pb0, pb vec.Pose) float64 {
	move := pb.Pos.Sub(pa.Pos).Sub(pb0.Pos.Sub(pa0.Pos)).Norm()
	move += float64(ra*chord(pa0.Rot, pa.Rot)) + float64(rb*chord(pb0.Rot, pb.Rot))
	far := max(pa0.Pos.MaxAbs(), pb0.Pos.MaxAbs(), pa.Pos.MaxAbs(), pb.Pos.MaxAbs())
	return move + float64(4*pair.RoundTol*(far+ra+rb+move))
}

// chord returns how far a point at distance 1 from the axis moves between two orientations: 2·sin of half the angle.
func chord(from, to vec.Quat) float64 {
	q := to.Mul(from.Conj())
	return 2 * vec.Vec3{X: q.X, Y: q.Y, Z: q.Z}.Norm()
}
