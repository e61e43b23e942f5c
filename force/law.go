package force

import (
	"errors"

	"github.com/scree-dem/scree/vec"
)

// ErrLaw is wrapped by errors about parameters that describe no physical contact.
var ErrLaw = errors.New("contact law not physical")

// Parameters are the parameters of a law for one pair of materials, as a user sets them.
type Parameters interface {
	// Law checks the parameters and returns the law. The error must wrap ErrLaw and name the
	// parameter, its value and what was expected.
	Law() (Law, error)
}

// Law computes the forces of contacts for one pair of materials. It defines what a contact stores
// from step to step and how stiff the contact is; the engine knows neither. Programs may implement
// their own laws: see docs/howto/add-a-force-law.md.
//
// Several goroutines call a law at once, so it must not change after it is created. Equal arguments
// must give equal bits.
type Law interface {
	// Needs returns up to which gap the law acts, which fields of Contact Apply reads, and how many
	// values a contact stores.
	Needs() Needs
	// Apply computes the force of an active contact in one step. It sets r to the force, moment and
	// energies, and updates history, which the next step passes again. history has Needs().History
	// values, all 0 when the contact begins. For a law with Needs().Points, history is nil, because
	// each point has its own.
	Apply(c *Contact, history []float64, r *Result)
	// Held returns the energy, J, in the friction springs of a history, which belongs to a contact
	// or to a point. When the contact or point ends, the ledger books this energy as friction.
	Held(history []float64) float64
	// Springs returns bounds on stiffness and damping, from which the engine computes the stable
	// time step. mass is the contact's effective mass, kg, and overlap is Needs().Unloaded minus
	// the gap, m. The values must be at least those of Apply for any features of the bodies. With
	// Needs().Growth > 0 they are those of a patch of 1 m².
	Springs(mass, overlap float64) Springs
}

// Needs is what a law requires of the engine.
type Needs struct {
	Reach    float64 // m, largest gap at which a contact is active, ≥ 0
	Unloaded float64 // m, gap below which the spring acts, at most Reach; it acts as if each body were thicker by half of this gap
	Section  bool    // Apply reads Contact.SectionMoments; excludes Overlap and Points
	// Overlap: Apply reads Contact.Overlap, and the location is the centroid of the overlap. Gap
	// and Normal of two blocks then come from the overlap: minus its thickness √(12λ), and the
	// direction in which λ grows fastest. The engine can therefore skip the narrow phase.
	Overlap bool
	// Points: Apply reads Contact.Points, the points at which the pieces touch. The location is the
	// mean of the points, weighted by how far each is below Unloaded. Points excludes Section and
	// Overlap.
	Points bool
	// Potential: Result.Stored is a function of the bodies' poses alone, and its negative gradient
	// is the force without dashpots and friction. For other laws the ledger books the energy that
	// they create separately (engine.Ledger.LawExcess).
	Potential bool
	// Growth is the exponent with which springs get stiffer with the area of the patch; 0 means
	// that they do not. The patch is the contact area of two bodies: V/s for an overlap of volume V
	// and thickness s. A patch of area A, m², has springs A^Growth times as stiff as a patch of 1
	// m². For the time step, the engine uses a mass A^Growth times smaller instead.
	Growth  float64
	History int // number of values that a contact stores, or each point if Points is set; at most MaxHistory
}

// MaxHistory is the largest number of values that a contact, or a point of a contact, may store.
const MaxHistory = 16

// Contact is the input of a law for one contact in one step. The location is the point at which the
// force acts. Frame: world axes.
type Contact struct {
	Gap            float64  // m, negative when penetrating
	Forgiven       float64  // m, the part of the overlap that relief still forgives (engine.Relief)
	Normal         vec.Vec3 // unit, from A to B
	PreviousNormal vec.Vec3 // the normal of the last step; zero if the contact was not active then
	Velocity       vec.Vec3 // m/s, of A's material at the location, minus that of B's
	MeanSpin       vec.Vec3 // rad/s, mean spin of both bodies
	Twist          float64  // rad/s, component of MeanSpin along the normal
	Spin           vec.Vec3 // rad/s, spin of A minus spin of B
	SectionMoments vec.Sym3 // m², second moments of the contact's section divided by its area; zero for a point
	Mass           float64  // kg, effective mass mA·mB/(mA+mB); 0 if both bodies are held along the normal
	Dt             float64  // s

	Overlap Overlap // of the two bodies; set only for laws with Needs.Overlap
	A, B    Inertia // of the two bodies; set only for laws with Needs.Overlap or Needs.Points
	Points  []Point // at least one; set only for laws with Needs.Points
}

