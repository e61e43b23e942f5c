package pair

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// contactRegion is memory for the polygons of two parallel features and for their intersection.
type contactRegion struct {
	subject, clip, spare, cut []Point2
	ring                      vec.Ring
}

// plainCuts is the largest product of the corners of a region and the number of cuts for which
// every corner is tested against every cut. Up to about thirty of either, that is faster than
// keeping the corners in a ring. It is not a tolerance: the bits are the same.
const plainCuts = 1024

// Point2 is a point of a plane: a point of space without its coordinate along the largest component
// of a normal.
type Point2 struct{ U, V float64 }

// cross returns (a−p)×(b−p): positive if p, a, b turn counter-clockwise.
func (p Point2) cross(a, b Point2) float64 {
	return float64((a.U-p.U)*(b.V-p.V)) - float64((a.V-p.V)*(b.U-p.U))
}

// axes2 projects points along coordinate axis k, that of the largest component of a normal. It
// keeps the sense of rotation as seen from the positive end of axis k.
type axes2 struct{ k int }

// axesOf returns the projection for a normal.
func axesOf(n vec.Vec3) axes2 {
	m := n.Abs()
	switch {
	case m.X >= m.Y && m.X >= m.Z:
		return axes2{0}
	case m.Y >= m.Z:
		return axes2{1}
	}
	return axes2{2}
}

// flat projects p.
func (x axes2) flat(p vec.Vec3) Point2 {
	switch x.k {
	case 0:
		return Point2{p.Y, p.Z}
	case 1:
		return Point2{p.Z, p.X}
	}
	return Point2{p.X, p.Y}
}

// lift returns the point of the plane n·p = d whose projection is q.
func (x axes2) lift(q Point2, n vec.Vec3, d float64) vec.Vec3 {
	switch x.k {
	case 0:
		return vec.Vec3{X: (d - float64(n.Y*q.U) - float64(n.Z*q.V)) / n.X, Y: q.U, Z: q.V}
	case 1:
		return vec.Vec3{X: q.V, Y: (d - float64(n.Z*q.U) - float64(n.X*q.V)) / n.Y, Z: q.U}
	}
	return vec.Vec3{X: q.U, Y: q.V, Z: (d - float64(n.X*q.U) - float64(n.Y*q.V)) / n.Z}
}

// of returns component k of n.
func (x axes2) of(n vec.Vec3) float64 {
	switch x.k {
	case 0:
		return n.X
	case 1:
		return n.Y
	}
	return n.Z
}

// Witness returns the witness point on A of a facet of K, given the facet's gap and normal. The
// witness point on B is wa + gap·n. inside is true if both points lie on the bodies to
// projectionTol.
//
// If one vertex alone meets a face, the witness is that vertex or its projection. If several
// vertices tie, because a face or an edge is parallel to the face, it is the mean of the corners of
// the region in which the two features overlap, seen along n. For two edges it is the crossing.
func (s *Frame) Witness(id soa.FacetID, gap float64, n vec.Vec3) (wa vec.Vec3, inside bool) {
	tol := s.Tol.Projection
	tie := 2 * s.Tol.Tie
	if id.Kind == soa.FaceVertex || id.Kind == soa.VertexFace {
		if wa, ok := s.coplanar(id, gap, n); ok {
			return wa, true
		}
	}
	switch id.Kind {
	case soa.FaceVertex:
		// Project all points to the plane of A's face, along n.
		down := n.Scale(-gap)
		b := s.HullB.At(int(id.B))
		x := axesOf(n)
		s.loop(s.ViewA, &s.HullA, int(id.A), vec.Vec3{}, x, x.of(n) < 0)
		s.ties(&s.HullB, n, n.Dot(b)+tie, down, x)
		q, ok := s.overlap(x.flat(b.Add(down)), tol)
		_, d := s.PlaneA(int(id.A))
		if len(s.subject) == 1 {
			return b.Add(down), ok
		}
		return x.lift(q, n, d), ok
	case soa.VertexFace:
		a := s.HullA.At(int(id.A))
		x := axesOf(n)
		s.loop(s.ViewB, &s.HullB, int(id.B), n.Scale(-gap), x, x.of(n) > 0)
		s.ties(&s.HullA, n.Neg(), -n.Dot(a)+tie, vec.Vec3{}, x)
		q, ok := s.overlap(x.flat(a), tol)
		if len(s.subject) == 1 {
			return a, ok
		}
		return x.lift(q, n, n.Dot(a)), ok
	case soa.EdgeEdge:
		return s.CrossingPoint(id, gap, n)
	}
	return s.CornerPoint(id, tol)
}

