package force

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Thickness is a law with a potential that depends on the thickness of the overlap of two bodies,
// for one pair of materials. The potential is ½·Stiffness·s², where s = √(12λ) is the thickness of
// a slab with the same variance λ as the overlap. Coulomb friction acts in sliding and in torsion.
//
// λ = (tr C⁻²)^(-1/2), where C is the covariance of the overlap, approximates the smallest
// principal variance. The force is linear in depth on faces, edges and corners, and it rights a
// face that lies on a face at any tilt. Because the law has a potential, elastic contact returns
// the work that it took on any path.
//
// With an area exponent a, the stiffness is multiplied by A^a, where A = V/s is the area of the
// patch and V the volume of the overlap. The potential is then ½·Stiffness·s²·(V/s)^a. With a = ½
// the unit of Stiffness is Pa and forces scale as those of elastic solids: √A·δ on a face, δ² on
// the tip of a cone, √R·δ^1.5 on a ball. With a = 1 the unit is Pa/m, and the law is a bed of
// springs.
type Thickness struct {
	// Stiffness, N/m, Pa or Pa/m, > 0, is that of a face on a face, divided by its area to the power of AreaExponent.
	Stiffness float64 `key:"stiffness" unit:"N/m" default:"required" bounds:"> 0" group:"spring" doc:"normal stiffness" alsokey:"modulus" alsounit:"Pa or Pa/m" alsobounds:"> 0" alsogroup:"spring" alsodoc:"a stiffness that grows with the patch, with area_exponent"`
	// Tangential, in the unit of Stiffness, ≥ 0, is that of the friction spring; times the patch's second moment, of
	// the torsion spring.
	Tangential float64 `key:"tangential_stiffness" unit:"N/m" default:"0.8 of the stiffness or modulus" bounds:"≥ 0" share:"0.8 of spring" doc:"stiffness of the friction spring, in the unit of the modulus if there is one. 0.8 is 2(1−ν)/(2−ν) of Mindlin 1949 for ν = 1/3. A pair that gives only stiffness or modulus keeps the ratio"`
	// Friction is the coefficient, ≥ 0.
	Friction float64 `key:"friction" default:"0" bounds:"≥ 0" doc:"Coulomb's coefficient"`
	// Restitution is that of a head-on impact, 0 < e ≤ 1; below 0.0055 it has the effect of 0.0055.
	Restitution float64 `key:"restitution" default:"1" bounds:"> 0 and ≤ 1" group:"damping" doc:"of a head-on impact. Values below 0.0055 act as 0.0055, under the linear law without tension values below 6.1e-5 as that"`
	// AreaExponent is 0, 0.5 or 1.
	AreaExponent float64 `key:"area_exponent" bounds:"0.5 or 1" with:"modulus" doc:"0.5 for a modulus in Pa, 1 for one in Pa/m; required with modulus, for a pair unless [law] has it"`

	// ReferenceGap is the gap, m, at which the spring is unloaded; 0 means that the spring starts
	// where the surfaces meet. If it is negative, overlaps up to the thickness s₀ = −ReferenceGap
	// are not felt, and a thicker one has (s − s₀)² in its potential in place of s². If it is
	// positive, the spring of a ball starts at that distance from other bodies. Positive values are
	// rejected for pairs without a ball and together with an area exponent.
	ReferenceGap float64 `key:"reference_gap" unit:"m" default:"0" doc:"gap at which the spring is unloaded; at most the size of the largest body. Under the law of thickness, only balls may have a positive one"`
	// Interaction is the largest gap, m, at which a contact is active; it must be at least
	// ReferenceGap. A block and facets must not have one, because they are active only if they
	// overlap.
	Interaction float64 `key:"contact.interaction" unit:"m" default:"0" bounds:"≥ 0"`
}

