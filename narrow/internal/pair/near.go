package pair

import (
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Band returns how far below the support along a direction the vertices of the nearest features may
// lie, if the direction comes from a difference vector of length d.
func (s *Frame) Band(d float64) float64 {
	return min(2*s.Tol.Tie*max(1, s.LengthScale/d), s.LengthScale/(1<<10))
}

// Near lists the vertices of both bodies that lie within band of the support along n (A) and −n
// (B), and the edges between these vertices.
func (s *Frame) Near(n vec.Vec3, band float64) {
	_, ha := s.HullA.Highest(n)
	_, hb := s.HullB.Lowest(n)
	s.NearA = AppendBelow(s.NearA[:0], &s.HullA, n.Neg(), band-ha)
	s.NearB = AppendBelow(s.NearB[:0], &s.HullB, n, band+hb)
	s.EdgesA = s.EdgesAmong(s.EdgesA[:0], s.ViewA, s.NearA)
	s.EdgesB = s.EdgesAmong(s.EdgesB[:0], s.ViewB, s.NearB)
}

// AppendBelow appends the vertices p with n·p ≤ limit.
func AppendBelow(to []uint16, h *PosedHull, n vec.Vec3, limit float64) []uint16 {
	for i := range h.X {
		if float64(h.X[i]*n.X)+float64(h.Y[i]*n.Y)+float64(h.Z[i]*n.Z) <= limit {
			to = append(to, uint16(i))
		}
	}
	return to
}

// AppendNew appends x unless it is listed already.
func AppendNew[T comparable](to []T, x T) []T {
	if slices.Contains(to, x) {
		return to
	}
	return append(to, x)
}

// EdgesAmong appends the edges of which both ends are in near.
func (s *Frame) EdgesAmong(to []uint16, v *soa.View, near []uint16) []uint16 {
	if len(near) < 2 {
		return to
	}
	s.MarkAll(near, v.NVerts)
	for e, h := range v.Edge {
		if s.Mark[v.Tail[h]] && s.Mark[v.Head(h)] {
			to = append(to, uint16(e))
		}
	}
	s.Unmark(near)
	return to
}

// MarkAll sets the marks of a set of vertices, all less than n. Unmark clears these marks.
func (s *Frame) MarkAll(set []uint16, n int) {
	for len(s.Mark) < n {
		s.Mark = append(s.Mark, false)
	}
	for _, k := range set {
		s.Mark[k] = true
	}
}

// Unmark clears the marks that MarkAll set.
func (s *Frame) Unmark(set []uint16) {
	for _, k := range set {
		s.Mark[k] = false
	}
}

// nearFeatures is memory for the features near the support along a direction.
type nearFeatures struct {
	NearA, NearB   []uint16 // vertices
	EdgesA, EdgesB []uint16
	Mark           []bool
}