// crossingNoise, in length scales over the sine of two edges, bounds the rounding error of the
// position at which the edges cross.
// Smaller: a witness point may lie beyond an edge's end.
const crossingNoise = 1.0 / (1 << 50)

// CrossingPoint returns the point of A's edge nearest to B's edge. It returns false if the two
// nearest points do not lie gap·n apart.
//
// For nearly parallel edges the position errs by a rounding divided by the sine. If the position
// may therefore lie beyond an end of either edge, both points are clamped to their edges. A wrong
// position changes the distance of the two points only by the position's error times the sine.
func (s *Frame) CrossingPoint(id soa.FacetID, gap float64, n vec.Vec3) (vec.Vec3, bool) {
	p, p1 := s.EdgeA(int(id.A))
	q, q1 := s.EdgeB(int(id.B))
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	at, bt := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	noise := float64(crossingNoise*s.LengthScale) / math.Sqrt(cc)
	da, db := float64(noise*f.Norm()), float64(noise*e.Norm())
	if at >= da && at <= 1-da && bt >= db && bt <= 1-db {
		return p.AddScaled(at, e), true
	}
	a, b, ok := crossingWithin(p, p1, q, q1)
	return a, ok && b.Sub(a).AddScaled(-gap, n).Norm() <= s.Tol.Projection
}

// loop stores the corners of face f, moved by shift and projected by x, in clip, counter-clockwise.
func (s *Frame) loop(v *soa.View, h *PosedHull, f int, shift vec.Vec3, x axes2, reversed bool) {
	s.clip = s.clip[:0]
	first, n := v.LoopFirst[f], v.LoopLen[f]
	for i := range n {
		k := i
		if reversed {
			k = n - 1 - i
		}
		s.clip = append(s.clip, x.flat(h.At(int(v.Tail[first+k])).Add(shift)))
	}
}

// ties stores the vertices p with n·p ≤ limit, moved by shift and projected by x, in subject. Of
// three or more it stores the corners of their convex hull, counter-clockwise.
func (s *Frame) ties(h *PosedHull, n vec.Vec3, limit float64, shift vec.Vec3, x axes2) {
	s.subject = s.subject[:0]
	for i := range h.X {
		if p := h.At(i); n.Dot(p) <= limit {
			s.subject = append(s.subject, x.flat(p.Add(shift)))
		}
	}
	if len(s.subject) > 2 {
		s.hullOfSubject()
	}
}

// hullOfSubject replaces subject by its convex hull (Andrew's monotone chain, 1979).
func (s *Frame) hullOfSubject() {
	p := s.subject
	slices.SortStableFunc(p, leftFirst)
	h := s.spare[:0]
	for pass := range 2 {
		base := len(h)
		for i := range p {
			q := p[i]
			if pass == 1 {
				q = p[len(p)-1-i]
			}
			for len(h) >= base+2 && h[len(h)-2].cross(h[len(h)-1], q) <= 0 {
				h = h[:len(h)-1]
			}
			h = append(h, q)
		}
		h = h[:len(h)-1] // the last corner is the first of the other chain
	}
	s.subject, s.spare = h, p
}

// leftFirst orders points by U, then by V.
func leftFirst(p, q Point2) int {
	switch {
	case p.U < q.U || p.U == q.U && p.V < q.V:
		return -1
	case p.U == q.U && p.V == q.V:
		return 0
	}
	return 1
}

// overlap returns the mean of the corners of subject ∩ clip, and true. If the two polygons do not
// overlap, it returns the corner of subject that is least far outside clip, or lone if subject is
// empty, and whether the corner is outside by at most tol.
func (s *Frame) overlap(lone Point2, tol float64) (Point2, bool) {
	if len(s.subject) > 1 {
		q, ok := s.clipped()
		if ok && s.spreads(q) && inBounds(s.clip, q, tol) && inBounds(s.subject, q, tol) {
			return q, true
		}
		if ok && on(s.clip, q, tol) && on(s.subject, q, tol) {
			return q, true
		}
	}
	best, least := lone, math.Inf(1)
	for _, q := range s.subject {
		worst := math.Inf(-1)
		for i, c := range s.clip {
			d := s.clip[(i+1)%len(s.clip)]
			if l := math.Sqrt(float64((d.U-c.U)*(d.U-c.U)) + float64((d.V-c.V)*(d.V-c.V))); l > 0 {
				worst = max(worst, -c.cross(d, q)/l)
			}
		}
		if worst < least {
			best, least = q, worst
		}
	}
	// A face far smaller than its distance from the frame's origin may collapse to one point by
	// rounding. It has no sides then, so least is −Inf.
	sides := least > math.Inf(-1)
	return best, sides && least <= -tol || least <= tol && on(s.clip, best, tol)
}

