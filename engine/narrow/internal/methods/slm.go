package methods

import (
	"github.com/scree-dem/scree/engine/narrow/internal/ball"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// maxLinks bounds the links of a walk. Two to seven are the rule; a walk cut short is climbed on from.
	maxLinks = 16
	// leastShortening is the share by which a link has to become shorter for the walk to go on. Between faces and edges that are
	// nearly parallel links become shorter by the square of the angle: then the plane of the last link is climbed from.
	leastShortening = 1.0 / (1 << 6)
)

// link is a straight way from a point of A to a point of B, frame and scale of the search.
type link struct {
	from, to     vec.Vec3
	length       float64
	faceA, faceB soa.Face // next to either end, where the walks start
}

// ShortestLink answers two polyhedra by the shortest link method. What holds of its answers is said at FastCommonPlane.
//
// Source: Nezami et al. 2006. The shortest way between the surfaces of two bodies has the common plane across it, so instead
// of a plane a link is looked for: its ends go by turns to the point of their body nearest to the other end, from a
// face to the one next door where that is nearer, until the link is as short as the gap of the plane across it. It starts between
// the nearest vertices of the last plane, or of the one across the line of centres. Where we depart: an end may
// go to the vertex nearest to the plane as well, if that makes the link shorter, which passes over slow slides; where links
// hardly become shorter, the plane of the last is climbed from, as the fast common plane does; where the bodies
// overlap there is no shortest link, and the plane of least overlap is climbed to in the same way; and
// status and depth are made sure of, see settlePlane. Cost: per link the planes of both bodies, a face or two, and two
// supports; 2 to 7 links as a rule.
func (s *Methods) ShortestLink(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	return s.by((*Methods).linked, a, pa, b, pb, reach, dtol, list, out)
}

// linked is the way of ShortestLink.
func (s *Methods) linked(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	p, ok := s.lastPlane(kept)
	if !ok {
		p = s.frontPlane(far)
	}
	// Lengths near the ends of the exponents, which the search scales and shapes do not, have no links.
	if p.gap-s.Tol.Round <= far && !(kept.Deep && s.holdsProjection(&p)) && s.Scale == 1 {
		p = s.shorten(p, far)
	}
	return s.settlePlane(p, far, out)
}

// shorten returns the plane across the shortest link between the bodies, starting from the vertices nearest to a plane;
// or one with a gap above far; or, if they overlap or the links do not become shorter, that of all seen with the
// largest gap.
func (s *Methods) shorten(best commonPlane, far float64) commonPlane {
	l := link{from: s.HullA.At(int(best.i)), to: s.HullB.At(int(best.j))}
	l.length = l.to.Sub(l.from).Norm()
	for k := range maxLinks {
		last := l.length
		if !s.pull(&l, &l.faceA, false) || !s.pull(&l, &l.faceB, true) || !(l.length > s.Tol.Close) {
			return best // an end lies inside of the other body
		}
		p := s.planeAlong(l.to.Sub(l.from).Scale(1 / l.length).Unit())
		if p.gap > best.gap {
			best = p
		}
		if best.gap-s.Tol.Round > far || l.length-p.gap <= s.Tol.Stop || k > 1 && !(p.gap > 0) {
			return best // the last: links of bodies that overlap become shorter without end
		}
		// The vertices nearest to the plane, each with the end it would replace.
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

// pull moves one end of a link to the point of its body nearest to the other end: that on A, or that on B. It returns false
// where the other end lies inside of the body.
func (s *Methods) pull(l *link, start *soa.Face, onB bool) bool {
	v, p := s.ViewA, l.to
	if onB {
		v, p = s.ViewB, s.ToB(l.from)
	}
	near, face, ok := nearestFrom(v, p, *start, s.Tol.Round)
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

// nearestFrom returns the way from a point, in the frame of the view, to the nearest of the body, and a face that has it, by a
// walk from a face: to the face whose plane the point is farthest in front of, if it is not in front of the first, and on
// across the side or round the corner nearest to the point, as long as a face there is nearer. Only faces in front
// count: a face behind may have a point nearer than all next to it. ok is false for a point in the body.
func nearestFrom(v *soa.View, p vec.Vec3, start soa.Face, round float64) (near ball.Nearest, face soa.Face, ok bool) {
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
	for range v.NFaces {
		from := face
		switch near.ID.Kind {
		case soa.VertexEdge:
			e := v.Edge[near.ID.B]
			near, face = nearerAcross(v, p, near, face, v.Face[e], round)
			near, face = nearerAcross(v, p, near, face, v.Face[v.Twin[e]], round)
		case soa.VertexVertex:
			for _, e := range pair.RingOf(v, near.ID.B) {
				near, face = nearerAcross(v, p, near, face, v.Face[e], round)
			}
		}
		if face == from {
			break
		}
	}
	return near, face, true
}

// nearerAcross returns the way to another face if p is in front of it and it is nearer.
func nearerAcross(v *soa.View, p vec.Vec3, near ball.Nearest, face, other soa.Face, round float64) (ball.Nearest, soa.Face) {
	n := v.Normal(other)
	h := n.Dot(p) - v.D[other]
	if other == face || h < -round || h >= near.D {
		return near, face
	}
	if now := ball.NearestOnFace(v, int(other), n, h, p); now.D < near.D {
		return now, other
	}
	return near, face
}
