package search

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// allCorners returns the least distance between a vertex of one body and a vertex or edge of the
// other, and the direction from A to B.
func (s *Searcher) allCorners() (float64, vec.Vec3) {
	s.Near(vec.Vec3{X: 1}, math.Inf(1))
	return s.NearCorners()
}

// NearCorners is allCorners for the vertices in NearA and NearB, and for the edges with an end
// there.
func (s *Searcher) NearCorners() (float64, vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	for _, i := range s.NearA {
		p := s.HullA.At(int(i))
		for _, j := range s.NearB {
			w := s.HullB.At(int(j)).Sub(p)
			if ww := w.Norm2(); ww < least {
				least, line = ww, w
			}
		}
	}
	s.EachNear(s.ViewB, s.NearB, true, func(e int) {
		q, q1 := s.EdgeB(e)
		least, line = nearestVertex(&s.HullA, q, q1, 1, least, line)
	})
	s.EachNear(s.ViewA, s.NearA, true, func(e int) {
		p, p1 := s.EdgeA(e)
		least, line = nearestVertex(&s.HullB, p, p1, -1, least, line)
	})
	return math.Sqrt(least), line.Unit()
}

// nearestVertex updates the least squared distance, and the line from A to B that has it. It
// considers the vertices of h whose projection onto the segment qq1 lies between its ends. The
// caller handles the pairs of vertices. sign is 1 if the vector from a vertex to its projection
// goes from A to B, else −1.
func nearestVertex(h *pair.PosedHull, q, q1 vec.Vec3, sign, least float64, line vec.Vec3) (float64, vec.Vec3) {
	e := q1.Sub(q)
	ee := e.Norm2()
	x, y, z := h.X, h.Y, h.Z
	y, z = y[:len(x)], z[:len(x)]
	for i := range x {
		w := vec.Vec3{X: q.X - x[i], Y: q.Y - y[i], Z: q.Z - z[i]}
		from := -w.Dot(e)
		// The squared distance is |w|² − from²/|e|². The division is only done if that may be below
		// least, given the rounding of the difference. room is negative if it cannot be.
		far := float64(w.Norm2() * ee)
		room := float64(float64(least*ee)*(1+0x1p-20)) + float64(far*0x1p-48) - (far - float64(from*from))
		// One branch tests three signs. Where the projection lies is unpredictable.
		if int64(math.Float64bits(from)|math.Float64bits(ee-from)|math.Float64bits(room)) < 0 {
			continue
		}
		w = w.AddScaled(from/ee, e)
		if ww := w.Norm2(); ww < least {
			least, line = ww, w.Scale(sign)
		}
	}
	return least, line
}

// EachNear calls do for each edge of a body. If only is set, EachNear calls do only for edges with
// an end in near.
func (s *Searcher) EachNear(v *soa.View, near []uint16, only bool, do func(e int)) {
	if !only {
		for e := range v.Edge {
			do(e)
		}
		return
	}
	s.MarkAll(near, v.NVerts)
	for e, h := range v.Edge {
		if s.Mark[v.Tail[h]] || s.Mark[v.Head(h)] {
			do(e)
		}
	}
	s.Unmark(near)
}