// spreads reports whether the region in spare, whose mean is q, extends farther than rounding may
// move q beyond the tip of the sharpest face that package geometry allows.
func (s *Frame) spreads(q Point2) bool {
	far := 0.0
	for _, p := range s.spare {
		far = max(far, math.Abs(p.U-q.U), math.Abs(p.V-q.V))
	}
	return far > float64(tipTol*s.LengthScale)
}

// on reports whether q lies in a polygon, or on the segment of two points, to tol. Beyond a sharp
// tip, the distances from the lines of the sides do not bound the distance from the polygon. A
// point that is not clearly inside must therefore be within tol of a side, between the ends of that
// side.
func on(polygon []Point2, q Point2, tol float64) bool {
	inside := len(polygon) > 2
	for i, c := range polygon {
		d := polygon[(i+1)%len(polygon)]
		e, w := Point2{d.U - c.U, d.V - c.V}, Point2{q.U - c.U, q.V - c.V}
		ee := float64(e.U*e.U) + float64(e.V*e.V)
		t := 0.0
		if ee > 0 {
			t = min(max((float64(e.U*w.U)+float64(e.V*w.V))/ee, 0), 1)
		}
		w = Point2{w.U - float64(t*e.U), w.V - float64(t*e.V)}
		if float64(w.U*w.U)+float64(w.V*w.V) <= float64(tol*tol) {
			return true
		}
		inside = inside && c.cross(d, q) > 4*tol*math.Sqrt(ee)
	}
	return inside
}

// clipped stores subject ∩ clip in spare (Sutherland and Hodgman 1974). It returns the mean of the
// corners, and false if there are none. Cost: for n and m corners n·m up to plainCuts, otherwise n
// + m.
func (s *Frame) clipped() (Point2, bool) {
	if len(s.subject)*len(s.clip) > plainCuts {
		s.cutRing()
	} else {
		s.cutPlain()
	}
	var m Point2
	for _, p := range s.spare {
		m.U += p.U
		m.V += p.V
	}
	k := float64(len(s.spare))
	if len(s.spare) == 0 {
		return m, false
	}
	return Point2{m.U / k, m.V / k}, true
}

// cutRing is cutPlain for polygons with many sides.
func (s *Frame) cutRing() {
	r := &s.ring
	r.Reset()
	for _, p := range s.subject {
		r.Add(p.U, p.V)
	}
	for i, c := range s.clip {
		d := s.clip[(i+1)%len(s.clip)]
		r.Cut(c.U, c.V, d.U-c.U, d.V-c.V)
	}
	s.spare = s.spare[:0]
	for k := r.First(); len(s.spare) < r.Len(); k = r.Next(k) {
		u, v := r.At(k)
		s.spare = append(s.spare, Point2{u, v})
	}
}

// cutPlain stores subject ∩ clip in spare. It tests every corner against every edge of clip.
func (s *Frame) cutPlain() {
	in, outp := append(s.spare[:0], s.subject...), s.cut[:0]
	for i, c := range s.clip {
		d := s.clip[(i+1)%len(s.clip)]
		outp = outp[:0]
		for j, p := range in {
			q := in[(j+1)%len(in)]
			sp, sq := c.cross(d, p), c.cross(d, q)
			if sp >= 0 {
				outp = append(outp, p)
			}
			if (sp > 0 && sq < 0) || (sp < 0 && sq > 0) {
				r := sp / (sp - sq)
				outp = append(outp, Point2{p.U + float64(r*(q.U-p.U)), p.V + float64(r*(q.V-p.V))})
			}
		}
		in, outp = outp, in
	}
	s.spare, s.cut = in, outp
}

// inBounds reports whether q lies within the bounding box of a polygon, to tol. A face that is far
// smaller than its distance from the frame's origin may collapse to a line by rounding. Clipping
// against such a face cuts along its sides but not at its ends.
func inBounds(polygon []Point2, q Point2, tol float64) bool {
	lo, hi := polygon[0], polygon[0]
	for _, c := range polygon[1:] {
		lo.U, lo.V, hi.U, hi.V = min(lo.U, c.U), min(lo.V, c.V), max(hi.U, c.U), max(hi.V, c.V)
	}
	return q.U >= lo.U-tol && q.U <= hi.U+tol && q.V >= lo.V-tol && q.V <= hi.V+tol
}
