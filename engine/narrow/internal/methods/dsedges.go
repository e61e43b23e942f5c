package methods

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// edgeOfB is an edge of B in the frame and scale of the search: 64 bytes.
type edgeOfB struct {
	at, dir     vec.Vec3 // tail of its lower half-edge, and from there to the head
	square      float64  // |dir|²
	left, right soa.Face // faces of the lower half-edge and of its twin
	id          uint16
}

// crossed is an edge of B whose arc may cross that of an edge of A: its place in the list, and which way, as opposed
// says.
type crossed struct {
	k   uint16
	way uint8
}

// edgeOfB brings an edge of B over.
func (s *Methods) edgeOfB(e int) edgeOfB {
	h := s.ViewB.Edge[e]
	q, q1 := s.EdgeB(e)
	dir := q1.Sub(q)
	return edgeOfB{at: q, dir: dir, square: dir.Norm2(), left: s.ViewB.Face[h], right: s.ViewB.Face[s.ViewB.Twin[h]], id: uint16(e)}
}

// Which side of zero a product lies, with a tolerance: one bit or both.
const (
	notBelow = 1
	notAbove = 2
)

// signs returns the bits of x. It compiles to no branch: the signs of a pair of edges are as good as random.
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

// opposed says by which signs two products differ: bit 0 if the first is not below zero and the second not above it, bit
// 1 if the other way round.
func opposed(x, y uint8) uint8 { return x&(y>>1) | (x>>1&y)<<1 }

// edgeAgainst lowers best by the pairs that an edge of A makes with edges of B in the order of their ids; those that may be
// the answer are left in edges. MB holds the normals of B's faces. face is the least h_K of the faces: a pair that is not
// shallower is left out even where it ties, for a face goes first.
//
// The valid entrance of two edges, that their dihedral angles leave room for a plane between them, is a matter of four
// signs: the arcs of the two on the Gauss map cross (Gregorius 2013). Signs are taken with a tolerance, and h_K is
// evaluated by full support where it could matter, as in the exhaustive search.
func (s *Methods) edgeAgainst(ea int, list []edgeOfB, best, face float64) float64 {
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
	// The edges of B whose faces e runs between; then those of them that run between e's. Each is written, and
	// counted if it holds.
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
	for _, c := range found[:m] {
		f := &list[c.k]
		if h, ok := s.crossedEdges(ea, p, e, f, c.way, min(best+tie, face)); ok {
			best = min(best, h)
			s.Note(h, best+tie, soa.FacetID{A: uint16(ea), B: f.id, Kind: soa.EdgeEdge})
		}
	}
	return best
}

// crossedEdges is EdgePair for an edge of A from p along e whose arc crosses that of an edge of B: the signs that say so
// also say which way the normal points, so that finalise, whose value this is, need not find out.
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
	// Most pairs are far too deep, and no root is needed to see it; where the sine is not small, to within a tie.
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

// isFace reports whether the normal of two edges is that of one of their faces, as good as: an edge that lies parallel to a
// face of the other one to the last bits makes a facet that the face makes as well. The two normals differ by the rise of
// the edge over the face, δ·|f|/|e×f| with δ = e·m and f in the face, and h_K by two units times that. Below a quarter of a tie
// nothing depends on it but how far apart faces may be to tie. Faces that rest on each other, and edges that are parallel, have
// little else.
func (s *Methods) isFace(ea int, e vec.Vec3, f *edgeOfB, cc, ee float64) bool {
	h := s.ViewA.Edge[ea]
	n1, n2 := s.ViewA.Normal(s.ViewA.Face[h]), s.ViewA.Normal(s.ViewA.Face[s.ViewA.Twin[h]])
	onB := min(math.Abs(e.Dot(s.MB[f.left])), math.Abs(e.Dot(s.MB[f.right])))
	onA := min(math.Abs(f.dir.Dot(n1)), math.Abs(f.dir.Dot(n2)))
	rise := max(min(float64(onB*onB)*f.square, float64(onA*onA)*ee), 0)
	return float64(64*s.LengthScale*s.LengthScale)*rise <= float64(s.Tol.Tie*s.Tol.Tie)*cc
}
