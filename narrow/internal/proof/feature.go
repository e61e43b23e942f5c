package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/ball"
	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Prover is a pair with the memory that proofs of a facet, or of nearest features, need. It stores
// what was proven last, for Budget.
type Prover struct {
	Off Proofs // kinds of proof that are switched off, for tests and studies

	facets.Facets
	Shell shell
	Last  provenFacet
	alone facesAlone
}

// provenBy is the margin, in length scales, by which every other facet of K must be deeper than a
// facet that Feature proves. It exceeds what a search could confuse: a search lets facets tie
// within TieTol and computes each depth to RoundTol.
// Smaller: a proven result may differ from the search's.
const provenBy = 8 * pair.TieTol

// Feature answers the cores of a pair by a proof that the features of an earlier answer are still
// the answer. If they are not, it descends to other features and proves those. For a pair that
// overlaps it proves that a facet of K is the shallowest (certificate C3), alone or with the other
// facets that the same two faces make (see FacePair). For a pair apart within reach, m, it proves
// that features are the nearest (certificate C4, see proveNearest). Feature returns false if it
// proves nothing; out is then undefined, and the caller must search. The answer has the same bits
// as that of a search.
//
// The proof for a facet of K with normal n and depth p, where q is p less rounding:
//
//  1. The cap is the set of directions within an angle r of n. In the cap no features other than
//     the facet's are the support: for each edge from a vertex u of the features to a vertex w
//     outside them, n·(w−u) ≤ −|w−u|·sin r.
//  2. The facet is flat, so it is the only facet of K with a normal in the cap.
//  3. The projection of the origin onto the facet's plane lies inside the facet by ρ. So K contains
//     the disc of radius ρ about the projection, at height q or more. For m at an angle α from n,
//     h_K(m) ≥ q·cos α + ρ·sin α. That bound is at least p' = p + provenBy for α₀ ≤ α ≤ α₁.
//  4. Let I be the sum of the radii of the inscribed balls. K contains the ball of radius I about
//     c_K = c_A − c_B = −a·n + b·t, where t is a unit vector perpendicular to n. So h_K(m) ≥ −a·cos
//     α − b·sin α + I. The bound grows with α as long as a·sin α > b·cos α.
//
// So all other facets are deeper than p' if α₀ ≤ r, and if at α₁ the bound of step 4 grows and is
// at least p'. If the projection is too near to the rim for that, a shell may prove the facet (see
// ShelledFacet). If the projection lies outside the facet, or a shell finds a direction along which
// K is shallower, Feature descends from there as Cold does.
//
// Cost: the edges about the features and the witness point, for any size of the bodies. Feature
// does not search, and transforms all vertices of B to A's frame only if vertices are coplanar.
func (s *Prover) Feature(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, id soa.FacetID, out *pair.Answer,
) bool {
	s.ForgetProof()
	if soa.KindPairOf(a.Kind, b.Kind).Gap == soa.RoundAndFaces {
		return ball.Feature(a, pa, b, pb, reach, id, out)
	}
	if id.Kind == soa.NoFacet || !pair.InRange(a, b, id) {
		return false
	}
	*out = pair.Answer{AnsweredBy: pair.ByFeature}
	if !s.Place(a, pa, b, pb) || s.Scale != 1 {
		return false
	}
	if b.Kind.IsFlat() {
		s.AllToFrameA()
	}
	at := s.FeaturePairOf(id)
	if id.Kind == soa.VertexEdge || id.Kind == soa.EdgeVertex {
		at = s.onRim(rimEdgeOf(&at))
	}
	if at.Kind != id.Kind {
		out.AnsweredBy = pair.ByWalk
	}
	on := s.Evaluate(&at)
	switch {
	case !on.OK:
		return false
	case at.Kind <= soa.EdgeEdge:
		return on.CapSine == 0 && s.proveCoplanar(&on, reach, out) || s.descendAndProve(at, &on, reach, out)
	case s.proveNearest(&at, &on, reach, out):
		return true
	}
	out.AnsweredBy = pair.ByWalk
	at = s.startOf(on.N, s.endOfA(&at), s.endOfB(&at))
	on = s.Evaluate(&at)
	return s.descendAndProve(at, &on, reach, out)
}

