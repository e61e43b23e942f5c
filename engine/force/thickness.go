package force

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Thickness is the law of the overlap's thickness for one pair of materials: the potential ½·Stiffness·s² of two bodies whose
// overlap is as thick as a slab of thickness s = √(12λ), with Coulomb friction, sliding and in torsion.
//
// λ = (tr C⁻²)^(-1/2) stands for the least principal variance of the overlap, C being its covariance. So the force is linear in
// depth on faces, edges and corners, it sets a face that lies on a face upright again at any tilt, and it has a potential:
// whatever way the bodies go, elastic contact gives back what it took.
//
// With an area exponent a the stiffness is that times A^a, where A = V/s is the area of the patch,
// V the overlap's volume. So the potential is ½·Stiffness·s²·(V/s)^a. With a = ½ the unit is Pa and
// forces are those of elastic solids: √A·δ under a face, δ² at a cone's tip, √R·δ^1.5 under a ball.
// With a = 1 it is Pa/m, a bed of springs.
type Thickness struct {
	Stiffness    float64 // N/m, Pa or Pa/m, > 0: of a face that lies on a face, over its area to the power of AreaExponent
	Tangential   float64 // likewise, ≥ 0: of the friction spring; times a patch's second moment, of that in torsion
	Friction     float64 // coefficient, ≥ 0
	Restitution  float64 // 0 < e ≤ 1, of an impact head-on
	AreaExponent float64 // 0, 0.5 or 1

	// ReferenceGap is the gap, m, at which the spring is unloaded; 0 for bodies that meet at
	// their surfaces. Below 0 an overlap of a thickness up to s₀ = −ReferenceGap is not felt, and
	// the potential of a thicker one is ½·Stiffness·(s − s₀)². Above 0 the spring of a ball begins
	// at that distance from other bodies; other pairs, and area exponents, have none.
	ReferenceGap float64
	// Interaction is the gap, m, up to which a contact is active; at least ReferenceGap. It is
	// refused between a block and facets, which are active where they overlap alone.
	Interaction float64
}

// Law implements Parameters.
func (t Thickness) Law() (Law, error) {
	if err := checkParameters([]parameter{
		{"stiffness", t.Stiffness, t.Stiffness > 0, "> 0 N/m"},
		{"tangential stiffness", t.Tangential, t.Tangential >= 0, "≥ 0 N/m"},
		{"friction", t.Friction, t.Friction >= 0, "≥ 0"},
		{"restitution", t.Restitution, t.Restitution > 0 && t.Restitution <= 1, "> 0 and ≤ 1"},
		{"area exponent", t.AreaExponent, t.AreaExponent == 0 || t.AreaExponent == 0.5 || t.AreaExponent == 1, "0, 0.5 or 1"},
		{"interaction distance", t.Interaction, t.Interaction >= 0, "≥ 0 m"},
		{"reference gap", t.ReferenceGap, t.ReferenceGap <= t.Interaction, "at most the interaction distance"},
		{"reference gap", t.ReferenceGap, t.ReferenceGap <= 0 || t.AreaExponent == 0, "at most 0 m beside an area exponent: bodies apart have no patch"},
	}, t.Friction, t.Tangential); err != nil {
		return nil, err
	}
	return &thickness{Thickness: t, zeta: dampingOf(t.Restitution, RestitutionWithinForce)}, nil
}

// thickness is the law of a Thickness.
type thickness struct {
	Thickness
	zeta float64 // damping ratio that gives Restitution
}

// What a contact of a thickness law remembers, by place in its history.
const (
	slipX           = iota // m, three values: elastic part of the tangential displacement of A against B
	_                      //
	_                      //
	twistAngle             // rad, elastic part of the turn of A against B about the normal
	twistWidth             // m², second moment of the patch about the normal that the angle belongs to, times slipGrowth
	thicknessMemory        // how many, and with an area exponent:
	slipGrowth      = iota - 1
	grownMemory
)

// Needs implements Law.
func (l *thickness) Needs() Needs {
	n := Needs{
		Reach: max(l.Interaction, l.ReferenceGap, 0), Unloaded: l.ReferenceGap,
		Overlap: true, Potential: true, History: thicknessMemory, Growth: l.AreaExponent,
	}
	if l.AreaExponent > 0 {
		n.History = grownMemory
	}
	return n
}

// growth returns by what factor the springs of an overlap of thickness s are stiffer than those of
// a patch of 1 m².
func (l *thickness) growth(volume, s float64) float64 {
	switch l.AreaExponent {
	case 0:
		return 1
	case 1:
		return volume / s
	default:
		return math.Sqrt(volume / s)
	}
}

