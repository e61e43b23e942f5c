package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
)

// fewCrossings is the product of the numbers of edges of A and B up to which a test of all facets of
// K is fast enough for bodies at one place.
const fewCrossings = 400

// onePlace is the distance of the centres, relative to the sum of the radii of the inscribed balls,
// below which two bodies count as being at one place. It is not a tolerance: below it EPA answers
// all rocks of 12 and 20 vertices anyway, and 97 of 100 of 64 and 200 vertices.
const onePlace = 1.0 / (1 << 7)

// NearlyConcentric reports whether the centres of two bodies with many edges nearly coincide. A
// descent would then end at openAllRound, or prove nothing.
func (s *Prover) NearlyConcentric() bool {
	return len(s.ViewA.Edge)*len(s.ViewB.Edge) > fewCrossings && s.centresMeet()
}

// TryAllFacets reports whether the search should test all facets of K at once: two bodies with few
// edges are nearly at one place and rotated against each other. Opposite facets of K then differ in
// depth only by the distance of the centres. If the rotation is small, each face of K splits into
// facets that nearly tie as well. No single facet can be proven then, and EPA creates slivers. If
// the bodies are not rotated against each other, their faces are parallel, and a descent proves the
// answer.
func (s *Prover) TryAllFacets() bool {
	q := &s.Relative
	turned := float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z) > pair.MinSine*pair.MinSine
	return turned && len(s.ViewA.Edge)*len(s.ViewB.Edge) <= fewCrossings && s.centresMeet()
}

// centresMeet reports whether two blocks are at one place, see onePlace.
func (s *Prover) centresMeet() bool {
	return s.Scale == 1 && s.ViewB.Kind.IsPolyhedron() &&
		s.OriginB.Norm2() < float64(onePlace*onePlace)*float64((s.ViewA.Inner+s.ViewB.Inner)*(s.ViewA.Inner+s.ViewB.Inner))
}
