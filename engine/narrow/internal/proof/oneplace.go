package proof

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
)

// onePlace is the distance of the centres, in radii of the inscribed balls, below which bodies are at one place. It is not a
// tolerance: below it EPA answers all rocks of 12 and 20 vertices anyhow, and 97 of 100 of 64 and 200.
const onePlace = 1.0 / (1 << 7)

// AtOnePlace reports whether the centres of two bodies with many edges are so near to each other that the descent would end at
// openAllRound, or prove nothing after it.
func (s *Prover) AtOnePlace() bool {
	return len(s.ViewA.Edge)*len(s.ViewB.Edge) > fewCrossings && s.centresMeet()
}

// TryAllFacets reports whether two bodies with few edges are so nearly at one place, and turned
// against each other, that all facets of K are asked at once. Facets that face each other tie but
// for the distance of the centres, and where the turn is small so do those into which it divides
// each face of K: a proof of one is not to be had, and EPA grows into slivers. Of bodies that are
// not turned the faces lie level, which a descent proves.
func (s *Prover) TryAllFacets() bool {
	q := &s.Relative
	turned := float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z) > pair.MinSine*pair.MinSine
	return turned && len(s.ViewA.Edge)*len(s.ViewB.Edge) <= fewCrossings && s.centresMeet()
}

// centresMeet reports whether the centres of two blocks are next to each other.
func (s *Prover) centresMeet() bool {
	return s.Scale == 1 && s.ViewB.Kind == soa.Block &&
		s.OriginB.Norm2() < float64(onePlace*onePlace)*float64((s.ViewA.Inner+s.ViewB.Inner)*(s.ViewA.Inner+s.ViewB.Inner))
}
