package pair

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// meetBand is how far below the support along the normal a vertex of the features that meet may
// lie, in length scales. Example: an edge that touches between its ends. Both ends lie within a tie
// of the plane, divided by the relative distance of the contact from one end.
// Smaller: a witness point may miss a body. Larger: more features are tried, rarely.
const meetBand = 1.0 / (1 << 20)

// Meet returns the point of A that is nearest to B after B has moved by x, and the distance. It
// tests only features next to the support along n; the nearest ones must be among these. If x is
// −gap·n, the moved bodies touch.
//
// Meet is the last resort for a witness point, and for the distance of bodies that almost touch.
// Two other methods fail there. If several facets of K tie, the projection of the origin may lie
// outside the facet with the lowest id. split, whose direction is rounding noise within 1e-12 of
// the contact, may stall on bodies with nearly parallel faces. Cost: the vertices of one body near
// the plane times the edges and faces of the other, and edges times edges. About one in ten
// thousand of the pairs constructed to be difficult needs Meet.
func (s *Frame) Meet(x, n vec.Vec3) (at vec.Vec3, d float64) {
	s.Near(n, float64(meetBand*s.LengthScale))
	least := math.Inf(1)
	keep := func(a, b vec.Vec3) {
		if d := b.Sub(a).Norm2(); d < least {
			at, least = a, d
		}
	}
	for _, i := range s.NearA {
		p := s.HullA.At(int(i))
		for _, e := range s.EdgesB {
			q, q1 := s.EdgeB(int(e))
			w, _ := ClosestOnSegment(q.Add(x).Sub(p), q1.Add(x).Sub(p))
			keep(p, p.Add(w))
		}
		for g := range s.ViewB.NFaces {
			if m, d := s.PlaneB(g); m.Dot(n) < meetBand-1 && s.holdsProjectionOf(s.ViewB, &s.HullB, soa.Face(g), m, p.Sub(x)) {
				keep(p, p.AddScaled(d-m.Dot(p.Sub(x)), m))
			}
		}
	}
	for _, j := range s.NearB {
		q := s.HullB.At(int(j)).Add(x)
		for _, e := range s.EdgesA {
			p, p1 := s.EdgeA(int(e))
			w, _ := ClosestOnSegment(p.Sub(q), p1.Sub(q))
			keep(q.Add(w), q)
		}
		for f := range s.ViewA.NFaces {
			if m, d := s.PlaneA(f); m.Dot(n) > 1-meetBand && s.holdsProjectionOf(s.ViewA, &s.HullA, soa.Face(f), m, q) {
				keep(q.AddScaled(d-m.Dot(q), m), q)
			}
		}
	}
	for _, e := range s.EdgesA {
		p, p1 := s.EdgeA(int(e))
		for _, f := range s.EdgesB {
			q, q1 := s.EdgeB(int(f))
			if a, b, ok := crossingWithin(p, p1, q.Add(x), q1.Add(x)); ok {
				keep(a, b)
			}
		}
	}
	return at, math.Sqrt(least)
}

// holdsProjectionOf reports whether the projection of p on the plane of a face lies in the face. m
// is the outward normal of the face. A face that has collapsed to a line or a point by rounding
// holds none.
//
// Rounding may dent a loop at a corner. If an edge there is short, its line may cut off the whole
// face. So a point beyond a line is inside if the loop winds around it.
func (s *Frame) holdsProjectionOf(v *soa.View, h *PosedHull, f soa.Face, m, p vec.Vec3) bool {
	first, n := v.LoopFirst[f], v.LoopLen[f]
	last := h.At(int(v.Tail[first+n-1]))
	up := m.Perpendicular()
	area, before, above, wound := 0.0, true, up.Dot(last.Sub(p)) > 0, false // area: twice that of the face
	for i := range n {
		next := h.At(int(v.Tail[first+i]))
		in := m.Cross(next.Sub(last)).Dot(p.Sub(last))
		if up.Dot(next.Sub(p)) > 0 != above {
			above = !above
			wound = wound != (in > 0 == above) // the side crosses a ray from p
		}
		before = before && !(in < 0)
		area += in
		last = next
	}
	return area > 0 && (before || wound)
}

// crossingWithin returns the nearest points of two segments. ok is false if the segments are
// parallel. For nearly parallel segments, the position along the first one errs by a rounding
// divided by the sine. The nearest point of the second segment to it does not, so the distance errs
// by no more than a rounding.
func crossingWithin(p, p1, q, q1 vec.Vec3) (a, b vec.Vec3, ok bool) {
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	if cc == 0 {
		return a, b, false
	}
	a = p.AddScaled(min(max(w.Cross(f).Dot(c)/cc, 0), 1), e)
	b = nearestOnSegment(a, q, f)
	a = nearestOnSegment(b, p, e)
	return a, b, true
}

// nearestOnSegment returns the point of the segment from p to p+e nearest to x.
func nearestOnSegment(x, p, e vec.Vec3) vec.Vec3 {
	return p.AddScaled(min(max(x.Sub(p).Dot(e)/e.Norm2(), 0), 1), e)
}

// ClosestOnSegment returns the point of the segment pq nearest to the origin, and the ends that it
// depends on: bit 0 for p, bit 1 for q.
func ClosestOnSegment(p, q vec.Vec3) (vec.Vec3, uint8) {
	d := q.Sub(p)
	dd := d.Norm2()
	from := -p.Dot(d)
	if !(from > 0) || dd == 0 {
		return p, 1
	}
	if from >= dd {
		return q, 2
	}
	return p.AddScaled(from/dd, d), 3
}