// Law implements Parameters.
func (t Thickness) Law() (Law, error) {
	if err := checkParameters("thickness", t, t.Friction, t.Tangential, t.ReferenceGap, t.Interaction); err != nil {
		return nil, err
	}
	if t.ReferenceGap > 0 && t.AreaExponent > 0 {
		return nil, wrong("reference_gap", t.ReferenceGap, "at most 0 m beside a modulus: bodies that are apart have no patch")
	}
	return &thicknessLaw{Thickness: t, zeta: dampingOf(t.Restitution, RestitutionWithinForce)}, nil
}

// thicknessLaw is the law with the parameters of a Thickness.
type thicknessLaw struct {
	Thickness
	zeta float64 // damping ratio that gives Restitution
}

// Values in the history of a contact, by index.
const (
	slipX           = iota // m, three values: slip, the elastic part of the tangential displacement of A against B
	_                      //
	_                      //
	twistAngle             // rad, elastic part of the rotation of A against B about the normal
	twistWidth             // m², second moment, about the normal, of the patch to which the angle belongs, times slipGrowth
	middleX                // three values: unit normal of the overlap's middle plane; 0 if the contact is new
	_                      //
	_                      //
	thicknessMemory        // number of values; with an area exponent, also:
	slipGrowth      = iota - 1
	grownMemory
)

// Needs implements Law.
func (l *thicknessLaw) Needs() Needs {
	n := Needs{
		Reach: max(l.Interaction, l.ReferenceGap, 0), Unloaded: l.ReferenceGap,
		Overlap: true, Potential: true, History: thicknessMemory, Growth: l.AreaExponent,
	}
	if l.AreaExponent > 0 {
		n.History = grownMemory
	}
	return n
}

// growth returns the factor by which the springs of an overlap of thickness s are stiffer than
// those of a patch of 1 m².
func (l *thicknessLaw) growth(volume, s float64) float64 {
	switch l.AreaExponent {
	case 0:
		return 1
	case 1:
		return volume / s
	default:
		return math.Sqrt(volume / s)
	}
}

// growthOf returns the growth of the patch to which a history belongs.
func (l *thicknessLaw) growthOf(history []float64) float64 {
	if l.AreaExponent == 0 {
		return 1
	}
	return history[slipGrowth]
}

// Held implements Law.
func (l *thicknessLaw) Held(history []float64) float64 {
	angle := history[twistAngle]
	slip := float64(slipOf(history).Norm2() * l.growthOf(history))
	return float64(0.5 * l.Tangential * (slip + float64(float64(angle*angle)*history[twistWidth])))
}

