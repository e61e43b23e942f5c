package methods

import (
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// firstTurn and lastTurn are the tangents of the largest and the smallest angle by which a common plane is turned: seven
	// degrees, and less than a hundredth of one. A smaller lastTurn costs four planes per halving; with a larger one
	// the climb from there may end at another common plane.
	firstTurn = 1.0 / (1 << 3)
	lastTurn  = 1.0 / (1 << 13)
	// maxTurns bounds the rounds of four planes. The rule is 20 to 30; where the gap has a ridge across both axes the plane
	// creeps, and what is left is climbed.
	maxTurns = 256
)

// CommonPlane answers two polyhedra by turning a plane between them until no small turn gives a larger gap. What holds of
// its answers is said at FastCommonPlane; it takes three to five times as long and is here to compare with.
//
// Source: Cundall 1988. The plane starts at right angles to the line of centres, or as it was in the step before, and is
// turned about two axes in it, either way: of the four planes the one with the largest gap is next, and where none has a
// larger one, the angle is halved, down to its least. Where we depart: the plane's place half-way between the nearest
// vertices is left out, for the gap does not depend on it; the last plane is not one that has been turned, but that of the
// features next to it, without which the gap would err by the last angle times the size of the bodies; and the
// status is made sure of, see settlePlane. Cost: two supports a plane, 80 to 120 planes from nothing as a rule; four for each of
// the eleven angles where the plane has not moved.
func (s *Methods) CommonPlane(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	return s.by((*Methods).turned, a, pa, b, pb, reach, dtol, list, out)
}

// turned is the way of CommonPlane.
func (s *Methods) turned(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	p, ok := s.lastPlane(kept)
	if !ok {
		p = s.planeBetweenCentres()
	}
	p = s.turn(p, far)
	return s.settlePlane(p, far, out)
}

// turn returns the plane that no turn by more than lastTurn betters, or the first with a gap above far.
func (s *Methods) turn(p commonPlane, far float64) commonPlane {
	angle := firstTurn
	for range maxTurns {
		if p.gap-s.Tol.Round > far || angle < lastTurn {
			break
		}
		u := p.n.Perpendicular()
		v := p.n.Cross(u)
		best := p
		for _, k := range [4]vec.Vec3{u, u.Neg(), v, v.Neg()} {
			if q := s.planeAlong(p.n.AddScaled(angle, k).Unit()); q.gap > best.gap {
				best = q
			}
		}
		if best.gap > p.gap {
			p = best
		} else {
			angle *= 0.5
		}
	}
	return p
}