// Overlap holds the moments of the overlap, the common volume of two bodies, and their derivatives
// as A moves. Frame: world axes.
type Overlap struct {
	Volume   float64  // m³
	Spread   vec.Sym3 // m², covariance of the overlap's points
	Variance float64  // m², λ = (tr Spread⁻²)^(-1/2), close to the smallest principal variance
	// If A moves by v and turns by φ about the centroid while B rests, the variance λ grows by
	// VarianceGradient·v + VarianceTurn·φ and the volume by VolumeGradient·v + VolumeTurn·φ. Units:
	// m, m², m², m³.
	VarianceGradient, VarianceTurn vec.Vec3
	VolumeGradient, VolumeTurn     vec.Vec3
	// EdgeFactor is 2 over the square of the distance from the centroid at which the force acts if
	// the overlap is a wedge that bears on its edge, in multiples of the wedge's variance. It is 1
	// for two blocks, 1.47 for a block and facets, and 0 for balls, which have no edges.
	EdgeFactor float64
}

// Inertia is the inertia of a body as seen from the contact's location.
type Inertia struct {
	InvMass float64  // 1/kg, 0 for a wall
	Inverse vec.Sym3 // 1/(kg·m²), inverse of the inertia tensor, in the body's frame
	Rot     vec.Quat // from the body's frame to the world
	Arm     vec.Vec3 // m, from the centre of mass to the location
	// Constraint, if not nil, takes the place of InvMass and Inverse: the body cannot move in every direction.
	Constraint *Constraint
}

// along returns the inverse effective mass, 1/kg, against a force at the location along a unit
// vector n and a moment of arm, m, times the force.
func (i *Inertia) along(n, arm vec.Vec3) float64 {
	if i.Constraint != nil {
		return i.Constraint.along(n, i.Arm.Cross(n).Add(arm))
	}
	if i.InvMass == 0 {
		return 0
	}
	t := i.Rot.RotateInv(i.Arm.Cross(n).Add(arm))
	return i.InvMass + t.Dot(i.Inverse.MulVec(t))
}

// MassAlong returns the effective mass, kg, of both bodies together against a force at the location
// along a unit vector n and a moment of arm, m, times the force. It is 0 if constraints hold both bodies.
func (c *Contact) MassAlong(n, arm vec.Vec3) float64 {
	return c.massOf(c.A.along(n, arm) + c.B.along(n, arm))
}

// Result is the output of a law for one contact in one step. Forces and moments are those on A.
// Forces act at the location; B gets the opposite.
type Result struct {
	Force  vec.Vec3 // N
	Moment vec.Vec3 // N·m

	// The parts of Force and Moment that dashpots and friction contribute. Only the energy ledger
	// reads them.
	Damping, Friction             vec.Vec3 // N, within Force
	DampingMoment, FrictionMoment vec.Vec3 // N·m, within Moment

	Stored   float64 // J, energy of the normal spring: what the contact returns when the bodies part
	Held     float64 // J, energy of the friction springs, Held(history). For a law with points the engine sets it
	HeldRise float64 // J, rise of Held since the last step. For a law with points the engine sets it
	Sliding  bool    // the friction spring was shortened to the friction limit

	// Normal is the unit normal, from A to B, to which the force and the history belong. Zero means
	// the contact's normal.
	Normal vec.Vec3
}

// Springs is the stiffness and damping of a contact.
type Springs struct {
	Normal, NormalDashpot   float64 // N/m and N·s/m, along the normal
	Tangent, TangentDashpot float64 // N/m and N·s/m, in tangential directions; 0 without friction
	Friction                float64 // coefficient of the Coulomb limit that also bounds the tangential dashpot
}