// growthOf returns the growth of the patch that a history belongs to.
func (l *thickness) growthOf(history []float64) float64 {
	if l.AreaExponent == 0 {
		return 1
	}
	return history[slipGrowth]
}

// Held implements Law.
func (l *thickness) Held(history []float64) float64 {
	angle := history[twistAngle]
	slip := float64(slipOf(history).Norm2() * l.growthOf(history))
	return float64(0.5 * l.Tangential * (slip + float64(float64(angle*angle)*history[twistWidth])))
}

// Springs implements Law. On its patch no contact is stiffer than a face along the normal. A face
// that tilts is, up to three times over the mass that a spring at its centre meets; a corner meets
// a mass as small, and the time step reckons with it.
func (l *thickness) Springs(mass, _ float64) Springs {
	s := Springs{
		Normal:        l.Stiffness,
		NormalDashpot: 2 * float64(l.zeta*math.Sqrt(float64(l.Stiffness*mass))),
		Friction:      l.Friction,
	}
	if l.Friction > 0 {
		s.Tangent = l.Tangential
		s.TangentDashpot = 2 * float64(l.zeta*math.Sqrt(float64(l.Tangential*mass)))
	}
	return s
}

// inLanes reports whether a Batch applies the law in lanes, which have no reference gap.
func (l *thickness) inLanes() bool { return l.ReferenceGap == 0 }

// overlapOf returns the overlap that the law acts by. With a reference gap above 0 it is that of a
// ball: a slab, as thick as the spring is compressed.
func (l *thickness) overlapOf(c *Contact) Overlap {
	if !(l.ReferenceGap > 0) {
		return c.Overlap
	}
	depth := max(l.ReferenceGap-c.Gap, 0)
	return Overlap{Variance: float64(depth*depth) / 12, VarianceGradient: c.Normal.Scale(depth / 6)}
}

// Apply implements Law. A Batch does the same in lanes, but for reference gaps:
// asm/gen/thicknessapply.go follows it line by line.
//
// The elastic wrench is the slope of the potential. A dashpot works on it along its own direction,
// spread over the overlap: its coefficient is that of a mass on a linear spring of stiffness
// |F|²/2Φ, and the mass is what the bodies put against a force there. In y = √(2Φ) for the depth,
// and a time that runs at F/y of ours, a mass head-on under any potential is the linear oscillator
// with that dashpot and its limits. So restitution is the same under all. It neither pulls nor
// pushes more than the spring does, so that the force grows from nothing at first touch and
// restitution may be as low as one likes. Friction is an elastic spring under a slider, at the
// centroid and, in torsion, over the patch.
func (l *thickness) Apply(c *Contact, history []float64, r *Result) {
	before := l.Held(history)
	o := l.overlapOf(c)
	s := math.Sqrt(12 * o.Variance)
	unfelt := max(-l.ReferenceGap, 0)
	depth := s - (unfelt + c.Forgiven)
	grown, k := 1.0, 0.0
	if depth > 0 {
		grown = l.growth(o.Volume, s)
		k = float64(l.Stiffness * grown)
	}
	// d(½k·depth²) = k·depth·ds + ½depth²·dk, ds = 6 dλ/s, and dk = a·k·(dV/V − ds/s).
	along, turn := o.VarianceGradient, o.VarianceTurn
	scale := 6 * float64(k*(depth/s))
	if l.AreaExponent > 0 && k > 0 {
		swell := float64(l.AreaExponent * depth)
		scale *= 1 - 0.5*swell/s
		share := 0.5 * float64(float64(k*swell)*(depth/o.Volume)) / scale
		along, turn = along.AddScaled(share, o.VolumeGradient), turn.AddScaled(share, o.VolumeTurn)
	}
	slope := along.Norm()
	stored := 0.0
	if k > 0 {
		stored = float64(0.5 * float64(k*depth) * depth)
	}
	if !(k > 0) || !(slope > 0) {
		// Nothing pushes. A body wholly inside another still holds what was put in when it went there.
		*r = Result{HeldRise: -before, Stored: stored}
		clear(history)
		return
	}
	force := along.Scale(-scale)
	n := along.Scale(1 / slope)
	normalForce := float64(scale * slope)

	mass := c.MassAlong(n)
	stiffness := float64(normalForce*normalForce) / (2 * stored)
	damping := 2 * float64(l.zeta*math.Sqrt(float64(mass*stiffness)))
	dashpot := clamp(float64(damping*c.Velocity.Dot(n)), -normalForce, normalForce)
	*r = Result{
		Damping:       n.Scale(-dashpot),
		DampingMoment: rock(n, c.Spin, o.Spread, damping, normalForce),
		Stored:        stored,
		Normal:        n,
	}
	if l.Friction > 0 {
		l.rub(c, &o, n, normalForce+dashpot, grown, float64(l.zeta*math.Sqrt(float64(mass*float64(l.Tangential*grown)))), history, r)
	}
	r.Force = force.Add(r.Damping).Add(r.Friction)
	r.Moment = turn.Scale(-scale).Add(r.DampingMoment).Add(r.FrictionMoment)
	r.Held = l.Held(history)
	r.HeldRise = r.Held - before
}

