package scene

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/vec"
)

// farSizes is the largest distance of a body from the origin, in diameters: 2³² radii, as in
// engine.World.AddBody.
// Larger: as farRadii.
const farSizes = 1 << 31

// checkLimits rejects values that are too fast for the time step, or too far or too thick for the
// bodies.
func (s *checks) checkLimits(d *document) {
	least, most := math.Inf(1), 0.0
	for i := range s.groups {
		g := &s.groups[i]
		size := s.least(g)
		for _, h := range g.shapes {
			most = max(most, s.sizeOf(h))
		}
		least = min(least, size)
		if key, far := s.farthest(g); far > farSizes*size {
			s.fault(g.key+key, atMost(far, farSizes*size, fmt.Sprintf("m from the origin, for a body of %.3g m", size)))
		}
		s.tooFast(g.key, d.Bodies[i].Velocity, d.Bodies[i].Spin, size, s.Dt)
	}
	s.tooStrong("gravity.vector", d.Gravity.Vector, least, s.Dt)
	if d.Domain != nil {
		s.checkSides("domain", &s.cell, least, s.Dt)
	}
	for i := range s.walls {
		w := &s.walls[i]
		if far := w.pose.Pos.MaxAbs(); w.plane && far > farSizes*least {
			s.fault(w.key+".plane.point", atMost(far, farSizes*least, fmt.Sprintf(
				"m from the origin, for a smallest body of %.3g m", least)))
		}
	}
	s.checkGaps(d, most)
}

// tooFast rejects velocities and spins of bodies of a size with which they would pass others in a time step.
func (s *checks) tooFast(key string, vel, spin timedVector, size, dt float64) {
	for _, v := range vel.values() {
		if speed := v.Norm(); !(speed*dt <= size) {
			s.fault(key+".velocity", atMost(speed, size/dt, fmt.Sprintf("m/s: in a time step of %g s a body of %.3g m would pass others", dt, size)))
		}
	}
	for _, v := range spin.values() {
		if rate := v.Norm(); !(rate*dt <= math.Pi) {
			s.fault(key+".spin", atMost(rate, math.Pi/dt, fmt.Sprintf("rad/s: half a turn in a time step of %g s", dt)))
		}
	}
}

// tooStrong rejects a gravity that moves the smallest body by its size in a time step.
func (s *checks) tooStrong(key string, gravity timedVector, least, dt float64) {
	for _, v := range gravity.values() {
		if g := v.Norm(); !(g*dt*dt <= least) {
			s.fault(key, atMost(g, least/dt/dt, fmt.Sprintf("m/s²: in a time step of %g s the smallest body would move by its size, %.3g m", dt, least)))
		}
	}
}

// least returns the diameter of the bounding ball of the smallest body of a group, m.
func (s *Scene) least(g *bodyEntry) float64 {
	size := math.Inf(1)
	for _, h := range g.shapes {
		size = min(size, s.sizeOf(h))
	}
	return size
}

// leastOfAll returns the least of all groups.
func (s *Scene) leastOfAll() float64 {
	size := math.Inf(1)
	for i := range s.groups {
		size = min(size, s.least(&s.groups[i]))
	}
	return size
}

// checkMotions rejects oscillations that are too fast for the time step.
func (s *checks) checkMotions(*document) {
	for i := range s.walls {
		m, key := s.walls[i].course.motion, s.walls[i].key+".motion"
		if m == nil {
			continue
		}
		if m.Frequency*s.Dt > 0.5 {
			s.fault(key+".frequency", found(m.Frequency, fmt.Sprintf("at most %.3g 1/s: two time steps of %g s a period", 0.5/s.Dt, s.Dt)))
		}
		if lasts := s.lasts(m); m.Ramp > lasts+s.Dt { // by more than rounding
			s.warn(key+".ramp", fmt.Sprintf("found %g s, longer than the motion, %.4g s: the amplitude is never reached", m.Ramp, lasts))
		}
	}
}

// lasts returns the duration of a motion within the run, s.
func (s *Scene) lasts(m *engine.Motion) float64 {
	end := float64(s.Steps) * s.Dt
	if m.To > 0 {
		end = min(end, m.To)
	}
	return max(end-m.From, 0)
}

// farthest returns the length of a group that puts its bodies farthest from the origin along an
// axis, and the key of this length.
func (s *Scene) farthest(g *bodyEntry) (key string, far float64) {
	along := func(spacing vec.Vec3) float64 {
		return vec.V(float64(g.count[0]-1), float64(g.count[1]-1), float64(g.count[2]-1)).Mul(spacing).MaxAbs()
	}
	key, far = ".origin", g.origin.MaxAbs()
	take := func(k string, x float64) {
		if x > far {
			key, far = k, x
		}
	}
	switch g.kind {
	case "":
		return ".position", g.position.MaxAbs()
	case "grid":
		take(".spacing", along(g.spacing))
		take(".jitter", g.jitter)
	case "random", "pour", "fill":
		return "." + g.region.key, max(g.region.box.Min.MaxAbs(), g.region.box.Max.MaxAbs())
	case "wall":
		take(".joint", float64(float64(g.count[0]-1)*g.joint/2))
	}
	return key, far
}

// checkGaps rejects reference gaps with a size above that of the largest body.
func (s *checks) checkGaps(d *document, most float64) {
	keys, gaps := []string{"law"}, []*float64{d.Law.Keys.number("reference_gap")}
	for i := range d.Law.Pair {
		keys, gaps = append(keys, fmt.Sprintf("law.pair[%d]", i)), append(gaps, d.Law.Pair[i].Keys.number("reference_gap"))
	}
	for i, gap := range gaps {
		switch key := keys[i] + ".reference_gap"; {
		case gap == nil:
		case *gap > most:
			s.fault(key, atMost(*gap, most, "m, the size of the largest body"))
		case *gap < -most:
			s.fault(key, found(*gap, fmt.Sprintf("at least %.3g m: bodies farther inside each other than the largest is large", -most)))
		}
	}
}

// sizeOf returns the diameter of the bounding ball of shape h, m.
func (s *Scene) sizeOf(h int) float64 { return 2 * s.shapes[h].radius }

// keyOf returns the key of the entry that generates body i.
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
