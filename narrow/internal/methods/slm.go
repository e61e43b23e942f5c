package methods

import (
	"github.com/scree-dem/scree/narrow/internal/ball"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// maxLinks bounds the links of a walk. Two to seven are usual. A walk that is cut short
	// continues as a climb.
	// Smaller: more climbs.
	maxLinks = 16
	// leastShortening is the fraction by which a link must become shorter for the walk to continue.
	// Between nearly parallel faces and edges, links shorten only by the square of the angle. The
	// plane of the last link is then climbed from.
	// Smaller: more links. Larger: more climbs.
	leastShortening = 1.0 / (1 << 6)
)

// link is a line from a point of A to a point of B, frame and scale of the search.
type link struct {
	from, to     vec.Vec3
	length       float64
	faceA, faceB soa.Face // faces at the two ends, where the walks start
}

// ShortestLink answers two polyhedra by the shortest link method. The guarantees are those of
// FastCommonPlane.
//
// Source: Nezami et al. 2006. The shortest line between the surfaces of two bodies is perpendicular
// to their common plane, so the method searches for a link instead of a plane. The ends of the link
// move in turns. Each moves to the point of its body nearest to the other end, from face to
// neighbouring face. The walk ends when the link is as short as the gap of the plane across it. It
// starts between the nearest vertices of the last plane, or of the plane across the line of
// centres.
//
// Departures: An end may also move to the vertex nearest to the plane if that shortens the link,
// which skips slow slides. If links hardly become shorter, the plane of the last link is climbed
// from, as in FastCommonPlane. If the bodies overlap there is no shortest link, and the plane of
// least overlap is climbed to in the same way. settlePlane verifies status and depth.
//
// Cost: per link the planes of both bodies, one or two faces, and two supports; usually 2 to 7
// links.
func (s *Methods) ShortestLink(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	return s.answerWithList((*Methods).linked, a, pa, b, pb, reach, dtol, list, out)
}

// linked answers a loaded pair for ShortestLink.
func (s *Methods) linked(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	p, ok := s.lastPlane(kept)
	if !ok {
		p = s.frontPlane(far)
	}
	// Near the limits of the exponent the search scales the lengths but the views do not, so links
	// are not used.
	if p.gap-s.Tol.Round <= far && !(kept.Penetrating && s.holdsProjection(&p)) && s.Scale == 1 {
		p = s.shorten(p, far)
	}
	return s.settlePlane(p, far, out)
}

// shorten returns the plane across the shortest link between the bodies, starting from the vertices
// nearest to best. It returns the first plane with a gap above far, if there is one. If the bodies
// overlap, or the links do not become shorter, it returns the plane with the largest gap of those
// tried.
func (s *Methods) shorten(best commonPlane, far float64) commonPlane {
	l := link{from: s.HullA.At(int(best.i)), to: s.HullB.At(int(best.j))}
	l.length = l.to.Sub(l.from).Norm()
	for k := range maxLinks {
		last := l.length
		if !s.pull(&l, &l.faceA, false) || !s.pull(&l, &l.faceB, true) || !(l.length > s.Tol.Close) {
			return best // an end lies inside the other body
		}
		p := s.planeAlong(l.to.Sub(l.from).Scale(1 / l.length).Unit())
		if p.gap > best.gap {
			best = p
		}
		if best.gap-s.Tol.Round > far || l.length-p.gap <= s.Tol.Stop || k > 1 && !(p.gap > 0) {
			return best // the last condition: links of bodies that overlap become shorter without end
		}
		// Try the vertices nearest to the plane, each in place of one end.
		for _, k := range [2]link{{from: l.from, to: s.HullB.At(int(p.j))}, {from: s.HullA.At(int(p.i)), to: l.to}} {
			if d := k.to.Sub(k.from).Norm(); d < l.length {
				l.from, l.to, l.length = k.from, k.to, d
			}
		}
		if !(l.length < last*(1-leastShortening)) {
			break
		}
	}
	return best
}

// pull moves one end of a link to the point of its body nearest to the other end: the end on B if
// onB is set, else the end on A. It returns false if the other end lies inside the body.
func (s *Methods) pull(l *link, start *soa.Face, onB bool) bool {
	v, p := s.ViewA, l.to
	if onB {
		v, p = s.ViewB, s.ToB(l.from)
	}
	near, face, ok := nearestFrom(v, p, *start, s.LengthScale)
	if !ok {
		return false
	}
	if *start = face; near.D < l.length {
		l.length = near.D
		if onB {
			l.to = l.from.Add(s.Rot.MulVec(near.W))
		} else {
			l.from = l.to.Add(near.W)
		}
	}
	return true
}

// nearestFrom returns the vector from p, in the frame of the view, to the nearest point of the
// body, and a face with that point. ok is false if p lies in the body.
//
// The walk begins at start, or if p is not in front of start, at the face whose plane p is farthest
// in front of. It continues across the side or around the corner nearest to p while a face there is
// nearer. Only faces in front of p count: a face behind may have a point nearer than all its
// neighbours.
func nearestFrom(v *soa.View, p vec.Vec3, start soa.Face, unit float64) (near ball.Nearest, face soa.Face, ok bool) {
	round := float64(pair.RoundTol * unit)
	n := v.Normal(start)
	h := n.Dot(p) - v.D[start]
	if !(h > round) {
		f, height := ball.HighestPlane(v, p)
		if !(height > round) {
			return near, start, false
		}
		start, h, n = soa.Face(f), height, v.Normal(soa.Face(f))
	}
	near, face = ball.NearestOnFace(v, int(start), n, h, p), start
	try := func(other soa.Face) {
		if other != face && near.TryFace(v, int(other), p, unit) {
			face = other
		}
	}
	for range v.NFaces {
		from := face
		switch near.ID.Kind {
		case soa.VertexEdge:
			e := v.Edge[near.ID.B]
			try(v.Face[e])
			try(v.Face[v.Twin[e]])
		case soa.VertexVertex:
			for _, e := range pair.RingOf(v, near.ID.B) {
				try(v.Face[e])
			}
		}
		if face == from {
			break
		}
	}
	return near, face, true
}
