package methods

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/search"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Methods is the workspace of the methods that are called by their names: that of a search, with
// what types a pair.
type Methods struct {
	search.Finder
	typist  typing.Typist
	Fronts  fronts
	climber climber
}

// Method answers two polyhedra and fills their list, dtol being the contact tolerance, m. The gap matters only up to reach and
// dtol, m: a pair farther apart may be answered with a bound above both. It reports whether the exhaustive search had to answer.
type Method func(
	s *Methods, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool)

// way is what a method does with a pair that is loaded: a gap above far, in the scale of the search, is an answer, and the memory
// tells where to start.
type way func(s *Methods, far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool)

// by answers a pair by a way that knows no certificates but the axis of the step before.
func (s *Methods) by(
	w way, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	if s.keptApart(a, pa, b, pb, max(reach, dtol), list, out) || !s.begin(a, pa, b, pb, list, out) {
		return false
	}
	exhaustive = w(s, s.farFrom(reach, dtol), &list.Kept, out)
	s.end(dtol, typing.UpdateNone, list, out)
	return exhaustive
}

// Typist returns the typist of the pair in the workspace.
func (s *Methods) Typist() *typing.Typist {
	s.typist.Frame = &s.Frame
	return &s.typist
}

// begin starts a search that keeps a list: it loads the pair.
func (s *Methods) begin(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, list *typing.ContactList, out *pair.Answer,
) bool {
	*out = pair.Answer{AnsweredBy: pair.BySearch}
	list.BelongTo(a, b)
	if !s.Load(a, pa, b, pb) {
		list.Reset()
		out.Status = pair.Degenerate
		return false
	}
	return true
}

// end closes it: contacts, and what the next step starts from.
func (s *Methods) end(dtol float64, rule typing.UpdateRule, list *typing.ContactList, out *pair.Answer) {
	s.Typist().ContactsLoaded(dtol, out, rule, list)
	m := &list.Kept
	m.Axis, m.Support = out.Axis, out.AxisSupport
	// Feature leaves gaps above this to a search.
	m.Facet, m.Deep = out.Facet, out.Gap*s.Scale < -4*pair.CloseTol*s.LengthScale
}

// farFrom returns the gap, in the scale of the search, above which a lower bound is an answer.
func (s *Methods) farFrom(reach, dtol float64) float64 {
	return max(s.Typist().Nearness(dtol), reach*s.Scale)
}

// keptApart answers a pair that was apart and that the axis of the step before still keeps farther apart than far, m.
func (s *Methods) keptApart(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, far float64, list *typing.ContactList, out *pair.Answer,
) bool {
	list.BelongTo(a, b)
	m := &list.Kept
	if list.Type != typing.NoType {
		return false
	}
	gap := pair.GapAlong(pa, b, pb, m.Axis, m.Support)
	lengthScale := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).MaxAbs())
	if !(gap > far+float64(pair.ProofTol*lengthScale) && gap > 2*pair.CloseTol*lengthScale) || math.IsInf(gap, 1) {
		return false
	}
	*out = pair.Answer{
		Status: pair.Separated, AnsweredBy: pair.ByAxis, Gap: gap, Normal: pa.Rot.Rotate(m.Axis), Axis: m.Axis, AxisSupport: m.Support,
	}
	return true
}
