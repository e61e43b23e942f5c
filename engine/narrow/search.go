package narrow

import (
	"github.com/scree-dem/scree/engine/narrow/internal/ball"
	"github.com/scree-dem/scree/engine/narrow/internal/methods"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/proof"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Search is the workspace of one worker. It remembers nothing between pairs that an answer could
// depend on; it only keeps its memory, so that queries allocate nothing once the largest shapes
// have been seen. Not safe for use by several goroutines at once. The zero value is ready. All its
// methods take a pose whose rotation is zero, and so the zero pose, for one without a turn.
type Search struct {
	in     methods.Methods // search.Finder is part of it, whose Pair answers a pair of which nothing is known
	points ContactList     // memory of AppendPoints
}

// NewSearch returns an empty workspace.
func NewSearch() *Search { return &Search{} }

// Pair answers any pair of pieces. A's kind must not come after B's in the order ball, block,
// facet, plane, as in soa.Pairs; two facets, or a facet and a plane, have no contact and are
// Degenerate, as is a pose that is not finite or no rotation; a zero rotation is the identity. A
// pose is that of the shape's own frame, whose origin is the centroid: of a shape that lay elsewhere
// in its file add Rot·soa.Shapes.Origin to the position. The gap matters only up to reach ≥ 0, m: a pair farther
// apart may be answered with a bound (Answer.Exact). It panics on nil.
func (s *Search) Pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	orIdentity(&pa, &pb)
	s.in.Pair(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// Resolve is Pair followed, where it does not converge, by Exhaustive: it always ends with an
// answer or with Degenerate. A zero rotation is the identity. It panics on nil. The engine calls the two apart, to count.
func (s *Search) Resolve(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.search(a, pa, b, pb, reach, out)
}

// Exhaustive answers two polyhedra by trying everything. It always converges. Balls and planes go
// their usual way. Cost: a few µs for two cubes that overlap, growing with edges of A times edges
// of B; four times that for a pair apart.
func (s *Search) Exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	orIdentity(&pa, &pb)
	s.in.Exhaustive(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// Iterate answers any pair as Pair does, but two polyhedra by GJK, and where they overlap EPA, and
// nothing else: no descent and no certificate. Where these do not converge the exhaustive search
// answers, and Iterate returns true.
func (s *Search) Iterate(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer,
) (exhaustive bool) {
	if !pair.Polyhedra(a, b) {
		s.Pair(a, pa, b, pb, reach, out)
		return false
	}
	orIdentity(&pa, &pb)
	s.in.Iterate(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	if out.Status == NotConverged {
		s.Exhaustive(a, pa, b, pb, reach, out)
		return true
	}
	out.Grow(a.Round, b.Round)
	return false
}

// Feature answers a pair by proving that features known from an earlier answer, or some that it
// walks to from these, are still the answer: a facet of K of a pair that overlaps (certificate
// C3), the nearest features of a pair apart within reach, m (C4). Then the answer is that of a
// search, to the bit. It returns false if nothing is proven. out is then undefined: call Pair.
func (s *Search) Feature(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, id soa.FacetID, out *Answer,
) bool {
	orIdentity(&pa, &pb)
	if !s.in.Feature(a, pa, b, pb, pair.CoreReach(a, b, reach), id, out) {
		return false
	}
	out.Grow(a.Round, b.Round)
	return true
}

// WalkAxis answers two blocks, or a block and a facet, that an axis kept apart until now and does
// not any more: it walks from that axis to another one (certificate C2). axis is Answer.Axis of an
// earlier answer. Answer.Gap is then a bound of the gap that exceeds the reach, m. It returns
// false for a pair that has come within reach, or too close to a tie. out is then undefined: call
// Pair.
func (s *Search) WalkAxis(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, axis vec.Vec3, out *Answer,
) bool {
	orIdentity(&pa, &pb)
	if !s.in.WalkAxis(a, pa, b, pb, pair.CoreReach(a, b, reach), axis, out) {
		return false
	}
	out.Grow(a.Round, b.Round)
	return true
}

// Budget returns for how much motion the answer that Feature, or a search, has just given stays
// proven. turn is by how much angle either body turns at most while its odometer advances by one
// metre: 1 over the smaller of their radii about their centres, rad/m.
func (s *Search) Budget(turn float64) Proof { return s.in.Budget(turn) }

// Contacts types a pair and lists its basic contacts, from the answer of any method that gave
// features. dtol, m, is the contact tolerance. A pair that is farther apart than that, a pair of
// which only a bound of the gap is known, and pairs of other kinds than block and facet get NoType
// and no contacts.
func (s *Search) Contacts(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *Answer, list *ContactList,
) {
	orIdentity(&pa, &pb)
	s.in.Typist().Contacts(a, pa, b, pb, dtol, answer, list)
}

// TypeOf returns the type that Contacts gives a list, and lists nothing.
func (s *Search) TypeOf(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *Answer) Type {
	orIdentity(&pa, &pb)
	return s.in.Typist().TypeOf(a, pa, b, pb, dtol, answer)
}

// OnPlane answers a ball or a block against a plane, in closed form. A zero rotation is the identity.
func OnPlane(a *soa.View, pa vec.Pose, pb vec.Pose, out *Answer) {
	orIdentity(&pa, &pb)
	ball.OnPlane(a, pa, pb, out)
}

// orIdentity makes the identity of rotations that are zero. It copies no pose, for most callers have
// rotations: of those it reads one number each.
func orIdentity(pa, pb *vec.Pose) {
	if pa.Rot == (vec.Quat{}) {
		pa.Rot = vec.Identity
	}
	if pb.Rot == (vec.Quat{}) {
		pb.Rot = vec.Identity
	}
}

// Expiry returns the sum of odometers at which a proof that a pair is apart ends (certificate C1).
func Expiry(gap, reach, odoA, odoB, allowance float64) float64 {
	return pair.Expiry(gap, reach, odoA, odoB, allowance)
}

// LowerGap returns what is certain of a gap, m, rounding allowed for.
func LowerGap(gap float64, dx vec.Vec3, radiusA, radiusB float64) float64 {
	return pair.LowerGap(gap, dx, radiusA, radiusB)
}

// Clear returns whether a facet that is proven is the answer at a gap of it; faces says that the
// proof is of two faces. The radii are those of the two shapes; all in m.
func Clear(gap float64, faces bool, radiusA, radiusB float64) bool {
	return proof.Clear(gap, faces, radiusA, radiusB)
}

// Dtol returns the contact tolerance of a pair where none is given, m.
func Dtol(a, b *soa.View) float64 { return typing.Dtol(a, b) }