// proveByDisc answers by the facet of a feature pair, if the disc about the projection proves that the
// facet is the shallowest.
func (s *Prover) proveByDisc(at *pair.FeaturePair, on *evaluated, out *pair.Answer) bool {
	p := -on.Gap
	if !s.AloneBetween(on.N, p, p, p, on.CapSine, at.Inset, 0) {
		return false
	}
	s.keepAndWrite(at, on, out)
	return true
}

// proveByShell is proveByDisc with a shell instead of the disc. If it returns false, Shell.lower may hold
// a direction along which K is shallower.
func (s *Prover) proveByShell(at *pair.FeaturePair, on *evaluated, out *pair.Answer) bool {
	if !s.ShelledFacet(at, on.N, on.Gap, on.CapSine) {
		return false
	}
	s.keepAndWrite(at, on, out)
	return true
}

// evaluated holds the id, normal and gap of a feature pair, and the sine of its cap.
type evaluated struct {
	ID           soa.FacetID
	N            vec.Vec3
	Gap, CapSine float64
	OK           bool // the features define a normal
}

// Evaluate returns the id, gap, normal and cap of a feature pair.
func (s *Prover) Evaluate(at *pair.FeaturePair) (on evaluated) {
	s.evaluateInto(at, &on)
	return on
}

// evaluateInto is Evaluate in place.
func (s *Prover) evaluateInto(at *pair.FeaturePair, on *evaluated) {
	on.ID = s.FacetOf(at)
	if on.Gap, on.N, on.OK = s.FinaliseFeatures(at, on.ID); on.OK {
		on.CapSine = s.CapSineOf(at, on.N)
	} else {
		on.CapSine = 0
	}
}

// smallCap is the sine of the cap below which a facet of two faces of four corners is proven
// together with their other facets, because that proof lasts longer.
// Another value: only speed.
const smallCap = 1.0 / 32

// tinyCap is the sine of the cap below which a facet that is not proven alone is tried together
// with the other facets that two features make.
// Another value: only speed.
const tinyCap = 1.0 / (1 << 10)

// proveCoplanar answers a pair by two faces, or by a face and vertices coplanar with it, if facet
// on.ID is one of the facets that they make.
func (s *Prover) proveCoplanar(on *evaluated, reach float64, out *pair.Answer) bool {
	switch {
	case s.grazes(on.Gap):
		return s.grazingFaces(on, reach, out)
	case on.Gap > 0:
		return s.nearestCoplanar(on, reach, out)
	}
	return s.coplanarFaces(on, out)
}

// coplanarFaces is proveCoplanar for a pair that overlaps. The other facets that the features make
// are coplanar with the facet, or nearly so.
func (s *Prover) coplanarFaces(on *evaluated, out *pair.Answer) bool {
	s.Shell.lower.Found = false
	s.AllToFrameA()
	best, faces, proven := s.FacePair(on.ID)
	if !(best.H > 4*s.Tol.Close) {
		return false
	}
	if !proven {
		return s.shelledFaces(&best, &faces) && s.FacetsAnswer(best, out)
	}
	if !s.FacetsAnswer(best, out) {
		return false
	}
	s.keepFaces(&best, &faces)
	return true
}

// keepFaces stores, for Budget, the shallowest facet of two features that have been proven.
func (s *Prover) keepFaces(best *facets.Shallowest, pair *faces) {
	s.Last = provenFacet{capUnknown: true, id: best.ID, n: best.N, depth: best.H, Faces: *pair}
}

