package methods

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// firstTurn and lastTurn are the tangents of the largest and smallest angles by which the
	// common plane is turned: seven degrees, and less than a hundredth of a degree. Smaller
	// lastTurn: four more planes per halving. Larger: the climb from the last plane may end at
	// another common plane.
	firstTurn = 1.0 / (1 << 3)
	lastTurn  = 1.0 / (1 << 13)
	// maxTurns bounds the rounds of four planes. Usually 20 to 30 suffice. If the gap has a ridge
	// oblique to both axes, the plane moves slowly; climb then does the rest.
	// Smaller: a slowly moving plane is climbed from sooner.
	maxTurns = 256
)

// CommonPlane answers two polyhedra by turning a plane between them until no small turn increases
// the gap. The guarantees are those of FastCommonPlane. CommonPlane takes three to five times as
// long; it serves for comparison.
//
// Source: Cundall 1988. The first plane is perpendicular to the line of centres, or the plane of
// the last step. Each round turns the plane about two axes in it, in both directions. Of these four
// planes the one with the largest gap is next. If no gap is larger, the angle is halved, down to
// lastTurn.
//
// Departures: The position of the plane half-way between the nearest vertices is not computed
// because the gap does not depend on it. The last plane is not a turned one but that of the
// features next to it; otherwise the error of the gap would be the last angle times the size of the
// bodies. settlePlane verifies the status.
//
// Cost: two supports per plane. Without a plane from the last step usually 80 to 120 planes; if the
// plane has not moved, four planes for each of the eleven angles.
func (s *Methods) CommonPlane(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	return s.answerWithList((*Methods).turned, a, pa, b, pb, reach, dtol, list, out)
}

// turned answers a loaded pair for CommonPlane.
func (s *Methods) turned(far float64, kept *typing.ListMemory, out *pair.Answer) (exhaustive bool) {
	p, ok := s.lastPlane(kept)
	if !ok {
		p = s.planeBetweenCentres()
	}
	p = s.turn(p, far)
	return s.settlePlane(p, far, out)
}

// turn returns the plane that no turn by lastTurn or more improves, or the first plane with a gap
// above far.
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
