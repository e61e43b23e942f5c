package narrow

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// contactRegion is memory for the polygons in which two parallel features overlap.
type contactRegion struct {
	subject, clip, spare, cut []point2
	ring                      vec.Ring
}

// plainCuts is up to how many corners of a region times cuts each corner is asked for each cut:
// up to some thirty of either that is sooner done than to keep the corners in a ring. It is no
// tolerance; the bits are the same.
const plainCuts = 1024

// nearFeatures is memory for the features near the support of a direction.
type nearFeatures struct {
	nearA, nearB   []uint16 // vertices
	edgesA, edgesB []uint16
	level          []uint16 // of the corners of a face, those level over another
	mark           []bool
}

type point2 struct{ u, v float64 }

func (p point2) cross(a, b point2) float64 {
	return float64((a.u-p.u)*(b.v-p.v)) - float64((a.v-p.v)*(b.u-p.u))
}

// axes2 projects along the largest component k of a normal; the two others keep their turning sense as
// seen from the tip of the normal's k axis.
type axes2 struct{ k int }

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

func (x axes2) flat(p vec.Vec3) point2 {
	switch x.k {
	case 0:
		return point2{p.Y, p.Z}
	case 1:
		return point2{p.Z, p.X}
	}
	return point2{p.X, p.Y}
}

// lift returns the point of the plane n·p = d over q.
func (x axes2) lift(q point2, n vec.Vec3, d float64) vec.Vec3 {
	switch x.k {
	case 0:
		return vec.Vec3{X: (d - float64(n.Y*q.u) - float64(n.Z*q.v)) / n.X, Y: q.u, Z: q.v}
	case 1:
		return vec.Vec3{X: q.v, Y: (d - float64(n.Z*q.u) - float64(n.X*q.v)) / n.Y, Z: q.u}
	}
	return vec.Vec3{X: q.u, Y: q.v, Z: (d - float64(n.X*q.u) - float64(n.Y*q.v)) / n.Z}
}

func (x axes2) of(n vec.Vec3) float64 {
	switch x.k {
	case 0:
		return n.X
	case 1:
		return n.Y
	}
	return n.Z
}

// witness returns the witness point on A of a facet of K with its gap and normal; that on B is gap·n
// farther on. inside says that both lie on the bodies to footTol.
//
// Where one vertex alone meets a face, it is the witness. Where several vertices tie (a face or
// an edge lies parallel to the face), the point is the mean of the corners of the region in which the two
// features overlap, seen along n. For edges it is the crossing.
func (s *Search) witness(id soa.FacetID, gap float64, n vec.Vec3) (wa vec.Vec3, inside bool) {
	tol := s.tol.foot
	tie := 2 * s.tol.tie
	if id.Kind == soa.FaceVertex || id.Kind == soa.VertexFace {
		if wa, ok := s.flush(id, gap, n); ok {
			return wa, true
		}
	}
	switch id.Kind {
	case soa.FaceVertex:
		// All is brought to the plane of A's face, along n.
		down := n.Scale(-gap)
		b := s.b.at(int(id.B))
		x := axesOf(n)
		s.loop(s.va, &s.a, int(id.A), vec.Vec3{}, x, x.of(n) < 0)
		s.ties(&s.b, n, n.Dot(b)+tie, down, x)
		q, ok := s.overlap(x.flat(b.Add(down)), tol)
		_, d := s.planeA(int(id.A))
		if len(s.subject) == 1 {
			return b.Add(down), ok
		}
		return x.lift(q, n, d), ok
	case soa.VertexFace:
		a := s.a.at(int(id.A))
		x := axesOf(n)
		s.loop(s.vb, &s.b, int(id.B), n.Scale(-gap), x, x.of(n) > 0)
		s.ties(&s.a, n.Neg(), -n.Dot(a)+tie, vec.Vec3{}, x)
		q, ok := s.overlap(x.flat(a), tol)
		if len(s.subject) == 1 {
			return a, ok
		}
		return x.lift(q, n, n.Dot(a)), ok
	case soa.EdgeEdge:
		return s.crossingPoint(id, gap, n)
	}
	return s.cornerPoint(id, tol)
}

// crossingNoise bounds, in units over the sine of two edges, the rounding of the place where they cross.
const crossingNoise = 1.0 / (1 << 50)

// crossingPoint returns the point of A's edge nearest to B's edge, and whether the two points lie gap·n apart.
//
// Between edges next to parallel the place is rounding over the sine. Where it may therefore lie beyond an end of either,
// both ends are brought within the edges: a place that is off moves the points apart by the sine of that only.
func (s *Search) crossingPoint(id soa.FacetID, gap float64, n vec.Vec3) (vec.Vec3, bool) {
	p, p1 := s.edgeA(int(id.A))
	q, q1 := s.edgeB(int(id.B))
	e, f, w := p1.Sub(p), q1.Sub(q), q.Sub(p)
	c := e.Cross(f)
	cc := c.Norm2()
	at, bt := w.Cross(f).Dot(c)/cc, w.Cross(e).Dot(c)/cc
	noise := float64(crossingNoise*s.unit) / math.Sqrt(cc)
	da, db := float64(noise*f.Norm()), float64(noise*e.Norm())
	if at >= da && at <= 1-da && bt >= db && bt <= 1-db {
		return p.AddScaled(at, e), true
	}
	a, b, ok := crossingWithin(p, p1, q, q1)
	return a, ok && b.Sub(a).AddScaled(-gap, n).Norm() <= s.tol.foot
}