// Springs implements Law. Without an area exponent no contact is stiffer along the normal than a
// face. With the exponent a, the slope of the force of a ball is (1+a)·(2+a)/2 times the spring of
// its present patch, because the patch grows with the depth; edges and corners stay below that. The
// engine's bound of the patch of a ball allows for the factor.
//
// A face that tilts has a ratio of stiffness to mass up to three times that of a spring at its
// centre. The effective mass at a corner is as small, and the time step takes corners into account.
func (l *thicknessLaw) Springs(mass, _ float64) Springs {
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

// inLanes reports whether a Batch evaluates the law in lanes. The kernel does not support reference
// gaps.
func (l *thicknessLaw) inLanes() bool { return l.ReferenceGap == 0 }

// overlapOf returns the overlap on which the law acts. With a positive reference gap the contact is
// that of a ball, and the overlap is a slab as thick as the spring is compressed.
func (l *thicknessLaw) overlapOf(c *Contact) Overlap {
	if !(l.ReferenceGap > 0) {
		return c.Overlap
	}
	depth := max(l.ReferenceGap-c.Gap, 0)
	return Overlap{Variance: float64(depth*depth) / 12, VarianceGradient: c.Normal.Scale(depth / 6)}
}

// Apply implements Law. The kernel in asm/gen/thicknessapply.go follows this function line by line,
// except for reference gaps.
//
// Elastic force F and moment are the negative gradient of the potential Φ.
//
// A dashpot acts along the elastic force and moment together, whose lever is arm. So it reads the
// rate of Φ alone: a motion that leaves the overlap as it is loses nothing. The dashpot is that of a
// linear spring of stiffness |F|²/(2Φ) with the effective mass of the bodies along force and moment.
// Take y = √(2Φ) as the depth, and a time that runs F/y times as fast. Then an impact under any
// potential is a linear oscillator with this dashpot and its limits, so the restitution is the same
// for all potentials. The dashpot's force is limited to that of the spring in magnitude. The normal
// force therefore never pulls and starts from zero at first contact, even if the restitution is low.
// A face that tilts about the middle of its patch leaves Φ as it is; dampTilt damps that motion.
//
// Friction is an elastic spring with a Coulomb slider, for the slip at the centroid and for torsion
// over the patch.
func (l *thicknessLaw) Apply(c *Contact, history []float64, r *Result) {
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
	// d(½k·depth²) = k·depth·ds + ½depth²·dk, with ds = 6 dλ/s and dk = a·k·(dV/V − ds/s).
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
		// There is no normal force. A body wholly inside another one still stores the work done to
		// get there.
		*r = Result{HeldRise: -before, Stored: stored}
		clear(history)
		return
	}
	force := along.Scale(-scale)
	n := along.Scale(1 / slope)
	normalForce := float64(scale * slope)

	arm := turn.Scale(1 / slope)

	mass := c.MassAlong(n, arm)
	stiffness := float64(normalForce*normalForce) / (2 * stored)
	damping := 2 * float64(l.zeta*math.Sqrt(float64(mass*stiffness)))
	dashpot := clamp(float64(damping*(c.Velocity.Dot(n)+c.Spin.Dot(arm))), -normalForce, normalForce)
	tilting := dampTilt(c, &o, n, arm, damping, normalForce+min(dashpot, 0), history)
	*r = Result{
		Damping:       n.Scale(-dashpot),
		DampingMoment: arm.Scale(-dashpot).Add(tilting),
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

// sinceMet returns the part of the step, s, during which the bodies overlapped. A contact that
// begins in this step has slipped only for that time. With the whole step it would store too much
// energy, of order dt². The estimate assumes that the thickness s = √(12λ) grows at the constant
// rate 6λ'/s. Friction starts at a thickness of unfelt, m, which includes what relief forgives.
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

// rub adds friction under the force normal, N. It consists of a spring for the slip and one for the
// rotation about the normal. Each is limited by Coulomb friction, and has a dashpot while it
// sticks. The springs are grown times as stiff as those of a patch of 1 m². The coefficient of the
// slip's dashpot is twice damping.
func (l *thicknessLaw) rub(c *Contact, o *Overlap, n vec.Vec3, normal, grown, damping float64, history []float64, r *Result) {
	width := o.Spread
	about := max(width.XX+width.YY+width.ZZ-float64(n.Dot(width.MulVec(n))), 0)
	spread := float64(grown * about)
	k := float64(l.Tangential * grown)
	slip, angle := vec.Vec3{}, 0.0
	if c.PreviousNormal != (vec.Vec3{}) {
		slip = turn(slipOf(history), c.PreviousNormal, n, float64(c.MeanSpin.Dot(n)*c.Dt))
		angle = history[twistAngle]
		// If the patch has grown, scale slip and angle so that the stiffer springs store no more
		// energy.
		if old := history[twistWidth]; spread > old {
			angle *= math.Sqrt(old / spread)
		}
		if old := l.growthOf(history); grown > old {
			slip = slip.Scale(math.Sqrt(old / grown))
		}
	}
	tangential := c.Velocity.AddScaled(-c.Velocity.Dot(n), n)
	dt := c.sinceMet(o, max(-l.ReferenceGap, 0)+c.Forgiven)
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

// clamp returns v limited to low and high. A NaN stays NaN, and a zero keeps its sign.
func clamp(v, low, high float64) float64 {
	if v < low {
		v = low
	}
	if v > high {
		v = high
	}
	return v
}
