package force

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Apply implements Law. The history is the slip, m: the elastic part of the tangential displacement of A against B.
//
// Source: Muth et al. 2007, eq. (1)–(2), for the normal part: f = k·δ + d·δ̇, δ = ReferenceGap − gap.
// Friction is an elastic spring under a Coulomb slider: the spring takes the tangential
// displacement, and is shortened to µ·fₙ/kt when it would pull harder (a radial return, as in
// plasticity, Simo & Hughes 1998). A shortening only loses energy, the turning keeps the length, and the
// spring gives back what it took: so friction injects none. The dashpot is added after the return,
// and cut so that the sum stays under µ·fₙ; putting it into the spring is what makes other codes gain
// energy at grazing impacts.
//
// A contact that begins in this step has slipped only since the surfaces met: δ/δ̇, not the whole dt.
// Without this the first step stores too much, of order dt² in energy.
//
// A face that rocks on a face closes on one side and opens on the other, which a dashpot at the centroid does
// not see. So the dashpot is spread evenly over the section; see rock.
//
// Cost: about 130 flops, no trigonometric function. It cannot fail.
func (l *Linear) Apply(m *Contact, history []float64, r *Result) {
	n := m.Normal
	closing := m.Velocity.Dot(n)
	overlap := l.ReferenceGap - (m.Gap + m.Forgiven)
	shearBefore := l.Held(history)

	if !(overlap > 0) {
		// Active, but the spring is not reached: what friction held ends.
		*r = Result{HeldRise: -shearBefore}
		clear(history)
		return
	}

	spring := float64(l.Kn * overlap)
	damping := l.NormalDamping(m.Mass)
	dashpot := float64(damping * closing)
	if !l.Tension && spring+dashpot < 0 {
		dashpot = -spring
	}
	normalForce := spring + dashpot

	dt := m.Dt
	if overlap < float64(closing*dt) {
		// The surfaces met within this step.
		dt = overlap / closing
	}
	tangential := m.Velocity.AddScaled(-closing, n)
	slip := vec.Vec3{}
	if l.Kt > 0 {
		if m.Before != (vec.Vec3{}) {
			slip = turn(slipOf(history), m.Before, n, float64(m.Twist*m.Dt))
		}
		slip = slip.AddScaled(dt, tangential)
		slip = slip.AddScaled(-slip.Dot(n), n)
	}
	limit := float64(l.Mu * max(normalForce, 0))
	pull := float64(l.Kt * slip.Norm())
	sliding := pull > limit
	if sliding {
		slip = slip.Scale(limit / pull)
	}
	friction := slip.Scale(-l.Kt)
	drag := vec.Vec3{}
	if l.Dt > 0 && !sliding {
		drag = cut(friction, tangential.Scale(-l.Dt), limit)
	}

	history[0], history[1], history[2] = slip.X, slip.Y, slip.Z
	moment := rock(n, m.Spin, m.Width, damping, max(normalForce, 0))
	*r = Result{Damping: drag.AddScaled(-dashpot, n), DampingMoment: moment, Moment: moment, Friction: friction, Sliding: sliding}
	r.Force = friction.AddScaled(-spring, n).Add(r.Damping)
	r.Stored = 0.5 * float64(spring*overlap)
	r.Held = l.Held(history)
	r.HeldRise = r.Held - shearBefore
}

func slipOf(history []float64) vec.Vec3 { return vec.Vec3{X: history[0], Y: history[1], Z: history[2]} }

// rock returns the moment on A of a normal dashpot spread evenly over the section: for a relative spin ω, at
// r from the centroid the surfaces close at (ω×r)·n = r·(n×ω), and so the moment is −d·(G·(n×ω))×n with G the
// section's second moments over its area. It takes d·(n×ω)·G·(n×ω) ≥ 0 of power. Nothing pulls: the
// moment is at most push times the width.
func rock(n, spin vec.Vec3, width vec.Sym3, d, normalForce float64) vec.Vec3 {
	if d == 0 || width == (vec.Sym3{}) {
		return vec.Vec3{}
	}
	m := width.MulVec(n.Cross(spin)).Cross(n).Scale(-d)
	most := normalForce * math.Sqrt(max(width.XX+width.YY+width.ZZ, 0))
	if size := m.Norm(); size > most {
		return m.Scale(most / size)
	}
	return m
}

// damped reports whether the law takes energy by its normal dashpot.
func (l *Linear) damped() bool { return l.ByRestitution && l.zeta > 0 || !l.ByRestitution && l.Dn > 0 }

// NormalDamping returns the coefficient of the normal dashpot, N·s/m, for effective mass m, kg.
func (l *Linear) NormalDamping(m float64) float64 {
	if l.ByRestitution {
		return 2 * float64(l.zeta*math.Sqrt(float64(l.Kn*m)))
	}
	return l.Dn
}

// turn carries a tangential vector from the plane of normal n0 to that of n1: the smallest rotation
// that takes one normal to the other, then by angle about n1, first order with the length kept. Normals
// that point apart by more than a right angle are another contact: nothing is carried.
func turn(s, n0, n1 vec.Vec3, angle float64) vec.Vec3 {
	c := n0.Dot(n1)
	if c <= 0 {
		return vec.Vec3{}
	}
	length := s.Norm2()
	// s − (n0+n1)·(n1·s)/(1+c) is the rotation for s ⊥ n0.
	s = s.AddScaled(-s.Dot(n1)/(1+c), n0.Add(n1))
	s = s.AddScaled(angle, n1.Cross(s))
	if now := s.Norm2(); now > 0 {
		s = s.Scale(math.Sqrt(length / now))
	}
	return s
}

// cut shortens b so that |a + b| ≤ limit, for |a| ≤ limit.
func cut(a, b vec.Vec3, limit float64) vec.Vec3 {
	if a.Add(b).Norm2() <= float64(limit*limit) {
		return b
	}
	// |a + s·b|² = limit²: the root in [0, 1].
	bb := b.Norm2()
	if !(bb > 0) {
		return vec.Vec3{}
	}
	half := a.Dot(b) / bb
	rest := (a.Norm2() - float64(limit*limit)) / bb
	root := math.Sqrt(max(float64(half*half)-rest, 0)) - half
	return b.Scale(min(max(root, 0), 1))
}
