package force

import (
	"errors"
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// ErrLaw marks parameters that describe no physical contact.
var ErrLaw = errors.New("contact law not physical")

// Parameters describe a law for one pair of materials.
type Parameters interface {
	// Law checks the parameters and returns the law. An error wraps ErrLaw, and names the parameter, its value and what
	// was expected.
	Law() (Law, error)
}

// parameter is a number of a law, whether it is in range, and the range.
type parameter struct {
	name string
	v    float64
	ok   bool
	want string
}

// checkParameters returns what is wrong with the numbers of a law with friction, nil if nothing is.
func checkParameters(all []parameter, friction, tangential float64) error {
	for _, c := range all {
		if !c.ok || math.IsInf(c.v, 0) || math.IsNaN(c.v) {
			return mark.Errorf(ErrLaw, "%s is %g, expected %s", c.name, c.v, c.want)
		}
	}
	if friction > 0 && tangential == 0 {
		return mark.Errorf(ErrLaw, "friction is %g but tangential stiffness is 0, expected > 0 N/m", friction)
	}
	return nil
}

// Law makes forces of contacts, for one pair of materials. It owns what a contact stores and how stiff it is; the engine
// knows neither. Programs may bring laws of their own: see docs/howto/add-a-force-law.md.
//
// A law is used by several goroutines at once and must not change. The same arguments must give the same bits.
type Law interface {
	// Needs says up to which gap the law acts, what Apply reads, and how much a contact remembers.
	Needs() Needs
	// Apply sets r to the force of an active contact in this step, and history to what the contact remembers
	// for the next. history has Needs().History values, all 0 when the contact begins. Of a law with Needs().Points it
	// is nil: each point has its own.
	Apply(c *Contact, history []float64, r *Result)
	// Held returns the energy, J, that a history holds, of a contact or of a point. It is lost to friction when that ends.
	Held(history []float64) float64
	// Springs returns what the law asks of the time step for a contact of the given effective mass,
	// kg, and overlap, m: Needs().Unloaded less the gap. It is at least what Apply does, wherever
	// the bodies touch; with Needs().Growth, on a patch of 1 m².
	Springs(mass, overlap float64) Springs
}

// Needs is what a law asks for.
type Needs struct {
	Reach    float64 // m, the gap up to which a contact is active, ≥ 0
	Unloaded float64 // m, the gap from which on the spring acts: bodies count as thicker by half of it
	Section  bool    // Apply reads Contact.Width
	// Overlap says that Apply reads Contact.Overlap, and that the location is the centroid of the overlap. Gap and Normal of
	// two blocks then follow from it: minus its thickness √(12λ), and the direction in which that grows fastest. So the narrow
	// phase need not be asked.
	Overlap bool
	// Points says that Apply reads Contact.Points, the points in which the pieces touch, and that the location is their mean,
	// weighted by how far each is below Unloaded. Not together with Section or Overlap.
	Points bool
	// Potential says that Stored is a function of the bodies' poses alone, and that its slope is
	// the force without dashpots and friction. Of any other law the account of energies keeps apart
	// what it makes.
	Potential bool
	// Growth is the power of the area of the patch of two bodies, m², with which springs get
	// stiffer: 0 where they do not. A patch of area A then has springs A^Growth times, and swings
	// as a patch of 1 m² does under a mass A^Growth times smaller.
	Growth  float64
	History int // values that a contact remembers, or with Points each of its points: at most MaxHistory
}

// MaxHistory is how many values a contact, or a point of one, may remember.
const MaxHistory = 16

// Contact is what a law sees of a contact in one step. Frame: world axes.
type Contact struct {
	Gap      float64  // m, negative when penetrating
	Forgiven float64  // m, of the overlap: what relief still forgives
	Normal   vec.Vec3 // unit, from A to B
	Before   vec.Vec3 // the normal of the step before; zero for a contact that was not active then
	Velocity vec.Vec3 // m/s, of A's material at the location, less that of B's
	Mean     vec.Vec3 // rad/s, mean spin of both bodies
	Twist    float64  // rad/s, that about the normal
	Spin     vec.Vec3 // rad/s, of A less that of B
	Width    vec.Sym3 // m², second moments of the contact's section over its area; zero for a point
	Mass     float64  // kg, effective mass mA·mB/(mA+mB)
	Dt       float64  // s

	Overlap Overlap // of the two bodies; for laws whose Needs ask for it
	A, B    Inertia // where Overlap or Points are asked for
	Points  []Point // where asked for: one at least
}

// Overlap is what two bodies have in common: its moments, and how they change as A moves. Frame: world axes.
type Overlap struct {
	Volume   float64  // m³
	Spread   vec.Sym3 // m², covariance
	Variance float64  // m², λ = (tr Spread⁻²)^(-1/2), close to the least principal variance
	// When A moves by v and turns by φ about the centroid, B at rest, λ grows by VarianceGradient·v + VarianceTurn·φ, and the
	// volume by VolumeGradient·v + VolumeTurn·φ; m, m², m², m³.
	VarianceGradient, VarianceTurn vec.Vec3
	VolumeGradient, VolumeTurn     vec.Vec3
}

// Inertia is what a body puts against a force at the location.
type Inertia struct {
	InvMass float64  // 1/kg, 0 for a wall
	Inverse vec.Sym3 // 1/(kg·m²), of the inertia tensor, in the body's frame
	Rot     vec.Quat // from the body's frame to the world
	Arm     vec.Vec3 // m, from the centre of mass to the location
}

// along returns the inverse of the mass that a force along a unit vector meets, 1/kg.
func (i *Inertia) along(n vec.Vec3) float64 {
	if i.InvMass == 0 {
		return 0
	}
	t := i.Rot.RotateInv(i.Arm.Cross(n))
	return i.InvMass + t.Dot(i.Inverse.MulVec(t))
}

// MassAlong returns the effective mass, kg, of both bodies against a force at the location along a unit vector.
func (c *Contact) MassAlong(n vec.Vec3) float64 { return 1 / (c.A.along(n) + c.B.along(n)) }

// Result is what a law gives back. Forces and moments are those on A, which act at the location; B feels the
// opposite. Energies are those of this step.
type Result struct {
	Force  vec.Vec3 // N
	Moment vec.Vec3 // N·m

	// What of them dashpots give, and friction. The account of energies reads them.
	Damping, Friction             vec.Vec3 // N, within Force
	DampingMoment, FrictionMoment vec.Vec3 // N·m, within Moment

	Stored   float64 // J, what the contact gives back when the bodies part
	Held     float64 // J, what friction springs hold: that of the history. Of a law with points the engine sets it
	HeldRise float64 // J, by which Held rose since the last step; likewise
	Sliding  bool    // the friction spring was cut at its limit

	// Normal is the unit normal, from A to B, that the force and the history belong to; zero for that of the contact.
	Normal vec.Vec3
}

// Springs is how stiff and how damped a contact is.
type Springs struct {
	Normal, NormalDashpot   float64 // N/m, N·s/m, along the normal
	Tangent, TangentDashpot float64 // N/m, N·s/m, across it; 0 where nothing sticks
	Friction                float64 // the coefficient that bounds the force of the tangential dashpot
}