// sinceMet returns the part of the step in which the bodies overlapped. A contact that begins in it
// has slipped only since then. With the whole step it would store too much, of order dt² in energy.
// The thickness s = √(12λ) grows about evenly, at 6λ'/s. Up to unfelt, m, of it nothing rubs.
func (c *Contact) sinceMet(o *Overlap, unfelt float64) float64 {
	grows := o.VarianceGradient.Dot(c.Velocity) + o.VarianceTurn.Dot(c.Spin)
	twice := 2 * o.Variance
	if unfelt > 0 {
		twice *= 1 - unfelt/math.Sqrt(12*o.Variance)
	}
	if twice < float64(grows*c.Dt) {
		return twice / grows
	}
	return c.Dt
}

// rub adds friction under a normal force: a spring for the slip, one for the turn about the normal,
// each cut at its limit, and their dashpots while they stick. The springs are grown times those of
// a patch of 1 m²; the coefficient of the slip's dashpot is twice damping.
func (l *thickness) rub(c *Contact, o *Overlap, n vec.Vec3, normal, grown, damping float64, history []float64, r *Result) {
	width := o.Spread
	about := max(width.XX+width.YY+width.ZZ-float64(n.Dot(width.MulVec(n))), 0)
	spread := float64(grown * about)
	k := float64(l.Tangential * grown)
	slip, angle := vec.Vec3{}, 0.0
	if c.Before != (vec.Vec3{}) {
		slip = turn(slipOf(history), c.Before, n, float64(c.Mean.Dot(n)*c.Dt))
		angle = history[twistAngle]
		// A patch that grows must not make the springs stiffer for nothing.
		if old := history[twistWidth]; spread > old {
			angle *= math.Sqrt(old / spread)
		}
		if old := l.growthOf(history); grown > old {
			slip = slip.Scale(math.Sqrt(old / grown))
		}
	}
	tangential := c.Velocity.AddScaled(-c.Velocity.Dot(n), n)
	dt := c.sinceMet(o, max(-l.ReferenceGap, 0))
	slip = slip.AddScaled(dt, tangential)
	slip = slip.AddScaled(-slip.Dot(n), n)
	spin := c.Spin.Dot(n)
	angle += float64(spin * dt)

	limit := float64(l.Friction * normal)
	pull := float64(k * slip.Norm())
	drag := vec.Vec3{}
	friction := slip.Scale(-k)
	if r.Sliding = pull > limit; r.Sliding {
		slip = slip.Scale(limit / pull)
		friction = slip.Scale(-k)
	} else {
		drag = cut(friction, tangential.Scale(-2*damping), limit)
	}
	twist := float64(float64(l.Tangential*spread) * angle)
	most := float64(limit * math.Sqrt(about))
	brake := 0.0
	if math.Abs(twist) > most {
		angle = math.Copysign(most/float64(l.Tangential*spread), twist)
		twist = math.Copysign(most, twist)
	} else {
		brake = 2 * float64(damping*float64(about*spin))
		brake = clamp(brake, -most-twist, most-twist)
	}
	history[slipX], history[slipX+1], history[slipX+2] = slip.X, slip.Y, slip.Z
	history[twistAngle], history[twistWidth] = angle, spread
	if l.AreaExponent > 0 {
		history[slipGrowth] = grown
	}
	r.Friction, r.Damping = friction, r.Damping.Add(drag)
	r.FrictionMoment = n.Scale(-twist)
	r.DampingMoment = r.DampingMoment.AddScaled(-brake, n)
}

// clamp returns v, or the limit that it is beyond. A NaN stays one, and a zero keeps its sign.
func clamp(v, low, high float64) float64 {
	if v < low {
		v = low
	}
	if v > high {
		v = high
	}
	return v
}
