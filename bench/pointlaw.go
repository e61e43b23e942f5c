package bench

import (
	"math"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// PointsLaw is the name of the law that acts at each point at which two bodies touch.
const PointsLaw = "points"

// pointSprings is a law as that of most codes for blocks: at each point of a contact, a spring and a dashpot along the
// normal, and a spring with a Coulomb slider across. Each point remembers its slip. Worlds under it have no ledger, so it
// tells none of its energies.
type pointSprings struct{ stiffness float64 } // N/m, of a point

// pointDamping is the damping of the normal springs relative to critical damping.
const pointDamping = 0.3

func (l pointSprings) Law() (force.Law, error) { return l, nil }

func (l pointSprings) Needs() force.Needs { return force.Needs{Points: true, History: 3} }

func (l pointSprings) Held([]float64) float64 { return 0 }

func (l pointSprings) dashpot(mass float64) float64 {
	return 2 * pointDamping * math.Sqrt(mass*l.stiffness)
}

func (l pointSprings) Springs(mass, _ float64) force.Springs {
	const n = force.MaxPoints
	return force.Springs{Normal: n * l.stiffness, NormalDashpot: n * l.dashpot(mass), Tangent: n * tangentialShare * l.stiffness, Friction: Friction}
}

func (l pointSprings) Apply(c *force.Contact, _ []float64, r *force.Result) {
	*r = force.Result{}
	dashpot := l.dashpot(c.Mass)
	for i := range c.Points {
		p := &c.Points[i]
		depth, v := max(-p.Gap-c.Forgiven, 0), c.VelocityAt(p)
		along := v.Dot(c.Normal)
		normal := max(float64(l.stiffness*depth)+float64(dashpot*along), 0)
		if depth == 0 {
			normal = 0
		}
		slip := vec.V(p.History[0], p.History[1], p.History[2]).AddScaled(c.Dt, v.AddScaled(-along, c.Normal))
		slip = slip.AddScaled(-slip.Dot(c.Normal), c.Normal)
		if pull, limit := tangentialShare*l.stiffness*slip.Norm(), Friction*normal; pull > limit {
			slip = slip.Scale(limit / pull)
		}
		p.History[0], p.History[1], p.History[2] = slip.X, slip.Y, slip.Z
		f := c.Normal.Scale(-normal).AddScaled(-tangentialShare*l.stiffness, slip)
		r.Force, r.Moment = r.Force.Add(f), r.Moment.Add(p.Arm.Cross(f))
	}
}
