package methods

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeOfB is an edge of B in the frame and scale of the search: 64 bytes.
type edgeOfB struct {
	at, dir     vec.Vec3 // tail of its lower half-edge, and the vector from there to the head
	square      float64  // |dir|²
	left, right soa.Face // faces of the lower half-edge and of its twin
	id          uint16
}

// crossed is an edge of B whose arc on the Gauss map may cross that of an edge of A. k is its place
// in the list, way the result of opposed.
type crossed struct {
	k   uint16
	way uint8
}

// edgeOfB returns edge e of B in the frame of A.
func (s *Methods) edgeOfB(e int) edgeOfB {
	h := s.ViewB.Edge[e]
	q, q1 := s.EdgeB(e)
	dir := q1.Sub(q)
	return edgeOfB{at: q, dir: dir, square: dir.Norm2(), left: s.ViewB.Face[h], right: s.ViewB.Face[s.ViewB.Twin[h]], id: uint16(e)}
}

// These bits tell on which side of zero a product lies, within a tolerance: one bit, or both near
// zero.
const (
	notBelow = 1
	notAbove = 2
)

// signs returns the bits of x. It compiles to no branch because the signs of a pair of edges are
// unpredictable.
func signs(x, tol float64) uint8 {
	var a, b uint8
	if x >= -tol {
		a = notBelow
	}
	if x <= tol {
		b = notAbove
	}
	return a | b
}

// opposed tells how the signs of two products differ. Bit 0 is set if the first is not below zero
// and the second not above it. Bit 1 is set if the first is not above zero and the second not below
// it.
func opposed(x, y uint8) uint8 { return x&(y>>1) | (x>>1&y)<<1 }

// edgeAgainst evaluates the pairs that edge ea of A makes with the edges of B in list, in the order
// of their ids. It returns the least of best and their h_K, and notes in s.Edges the pairs that may
// be the answer. MB must hold the normals of B's faces. face is the least h_K of the faces. A pair
// that only ties with face is left out because faces have priority.
//
// The fast direct search calls a pair of edges a valid entrance if their dihedral angles leave
// space for a plane between the edges. That is a condition on four signs: the arcs of the two edges
// cross on the Gauss map (Gregorius 2013). Signs are taken with a tolerance, and h_K is evaluated
// by full supports if it could matter, as in the exhaustive search.
func (s *Methods) edgeAgainst(ea int, list []edgeOfB, best, face float64) float64 {
	s.Paper.Checks.EdgeEdge += len(list)
	h := s.ViewA.Edge[ea]
	p, p1 := s.EdgeA(ea)
	e := p1.Sub(p)
	n1, n2 := s.ViewA.Normal(s.ViewA.Face[h]), s.ViewA.Normal(s.ViewA.Face[s.ViewA.Twin[h]])
	flat, tie := s.Tol.Arc, s.Tol.Tie
	w := &s.Fronts
	w.row = w.row[:0]
	for i := range s.MB {
		w.row = append(w.row, signs(e.Dot(s.MB[i]), flat))
	}
	for len(w.crossed) < len(list) {
		w.crossed = append(w.crossed, crossed{})
	}
	row, found := w.row, w.crossed[:len(list)]
	// First select the edges of B whose two faces lie on opposite sides of e. Then select from
	// these the edges for which e's two faces lie on opposite sides too. Each candidate is written,
	// and counted only if it holds, so that there is no branch.
	n := 0
	for k := range list {
		way := opposed(row[list[k].left], row[list[k].right])
		found[n] = crossed{uint16(k), way}
		n += int(way&1 | way>>1)
	}
	m := 0
	for _, c := range found[:n] {
		f := &list[c.k]
		way := c.way & opposed(signs(f.dir.Dot(n1), flat), signs(f.dir.Dot(n2), flat))
		found[m] = crossed{c.k, way}
		m += int(way&1 | way>>1)
	}
	w.valid += m
	for _, c := range found[:m] {
		f := &list[c.k]
		if h, ok := s.crossedEdges(ea, p, e, f, c.way, min(best+tie, face)); ok {
			best = min(best, h)
			s.Note(h, best+tie, soa.FacetID{A: uint16(ea), B: f.id, Kind: soa.EdgeEdge})
		}
	}
	return best
}

// crossedEdges is EdgePair for an edge of A, from p along e, whose arc crosses that of edge f of B.
// way tells the direction of the normal, so Finalise, which yields the same value, is not needed to
// find it.
func (s *Methods) crossedEdges(ea int, p, e vec.Vec3, f *edgeOfB, way uint8, limit float64) (float64, bool) {
	c := e.Cross(f.dir)
	cc, ee := c.Norm2(), e.Norm2()
	if !(cc > pair.MinSine*pair.MinSine*ee*f.square) {
		return 0, false
	}
	if way == 3 {
		if s.isFace(ea, e, f, cc, ee) {
			return 0, false
		}
		return s.EdgePair(ea, int(f.id), limit)
	}
	if way == 2 {
		c = c.Neg()
	}
	w := f.at.Sub(p)
	// Most pairs are far too deep, which shows without a root: to within a tie, if the sine is not
	// small.
	over := limit + 2*s.Tol.Tie
	if depth := -c.Dot(w); depth > 0 && over >= 0 && cc*64 > ee*f.square && float64(depth*depth) > float64(over*over)*cc {
		return 0, false
	}
	if s.isFace(ea, e, f, cc, ee) {
		return 0, false
	}
	if cc < pair.WideSine*pair.WideSine*ee*f.square {
		return s.EdgePair(ea, int(f.id), limit)
	}
	l := math.Sqrt(cc)
	n := vec.Vec3{X: c.X / l, Y: c.Y / l, Z: c.Z / l}
	gap := n.Dot(w)
	if -gap > limit {
		return 0, false
	}
	h := s.HullA.Top(n) - s.HullB.Bottom(n)
	return h, h <= limit && h+gap <= s.Tol.Tie
}

// isFace reports whether the normal of two edges is practically that of one of their faces. If an
// edge is parallel to a face of the other body to the last bits, the facet of the two edges is also
// made by the face.
//
// The two normals differ by the rise of the edge over the face, δ·|f|/|e×f| with δ = e·m and f in
// the face. The two h_K differ by that times two length scales. If this is less than a quarter of a
// tie, only the distance at which faces tie depends on it. Faces that rest on each other, and
// parallel edges, consist almost entirely of such pairs.
func (s *Methods) isFace(ea int, e vec.Vec3, f *edgeOfB, cc, ee float64) bool {
	h := s.ViewA.Edge[ea]
	n1, n2 := s.ViewA.Normal(s.ViewA.Face[h]), s.ViewA.Normal(s.ViewA.Face[s.ViewA.Twin[h]])
	onB := min(math.Abs(e.Dot(s.MB[f.left])), math.Abs(e.Dot(s.MB[f.right])))
	onA := min(math.Abs(f.dir.Dot(n1)), math.Abs(f.dir.Dot(n2)))
	rise := max(min(float64(onB*onB)*f.square, float64(onA*onA)*ee), 0)
	return float64(64*s.LengthScale*s.LengthScale)*rise <= float64(s.Tol.Tie*s.Tol.Tie)*cc
}
