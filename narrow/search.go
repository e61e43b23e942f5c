package narrow

import (
	"github.com/scree-dem/scree/narrow/internal/ball"
	"github.com/scree-dem/scree/narrow/internal/methods"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Search is the workspace of one worker. It stores nothing between calls that could affect an
// answer. It keeps its memory, so queries allocate nothing once the largest shapes have been seen.
// A Search is not safe for concurrent use. The zero value is ready.
//
// All methods treat a zero rotation as the identity, so the zero pose is valid.
type Search struct {
	in     methods.Methods // embeds search.Finder, whose Pair searches for the answer of an unknown pair
	points ContactList     // memory of AppendPoints
}

// NewSearch returns an empty workspace.
func NewSearch() *Search { return &Search{} }

// Pair answers any pair of pieces. The kind of A must not come after the kind of B in the order
// ball, block, facet, plane, as in soa.Pairs.
//
// A pose is that of the shape's own frame, whose origin is the centroid. If the origin in the
// shape's file is elsewhere, add Rot·soa.Shapes.Origin to the position. A zero rotation is the
// identity. Any other rotation must be a unit quaternion.
//
// reach ≥ 0, m, is the gap up to which the pair matters: for a pair farther apart, out may hold a
// lower bound of the gap (see Answer.Exact). out.Status is NotConverged if Pair cannot prove its
// answer. It is Degenerate for two facets or a facet and a plane, which have no contact, and if a
// pose is not finite or not a rotation: the norm of a quaternion, or for two polyhedra the product
// of both norms, differs from 1 by more than a thousandth. Pair panics on nil arguments.
func (s *Search) Pair(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	orIdentity(&pa, &pb)
	s.in.Pair(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// Resolve calls Pair, and Exhaustive if Pair does not converge. The result is an answer, Degenerate,
// or NotConverged for shapes that are not convex. A zero rotation is the identity. Resolve panics on nil arguments. The engine calls
// Pair and Exhaustive itself, in order to count.
func (s *Search) Resolve(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	s.search(a, pa, b, pb, reach, out)
}

// Exhaustive answers two polyhedra by testing all facets of K. It converges on all shapes of package
// geometry. Balls and planes are answered as by Pair. Cost: a few µs for two overlapping cubes, four times as much for
// cubes apart. The cost grows with the edges of A times the edges of B.
func (s *Search) Exhaustive(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	orIdentity(&pa, &pb)
	s.in.Exhaustive(a, pa, b, pb, pair.CoreReach(a, b, reach), out)
	out.Grow(a.Round, b.Round)
}

// Iterate answers any pair as Pair does, but two polyhedra by GJK, and by EPA if they overlap:
// without a descent and without certificates. If these do not converge, Iterate calls Exhaustive
// and returns true.
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

// Feature answers a pair by a proof that stored features are still the answer. id names the
// features of an earlier answer. If these are not the answer, Feature walks to neighbouring
// features and proves those. For a pair that overlaps, the features are a facet of K (certificate
// C3). For a pair apart within reach, m, they are the nearest features (C4). The answer has the
// same bits as that of a search. Feature returns false if it proves nothing. out is then undefined;
// call Pair.
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

// WalkAxis answers two blocks, or a block and a facet, whose stored axis no longer separates them.
// It walks from that axis to another separating axis (certificate C2). axis is Answer.Axis of an
// earlier answer. On success Answer.Gap is a lower bound of the gap that exceeds reach, m. WalkAxis
// returns false if the pair is within reach, or too close to a tie. out is then undefined; call
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

// Budget returns for how much motion the last answer stays proven. The last call must have been
// Feature or a search. turn, rad/m, bounds the rotation of either body per metre of its odometer: 1
// over the smaller of the bodies' radii about their centres.
func (s *Search) Budget(turn float64) Proof { return s.in.Budget(turn) }

// Contacts types a pair and lists its basic contacts. answer is an answer of any method that has
// features. dtol, m, is the contact tolerance. The type is NoType and the list is empty for a pair
// farther apart than dtol, for a pair of which only a bound of the gap is known, and for kinds
// other than block and block or block and facet.
func (s *Search) Contacts(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *Answer, list *ContactList,
) {
	orIdentity(&pa, &pb)
	s.in.Typist().Contacts(a, pa, b, pb, dtol, answer, list)
}

// TypeOf returns the type that Contacts would store, without listing contacts.
func (s *Search) TypeOf(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *Answer) Type {
	orIdentity(&pa, &pb)
	return s.in.Typist().TypeOf(a, pa, b, pb, dtol, answer)
}

// OnPlane answers a ball or a block against a plane by a closed form. A zero rotation is the
// identity.
func OnPlane(a *soa.View, pa vec.Pose, pb vec.Pose, out *Answer) {
	orIdentity(&pa, &pb)
	ball.OnPlane(a, pa, pb, out)
}

// orIdentity replaces zero rotations by the identity. It works in place, because copying two poses
// costs more than the test.
func orIdentity(pa, pb *vec.Pose) {
	if pa.Rot == (vec.Quat{}) {
		pa.Rot = vec.Identity
	}
	if pb.Rot == (vec.Quat{}) {
		pb.Rot = vec.Identity
	}
}

// Expiry returns the sum of odometers up to which a pair is proven apart (certificate C1): see
// pair.Expiry.
func Expiry(gap, reach, odoA, odoB, allowance float64) float64 {
	return pair.Expiry(gap, reach, odoA, odoB, allowance)
}

// LowerGap returns a lower bound of the true gap, m, given the gap of an answer: see pair.LowerGap.
func LowerGap(gap float64, dx vec.Vec3, radiusA, radiusB float64) float64 {
	return pair.LowerGap(gap, dx, radiusA, radiusB)
}

// Checks returns what the last call of By with DS, FDSPaper, FDS or FCP inspected, of two blocks with plane faces.
func (s *Search) Checks() Checks { return s.in.Paper.Checks }

// Dtol returns the default contact tolerance of a pair, m.
func Dtol(a, b *soa.View) float64 { return typing.Dtol(a, b) }