// proveFacet answers by the facet of a feature pair that has a cap, or by facets that are nearly
// coplanar with it. If it returns false, Shell.lower may hold a
// direction along which K is shallower. quads is true if two faces of four corners each may make
// the facet. If these are nearly parallel, a proof of both faces lasts longer than a proof of the
// facet alone.
func (s *Prover) proveFacet(at *pair.FeaturePair, on *evaluated, quads bool, out *pair.Answer) bool {
	if s.proveByDisc(at, on, out) {
		return true
	}
	barely := !clearOfRim(on.CapSine, at.Inset, -on.Gap, float64(2*provenBy*s.LengthScale))
	if (barely || on.CapSine < smallCap && quads) && (s.coplanarFaces(on, out) || s.Shell.lower.Found) {
		return !s.Shell.lower.Found
	}
	if s.proveByShell(at, on, out) || s.Shell.lower.Found {
		return !s.Shell.lower.Found
	}
	return !barely && on.CapSine < tinyCap && s.coplanarFaces(on, out)
}

// onQuads reports whether two faces of four corners may make the facet of a feature pair. A proof
// of such faces as a pair lasts longer than one of a facet alone.
func (s *Prover) onQuads(at *pair.FeaturePair) bool {
	a, b := s.ViewA, s.ViewB
	switch at.Kind {
	case soa.FaceVertex:
		return a.QuadOfFace[at.FaceA] != 0
	case soa.VertexFace:
		return b.QuadOfFace[at.FaceB] != 0
	}
	return (a.QuadOfFace[a.Face[at.HalfA]] != 0 || a.QuadOfFace[a.Face[a.Twin[at.HalfA]]] != 0) &&
		(b.QuadOfFace[b.Face[at.HalfB]] != 0 || b.QuadOfFace[b.Face[b.Twin[at.HalfB]]] != 0)
}

// CapOf returns the sine of the angular radius of the cap about n in which the features of a facet
// are the only supports, and how far inside the facet the projection of the origin lies. Either is
// zero or less if there is no cap, or if the projection lies outside.
func (s *Prover) CapOf(id soa.FacetID, n vec.Vec3) (capSine, inset float64) {
	at := s.FeaturePairOf(id)
	capSine = s.CapSineOf(&at, n)
	switch id.Kind {
	case soa.FaceVertex:
		return capSine, s.InsideFace(s.ViewA, &s.HullA, at.FaceA, s.HullB.At(int(id.B)), n)
	case soa.VertexFace:
		return capSine, s.InsideFace(s.ViewB, &s.HullB, at.FaceB, s.HullA.At(int(id.A)), n.Neg())
	}
	return capSine, s.insideCrossing(id)
}

// insideCrossing returns how far inside the parallelogram of two edges the projection of the origin
// lies.
func (s *Prover) insideCrossing(id soa.FacetID) float64 {
	p, p1 := s.EdgeA(int(id.A))
	q, q1 := s.EdgeB(int(id.B))
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	at, bt := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	l := math.Sqrt(cc)
	return min(min(at, 1-at)*(l/f.Norm()), min(bt, 1-bt)*(l/e.Norm()))
}

// deepBeyond is step 4 of Feature: it reports whether h_K is at least deep along all directions
// whose angle from n is at least that of cos1 and sin1. The two centres may have moved relative to
// each other by shift.
//
// The bound −a·cos α − b·sin α + I grows with α wherever a·sin α > b·cos α. That holds up to α = π
// if it holds at the start and a > 0.
func (s *Prover) deepBeyond(n vec.Vec3, cos1, sin1, deep, shift float64) bool {
	cb, inner := s.CentreOfB(), float64((s.ViewA.Inner+s.ViewB.Inner)*s.Scale)
	// c_K = c_A − c_B, and c_A is the origin.
	a := n.Dot(cb)
	b := cb.AddScaled(-a, n).Norm() + shift
	least, worst := a-shift, a-shift
	if cos1 > 0 {
		worst = a + shift
	}
	return least > 0 && float64(least*sin1) > float64(b*cos1) && -float64(worst*cos1)-float64(b*sin1)+inner >= deep
}
