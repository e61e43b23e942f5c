package narrow

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// onePlace is the distance of the centres, in radii of the inscribed balls, below which bodies are at one place. It is not a
// tolerance: below it EPA answers all rocks of 12 and 20 vertices anyhow, and 97 of 100 of 64 and 200.
const onePlace = 1.0 / (1 << 7)

// atOnePlace says whether the centres of two bodies with many edges are so near to each other that the descent would end at
// openAllRound, or prove nothing after it.
func (s *Search) atOnePlace() bool {
	return len(s.va.Edge)*len(s.vb.Edge) > fewCrossings && s.centresMeet()
}

// askAllFacets says whether two bodies with few edges are so nearly at one place, and turned
// against each other, that all facets of K are asked at once. Facets that face each other tie but
// for the distance of the centres, and where the turn is small so do those into which it divides
// each face of K: a proof of one is not to be had, and EPA grows into slivers. Of bodies that are
// not turned the faces lie level, which a descent proves.
func (s *Search) askAllFacets() bool {
	q := &s.relative
	turned := float64(q.X*q.X)+float64(q.Y*q.Y)+float64(q.Z*q.Z) > minSine*minSine
	return turned && len(s.va.Edge)*len(s.vb.Edge) <= fewCrossings && s.centresMeet()
}

// centresMeet says whether the centres of two blocks are next to each other.
func (s *Search) centresMeet() bool {
	return s.scale == 1 && s.vb.Kind == soa.Block &&
		s.t.Norm2() < float64(onePlace*onePlace)*float64((s.va.Inner+s.vb.Inner)*(s.va.Inner+s.vb.Inner))
}

// octahedron starts the polytope of bodies at one place, for which GJK was not asked, with the supports along the axes. It says false,
// and leaves the polytope empty, for others and where these make no convex surface about the origin.
func (s *Search) octahedron() bool {
	if s.n != 0 || !s.atOnePlace() {
		return false
	}
	for _, d := range [6]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
		s.addCorner(s.vertexAlong(d))
	}
	// The bits of a triangle's index are the signs of its octant: across an edge one of them is another.
	for f := range int32(8) {
		x, y, z := uint16(3*(f&1)), uint16(1+3*(f>>1&1)), uint16(2+3*(f>>2))
		across := [3]int32{f ^ 4, f ^ 1, f ^ 2}
		if f == 1 || f == 2 || f == 4 || f == 7 {
			y, z = z, y
			across = [3]int32{f ^ 2, f ^ 1, f ^ 4}
		}
		s.addTriangle(x, y, z)
		s.tris[f].other = across
	}
	for f := range s.tris {
		t := &s.tris[f]
		for _, k := range t.v {
			if !(t.d > 0) || s.sees(t, s.corners[(k+3)%6].p) {
				s.corners, s.from, s.tris, s.heap = s.corners[:0], s.from[:0], s.tris[:0], s.heap[:0]
				return false
			}
		}
	}
	return true
}
