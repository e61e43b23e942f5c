package methods

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/search"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Methods is the workspace of the methods that are called by their names: the workspace of a
// search, and that of a Typist.
type Methods struct {
	search.Searcher
	typist  typing.Typist
	Fronts  fronts
	climber climber
	Paper   Paper
}

// Method answers two polyhedra and fills their list. dtol is the contact tolerance, m. The gap
// matters only up to the larger of reach and dtol, m: for a pair farther apart, out may hold a
// lower bound above both. Method reports whether the exhaustive search had to answer.
type Method func(
	s *Methods, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool)

// loadedMethod is the part of a method that answers a loaded pair. A lower bound of the gap above
// far, in the scale of the search, is an answer. kept holds where to start.
type loadedMethod func(s *Methods, far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool)

// answerWithList answers a pair by a method without certificates, except that of the last step's
// axis: keptApart.
func (s *Methods) answerWithList(
	w loadedMethod, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	if s.keptApart(a, pa, b, pb, max(reach, dtol), list, out) || !s.begin(a, pa, b, pb, list, out) {
		return false
	}
	exhaustive = w(s, s.farFrom(reach, dtol), &list.Kept, out)
	s.end(dtol, false, list, out)
	return exhaustive
}

// Typist returns the Typist of the pair in the workspace.
func (s *Methods) Typist() *typing.Typist {
	s.typist.Frame = &s.Frame
	return &s.typist
}

// begin starts a search with a list: it resets a list of another pair and loads the pair. It
// returns false if the pair is Degenerate.
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

// end finishes a search with a list: it lists the contacts and stores where the next step starts. If
// update is set, contacts of the last step are reused: see typing.Typist.ContactsLoaded.
func (s *Methods) end(dtol float64, update bool, list *typing.ContactList, out *pair.Answer) {
	s.Typist().ContactsLoaded(dtol, out, update, list)
	m := &list.Kept
	m.Axis, m.Support = out.Axis, out.AxisSupport
	// Feature is only tried for overlaps deeper than this; other gaps are searched anew.
	m.Facet, m.Penetrating = out.Facet, out.Gap*s.Scale < -4*pair.CloseTol*s.LengthScale
}

// farFrom returns the gap, in the scale of the search, above which a lower bound is an answer.
func (s *Methods) farFrom(reach, dtol float64) float64 {
	return max(s.Typist().Nearness(dtol), reach*s.Scale)
}

// keptApart answers a pair that had no contact in the last step, if the stored axis still separates
// it by more than far, m. Otherwise it returns false.
func (s *Methods) keptApart(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, far float64, list *typing.ContactList, out *pair.Answer,
) bool {
	list.BelongTo(a, b)
	m := &list.Kept
	if list.Type != typing.NoType {
		return false
	}
	gap := pair.GapAlong(pa, b, pb, m.Axis, m.Support)
	unit := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).MaxAbs())
	if !(gap > far+float64(pair.ProofTol*unit) && gap > 2*pair.CloseTol*unit) || math.IsInf(gap, 1) {
		return false
	}
	*out = pair.Answer{
		Status: pair.Separated, AnsweredBy: pair.ByAxis, Gap: gap, Normal: pa.Rot.Rotate(m.Axis), Axis: m.Axis, AxisSupport: m.Support,
	}
	return true
}