// loop puts the corners of a face, moved by shift, into clip, counter-clockwise in the plane of x.
func (s *Search) loop(v *soa.View, h *hull, f int, shift vec.Vec3, x axes2, reversed bool) {
	s.clip = s.clip[:0]
	first, n := v.LoopFirst[f], v.LoopLen[f]
	for i := range n {
		k := i
		if reversed {
			k = n - 1 - i
		}
		s.clip = append(s.clip, x.flat(h.at(int(v.Tail[first+k])).Add(shift)))
	}
}

// ties puts into subject the vertices with n·p ≤ limit, moved by shift: as they are if there are one or two, else the
// corners of their convex hull, counter-clockwise.
func (s *Search) ties(h *hull, n vec.Vec3, limit float64, shift vec.Vec3, x axes2) {
	s.subject = s.subject[:0]
	for i := range h.x {
		if p := h.at(i); n.Dot(p) <= limit {
			s.subject = append(s.subject, x.flat(p.Add(shift)))
		}
	}
	if len(s.subject) > 2 {
		s.hullOfSubject()
	}
}

// hullOfSubject replaces subject by its convex hull (Andrew's monotone chain, 1979).
func (s *Search) hullOfSubject() {
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
		h = h[:len(h)-1] // the last corner begins the other chain
	}
	s.subject, s.spare = h, p
}

// leftFirst orders points by u, then by v.
func leftFirst(p, q point2) int {
	switch {
	case p.u < q.u || p.u == q.u && p.v < q.v:
		return -1
	case p.u == q.u && p.v == q.v:
		return 0
	}
	return 1
}

// overlap returns the mean of the corners of subject ∩ clip. Where they do not overlap it is the corner of
// subject, or lone, that is least outside of clip, with inside saying whether by at most tol.
func (s *Search) overlap(lone point2, tol float64) (point2, bool) {
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
			if l := math.Sqrt(float64((d.u-c.u)*(d.u-c.u)) + float64((d.v-c.v)*(d.v-c.v))); l > 0 {
				worst = max(worst, -c.cross(d, q)/l)
			}
		}
		if worst < least {
			best, least = q, worst
		}
	}
	return best, least <= -tol || least <= tol && on(s.clip, best, tol)
}

// spreads says whether what clipped left reaches farther from its mean q than rounding may put it beyond the tip of a
// face that is as sharp as geometry allows.
func (s *Search) spreads(q point2) bool {
	far := 0.0
	for _, p := range s.spare {
		far = max(far, math.Abs(p.u-q.u), math.Abs(p.v-q.v))
	}
	return far > float64(tipTol*s.unit)
}

// on says whether q lies in a polygon or on the segment of two points, to tol. Beyond a sharp tip, sides say nothing of
// how far away it is: what is not clearly inside has to be near to a side between its ends.
func on(polygon []point2, q point2, tol float64) bool {
	inside := len(polygon) > 2
	for i, c := range polygon {
		d := polygon[(i+1)%len(polygon)]
		e, w := point2{d.u - c.u, d.v - c.v}, point2{q.u - c.u, q.v - c.v}
		ee := float64(e.u*e.u) + float64(e.v*e.v)
		t := 0.0
		if ee > 0 {
			t = min(max((float64(e.u*w.u)+float64(e.v*w.v))/ee, 0), 1)
		}
		w = point2{w.u - float64(t*e.u), w.v - float64(t*e.v)}
		if float64(w.u*w.u)+float64(w.v*w.v) <= float64(tol*tol) {
			return true
		}
		inside = inside && c.cross(d, q) > 4*tol*math.Sqrt(ee)
	}
	return inside
}

// clipped cuts subject by the edges of clip (Sutherland and Hodgman 1974), leaves what remains in
// spare and returns the mean of its corners, if any. Cost: of n and m corners n·m up to
// plainCuts, else n + m.
func (s *Search) clipped() (point2, bool) {
	if len(s.subject)*len(s.clip) > plainCuts {
		s.cutRing()
	} else {
		s.cutPlain()
	}
	var m point2
	for _, p := range s.spare {
		m.u += p.u
		m.v += p.v
	}
	k := float64(len(s.spare))
	if len(s.spare) == 0 {
		return m, false
	}
	return point2{m.u / k, m.v / k}, true
}

// cutRing is cutPlain for polygons of many sides.
func (s *Search) cutRing() {
	r := &s.ring
	r.Reset()
	for _, p := range s.subject {
		r.Add(p.u, p.v)
	}
	for i, c := range s.clip {
		d := s.clip[(i+1)%len(s.clip)]
		r.Cut(c.u, c.v, d.u-c.u, d.v-c.v)
	}
	s.spare = s.spare[:0]
	for k := r.First(); len(s.spare) < r.Len(); k = r.Next(k) {
		u, v := r.At(k)
		s.spare = append(s.spare, point2{u, v})
	}
}

// cutPlain leaves in spare what remains of subject, by asking every corner for every edge of clip.
func (s *Search) cutPlain() {
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
				outp = append(outp, point2{p.u + float64(r*(q.u-p.u)), p.v + float64(r*(q.v-p.v))})
			}
		}
		in, outp = outp, in
	}
	s.spare, s.cut = in, outp
}

// inBounds says whether q lies between the least and the largest coordinates of a polygon, to tol.
// Rounding may make a line of a face that is far smaller than its distance from the frame's origin:
// that cuts along its sides and not at its ends.
func inBounds(polygon []point2, q point2, tol float64) bool {
	lo, hi := polygon[0], polygon[0]
	for _, c := range polygon[1:] {
		lo.u, lo.v, hi.u, hi.v = min(lo.u, c.u), min(lo.v, c.v), max(hi.u, c.u), max(hi.v, c.v)
	}
	return q.u >= lo.u-tol && q.u <= hi.u+tol && q.v >= lo.v-tol && q.v <= hi.v+tol
}
