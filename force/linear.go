package force

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Apply implements Law. The history is the slip vector, m: the elastic part of the tangential
// displacement of A against B.
//
// Source: Muth et al. 2007, eq. (1)–(2), for the normal part: f = k·δ + d·δ̇, δ = ReferenceGap −
// gap.
//
// Friction is an elastic spring in series with a Coulomb slider. The spring takes up the tangential
// displacement. If its force would exceed µ·fₙ, it is shortened to µ·fₙ/kt (a radial return, as in
// plasticity, Simo & Hughes 1998). Friction creates no energy: shortening the spring only loses
// energy, turning it keeps its length, and the spring returns the work that it took. The tangential
// dashpot is added after the return and is limited so that the sum stays below µ·fₙ. Codes that
// include the dashpot in the spring gain energy at grazing impacts.
//
// A contact that begins in this step has slipped only since the surfaces met, for the time δ/δ̇
// instead of dt. With dt, the first step would store too much energy, of order dt².
//
// If a face rocks on another face, it closes on one side and opens on the other. A dashpot at the
// centroid would not resist this motion, so the dashpot is spread evenly over the section; see
// rock.
//
// Cost: about 130 flops, no trigonometric function. Apply cannot fail.
func (l *Linear) Apply(m *Contact, history []float64, r *Result) {
	n := m.Normal
	closing := m.Velocity.Dot(n)
	overlap := l.ReferenceGap - (m.Gap + m.Forgiven)
	shearBefore := l.Held(history)

	if !(overlap > 0) {
		// The contact is active, but the spring is not loaded: the friction spring ends.
		*r = Result{HeldRise: -shearBefore}
		clear(history)
		return
	}

	spring := float64(l.Kn * overlap)
	damping := l.normalDamping(m.Mass)
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
		if m.PreviousNormal != (vec.Vec3{}) {
			slip = turn(slipOf(history), m.PreviousNormal, n, float64(m.Twist*m.Dt))
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
	if l.Dt > 0 && !sliding && m.Mass > 0 {
		drag = cut(friction, tangential.Scale(-l.Dt), limit)
	}

	history[0], history[1], history[2] = slip.X, slip.Y, slip.Z
	moment := rock(n, m.Spin, m.SectionMoments, damping, max(normalForce, 0))
	*r = Result{Damping: drag.AddScaled(-dashpot, n), DampingMoment: moment, Moment: moment, Friction: friction, Sliding: sliding}
	r.Force = friction.AddScaled(-spring, n).Add(r.Damping)
	r.Stored = 0.5 * float64(spring*overlap)
	r.Held = l.Held(history)
	r.HeldRise = r.Held - shearBefore
}

func slipOf(history []float64) vec.Vec3 { return vec.Vec3{X: history[0], Y: history[1], Z: history[2]} }

// rock returns the moment on A of a normal dashpot of coefficient d that is spread evenly over the
// section. With a relative spin ω, the surfaces close at r from the centroid with (ω×r)·n =
// r·(n×ω). The moment is therefore −d·(G·(n×ω))×n, where G is the section's second moments divided
// by its area. The dissipated power is d·(n×ω)·G·(n×ω) ≥ 0. The moment is limited to normalForce
// times the width, so that no part of the section pulls.
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

// damped reports whether the law has a normal dashpot.
func (l *Linear) damped() bool { return l.ByRestitution && l.zeta > 0 || !l.ByRestitution && l.Dn > 0 }

// normalDamping returns the coefficient of the normal dashpot, N·s/m, for an effective mass m, kg.
// It is 0 if m is, so between bodies that are held.
func (l *Linear) normalDamping(m float64) float64 {
	if l.ByRestitution || m == 0 {
		return 2 * float64(l.zeta*math.Sqrt(float64(l.Kn*m)))
	}
	return l.Dn
}

// turn rotates a tangential vector s from the plane of normal n0 to the plane of normal n1: by the
// smallest rotation from n0 to n1, then by angle about n1. The second rotation is first order with
// the length preserved. If the normals are a right angle or more apart, they belong to different
// contacts, and turn returns zero.
func turn(s, n0, n1 vec.Vec3, angle float64) vec.Vec3 {
	c := n0.Dot(n1)
	if c <= 0 {
		return vec.Vec3{}
	}
	length := s.Norm2()
	// For s ⊥ n0 the smallest rotation gives s − (n0+n1)·(n1·s)/(1+c).
	s = s.AddScaled(-s.Dot(n1)/(1+c), n0.Add(n1))
	s = s.AddScaled(angle, n1.Cross(s))
	if now := s.Norm2(); now > 0 {
		s = s.Scale(math.Sqrt(length / now))
	}
	return s
}

// cut returns b shortened so that |a + b| ≤ limit. The caller must ensure |a| ≤ limit.
func cut(a, b vec.Vec3, limit float64) vec.Vec3 {
	if a.Add(b).Norm2() <= float64(limit*limit) {
		return b
	}
	// Solve |a + s·b|² = limit² for the root s in [0, 1].
	bb := b.Norm2()
	if !(bb > 0) {
		return vec.Vec3{}
	}
	half := a.Dot(b) / bb
	rest := (a.Norm2() - float64(limit*limit)) / bb
	root := math.Sqrt(max(float64(half*half)-rest, 0)) - half
	return b.Scale(min(max(root, 0), 1))
}
