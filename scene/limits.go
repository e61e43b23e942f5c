package scene

import (
	"fmt"
	"math"
)

// farSizes is how many sizes of a body it may be from the origin: 2³² radii, as many as in engine.World.AddBody.
const farSizes = 1 << 31

// checkLimits refuses what is too fast for the time step, and too far away or too thick for the bodies.
func (s *Scene) checkLimits(d *document) error {
	least, most := math.Inf(1), 0.0
	for i := range s.groups {
		g := &s.groups[i]
		size := math.Inf(1)
		for _, h := range g.shapes {
			size = min(size, s.sizeOf(h))
			most = max(most, s.sizeOf(h))
		}
		least = min(least, size)
		key, at := ".position", g.position
		if g.kind != "" {
			key, at = ".origin", g.origin
		}
		if far := at.MaxAbs(); far > farSizes*size {
			return s.at.fault(g.key+key, found(far, fmt.Sprintf("at most %.3g m from the origin, for a body of %.3g m", farSizes*size, size)))
		}
		if speed := g.vel.Norm(); !(speed*s.Dt <= size) {
			return s.at.fault(g.key+".velocity", found(speed, fmt.Sprintf(
				"at most %.3g m/s: in a time step of %g s a body of %.3g m would pass others", size/s.Dt, s.Dt, size)))
		}
		if spin := g.spin.Norm(); !(spin*s.Dt <= math.Pi) {
			return s.at.fault(g.key+".spin", found(spin, fmt.Sprintf(
				"at most %.3g rad/s: half a turn in a time step of %g s", math.Pi/s.Dt, s.Dt)))
		}
	}
	if g := s.gravity.Norm(); s.at.has("gravity.vector") && !(g*s.Dt*s.Dt <= least) {
		return s.at.fault("gravity.vector", found(g, fmt.Sprintf(
			"at most %.3g m/s²: in a time step of %g s the smallest body would move by its size, %.3g m", least/s.Dt/s.Dt, s.Dt, least)))
	}
	for i := range s.walls {
		w := &s.walls[i]
		if far := w.pose.Pos.MaxAbs(); w.plane && far > farSizes*least {
			return s.at.fault(w.key+".plane.point", found(far, fmt.Sprintf(
				"at most %.3g m from the origin, for a smallest body of %.3g m", farSizes*least, least)))
		}
	}
	return s.checkGaps(d, most)
}

// checkGaps refuses springs that begin farther away than any body is large.
func (s *Scene) checkGaps(d *document, most float64) error {
	keys, gaps := []string{"law"}, []*float64{d.Law.ReferenceGap}
	for i := range d.Law.Pair {
		keys, gaps = append(keys, fmt.Sprintf("law.pair[%d]", i)), append(gaps, d.Law.Pair[i].ReferenceGap)
	}
	for i, gap := range gaps {
		if gap != nil && *gap > most {
			return s.at.fault(keys[i]+".reference_gap", found(*gap, fmt.Sprintf("at most %.3g m, the size of the largest body", most)))
		}
	}
	return nil
}

// sizeOf returns the diameter of a shape's bounding ball, m.
func (s *Scene) sizeOf(h int) float64 {
	t := s.shapes[h].template
	return 2 * (t.Radius + t.Round)
}

// keyOf returns the key of the entry that makes body i.
func (s *Scene) keyOf(i int) string {
	for k := range s.groups {
		g := &s.groups[k]
		if n := g.bodies(); int64(i) >= n {
			i -= int(n)
			continue
		}
		return g.key
	}
	return "bodies"
}
