package search

import (
	"github.com/scree-dem/scree/vec"
)

// Octahedron starts the polytope with the six supports along the coordinate axes. It is for bodies
// whose centres nearly coincide (NearlyConcentric), for which GJK has not run. Octahedron returns
// false, with an empty polytope, for other pairs, or if the six supports form no convex surface
// around the origin.
func (s *Searcher) Octahedron() bool {
	if s.N != 0 || !s.NearlyConcentric() {
		return false
	}
	for _, d := range [6]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
		s.addCorner(s.VertexAlong(d))
	}
	// The three bits of a triangle's index are the signs of its octant. The triangle across an edge
	// differs in one bit.
	for f := range int32(8) {
		x, y, z := uint16(3*(f&1)), uint16(1+3*(f>>1&1)), uint16(2+3*(f>>2))
		across := [3]int32{f ^ 4, f ^ 1, f ^ 2}
		if f == 1 || f == 2 || f == 4 || f == 7 {
			y, z = z, y
			across = [3]int32{f ^ 2, f ^ 1, f ^ 4}
		}
		s.addTriangle(x, y, z)
		s.Tris[f].Other = across
	}
	for f := range s.Tris {
		t := &s.Tris[f]
		for _, k := range t.V {
			if !(t.D > 0) || s.sees(t, s.Corners[(k+3)%6].P) {
				s.Corners, s.From, s.Tris, s.Heap = s.Corners[:0], s.From[:0], s.Tris[:0], s.Heap[:0]
				return false
			}
		}
	}
	return true
}
